package persona

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// seaCatalogue has a library with snippets in two languages, one near to it, and a tool of no language.
func seaCatalogue(t *testing.T) *Catalogue {
	t.Helper()
	task := func(level string, weight string) string {
		return "title = \"T\"\ndescription = \"D.\"\ntags = [\"sea\"]\nlevel = \"" + level + "\"\n[[audience]]\nwhy = \"W.\"\npersonas = { captain = " + weight + " }\n"
	}
	c, err := Load(nil, files(
		"languages.toml", `language = [
	{ id = "aa", name = "Aa", ext = "ts", file = "aa", variant = [{ file = "aax", ext = "tsx" }] },
	{ id = "bb", name = "Bb", ext = "go", file = "bb" },
]`,
		"personas.toml", `persona = [{ id = "captain", name = "Captain", languages = ["bb"] }, { id = "cook", name = "Cook" }]`,
		"products.toml", `product = [
	{ name = "Sail", spelling = ["sails.js"], languages = ["aa", "bb"], personas = ["captain"] },
	{ name = "Rig", languages = ["aa"], near = "Sail" },
	{ name = "Anchor" },
	{ name = "Buoy", languages = ["aa"] },
]`,
		"tasks/plain-one/task.toml", task("beginner", "5"), "tasks/plain-one/aa.aa", "1\n", "tasks/plain-one/bb.bb", "1\n",
		"tasks/plain-two/task.toml", task("advanced", "5"), "tasks/plain-two/aa.aa", "2\n", "tasks/plain-two/bb.bb", "2\n",
		"tasks/sail-one/task.toml", task("beginner", "1"), "tasks/sail-one/aa.aax", "# snippet:about Sail\n3\n",
		"tasks/sail-two/task.toml", task("beginner", "2"), "tasks/sail-two/bb.bb", "# snippet:about Sail\n4\n",
		"tasks/anchor-one/task.toml", task("advanced", "1"), "tasks/anchor-one/bb.bb", "# snippet:about Anchor\n5\n",
	))
	require.NoError(t, err)
	return c
}

func TestSnippetsAboutWhatIsNamedComeFirst(t *testing.T) {
	c := seaCatalogue(t)
	for _, tt := range []struct {
		name, languages, personas string
		first                     []string // in any order
		notes                     []string
	}{
		{"a product", "Sail", "", []string{"sail-one/aa", "sail-two/bb"}, []string{"About Sail: 2 snippets."}},
		{"however little it is the persona's", "Sail", "cook", []string{"sail-one/aa", "sail-two/bb"}, []string{"About Sail: 2 snippets."}},
		{"a spelling of it", "sails.js", "", []string{"sail-one/aa", "sail-two/bb"}, []string{"About Sail: 2 snippets."}},
		{"in the language that is named too", "Sail, Aa", "captain", []string{"sail-one/aa"}, []string{"About Sail: 1 snippet."}},
		{"one without snippets, and its nearest", "Rig", "", []string{"sail-one/aa"}, []string{"Related to Rig: 2 snippets about Sail."}},
		{"one without language, and what its persona usually writes", "Anchor", "captain", []string{"anchor-one/bb"}, []string{"About Anchor: 1 snippet."}},
		{"one without language, beside a language that it has no snippet in", "Anchor, Aa", "", nil, []string{"The snippets about Anchor are in Bb; in what you named there is none yet."}},
		{"none at all", "Buoy", "", nil, []string{"No snippet is about Buoy yet: what follows is plain Aa, or for Sail."}},
		{"two take turns", "Sail, Anchor", "", []string{"anchor-one/bb"}, []string{"About Sail: 2 snippets.", "About Anchor: 1 snippet."}},
	} {
		s := ask(t, c, 0, Request{Languages: list(tt.languages), Personas: list(tt.personas)})
		got := ids(s)
		assert.Equal(t, tt.notes, s.Notes(), tt.name)
		for _, first := range tt.first {
			assert.Contains(t, got[:max(2, len(tt.first))], first, tt.name)
		}
		if tt.name == "in the language that is named too" {
			assert.Equal(t, tt.first[0], got[0])
			assert.NotContains(t, got, "sail-two/bb")
		}
	}
}

