package persona

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

const (
	fewestTasks     = 60
	fewestSnippets  = 700
	fewestPersonas  = 20
	fewestLanguages = 30
	busiest         = 12 // languages, with
	fewestOfBusiest = 28 // snippets each
	fewestOfPair    = 5  // snippets of a language that are really about a persona
	fewestOfAny     = 9  // snippets of a language
)

// promised reports whether a language promises enough to a persona: the busiest do to everybody, others to those who usually
// write them.
func promised(language *Language, persona *Persona) bool {
	return language.index < busiest || slices.Contains(persona.Languages, language.ID)
}

func TestEverySnippetRunsOrSaysWhatToPutItInto(t *testing.T) {
	for _, s := range Default().snippets {
		if s.HasHidden {
			assert.True(t, s.Program != "" || s.Output != nil || s.into() != "", s.Path)
		}
	}
}

func TestWhatAFrameworkRunsIsToldToBeRunByIt(t *testing.T) {
	for id, with := range map[string]string{
		"pytest-approx/python": "pytest", "vitest-each/typescript": "npx vitest", "junit-temp-dir/java": "tests",
		"express-node-test/javascript": "node --test", "flutter-widget-test/dart": "flutter test",
	} {
		s := Default().byID[id]
		assert.NotEmpty(t, s.Prints, id)
		assert.Empty(t, s.Output, "%s: the verifier's runner prints that", id)
		assert.Contains(t, s.Requirement(), with, id)
	}
	assert.NotEmpty(t, Default().byID["pandas-group-summary/python"].Output) // which runs alone
	assert.NotEmpty(t, Default().byID["mandelbrot-ascii/sql"].Output)
}

// What a language does not bring along has to be installed or linked.
func TestALibraryFromElsewhereIsNamed(t *testing.T) {
	for of, library := range map[string]struct{ used, name string }{
		"haskell/QuickCheck":    {"import Test.QuickCheck", "QuickCheck"},
		"haskell/async":         {"import Control.Concurrent.Async", "async"},
		"clojure/core.async":    {"[clojure.core.async ", "core.async"},
		"clojure/data.json":     {"[clojure.data.json ", "data.json"},
		"clojure/tools.cli":     {"[clojure.tools.cli ", "tools.cli"},
		"swift/argument-parser": {"import ArgumentParser", "swift-argument-parser"},
		"ocaml/threads":         {"Thread.", "-thread -package threads.posix"},
		"kotlin/coroutines":     {"import kotlinx.coroutines", "coroutines"},
		"python/httpx":          {"fastapi.testclient import", "fastapi[standard]"}, // which brings it along
		"python/client of HTTP": {"import httpx", "httpx"},
		"python/Azure's blobs":  {"from azure.storage.blob", "azure-storage-blob"},
		"python/Azure's queues": {"from azure.storage.queue", "azure-storage-queue"},
		"python/Azure's tables": {"from azure.data.tables", "azure-data-tables"},
		"python/Google's blobs": {"from google.cloud.storage", "google-cloud-storage"},
		"r/digest":              {"digest::", "digest"},
	} {
		language, _, _ := strings.Cut(of, "/")
		found := false
		for _, s := range Default().snippets {
			if s.Language.ID != language || len(s.About) > 0 && language != "python" || !strings.Contains(s.program(), library.used) {
				continue
			}
			found = true
			assert.Contains(t, s.Requirement(), library.name, s.Path)
		}
		assert.True(t, found, "%s: no snippet uses it", of)
	}
}

// A variable of the environment that the code cannot do without is named, above it or by its error.
func TestAVariableOfTheEnvironmentIsNamed(t *testing.T) {
	read := regexp.MustCompile(`(?:os\.environ\[["']|process\.env\.)([A-Z0-9_]+)["'\]]*( \?\?| = )?`)
	found := 0
	for _, s := range Default().snippets {
		for _, variable := range read.FindAllStringSubmatch(s.program(), -1) {
			if variable[2] != "" || strings.Contains(s.program(), variable[1]+" is not set") {
				continue // has a default, is set here, or is asked for
			}
			found++
			assert.Contains(t, s.Requirement(), variable[1], s.Path)
		}
	}
	assert.NotZero(t, found)
}

func TestTheCatalogueIsAsLargeAsPromised(t *testing.T) {
	c := Default()
	require.GreaterOrEqual(t, len(c.languages), fewestLanguages)
	require.GreaterOrEqual(t, len(c.personas), fewestPersonas)
	require.GreaterOrEqual(t, len(c.snippets), fewestSnippets)
	tasks, snippets := map[*Task]bool{}, map[*Language]int{}
	for _, s := range c.snippets {
		tasks[s.Task] = true
		snippets[s.Language]++
	}
	require.GreaterOrEqual(t, len(tasks), fewestTasks)
	for _, language := range c.languages[:busiest] {
		assert.GreaterOrEqual(t, snippets[language], fewestOfBusiest, language.ID)
	}
	for _, language := range c.languages {
		assert.GreaterOrEqual(t, snippets[language], fewestOfAny, language.ID)
	}
}

// headings counts the headings of snippets on a page; "##" alone is a comment in some languages.
func headings(page string) int {
	n := 0
	for line := range strings.Lines(page) {
		if rest, ok := strings.CutPrefix(line, "## "); ok && strings.HasPrefix(rest, strconv.Itoa(n+1)+". ") {
			n++
		}
	}
	return n
}

func TestEveryLanguageAndPersonaHaveEnoughThatIsAboutBoth(t *testing.T) {
	for _, language := range Default().languages {
		for _, persona := range Default().personas {
			s := ask(t, Default(), DefaultLimit, Request{Languages: []string{language.Name}, Personas: []string{persona.Name}})
			about := 0
			for i, seed := range s.Seeds {
				require.Equal(t, language.ID, seed.Language.ID)
				require.Equal(t, persona.ID, seed.Persona.ID)
				if weight := seed.Task.weight(persona); weight >= aboutWeight {
					about++
					require.Equal(t, about, i+1, "%s for %s: what is about both comes first", language.ID, persona.ID)
				}
			}
			require.GreaterOrEqual(t, len(s.Seeds), fewestOfPair, "%s for %s", language.ID, persona.ID)
			if promised(language, persona) {
				require.GreaterOrEqual(t, about, fewestOfPair, "%s for %s", language.ID, persona.ID)
			}
			page := string(s.AppendMarkdown(nil))
			require.Equal(t, len(s.Seeds), headings(page), page)
			require.Contains(t, page, persona.Tone)
		}
	}
}

func TestTheCatalogueGetsNoAdvice(t *testing.T) {
	for _, p := range Lint(nil, embeddedFS()) {
		t.Error(p)
	}
}

func TestOurClassifierAgreesWithTheDeclaredLanguages(t *testing.T) {
	agreed := 0
	for _, s := range Default().Snippets() {
		if c := segment.Default().Classify(s.Code); c.Language.Specific() == s.Form.Ext {
			agreed++
		} else {
			t.Logf("%s: %s (%.2f)", s.Path, c.Language, c.Confidence)
		}
	}
	share := float64(agreed) / float64(len(Default().snippets))
	t.Logf("%d of %d, %.1f %%", agreed, len(Default().snippets), 100*share)
	require.GreaterOrEqual(t, share, 0.97)
}
