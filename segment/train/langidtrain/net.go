package langidtrain

import (
	"math"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
)

// net is the model under training: a row of weights for each feature, one for
// each label.
type net struct {
	C, D             int // labels; length of a row, the next multiple of eight
	common, features []uint32
	vocab            langid.Index
	W                []float32 // a row of D for each feature
	B                []float32 // D biases
}

func newNet(labels int, common, features []uint32) *net {
	d := (labels + 7) / 8 * 8
	return &net{
		C: labels, D: d, common: common, features: features, vocab: langid.NewIndex(features),
		W: make([]float32, len(features)*d), B: make([]float32, d),
	}
}

func (n *net) row(r uint32) []float32 { return n.W[int(r)*n.D : int(r+1)*n.D] }

// weights are the rows without what makes their length a multiple of eight.
func (n *net) weights() []float32 {
	w := make([]float32, 0, len(n.features)*n.C)
	for r := range n.features {
		w = append(w, n.row(uint32(r))[:n.C]...)
	}
	return w
}

// forward computes the logits of a bag into z, of length D: the sum of its
// rows over the square root of their number. It returns what the sum was
// multiplied by.
func (n *net) forward(bag []uint32, z []float32) float32 {
	clear(z)
	for _, r := range bag {
		axpy(z, n.row(r), 1)
	}
	norm := float32(1 / math.Sqrt(float64(max(len(bag), 1))))
	for i := range z {
		z[i] = n.B[i] + float32(z[i]*norm)
	}
	return norm
}
