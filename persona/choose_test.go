package persona

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func ids(s Selection) []string {
	var ids []string
	for _, seed := range s.Seeds {
		ids = append(ids, seed.ID())
	}
	return ids
}

func choose(t *testing.T, c *Catalogue, r Request) []string {
	t.Helper()
	s := ask(t, c, DefaultLimit, r)
	return ids(s)
}

func TestWhatIsExcludedIsNotChosen(t *testing.T) {
	request := Request{Languages: []string{"Go"}, Personas: []string{"SRE"}}
	first := choose(t, Default(), request)
	request.Exclude = append([]string{"no-such/snippet"}, first...)
	second := choose(t, Default(), request)
	require.Greater(t, len(second), len(first)/2)
	for _, id := range second {
		require.NotContains(t, first, id)
	}
	request.Exclude = make([]string, maxExcluded+1)
	_, err := Default().Generate(request, 1)
	require.EqualError(t, err, "exclude: 257 names given, at most 256 are accepted")
}

func TestAnotherChoiceDiffersAndIsTheSameEachTime(t *testing.T) {
	for _, request := range []Request{{}, {Languages: []string{"Python"}}, {Personas: []string{"data scientist"}}, {Languages: []string{"Go"}, Personas: []string{"SRE"}}} {
		usual := choose(t, Default(), request)
		for choice := range uint32(4) {
			request.Choice = choice + 1
			other := choose(t, Default(), request)
			require.Equal(t, other, choose(t, Default(), request))
			same := 0
			for _, id := range other {
				if slices.Contains(usual, id) {
					same++
				}
			}
			require.LessOrEqual(t, same, 10, "%+v", request)
		}
	}
}

func TestWhatIsPinnedComesFirst(t *testing.T) {
	const task = "title = \"House rules\"\ndescription = \"How we do it here. So there.\"\ntags = [\"house\"]\nlevel = \"advanced\"\npin = true\n\n[[audience]]\nwhy = \"Ours.\"\npersonas = { sre = 2 }\n"
	c, err := Load(Default(), files("tasks/house-rules/task.toml", task, "tasks/house-rules/go.go", "package house\n", "tasks/house-rules/python.py", "pass\n"))
	require.NoError(t, err)
	for _, request := range []Request{
		{}, {Languages: []string{"Go"}}, {Personas: []string{"SRE"}}, {Languages: []string{"Go", "Kubernetes"}, Personas: []string{"junior SRE", "student"}},
	} {
		require.True(t, strings.HasPrefix(choose(t, c, request)[0], "house-rules/"), "%+v", request)
	}
	require.Equal(t, []string{"house-rules/go", "house-rules/python"}, choose(t, c, Request{Languages: []string{"Python", "Go"}, Personas: []string{"SRE"}})[:2])
	require.NotContains(t, choose(t, c, Request{Languages: []string{"Go"}, Personas: []string{"student"}}), "house-rules/go", "it is for others")
	require.NotContains(t, choose(t, c, Request{Languages: []string{"Rust"}}), "house-rules/go")
}

func TestJuniorAndSeniorAreShownDifferentSnippets(t *testing.T) {
	for _, who := range []string{"Kubernetes engineer", "React developer", "Go developer"} {
		levels := map[string]map[Level]bool{}
		for _, level := range []string{"junior", "senior"} {
			levels[level] = map[Level]bool{}
			s := generate(t, DefaultLimit, "", level+" "+who)
			require.NotEmpty(t, s.Seeds)
			for _, seed := range s.Seeds {
				levels[level][seed.Task.Level] = true
			}
		}
		require.False(t, levels["junior"][advanced], who)
		require.False(t, levels["senior"][beginner], who)
	}
}

func TestSimilarPeopleAreShownDifferentSnippets(t *testing.T) {
	for languages, most := range map[string]int{"": 6, "Python": 9} {
		scientist, engineer := ids(generate(t, DefaultLimit, languages, "data scientist")), ids(generate(t, DefaultLimit, languages, "machine learning engineer"))
		same := 0
		for _, id := range engineer {
			if slices.Contains(scientist, id) {
				same++
			}
		}
		require.LessOrEqual(t, same, most, engineer)
	}
}
