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
		t.Run(c.name, func(t *testing.T) {
			code := make([]bool, len(c.got))
			for i := range code {
				code[i] = c.got[i] == 'C'
			}
			var counts Counts
			counts.Add(strings.Split(c.want, ""), code)
			f := counts.Figures("")
			require.InDelta(t, c.line, f.Line, 1e-9, "line")
			if c.boundary == none {
				require.Nil(t, f.Boundary, "boundary")
			} else {
				require.InDelta(t, c.boundary, *f.Boundary, 1e-9, "boundary")
			}
			require.InDelta(t, c.exact, f.Exact, 1e-9, "exact")
		})
	}
}

func TestTableJoinsSlices(t *testing.T) {
	table := Table{}
	table.Slice("b").Add([]string{"T"}, []bool{false})
	table.Slice("a").Add([]string{"C"}, []bool{false})
	table.Slice("a").Add([]string{"C"}, []bool{true})
	f := table.Figures()
	require.Equal(t, []string{"a", "b", "all"}, []string{f[0].Slice, f[1].Slice, f[2].Slice})
	require.Equal(t, 3, f[2].Documents)
	require.InDelta(t, 200./3, f[2].Exact, 1e-9)
}
