package langidtrain

import (
	"cmp"
	"runtime"
	"slices"
	"sync"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
)

// tally counts repositories, whose examples come one after the other.
type tally struct{ last, repos int32 }

// with is t with a repository more, if it is another one than the last.
func (t tally) with(repo int32) tally {
	if t.last != repo+1 {
		return tally{repo + 1, t.repos + 1}
	}
	return t
}

// commonWords picks the vocabulary that keeps its spelling in token n-grams: words of at least minRepos repositories, or of
// at least half of the repositories of some label that has two or more. Words are given as hashes, sorted.
func commonWords(d *Data, minRepos int) []uint32 {
	all, perLabel := map[uint32]tally{}, map[uint64]tally{}
	repos := make([]tally, len(d.Labels))
	for i := range d.examples {
		e := &d.examples[i]
		if e.kind == window {
			continue
		}
		repos[e.label] = repos[e.label].with(e.repo)
		eachWord(e.text, func(w string) {
			h := langid.WordHash(w)
			k := uint64(e.label)<<32 | uint64(h)
			all[h], perLabel[k] = all[h].with(e.repo), perLabel[k].with(e.repo)
		})
	}
	var words []uint32
	for h, t := range all {
		if int(t.repos) >= minRepos {
			words = append(words, h)
		}
	}
	for k, t := range perLabel {
		if t.repos >= 2 && 2*t.repos >= repos[k>>32].repos {
			words = append(words, uint32(k))
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// eachWord calls f with the words of s of at most 32 bytes, as the extractor splits it.
func eachWord(s string, f func(string)) {
	start := -1
	for i := 0; i <= len(s); i++ {
		var b byte
		if i < len(s) {
			b = s[i]
		}
		letter := b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_' || b >= 0x80
		switch {
		case letter && start < 0:
			if i == 0 || s[i-1] < '0' || s[i-1] > '9' {
				start = i
			}
		case !letter && (b < '0' || b > '9') && start >= 0:
			if i-start <= 32 {
				f(s[start:i])
			}
			start = -1
		}
	}
}

// candidates are the features that may get a row, sorted: those of at least minRepos repositories, and those that half of the
// repositories of a label have, if these are few.
func candidates(d *Data, ex *langid.Extractor, minRepos int) []uint32 {
	// Features are counted by a number of their bits; a few too many pass.
	const width = 27
	last := make([]uint16, 1<<width)
	repos := make([]uint8, 1<<width)
	picked := make([]uint64, 1<<(32-6)) // a bit for each feature
	var out, features []uint32
	pick := func(f uint32) {
		if picked[f>>6]>>(f&63)&1 == 0 {
			picked[f>>6] |= 1 << (f & 63)
			out = append(out, f)
		}
	}
	ofLabel := make([]tally, len(d.Labels))
	for i := range d.examples {
		e := &d.examples[i]
		ofLabel[e.label] = ofLabel[e.label].with(e.repo)
	}
	few := make([]map[uint32]tally, len(d.Labels)) // of the labels with few repositories
	for i, t := range ofLabel {
		if t.repos > 1 && int(t.repos) < 2*minRepos {
			few[i] = map[uint32]tally{}
		}
	}
	for i := range d.examples {
		e := &d.examples[i]
		features = ex.Append(features[:0], e.text)
		for _, f := range features {
			s := f >> (32 - width)
			if last[s] != uint16(e.repo+1) {
				last[s] = uint16(e.repo + 1)
				repos[s] += uint8(min(1, 255-int(repos[s])))
			}
			if int(repos[s]) >= minRepos {
				pick(f)
			}
			if count := few[e.label]; count != nil {
				count[f] = count[f].with(e.repo)
			}
		}
	}
	for i, count := range few {
		for f, t := range count {
			if t.repos > 1 && 2*t.repos >= ofLabel[i].repos {
				pick(f)
			}
		}
	}
	slices.Sort(out)
	return out
}

// strongest are the k features that matter most to a trained net, given the rows of its examples, sorted: those of many
// repositories and of weights that tell languages apart.
func strongest(n *net, d *Data, rows [][]uint32, k int) []uint32 {
	seen := make([]tally, len(n.features))
	for i := range d.examples {
		for _, r := range rows[i] {
			seen[r] = seen[r].with(d.examples[i].repo)
		}
	}
	worth := make([]float64, len(n.features))
	order := make([]int32, len(n.features))
	for i := range worth {
		order[i] = int32(i)
		var sum, sq float64
		for _, w := range n.W[i*n.D : i*n.D+n.C] {
			sum += float64(w)
			sq += float64(w) * float64(w)
		}
		worth[i] = float64(seen[i].repos) * (sq - sum*sum/float64(n.C))
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(worth[b], worth[a]), cmp.Compare(a, b))
	})
	order = order[:min(k, len(order))]
	slices.Sort(order) // as n.features are
	features := make([]uint32, len(order))
	for i, r := range order {
		features[i] = n.features[r]
	}
	return features
}

// gather is, for each example, the set of its features by their rows in x.
func gather(examples []example, ex *langid.Extractor, x *langid.Index) [][]uint32 {
	bags := make([][]uint32, len(examples))
	workers := runtime.GOMAXPROCS(0)
	var wait sync.WaitGroup
	for first := range workers {
		wait.Go(func() {
			seen := make([]uint64, x.Len()/64+1) // a bit for each row of the current example
			var features, bag []uint32
			for i := first; i < len(examples); i += workers {
				features, bag = ex.Append(features[:0], examples[i].text), bag[:0]
				for _, f := range features {
					row := x.Row(f)
					if row < 0 || seen[row>>6]>>(row&63)&1 != 0 {
						continue
					}
					seen[row>>6] |= 1 << (row & 63)
					bag = append(bag, uint32(row))
				}
				for _, row := range bag {
					seen[row>>6] = 0
				}
				bags[i] = slices.Clone(bag)
			}
		})
	}
	wait.Wait()
	return bags
}
