package hints_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/hints"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/hints/hintstest"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/markdown"
)

func TestLines(t *testing.T) {
	for _, c := range hintstest.Cases {
		scanner := markdown.Scanner{Patches: true}
		doc, err := scanner.Scan(context.Background(), c.Text)
		require.NoError(t, err, c.Name)
		message := hints.New(c.Text, doc)
		var lines []linetag.Line
		var hints []linetag.Hint
		for l := range message.Lines {
			lines = append(lines, linetag.Line{Start: int32(l.Start), End: int32(l.End)})
			hints = append(hints, l.Hint)
		}
		require.Equal(t, c.Want, hintstest.Show(c.Text, lines, hints), c.Name)
	}
}
