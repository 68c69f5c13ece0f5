package langid

import "math"

// Softmax turns logits, or logarithms of probabilities up to a common summand, into probabilities, in place.
func Softmax(z []float32) {
	top := largest(z)
	// Of code that was not read all logits are alike, but for that of its tag.
	last, e := top, 1.0
	var sum float64
	for i, v := range z {
		if v != last {
			last, e = v, math.Exp(float64(v-top))
		}
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
	top := largest(z)
	var sum float64
	for _, v := range z {
		sum += math.Exp(float64(v - top))
	}
	shift := top + float32(math.Log(sum))
	for i := range z {
		z[i] -= shift
	}
}

// largest is slices.Max without its test for NaN of each value: logits are numbers.
func largest(z []float32) float32 {
	top := z[0]
	for _, v := range z {
		if v > top {
			top = v
		}
	}
	return top
}
