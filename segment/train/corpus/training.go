package corpus

import (
	"os"
	"path/filepath"
	"slices"
)

// Training is what models are trained on: the documents and snippets of [Train] and, as far as the corpus has them, those of
// [Train2].
type Training struct {
	*Corpus
	Messages bool // the messages of [Train], too, if the corpus has any; make corpus makes none
}

// has tells whether there is a file of the corpus.
func (c *Corpus) has(file string) bool {
	_, err := os.Stat(filepath.Join(c.dir, file))
	return err == nil
}

// Documents reads the documents to train on, messages last.
func (t Training) Documents() ([]Document, error) {
	all, err := t.Corpus.Documents(Train)
	if err == nil && t.has(documentFile(Train2)) {
		var more []Document
		more, err = t.Corpus.Documents(Train2)
		all = append(all, more...)
	}
	if err == nil && t.Messages && t.has(messageFile(Train)) {
		var more []Document
		more, err = t.Corpus.Messages(Train)
		all = append(all, more...)
	}
	return all, err
}

// Snippets reads the snippets to train on.
func (t Training) Snippets() ([]Snippet, error) {
	all, err := t.Corpus.Snippets(Train)
	if err == nil && t.has(snippetFile(Train2)) {
		var more []Snippet
		more, err = t.Corpus.Snippets(Train2)
		all = append(all, more...)
	}
	return all, err
}

// Hash is [Corpus.Hash] of the files of [Train] that are named, and of the others that are trained on.
func (t Training) Hash(train ...string) (string, error) {
	more := []string{documentFile(Train2), snippetFile(Train2)}
	if t.Messages {
		more = append(more, messageFile(Train))
	}
	more = slices.DeleteFunc(more, func(file string) bool { return !t.has(file) })
	return t.Corpus.Hash(slices.Concat(train, more)...)
}

// Licenses are the names of the licenses of the repositories to train on, sorted. Most messages have none: their rights
// stay with their authors, and the corpus's README lists their repositories as they are.
func (t Training) Licenses() ([]string, error) {
	names, err := t.Corpus.Licenses(Train)
	if err == nil && t.has(documentFile(Train2)) {
		var more []string
		more, err = t.Corpus.Licenses(Train2)
		names = append(names, more...)
		slices.Sort(names)
		names = slices.Compact(names)
	}
	return names, err
}
