package persona

import (
	"cmp"
	"slices"
)

// ranking orders the snippets of each language by how well they fit each persona,
// before diversity counts. The list after the personas' is for people whose
// persona is not known.
type ranking struct {
	lists     [][]ranked // persona*languages + language
	weights   [][]int8   // by persona, then task
	languages int
	general   int // the persona index of "not known"
}

// ranked is a snippet with its score for one persona.
type ranked struct {
	snippet int32
	weight  int8 // of the task for the persona
	score   float32
}

func (r *ranking) list(persona, language int) []ranked {
	return r.lists[persona*r.languages+language]
}

// notAboutLoss puts tasks that are not really about a persona behind those
// that are, whatever diversity says; only not behind a task that was shown already.
const notAboutLoss = sameTaskLoss - 1

func rank(c *Catalogue) ranking {
	r := ranking{
		languages: len(c.languages),
		general:   len(c.personas),
		lists:     make([][]ranked, (len(c.personas)+1)*len(c.languages)),
	}
	for persona := 0; persona <= r.general; persona++ {
		weights := make([]int8, len(c.tasks))
		scores := make([]float32, len(c.tasks))
		for i, task := range c.tasks {
			if persona == r.general {
				weights[i] = MaxWeight
				scores[i] = generalScore(task, len(c.personas))
			} else {
				weights[i] = int8(task.Weight(c.personas[persona]))
				scores[i] = float32(weights[i]) + affinity(c.personas[persona], task)
				if weights[i] < AboutWeight {
					scores[i] -= notAboutLoss
				}
			}
		}
		r.weights = append(r.weights, weights)
		for _, s := range c.snippets {
			at := persona*r.languages + s.Language.index
			r.lists[at] = append(r.lists[at], ranked{int32(s.index), weights[s.Task.index], scores[s.Task.index]})
		}
	}
	for _, list := range r.lists {
		slices.SortFunc(list, func(a, b ranked) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.snippet, b.snippet))
		})
	}
	return r
}

// affinity is how much a task's tags and level are what the persona cares
// about, 0 to 1: it orders tasks of equal weight.
func affinity(p *Persona, t *Task) float32 {
	sum := p.Tags[string(t.Level)]
	for _, tag := range t.Tags {
		if tag != string(t.Level) {
			sum += p.Tags[tag]
		}
	}
	return min(1, float32(sum)/10)
}

// generalScore prefers what is really about many personas and asks little of
// the reader.
func generalScore(t *Task, personas int) float32 {
	sum := 0
	for i := range t.Audience {
		for _, weight := range t.Audience[i].Personas {
			sum += max(0, weight-AboutWeight+1)
		}
	}
	score := MaxWeight * float32(sum) / float32((MaxWeight-AboutWeight+1)*max(1, personas))
	switch t.Level {
	case Beginner:
		score += 0.5
	case Intermediate:
		score += 0.25
	}
	return score
}
