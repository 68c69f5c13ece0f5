package linetagtrain

import (
	"math"
	"math/rand/v2"
	"unsafe"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
)

// example is a document as the network sees it, with what one pass of training leaves behind.
type example struct {
	features linetag.Features
	rows     []uint32 // of the features, see linetag.Features.Place
	labels   []truth  // of the lines of features
	weight   float32
	asked    structure
	dropped  [][linetag.Dim / 32]uint32 // bits of the values of each line's embedding that are dropped; nil: none

	// Activations and gradients. What kernels read has room for a multiple of four lines.
	joined  [][linetag.Joined]float32
	stored  [linetag.Layers][][linetag.Gates]float32
	dJoined [][linetag.Joined]float32
	hidden  [][linetag.Hidden]float32
	dHidden [][linetag.Hidden]float32
	out     [][linetag.Outputs]float32
	content [][linetag.Dim]float32 // gradient for the content rows of each line
	layout  [][linetag.Dim]float32 // gradient for the layout rows of each line
	grad    [][linetag.Outputs]float32
	alpha   [][2]float64
	beta    [][2]float64
	loss    float64
}

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n+n/2)[:n]
	}
	return s[:n]
}

// forward computes the scores of all lines of e with parameters in floating point.
func (e *example) forward(table []float32, d *linetag.Dense) {
	f := &e.features
	n := len(f.Index)
	e.joined = grow(e.joined, padded(n))
	e.content = grow(e.content, n)
	e.hidden = grow(e.hidden, padded(n))
	e.out = grow(e.out, n)
	begin := int32(0)
	for i := range n {
		sum := &e.content[i] // until its gradient is there
		*sum = [linetag.Dim]float32{}
		content := e.rows[begin:f.Hashed[i]]
		sumRows(sum, table, content)
		norm := norm(len(content))
		for j := range sum {
			sum[j] = sum[j]*norm + d.Bias[j]
		}
		sumRows(sum, table, e.rows[f.Hashed[i]:f.End[i]])
		for j, v := range sum {
			e.joined[i][j] = max(v, 0)
		}
		if e.dropped != nil {
			for j := range sum {
				if e.dropped[i][j/32]>>(j%32)&1 != 0 {
					e.joined[i][j] = 0
				} else {
					e.joined[i][j] *= keptScale
				}
			}
		}
		begin = f.End[i]
	}
	for k := range d.Gates {
		e.stored[k] = grow(e.stored[k], padded(n))
		in := linetag.Dim + k*linetag.Context
		linetag.Gemm(e.stored[k][:n], &d.Gates[k], e.joined[:n], in)
		linetag.SRU(e.joined[:n], e.stored[k][:n], in)
	}
	for i := range n {
		d.Hidden.Forward(e.hidden[i][:], e.joined[i][:])
		for j, v := range e.hidden[i] {
			e.hidden[i][j] = max(v, 0)
		}
		d.Out.Forward(e.out[i][:], e.hidden[i][:])
		switch f.Hint[i] {
		case linetag.Text:
			e.out[i][0] = -linetag.Decided
		case linetag.Code:
			e.out[i][0] = linetag.Decided
		}
	}
}

// droppedBits sets the dropout of embeddings (Srivastava et al., 2014): one in 2^droppedBits values is dropped.
const droppedBits = 3

// keptScale is what the values that are kept are multiplied by, so that sums stay as they were.
const keptScale = 1 / (1 - 1/float32(1<<droppedBits))

// drop chooses the values of the embeddings that are dropped.
func (e *example) drop(r *rand.Rand) {
	e.dropped = grow(e.dropped, len(e.features.Index))
	for i := range e.dropped {
		for j := range e.dropped[i] {
			e.dropped[i][j] = ^uint32(0)
			for range droppedBits {
				e.dropped[i][j] &= r.Uint32()
			}
		}
	}
}

// padded is n rounded up to a multiple of four.
func padded(n int) int { return (n + 3) &^ 3 }

func norm(n int) float32 {
	if n == 0 {
		return 0
	}
	return float32(1 / math.Sqrt(float64(n)))
}

// transposed are the matrices of the dense parameters, output by output, as the gradients of inputs need them.
type transposed struct {
	gates  [linetag.Layers][]float32
	hidden []float32
}

