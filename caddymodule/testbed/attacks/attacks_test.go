package attacks

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/doctest"
)

var (
	update     = flag.Bool("update", false, "write the tables into the documentation")
	printed    = flag.Bool("print", false, "print the table")
	onlyMode   = flag.String("mode", "", "only modes whose name contains `text`; the table is not compared")
	onlyAttack = flag.String("attack", "", "only attacks whose name contains `text`; the table is not compared")
)

// documentation is the file that shows the tables, between two comments each.
const documentation = "../../THREATS.md"

func TestMain(m *testing.M) {
	testgateway.Main()
	os.Exit(m.Run())
}

// TestAttacks runs every attack in every mode. Against the IdP alone each has to
// succeed; elsewhere as the list says, and as the documentation shows.
func TestAttacks(t *testing.T) {
	table := try(t, Modes(), Chapters())
	if *printed {
		fmt.Print(table)
	}
	if *onlyMode+*onlyAttack == "" {
		doctest.RequireTable(t, documentation, "<!-- The table is what `make attacks` prints; a test compares. -->\n", table, "<!-- The end of the table. -->\n", *update)
	}
}

// TestAttacksWithoutCaddy runs the same attacks against the library's gateway, served by
// net/http: the table is the same, but for the rows that need more of Caddy.
func TestAttacksWithoutCaddy(t *testing.T) {
	shown, err := os.ReadFile(documentation)
	require.NoError(t, err)
	modes := Modes()
	for i := range modes {
		modes[i].NetHTTP = modes[i].Protection != Nothing
	}
	chapters := Chapters()
	for row := range strings.Lines(try(t, modes, chapters)) {
		if needs := needsCaddy(chapters, row); needs != "" {
			t.Log("not tried, because it needs " + needs + ": " + row)
		} else if *onlyMode+*onlyAttack == "" {
			require.Contains(t, string(shown), row)
		}
	}
}

// needsCaddy says what of Caddy the attack of a row needs.
func needsCaddy(chapters []Chapter, row string) string {
	for _, chapter := range chapters {
		for i := range chapter.Attacks {
			if a := &chapter.Attacks[i]; strings.HasPrefix(row, "| "+a.Name+"<br>") || strings.HasPrefix(row, "| "+a.Name+" [") {
				return a.NeedsCaddy()
			}
		}
	}
	return ""
}

// try runs attacks, and is their table.
func try(t *testing.T, modes []Mode, chapters []Chapter) string {
	t.Helper()
	for i := range chapters {
		chapters[i].Attacks = slices.DeleteFunc(chapters[i].Attacks, func(a Attack) bool { return !strings.Contains(a.Name, *onlyAttack) })
	}
	modes = slices.DeleteFunc(modes, func(m Mode) bool { return !strings.Contains(m.String(), *onlyMode) })
	report := NewReport(chapters)
	RunAll(context.Background(), modes, chapters, func(r Result) {
		if surprise := r.Surprise(); surprise != "" {
			t.Errorf("%s, %q: %s", r.Mode, r.Attack.Name, surprise)
		}
		t.Logf("%s, %q: %s (%s)", r.Mode, r.Attack.Name, r.Outcome.Detail, r.Outcome.StoppedBy)
		r.Mode.NetHTTP = false // the column is the same
		report.Add(r)
	})
	return report.String()
}
