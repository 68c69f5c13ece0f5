package langtrain

import (
	"math"
	"math/rand/v2"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/lang"
)

// net is the model under training: a row of weights per feature, the first C
// for the labels, H more for hidden units.
type net struct {
	C, H, D          int // labels, hidden units, length of a row
	common, features []uint32
	vocab            lang.Index
	W                []float32 // a row of D for each feature
	B                []float32 // D biases
	V                []float32 // a row of C for each hidden unit
}

func newNet(labels int, common, features []uint32, hidden int, seed uint64) *net {
	d := labels + hidden
	n := &net{C: labels, H: hidden, D: d, common: common, features: features, vocab: lang.NewIndex(features)}
	n.W = make([]float32, len(features)*d)
	n.B = make([]float32, d)
	n.V = make([]float32, hidden*labels)
	rng := rand.New(rand.NewPCG(seed, 7))
	for r := 0; hidden > 0 && r < len(features); r++ {
		for j := labels; j < d; j++ {
			n.W[r*d+j] = float32(rng.NormFloat64()) * 0.5
		}
	}
	for i := range n.V {
		n.V[i] = float32(rng.NormFloat64()) * 0.3
	}
	return n
}

// forward computes the logits of a bag into z, of length D, and the values of
// the hidden units into h. It returns what the sum of the rows is multiplied by.
func (n *net) forward(bag []uint32, z, h []float32) float32 {
	clear(z)
	for _, r := range bag {
		axpy(z, n.W[int(r)*n.D:int(r+1)*n.D], 1)
	}
	norm := float32(1 / math.Sqrt(float64(max(len(bag), 1))))
	for i := range z {
		z[i] = n.B[i] + z[i]*norm
	}
	for j := range h {
		h[j] = max(z[n.C+j], 0)
		if h[j] > 0 {
			axpy(z[:n.C], n.V[j*n.C:(j+1)*n.C], h[j])
		}
	}
	return norm
}

// softmax turns logits into probabilities.
func softmax(z []float32) {
	top := z[0]
	for _, v := range z {
		top = max(top, v)
	}
	var sum float64
	for i, v := range z {
		e := math.Exp(float64(v - top))
		z[i] = float32(e)
		sum += e
	}
	inv := float32(1 / sum)
	for i := range z {
		z[i] *= inv
	}
}