func transpose(d *linetag.Dense) (t transposed) {
	for k := range t.gates {
		t.gates[k] = transposeMatrix(&d.Gates[k])
	}
	t.hidden = transposeMatrix(&d.Hidden)
	return t
}

func transposeMatrix(a *linetag.Affine) []float32 {
	out := make([]float32, len(a.Weight))
	for i := range a.In {
		for j, v := range a.Weight[i*a.Out : (i+1)*a.Out] {
			out[j*a.In+i] = v
		}
	}
	return out
}

// backward adds the gradient of the loss to grad and leaves the gradients of the embedding rows in e. t has the matrices of d.
func (e *example) backward(d *linetag.Dense, t *transposed, grad *linetag.Dense) {
	f := &e.features
	n := len(f.Index)
	e.dJoined = grow(e.dJoined, padded(n))
	e.dHidden = grow(e.dHidden, padded(n))
	e.layout = grow(e.layout, n)
	clear(e.dJoined)
	dOut := e.crf()
	for i := range n {
		dy := &dOut[i]
		for j := range dy {
			dy[j] *= e.weight
		}
		if f.Hint[i] == linetag.Text || f.Hint[i] == linetag.Code {
			dy[0] = 0
		}
		for j, v := range dy {
			grad.Out.Bias[j] += v
		}
		for k, h := range e.hidden[i] {
			var dh float32
			if h > 0 {
				w := d.Out.Weight[k*linetag.Outputs : (k+1)*linetag.Outputs]
				g := grad.Out.Weight[k*linetag.Outputs : (k+1)*linetag.Outputs]
				for j, v := range dy {
					dh += v * w[j]
					g[j] += v * h
				}
			}
			e.dHidden[i][k] = dh
		}
	}
	joined := matrix{flat(e.joined, linetag.Joined), linetag.Joined, 1}
	dJoined := matrix{flat(e.dJoined, linetag.Joined), linetag.Joined, 1}
	affineBackward(dJoined, &grad.Hidden, t.hidden, joined, matrix{flat(e.dHidden, linetag.Hidden), linetag.Hidden, 1}, n)
	for k := linetag.Layers - 1; k >= 0; k-- {
		e.sruBackward(k, n)
		// stored now holds the gradients of the gates
		affineBackward(dJoined, &grad.Gates[k], t.gates[k], joined, matrix{flat(e.stored[k], linetag.Gates), linetag.Gates, 1}, n)
	}
	begin := int32(0)
	for i := range n {
		norm := norm(int(f.Hashed[i] - begin))
		begin = f.End[i]
		for j := range linetag.Dim {
			g := e.dJoined[i][j]
			if e.joined[i][j] <= 0 {
				g = 0
			} else if e.dropped != nil {
				g *= keptScale
			}
			grad.Bias[j] += g
			e.layout[i][j] = g
			e.content[i][j] = g * norm
		}
	}
}

// affineBackward adds the gradients of an affine map at n lines x, given dy, the gradient of its outputs: to dx that of its
// inputs, to grad those of its parameters. weight is the transposed matrix of the map.
func affineBackward(dx matrix, grad *linetag.Affine, weight []float32, x, dy matrix, n int) {
	for i := range n {
		for j, v := range dy.values[i*dy.row : i*dy.row+grad.Out] {
			grad.Bias[j] += v
		}
	}
	gemm(dx, dy, matrix{weight, grad.In, 1}, padded(n), grad.Out, grad.In)
	gemm(matrix{grad.Weight, grad.Out, 1}, matrix{x.values, 1, x.row}, dy, grad.In, n, grad.Out)
}

// sruBackward turns stored[k] from gates into gradients of the gates.
func (e *example) sruBackward(k, n int) {
	const u = linetag.Units
	for direction, before := range [2]int{-1, 1} { // where the state of a line comes from
		in := linetag.Dim + k*linetag.Context + direction*u
		var carry [u]float32
		for at := range n {
			i := at // from the last state to the first
			if before < 0 {
				i = n - 1 - at
			}
			var state [u]float32
			if i+before >= 0 && i+before < n {
				copy(state[:], e.joined[i+before][in:])
			}
			g := e.stored[k][i][2*u*direction:]
			for j := range carry {
				carry[j] = gateBackward(g, j, state[j], carry[j]+e.dJoined[i][in+j])
			}
		}
	}
}

