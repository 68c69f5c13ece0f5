package lines

import "math"

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

// Score is the network's opinion of a line, in natural log odds: of being code rather than text, and the scores of the
// transitions into the line, entering code from text and leaving code for text (staying scores 0).
type Score struct{ Code, Enter, Leave float32 }

// Dense are the parameters behind the embedding table. Matrices are stored input by input, all outputs of an input
// side by side.
type Dense struct {
	Bias   [Dim]float32
	Gates  [Layers]Affine
	Hidden Affine
	Out    Affine
}

// Affine is the map x -> Bias + x·Weight.
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

// Gate is the squashing function of the recurrent gates, cheaper than the logistic function and alike in shape.
func Gate(x float32) float32 {
	return 0.5 + 0.5*x/(1+float32(math.Abs(float64(x))))
}

// Decided is the score of a line whose label markup decides, and its negative.
const Decided = 1e4

// Windows bound the memory of long documents: the network sees windowLines lines at a time with windowMargin more at
// either side, farther than the recurrent layers remember.
const (
	windowLines  = 1024
	windowMargin = 96
	windowMax    = windowLines + 2*windowMargin
)

type activations struct {
	joined [][Joined]float32 // embedding and outputs of both layers, side by side
	gates  [][Gates]float32
	bag    [Dim]int32
	hidden [Hidden]float32
	out    [8]float32
}

// Score appends the scores of the lines of f to dst.
func (m *Model) Score(a *activations, f *Features, dst []Score) []Score {
	n := len(f.Index)
	for at := 0; at < n; at += windowLines {
		to := min(at+windowLines, n)
		if n-at <= windowLines+windowMargin {
			to = n
		}
		dst = m.window(a, f, max(at-windowMargin, 0), min(to+windowMargin, n), at, to, dst)
		if to == n {
			break
		}
	}
	return dst
}

// window runs the network over lines from up to to and appends the scores of lines first up to last.
func (m *Model) window(a *activations, f *Features, from, to, first, last int, dst []Score) []Score {
	n := to - from
	if cap(a.joined) < n {
		size := min(n+n/2+16, windowMax+windowMargin)
		a.joined = make([][Joined]float32, size)
		a.gates = make([][Gates]float32, size)
	}
	joined, gates := a.joined[:n], a.gates[:n]
	begin := int32(0)
	if from > 0 {
		begin = f.End[from-1]
	}
	for i := range joined {
		m.embed(a, &joined[i], f.Rows[begin:f.Hashed[from+i]], f.Rows[f.Hashed[from+i]:f.End[from+i]])
		begin = f.End[from+i]
	}
	for k := range m.dense.Gates {
		in := Dim + k*Context
		MapGates(gates, &m.dense.Gates[k], joined, in)
		Recur(joined, gates, in)
	}
	for i := first - from; i < last-from; i++ {
		Map(a.hidden[:], &m.dense.Hidden, joined[i][:])
		for j, v := range a.hidden {
			a.hidden[j] = max(v, 0)
		}
		out := [Outputs]float32(m.dense.Out.Bias)
		for j, v := range a.hidden {
			w := m.dense.Out.Weight[j*Outputs : j*Outputs+Outputs]
			out[0] += v * w[0]
			out[1] += v * w[1]
			out[2] += v * w[2]
		}
		switch f.Hint[from+i] {
		case Text:
			out[0] = -Decided
		case Code:
			out[0] = Decided
		}
		dst = append(dst, Score{out[0], out[1], out[2]})
	}
	return dst
}

// embed sums the rows of a line into the first Dim values of x.
func (m *Model) embed(a *activations, x *[Joined]float32, content, layout []uint32) {
	norm := float32(0)
	if len(content) > 0 {
		norm = float32(1 / math.Sqrt(float64(len(content))))
	}
	a.bag = [Dim]int32{}
	bag(&a.bag, m.table, content)
	for j, v := range a.bag {
		x[j] = m.dense.Bias[j] + float32(v)*m.contentScale[j]*norm
	}
	a.bag = [Dim]int32{}
	bag(&a.bag, m.table, layout)
	for j, v := range a.bag {
		x[j] = max(x[j]+float32(v)*m.layoutScale[j], 0)
	}
}