func TestWhoNamesAProductIsNotShownOthers(t *testing.T) {
	c := seaCatalogue(t)
	s := ask(t, c, 0, Request{Languages: []string{"Anchor", "Bb"}})
	require.Contains(t, ids(s), "anchor-one/bb")
	require.NotContains(t, ids(s), "sail-two/bb")
	require.Contains(t, ids(s), "plain-one/bb")
}

func TestWhoNamesNoProductIsShownPlainSnippetsFirst(t *testing.T) {
	s := ask(t, seaCatalogue(t), 0, Request{Languages: []string{"Bb"}, Personas: []string{"captain"}})
	got := ids(s)
	require.ElementsMatch(t, []string{"plain-one/bb", "plain-two/bb"}, got[:2])
}

func TestASnippetAboutSomethingSaysSo(t *testing.T) {
	s := ask(t, seaCatalogue(t), 1, Request{Languages: []string{"Sail", "Aa"}})
	require.Equal(t, "T (Sail)", s.Seeds[0].Name())
	require.Equal(t, []string{"Sail", "Aa", "first steps", "sea"}, s.Seeds[0].Tags())
	require.Equal(t, Form{File: "aax", Ext: "tsx", Fence: "aax"}, s.Seeds[0].Form)
	require.Contains(t, string(s.AppendMarkdown(nil)), "# Starter snippets – Sail\n")
}

func TestMistakesWithProductsAreTold(t *testing.T) {
	for want, changed := range map[string][]string{
		`tasks/plot-a-course/zog.zog:1: snippet:about: no product in products.toml is called "Sial"`: {"tasks/plot-a-course/zog.zog", "# snippet:about Sial\n1\n"},
		`products.toml:1: product "Rig": near: no product is called "Sial"`:                          {"products.toml", "[[product]]\nname = \"Rig\"\nnear = \"Sial\"\n"},
		`products.toml:1: product "Rig": on: no product is called "Sial"`:                            {"products.toml", "[[product]]\nname = \"Rig\"\non = \"Sial\"\n"},
		`tasks/plot-a-course/zog.zogx: the task has a snippet in Zog already, zog.zog: keep one`:     {"tasks/plot-a-course/zog.zogx", "1\n", "tasks/plot-a-course/zog.zog", "1\n"},
	} {
		language := oneLanguage + "variant = [{ file = \"zogx\", ext = \"zig\" }]\n"
		_, err := Load(nil, files(append([]string{"languages.toml", language, "personas.toml", onePersona, "tasks/plot-a-course/task.toml", oneTask}, changed...)...))
		require.ErrorContains(t, err, want)
	}
}

func TestALevelIsChosenByWhatThePersonSays(t *testing.T) {
	for _, tt := range []struct {
		persona string
		want    Level
	}{
		{"Junior back-end developer", beginner},
		{"Senior back-end developer", advanced},
		{"principal data engineer", advanced},
		{"I am learning Python", beginner},
	} {
		sum := func(s Selection) (n int) {
			for _, seed := range s.Seeds {
				n += seed.Task.Level.number()
			}
			return n
		}
		plain, asked := sum(generate(t, 12, "python", "back-end")), sum(generate(t, 12, "python", tt.persona))
		if tt.want == beginner {
			require.Less(t, asked, plain, tt.persona)
		} else {
			require.Greater(t, asked, plain, tt.persona)
		}
	}
}

// fewestAbout is how many snippets there are about a product that has any.
const fewestAbout = 8

func TestEnoughSnippetsAreAboutEachProduct(t *testing.T) {
	products, snippets := 0, map[*Snippet]bool{}
	for _, p := range Default().Products() {
		for _, s := range p.Snippets() {
			snippets[s] = true
		}
		switch n := len(p.Snippets()); {
		case n >= fewestAbout:
			products++
		case n > 0 && !slices.Contains([]string{"SQLite", "GitLab CI"}, p.Name):
			t.Errorf("%s: %d snippets", p.Name, n)
		}
	}
	t.Logf("%d products with %d snippets and more, %d snippets about products", products, fewestAbout, len(snippets))
}
