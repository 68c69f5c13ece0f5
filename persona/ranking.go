package persona

import (
	"cmp"
	"hash/fnv"
	"slices"
)

// The rules of the choice, in one place. A candidate's score is the weight of its task for the persona (1 to 5) with what is
// added and taken away here.
const (
	// aboutGain lifts snippets about a product that was asked for above all others.
	aboutGain float32 = 40
	// pinGain puts what an operator pinned before all else that fits.
	pinGain float32 = 100
	// choiceGain is spread over the snippets differently for each choice that a request asks for.
	choiceGain float32 = 7
	// useCaseGain is for the tasks of what somebody wants to do.
	useCaseGain float32 = 8
	// likeGain multiplies what its own tags count for a persona that shares another's tasks.
	likeGain float32 = 4
	// usualGain is for snippets about a product that most people of the persona use, and usualPlace a loss for each place of the
	// product in their list.
	usualGain  float32 = 4.8
	usualPlace float32 = 0.1
	// usualNativeGain is the same for products that are native: most of their language is for them, whether it names them or not.
	usualNativeGain float32 = 2
	// unaskedLoss is for snippets that need another product which nobody asked for.
	unaskedLoss float32 = 2
	// otherProductLoss is for what is about another product than one that was asked for, and that no snippet is about: who names
	// Airflow sees pandas among plain Python. Databases and others that are native stand in for none.
	otherProductLoss float32 = usualGain - 2.4
	otherNativeLoss  float32 = usualGain + 2
	// notAboutLoss puts tasks that are not really about a persona behind those that are, whatever diversity says.
	notAboutLoss float32 = 14
	// levelGain is for tasks of the level that a person named, and once more a loss for each level away from it.
	levelGain float32 = 1.5
	// advancedLoss is for advanced tasks, where nobody says how experienced they are.
	advancedLoss float32 = 0.8
	// ownGain is for tasks that few languages have: what a language is loved for shows on its page.
	ownGain float32 = 2.4
	// varietyGain is spread over equally good tasks differently for each language and persona, so that the pages of two
	// languages, and of two personas, differ.
	varietyGain float32 = 1.4

	// What was chosen before counts against more of the same.
	sameProductLoss  float32 = 0.45 // per seed about the same product that nobody asked for
	anyProductLoss   float32 = 0.2  // per seed about any such product
	sameTagLoss      float32 = 0.5  // per seed with the same tag, shared among the task's tags
	sameLevelLoss    float32 = 0.4  // if all seeds so far have this level
	sameLanguageLoss float32 = 1.2  // per seed in a language that was not asked for by name
	laterLanguage    float32 = 0.2  // per place in a list of such languages
	morePersonasGain float32 = 0.3  // per further requested persona without a seed whom the task is really about
	mostMorePersonas         = 3    // that count

	// generalLanguages is how many languages, busiest first, are shown to people who named neither languages nor personas.
	generalLanguages = 12
	// manyLanguages is in how many a task is anybody's.
	manyLanguages float32 = 20
	// fewestSeeds is how many seeds a selection has at least, if the limit and the catalogue allow: below it less fitting tasks
	// fill up.
	fewestSeeds = 5
)

// ranking orders the snippets of each language, and those about each product, by how well they fit each persona, before diversity
// counts. The lists after the personas' are for people whose persona is not known.
type ranking struct {
	byLanguage [][]ranked // persona*languages + language
	byProduct  [][]ranked // persona*products + product
	weights    [][]int8   // by persona, then task
	words      taskWords
	languages  int
	products   int
	general    int // the persona index of "not known"
}

// ranked is a snippet with its score for one persona.
type ranked struct {
	snippet int32
	weight  int8 // of the task for the persona
	score   float32
}

func (r *ranking) list(persona, language int) []ranked {
	return r.byLanguage[persona*r.languages+language]
}

func (r *ranking) about(persona int, p *Product) []ranked {
	return r.byProduct[persona*r.products+p.index]
}

