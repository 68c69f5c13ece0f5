package corpus

import (
	"hash/fnv"
	"io"
)

// A tenth of the repositories for the line model and a fifth for the language model can be held back from training, to
// choose between variants and to calibrate. A hash of its name decides on which side a repository is. The two hashes
// differ: with the first, every kind of document is on both sides.

// HeldOutOfLines reports whether the training of the line model holds a repository back.
func HeldOutOfLines(repository string) bool {
	return hash("8"+repository)%10 == 0
}

// HeldOutOfLanguages reports whether the training of the language model holds a repository back.
func HeldOutOfLanguages(repository string) bool {
	h := hash(repository)
	return (h^h>>16)%5 == 0
}

func hash(s string) uint32 {
	h := fnv.New32a()
	io.WriteString(h, s)
	return h.Sum32()
}
