package mention

// weights are what the logarithms of a name's odds are multiplied by in each place: they make the languages of code likelier
// in documents of repositories that neither the odds nor the language model were trained on, also where a document has
// code in three languages or more. There, names that stand further away, or beside other code, mislead.
var weights = [places]float32{Beside: 0.8, Close: 0.5, Loose: 0.3, Claimed: 0, Coded: 0.2}

// bound is the most that all names together add to the score of a label: the logarithm of a factor of ten of its odds. It is what
// keeps many names from deciding against the code.
const bound = 2.3

// A line or two say little: beside so many bytes of code names weigh more, up to a factor of a hundred. In documents of other
// repositories, 80.0 % of the pieces of one or two lines are named right so, and 78.8 % without.
const (
	short       = 70
	shortBound  = 4.6
	shortWeight = 3
)

// Weigh adds to the scores of piece k, which are logarithms of probabilities up to a common summand, what the names around
// it say. Each name counts once, in the place where it weighs most.
func (m *Message) Weigh(t *Table, k int, scores []float32) {
	if len(m.found) == 0 {
		return
	}
	if len(m.weight) < len(t.names) {
		m.weight, m.added = make([]float32, len(t.names)), make([]float32, len(scores))
	}
	factor, most := float32(1), float32(bound)
	if p := m.pieces[k]; p.end-p.start <= short {
		factor, most = shortWeight, shortBound
	}
	names := m.names[:0]
	m.Names(k, func(name int, place Place) {
		weight := factor * weights[place]
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
