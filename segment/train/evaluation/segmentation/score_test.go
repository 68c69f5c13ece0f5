package segmentation

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFigures(t *testing.T) {
	const none = -1
	for _, c := range []struct {
		name, want, got       string // T, C, and - for blank lines, whose prediction does not count
		line, boundary, exact float64
	}{
		{"all right", "TT-CC-T", "TT-CC-T", 100, 100, 100},
		{"blank lines do not count", "T-T", "TCT", 100, none, 100},
		{"no boundary, none added", "TTT", "TTT", 100, none, 100},
		{"no boundary, two added", "TTT", "TCT", 200. / 3, none, 0},
		{"one of two boundaries", "TTCCTT", "TTCCCC", 400. / 6, 100 * 2. / 3, 0},
		{"a boundary a line too late", "TTCC", "TTTC", 75, 0, 0},
		{"a boundary in the wrong direction", "TC", "CT", 0, 0, 0},
	} {
		code := make([]bool, len(c.got))
		for i := range code {
			code[i] = c.got[i] == 'C'
		}
		var counts Counts
		counts.Add(strings.Split(c.want, ""), code)
		require.InDelta(t, c.line, counts.Line(), 1e-9, "line")
		boundary, ok := counts.Boundary()
		require.Equal(t, c.boundary != none, ok, "boundary")
		if ok {
			require.InDelta(t, c.boundary, boundary, 1e-9, "boundary")
		}
		require.InDelta(t, c.exact, counts.ExactDocuments(), 1e-9, "exact")
	}
}

func TestATableHasSlicesAndAllOfThem(t *testing.T) {
	var table Table
	require.Empty(t, table.Titled("nothing"))
	table.Add("b", []string{"T"}, []bool{false})
	table.Add("a", []string{"C"}, []bool{false})
	table.Add("a", []string{"C"}, []bool{true})
	require.Regexp(t, `(?s)^Three\n\n.*\n +a +2 +2 +50\.00 .*\n +b +1 .*\n +all +3 +3 +66\.67 +- +66\.7 +0 +1\n\n$`, table.Titled("Three"))
}
