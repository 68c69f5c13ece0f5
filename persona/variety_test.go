package persona

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// What pages may share. Where a language or a persona has few tasks that are
// really about it, they share more: the tests name those.
const (
	mostSharedByLanguages     = 10   // of the 12 tasks of a persona, between two of the busiest languages
	mostSharedOnAverage       = 6.5  // for a persona, over all pairs of them
	mostSharedByPersonas      = 2    // of the first 5 tasks in a language, between two personas
	mostPairsThatShareMore    = 0.12 // related roles use the same frameworks
	fewestToCompare           = 20   // pairs of personas who usually write a language
	mostPairsWithFewerToShare = 0.30 // in the languages with few snippets
)

// fewToChoose is who has few tasks that are really about them.
var fewToChoose = map[string]bool{"sysadmin": true, "accessibility": true, "technical-writer": true}

func TestTwoLanguagesShowDifferentTasks(t *testing.T) {
	c := Default()
	for _, p := range c.personas {
		sum, pairs := 0, 0
		tasks := make([]map[string]bool, busiest)
		for i, l := range c.languages[:busiest] {
			tasks[i] = firstTasks(t, l, p, DefaultLimit)
			for j := range i {
				n := shared(tasks[i], tasks[j])
				assert.LessOrEqual(t, n, mostSharedByLanguages, "%s: %s and %s", p.ID, l.ID, c.languages[j].ID)
				sum += n
				pairs++
			}
		}
		if mean := float64(sum) / float64(pairs); !fewToChoose[p.ID] {
			assert.LessOrEqual(t, mean, mostSharedOnAverage, p.ID)
		} else {
			t.Logf("%s: two languages share %.1f of %d tasks", p.ID, mean, DefaultLimit)
		}
	}
}

func TestTwoPersonasAreShownDifferentTasksFirst(t *testing.T) {
	c := Default()
	for i, l := range c.languages {
		more, pairs := 0, 0
		tasks := make([]map[string]bool, len(c.personas))
		for i, p := range c.personas {
			if !promised(l, p) {
				continue
			}
			tasks[i] = firstTasks(t, l, p, 5)
			for j := range i {
				if tasks[j] == nil {
					continue
				}
				if shared(tasks[i], tasks[j]) > mostSharedByPersonas {
					more++
				}
				pairs++
			}
		}
		most := mostPairsWithFewerToShare
		if i < busiest {
			most = mostPairsThatShareMore
		}
		if pairs < fewestToCompare {
			continue
		}
		part := float64(more) / float64(pairs)
		assert.LessOrEqual(t, part, most, l.ID)
		if part > mostPairsThatShareMore {
			t.Logf("%s: %.0f %% of the pairs of personas share more than half of the first five", l.ID, 100*part)
		}
	}
}

// firstTasks are the tasks of the first seeds for a language and a persona.
func firstTasks(t *testing.T, language *Language, persona *Persona, n int) map[string]bool {
	t.Helper()
	tasks := map[string]bool{}
	for _, seed := range generate(t, n, language.Name, persona.Name).Seeds {
		tasks[seed.Task.ID] = true
	}
	return tasks
}

func shared(a, b map[string]bool) int {
	n := 0
	for task := range a {
		if b[task] {
			n++
		}
	}
	return n
}
