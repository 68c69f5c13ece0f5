package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// Additions name the parts of the training data that were added later. The zero value leaves the documents and snippets of
// [Train] alone.
type Additions struct {
	Repositories bool // the documents and snippets of [Train2]
	Messages     bool // the messages of [Train]
}

// The flags of a command for [Additions], with their descriptions.
const (
	RepositoriesFlag  = "train2"
	RepositoriesUsage = "train also on the documents and snippets of the repositories that were added to the corpus later"
	MessagesFlag      = "messages"
	MessagesUsage     = "train also on messages as people sent them"
)

// Documents reads the documents to train on: those of [Train], then the additions.
func (a Additions) Documents(c *Corpus) ([]Document, error) {
	all, err := c.Documents(Train)
	if err == nil && a.Repositories {
		var more []Document
		more, err = c.Documents(Train2)
		all = append(all, more...)
	}
	if err == nil && a.Messages {
		var more []Document
		if more, err = c.Messages(Train); errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w\nThis corpus has no messages (make corpus makes none): train with -%s=false", err, MessagesFlag)
		}
		all = append(all, more...)
	}
	return all, err
}

// Snippets reads the snippets to train on: those of [Train], then the additions.
func (a Additions) Snippets(c *Corpus) ([]Snippet, error) {
	all, err := c.Snippets(Train)
	if err == nil && a.Repositories {
		var more []Snippet
		more, err = c.Snippets(Train2)
		all = append(all, more...)
	}
	return all, err
}

// Hash is [Corpus.Hash] of the files of [Train] that are named, and of the additions.
func (a Additions) Hash(c *Corpus, train ...string) (string, error) {
	names := slices.Clone(train)
	if a.Repositories {
		names = append(names, documentFile(Train2), snippetFile(Train2))
	}
	if a.Messages {
		names = append(names, messageFile(Train))
	}
	return c.Hash(names...)
}

// Licenses are the names of the licenses of the repositories to train on, sorted. Most messages have none: their rights
// stay with their authors, and the corpus's README lists their repositories as they are.
func (a Additions) Licenses(c *Corpus) ([]string, error) {
	names, err := c.Licenses(Train)
	if err == nil && a.Repositories {
		var more []string
		more, err = c.Licenses(Train2)
		names = append(names, more...)
		slices.Sort(names)
		names = slices.Compact(names)
	}
	return names, err
}
