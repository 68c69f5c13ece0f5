package persona

const (
	// generalLanguages is how many languages, busiest first, are shown to people
	// who named neither languages nor personas.
	generalLanguages = 12
	// fewestSeeds is how many seeds a selection has at least, if the limit and
	// the catalogue allow: below it less fitting tasks fill up.
	fewestSeeds = 5
)

// What a candidate loses or gains by what was chosen before it, on the scale of
// the weights of tasks (1 to 5).
const (
	sameTaskLoss     float32 = 6   // per seed of the same task in another language
	sameTagLoss      float32 = 0.5 // per seed with the same tag, shared among the task's tags
	sameLevelLoss    float32 = 0.4 // if all seeds so far have this level
	sameLanguageLoss float32 = 1.2 // per seed in a language that was not asked for by name
	laterLanguage    float32 = 0.2 // per place in a list of such languages
	morePersonasGain float32 = 0.3 // per further requested persona without a seed whom the task is really about
	mostMorePersonas         = 3   // that count
)

// pairing is a language and a persona that seeds are chosen for.
type pairing struct {
	language, persona int
	place             int // in the list that the language was taken from; 0 if asked for
	used              int
	list              []ranked
}

// chooser selects greedily: each step takes the candidate that fits best, given
// what was taken before.
type chooser struct {
	c             *Catalogue
	pairings      []pairing
	languageAsked bool
	unmet         []int // personas asked for that have no seed yet
	seeds         []Seed

	// How many seeds have been taken, by index.
	languageUse []int
	personaUse  []int
	taskUse     []int
	tagUse      []int
	levelUse    [levels]int
	taken       []bool // by snippet
}

func (c *Catalogue) choose(languages, personas []int, limit int) []Seed {
	h := chooser{
		c:             c,
		languageAsked: len(languages) > 0,
		unmet:         append([]int(nil), personas...),
		seeds:         make([]Seed, 0, limit),
		languageUse:   make([]int, len(c.languages)),
		personaUse:    make([]int, len(c.personas)+1),
		taskUse:       make([]int, len(c.tasks)),
		tagUse:        make([]int, c.tags),
		taken:         make([]bool, len(c.snippets)),
	}
	h.pair(languages, personas)
	if h.languageAsked && len(h.pairings) == 0 { // the catalogue has nothing in them yet
		h.languageAsked = false
		h.pair(nil, personas)
	}
	for len(h.seeds) < limit && (h.step(false) || len(h.seeds) < fewestSeeds && h.step(true)) {
	}
	return h.seeds
}

// pair lists every language with every persona. Without languages it takes the
// ones that the persona usually writes; without personas, what helps most people.
func (h *chooser) pair(languages, personas []int) {
	if len(personas) == 0 {
		personas = []int{h.c.ranking.general}
	}
	for _, persona := range personas {
		if h.languageAsked {
			for _, language := range languages {
				h.addPairing(language, persona, 0)
			}
			continue
		}
		for place, language := range h.c.usualLanguages(persona) {
			h.addPairing(language, persona, place)
		}
	}
}

func (h *chooser) addPairing(language, persona, place int) {
	if list := h.c.ranking.list(persona, language); len(list) > 0 {
		h.pairings = append(h.pairings, pairing{language: language, persona: persona, place: place, list: list})
	}
}

func (c *Catalogue) usualLanguages(persona int) []int {
	var usual []int
	if persona < len(c.personas) {
		for _, id := range c.personas[persona].Languages {
			for _, l := range c.languages {
				if l.ID == id {
					usual = append(usual, l.index)
				}
			}
		}
	}
	if len(usual) == 0 {
		for i := range min(generalLanguages, len(c.languages)) {
			usual = append(usual, i)
		}
	}
	return usual
}

// step takes one seed and reports whether there was any. Languages that were
// asked for take turns, so do personas, and among those whose turn it is the
// best candidate wins. Unless all is set, candidates must fit their persona,
// except where a language or a persona would have no seed at all.
func (h *chooser) step(all bool) bool {
	var best *pairing
	var seed *Snippet
	var bestScore float32
	for i := range h.pairings {
		p := &h.pairings[i]
		order := 0
		if best != nil {
			if order = h.compareTurns(p, best); order > 0 {
				continue
			}
		}
		floor := bestScore
		if best == nil || order < 0 {
			floor = worstScore
		}
		if s, score := h.candidate(p, floor, all); s != nil {
			best, seed, bestScore = p, s, score
		}
	}
	if best == nil {
		return false
	}
	h.take(best, seed)
	return true
}

// compareTurns is negative if it is p's turn before q's.
func (h *chooser) compareTurns(p, q *pairing) int {
	if h.languageAsked {
		if d := h.languageUse[p.language] - h.languageUse[q.language]; d != 0 {
			return d
		}
	}
	if d := h.personaUse[p.persona] - h.personaUse[q.persona]; d != 0 {
		return d
	}
	if h.languageAsked {
		return p.used - q.used
	}
	return 0
}

const worstScore float32 = -1 << 20

// candidate returns the pairing's best snippet with a score above the floor, or nil.
func (h *chooser) candidate(p *pairing, floor float32, all bool) (*Snippet, float32) {
	anyWeight := all || h.personaUse[p.persona] == 0 || h.languageAsked && h.languageUse[p.language] == 0
	gain := morePersonasGain * float32(min(mostMorePersonas, len(h.unmet)))
	var loss float32
	if !h.languageAsked {
		loss = sameLanguageLoss*float32(h.languageUse[p.language]) + laterLanguage*float32(p.place)
	}
	var best *Snippet
	for i := range p.list {
		r := &p.list[i]
		if r.score+gain-loss <= floor {
			break // the list is sorted: nothing better follows
		}
		if h.taken[r.snippet] || r.weight < FittingWeight && !anyWeight {
			continue
		}
		s := h.c.snippets[r.snippet]
		if score := r.score - loss + h.adjustment(s.Task, p.persona); score > floor {
			best, floor = s, score
		}
	}
	return best, floor
}

// adjustment is what the seeds taken so far do to a task's score.
func (h *chooser) adjustment(t *Task, persona int) float32 {
	score := -sameTaskLoss * float32(h.taskUse[t.index])
	seen := 0
	for _, tag := range t.tags {
		seen += h.tagUse[tag]
	}
	score -= sameTagLoss * float32(seen) / float32(max(1, len(t.tags)))
	score -= sameLevelLoss * float32(h.levelUse[t.level]) / float32(max(1, len(h.seeds)))
	more := 0
	for _, other := range h.unmet {
		if other != persona && h.c.ranking.weights[other][t.index] >= AboutWeight {
			if more++; more == mostMorePersonas {
				break
			}
		}
	}
	return score + morePersonasGain*float32(more)
}

func (h *chooser) take(p *pairing, s *Snippet) {
	seed := Seed{Snippet: s}
	if p.persona < len(h.c.personas) {
		seed.Persona = h.c.personas[p.persona]
	}
	h.seeds = append(h.seeds, seed)
	p.used++
	h.taken[s.index] = true
	h.languageUse[p.language]++
	h.personaUse[p.persona]++
	h.taskUse[s.Task.index]++
	h.levelUse[s.Task.level]++
	for _, tag := range s.Task.tags {
		h.tagUse[tag]++
	}
	for i, persona := range h.unmet {
		if persona == p.persona {
			h.unmet = append(h.unmet[:i], h.unmet[i+1:]...)
			break
		}
	}
}
