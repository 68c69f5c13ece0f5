package persona

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	fewestUsual = 4  // of the first twelve snippets that are about what most people use
	fewestPairs = 60 // of language and role
)

// usualGaps are pairs whose products have too few snippets in the language yet.
var usualGaps = map[string]bool{
	"javascript mobile": true, "javascript qa": true, "kotlin back-end": true,
}

func TestTheUsualPersonGetsWhatTheyUse(t *testing.T) {
	src, err := os.ReadFile("testdata/usual.tsv")
	require.NoError(t, err)
	var out strings.Builder
	pairs := 0
	for line := range strings.Lines(string(src)) {
		if strings.HasPrefix(line, "#") {
			out.WriteString(line)
			continue
		}
		fields := strings.Split(strings.TrimSpace(line), "\t")
		require.GreaterOrEqual(t, len(fields), 3, line)
		s := generate(t, DefaultLimit, fields[0], fields[1])
		require.Equal(t, fields[0]+" "+fields[1], languageIDs(s)+" "+personaIDs(s))
		var shown []string
		all := 0
		for _, name := range strings.Split(fields[2], ", ") {
			n := 0
			for _, seed := range s.Seeds {
				if slices.ContainsFunc(seed.About, func(p *Product) bool { return p.Name == name }) {
					n++
				}
			}
			if n > 0 {
				shown = append(shown, fmt.Sprintf("%s %d", name, n))
			}
			all += n
		}
		pairs++
		if pair := fields[0] + " " + fields[1]; fields[2] != "=" && !usualGaps[pair] {
			assert.GreaterOrEqual(t, all, fewestUsual, "%s: %v", pair, ids(s))
		}
		out.WriteString(strings.TrimRight(strings.Join(fields[:3], "\t")+"\t"+strings.Join(shown, ", "), "\t") + "\n")
	}
	require.GreaterOrEqual(t, pairs, fewestPairs)
	golden(t, "usual.tsv", []byte(out.String()))
}

func TestLearnersAreShownWhatIsEasyFirst(t *testing.T) {
	for _, language := range []string{"python", "java", "javascript", "c", "html", "sql", "go"} {
		for _, persona := range []string{"student", "junior developer, learning", "I am learning to code"} {
			s := generate(t, DefaultLimit, language, persona)
			require.Equal(t, beginner, s.Seeds[0].Task.Level, language)
			for i, seed := range s.Seeds[1:] {
				if seed.isNotAbout() == s.Seeds[i].isNotAbout() {
					require.GreaterOrEqual(t, seed.Task.level, s.Seeds[i].Task.level, "%s for %s: %v", language, persona, ids(s))
				}
				require.NotEqual(t, advanced, seed.Task.Level, "%s for %s", language, persona)
			}
		}
	}
}

func TestEveryLanguageHasAPlaceOrIsNamed(t *testing.T) {
	var names []string
	for _, l := range Default().languages[:20] {
		names = append(names, l.Name)
	}
	slices.Reverse(names)
	for _, n := range []int{5, 12, 20} {
		s := ask(t, Default(), DefaultLimit, Request{Languages: names[:n]})
		absent := s.Absent
		for _, seed := range s.Seeds {
			absent = appendNew(absent, seed.Language.Name)
		}
		require.ElementsMatch(t, names[:n], absent)
		require.Len(t, s.Absent, max(0, n-DefaultLimit))
		if n > DefaultLimit {
			require.Equal(t, names[DefaultLimit:n], s.Absent, "those named first have a place")
			require.Equal(t, []string{"No place was left for " + and(s.Absent) + ": name fewer languages at once."}, s.Notes())
		}
	}
}

func TestWhatIsNamedMostHasSnippetsOrAReason(t *testing.T) {
	src, err := os.ReadFile("testdata/most-named.tsv")
	require.NoError(t, err)
	named := 0
	for line := range strings.Lines(string(src)) {
		name, reason, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(name, "#") {
			continue
		}
		i := slices.IndexFunc(Default().products, func(p *Product) bool { return p.Name == name })
		require.GreaterOrEqual(t, i, 0, name)
		n := len(Default().products[i].snippets)
		assert.Equal(t, n < fewestAbout, reason != "", "%s has %d snippets", name, n)
		named++
	}
	require.GreaterOrEqual(t, named, 50)
}

func TestAdvertisedTitlesAreServed(t *testing.T) {
	src, err := os.ReadFile("testdata/advertisements.tsv")
	require.NoError(t, err)
	var out strings.Builder
	for line := range strings.Lines(string(src)) {
		title, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(title, "#") {
			out.WriteString(line)
			continue
		}
		s := ask(t, Default(), DefaultLimit, Request{Personas: []string{title}})
		require.NotEmpty(t, s.Personas, title)
		var subjects []string
		counts := map[string]int{}
		for _, seed := range s.Seeds {
			subjects = appendNew(subjects, seed.subject())
			counts[seed.subject()]++
		}
		for i, subject := range subjects {
			subjects[i] = fmt.Sprintf("%s %d", subject, counts[subject])
		}
		told := slices.DeleteFunc(s.Notes(), func(note string) bool { return strings.HasPrefix(note, "About ") })
		out.WriteString(strings.Join([]string{title, strings.TrimSpace(languageIDs(s) + " / " + personaIDs(s)), strings.Join(subjects, ", "), strings.Join(told, " ")}, "\t") + "\n")
	}
	golden(t, "advertisements.tsv", []byte(out.String()))
}
