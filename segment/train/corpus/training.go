package corpus

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Training is what models are trained on: the documents and snippets of [Train] and, as far as the corpus has them, those of
// [Train2] and [Train3].
type Training struct {
	*Corpus
	Messages bool // what people sent, too, if the corpus has any of it; make corpus makes none
}

// Documents reads the documents to train on, messages last.
func (t Training) Documents() ([]Document, error) {
	return t.documents(append([]string{file("documents", Train)}, t.furtherDocuments()...)...)
}

// furtherDocuments are the files of documents that the corpus has, but for that of [Train].
func (t Training) furtherDocuments() []string {
	files := []string{file("documents", Train2), file("documents", Train3)}
	if t.Messages {
		files = append(files, file("messages", Train), file("assistant", Train), file("chat", Train))
	}
	return t.present(files)
}

// furtherSnippets are the files of snippets that the corpus has, but for that of [Train].
func (t Training) furtherSnippets() []string {
	return t.present([]string{file("snippets", Train2), file("snippets", Train3)})
}

// present are the files that the corpus has.
func (t Training) present(files []string) []string {
	return slices.DeleteFunc(files, func(file string) bool {
		_, err := os.Stat(filepath.Join(t.dir, file))
		return err != nil
	})
}

// Snippets reads the snippets to train on.
func (t Training) Snippets() ([]Snippet, error) {
	all, err := t.Corpus.Snippets(Train)
	for _, file := range t.furtherSnippets() {
		further, failure := Read[Snippet](t.Corpus, file)
		all, err = append(all, further...), errors.Join(err, failure)
	}
	return all, err
}

// Hash is [Corpus.Hash] of the files of [Train] that are named, and of the others that are trained on.
func (t Training) Hash(train ...string) (string, error) {
	return t.Corpus.Hash(slices.Concat(train, t.furtherDocuments(), t.furtherSnippets())...)
}

// Licenses are the names of the licenses of the repositories to train on, sorted, as the corpus's README lists them: in
// tables of repository, commit, license files with their licenses, split ("train" for [Train2] and [Train3], too) and
// numbers. Most messages have none: their rights stay with their authors, and the README lists their repositories as they are.
func (t Training) Licenses() ([]string, error) {
	f, err := os.Open(filepath.Join(t.dir, "README.md"))
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	defer f.Close()
	var names []string
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		cells := strings.Split(lines.Text(), "|")
		if len(cells) < 6 || strings.TrimSpace(cells[4]) != string(Train) {
			continue
		}
		for file := range strings.SplitSeq(cells[3], ";") {
			_, list, _ := strings.Cut(file, ":")
			for name := range strings.SplitSeq(list, ",") {
				if name = strings.TrimSpace(name); name != "" && !strings.Contains(name, " ") {
					names = append(names, name)
				}
			}
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	if len(names) == 0 {
		return nil, errors.New("corpus: the README lists no repository to train on with its license")
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
