package mention

import (
	"math"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
)

// Weights are how much of what the names and the other code of a message say is believed. They are learned from messages that
// people sent, see train/mentiontrain.
type Weights struct {
	// What the logarithms of a name's odds are multiplied by in each place. Names beside other code speak of that.
	Beside float32 `json:"beside"`
	Close  float32 `json:"close"`
	Loose  float32 `json:"loose"`
	Coded  float32 `json:"coded"`
	// Bound is the most that all names together add to the score of a label, the logarithm of a factor of its odds.
	Bound float32 `json:"bound"`
	// Short is what the weights, and ShortBound what the bound is multiplied by beside code of a line or two, which says little.
	Short      float32 `json:"short"`
	ShortBound float32 `json:"short_bound"`
	// Other is the factor that the odds of a language grow by, and one, if all other code of the message is in it.
	Other      float32 `json:"other"`
	ShortOther float32 `json:"short_other"` // the same for code of a line or two
	// Doubt is the power of the doubt, one minus the probability of the likeliest language, that all this is multiplied by: it
	// gives way where the code itself is sure.
	Doubt      float32 `json:"doubt"`
	DoubtOther float32 `json:"doubt_other"`
}

// short is the number of bytes of code of a line or two.
const short = 70

func (w *Weights) in(p Place) float32 {
	return [places]float32{Beside: w.Beside, Close: w.Close, Loose: w.Loose, Coded: w.Coded}[p]
}

// doubt is one minus the largest of the probabilities whose logarithms are scores, up to a common summand, to a power.
func doubt(scores []float32, power float32) float32 {
	if power == 0 {
		return 1
	}
	top := scores[0]
	for _, v := range scores {
		top = max(top, v)
	}
	var sum float64
	for _, v := range scores {
		sum += math.Exp(float64(v - top))
	}
	return float32(math.Pow(1-1/sum, float64(power)))
}

// Weigh adds to the scores of piece k, which are logarithms of probabilities up to a common summand, what the names around
// it say. Each name counts once, in the place where it weighs most.
func (m *Message) Weigh(t *Table, k int, scores []float32) {
	if len(m.found) == 0 {
		return
	}
	if len(m.weight) < len(t.names) {
		m.weight, m.added = make([]float32, len(t.names)), make([]float32, len(scores))
	}
	factor, most := doubt(scores, t.weights.Doubt), t.weights.Bound
	if m.isShort(k) {
		factor *= t.weights.Short
		most *= t.weights.ShortBound
	}
	names := m.names[:0]
	m.Names(k, func(name int, place Place) {
		weight := factor * t.weights.in(place)
		if weight == 0 {
			return
		}
		if m.weight[name] == 0 {
			names = append(names, name)
		}
		m.weight[name] = max(m.weight[name], weight)
	})
	for _, name := range names {
		for _, o := range t.odds[name] {
			m.added[o.Label] += m.weight[name] * o.Log
		}
		m.weight[name] = 0
	}
	for _, name := range names {
		for _, o := range t.odds[name] {
			scores[o.Label] += min(m.added[o.Label], most)
			m.added[o.Label] = 0
		}
	}
	m.names = names[:0]
}

func (m *Message) isShort(k int) bool {
	p := m.pieces[k]
	return p.end-p.start <= short
}

// Rows gathers the scores of the pieces of code of a message. What the other pieces say is the prior of each.
type Rows struct {
	labels int
	rows   []float32 // for each piece the logarithms of its labels' probabilities, which need not add up to one
	sum    []float32 // of the rows
}

// Reset empties the rows, of so many labels each.
func (r *Rows) Reset(labels int) {
	r.labels = labels
	r.rows = r.rows[:0]
	if len(r.sum) != labels {
		r.sum = make([]float32, labels)
	}
	clear(r.sum)
}

// Add adds the scores of a piece.
func (r *Rows) Add(scores []float32) { r.rows = append(r.rows, scores...) }

// Len is the number of pieces that were added.
func (r *Rows) Len() int { return len(r.rows) / r.labels }

func (r *Rows) row(k int) []float32 { return r.rows[k*r.labels : (k+1)*r.labels] }

// Settle adds what the names of the message, which has the same pieces, say, and turns the scores into probabilities. It must be
// called once between Add and Posterior.
func (r *Rows) Settle(t *Table, m *Message) {
	for k := range r.Len() {
		row := r.row(k)
		m.Weigh(t, k, row)
		langid.Softmax(row)
		for i, v := range row {
			r.sum[i] += v
		}
	}
}

// Posterior returns the probabilities of the labels of piece k, given those of the others. It may be called once for each piece.
func (r *Rows) Posterior(t *Table, m *Message, k int) []float32 {
	row := r.row(k)
	others := float32(r.Len() - 1)
	if others == 0 {
		return row
	}
	odds := t.weights.Other
	if m.isShort(k) {
		odds = t.weights.ShortOther
	}
	var top float32
	for _, v := range row { // max would test each value for NaN
		if v > top {
			top = v
		}
	}
	odds *= float32(math.Pow(max(float64(1-top), 0), float64(t.weights.DoubtOther)))
	share := odds / others // of each of the other pieces
	total := float32(0)
	for i, v := range row {
		if rest := r.sum[i] - v; rest > 0 { // rounding may make it negative
			v *= 1 + share*rest
		}
		row[i] = v
		total += v
	}
	// sum keeps what was added, so row can be changed here.
	inverse := 1 / total
	for i := range row {
		row[i] *= inverse
	}
	return row
}
