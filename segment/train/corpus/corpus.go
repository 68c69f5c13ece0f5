// Package corpus reads the labelled corpus that the segment models are trained and measured on: gzip-compressed JSON lines of
// documents (a label per line) and of snippets (a language each). The folder's own README describes every field.
package corpus

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Labels of a line in Document.Labels.
const (
	Text  = "T"
	Code  = "C"
	Blank = "-" // also a line with nothing but ">" in a quoted mail
)

// Document is a message whose lines are labelled text or code.
type Document struct {
	Text      string   `json:"text"`                   // UTF-8, lines separated by "\n", no final newline
	Labels    []string `json:"labels"`                 // one of Text, Code, Blank per line
	Langs     []string `json:"langs,omitempty"`        // language label per line; "" on text and on blank lines outside code
	Kind      string   `json:"kind"`                   // slice name, such as "md-rendered" or "prose+log"
	Source    string   `json:"source"`                 // repository
	Prose     string   `json:"prose_source,omitempty"` // repository of the prose, where code and prose were put together
	Variant   string   `json:"variant,omitempty"`
	Synthetic bool     `json:"synthetic,omitempty"`
	Composed  string   `json:"composed,omitempty"` // "git" for the message and the patch of one commit
	Checked   bool     `json:"checked,omitempty"`  // of messages: the labels were read by a person
}

// The kinds of messages begin with MessageKinds. Piece is the kind of the pieces of one to three lines that were cut from
// other messages.
const (
	MessageKinds = "message-"
	Piece        = MessageKinds + "line"
)

// The kinds of assistant begin with AssistantKinds; those that a script composed of a request and a paste have the
// kind ComposedRequest. ChatLine is the kind of messages of one line of a chat, all text.
const (
	AssistantKinds  = "assistant"
	ComposedRequest = AssistantKinds + "-composed"
	ChatLine        = "chat-line"
)

// CommandKinds is what the kinds of messages begin with in which words, commands and what they print take turns: those of the
// files "commands", put before the kind that stands there.
const CommandKinds = "commands-"

// IsMessage reports whether a document is one of the messages.
func (d *Document) IsMessage() bool { return strings.HasPrefix(d.Kind, MessageKinds) }

// WasSent reports whether a document is a message as a person sent it, or a part of one.
func (d *Document) WasSent() bool {
	return d.IsMessage() || d.Kind == ChatLine || strings.HasPrefix(d.Kind, AssistantKinds) && d.Kind != ComposedRequest
}

// NamesLanguages reports whether somebody labelled the code of a document with its language. In mails all of it is R.
func (d *Document) NamesLanguages() bool { return len(d.Langs) > 0 && d.Kind != MessageKinds+"mail" }

// Fold is the part of the training data that a document is in: that of its repository, or of the line where all have one.
func (d *Document) Fold() int {
	if d.Kind == ChatLine {
		return Fold(d.Text)
	}
	return Fold(d.Source)
}

// Folds is the number of parts that repositories are in.
const Folds = 5

// Fold is the part of a repository, one of Folds, by a hash of its name.
func Fold(repository string) int {
	f := fnv.New32a()
	io.WriteString(f, repository)
	h := f.Sum32()
	return int((h ^ h>>16) % Folds)
}

// Runs yields the runs of lines of one language, as they are in Langs: the first line, the one after the last, and the text.
func (d *Document) Runs(yield func(lines [2]int, text string) bool) {
	lines := strings.SplitAfter(d.Text, "\n")
	for i := 0; i < len(lines); {
		j := i + 1
		for j < len(lines) && d.Langs[j] == d.Langs[i] {
			j++
		}
		if !yield([2]int{i, j}, strings.Join(lines[i:j], "")) {
			return
		}
		i = j
	}
}

// Snippet is a piece of code in one language.
type Snippet struct {
	Text   string `json:"text"`
	Lang   string `json:"lang"`   // a label of labels.json
	Source string `json:"source"` // repository
	Origin string `json:"origin"` // file, fence, command, log, git or llm
}

// Tabbed is a table with commas as spreadsheets copy it: with tabs. False for what is no such table.
func (s *Snippet) Tabbed() (string, bool) {
	if s.Lang != "csv" || strings.ContainsAny(s.Text, "\"\t;|") || strings.Count(s.Text, ",") <= strings.Count(s.Text, "\n") {
		return "", false
	}
	return strings.ReplaceAll(s.Text, ",", "\t"), true
}

// ErrMissing is the error of [Open] where there is no corpus.
var ErrMissing = errors.New("the corpus is missing")

// Corpus is a folder of the corpus's files.
type Corpus struct{ dir string }

// Open returns the corpus in the folder that the environment variable CORPUS names, or else in shared/corpus of a folder
// around the working directory.
func Open() (*Corpus, error) {
	dir := cmp.Or(os.Getenv("CORPUS"), nearest())
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf(`%w: %w
It is the labelled data that the models of package segment are trained and measured on: messages with a label for each
line and code snippets with their languages, cut from public repositories (see "Data" in segment/MODEL.md). It is not
part of this repository: segment/train/corpus/manifest.tsv lists the repositories and commits that it was cut from.
Put it into ../shared/corpus beside the repository, or name its folder in the environment variable CORPUS`, ErrMissing, err)
	}
	return &Corpus{dir}, nil
}

