package corpus

import (
	"hash/fnv"
	"io"
)

// A tenth of the repositories for the line model and a fifth for the language model can be held back from training, to
// choose between variants and to calibrate; of messages, a fifth of the sources. A hash of its name decides on which side a
// repository or source is. The hashes differ: with the first, every kind of document is on both sides.

// HeldOutOfLines reports whether the training of the line model holds a repository back.
func HeldOutOfLines(repository string) bool {
	return hash("8"+repository)%10 == 0
}

// LanguageFolds is the number of parts that the repositories are divided into for the language model: each can be held back.
const LanguageFolds = 5

// LanguageFold is the part of a repository, from 0.
func LanguageFold(repository string) int {
	h := hash(repository)
	return int((h ^ h>>16) % LanguageFolds)
}

// HeldOutOfLanguages reports whether the training of the language model holds a repository back, unless told to hold back
// another part.
func HeldOutOfLanguages(repository string) bool { return LanguageFold(repository) == 0 }

// HeldOutOfMessages reports whether training on messages holds the messages of a source back: a fifth of the sources,
// among them one each of issues, forum posts, chat, mail and questions.
func HeldOutOfMessages(source string) bool {
	return hash("45"+source)%5 == 0
}

// HeldOutOfLines reports whether the training of the line model holds a document back: of messages by their source, of
// all others by the repositories of their code and prose.
func (d *Document) HeldOutOfLines() bool {
	if d.IsMessage() {
		return HeldOutOfMessages(d.Source)
	}
	return HeldOutOfLines(d.Source) || HeldOutOfLines(d.Prose)
}

// InValidation reports whether a document that is held back counts in the figures. One whose prose alone is held back does
// not: its code may have been trained on.
func (d *Document) InValidation() bool {
	return d.HeldOutOfLines() && (d.IsMessage() || HeldOutOfLines(d.Source))
}

func hash(s string) uint32 {
	h := fnv.New32a()
	io.WriteString(h, s)
	return h.Sum32()
}
