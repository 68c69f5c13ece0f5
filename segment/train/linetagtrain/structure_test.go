package linetagtrain

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/hints/hintstest"
)

// The model is trained with the hints that the segmenter gives it; the segmenter's test has the same cases.
func TestTheModelIsAskedAsTheSegmenterAsksIt(t *testing.T) {
	for _, c := range hintstest.Cases {
		var s structure
		s.parse(c.Text, nil, true)
		require.Equal(t, c.Want, hintstest.Show(c.Text, s.lines, s.hints), c.Name)
		lines := strings.Split(c.Text, "\n")
		for i, l := range s.lines {
			require.Contains(t, lines[s.number[i]], c.Text[l.Start:l.End], c.Name)
		}
	}
}

// Lines in fences that the text does not show are seen as those in fences that it shows.
func TestParseWithFencesThatAreNotShown(t *testing.T) {
	const text = "Try\na\nb\n\nc\nd\ne\n\n    x\n"
	var s structure
	s.parse(text, [][2]int{{1, 6}}, true)
	require.Equal(t, "free|Try\ncode|a\ncode|b\ncode|d\ncode|e\nfree|\ncode|    x", hintstest.Show(text, s.lines, s.hints))
	require.Equal(t, []int{0, 1, 2, 5, 6, 7, 8}, s.number)
}
