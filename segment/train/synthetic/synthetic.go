// Package synthetic holds training data that was written for this project with the help of language models: pieces of
// code as in the files of many projects, and messages as from many people. The corpus has many lines from a few hundred
// repositories; this has a few lines each from as many imagined authors, so that a model learns languages and not
// repositories. It is used for training only, never for evaluation.
//
// A file of snippets/ is named after the label of its pieces, and a line of "%%%% " and a topic stands before each.
// neighbours/ has more of them, of what tells a language from those that are like it: for the language model alone. A
// file of documents/ has a line of "%%%% ", a kind, "|" and a topic before each message; blocks of code stand between
// the lines "<<<< label" and ">>>>", indented or not, which are not part of the message.
package synthetic

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

//go:embed snippets neighbours documents
var files embed.FS

const (
	begin = "%%%% "
	open  = "<<<< "
	shut  = ">>>>"
)

// together is how many pieces of a file count as one repository where training counts repositories.
const together = 2

// source begins the sources of all records. The choice of what is held out is a hash of the source, so it keeps its old
// name.
const source = "written"

// Snippets are the pieces of code, in the order of the files' names.
func Snippets() ([]corpus.Snippet, error) { return snippets("") }

// LanguageSnippets are the pieces of code that the language model is trained on: those of a label are followed by the ones
// that tell it from its neighbours.
func LanguageSnippets() ([]corpus.Snippet, error) { return snippets("neighbours") }

func snippets(more string) ([]corpus.Snippet, error) {
	var all []corpus.Snippet
	err := each("snippets", more, func(name, text string) error {
		for i, p := range pieces(text) {
			code := strings.Trim(p.body, "\n")
			if code == "" {
				return fmt.Errorf("%s: piece %q is empty", name, p.title)
			}
			all = append(all, corpus.Snippet{
				Text: code, Lang: name, Origin: source,
				Source: fmt.Sprintf("%s/%s/%d", source, name, i/together),
			})
		}
		return nil
	})
	return all, err
}

// Documents are the messages, in the order of the files' names.
func Documents() ([]corpus.Document, error) {
	var all []corpus.Document
	err := each("documents", "", func(name, text string) error {
		for _, p := range pieces(text) {
			d, err := document(p.body)
			if err != nil {
				return fmt.Errorf("%s: message %q: %w", name, p.title, err)
			}
			kind, topic, ok := strings.Cut(p.title, " | ")
			if !ok {
				return fmt.Errorf("%s: message %q has no kind before its topic", name, p.title)
			}
			d.Kind, d.Source = kind, source+"/"+name+"/"+topic
			all = append(all, d)
		}
		return nil
	})
	return all, err
}

// Hash is the SHA-256 of snippets and documents, as hexadecimal digits. A model's header names the data that it was trained
// on by it.
func Hash() (string, error) { return hash("") }

// LanguageHash is the same with [LanguageSnippets].
func LanguageHash() (string, error) { return hash("neighbours") }

func hash(more string) (string, error) {
	h := sha256.New()
	for _, folder := range []string{"snippets", "documents"} {
		if err := each(folder, more, func(name, text string) error {
			fmt.Fprintf(h, "%s/%s %d\n%s", folder, name, len(text), text)
			return nil
		}); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// each calls f with the name, without extension, and the text of each file of a folder. What is in the folder more, unless
// that is "", under the same name is a part of the text.
func each(folder, more string, f func(name, text string) error) error {
	entries, err := fs.ReadDir(files, folder)
	if err != nil {
		return fmt.Errorf("synthetic: %w", err)
	}
	for _, e := range entries {
		text, err := fs.ReadFile(files, path.Join(folder, e.Name()))
		if err != nil {
			return fmt.Errorf("synthetic: %w", err)
		}
		if more != "" {
			rest, err := fs.ReadFile(files, path.Join(more, e.Name()))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("synthetic: %w", err)
			}
			text = append(text, rest...)
		}
		if err := f(strings.TrimSuffix(e.Name(), ".txt"), string(text)); err != nil {
			return fmt.Errorf("synthetic: %s/%w", folder, err)
		}
	}
	return nil
}

// piece is what follows a line that begins one.
type piece struct{ title, body string }

func pieces(text string) []piece {
	var all []piece
	for part := range strings.SplitSeq("\n"+text, "\n"+begin) {
		if title, body, ok := strings.Cut(part, "\n"); ok && strings.TrimSpace(part) != "" {
			all = append(all, piece{title, body})
		}
	}
	return all
}

// document labels the lines of a message by the marks in it.
func document(marked string) (corpus.Document, error) {
	var d corpus.Document
	var lines []string
	language := ""
	for line := range strings.SplitSeq(strings.Trim(marked, "\n"), "\n") {
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), open):
			if language != "" {
				return d, fmt.Errorf("%q inside a block of %s", line, language)
			}
			language = strings.TrimPrefix(strings.TrimSpace(line), open)
			continue
		case strings.TrimSpace(line) == shut:
			if language == "" {
				return d, fmt.Errorf("%q after no block", line)
			}
			language = ""
			continue
		}
		label := corpus.Text
		if strings.TrimSpace(line) == "" {
			label = corpus.Blank
		} else if language != "" {
			label = corpus.Code
		}
		lines = append(lines, line)
		d.Labels = append(d.Labels, label)
		d.Langs = append(d.Langs, language)
	}
	if language != "" {
		return d, fmt.Errorf("the last block, of %s, is not closed", language)
	}
	// A document begins and ends with content.
	for len(lines) > 0 && d.Labels[0] == corpus.Blank {
		lines, d.Labels, d.Langs = lines[1:], d.Labels[1:], d.Langs[1:]
	}
	for len(lines) > 0 && d.Labels[len(lines)-1] == corpus.Blank {
		lines, d.Labels, d.Langs = lines[:len(lines)-1], d.Labels[:len(lines)-1], d.Langs[:len(lines)-1]
	}
	if len(lines) == 0 {
		return d, fmt.Errorf("no content")
	}
	d.Text = strings.Join(lines, "\n")
	return d, nil
}
