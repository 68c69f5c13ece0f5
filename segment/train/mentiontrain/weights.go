package mentiontrain

import (
	"log"
	"math"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/mention"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// sent is a message with what the language model says of its code.
type sent struct {
	words  *mention.Message
	scores [][]float32 // of each piece
	labels []int       // of each piece, or -1
	weight []float64
}

// part is a part of the data that counts as much as each of the others.
type part int

const (
	messages  part = iota // that people sent
	turns                 // messages in which words, commands and output take turns
	documents             // a fifth of the repositories
	parts
)

// partOf tells in which part a document is, if its languages are known: in composed documents the words are about something else.
func partOf(d *corpus.Document) (part, bool) {
	switch {
	case d.Synthetic || !d.NamesLanguages():
		return 0, false
	case strings.HasPrefix(d.Kind, corpus.CommandKinds):
		return turns, true
	case d.WasSent():
		return messages, true
	}
	return documents, d.Fold() == 0
}

const (
	// most is how many pieces of a label a source counts for.
	most = 40
	// seen is what scores of code of documents are divided by: the language model was trained with it, and is too sure of it. It sees
	// no messages in its training.
	seen = 1.5
)

// withScores are the documents that weights are learned from, with what the language model says of their code.
func withScores(all []corpus.Document, t *mention.Table, model *langid.Model) []sent {
	index := map[string]int{}
	for i, l := range model.Labels() {
		index[l] = i
	}
	type use struct{ source, label string }
	counts := map[use]float64{}
	for i := range all {
		d := &all[i]
		if _, ok := partOf(d); ok {
			for lines := range d.Runs {
				counts[use{d.Source, d.Langs[lines[0]]}]++
			}
		}
	}
	var out []sent
	var of []part
	var total [parts]float64
	var scratch langid.Scratch
	for i := range all {
		d := &all[i]
		p, ok := partOf(d)
		if !ok {
			continue
		}
		words, pieces := read(d, t)
		m := sent{words: words}
		for _, c := range pieces {
			label, weight := -1, 0.0
			if l, ok := index[c.language]; ok && c.language != langid.Unknown {
				label, weight = l, min(1, most/counts[use{d.Source, c.language}])
			}
			scores := model.Scores(&scratch, corpus.Dedent(c.text), nil)
			if p == documents {
				for i := range scores {
					scores[i] /= seen
				}
			}
			m.labels, m.weight, m.scores = append(m.labels, label), append(m.weight, weight), append(m.scores, scores)
			total[p] += weight
		}
		if len(m.labels) > 0 {
			out, of = append(out, m), append(of, p)
		}
	}
	for i, m := range out {
		for k := range m.weight {
			m.weight[k] /= total[of[i]]
		}
	}
	return out
}

// figures are what weights make of messages: the mean of minus the logarithm of the probability of the truth, and the share of the
// pieces that are named right.
func figures(messages []sent, t *mention.Table) (surprise, right float64) {
	var rows mention.Rows
	var n float64
	for i := range messages {
		m := &messages[i]
		rows.Reset(len(m.scores[0]))
		for _, s := range m.scores {
			rows.Add(s)
		}
		rows.Settle(t, m.words)
		for k, label := range m.labels {
			if label < 0 {
				continue
			}
			p := rows.Posterior(t, m.words, k)
			n += m.weight[k]
			surprise -= m.weight[k] * math.Log(math.Max(float64(p[label]), 1e-9))
			best := true
			for _, v := range p {
				best = best && v <= p[label]
			}
			if best {
				right += m.weight[k]
			}
		}
	}
	return surprise / n, 100 * right / n
}

// start are the weights that learning begins with. It takes steps of one weight at a time, so it ends near them: from weights that say
// little it ends where the truth is less likely.
var start = mention.Weights{
	Beside: 0.65, Close: 0.65, Loose: 1, Coded: 0.5, Bound: 1.5, Short: 1.1, ShortBound: 2.7, Other: 6.5, ShortOther: 13, DoubtOther: 0.7,
}

// learnWeights finds the weights that make the truth likeliest, one after the other and over again.
func learnWeights(messages []sent, t *mention.Table, log *log.Logger) mention.Weights {
	w := start
	best, right := figures(messages, t.Weighing(w))
	log.Printf("weights: %d messages, surprise %.4f, %.1f %% right", len(messages), best, right)
	steps := []float32{0, 0.5, 0.75, 1.33, 2}
	for range 4 {
		before := best
		for _, value := range []*float32{
			&w.Beside, &w.Close, &w.Loose, &w.Coded, &w.Bound, &w.Short, &w.ShortBound, &w.Other, &w.ShortOther, &w.Doubt, &w.DoubtOther,
		} {
			was, chosen := *value, *value
			for _, step := range steps {
				*value = max(was, 0.1) * step
				if s, _ := figures(messages, t.Weighing(w)); s < best {
					best, chosen = s, *value
				}
			}
			*value = float32(math.Round(float64(chosen)*1000) / 1000)
		}
		if best, right = figures(messages, t.Weighing(w)); before-best < 1e-4 {
			break
		}
	}
	log.Printf("weights: surprise %.4f, %.1f %% right: %+v", best, right, w)
	return w
}
