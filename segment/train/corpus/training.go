package corpus

import (
	"os"
	"path/filepath"
	"slices"
)

// Training is what models are trained on: the documents and snippets of [Train] and, as far as the corpus has them, those of
// [Train2] and [Train3].
type Training struct {
	*Corpus
	Messages bool // what people sent, too, if the corpus has any of it; make corpus makes none
}

// more are the splits of further repositories.
var more = []Split{Train2, Train3}

// has tells whether there is a file of the corpus.
func (c *Corpus) has(file string) bool {
	_, err := os.Stat(filepath.Join(c.dir, file))
	return err == nil
}

// Documents reads the documents to train on, messages last.
func (t Training) Documents() ([]Document, error) {
	all, err := t.Corpus.Documents(Train)
	if err != nil {
		return nil, err
	}
	for _, file := range t.furtherDocuments() {
		further, err := t.documents(file, file)
		if err != nil {
			return nil, err
		}
		all = append(all, further...)
	}
	return all, nil
}

// furtherDocuments are the files of documents that the corpus has, but for that of [Train].
func (t Training) furtherDocuments() []string {
	files := each(more, documentFile)
	if t.Messages {
		files = append(files, messageFile(Train), assistantFile(Train), chatFile)
	}
	return t.present(files)
}

// Snippets reads the snippets to train on.
func (t Training) Snippets() ([]Snippet, error) {
	all, err := t.Corpus.Snippets(Train)
	if err != nil {
		return nil, err
	}
	for _, file := range t.present(each(more, snippetFile)) {
		further, err := Read[Snippet](t.Corpus, file)
		if err != nil {
			return nil, err
		}
		all = append(all, further...)
	}
	return all, nil
}

// Hash is [Corpus.Hash] of the files of [Train] that are named, and of the others that are trained on.
func (t Training) Hash(train ...string) (string, error) {
	return t.Corpus.Hash(slices.Concat(train, t.furtherDocuments(), t.present(each(more, snippetFile)))...)
}

// Licenses are the names of the licenses of the repositories to train on, sorted. Most messages have none: their rights
// stay with their authors, and the corpus's README lists their repositories as they are.
func (t Training) Licenses() ([]string, error) {
	names, err := t.Corpus.Licenses(Train)
	for _, split := range more {
		if err == nil && t.has(documentFile(split)) {
			var further []string
			further, err = t.Corpus.Licenses(split)
			names = append(names, further...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), err
}

// present are the files that the corpus has.
func (t Training) present(files []string) []string {
	return slices.DeleteFunc(files, func(file string) bool { return !t.has(file) })
}

func each(splits []Split, file func(Split) string) []string {
	var files []string
	for _, s := range splits {
		files = append(files, file(s))
	}
	return files
}
