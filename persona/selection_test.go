package persona

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shelf is a catalogue with one snippet.
func shelf(t *testing.T, more ...string) *Catalogue {
	t.Helper()
	c, err := Load(nil, files(append([]string{
		"languages.toml", oneLanguage, "personas.toml", onePersona, "tasks/plot-a-course/task.toml", oneTask, "tasks/plot-a-course/zog.zog", oneSnippet,
	}, more...)...))
	require.NoError(t, err)
	return c
}

func TestASnippetsIdStaysAndItsVersionTellsWhatIsPrinted(t *testing.T) {
	first := shelf(t).Snippets()[0]
	require.Equal(t, "plot-a-course/zog", first.ID())
	require.Equal(t, first.Version(), shelf(t).Snippets()[0].Version())
	for _, changed := range [][]string{
		{"tasks/plot-a-course/zog.zog", strings.Replace(oneSnippet, "= 1", "= 2", 1)},
		{"tasks/plot-a-course/zog.zog", "// snippet:description By the stars.\n" + oneSnippet},
		{"tasks/plot-a-course/task.toml", strings.Replace(oneTask, "Plot a course", "Find a way", 1)},
	} {
		s := shelf(t, changed...).Snippets()[0]
		require.Equal(t, first.ID(), s.ID())
		require.NotEqual(t, first.Version(), s.Version(), changed)
	}
	unseen := shelf(t, "tasks/plot-a-course/zog.zog", oneSnippet+"// snippet:check\nrun\n").Snippets()[0]
	require.Equal(t, first.Version(), unseen.Version(), "the check is not printed")

	require.Equal(t, "plot-a-course/zog, version "+first.Version(), first.Provenance())
	owned := shelf(t, "catalogue.toml", "licence = \"MIT\"\nattribution = \"Jane Roe\"\n")
	require.Equal(t, "plot-a-course/zog, version "+first.Version()+", MIT, Jane Roe", owned.Snippets()[0].Provenance())
	s := ask(t, owned, 1, Request{})
	require.Contains(t, string(s.AppendMarkdown(nil)), "\nplot-a-course/zog, version "+first.Version()+", MIT, Jane Roe\n")
}

func TestWhatASnippetNeedsReadsAsASentence(t *testing.T) {
	for needs, want := range map[string]string{
		"":                                 "",
		"Go 1.26":                          "Needs Go 1.26 or later.",
		"C++23 (GCC 15, LLVM 17)":          "Needs C++23 (GCC 15, LLVM 17) or later.",
		"MATLAB R2021a":                    "Needs MATLAB R2021a or later.",
		"GNU tar":                          "Needs GNU tar.",
		"Swift 5.7 on an Apple system":     "Needs Swift 5.7 on an Apple system.",
		"an Apple system, or swift-crypto": "Needs an Apple system, or swift-crypto.",
		"Redis 6.2, redis-py 4":            "Needs Redis 6.2, redis-py 4 or later.",
	} {
		assert.Equal(t, want, (&Snippet{Language: &Language{}, Needs: needs}).Requirement())
	}
}

func TestWhatDoesNotRunAloneSaysWhatToPutItInto(t *testing.T) {
	language := &Language{Into: "Into a page.", Program: "As an .mjs file."}
	angular := []*Product{{}, {Into: "Into an app."}}
	for want, s := range map[string]Snippet{
		"Into a page.":                {},
		"Into an app.":                {About: angular},
		"Needs GNU tar. Into a page.": {Needs: "GNU tar"},
		"As an .mjs file.":            {Program: "a", About: angular},
		"Needs Node.js 22 or later. As an .mjs file.": {Needs: "Node.js 22", Output: []string{"1"}},
	} {
		s.Language = language
		assert.Equal(t, want, s.Requirement())
	}
}
