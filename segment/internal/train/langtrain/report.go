package langtrain

import (
	"fmt"
	"math"
	"sort"
)

// result is one classified example.
type result struct {
	truth, guess int
	confidence   float64
	bucket       int
	repo         int
}

// Score are the figures of a set of results.
func score(results []result, d *Data, name string) string {
	var n, ok, fam [5]float64
	var capN, capOK [5]float64
	counts := map[[3]int]float64{}
	for _, r := range results {
		counts[[3]int{r.bucket, r.truth, r.repo}]++
	}
	tp, fp, fn := make([]float64, len(d.Labels)), make([]float64, len(d.Labels)), make([]float64, len(d.Labels))
	var bins, binOK, binConf [15]float64
	for _, r := range results {
		w := math.Min(1, 20/counts[[3]int{r.bucket, r.truth, r.repo}])
		for _, b := range []int{r.bucket, 4} {
			n[b]++
			capN[b] += w
			if r.truth == r.guess {
				ok[b]++
				capOK[b] += w
			}
			if d.Families[r.truth] == d.Families[r.guess] {
				fam[b]++
			}
		}
		if r.truth == r.guess {
			tp[r.truth]++
		} else {
			fp[r.guess]++
			fn[r.truth]++
		}
		bin := min(int(r.confidence*15), 14)
		bins[bin]++
		binConf[bin] += r.confidence
		if r.truth == r.guess {
			binOK[bin]++
		}
	}
	var ece float64
	for i := range bins {
		if bins[i] > 0 {
			ece += math.Abs(binOK[i]-binConf[i]) / float64(len(results))
		}
	}
	var f1, classes float64
	for c := range tp {
		if tp[c]+fn[c] >= 10 {
			classes++
			f1 += 2 * tp[c] / math.Max(2*tp[c]+fp[c]+fn[c], 1)
		}
	}
	var sure [4]float64
	for b := 0; b < 4; b++ {
		var rs []result
		for _, r := range results {
			if r.bucket == b {
				rs = append(rs, r)
			}
		}
		sort.SliceStable(rs, func(i, j int) bool { return rs[i].confidence > rs[j].confidence })
		k := len(rs) * 3 / 4
		good := 0.0
		for _, r := range rs[:k] {
			if r.truth == r.guess {
				good++
			}
		}
		sure[b] = 100 * good / math.Max(float64(k), 1)
	}
	p := func(a, b [5]float64) string {
		s := ""
		for i := range a {
			s += fmt.Sprintf(" %5.2f", 100*a[i]/b[i])
		}
		return s
	}
	return fmt.Sprintf("%s acc%s | cap%s | fam%s | sure %.1f %.1f %.1f %.1f | ece %.3f mF1 %.1f", name, p(ok, n), p(capOK, capN), p(fam, n), sure[0], sure[1], sure[2], sure[3], ece, 100*f1/classes)
}

func (n *net) classify(d *Data, rows *bags) []result {
	var rs []result
	z, h := make([]float32, n.D), make([]float32, n.H)
	for i := range d.examples {
		e := &d.examples[i]
		n.forward(rows.at(i), z, h)
		softmax(z[:n.C])
		best := 0
		for j := range z[:n.C] {
			if z[j] > z[best] {
				best = j
			}
		}
		rs = append(rs, result{int(e.label), best, float64(z[best]), bucket(len(e.lines)), int(e.repo)})
	}
	return rs
}
