package langidtrain

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas/gonum"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
)

// net is the model under training: a row of weights for each feature, one for each label, whose sum gives the first
// logits, and a hidden layer, unless it has no units, that corrects them.
type net struct {
	C, D             int // labels; length of a row, the next multiple of eight
	common, features []uint32
	vocab            langid.Index
	W                []float32 // a row of D for each feature
	B                []float32 // D biases
	head             head
	prior, short     []float32 // of the labels: what is added last, and what less of is added to longer code
}

// head is a layer of rectified linear units: it sees the first logits and adds to them.
type head struct {
	in, out []float32 // for each unit D weights of the first logits, and D that it adds by
	bias    []float32 // of the units
	h       []float32 // what the units give, of the last forward pass
}

func newNet(labels, hidden int, common, features []uint32, seed uint64) *net {
	d := (labels + 7) / 8 * 8
	n := &net{
		C: labels, D: d, common: common, features: features, vocab: langid.NewIndex(features),
		W: make([]float32, len(features)*d), B: make([]float32, d),
		prior: make([]float32, labels), short: make([]float32, labels),
		head: head{in: make([]float32, hidden*d), out: make([]float32, hidden*d), bias: make([]float32, hidden), h: make([]float32, hidden)},
	}
	rng := rand.New(rand.NewPCG(seed, 4))
	for j := range hidden {
		for i := range labels {
			n.head.in[j*d+i] = float32(rng.NormFloat64() * math.Sqrt(2/float64(labels)))
		}
	}
	return n
}

// parameters are all numbers that training changes.
func (n *net) parameters() [][]float32 {
	return [][]float32{n.W, n.B, n.head.in, n.head.out, n.head.bias}
}

// mean sets the parameters of the first net to the means of those of all, and returns it.
func mean(nets []*net) *net {
	n := nets[0]
	for i, sum := range n.parameters() {
		for _, other := range nets[1:] {
			axpy(sum, other.parameters()[i], 1)
		}
		for j := range sum {
			sum[j] /= float32(len(nets))
		}
	}
	return n
}

func (n *net) row(r uint32) []float32 { return n.W[int(r)*n.D : int(r+1)*n.D] }

// model quantises the net. Training saw a part of the features: with all of them, sums are larger.
func (n *net) model(h langid.Header) (*langid.Model, error) {
	scale := float32(math.Sqrt(1 - dropout))
	w := make([]float32, 0, len(n.features)*n.C)
	for r := range n.features {
		for _, v := range n.row(uint32(r))[:n.C] {
			w = append(w, v*scale)
		}
	}
	layer := langid.Layer{Bias: n.head.bias, After: n.prior, Short: n.short}
	for j := range n.head.bias {
		layer.In = append(layer.In, n.head.in[j*n.D:j*n.D+n.C]...)
		layer.Out = append(layer.Out, n.head.out[j*n.D:j*n.D+n.C]...)
	}
	return langid.New(h, n.common, n.features, w, n.B[:n.C], layer)
}

// forward computes the logits of a bag into z and the first logits, scaled for the hidden layer, into x, both of length
// D. The first logits are the sum of the bag's rows over the square root of their number; share is the part of the
// features that training sees. It returns what the sum was multiplied by.
func (n *net) forward(bag []uint32, z, x []float32, share float64) float32 {
	clear(z)
	for _, r := range bag {
		axpy(z, n.row(r), 1)
	}
	norm := float32(math.Sqrt(share / float64(max(len(bag), 1))))
	for i := range z {
		z[i] = n.B[i] + float32(z[i]*norm)
	}
	clear(x)
	axpy(x, z, langid.InputScale)
	center(x[:n.C])
	for j, b := range n.head.bias {
		n.head.h[j] = max(b+dot(n.head.in[j*n.D:(j+1)*n.D], x), 0)
		if n.head.h[j] > 0 {
			axpy(z, n.head.out[j*n.D:(j+1)*n.D], n.head.h[j])
		}
	}
	return norm
}

// backward takes the gradient of the loss by the logits in g and, with the x of the forward pass, moves the hidden layer
// against it. It turns g into the gradient by the first logits; t is scratch of length D.
func (n *net) backward(g, x, t []float32, rate float32) {
	clear(t)
	for j, h := range n.head.h {
		if h == 0 {
			continue
		}
		in, out := n.head.in[j*n.D:(j+1)*n.D], n.head.out[j*n.D:(j+1)*n.D]
		back := dot(out, g)
		axpy(out, g, -rate*h)
		axpy(t, in, back)
		axpy(in, x, -rate*back)
		n.head.bias[j] -= rate * back
	}
	center(t[:n.C])
	axpy(g, t, langid.InputScale)
}

// center subtracts the mean: what all labels have in common says nothing.
func center(z []float32) {
	var sum float32
	for _, v := range z {
		sum += v
	}
	mean := sum / float32(len(z))
	for i := range z {
		z[i] -= mean
	}
}

// axpy adds a*src to dst, which has the same length.
func axpy(dst, src []float32, a float32) {
	gonum.Implementation{}.Saxpy(len(dst), a, src, 1, dst, 1)
}

// dot is the sum of the products of a and b, which have the same length.
func dot(a, b []float32) float32 {
	return gonum.Implementation{}.Sdot(len(a), a, 1, b, 1)
}
