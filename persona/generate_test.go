package persona

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func generate(t *testing.T, limit int, languages, personas string) Selection {
	t.Helper()
	return ask(t, Default(), limit, Request{Languages: list(languages), Personas: list(personas)})
}

func ask(t *testing.T, c *Catalogue, limit int, r Request) Selection {
	t.Helper()
	s, err := c.Generate(r, limit)
	require.NoError(t, err)
	return s
}

func list(names string) []string {
	if names == "" {
		return nil
	}
	return strings.Split(names, ", ")
}

func TestTheSameRequestHasTheSameResult(t *testing.T) {
	again, err := Load(nil, embeddedFS())
	require.NoError(t, err)
	request := Request{Languages: []string{"Go", "Python"}, Personas: []string{"SRE", "student"}}
	a := ask(t, Default(), 12, request)
	b := ask(t, again, 12, request)
	require.Equal(t, string(a.AppendMarkdown(nil)), string(b.AppendMarkdown(nil)))
}

func TestASeedIsAboutWhatWasAskedFor(t *testing.T) {
	s := generate(t, 12, "Golang, .py", "SRE")
	require.Len(t, s.Seeds, 12)
	for _, seed := range s.Seeds {
		require.Contains(t, []string{"go", "python"}, seed.Language.ID)
		require.Equal(t, "sre", seed.Persona.ID)
		require.GreaterOrEqual(t, seed.Task.weight(seed.Persona), fittingWeight)
		require.NotEmpty(t, seed.Why())
	}
}

func TestEveryLanguageAndPersonaHasASeedBeforeAnyHasASecond(t *testing.T) {
	for _, c := range []struct{ languages, personas string }{
		{"go, python", "sre"},
		{"python", "student, dba, game developer"},
		{"javascript, python, go, rust", "front-end, data scientist, embedded, security"},
		{"python, javascript", "full-stack, back-end, front-end, mobile, desktop, embedded, game, data engineer, data scientist, dba"},
		{"", "sre, student, game developer"},
	} {
		s := generate(t, 12, c.languages, c.personas)
		languages, personas := map[*Language]int{}, map[*Persona]int{}
		for i, seed := range s.Seeds {
			name := fmt.Sprintf("%v seed %d", c, i)
			for _, l := range s.Languages {
				require.GreaterOrEqual(t, 1+languages[l], languages[seed.Language], name)
			}
			for _, p := range s.Personas {
				require.GreaterOrEqual(t, 1+personas[p], personas[seed.Persona], name)
			}
			languages[seed.Language]++
			personas[seed.Persona]++
		}
		for _, l := range s.Languages {
			require.NotZero(t, languages[l], "%v: %s", c, l.ID)
		}
		for _, p := range s.Personas {
			require.NotZero(t, personas[p], "%v: %s", c, p.ID)
		}
	}
}

func TestASelectionIsDiverse(t *testing.T) {
	for _, c := range []struct{ languages, personas string }{
		{"", ""}, {"python", ""}, {"python, go", "back-end"}, {"", "hobbyist"}, {"javascript", "student, qa"},
	} {
		tasks, levels := map[string]int{}, map[Level]int{}
		s := generate(t, 12, c.languages, c.personas)
		for _, seed := range s.Seeds {
			tasks[seed.Task.ID]++
			levels[seed.Task.Level]++
		}
		require.Len(t, tasks, len(s.Seeds), "%v: no task twice", c)
		require.Greater(t, len(levels), 1, "%v: more than one level", c)
	}
}

func TestWithoutPersonasItIsForAnybody(t *testing.T) {
	s := generate(t, 6, "rust", "")
	require.Len(t, s.Seeds, 6)
	require.Empty(t, s.Personas)
	for _, seed := range s.Seeds {
		require.Nil(t, seed.Persona)
		require.Empty(t, seed.Why())
		require.Equal(t, "rust", seed.Language.ID)
	}
}

func TestWithoutLanguagesItIsWhatThePersonaUsuallyWrites(t *testing.T) {
	s := generate(t, 12, "", "data scientist")
	require.NotEmpty(t, s.Seeds)
	for _, seed := range s.Seeds {
		require.Contains(t, seed.Persona.Languages, seed.Language.ID)
	}
}

func TestWithoutAnythingItIsTheGeneralSelection(t *testing.T) {
	general := generate(t, 0, "", "")
	require.Len(t, general.Seeds, DefaultLimit)
	require.Equal(t, "Starter snippets", general.heading())
	require.Equal(t, general.Seeds, generate(t, 0, "Klingon", "astronaut").Seeds, "nothing understood")
}

func TestDuplicatesCollapse(t *testing.T) {
	require.Equal(t, generate(t, 12, "go", "sre"), generate(t, 12, "Go, golang, .go, go", "SRE, sre, site reliability engineers"))
}

