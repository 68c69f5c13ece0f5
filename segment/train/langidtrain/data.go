package langidtrain

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/classification"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/synthetic"
)

// kind tells where an example comes from.
type kind uint8

const (
	snippet   kind = iota
	block          // code block of a document
	window         // cut out of another example
	made           // synthetic, or cut out of such
	statement      // synthetic, of one line
)

// example is a labelled piece of code.
type example struct {
	text  string
	label int32
	repo  int32
	kind  kind
}

// Data is a set of examples over a fixed label set.
type Data struct {
	Labels   []string
	folds    []int // of the repositories
	examples []example
	shown    map[use]bool
	old      map[int32]bool // labels that some document has code of: the documents were labelled when there were no others
}

// use is that a document of a repository shows code of a label.
type use struct {
	label      int32
	repository string
}

// load reads the snippets to train on and the code blocks of the documents. Of mails nothing is known but that they are
// about R: their code is also output.
func load(data corpus.Training, labels []string) (*Data, error) {
	snippets, err := data.Snippets()
	if err != nil {
		return nil, err
	}
	docs, err := data.Documents()
	if err != nil {
		return nil, err
	}
	index := map[string]int32{}
	for i, l := range labels {
		index[l] = int32(i)
	}
	d := &Data{Labels: labels, shown: map[use]bool{}, old: map[int32]bool{}}
	repos := map[string]int32{}
	seen := map[string]bool{}
	add := func(text string, label int32, source string, k kind) {
		repo, ok := repos[source]
		if !ok {
			repo = int32(len(d.folds))
			repos[source] = repo
			d.folds = append(d.folds, corpus.Fold(source))
		}
		d.examples = append(d.examples, example{text, label, repo, k})
	}
	for _, part := range []struct {
		snippets []corpus.Snippet
		kind     kind
	}{{snippets, snippet}, {synthetic.LanguageSnippets(), made}, {synthetic.Statements(), statement}} {
		for _, s := range part.snippets {
			name := classification.ByElements(s.Text, s.Lang)
			if name == classification.Undecided {
				continue
			}
			label, ok := index[name]
			if !ok {
				return nil, fmt.Errorf("snippet of %s has the label %q, which is not in labels.json", s.Source, s.Lang)
			}
			seen[s.Text] = true
			add(s.Text, label, s.Source, part.kind)
			if text, ok := s.Tabbed(); ok {
				add(text, label, s.Source, window)
			}
		}
	}
	for _, doc := range docs {
		if !doc.NamesLanguages() {
			continue
		}
		for lines, text := range doc.Runs {
			label, ok := index[classification.ByElements(text, doc.Langs[lines[0]])]
			if !ok || doc.Langs[lines[0]] == langid.Unknown { // nobody knows what such a block is
				continue
			}
			d.old[label] = true
			if !doc.Synthetic && doc.Kind != "pure-code" {
				d.shown[use{label, doc.Source}] = true
			}
			if t := corpus.Dedent(text); len(t) > 8 && !seen[t] {
				seen[t] = true
				add(t, label, doc.Source, block)
			}
		}
	}
	// By repository, so that a pass can count repositories.
	slices.SortStableFunc(d.examples, func(a, b example) int { return cmp.Compare(a.repo, b.repo) })
	return d, nil
}

// in tells whether an example is of a fold of repositories. What is synthetic is of none.
func (d *Data) in(fold int, e *example) bool {
	return fold != none && e.kind != made && e.kind != statement && d.folds[e.repo] == fold
}

// whole are the snippets of a fold and the code blocks of its documents.
func (d *Data) whole(fold int) *Data {
	out := *d
	out.examples = nil
	for _, e := range d.examples {
		if e.kind != window && d.in(fold, &e) {
			out.examples = append(out.examples, e)
		}
	}
	return &out
}
