// Verify runs every snippet of the catalogue through its language's own
// toolchain and prints a table: language, snippets, passed, failed, unchecked, how.
// It fails if any snippet failed or could not be checked.
//
//	go run ./snippets                     # everything
//	go run ./snippets -lang go,python     # some languages
//	go run ./snippets -task log-summary   # some tasks
//	go run ./snippets -lowest             # on the lowest versions that snippets need
//
// The toolchains come from install.sh beside this file, toolchains.toml says
// how they are used. Successes are remembered by the content of the snippet, the
// recipe and the tool's version, so that only what changed is run again.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
	"github.com/identity-gateway/caddy-identity-gateway/persona"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ok, err := run(ctx, os.Args[1:], os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "verify:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) (_ bool, err error) {
	defer fail.Catch(&err)
	flags := flag.NewFlagSet("verify", flag.ContinueOnError)
	languages := flags.String("lang", "", "only these languages: ids, separated by commas")
	tasks := flags.String("task", "", "only these tasks: names of their folders, separated by commas")
	onLowest := flags.Bool("lowest", false, "on the lowest versions that snippets need, instead of the pinned ones")
	fail.Check(flags.Parse(args))
	recipes, rules, err := decodeRecipes(toolchains)
	if err != nil {
		return false, fmt.Errorf("toolchains.toml: %w", err)
	}
	catalogue := filepath.Join("..", "..", "persona", "catalogue")
	c := fail.Must(persona.Load(nil, os.DirFS(catalogue)))
	cache := defaultFolder("PERSONA_VERIFIED", "persona-verified")
	fail.Check(os.MkdirAll(cache, 0o755))
	tools := fail.Must(filepath.Abs(defaultFolder("PERSONA_TOOLS", "persona-tools")))
	fail.Check(useTools(tools))
	snippets := slices.DeleteFunc(c.Snippets(), func(s *persona.Snippet) bool {
		return !listed(*languages, s.Language.ID) || !listed(*tasks, s.Task.ID)
	})
	if len(snippets) == 0 {
		return false, fmt.Errorf("no snippet has language %q and task %q", *languages, *tasks)
	}
	check := &checker{catalogue: catalogue, tools: tools, cache: cache, recipes: recipes, versions: map[string]func() (string, error){}}
	if *onLowest {
		return check.checkLowest(ctx, out, rules, snippets), ctx.Err()
	}
	results := checkAll(ctx, check, snippets, func(r result) {
		if r.outcome == failed {
			fmt.Fprintf(out, "FAILED %s\n\t%s\n", r.snippet.Path, strings.ReplaceAll(strings.TrimSpace(r.detail), "\n", "\n\t"))
		}
	})
	return table(out, c, results), ctx.Err()
}

// listed reports whether id is in the list, or the list is empty.
func listed(list, id string) bool {
	return list == "" || slices.Contains(strings.Split(list, ","), id)
}

// defaultFolder is the environment's choice, or a folder in the user's cache.
func defaultFolder(variable, name string) string {
	if folder := os.Getenv(variable); folder != "" {
		return folder
	}
	folder, err := os.UserCacheDir()
	if err != nil {
		folder = os.TempDir()
	}
	return filepath.Join(folder, "caddy-identity-gateway", name)
}

// checkAll checks as many snippets at once as there are processors, and reports each
// as soon as it is done, one at a time. The results are in the snippets' order.
func checkAll(ctx context.Context, c *checker, snippets []*persona.Snippet, done func(result)) []result {
	results := make([]result, len(snippets))
	next := make(chan int)
	var workers sync.WaitGroup
	var telling sync.Mutex
	for range runtime.NumCPU() {
		workers.Go(func() {
			for i := range next {
				results[i] = c.check(ctx, snippets[i])
				telling.Lock()
				done(results[i])
				telling.Unlock()
			}
		})
	}
	for i := range snippets {
		next <- i
	}
	close(next)
	workers.Wait()
	return results
}

// table prints a row for each language and way of checking, and reports whether all passed.
func table(out io.Writer, c *persona.Catalogue, results []result) bool {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "LANGUAGE\tSNIPPETS\tPASSED\tFAILED\tUNCHECKED\tHOW\tTOOL")
	type row struct {
		how, tool string
		counts    [3]int
	}
	var total [3]int
	for _, language := range c.Languages() {
		var rows []*row
		reasons := map[string]bool{}
		for _, r := range results {
			if r.snippet.Language.ID != language.ID {
				continue
			}
			how, tool := "-", "-"
			if r.recipe != nil {
				how, tool = r.recipe.How, r.recipe.Tool
			}
			i := slices.IndexFunc(rows, func(x *row) bool { return x.how == how && x.tool == tool })
			if i < 0 {
				rows = append(rows, &row{how: how, tool: tool})
				i = len(rows) - 1
			}
			rows[i].counts[r.outcome]++
			total[r.outcome]++
			if r.outcome == unchecked {
				reasons[r.detail] = true
			}
		}
		for _, x := range rows {
			n := x.counts[passed] + x.counts[failed] + x.counts[unchecked]
			fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%s\t%s\n", language.ID, n, x.counts[passed], x.counts[failed], x.counts[unchecked], x.how, x.tool)
		}
		for reason := range reasons {
			line, _, _ := strings.Cut(reason, "\n")
			fmt.Fprintf(w, "\t\t\t\t\t\t%s\n", line)
		}
	}
	fmt.Fprintf(w, "all\t%d\t%d\t%d\t%d\t\t\n", len(results), total[passed], total[failed], total[unchecked])
	w.Flush()
	return total[failed] == 0 && total[unchecked] == 0
}
