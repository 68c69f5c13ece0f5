package langidtrain

import (
	"fmt"
	"sort"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/classification"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/synthetic"
)

// kind tells where an example comes from.
type kind uint8

const (
	snippet kind = iota
	block        // code block of a document
	window       // cut out of another example
	made         // synthetic, or cut out of such
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
	repos    []string
	folds    []int // of the repositories
	examples []example
	users    []map[string]bool // of each label: the repositories whose documents show code of it
}

// use notes that a document of a repository shows code of a label.
func (d *Data) use(label int32, repository string) {
	if d.users == nil {
		d.users = make([]map[string]bool, len(d.Labels))
	}
	if d.users[label] == nil {
		d.users[label] = map[string]bool{}
	}
	d.users[label][repository] = true
}

// load reads the snippets to train on and the code blocks of the documents. Of mails nothing is known but that they are
// about R: their code is also output.
func load(data corpus.Training, labels []string) (*Data, error) {
	index := map[string]int32{}
	for i, l := range labels {
		index[l] = int32(i)
	}
	d := &Data{Labels: labels}
	repos := map[string]int32{}
	repo := func(name string) int32 {
		r, ok := repos[name]
		if !ok {
			r = int32(len(d.repos))
			repos[name] = r
			d.repos = append(d.repos, name)
			d.folds = append(d.folds, corpus.Fold(name))
		}
		return r
	}
	snippets, err := data.Snippets()
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	add := func(snippets []corpus.Snippet, k kind) error {
		for _, s := range snippets {
			label := classification.ByElements(s.Text, s.Lang)
			l, ok := index[label]
			if label == classification.Undecided {
				continue
			}
			if !ok {
				return fmt.Errorf("snippet of %s has the label %q, which is not in labels.json", s.Source, s.Lang)
			}
			seen[s.Text] = true
			d.examples = append(d.examples, example{s.Text, l, repo(s.Source), k})
			if text, ok := s.Tabbed(); ok {
				d.examples = append(d.examples, example{text, l, repo(s.Source), window})
			}
		}
		return nil
	}
	if err := add(snippets, snippet); err != nil {
		return nil, err
	}
	ours, err := synthetic.LanguageSnippets()
	if err != nil {
		return nil, err
	}
	if err := add(ours, made); err != nil {
		return nil, err
	}
	docs, err := data.Documents()
	if err != nil {
		return nil, err
	}
	for _, doc := range docs {
		if len(doc.Langs) == 0 || doc.Kind == "message-mail" {
			continue
		}
		for lines, text := range doc.Runs {
			l, ok := index[classification.ByElements(text, doc.Langs[lines[0]])]
			if !ok {
				continue
			}
			if !doc.Synthetic && doc.Kind != "pure-code" {
				d.use(l, doc.Source)
			}
			if t := corpus.Dedent(text); len(t) > 8 && !seen[t] {
				seen[t] = true
				d.examples = append(d.examples, example{t, l, repo(doc.Source), block})
			}
		}
	}
	// By repository, so that a pass can count repositories.
	sort.SliceStable(d.examples, func(i, j int) bool { return d.examples[i].repo < d.examples[j].repo })
	return d, nil
}

// in tells whether an example is of a fold of repositories. Synthetic pieces are of none.
func (d *Data) in(fold int, e *example) bool {
	return fold != none && e.kind != made && d.folds[e.repo] == fold
}

// snippets are the snippets of a fold.
func (d *Data) snippets(fold int) *Data {
	out := *d
	out.examples = nil
	for _, e := range d.examples {
		if e.kind == snippet && d.in(fold, &e) {
			out.examples = append(out.examples, e)
		}
	}
	return &out
}

// Len is the number of examples.
func (d *Data) Len() int { return len(d.examples) }