// gateBackward is the derivative of state = candidate + z·(before − candidate) for unit j; it returns the gradient of before.
func gateBackward(g []float32, j int, before, dState float32) float32 {
	const u = linetag.Units
	a, candidate := g[j], g[u+j]
	z := linetag.Gate(a)
	s := 1 + float32(math.Abs(float64(a)))
	g[j] = dState * (before - candidate) * 0.5 / (s * s)
	g[u+j] = dState * (1 - z)
	return dState * z
}

// truth is what is known of a line.
type truth uint8

const (
	isText truth = iota
	isCode
	isUnknown
)

// crf computes the negative log-likelihood of the labels, summed over the lines that are unknown, and returns its gradient with
// respect to the outputs: expected counts without the truth minus expected counts with it.
func (e *example) crf() [][linetag.Outputs]float32 {
	n := len(e.out)
	e.grad = grow(e.grad, n)
	clear(e.grad)
	e.alpha = grow(e.alpha, n)
	e.beta = grow(e.beta, n)
	e.loss = e.expect(1, func(int) truth { return isUnknown }) - e.expect(-1, func(i int) truth { return e.labels[i] })
	return e.grad
}

// expect adds sign times the expected counts to the gradient, over all sequences of labels that agree with given, and returns the
// logarithm of the sum over them.
func (e *example) expect(sign float32, given func(int) truth) float64 {
	const never = -1e30
	n := len(e.out)
	allow := func(i int, y truth) float64 {
		if t := given(i); t == isUnknown || t == y {
			return 0
		}
		return never
	}
	// alpha[i][y]: log of the sum over the labels up to line i, beta[i][y]: after it.
	alpha, beta := e.alpha, e.beta
	alpha[0] = [2]float64{allow(0, isText), float64(e.out[0][0]) + allow(0, isCode)}
	for i := 1; i < n; i++ {
		o := &e.out[i]
		alpha[i][0] = logAdd(alpha[i-1][0], alpha[i-1][1]+float64(o[2])) + allow(i, isText)
		alpha[i][1] = logAdd(alpha[i-1][1], alpha[i-1][0]+float64(o[1])) + float64(o[0]) + allow(i, isCode)
	}
	beta[n-1] = [2]float64{}
	for i := n - 2; i >= 0; i-- {
		o := &e.out[i+1]
		text, code := beta[i+1][0]+allow(i+1, isText), beta[i+1][1]+float64(o[0])+allow(i+1, isCode)
		beta[i][0] = logAdd(text, code+float64(o[1]))
		beta[i][1] = logAdd(text+float64(o[2]), code)
	}
	total := logAdd(alpha[n-1][0], alpha[n-1][1])
	for i := range n {
		o := &e.out[i]
		e.grad[i][0] += sign * float32(math.Exp(alpha[i][1]+beta[i][1]-total))
		if i == 0 {
			continue
		}
		e.grad[i][1] += sign * float32(math.Exp(alpha[i-1][0]+float64(o[1])+float64(o[0])+allow(i, isCode)+beta[i][1]-total))
		e.grad[i][2] += sign * float32(math.Exp(alpha[i-1][1]+float64(o[2])+allow(i, isText)+beta[i][0]-total))
	}
	return total
}

func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if a-b > 40 {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// flat are the values of rows of width values, side by side.
func flat[R any](rows []R, width int) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(rows))), len(rows)*width)
}

// initialise draws the parameters.
func initialise(table []float32, d *linetag.Dense, random *rand.Rand) {
	for i := range table {
		table[i] = float32(random.NormFloat64() * 0.05)
	}
	for _, a := range []*linetag.Affine{&d.Gates[0], &d.Gates[1], &d.Hidden, &d.Out} {
		scale := math.Sqrt(2 / float64(a.In+a.Out))
		for i := range a.Weight {
			a.Weight[i] = float32(random.NormFloat64() * scale)
		}
	}
	for j := range d.Bias {
		d.Bias[j] = 0.1
	}
	for k := range d.Gates {
		for j := range linetag.Units {
			d.Gates[k].Bias[j] = 0.5
			d.Gates[k].Bias[2*linetag.Units+j] = 0.5
		}
	}
}
