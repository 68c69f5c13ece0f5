package builder

import (
	"hash/maphash"
	"regexp"
	"strings"
)

// overlap tells which records of train are, wholly or for the greater part, in dev.
type overlap struct {
	seed  maphash.Seed
	exact map[uint64]bool // hashes of texts without white space
	runs  map[uint64]bool // hashes of runs of tokens
}

// run is the number of tokens of a run; a text with fewer than fewestRuns of them is compared as a whole only.
const (
	run        = 5
	fewestRuns = 6
)

func newOverlap() *overlap {
	return &overlap{seed: maphash.MakeSeed(), exact: map[uint64]bool{}, runs: map[uint64]bool{}}
}

// add adds a record of dev.
func (o *overlap) add(text string) {
	o.exact[o.whole(text)] = true
	for _, h := range o.runsOf(text) {
		o.runs[h] = true
	}
}

// has tells whether a text is equal to one of dev but for white space, or shares more than half of its runs with dev.
func (o *overlap) has(text string) bool {
	if o.exact[o.whole(text)] {
		return true
	}
	runs := o.runsOf(text)
	if len(runs) < fewestRuns {
		return false
	}
	shared := 0
	for _, h := range runs {
		if o.runs[h] {
			shared++
		}
	}
	return 2*shared > len(runs)
}

func (o *overlap) whole(text string) uint64 {
	return maphash.String(o.seed, strings.Join(strings.Fields(text), ""))
}

var token = regexp.MustCompile(`[\pL\pN_]+|[^\pL\pN_\s]`)

// runsOf are the hashes of the runs of tokens of a text: words, and single marks.
func (o *overlap) runsOf(text string) (runs []uint64) {
	tokens := token.FindAllString(text, -1)
	for i := 0; i+run <= len(tokens); i++ {
		runs = append(runs, maphash.String(o.seed, strings.Join(tokens[i:i+run], "\x00")))
	}
	return runs
}
