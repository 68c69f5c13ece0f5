package langid

import (
	"math"
	"math/bits"
)

// Scratch is the working memory of one classification at a time. Its zero value is ready for use; after a few calls it no longer
// grows.
type Scratch struct {
	features   []uint32
	recent     recent
	candidates []candidate
	found      []uint32 // rows, with repetitions
	rows       []uint32 // rows, each once: the beginning of found
	seen       []uint64 // a bit for each row; all zero between calls
	logits     [padded]float32
	input      [padded]float32
	units      []float32 // of the layer
}

// padded is maxLabels, rounded up for kernels.
const padded = (maxLabels + vector - 1) / vector * vector

// Scores returns the logarithm of the probability of each label, in the order of [Model.Labels], in dst, which grows where it is
// too short. Empty code, or code without a known feature, gets the scores of the biases. The work is bounded: long code is
// sampled.
func (m *Model) Scores(s *Scratch, code string, dst []float32) []float32 {
	s.features = m.ex.Append(s.features[:0], code)
	m.find(s)
	n := len(m.header.Labels)
	if cap(dst) < n {
		dst = make([]float32, n)
	}
	dst = dst[:n]
	var sums sums
	sums.add(m.rows, s.rows)
	norm := m.header.Step / float32(math.Sqrt(float64(max(len(s.rows), 1))))
	heat := 1 / m.temperature(len(s.rows))
	z := s.logits[:m.layer.width]
	for i, b := range m.bias {
		z[i] = b + float32(float32(sums[i])*norm)
	}
	clear(z[n:])
	if units := len(m.layer.Bias); len(s.units) != units {
		s.units = make([]float32, units)
	}
	m.layer.apply(z, s.input[:len(z)], s.units, len(s.rows))
	for i := range dst {
		dst[i] = z[i] * heat
	}
	logSoftmax(dst)
	return dst
}

// find sets s.rows to the rows of s.features, each once.
func (m *Model) find(s *Scratch) {
	if len(s.candidates) < len(s.features) {
		s.candidates = make([]candidate, cap(s.features))
		s.found = make([]uint32, cap(s.features))
	}
	if want := len(m.index.ended)/64 + 1; len(s.seen) < want {
		s.seen = make([]uint64, want)
	}
	s.recent.reset()
	candidates := s.candidates[:m.index.locate(s.candidates, s.features, &s.recent)]
	n := 0
	sorted := m.index.ended
	for _, c := range candidates {
		// To branch on the first step would be mispredicted too often; a second one is rare.
		r := c.place + less(sorted[c.place], c.feature)
		for sorted[r] < c.feature {
			r++
		}
		s.found[n] = r
		if sorted[r] == c.feature {
			n++
		}
	}
	found := s.found[:n]
	s.rows = found[:0]
	end := uint32(len(sorted) - 1)
	for _, r := range found {
		if bit := uint64(1) << (r & 63); s.seen[r>>6]&bit == 0 && r != end {
			s.seen[r>>6] |= bit
			s.rows = append(s.rows, r)
		}
	}
	for _, r := range s.rows {
		s.seen[r>>6] = 0
	}
	fetch(m.rows, s.rows)
}

// less is 1 if a < b, else 0.
func less(a, b uint32) uint32 { return uint32((uint64(a) - uint64(b)) >> 63) }

// temperature is what scores of n features are divided by.
func (m *Model) temperature(n int) float32 {
	t := m.header.Temperatures
	whole := bits.Len(uint(n)) - 1
	if whole < 0 {
		return t[0]
	}
	if whole >= len(t)-1 {
		return t[len(t)-1]
	}
	part := float32(n)/float32(int(1)<<whole) - 1
	return t[whole]*(1-part) + t[whole+1]*part
}

// Unknown is the label that stands for every language without one. It is never a guess.
const Unknown = "unknown"

// Best returns the label with the highest of the scores that [Model.Scores] gave, and its probability.
func (m *Model) Best(scores []float32) (label int, probability float64) {
	for i, v := range scores {
		if v > scores[label] && m.header.Labels[i] != Unknown {
			label = i
		}
	}
	return label, math.Exp(float64(scores[label]))
}
