package persona

import (
	"cmp"
	"slices"
	"strconv"
)

// pairing is a source of snippets and a persona that seeds are chosen for.
type pairing struct {
	unit     int // that takes its turn: a language or product asked for; -1: none was
	persona  int
	language int  // that the list is of; -1 for a product's own list
	usual    bool // the language was not asked for: the persona usually writes it
	place    int  // in the list of usual languages
	own      bool // the list is a product's own: fitting or not, it is what was asked for
	apart    bool // no product that was asked for has snippets in the language: the usual ones are shown beside it
	used     *int // seeds of the unit for the persona
	list     []ranked
}

// wish is what seeds are to be chosen for, by index.
type wish struct {
	languages []int // understood from the request
	named     []int // those of them that were named, and not only follow from a product
	personas  []int
	products  []int
	tasks     []int // of what the person wants to do
	unwanted  []int // products that the person said not to want
	level     int   // that the person named; -1: none
	choice    uint32
	exclude   []string // ids of snippets

	unwantedLanguages []int
}

// chooser selects greedily: each step takes the candidate that fits best, given what was taken before.
type chooser struct {
	c        *Catalogue
	limit    int
	pairings []pairing
	units    int
	level    int
	choice   []float32         // what another choice adds to each snippet's score; nil: the usual one
	products map[*Product]bool // asked for; others' snippets are not shown beside them
	unwanted map[*Product]bool // asked not to be shown
	others   bool              // a product was asked for that no snippet is about
	rivals   map[string]bool   // kinds of such products
	tasks    []bool            // by task: of a use case; nil: none was named
	unmet    []int             // personas asked for that have no seed yet
	seeds    []Seed

	// How many seeds have been taken, by index.
	unitUse     []int
	languageUse []int
	personaUse  []int
	taskUse     []int
	productUse  []uint16
	unaskedUse  int // seeds about a product that nobody asked for
	tagUse      []int
	levelUse    [levels]int
	taken       []bool // by snippet
}

func (c *Catalogue) choose(w wish, limit int) []Seed {
	h := chooser{
		c:           c,
		limit:       limit,
		level:       w.level,
		products:    map[*Product]bool{},
		unwanted:    map[*Product]bool{},
		rivals:      map[string]bool{},
		unmet:       slices.Clone(w.personas),
		seeds:       make([]Seed, 0, limit),
		languageUse: make([]int, len(c.languages)),
		personaUse:  make([]int, len(c.personas)+1),
		taskUse:     make([]int, len(c.tasks)),
		productUse:  make([]uint16, len(c.products)),
		tagUse:      make([]int, c.tags),
		taken:       make([]bool, len(c.snippets)),
	}
	for _, i := range w.unwanted {
		h.unwanted[c.products[i]] = true
	}
	for i, p := range c.products {
		if h.unwanted[p.on] && !slices.Contains(w.products, i) {
			h.unwanted[p] = true
		}
	}
	for _, id := range w.exclude {
		if s := c.byID[id]; s != nil {
			h.taken[s.index] = true
		}
	}
	if w.choice > 0 {
		h.choice = make([]float32, len(c.snippets))
		for i, s := range c.snippets {
			h.choice[i] = choiceGain * share(strconv.FormatUint(uint64(w.choice), 10), s.Task.ID, s.Language.ID)
		}
	}
	if len(w.tasks) > 0 {
		h.tasks = make([]bool, len(c.tasks))
		for _, i := range w.tasks {
			h.tasks[i] = true
		}
	}
	h.pair(w)
	h.unitUse = make([]int, h.units)
	for len(h.seeds) < limit && (h.step(false) || len(h.seeds) < fewestSeeds && h.step(true)) {
	}
	slices.SortStableFunc(h.seeds, func(a, b Seed) int {
		d := one(b.Task.Pin) - one(a.Task.Pin)
		if w.level == beginner.number() { // what is easy comes first
			d = cmp.Or(d, one(a.isNotAbout())-one(b.isNotAbout()), a.Task.level-b.Task.level)
		}
		return d
	})
	return h.seeds
}

// isNotAbout reports whether it is not really about its persona.
func (s Seed) isNotAbout() bool { return s.Persona != nil && s.Task.weight(s.Persona) < aboutWeight }

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// pair lists what was asked for with every persona: the products with snippets about them, then the languages that none of them
// covers. Without either it takes the languages that the persona usually writes; without personas, what helps most people.
func (h *chooser) pair(w wish) {
	personas := w.personas
	if len(personas) == 0 {
		personas = []int{h.c.ranking.general}
	}
	covered := map[int]bool{} // languages of what is about the products
	found := h.pairProducts(w, personas, covered)
	if h.pairLanguages(w, personas, covered) || found {
		return
	}
	// Nothing says which languages follow, so the usual ones do.
	for _, persona := range personas {
		for place, language := range h.c.usualLanguages(persona) {
			if slices.Contains(w.unwantedLanguages, language) {
				continue
			}
			h.addPairing(pairing{unit: h.units - 1, language: language, persona: persona, usual: true, place: place, used: new(int)})
		}
	}
}