func TestWhatIsNotUnderstoodIsSkipped(t *testing.T) {
	s := generate(t, 12, "Klingon, go, 🚀, Pythonista", "astronaut, sre,  , hardwear engineer")
	require.Equal(t, "go", languageIDs(s))
	require.Equal(t, []Unknown{
		{Field: "languages", Name: "Klingon"},
		{Field: "languages", Name: "🚀"},
		{Field: "languages", Name: "Pythonista", Nearest: []string{"Python"}},
		{Field: "personas", Name: "astronaut"},
	}, s.Unknown)
}

func TestTheLimitIsKept(t *testing.T) {
	for _, limit := range []int{1, 2, 5, 12, 30} {
		require.Len(t, generate(t, limit, "python, javascript", "student, back-end").Seeds, limit)
	}
	require.Len(t, generate(t, -1, "python", "").Seeds, DefaultLimit)
	all := generate(t, 1_000_000, "python", "").Seeds
	seen := map[*Snippet]bool{}
	for _, seed := range all {
		require.False(t, seen[seed.Snippet], "%s twice", seed.Path)
		seen[seed.Snippet] = true
	}
}

func TestRequestsOutOfBoundsAreRefused(t *testing.T) {
	many := make([]string, maxNames+1)
	for _, c := range []struct {
		request Request
		want    string
	}{
		{Request{Languages: many}, "languages: 65 names given, at most 64 are accepted"},
		{Request{Personas: many}, "personas: 65 names given, at most 64 are accepted"},
		{Request{Personas: []string{"sre", strings.Repeat("x", maxNameBytes+1)}}, "personas[1]: the name has 257 bytes, at most 256 are accepted"},
	} {
		_, err := Default().Generate(c.request, 12)
		var outOfBounds *RequestError
		require.ErrorAs(t, err, &outOfBounds)
		require.EqualError(t, err, c.want)
	}
	ask(t, Default(), 12, Request{Languages: many[1:], Personas: []string{strings.Repeat("x", maxNameBytes)}})
}

func TestMarkdownIsAPageForATerminal(t *testing.T) {
	c, err := Load(nil, files("languages.toml", oneLanguage, "personas.toml", onePersona,
		"tasks/plot-a-course/task.toml", strings.Replace(oneTask, "From here to there.", strings.Repeat("From here to there, by way of many islands. ", 3), 1),
		"tasks/plot-a-course/zog.zog", "// snippet:doc https://example.com/course Course\n// ```\nconst a = 1;\n"))
	require.NoError(t, err)
	s := ask(t, c, 0, Request{Languages: []string{"zog"}, Personas: []string{"captain"}})
	require.Equal(t, "# Starter snippets for: Captain – Zog\n"+
		"\n> Ahoy.\n"+
		"\n## 1. Plot a course (Zog)\n"+
		"\nFrom here to there, by way of many islands. From here to there, by way of many\nislands. From here to there, by way of many islands.\n"+
		"\n**Captain:** Rocks.\n"+
		"\n````zog\n// ```\nconst a = 1;\n````\n"+
		"\nSee also: [Course](https://example.com/course)\n"+
		"\n"+s.Seeds[0].Provenance()+"\n", string(s.AppendMarkdown(nil)))
	used, err := Load(c, files("tasks/plot-a-course/zog.zog", "// snippet:needs a sail\nconst a = 1;\n// snippet:usage\nlog(a);\n// snippet:prints ```1\n"))
	require.NoError(t, err)
	s = ask(t, used, 0, Request{Languages: []string{"zog"}})
	require.Contains(t, string(s.AppendMarkdown(nil)), "\n```zog\nconst a = 1;\n\n// Usage:\nlog(a);\n```\n\nPrints:\n\n````text\n```1\n````\n")
	s.CodeOnly = true
	require.Contains(t, string(s.AppendMarkdown(nil)), "\n```zog\nconst a = 1;\n```\n\nplot-a-course/zog, version ")
	require.Equal(t, "# Starter snippets\n\nThe catalogue has nothing for this selection yet.\n", string(Selection{}.AppendMarkdown(nil)))
}

func FuzzGenerate(f *testing.F) {
	f.Add("Go", "Python", "SRE", "student", 12)
	f.Add("C/C++", "HTML, CSS", "Developer, back-end", "ML engineer", 3)
	f.Add("", "\xff", "\x00", "開発者", -4)
	f.Fuzz(func(t *testing.T, l1, l2, p1, p2 string, limit int) {
		s, err := Default().Generate(Request{Languages: []string{l1, l2}, Personas: []string{p1, p2}}, limit)
		if err != nil {
			require.IsType(t, &RequestError{}, err)
			return
		}
		require.NotEmpty(t, s.Seeds)
		if limit > 0 {
			require.LessOrEqual(t, len(s.Seeds), limit)
		}
	})
}