func rank(c *Catalogue) ranking {
	r := ranking{
		languages:  len(c.languages),
		products:   len(c.products),
		general:    len(c.personas),
		words:      indexTasks(c),
		byLanguage: make([][]ranked, (len(c.personas)+1)*len(c.languages)),
		byProduct:  make([][]ranked, (len(c.personas)+1)*len(c.products)),
	}
	own := ownScores(c)
	for persona := 0; persona <= r.general; persona++ {
		name := ""
		if persona < r.general {
			name = c.personas[persona].ID
		}
		weights := make([]int8, len(c.tasks))
		scores := make([]float32, len(c.tasks))
		for i, task := range c.tasks {
			if persona == r.general {
				weights[i] = maxWeight
				scores[i] = generalScore(task, len(c.personas))
			} else {
				weights[i] = int8(task.weight(c.personas[persona]))
				scores[i] = float32(weights[i]) + affinity(c.personas[persona], task)
				if weights[i] < aboutWeight {
					scores[i] -= notAboutLoss
				}
			}
		}
		for i, task := range c.tasks {
			if task.Pin && weights[i] >= fittingWeight {
				scores[i] += pinGain
			}
		}
		r.weights = append(r.weights, weights)
		for i, s := range c.snippets {
			at := persona*r.languages + s.Language.index
			score := scores[s.Task.index] + varietyGain*share(s.Language.ID, name, s.Task.ID)
			adjustment := own[i]
			if persona < r.general {
				adjustment += productScore(c.personas[persona], s)
			} else {
				adjustment = adjustment/2 + productScore(nil, s)
			}
			r.byLanguage[at] = append(r.byLanguage[at], ranked{int32(s.index), weights[s.Task.index], score + adjustment})
			for _, p := range s.About {
				at := persona*r.products + p.index
				r.byProduct[at] = append(r.byProduct[at], ranked{int32(s.index), weights[s.Task.index], score + aboutGain})
			}
		}
	}
	for _, lists := range [][][]ranked{r.byLanguage, r.byProduct} {
		for _, list := range lists {
			slices.SortFunc(list, func(a, b ranked) int {
				return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.snippet, b.snippet))
			})
		}
	}
	return r
}

// ownScores is, by snippet, the gain of tasks that few languages have.
func ownScores(c *Catalogue) []float32 {
	inLanguages := make([]int, len(c.tasks))
	for _, s := range c.snippets {
		inLanguages[s.Task.index]++
	}
	scores := make([]float32, len(c.snippets))
	for i, s := range c.snippets {
		if len(s.About) == 0 || s.About[0].Native {
			scores[i] = ownGain * (1 - min(1, float32(inLanguages[s.Task.index])/manyLanguages))
		}
	}
	return scores
}

// productScore is what it counts for a persona, or for anybody (nil), that a snippet is about a product.
func productScore(p *Persona, s *Snippet) float32 {
	var score float32
	for _, about := range s.About {
		if p != nil {
			if place := slices.Index(p.usual, about); place >= 0 {
				if about.Native {
					return usualNativeGain
				}
				return max(0, usualGain-usualPlace*float32(place))
			}
		}
		if !about.Native {
			score = -unaskedLoss
		}
	}
	return score
}

// share is a number from 0 to 1 that is always the same for the names, and differs without order between others.
func share(names ...string) float32 {
	h := fnv.New32a()
	for _, name := range names {
		h.Write([]byte(name))
		h.Write([]byte{0})
	}
	x := h.Sum32() // FNV's last bytes hardly reach its high bits: mix them (MurmurHash3's finalizer)
	x = (x ^ x>>16) * 0x85ebca6b
	x = (x ^ x>>13) * 0xc2b2ae35
	x ^= x >> 16
	return float32(x>>8) / (1 << 24)
}

// affinity is how much a task's tags and level are what the persona cares about, 0 to 1 (to likeGain): it orders tasks of equal
// weight.
func affinity(p *Persona, t *Task) float32 {
	sum := p.Tags[string(t.Level)]
	for _, tag := range t.Tags {
		if tag != string(t.Level) {
			sum += p.Tags[tag]
		}
	}
	if p.Like != "" {
		return likeGain * min(1, float32(sum)/10)
	}
	return min(1, float32(sum)/10)
}

// generalScore prefers what is really about many personas and asks little of the reader.
func generalScore(t *Task, personas int) float32 {
	sum := 0
	for i := range t.Audience {
		for _, weight := range t.Audience[i].Personas {
			sum += max(0, weight-aboutWeight+1)
		}
	}
	score := maxWeight * float32(sum) / float32((maxWeight-aboutWeight+1)*max(1, personas))
	switch t.Level {
	case beginner:
		score += 0.5
	case intermediate:
		score += 0.25
	}
	return score
}
