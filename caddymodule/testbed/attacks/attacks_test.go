package attacks

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/doctest"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
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

const (
	// attackTimeout bounds one attack in one mode, its gateway's start included.
	attackTimeout = 3 * time.Minute
	// parallelModes is how many modes run at once: much of the time goes by waiting
	// for codes to expire.
	parallelModes = 3
)

// TestAttacks runs every attack in every mode. Against the IdP alone each has to
// succeed; elsewhere as the list says, and as the documentation shows.
func TestAttacks(t *testing.T) {
	t.Parallel() // with the next: both wait for codes to expire
	chapters := Chapters()
	table := tableOf(chapters, tryAll(t, chapters, false))
	if *printed {
		fmt.Print(table)
	}
	if *onlyMode+*onlyAttack == "" {
		doctest.RequireTable(t, documentation, "<!-- The table is what `make attacks` prints; a test compares. -->\n", table, "<!-- The end of the table. -->\n", *update)
	}
}

// TestAttacksWithoutCaddy runs the same attacks against the library's gateway, served by
// net/http: the table is the same, but for the attacks that need Caddy.
func TestAttacksWithoutCaddy(t *testing.T) {
	t.Parallel()
	shown := must.Have(os.ReadFile(documentation))(t)
	chapters := Chapters()
	for i := range chapters {
		chapters[i].Attacks = slices.DeleteFunc(chapters[i].Attacks, func(a Attack) bool {
			needs := a.NeedsCaddy()
			if needs != "" {
				t.Logf("%q is not tried, because it needs %s", a.Name, needs)
			}
			return needs != ""
		})
	}
	outcomes := tryAll(t, chapters, true)
	if *onlyMode+*onlyAttack != "" {
		return
	}
	rows := slices.Collect(strings.Lines(string(shown)))
	for _, chapter := range chapters {
		for i := range chapter.Attacks {
			a := &chapter.Attacks[i]
			require.True(t, slices.ContainsFunc(rows, func(row string) bool {
				return strings.Contains(row, a.Name+"<br>") && strings.HasSuffix(row, cells(outcomes, a)) || strings.HasSuffix(row, a.Name+cells(outcomes, a))
			}), "%s, %s%s", chapter.Title, a.Name, cells(outcomes, a))
		}
	}
}

// tryAll runs attacks in every mode, and returns what comes of them.
func tryAll(t *testing.T, chapters []Chapter, netHTTP bool) map[tried]Outcome {
	t.Helper()
	var (
		group    sync.WaitGroup
		mu       sync.Mutex
		outcomes = make(map[tried]Outcome)
		slots    = make(chan struct{}, parallelModes)
	)
	run := func(a *Attack, m Mode) {
		if t.Context().Err() != nil {
			return
		}
		outcome, err := a.try(t.Context(), m, netHTTP && m.Protection != Nothing)
		if err != nil {
			t.Errorf("%s, %q: it could not be tried, which proves nothing: %v", m, a.Name, err)
			return
		}
		if surprise := a.Surprise(m, outcome); surprise != "" {
			t.Errorf("%s, %q: %s", m, a.Name, surprise)
		}
		t.Logf("%s, %q: %s (%s)", m, a.Name, outcome.Detail, outcome.StoppedBy)
		mu.Lock()
		defer mu.Unlock()
		outcomes[tried{a, m}] = outcome
	}
	for _, m := range Modes() {
		if !strings.Contains(m.String(), *onlyMode) {
			continue
		}
		var busy []*Attack
		for _, chapter := range chapters {
			for i := range chapter.Attacks {
				switch a := &chapter.Attacks[i]; {
				case !a.Applies(m) || !strings.Contains(a.Name, *onlyAttack):
				case a.patient:
					group.Go(func() { run(a, m) })
				default:
					busy = append(busy, a)
				}
			}
		}
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			for _, a := range busy {
				run(a, m)
			}
		})
	}
	group.Wait()
	return outcomes
}

// try runs an attack in a mode. An error says why it could not be tried.
func (a *Attack) try(ctx context.Context, mode Mode, netHTTP bool) (outcome Outcome, err error) {
	ctx, cancel := context.WithTimeout(ctx, attackTimeout)
	defer cancel()
	// What clients connect to listens in this process all the time. On a busy machine
	// the system refused a connection nevertheless, once in some thousands.
	for range 2 {
		var e *env
		if e, err = newEnv(ctx, mode, a.setup, netHTTP); err != nil {
			return outcome, err
		}
		err = fail.Try(func() { outcome = a.run(e) })
		if err = cmp.Or(err, e.close()); !errors.Is(err, syscall.ECONNREFUSED) {
			break
		}
	}
	return outcome, err
}
