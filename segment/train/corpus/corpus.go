// Package corpus reads the labelled corpus that the segment models are trained and measured on: gzip-compressed JSON lines of
// documents (a label per line) and of snippets (a language each). The folder's own README describes every field.
package corpus

import (
	"bufio"
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

// Split names the part of the corpus that a file belongs to. Repositories are disjoint between the splits.
type Split string

// The splits: models are fitted on Train; Dev is looked at to report, never to choose.
const (
	Train Split = "train"
	Dev   Split = "dev"
	// Train2 and Train3 have the documents and snippets of more repositories to fit on, see [Training].
	Train2 Split = "train2"
	Train3 Split = "train3"
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

// The kinds of [Corpus.Assistant] begin with AssistantKinds; those that a script composed of a request and a paste have the
// kind ComposedRequest. ChatLine is the kind of messages of one line of a chat, all text.
const (
	AssistantKinds  = "assistant"
	ComposedRequest = AssistantKinds + "-composed"
	ChatLine        = "chat-line"
)

// IsMessage reports whether a document is one of [Corpus.Messages].
func (d *Document) IsMessage() bool { return strings.HasPrefix(d.Kind, MessageKinds) }

// WasSent reports whether a document is a message as a person sent it, or a part of one.
func (d *Document) WasSent() bool {
	return d.IsMessage() || d.Kind == ChatLine || strings.HasPrefix(d.Kind, AssistantKinds) && d.Kind != ComposedRequest
}

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

// FlagUsage describes a command's flag for the folder that [Open] takes.
const FlagUsage = "corpus folder (default: $CORPUS, or shared/corpus beside the repository)"

// ErrMissing is the error of [Open] where there is no corpus.
var ErrMissing = errors.New("the corpus is missing")

// Corpus is a folder of the corpus's files.
type Corpus struct{ dir string }

// Open returns the corpus in dir. If dir is "", it is in the folder that the environment variable CORPUS names, or else in
// ../shared/corpus beside the repository, whose root is the outermost folder with a go.mod around the working directory.
func Open(dir string) (*Corpus, error) {
	if dir == "" {
		dir = os.Getenv("CORPUS")
	}
	if dir == "" {
		root, err := repository()
		if err != nil {
			return nil, err
		}
		dir = filepath.Join(root, "..", "shared", "corpus")
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf(`%w: %w
It is the labelled data that the models of package segment are trained and measured on: messages with a label for each
line and code snippets with their languages, cut from public repositories (see "Data" in segment/MODEL.md). It is not
part of this repository: segment/train/builder/manifest.tsv lists the repositories and commits that it was cut from, and
"make corpus" cuts one like it out of them. Put it into ../shared/corpus beside the repository, or name its folder with
-corpus or in the environment variable CORPUS`, ErrMissing, err)
	}
	return &Corpus{dir}, nil
}

// repository returns the outermost folder with a go.mod around the working directory.
func repository() (root string, err error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("corpus: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			root = dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	if root == "" {
		return "", errors.New("corpus: the working directory is not in the repository; name the corpus's folder with -corpus or in the environment variable CORPUS")
	}
	return root, nil
}

// Documents reads all documents of a split, in the file's order.
func (c *Corpus) Documents(split Split) ([]Document, error) {
	return c.documents(file("documents", split))
}

// Messages reads the messages of Train or Dev, as people sent them, in the file's order. Their kinds begin with
// "message-"; a source is a repository, or "repository:project" where a repository holds the messages of several. The kind
// "message-line" has pieces of one to three lines that were cut from the other messages of its source.
func (c *Corpus) Messages(split Split) ([]Document, error) {
	return c.documents(file("messages", split))
}

// Assistant reads what developers wrote to coding assistants, of Train or Dev, in the file's order: pastes that nothing
// marks, right after the words.
func (c *Corpus) Assistant(split Split) ([]Document, error) {
	return c.documents(file("assistant", split))
}

// Snippets reads all snippets of a split, in the file's order.
func (c *Corpus) Snippets(split Split) ([]Snippet, error) {
	return Read[Snippet](c, file("snippets", split))
}

// documents reads files of documents.
func (c *Corpus) documents(files ...string) (all []Document, err error) {
	for _, file := range files {
		docs, err := Read[Document](c, file)
		if err != nil {
			return nil, err
		}
		for i := range docs {
			if n := strings.Count(docs[i].Text, "\n") + 1; n != len(docs[i].Labels) {
				return nil, fmt.Errorf("corpus: document %d of %s (%s) has %d lines and %d labels", i, file, docs[i].Source, n, len(docs[i].Labels))
			}
		}
		all = append(all, docs...)
	}
	return all, nil
}

func file(kind string, split Split) string { return kind + "." + string(split) + ".jsonl.gz" }

// Read reads the records of a file of the corpus.
func Read[T any](c *Corpus, file string) ([]T, error) {
	path := filepath.Join(c.dir, file)
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReaderSize(f, 1<<20))
	if err != nil {
		return nil, fmt.Errorf("corpus: %s: %w", path, err)
	}
	var all []T
	for d := json.NewDecoder(bufio.NewReaderSize(z, 1<<20)); ; {
		var v T
		if err := d.Decode(&v); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("corpus: %s, record %d: %w", path, len(all)+1, err)
		}
		all = append(all, v)
	}
}

// Key names a record in lists of corrections: the first 16 hexadecimal digits of the SHA-256 of its text.
func Key(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// Hash is the SHA-256 of the named files of the corpus in the order given, as hexadecimal digits. A model's header
// names the data that it was trained on by it.
func (c *Corpus) Hash(names ...string) (string, error) {
	h := sha256.New()
	for _, name := range names {
		f, err := os.Open(filepath.Join(c.dir, name))
		if err != nil {
			return "", fmt.Errorf("corpus: %w", err)
		}
		_, err = io.Copy(h, f)
		f.Close()
		if err != nil {
			return "", fmt.Errorf("corpus: %s: %w", name, err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
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

// Dedent is code without their common indentation and without blank lines at either end.
func Dedent(code string) string {
	lines := strings.Split(code, "\n")
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 {
		return ""
	}
	common := -1
	for _, l := range lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		n := len(l) - len(strings.TrimLeft(l, " \t"))
		if common < 0 || n < common {
			common = n
		}
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		if len(l) >= common {
			out[i] = l[common:]
		}
	}
	return strings.Join(out, "\n")
}
