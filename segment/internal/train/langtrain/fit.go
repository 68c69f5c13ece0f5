package langtrain

import (
	"math"
	"math/rand/v2"
)

// Options of one fit.
type Options struct {
	Epochs      float64 // passes over the examples
	Rate        float64 // of learning at the begin; it falls to nothing
	Dropout     float64 // share of an example's features that is left out each time
	Balance     float64 // 0: labels as frequent as they are, 1: all equally frequent
	RepoBalance float64 // the same for the repositories of a label
	Blocks      float64 // weight of code blocks of documents, beside 1 for snippets
	Windows     float64 // weight of windows cut out of examples
	Average     float64 // share of the passes, at the end, of which the weights are averaged
	Smooth      float64 // label smoothing
	Hidden      int
	Seed        uint64
}

// weights are how often each example is drawn, relative to the others.
func weights(d *Data, o *Options) []float64 {
	type part struct{ label, repo int32 }
	labels, parts := make([]float64, len(d.Labels)), map[part]float64{}
	for i := range d.examples {
		e := &d.examples[i]
		labels[e.label]++
		parts[part{e.label, e.repo}]++
	}
	w := make([]float64, len(d.examples))
	for i := range d.examples {
		e := &d.examples[i]
		w[i] = math.Pow(labels[e.label], -o.Balance) * math.Pow(parts[part{e.label, e.repo}], -o.RepoBalance)
		switch e.kind {
		case block:
			w[i] *= o.Blocks
		case window:
			w[i] *= o.Windows
		}
	}
	return w
}

// order draws one pass: as many examples as there are, each as often as its
// weight says (systematic sampling), shuffled.
func order(weight []float64, rng *rand.Rand) []int32 {
	var total float64
	for _, w := range weight {
		total += w
	}
	n := len(weight)
	step := total / float64(n)
	next, sum := rng.Float64()*step, 0.0
	drawn := make([]int32, 0, n+1)
	for i, w := range weight {
		sum += w
		for next < sum {
			drawn = append(drawn, int32(i))
			next += step
		}
	}
	rng.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	return drawn
}

// fit trains n by stochastic gradient descent on the cross entropy of the
// labels; rows are the bags of d.
func fit(n *net, d *Data, rows *bags, o Options) {
	rng := rand.New(rand.NewPCG(o.Seed, 1))
	weight := weights(d, &o)
	z, h := make([]float32, n.D), make([]float32, n.H)
	var bag []uint32
	var sums [3][]float32
	averaged := 0
	steps := int(o.Epochs * float64(len(d.examples)))
	every := max(len(d.examples)/2, 1)
	keep := uint8(math.Round(256 * (1 - o.Dropout)))
	var drawn []int32
	for step := range steps {
		if len(drawn) == 0 {
			drawn = order(weight, rng)
		}
		i := drawn[len(drawn)-1]
		drawn = drawn[:len(drawn)-1]
		label := d.examples[i].label
		bag = bag[:0]
		var random uint64
		for k, r := range rows.at(int(i)) {
			if k&7 == 0 {
				random = rng.Uint64()
			}
			if uint8(random) < keep || o.Dropout == 0 {
				bag = append(bag, r)
			}
			random >>= 8
		}
		rate := o.Rate * (1 - float64(step)/float64(steps))
		norm := n.forward(bag, z, h)
		g := z[:n.C]
		softmax(g)
		for c := range g {
			g[c] -= float32(o.Smooth / float64(n.C))
		}
		g[label] -= float32(1 - o.Smooth)
		for j := range h {
			v := n.V[j*n.C : (j+1)*n.C]
			z[n.C+j] = 0
			if h[j] > 0 {
				var back float32
				for c, a := range v {
					back += float32(a * g[c])
				}
				axpy(v, g, float32(-rate*0.05)*h[j])
				z[n.C+j] = back
			}
		}
		axpy(n.B, z, float32(-rate*0.01))
		a := float32(-rate) * norm
		for _, r := range bag {
			axpy(n.W[int(r)*n.D:int(r+1)*n.D], z, a)
		}
		if (step+1)%every == 0 && float64(step+1) > (1-o.Average)*float64(steps) {
			for k, w := range [][]float32{n.W, n.B, n.V} {
				if sums[k] == nil {
					sums[k] = make([]float32, len(w))
				}
				for i, v := range w {
					sums[k][i] += v
				}
			}
			averaged++
		}
	}
	if averaged == 0 {
		return
	}
	for k, w := range [][]float32{n.W, n.B, n.V} {
		for i := range w {
			w[i] = sums[k][i] / float32(averaged)
		}
	}
}
