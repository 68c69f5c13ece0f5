// Package synthetic holds training data that was written for this project with the help of language models: pieces of code as in
// the files of many projects, and messages as from many people. The corpus has many lines from a few hundred repositories; this
// has a few lines each from as many imagined authors, so that a model learns languages and not repositories. It is used for
// training only, never for evaluation.
//
// A file of snippets/ is named after the label of its pieces, and a line of "%%%% " and a topic stands before each. neighbours/
// has more of them, of what tells a language from those that are like it, of labels that the corpus has little of, and of
// languages without a label (unknown.txt), and statements.txt has forms of statements of one line: both for the language model
// alone. A file of documents/ has a line of "%%%% ", a kind, "|" and a topic before each message; blocks of code stand between
// the lines "<<<< label" and ">>>>", indented or not, which are not part of the message.
package synthetic

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
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

// source begins the sources of all records. The choice of what is held out is a hash of the source, so it keeps its old name.
const source = "written"

// Snippets are the pieces of code, in the order of the files' names.
func Snippets() []corpus.Snippet { return snippets("") }

// LanguageSnippets are the pieces of code that the language model is trained on: those of a label are followed by the ones that
// tell it from its neighbours.
func LanguageSnippets() []corpus.Snippet { return snippets("neighbours") }

func snippets(more string) []corpus.Snippet {
	var all []corpus.Snippet
	for _, f := range read("snippets", more) {
		for i, p := range pieces(f.text) {
			all = append(all, corpus.Snippet{
				Text: strings.Trim(p.body, "\n"), Lang: f.name, Origin: source,
				Source: fmt.Sprintf("%s/%s/%d", source, f.name, i/together),
			})
		}
	}
	return all
}

// Documents are the messages, in the order of the files' names.
func Documents() []corpus.Document {
	var all []corpus.Document
	for _, f := range read("documents", "") {
		for _, p := range pieces(f.text) {
			d, err := document(p.body)
			kind, topic, ok := strings.Cut(p.title, " | ")
			if err != nil || !ok {
				panic(fmt.Sprintf("synthetic: documents/%s: message %q, error %v", f.name, p.title, err))
			}
			d.Kind, d.Source = kind, source+"/"+f.name+"/"+topic
			all = append(all, d)
		}
	}
	return all
}

// Hash is the SHA-256 of snippets and documents, as hexadecimal digits. A model's header names the data that it was trained on by
// it.
func Hash() string { return hash("") }

// LanguageHash is one of that, of [LanguageSnippets] and of [Statements].
func LanguageHash() string {
	h := sha256.New()
	fmt.Fprintln(h, hash("neighbours"))
	for _, s := range Statements() {
		fmt.Fprintln(h, s.Lang, s.Text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func hash(more string) string {
	h := sha256.New()
	for _, part := range [][2]string{{"snippets", more}, {"documents", ""}} {
		for _, f := range read(part[0], part[1]) {
			fmt.Fprintf(h, "%s/%s %d\n%s", part[0], f.name, len(f.text), f.text)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// file is a file with its name, without extension.
type file struct{ name, text string }

// read reads the files of a folder. What is in the folder more, unless that is "", under the same name is a part of the text, and
// its other files are read too.
func read(folder, more string) []file {
	texts := map[string]string{}
	for _, part := range []string{folder, more} {
		if part == "" {
			continue
		}
		entries, err := files.ReadDir(part)
		if err != nil {
			panic(err) // the files are part of the program
		}
		for _, e := range entries {
			text, err := files.ReadFile(path.Join(part, e.Name()))
			if err != nil {
				panic(err)
			}
			texts[e.Name()] += string(text)
		}
	}
	var all []file
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		all = append(all, file{strings.TrimSuffix(name, ".txt"), texts[name]})
	}
	return all
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
	first, end := 0, len(lines)
	for first < end && d.Labels[first] == corpus.Blank {
		first++
	}
	for first < end && d.Labels[end-1] == corpus.Blank {
		end--
	}
	if first == end {
		return d, fmt.Errorf("no content")
	}
	d.Text, d.Labels, d.Langs = strings.Join(lines[first:end], "\n"), d.Labels[first:end], d.Langs[first:end]
	return d, nil
}
