package classification

import (
	_ "embed"
	"sync"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// Undecided is the label of a correction for snippets that are not code, or whose language cannot be told.
const Undecided = "?"

//go:embed corrections.json
var correctionFile []byte

// correction says that the corpus labels a snippet plainly wrongly.
type correction struct {
	Snippet string `json:"snippet"` // see corpus.Key
	Was     string `json:"was"`
	Label   string `json:"label"` // what it is, or Undecided
	Reason  string `json:"reason"`
}

// labelled names a text under a label: the same text may be there under two.
type labelled struct{ key, label string }

var corrections = sync.OnceValue(func() map[labelled]correction {
	of := map[labelled]correction{}
	for _, c := range corpus.Embedded[[]correction](correctionFile)() {
		of[labelled{c.Snippet, c.Was}] = c
	}
	return of
})

// Corrected is the label of a snippet of dev, replaced if it is plainly wrong; the reasons are in corrections.json. The
// labels were read without a look at what any model says. Elements decide as [ByElements] says.
func Corrected(s *corpus.Snippet) string {
	if c, ok := corrections()[labelled{corpus.Key(s.Text), s.Lang}]; ok {
		return c.Label
	}
	return ByElements(s.Text, s.Lang)
}
