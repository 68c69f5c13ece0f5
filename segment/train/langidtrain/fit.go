package langidtrain

import (
	"math"
	"math/rand/v2"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
)

// How nets are fitted.
const (
	learningRate = 6    // at the begin; it falls to nothing
	headRate     = 0.05 // the same of the hidden layer
	biasRate     = 0.01 // of the biases, as part of that of the weights
	dropout      = 0.4  // share of an example's features that is left out each time
	robust       = 0.35 // exponent of the probability of the truth that the rate is multiplied by (generalised cross entropy)
	balance      = 0.5  // 0: labels as frequent as they are, 1: all equally frequent
	repositories = 0.3  // the same for the repositories of a label, by its examples
	ofBlocks     = 0.5  // weight of code blocks of documents, relative to 1 for snippets
	ofMade       = 0.6  // weight of synthetic pieces and their windows
	perStatement = 1.5  // how often a statement is drawn, relative to the mean of all other examples
	averaged     = 0.3  // share of the passes, at the end, of which the weights are averaged
)

// fitOptions are what fits differ in.
type fitOptions struct {
	passes  float64 // over the examples
	windows float64 // weight of windows cut out of examples
	seed    uint64
	run     uint64 // number of the fit among those that are averaged: each has random numbers of its own
	without int    // the fold of repositories that is left out, or none
}

// none is the fold without repositories.
const none = -1

// weights are how often each example is drawn, relative to the others, and how many examples are drawn at all. Statements weigh
// the same each, so that the number of those of a label decides, not the number of its other examples.
func weights(d *Data, o fitOptions) (w []float64, examples int) {
	labels := make([]float64, len(d.Labels))
	type part struct{ label, repo int32 }
	parts := map[part]float64{}
	for i := range d.examples {
		if e := &d.examples[i]; e.kind != statement && !d.in(o.without, e) {
			labels[e.label]++
			parts[part{e.label, e.repo}]++
		}
	}
	// The examples of a label have the same weight together, however its repositories share it. Sums are over the examples, in
	// their order, rather than over the map, whose order would make the last bits, and so the draws, differ from run to run.
	sums := make([]float64, len(d.Labels))
	for i := range d.examples {
		if e := &d.examples[i]; e.kind != statement && !d.in(o.without, e) {
			sums[e.label] += math.Pow(parts[part{e.label, e.repo}], -repositories)
		}
	}
	ofKind := map[kind]float64{snippet: 1, block: ofBlocks, window: o.windows, made: ofMade}
	w = make([]float64, len(d.examples))
	var total float64
	for i := range d.examples {
		if e := &d.examples[i]; e.kind != statement && !d.in(o.without, e) {
			share := math.Pow(parts[part{e.label, e.repo}], -repositories) / sums[e.label] * labels[e.label]
			w[i] = share * math.Pow(labels[e.label], -balance) * ofKind[e.kind]
			if w[i] > 0 {
				examples++
			}
			total += w[i]
		}
	}
	mean := total / float64(max(examples, 1))
	for i := range d.examples {
		if d.examples[i].kind == statement {
			w[i] = perStatement * mean
			examples++
		}
	}
	return w, examples
}

// order draws n examples, each as often as its weight says (systematic sampling), shuffled.
func order(weight []float64, n int, rng *rand.Rand) []int32 {
	var total float64
	for _, w := range weight {
		total += w
	}
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

// fit trains n by stochastic gradient descent on the cross entropy of the labels; rows are the bags of d. A part of every bag
// is left out at random, so that no feature relies on another one to be there.
func fit(n *net, d *Data, rows [][]uint32, o fitOptions) {
	rng := rand.New(rand.NewPCG(o.seed, o.run<<8|1))
	weight, pass := weights(d, o)
	z, x, scratch := make([]float32, n.D), make([]float32, n.D), make([]float32, n.D)
	parts := n.parameters()
	sums := make([][]float32, len(parts))
	for i, p := range parts {
		sums[i] = make([]float32, len(p))
	}
	count := 0 // of the snapshots in sums
	steps := int(o.passes * float64(pass))
	every := max(pass/2, 1)
	var bag []uint32
	var drawn []int32
	for step := range steps {
		if len(drawn) == 0 {
			drawn = order(weight, pass, rng)
		}
		i := drawn[len(drawn)-1]
		drawn = drawn[:len(drawn)-1]
		bag = thin(bag[:0], rows[i], dropout, rng)
		norm := n.forward(bag, z, x, 1)
		g := z[:n.C]
		langid.Softmax(g)
		truth := d.examples[i].label
		pace := (1 - float64(step)/float64(steps)) * math.Pow(float64(g[truth])+1e-4, robust)
		rate := float32(learningRate * pace)
		g[truth]--
		n.backward(z, x, scratch, float32(headRate*pace))
		axpy(n.B, z, -rate*biasRate)
		clear(scratch)
		axpy(scratch, z, -rate*norm)
		for _, r := range bag {
			axpy(n.row(r), scratch, 1)
		}
		if (step+1)%every == 0 && float64(step+1) > (1-averaged)*float64(steps) {
			for i, p := range parts {
				axpy(sums[i], p, 1)
			}
			count++
		}
	}
	if count > 0 {
		for i, p := range parts {
			clear(p)
			axpy(p, sums[i], 1/float32(count))
		}
	}
}

// thin appends to dst the items of bag that are not left out, each with probability share, in steps of 1/256.
func thin(dst, bag []uint32, share float64, rng *rand.Rand) []uint32 {
	drop := uint64(math.Round(256 * share))
	var random uint64
	for i, r := range bag {
		if i&7 == 0 {
			random = rng.Uint64()
		}
		if random&0xff >= drop {
			dst = append(dst, r)
		}
		random >>= 8
	}
	return dst
}
