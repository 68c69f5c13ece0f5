package langidtrain

import (
	"math"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/classification"
)

// scored is a classified example before calibration.
type scored struct {
	logits []float32
	label  int32
	repo   int32
	lines  int
	level  float64 // binary logarithm of the number of its features
	weight float64
}

// most is the number of snippets of one label that a repository counts for in calibration, so that no repository sets the
// temperatures alone.
const most = 40

// score runs the net over d.
func (n *net) score(d *Data) []scored {
	x := make([]float32, n.D)
	rows := gather(d.examples, langid.NewExtractor(n.common), &n.vocab)
	type part struct{ label, repo int32 }
	counts := map[part]float64{}
	for _, e := range d.examples {
		counts[part{e.label, e.repo}]++
	}
	out := make([]scored, 0, len(d.examples))
	for i, e := range d.examples {
		z := make([]float32, n.D)
		n.forward(rows[i], z, x, 1-dropout)
		axpy(z[:n.C], n.prior, 1)
		axpy(z[:n.C], n.short, langid.ShortShare(len(rows[i])))
		out = append(out, scored{
			logits: z[:n.C], label: e.label, repo: e.repo, lines: strings.Count(e.text, "\n") + 1,
			level:  math.Log2(float64(max(len(rows[i]), 1))),
			weight: min(1, most/counts[part{e.label, e.repo}]),
		})
	}
	return out
}

// results are the guesses, of which each is one of so many languages, the first labels, with the probabilities that temperatures
// give.
func results(examples []scored, languages int, temps []float32) []classification.Result {
	var rs []classification.Result
	for i := range examples {
		e := &examples[i]
		p := slices.Clone(e.logits)
		t := float32(e.temperature(temps))
		for j := range p {
			p[j] /= t
		}
		langid.Softmax(p)
		p = p[:languages]
		confidence := slices.Max(p)
		rs = append(rs, classification.Result{
			Truth: int(e.label), Lines: e.lines, Guess: slices.Index(p, confidence), Confidence: float64(confidence),
		})
	}
	return rs
}

// knots is the number of temperatures: one for each power of two of the number of features, up to 2048.
const knots = 12

// Of the labels of what is held out some are wrong. Without that, the temperatures would be so high that nothing surely wrong is
// surprising.
const (
	mistaken = 0.01 // share of the labels
	slip     = 0.1  // probability of the wrong one, given that a label is wrong
)

// temperatures fits what the logits are divided by so that their softmax is the probability of being right: the temperatures that
// make held out truth most likely, one for each power of two of the number of features, with straight lines between them.
func temperatures(examples []scored) []float32 {
	t := slices.Repeat([]float32{1}, knots)
	near := make([][]*scored, knots)
	for i := range examples {
		e := &examples[i]
		k := min(int(e.level), knots-1)
		near[k] = append(near[k], e)
		if k+1 < knots {
			near[k+1] = append(near[k+1], e)
		}
	}
	for range 6 {
		for k := range t {
			if len(near[k]) < 50 {
				if k > 0 {
					t[k] = t[k-1]
				}
				continue
			}
			was, best, loss := t[k], t[k], math.Inf(1)
			for _, f := range []float32{0.7, 0.85, 0.93, 0.97, 1, 1.03, 1.07, 1.15, 1.3} {
				t[k] = was * f
				if l := surprise(near[k], t); l < loss {
					best, loss = t[k], l
				}
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

// surprise is the weighted mean of minus the logarithm of the probability of the label, which is wrong now and then.
func surprise(examples []*scored, t []float32) float64 {
	var sum, n float64
	for _, e := range examples {
		temp := e.temperature(t)
		top := slices.Max(e.logits)
		var z float64
		for _, v := range e.logits {
			z += math.Exp(float64(v-top) / temp)
		}
		p := math.Exp(float64(e.logits[e.label]-top)/temp) / z
		sum -= e.weight * math.Log((1-mistaken)*p+mistaken*slip)
		n += e.weight
	}
	return sum / n
}