// nearest is shared/corpus in the nearest folder around the working directory that has it, or in the root.
func nearest() string {
	around, _ := os.Getwd() // without one, relative to nothing: the corpus is missing
	for {
		dir := filepath.Join(around, "shared", "corpus")
		if _, err := os.Stat(dir); err == nil || around == filepath.Dir(around) {
			return dir
		}
		around = filepath.Dir(around)
	}
}

// A file of the corpus has a name and a split, such as "documents.train": models are fitted on the splits that begin with
// "train"; "dev" is looked at to report, never to choose. Repositories are disjoint between the splits. Besides documents and
// snippets there are messages, as people sent them, assistant, what developers wrote to coding assistants, and chat, lines of
// a chat. A source of messages is a repository, or "repository:project" where a repository holds the messages of several.

// Documents reads files of documents or messages, in their order.
func (c *Corpus) Documents(names ...string) (all []Document, err error) {
	for _, name := range names {
		documents, err := Read[Document](c, name)
		if err != nil {
			return nil, err
		}
		for _, d := range documents {
			if strings.HasPrefix(name, "commands.") {
				d.Kind = CommandKinds + d.Kind
			}
			if n := strings.Count(d.Text, "\n") + 1; n != len(d.Labels) {
				return nil, fmt.Errorf("corpus: document %d of %s (%s) has %d lines and %d labels", len(all), names, d.Source, n, len(d.Labels))
			}
			all = append(all, d)
		}
	}
	return all, nil
}

// Snippets reads files of snippets, in their order, with the labels that relabel4.jsonl gives to some of the older files.
func (c *Corpus) Snippets(names ...string) (all []Snippet, err error) {
	changes, err := c.relabelled()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		snippets, err := Read[Snippet](c, name)
		if err != nil {
			return nil, err
		}
		for _, r := range changes {
			if r.File != name {
				continue
			}
			if r.Line < 1 || r.Line > len(snippets) || snippets[r.Line-1].Lang != r.From {
				return nil, fmt.Errorf("corpus: relabel4.jsonl: line %d of %s is no snippet of %s", r.Line, name, r.From)
			}
			snippets[r.Line-1].Lang = r.To
		}
		all = append(all, snippets...)
	}
	return all, nil
}

// relabelling says that a snippet of an older file, on a line counted from 1, fits a newer label better.
type relabelling struct {
	File string `json:"file"`
	Line int    `json:"line"`
	From string `json:"from"`
	To   string `json:"to"`
}

// relabelled reads the relabellings, if the corpus has any.
func (c *Corpus) relabelled() (all []relabelling, err error) {
	f, err := os.Open(filepath.Join(c.dir, "relabel4.jsonl"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		defer f.Close()
		all, err = records[relabelling](f)
	}
	if err != nil {
		return nil, fmt.Errorf("corpus: relabel4.jsonl: %w", err)
	}
	return all, nil
}

func (c *Corpus) path(name string) string { return filepath.Join(c.dir, name+".jsonl.gz") }

// Read reads the records of a file of the corpus.
func Read[T any](c *Corpus, name string) (all []T, err error) {
	f, err := os.Open(c.path(name))
	if err == nil {
		defer f.Close()
		var z *gzip.Reader
		if z, err = gzip.NewReader(bufio.NewReaderSize(f, 1<<20)); err == nil {
			all, err = records[T](bufio.NewReaderSize(z, 1<<20))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("corpus: %s: %w", name, err)
	}
	return all, nil
}

// records reads JSON values, one after the other.
func records[T any](r io.Reader) (all []T, err error) {
	for d := json.NewDecoder(r); ; {
		var v T
		if err := d.Decode(&v); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("record %d: %w", len(all)+1, err)
		}
		all = append(all, v)
	}
}

// Key names a record in lists of corrections: the first 16 hexadecimal digits of the SHA-256 of its text.
func Key(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// Embedded decodes JSON that is a part of the program, on the first call of what it returns.
func Embedded[T any](file []byte) func() T {
	return sync.OnceValue(func() (value T) {
		if err := json.Unmarshal(file, &value); err != nil {
			panic(err)
		}
		return value
	})
}

// Informative tells whether code has ten bytes and four letters at least.
func Informative(code string) bool {
	letters := 0
	for i := range len(code) {
		if c := code[i] | 0x20; c >= 'a' && c <= 'z' {
			letters++
		}
	}
	return letters >= 4 && len(code) >= 10
}

// Dedent is code without the common indentation of its lines and without blank lines at either end.
func Dedent(code string) string {
	lines := strings.Split(code, "\n")
	first, end, common := 0, 0, len(code)
	for i, l := range lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		if end == 0 {
			first = i
		}
		end = i + 1
		common = min(common, len(l)-len(strings.TrimLeft(l, " \t")))
	}
	lines = lines[first:end]
	for i, l := range lines {
		lines[i] = l[min(common, len(l)):]
	}
	return strings.Join(lines, "\n")
}
