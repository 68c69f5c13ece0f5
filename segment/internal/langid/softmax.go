package langid

import (
	"math"
	"slices"
)

// Softmax turns logits, or logarithms of probabilities up to a common summand,
// into probabilities, in place.
func Softmax(z []float32) {
	top := slices.Max(z)
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

// logSoftmax turns logits into logarithms of probabilities, in place.
func logSoftmax(z []float32) {
	top := slices.Max(z)
	var sum float64
	for _, v := range z {
		sum += math.Exp(float64(v - top))
	}
	shift := top + float32(math.Log(sum))
	for i := range z {
		z[i] -= shift
	}
}
