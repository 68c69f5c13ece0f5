package langidtrain

import "math"

// scored is a classified example before calibration.
type scored struct {
	logits []float32
	label  int32
	repo   int32
	lines  int
	level  float64 // binary logarithm of the number of its features
	weight float64
}

// knots is the number of temperatures: one for each power of two of the
// number of features, up to 2048.
const knots = 12

// temperatures fits what the logits are divided by so that their softmax is
// the probability of being right: the temperatures that make held out truth
// most likely, one for each power of two of the number of features, with
// straight lines between them.
func temperatures(examples []scored) []float32 {
	t := make([]float32, knots)
	for i := range t {
		t[i] = 1
	}
	near := make([][]*scored, knots)
	for i := range examples {
		e := &examples[i]
		k := min(int(e.level), knots-1)
		near[k] = append(near[k], e)
		if k+1 < knots {
			near[k+1] = append(near[k+1], e)
		}
	}
	for round := 0; round < 6; round++ {
		for k := range t {
			if len(near[k]) < 50 {
				if k > 0 {
					t[k] = t[k-1]
				}
				continue
			}
			best, loss := t[k], math.Inf(1)
			for _, f := range []float32{0.7, 0.85, 0.93, 0.97, 1, 1.03, 1.07, 1.15, 1.3} {
				was := t[k]
				t[k] = was * f
				if l := surprise(near[k], t); l < loss {
					best, loss = t[k], l
				}
				t[k] = was
			}
			t[k] = best
		}
	}
	// Where there were too few examples the nearest fitted value holds.
	for k := knots - 2; k >= 0; k-- {
		if len(near[k]) < 50 {
			t[k] = t[k+1]
		}
	}
	return t
}

// temperature is that of an example: between those of the powers of two on both sides of the number of its features.
func (e *scored) temperature(t []float32) float64 {
	k := min(int(e.level), knots-1)
	if k+1 == knots {
		return float64(t[k])
	}
	part := math.Exp2(e.level)/math.Exp2(float64(k)) - 1
	return float64(t[k])*(1-part) + float64(t[k+1])*part
}

// surprise is the weighted mean of minus the logarithm of the probability of
// the truth.
func surprise(examples []*scored, t []float32) float64 {
	var sum, n float64
	for _, e := range examples {
		temp := e.temperature(t)
		top := e.logits[0]
		for _, v := range e.logits {
			top = max(top, v)
		}
		var z float64
		for _, v := range e.logits {
			z += math.Exp(float64(v-top) / temp)
		}
		sum += e.weight * (math.Log(z) - float64(e.logits[e.label]-top)/temp)
		n += e.weight
	}
	return sum / n
}