// pairProducts lists the products that were asked for, and adds the languages of what is about them to covered. It returns
// whether there was anything in these.
func (h *chooser) pairProducts(w wish, personas []int, covered map[int]bool) (found bool) {
	for _, i := range w.products {
		product := h.c.products[i].shownBy()
		h.others = h.others || product == nil && !h.c.products[i].Native
		if kind := h.c.products[i].Kind; product == nil && kind != "" {
			h.rivals[kind] = true
		}
		if product == nil || h.products[product] {
			continue
		}
		eligible := h.c.eligible(h.c.products[i], product, w.named)
		if len(eligible) == 0 {
			continue
		}
		h.products[product] = true
		languages := slices.DeleteFunc(slices.Clone(eligible), func(l int) bool { return !slices.Contains(w.languages, l) })
		for _, persona := range personas {
			own := slices.DeleteFunc(slices.Clone(h.c.ranking.about(persona, product)), func(r ranked) bool {
				return !slices.Contains(eligible, h.c.snippets[r.snippet].Language.index)
			})
			used := new(int)
			h.pairings = append(h.pairings, pairing{unit: h.units, persona: persona, language: -1, own: true, used: used, list: own})
			for _, l := range languages {
				covered[l] = !slices.Contains(w.named, l) || product.isIn(l) || len(languages) == 1
				found = h.addPairing(pairing{unit: h.units, language: l, persona: persona, used: used}) || found
			}
		}
		h.units++
	}
	return found
}

// isIn reports whether a snippet about the product is in a language.
func (p *Product) isIn(language int) bool {
	return slices.ContainsFunc(p.snippets, func(s *Snippet) bool { return s.Language.index == language })
}

// isFor reports whether a product is used in a language.
func (p *Product) isFor(l *Language) bool {
	return slices.Contains(p.Languages, l.ID) || p.isIn(l.index)
}

// pairLanguages lists the languages that were asked for and are not covered. It returns whether there was anything in them.
func (h *chooser) pairLanguages(w wish, personas []int, covered map[int]bool) (found bool) {
	for _, l := range w.languages {
		if covered[l] {
			continue
		}
		added := false
		apart := slices.Contains(w.named, l) && !slices.ContainsFunc(w.products, func(i int) bool { return h.c.products[i].isFor(h.c.languages[l]) })
		for _, persona := range personas {
			added = h.addPairing(pairing{unit: h.units, language: l, persona: persona, apart: apart, used: new(int)}) || added
		}
		if added {
			h.units++
			found = true
		}
	}
	return found
}

// eligible returns the languages, by index, of snippets about a product: those that were named, if it is used in any of them;
// otherwise what it is used in.
func (c *Catalogue) eligible(asked, shown *Product, named []int) []int {
	own := c.appendLanguages(nil, asked)
	all := slices.Clone(own)
	for _, s := range shown.snippets {
		all = appendNew(all, s.Language.index)
	}
	among := slices.DeleteFunc(slices.Clone(all), func(l int) bool { return !slices.Contains(named, l) })
	switch {
	case len(among) > 0:
		return among
	case len(own) > 0 || len(named) == 0:
		return all
	}
	return nil // a product for any language, and none of the named ones has a snippet about it
}

// addPairing reports whether the catalogue has anything in the pairing's language.
func (h *chooser) addPairing(p pairing) bool {
	p.list = h.c.ranking.list(p.persona, p.language)
	if len(p.list) > 0 {
		h.pairings = append(h.pairings, p)
	}
	return len(p.list) > 0
}

func (c *Catalogue) usualLanguages(persona int) []int {
	var usual []int
	if persona < len(c.personas) {
		for _, id := range c.personas[persona].Languages {
			usual = append(usual, c.languageIndex(id))
		}
	}
	if len(usual) == 0 {
		for i := range min(generalLanguages, len(c.languages)) {
			usual = append(usual, i)
		}
	}
	return usual
}

// step takes one seed and reports whether there was any. What was asked for takes turns, so do personas, and among those whose
// turn it is the best candidate wins. Unless all is set, candidates must fit their persona, except where something asked for or a
// persona would have no seed at all.
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
	if h.units > 0 {
		if d := h.unitUse[p.unit] - h.unitUse[q.unit]; d != 0 {
			return d
		}
		if h.units > h.limit && p.unit != q.unit { // not all can have a place: those that were named first do
			return p.unit - q.unit
		}
	}
	if d := h.personaUse[p.persona] - h.personaUse[q.persona]; d != 0 {
		return d
	}
	if !p.usual && !q.usual {
		return *p.used - *q.used
	}
	return 0
}

const worstScore float32 = -1 << 20

// candidate returns the pairing's best snippet with a score above the floor, or nil.
func (h *chooser) candidate(p *pairing, floor float32, all bool) (*Snippet, float32) {
	anyWeight := all || p.own || h.personaUse[p.persona] == 0 || h.units > 0 && h.unitUse[p.unit] == 0
	gain := morePersonasGain * float32(min(mostMorePersonas, len(h.unmet)))
	if h.level >= 0 {
		gain += levelGain
	}
	if h.choice != nil {
		gain += choiceGain
	}
	if h.tasks != nil {
		gain += useCaseGain
	}
	var loss float32
	if p.usual {
		loss = sameLanguageLoss*float32(h.languageUse[p.language]) + laterLanguage*float32(p.place)
	}
	return h.bestOf(p, floor, gain, loss, anyWeight, all)
}

