package linetag

import (
	"math"
	"slices"
)

// Sizes of the network.
const (
	Dim     = 32                   // of a line's embedding
	Units   = 32                   // recurrent units per direction and layer
	Layers  = 2                    // recurrent layers
	Gates   = 4 * Units            // outputs of a layer's affine map: forward gate and candidate, backward gate and candidate
	Context = 2 * Units            // outputs of a recurrent layer, forward units first
	Hidden  = 16                   // units of the last layer
	Joined  = Dim + Layers*Context // inputs of the last layer
	Outputs = 3                    // see Score
)

// Score holds the scores of a line, in natural log odds: of being code rather than text, and of the transitions into the line,
// from text to code (Enter) and from code to text (Leave). Staying scores 0.
type Score struct{ Code, Enter, Leave float32 }

// Dense are the parameters behind the embedding table. Matrices are stored input by input, all outputs of an input side by side.
type Dense struct {
	Bias   [Dim]float32
	Gates  [Layers]Affine
	Hidden Affine
	Out    Affine
}

// Affine is the affine map x·Weight + Bias.
type Affine struct {
	In, Out int
	Weight  []float32 // In × Out
	Bias    []float32 // Out
}

// NewDense makes parameters of the right sizes, all zero.
func NewDense() *Dense {
	d := &Dense{}
	for k := range d.Gates {
		d.Gates[k] = newAffine(Dim+k*Context, Gates)
	}
	d.Hidden = newAffine(Joined, Hidden)
	d.Out = newAffine(Hidden, Outputs)
	return d
}

func newAffine(in, out int) Affine {
	return Affine{In: in, Out: out, Weight: make([]float32, in*out), Bias: make([]float32, out)}
}

// Slices are the parameters as flat slices, in the order in which they are stored.
func (d *Dense) Slices() [][]float32 {
	all := [][]float32{d.Bias[:]}
	for k := range d.Gates {
		all = append(all, d.Gates[k].Weight, d.Gates[k].Bias)
	}
	return append(all, d.Hidden.Weight, d.Hidden.Bias, d.Out.Weight, d.Out.Bias)
}

// Gate turns the input of a gate into its value, 0 to 1: the softsign function, moved and scaled, which is cheaper than the
// logistic function and alike in shape.
//
// The recurrent units are simple recurrent units without their highway output: the state c[i] at line i is f·c[i-1] +
// (1-f)·candidate, where the forget gate f = Gate(·) and the candidate are affine in the line's inputs (Lei et al. 2018,
// equations 1 and 2 with v = 0). [Gemm] computes gates and candidates, [SRU] the states.
func Gate(x float32) float32 {
	return 0.5 + 0.5*x/(1+float32(math.Abs(float64(x))))
}

// Decided is the score of a line whose label markup decides, and its negative.
const Decided = 1e4

type activations struct {
	rows    []uint32          // of the features of all lines in the network's table
	joined  [][Joined]float32 // embedding and outputs of both layers, side by side
	gates   [][Gates]float32
	content [Dim]int32 // sums of the rows of the current line
	layout  [Dim]int32
	hidden  [Hidden]float32
}

// decide is the score of a line with this hint, which is s if the hint leaves it to the networks.
func (h Hint) decide(s Score) Score {
	switch h {
	case Text:
		s.Code = -Decided
	case Code:
		s.Code = Decided
	}
	return s
}

// appendScores appends the scores of the lines of f from first to last, the means of those of the networks.
func (m *Model) appendScores(dst []Score, a *activations, f *Features, first, last int) []Score {
	lines := len(f.Index)
	if cap(a.joined) < lines {
		size := lines + lines/2
		a.joined, a.gates = make([][Joined]float32, size), make([][Gates]float32, size)
	}
	begin := len(dst)
	dst = slices.Grow(dst, last-first)[:begin+last-first]
	scores := dst[begin:]
	clear(scores)
	for k, n := range m.networks {
		a.rows = f.Place(a.rows[:0], k)
		n.addScores(a, scores, f, first)
	}
	part := 1 / float32(len(m.networks))
	for i, s := range scores {
		scores[i] = f.Hint[first+i].decide(Score{s.Code * part, s.Enter * part, s.Leave * part})
	}
	return dst
}

// addScores adds the scores of a network, of the lines from first on.
func (n *network) addScores(a *activations, scores []Score, f *Features, first int) {
	joined, gates := a.joined[:len(f.Index)], a.gates[:len(f.Index)]
	begin := int32(0)
	for i := range joined {
		n.embedding(a, &joined[i], a.rows[begin:], int(f.Hashed[i]-begin), int(f.End[i]-begin))
		begin = f.End[i]
	}
	for k := range n.dense.Gates {
		in := Dim + k*Context
		Gemm(gates, &n.dense.Gates[k], joined, in)
		SRU(joined, gates, in)
	}
	weight := (*[Hidden * Outputs]float32)(n.dense.Out.Weight)
	for i := range scores {
		n.dense.Hidden.Forward(a.hidden[:], joined[first+i][:])
		code, enter, leave := n.dense.Out.Bias[0], n.dense.Out.Bias[1], n.dense.Out.Bias[2]
		for j := range Hidden {
			v := max(a.hidden[j], 0)
			code += v * weight[j*Outputs]
			enter += v * weight[j*Outputs+1]
			leave += v * weight[j*Outputs+2]
		}
		s := &scores[i]
		s.Code, s.Enter, s.Leave = s.Code+code, s.Enter+enter, s.Leave+leave
	}
}

// embedding sums the rows of a line into the first Dim values of x. They are the first of rows up to end, and up to hashed those
// of its content; the rest belongs to the lines below.
func (n *network) embedding(a *activations, x *[Joined]float32, rows []uint32, hashed, end int) {
	norm := float32(0)
	if hashed > 0 {
		norm = float32(1 / math.Sqrt(float64(hashed)))
	}
	a.content, a.layout = [Dim]int32{}, [Dim]int32{}
	sumRows(&a.content, n.table, rows, hashed)
	sumRows(&a.layout, n.table, rows[hashed:], end-hashed)
	embed((*[Dim]float32)(x[:Dim]), n, &a.content, &a.layout, norm)
}
