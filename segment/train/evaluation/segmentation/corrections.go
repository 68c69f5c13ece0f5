package segmentation

import (
	_ "embed"
	"slices"
	"sync"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// Undecided is the label of lines that a correction takes out of the count, because there is no telling whether they are text or
// code.
const Undecided = "?"

//go:embed corrections.json
var correctionFile []byte

// correction says that the corpus labels lines of a document wrongly.
type correction struct {
	Document string   `json:"document"` // see corpus.Key
	Label    string   `json:"label"`    // what the lines are: corpus.Text, corpus.Code or Undecided
	Lines    [][2]int `json:"lines"`    // ranges of line numbers, counted from 1, both ends included
	Reason   string   `json:"reason"`
}

var corrections = sync.OnceValue(func() map[string][]correction {
	of := map[string][]correction{}
	for _, c := range corpus.Embedded[[]correction](correctionFile)() {
		of[c.Document] = append(of[c.Document], c)
	}
	return of
})

// Corrected are the labels of a document of dev, with those that are plainly wrong replaced. The reasons are in corrections.json.
func Corrected(d *corpus.Document) []string {
	list := corrections()[corpus.Key(d.Text)]
	if list == nil {
		return d.Labels
	}
	labels := slices.Clone(d.Labels)
	for _, c := range list {
		for _, r := range c.Lines {
			for i := r[0]; i <= r[1]; i++ {
				if labels[i-1] != corpus.Blank {
					labels[i-1] = c.Label
				}
			}
		}
	}
	return labels
}
