package segmentcommand

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// On a terminal the line is written over, and what the name holds does nothing to it.
func TestProgress(t *testing.T) {
	var out strings.Builder
	p := progress{out: &out, total: 2, shown: true}
	p.at(1, "a.md")
	p.at(2, "\x1b[2Jb.md")
	p.clear()
	require.Equal(t, "\r\x1b[K1/2 a.md\r\x1b[K2/2 ␛[2Jb.md\r\x1b[K", out.String())
	out.Reset()
	p.shown = false
	p.at(1, "a.md")
	p.clear()
	require.Empty(t, out.String())
}
