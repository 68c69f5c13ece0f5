package builder

import (
	"hash/maphash"
	"regexp"
	"strings"
)

// overlap tells which records of train are, wholly or for the greater part, in dev: it has the hashes of dev's
// texts and of their runs of tokens.
type overlap map[uint64]bool

var seed = maphash.MakeSeed()

// run is the number of tokens of a run; a text with fewer than fewestRuns of them is compared as a whole only.
const (
	run        = 5
	fewestRuns = 6
)

// add adds a record of dev.
func (o overlap) add(text string) {
	runs := runsOf(text)
	for _, r := range runs {
		o[r] = true
	}
	o[whole(text)] = true
}

// has tells whether a text is equal to one of dev but for white space, or shares more than half of its runs with dev.
func (o overlap) has(text string) bool {
	runs := runsOf(text)
	if len(runs) < fewestRuns {
		return o[whole(text)]
	}
	shared := 0
	for _, r := range runs {
		if o[r] {
			shared++
		}
	}
	return 2*shared > len(runs)
}

func whole(text string) uint64 { return maphash.String(seed, strings.Join(strings.Fields(text), "")) }

var token = regexp.MustCompile(`[\pL\pN_]+|[^\pL\pN_\s]`)

// runsOf are the runs of tokens of a text: words, and single marks.
func runsOf(text string) (runs []uint64) {
	tokens := token.FindAllString(text, -1)
	for i := 0; i+run <= len(tokens); i++ {
		runs = append(runs, maphash.String(seed, strings.Join(tokens[i:i+run], "\x00")))
	}
	return runs
}