// productLoss is what counts against another snippet about a product that nobody asked for.
func (h *chooser) productLoss(s *Snippet) (loss float32) {
	for _, about := range s.About {
		if h.products[about] {
			continue
		}
		own := sameProductLoss * float32(h.productUse[about.index])
		if !about.Native {
			own += anyProductLoss * float32(h.unaskedUse)
		}
		loss = max(loss, own)
	}
	return loss
}

func (h *chooser) isUseCase(t *Task) bool { return h.tasks != nil && h.tasks[t.index] }

// isFarFromLevel reports whether a task is advanced for a beginner, or first steps for somebody experienced.
func (h *chooser) isFarFromLevel(t *Task) bool {
	return h.level >= 0 && !t.Pin && max(t.level-h.level, h.level-t.level) == levels-1
}

// bestOf returns the best snippet of a pairing, to whose scores at most gain is added, and from which loss is taken.
func (h *chooser) bestOf(p *pairing, floor, gain, loss float32, anyWeight, all bool) (*Snippet, float32) {
	var best *Snippet
	for i := range p.list {
		r := &p.list[i]
		if r.score+gain-loss <= floor {
			break // the list is sorted: nothing better follows
		}
		s := h.c.snippets[r.snippet]
		if h.taken[r.snippet] || h.taskUse[s.Task.index] > 0 && !s.Task.Pin || r.weight < fittingWeight && !anyWeight && !h.isUseCase(s.Task) || h.isOut(s, p) || !all && h.isFarFromLevel(s.Task) {
			continue
		}
		score := r.score - loss + h.adjustment(s.Task, p.persona)
		score -= h.productLoss(s)
		if h.choice != nil {
			score += h.choice[r.snippet]
		}
		if h.isUseCase(s.Task) {
			score += useCaseGain
		}
		if h.others && len(s.About) > 0 {
			if s.About[0].Native {
				score -= otherNativeLoss
			} else {
				score -= otherProductLoss
			}
		}
		if score > floor {
			best, floor = s, score
		}
	}
	return best, floor
}

// isOut reports whether a snippet is nothing for the person: who named products did not name what it is about, or said not to
// want that. Java beside AWS is Java with what most people use there.
func (h *chooser) isOut(s *Snippet, p *pairing) bool {
	isAboutAny := func(products map[*Product]bool) bool {
		return slices.ContainsFunc(s.About, func(p *Product) bool { return products[p] })
	}
	switch {
	case isAboutAny(h.unwanted), slices.ContainsFunc(s.About, h.isRival):
		return true
	case p.own, len(h.products) == 0, len(s.About) == 0, isAboutAny(h.products):
		return false
	}
	return !p.apart || p.persona == len(h.c.personas) || !isUsual(h.c.personas[p.persona], s)
}

// isRival reports whether a product is another one of a kind that was asked for: who administers Oracle does not ask for MySQL.
func (h *chooser) isRival(p *Product) bool { return h.rivals[p.Kind] && !h.products[p] }

// isUsual reports whether a snippet is about a product that most people of a persona use.
func isUsual(p *Persona, s *Snippet) bool {
	return slices.ContainsFunc(s.About, func(about *Product) bool { return slices.Contains(p.usual, about) })
}

// adjustment is what the person's level and the seeds taken so far do to a task's score.
func (h *chooser) adjustment(t *Task, persona int) float32 {
	var score float32
	if h.level >= 0 {
		away := t.level - h.level
		score += levelGain * float32(1-max(away, -away))
	} else if t.Level == advanced {
		score -= advancedLoss
	}
	seen := 0
	for _, tag := range t.tags {
		seen += h.tagUse[tag]
	}
	score -= sameTagLoss * float32(seen) / float32(max(1, len(t.tags)))
	score -= sameLevelLoss * float32(h.levelUse[t.level]) / float32(max(1, len(h.seeds)))
	more := 0
	for _, other := range h.unmet {
		if other != persona && h.c.ranking.weights[other][t.index] >= aboutWeight {
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
	*p.used++
	h.taken[s.index] = true
	if h.units > 0 {
		h.unitUse[p.unit]++
	}
	h.languageUse[s.Language.index]++
	h.personaUse[p.persona]++
	h.taskUse[s.Task.index]++
	for _, about := range s.About {
		h.productUse[about.index]++
	}
	if slices.ContainsFunc(s.About, func(p *Product) bool { return !h.products[p] && !p.Native }) {
		h.unaskedUse++
	}
	h.levelUse[s.Task.level]++
	for _, tag := range s.Task.tags {
		h.tagUse[tag]++
	}
	h.unmet = slices.DeleteFunc(h.unmet, func(persona int) bool { return persona == p.persona })
}
