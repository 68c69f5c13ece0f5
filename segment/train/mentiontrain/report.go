package mentiontrain

import (
	"fmt"
	"math"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/mention"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// report prints what the names are good for on documents of repositories that are held out: without them, with the weights
// that are in use, and with others.
func report(o Options, odds Odds, held []piece, labels []string) error {
	t, err := mention.NewTable(odds, labels)
	if err != nil {
		return err
	}
	// The names have other numbers in a table with odds.
	documents, err := o.Additions.Documents(o.Corpus)
	if err != nil {
		return err
	}
	held = held[:0]
	for i := range documents {
		d := &documents[i]
		if !d.Synthetic && len(d.Langs) > 0 && d.Kind != "message-mail" && corpus.HeldOutOfLanguages(d.Source) {
			held = append(held, piecesOf(d, t, labels)...)
		}
	}
	perSource := map[string]float64{}
	for _, p := range held {
		perSource[p.source]++
	}
	scores := make([][]float32, len(held))
	var scratch langid.Scratch
	for i, p := range held {
		scores[i] = append([]float32(nil), o.Language.Scores(&scratch, p.code, nil)...)
	}
	row := make([]float32, len(labels))
	several := map[*mention.Message]map[int]bool{} // languages of each document
	for _, p := range held {
		if several[p.doc] == nil {
			several[p.doc] = map[int]bool{}
		}
		several[p.doc][p.label] = true
	}
	measure := func(w *mention.Weights, languages int) (right, surprise float64) {
		var sum float64
		for i, p := range held {
			if len(several[p.doc]) < languages {
				continue
			}
			copy(row, scores[i])
			p.doc.Weigh(t, p.index, row, w)
			langid.Softmax(row)
			best, _ := langid.Best(row)
			// No repository counts for more than a hundred pieces.
			v := min(1, 100/perSource[p.source])
			if best == p.label {
				right += v
			}
			surprise -= v * math.Log(float64(row[p.label])+1e-9)
			sum += v
		}
		return 100 * right / sum, surprise / sum
	}
	show := func(name string, w *mention.Weights) {
		for _, languages := range []int{1, 3} {
			right, surprise := measure(w, languages)
			fmt.Fprintf(o.Log, "%s, documents of %d languages or more: %.2f %% right, surprise %.4f\n", name, languages, right, surprise)
		}
	}
	fmt.Fprintf(o.Log, "%d pieces of code of repositories held out\n", len(held))
	show("without names", &mention.Weights{})
	show("with names", &mention.Learned)
	for place, learned := range mention.Learned {
		for _, weight := range []float32{0, 0.3, 0.6, 1} {
			if w := mention.Learned; weight != learned {
				w[place] = weight
				show(fmt.Sprint("with names and weights ", w), &w)
			}
		}
	}
	return nil
}
