package persona

import (
	"strings"
	"testing"

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
	s, err := owned.Generate(Request{}, 1)
	require.NoError(t, err)
	require.Contains(t, string(s.AppendMarkdown(nil)), "\nplot-a-course/zog, version "+first.Version()+", MIT, Jane Roe\n")
}
