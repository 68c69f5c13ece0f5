package attacks_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/attacks"
)

var update = flag.Bool("update", false, "write the table into the documentation")

// documentation is the file that shows the table, between the two comments.
const (
	documentation = "../../../THREATS.md"
	tableBegins   = "<!-- The table is what `make attacks` prints; a test compares. -->\n"
	tableEnds     = "<!-- The end of the table. -->\n"
)

func TestMain(m *testing.M) {
	testgateway.Main()
	os.Exit(m.Run())
}

// TestAttacks runs every attack in every mode. Against the IdP alone each has to
// succeed; elsewhere as the list says, and as the documentation shows.
func TestAttacks(t *testing.T) {
	chapters := attacks.Chapters()
	report := attacks.NewReport(chapters)
	attacks.RunAll(context.Background(), attacks.Modes(), chapters, func(r attacks.Result) {
		report.Add(r)
		if surprise := r.Surprise(); surprise != "" {
			t.Errorf("%s, %q: %s", r.Mode, r.Attack.Name, surprise)
		}
	})
	var table bytes.Buffer
	require.NoError(t, report.Write(&table))

	shown, err := os.ReadFile(documentation)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(shown), tableBegins)
	require.True(t, found)
	old, after, found := strings.Cut(rest, tableEnds)
	require.True(t, found)
	if *update && !t.Failed() {
		require.NoError(t, os.WriteFile(documentation, []byte(before+tableBegins+table.String()+tableEnds+after), 0o644))
		return
	}
	require.Equal(t, table.String(), old, "caddymodule/THREATS.md shows another table; run: go -C caddymodule/testbed test ./internal/attacks -run TestAttacks -update")
}

// TestAttacksWithoutCaddy runs the same attacks against the library's gateway, served by
// net/http: the table is the same, but for the rows that need more of Caddy.
func TestAttacksWithoutCaddy(t *testing.T) {
	shown, err := os.ReadFile(documentation)
	require.NoError(t, err)
	chapters := attacks.Chapters()
	var modes []attacks.Mode
	for _, mode := range attacks.Modes() {
		mode.NetHTTP = mode.Protection != attacks.Nothing
		modes = append(modes, mode)
	}
	report := attacks.NewReport(chapters)
	attacks.RunAll(context.Background(), modes, chapters, func(r attacks.Result) {
		r.Mode.NetHTTP = false // the column is the same
		report.Add(r)
		if surprise := r.Surprise(); surprise != "" {
			t.Errorf("%s, %q: %s", r.Mode, r.Attack.Name, surprise)
		}
	})
	var table bytes.Buffer
	require.NoError(t, report.Write(&table))
	for row := range strings.Lines(table.String()) {
		if needs := needsCaddy(chapters, row); needs != "" {
			t.Log("not tried, because it needs " + needs + ": " + row)
			continue
		}
		require.Contains(t, string(shown), row)
	}
}

// needsCaddy says what of Caddy the attack of a row needs.
func needsCaddy(chapters []attacks.Chapter, row string) string {
	for _, chapter := range chapters {
		for i := range chapter.Attacks {
			if a := &chapter.Attacks[i]; strings.HasPrefix(row, "| "+a.Name+"<br>") || strings.HasPrefix(row, "| "+a.Name+" [") {
				return a.NeedsCaddy()
			}
		}
	}
	return ""
}
