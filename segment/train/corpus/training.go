package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Training is what models are trained on: the documents and snippets of the split "train", those of more repositories in
// "train2" to "train4", what programs print, and heredocs.
type Training struct {
	*Corpus
	Messages bool // what people sent, too
}

// Documents reads the documents to train on, messages last.
func (t Training) Documents() ([]Document, error) {
	return t.Corpus.Documents(append([]string{"documents.train"}, t.furtherDocuments()...)...)
}

// Snippets reads the snippets to train on.
func (t Training) Snippets() ([]Snippet, error) {
	return t.Corpus.Snippets(append([]string{"snippets.train"}, furtherSnippets...)...)
}

func (t Training) furtherDocuments() []string {
	if t.Messages {
		return []string{"documents.train2", "documents.train3", "messages.train", "assistant.train", "chat.train", "commands.train"}
	}
	return []string{"documents.train2", "documents.train3"}
}

// furtherSnippets are the files of snippets beside the first one.
var furtherSnippets = []string{"snippets.train2", "snippets.train3", "snippets.train4", "outputs.train", "heredocs.train"}

// Origin is what a model's header tells of the data that it was trained on: the SHA-256, as hexadecimal digits, of the files
// that are named, in the order given, and of the others that are trained on; and the licenses.
func (t Training) Origin(train ...string) (hash string, licenses []string, err error) {
	h := sha256.New()
	for _, name := range slices.Concat(train, t.furtherDocuments(), furtherSnippets) {
		text, err := os.ReadFile(t.path(name))
		if err != nil {
			return "", nil, fmt.Errorf("corpus: %w", err)
		}
		h.Write(text)
	}
	licenses, err = t.licenses()
	return hex.EncodeToString(h.Sum(nil)), licenses, err
}

// licenses are the names of the licenses of the repositories to train on, sorted, as the corpus's README lists them: in
// tables of repository, commit, license files with their licenses, split ("train" for "train2" and "train3", too) and
// numbers. Most messages have none: their rights stay with their authors, and the README lists their repositories as they are.
func (t Training) licenses() ([]string, error) {
	readme, err := os.ReadFile(filepath.Join(t.dir, "README.md"))
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	var names []string
	for line := range strings.SplitSeq(string(readme), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 6 || strings.TrimSpace(cells[4]) != "train" {
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
	if len(names) == 0 {
		return nil, errors.New("corpus: the README lists no repository to train on with its license")
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
