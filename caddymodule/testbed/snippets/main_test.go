package main

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/persona"
)

var catalogueFolder = filepath.Join("..", "..", "..", "persona", "catalogue")

func TestEveryLanguageHasARecipe(t *testing.T) {
	recipes, _, err := decodeRecipes(toolchains)
	require.NoError(t, err)
	known := map[string]bool{}
	for _, l := range persona.Default().Languages() {
		known[l.ID] = true
		var last *recipe
		for i := range recipes {
			if recipes[i].Language == l.ID {
				last = &recipes[i]
			}
		}
		require.NotNil(t, last, "%s has no recipe", l.ID)
	}
	for _, r := range recipes {
		require.True(t, known[r.Language], "%s is no language of the catalogue", r.Language)
	}
}

// bash -e ignores a command whose status is inverted, so "! cmp a b" in the middle of a script checks nothing.
func TestScriptsDoNotInvertAStatusThatNothingReads(t *testing.T) {
	require.NoError(t, fs.WalkDir(checks, "checks", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		script, err := checks.ReadFile(path)
		require.NotRegexp(t, `(?m)^\s*! `, string(script), "%s: write: if COMMAND; then exit 1; fi", path)
		return err
	}))
}

func TestTheOutputIsHeldToWhatTheSnippetPromises(t *testing.T) {
	for _, c := range []struct {
		want   []string
		output string
		err    string
	}{
		{[]string{"a", "b"}, "a\nb\n", ""},
		{[]string{"a", "  b"}, "a \t\r\n  b\n\n", ""},
		{[]string{"a", "", "b"}, "a\n\nb", ""},
		{[]string{"a"}, "a\nb\n", "differs"},
		{[]string{"a", "b"}, "a\n", "differs"},
		{[]string{"b", "a"}, "a\nb\n", "differs"},
		{nil, "a\n", "differs"},
		{[]string{"a"}, "", "prints nothing"},
		{nil, "", "prints nothing"},
	} {
		err := compare(c.want, c.output)
		if c.err == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, c.err)
	}
}

func TestABrokenSnippetFails(t *testing.T) {
	recipes, _, err := decodeRecipes([]byte(`
[[recipe]]
language = "go"
tool = "a shell that says what the file says"
how = "run"
version = ["sh", "-c", "echo 1"]
source = "main.go"
steps = [["sh", "-c", "head -n 5 main.go >&2; exit 3"]]
[[recipe]]
language = "python"
tool = "nothing"
how = "run"
version = ["a-program-that-is-not-installed"]
source = "main.py"
steps = [["a-program-that-is-not-installed"]]
`))
	require.NoError(t, err)
	c := newChecker(t, recipes)
	first := map[string]*persona.Snippet{}
	for _, s := range persona.Default().Snippets() {
		if first[s.Language.ID] == nil {
			first[s.Language.ID] = s
		}
	}
	r := c.check(context.Background(), first["go"])
	require.Equal(t, failed, r.outcome)
	require.Contains(t, r.detail, "exit status 3")
	require.Contains(t, r.detail, "package main")

	r = c.check(context.Background(), first["python"])
	require.Equal(t, unchecked, r.outcome)
	require.Contains(t, r.detail, "nothing is missing")

	r = c.check(context.Background(), first["rust"])
	require.Equal(t, unchecked, r.outcome)
	require.Contains(t, r.detail, "no recipe")

	var out strings.Builder
	require.False(t, table(&out, persona.Default(), []result{r}), "unchecked is not good enough")
}

func TestSnippetsAreRunOnTheLowestVersionThatTheyName(t *testing.T) {
	recipes, rules, err := decodeRecipes([]byte(`
[[lowest]]
language = "go"
needs = '^Go (?P<version>[\d.]+)$'
install = ["test", "{version}", "!=", "1.23"]
env = { LOWEST = "{version}" }
replace = { pinned = "word-{version}" }
[[recipe]]
language = "go"
tool = "a shell that says what it was given"
how = "run"
version = ["true"]
source = "main.go"
steps = [["sh", "-c", "echo env-$LOWEST $0 >&2; exit 3", "pinned"]]
`))
	require.NoError(t, err)
	c := newChecker(t, recipes)
	first := map[string]*persona.Snippet{}
	for _, s := range persona.Default().Snippets() {
		if first[s.Needs] == nil && s.Language.ID == "go" {
			first[s.Needs] = s
		}
	}
	var out strings.Builder
	require.False(t, c.checkLowest(context.Background(), &out, rules, []*persona.Snippet{first["Go 1.22"], first["Go 1.23"], first[""]}))
	require.Contains(t, out.String(), "FAILED "+first["Go 1.22"].Path+" on Go 1.22\n\tsh: exit status 3\n\tenv-1.22 word-1.22\n")
	require.Contains(t, out.String(), "1 of go: Go 1.23: its registry has it not, or not for this system\nlowest versions: 0 passed, 1 failed, 1 could not be had\n")
}

func newChecker(t *testing.T, recipes []recipe) *checker {
	return &checker{catalogue: catalogueFolder, tools: t.TempDir(), cache: t.TempDir(), recipes: recipes, versions: map[string]func() (string, error){}}
}

// The fast subset: of each language whose toolchain a developer's machine has,
// as many snippets as fit into a few seconds, of those that need nothing else. All
// of them: make verify-snippets.
func TestSnippetsOfCommonToolchainsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("runs programs")
	}
	recipes, _, err := decodeRecipes(toolchains)
	require.NoError(t, err)
	for _, subset := range []struct {
		language string
		share    int      // one snippet of so many
		present  []string // whether this machine has what they need
	}{
		{"python", 4, []string{"python3", "-c", "import sys; sys.exit(sys.version_info < (3, 11))"}},
		{"javascript", 4, []string{"node", "-e", "process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)"}},
		{"bash", 8, []string{"bash", "-c", "command -v awk column git jq openssl sqlite3"}},
		{"go", 12, []string{"go", "version"}},
	} {
		t.Run(subset.language, func(t *testing.T) {
			t.Parallel()
			deadline := time.Now().Add(20 * time.Second)
			c := newChecker(t, onlyRun(recipes, subset.present))
			n := 0
			for i, s := range persona.Default().Snippets() {
				if s.Language.ID != subset.language || len(s.About) > 0 || strings.Contains(s.Path, "/dom-") || i%subset.share != 0 || time.Now().After(deadline) {
					continue
				}
				switch r := c.check(context.Background(), s); r.outcome {
				case unchecked:
					t.Skip(r.detail)
				case failed:
					t.Errorf("%s: %s", s.Path, r.detail)
				default:
					n++
				}
			}
			t.Logf("%d snippets", n)
		})
	}
}

// onlyRun leaves of each recipe the step that runs the snippet: linters and
// formatters are not on every machine.
func onlyRun(recipes []recipe, present []string) []recipe {
	var out []recipe
	for _, r := range recipes {
		r.Steps = r.Steps[len(r.Steps)-1:]
		r.Shown = shown{}
		r.Version = present
		out = append(out, r)
	}
	return out
}

func TestEverySnippetHasARowInTheReview(t *testing.T) {
	src, err := os.ReadFile("review.tsv")
	require.NoError(t, err)
	missing := map[string]bool{}
	for _, s := range persona.Default().Snippets() {
		missing[s.Path] = true
	}
	findings := map[string]int{}
	for line := range strings.Lines(string(src)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		path, finding, _ := strings.Cut(strings.TrimSpace(line), "\t")
		finding, sentences, read := strings.Cut(finding, "\t")
		require.True(t, missing[path], "%s is no snippet, or has two rows", path)
		require.Regexp(t, `^((clean|mended|open)(: .+)?|unread)$`, finding, path)
		if read {
			require.Regexp(t, `^(true|mended: .+)$`, sentences, path)
			word, _, _ := strings.Cut(sentences, ":")
			findings["sentences "+word]++
		}
		delete(missing, path)
		word, _, _ := strings.Cut(finding, ":")
		findings[word]++
	}
	for path := range missing {
		t.Errorf("%s has no row in review.tsv: let somebody who did not write it read it, or say that it is unread", path)
	}
	t.Log(findings)
}

func TestAUsageNeedsNoFileThatOnlyTheVerifierHas(t *testing.T) {
	recipes, _, err := decodeRecipes(toolchains)
	require.NoError(t, err)
	shown := 0
	for _, s := range persona.Default().Snippets() {
		if s.Program == "" {
			continue
		}
		shown++
		source, err := os.ReadFile(filepath.Join(catalogueFolder, filepath.FromSlash(s.Path)))
		require.NoError(t, err)
		require.Empty(t, recipeFor(recipes, s.Language.ID, string(source)).imported(s.Program), s.Path)
	}
	t.Logf("%d snippets have a usage", shown)
	redis := recipeFor(recipes, "python", "# snippet:about Redis")
	require.Equal(t, "server.py", redis.imported("import redis\nimport server\n"))
	require.Empty(t, redis.imported("import redis\nserver = 1\n"))
}

func TestNineInTenAreProved(t *testing.T) {
	recipes, _, err := decodeRecipes(toolchains)
	require.NoError(t, err)
	counts := map[string]int{}
	snippets := persona.Default().Snippets()
	for _, s := range snippets {
		source, err := os.ReadFile(filepath.Join(catalogueFolder, filepath.FromSlash(s.Path)))
		require.NoError(t, err)
		r := recipeFor(recipes, s.Language.ID, string(source))
		require.NotNil(t, r, s.Path)
		counts[r.How]++
	}
	t.Log(counts)
	require.GreaterOrEqual(t, float64(counts[howRun]+counts[howLint])/float64(len(snippets)), 0.9)
}
