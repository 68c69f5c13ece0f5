package persona

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Unknown is a part of a request that was not understood: a name, the id of a snippet that there is not, or a parameter of the
// query.
type Unknown struct {
	Field   string   // "languages", "personas", "exclude" or "query"
	Name    string   // as it was written
	Nearest []string // names that it may have meant, nearest first; often none
}

// understanding is what the names of a request mean, in the order they were named.
type understanding struct {
	wish
	unknown  []Unknown
	versions []string // of languages and products, as they were written
	useCases []UseCase

	known []int // languages and products that somebody says to have already, by index in languageNames
	aside []int // personas that only follow from what stands among the languages
}

// understand reads a request. A product leads to its languages, unless one of them was named as well, and to its personas, if
// nothing else says who asks.
func (c *Catalogue) understand(request Request) understanding {
	u := understanding{wish: wish{level: -1}}
	var without wish // what they say not to be or not to want
	for _, name := range request.Languages {
		c.readName(&u, &without, "languages", name)
	}
	for _, name := range request.Personas {
		c.readName(&u, &without, "personas", name)
	}
	if len(u.languages)+len(u.products) == 0 {
		u.add(c, u.known)
	}
	if len(u.personas) == 0 {
		u.personas = u.aside
	}
	isNamed := len(u.languages) > 0
	c.nameNative(&u)
	u.named = slices.Clone(u.languages)
	var implied []int
	for _, i := range u.products {
		p := c.products[i]
		if !c.isBeside(&u, p) && !c.followsAlready(&u, p) && !c.isUsedIn(p, u.named) {
			u.languages = c.appendLanguages(u.languages, p)
		}
		for _, id := range p.Personas {
			implied = appendNew(implied, c.personaIndex(id))
		}
	}
	if len(u.personas) == 0 && !isNamed {
		u.personas = implied
	}
	u.languages = slices.DeleteFunc(u.languages, func(i int) bool { return slices.Contains(without.languages, i) })
	u.personas = slices.DeleteFunc(u.personas, func(i int) bool { return slices.Contains(without.personas, i) })
	u.named = slices.DeleteFunc(u.named, func(i int) bool { return slices.Contains(without.languages, i) })
	if learner := c.personaIndex(learnerID); u.level < 0 && len(u.personas) == 1 && u.personas[0] == learner {
		u.ask(beginner)
	}
	u.unwanted, u.unwantedLanguages = without.products, without.languages
	for _, id := range request.Exclude {
		if c.byID[id] == nil && strings.TrimSpace(id) != "" {
			u.unknown = append(u.unknown, Unknown{Field: "exclude", Name: id})
		}
	}
	return u
}

// isBeside reports whether a product that no snippet is about leads to no language of the person's: who writes C++ for embedded
// Linux does not write Bash.
func (c *Catalogue) isBeside(u *understanding, p *Product) bool {
	return p.shownBy() == nil && len(u.named) > 0 && len(u.personas) > 0 && !slices.ContainsFunc(u.personas, func(i int) bool {
		return slices.ContainsFunc(p.Languages, func(id string) bool { return slices.Contains(c.personas[i].Languages, id) })
	})
}

// nameNative takes a product that is a language by another name for that language: who names .NET and Angular writes C#.
func (c *Catalogue) nameNative(u *understanding) {
	for _, i := range u.products {
		if p := c.products[i]; p.Native && p.shownBy() == nil {
			u.languages = c.appendLanguages(u.languages, p)
		}
	}
}

// followsAlready reports whether a product that no snippet is about is used in a language that follows from another: who tests
// with Selenium in Java and Cucumber does not write Ruby.
func (c *Catalogue) followsAlready(u *understanding, p *Product) bool {
	return p.shownBy() == nil && c.isUsedIn(p, u.languages)
}

// add adds what languageNames found: languages and products.
func (w *wish) add(c *Catalogue, found []int) {
	for _, i := range found {
		if i < len(c.languages) {
			w.languages = appendNew(w.languages, i)
		} else {
			w.products = appendNew(w.products, i-len(c.languages))
		}
	}
}

// languagesOf are the languages that were named, also by a product: awk is for Bash.
func (c *Catalogue) languagesOf(u *understanding) []int {
	languages := slices.Clone(u.languages)
	for _, i := range u.products {
		languages = c.appendLanguages(languages, c.products[i])
	}
	return languages
}

// appendLanguages appends those of a product's languages that are not there yet.
func (c *Catalogue) appendLanguages(languages []int, p *Product) []int {
	for _, id := range p.Languages {
		languages = appendNew(languages, c.languageIndex(id))
	}
	return languages
}

// isUsedIn reports whether one of the languages is one of the product's.
func (c *Catalogue) isUsedIn(p *Product, languages []int) bool {
	return slices.ContainsFunc(p.Languages, func(id string) bool { return slices.Contains(languages, c.languageIndex(id)) })
}

func (c *Catalogue) languageIndex(id string) int {
	return slices.IndexFunc(c.languages, func(l *Language) bool { return l.ID == id })
}

func (c *Catalogue) personaIndex(id string) int {
	return slices.IndexFunc(c.personas, func(p *Persona) bool { return p.ID == id })
}

func (c *Catalogue) readName(u *understanding, without *wish, field, name string) {
	if strings.TrimSpace(name) == "" {
		return
	}
	index := c.languageNames
	if field == "personas" {
		index = c.personaNames
	}
	text := asAdvertised(name)
	if field == "personas" {
		text = c.withoutTeam(text)
	}
	kept, negated, hasKnown := text, "", false
	if !index.has(text) {
		kept, negated = c.vocabulary.splitNegated(text)
		kept, hasKnown = c.readKnown(u, kept)
	}
	denied := negated != "" && c.readNegated(u, without, negated)
	understood := denied || hasKnown && strings.TrimSpace(kept) == ""
	if field == "languages" {
		understood = c.readLanguages(u, kept) || understood
	} else {
		understood = c.readPersonas(u, kept) || understood
	}
	if understood {
		c.noteLeftovers(u, index, field, kept)
	} else if useCase, ok := c.useCase(kept, c.languagesOf(u)); ok {
		useCase.Name = name
		u.useCases = append(u.useCases, useCase)
	} else {
		u.unknown = append(u.unknown, Unknown{Field: field, Name: name, Nearest: c.nearest(index, kept)})
	}
}

// readNegated reads what somebody says not to be or not to want. Who says never to have programmed is at the beginning. It
// returns whether anything was understood.
func (c *Catalogue) readNegated(u *understanding, without *wish, negated string) bool {
	if c.vocabulary.deniesProgramming(negated) {
		u.ask(beginner)
		if i := c.personaIndex(learnerID); i >= 0 { // who names no role
			u.aside = appendNew(u.aside, i)
		}
		return true
	}
	found := c.languageNames.find(nil, negated)
	if len(found) == 0 {
		found = c.languageNames.find(nil, c.vocabulary.plainWords(negated))
	}
	without.add(c, found)
	personas := c.personaNames.find(nil, negated)
	for _, i := range personas {
		if i < len(c.personas) {
			without.personas = append(without.personas, i)
		}
	}
	return len(found)+len(personas) > 0
}

// readKnown notes what somebody says to have already, and returns the rest of the text, and whether there was anything.
func (c *Catalogue) readKnown(u *understanding, text string) (kept string, found bool) {
	kept, known := c.vocabulary.splitKnown(text)
	if known == "" {
		return text, false
	}
	names := c.describe(known).found
	if i, ok := c.languageNames.exact(key(known)); ok && (known != strings.ToLower(known) || !c.languageNames.isOrdinary(key(known))) {
		names = []int{i}
	}
	if len(names) == 0 {
		return text, false // "a developer from Brazil"
	}
	u.known = appendNew(u.known, names...)
	return kept, true
}

// readLanguages reads one name of the list of languages. A role that stands there by mistake is understood as one, and a sentence
// as among the personas; the role that it implies counts if no other is named.
func (c *Catalogue) readLanguages(u *understanding, name string) bool {
	words := strings.FieldsFunc(name, endsWord)
	_, isLanguage := c.languageNames.exact(key(name))
	if _, isRole := c.personaNames.exact(key(name)); !isLanguage && !isRole && len(words) > 1 && slices.ContainsFunc(words, c.vocabulary.isOfSentence) {
		sentence := understanding{wish: wish{level: u.level}}
		if c.readPersonas(&sentence, name) && (len(sentence.languages)+len(sentence.products) > 0 || sentence.level >= 0) {
			u.level = sentence.level
			u.languages = appendNew(u.languages, sentence.languages...)
			u.products = appendNew(u.products, sentence.products...)
			if d := c.describe(name); !c.vocabulary.namesOnlyTrade(d.rest(len(d.words))) {
				u.aside = append(u.aside, sentence.personas...)
			}
			return true
		}
	}
	var d description
	rest := c.namesWithSlash(&d, name)
	found := d.found
	if strings.Trim(rest, ", ") != "" {
		found = c.languageNames.find(found, rest)
	}
	if len(found) == 0 {
		found = c.describe(name).found // "parse CSV in Go"
	}
	found = c.meant(u, found, name)
	u.add(c, found)
	if i, ok := c.personaNames.exact(key(name)); ok && len(found) == 0 && i < len(c.personas) {
		u.personas = appendNew(u.personas, i)
		return true
	}
	return len(found) > 0
}

// readPersonas reads one name of the list of personas, with the languages that stand in it: "Go developer", "I am learning
// Python".
func (c *Catalogue) readPersonas(u *understanding, name string) bool {
	d := c.describe(name)
	u.add(c, c.meant(u, d.found, name))
	var found []int
	_, exact := c.personaNames.exact(key(name))
	if !exact {
		u.ask(c.vocabulary.level(d.words))
	}
	if exact || len(d.found) == 0 {
		found = c.personaNames.find(nil, name)
	} else {
		found = c.personasBeside(d)
	}
	if d.learning {
		u.ask(beginner)
		// "I am learning to be a data scientist" is no data scientist yet, and "a tester learning Go" is a tester.
		found = c.personaNames.find(nil, d.rest(d.learns))
		if i := c.personaIndex(learnerID); i >= 0 && len(found) == 0 {
			found = append(found, i)
		}
	}
	found = slices.DeleteFunc(found, func(i int) bool {
		return i >= len(c.personas) && len(c.meant(u, []int{len(c.languages) + i - len(c.personas)}, name)) == 0
	})
	for _, i := range u.withoutLearner(c, c.withoutMereTrade(found, name), name) {
		if i < len(c.personas) {
			u.personas = appendNew(u.personas, i)
			continue
		}
		product := i - len(c.personas)
		u.products = appendNew(u.products, product)
		for _, id := range c.products[product].Personas {
			u.personas = appendNew(u.personas, c.personaIndex(id))
		}
	}
	if _, ok := c.languageNames.exact(key(name)); ok && len(found) == 0 && len(d.found) == 0 {
		return c.readLanguages(u, name)
	}
	return len(found) > 0 || len(c.meant(u, d.found, name)) > 0 || c.vocabulary.namesOnlyLevel(d.words)
}

// meant leaves out products whose names are only read out of other words, beside a language: in "unit tests in Java" there is no
// unittest, and in "charts in C" no Chart.js.
func (c *Catalogue) meant(u *understanding, found []int, text string) []int {
	var kept, languages []int
	for _, i := range append(slices.Clone(u.languages), found...) {
		if i < len(c.languages) {
			languages = append(languages, i)
		}
	}
	words := strings.FieldsFunc(text, endsWord)
	for _, word := range words { // "Go/Kubernetes"
		if pieces := strings.Split(word, "/"); len(pieces) > 1 {
			words = append(words, pieces...)
		}
	}
	for _, i := range found {
		product := i - len(c.languages)
		fits := product < 0 || c.isUsedIn(c.products[product], languages)
		if fits || len(languages) == 0 || c.languageNames.isWritten(words, i) {
			kept = append(kept, i)
		}
	}
	return kept
}

// personasBeside are the personas, or products in the place of one, that a description names besides languages and products.
func (c *Catalogue) personasBeside(d description) []int {
	rest := d.rest(len(d.words))
	for _, i := range d.found { // who names a product is its persona before "a developer"
		product := i - len(c.languages)
		if product >= 0 && len(c.products[product].Personas) > 0 && c.vocabulary.namesOnlyTrade(rest) {
			return []int{len(c.personas) + product}
		}
	}
	return c.personaNames.find(nil, rest)
}

// withoutMereTrade leaves out that somebody develops where a name says what, too: an "embedded software engineer" is no
// full-stack developer.
func (c *Catalogue) withoutMereTrade(found []int, name string) []int {
	k := key(name)
	if len(found) < 2 || strings.Contains(k, "stack") || strings.Contains(k, "web") {
		return found
	}
	developer := c.personaIndex(developerID)
	others := slices.DeleteFunc(slices.Clone(found), func(i int) bool { return i == developer })
	if slices.ContainsFunc(others, func(i int) bool { return i < len(c.personas) }) {
		return others
	}
	return found
}

// withoutLearner leaves out that somebody is learning where a name says what, too: an apprentice data analyst is one, at the
// beginning, but "hobbyist & student" are two.
func (u *understanding) withoutLearner(c *Catalogue, found []int, name string) []int {
	isBoth := func(word string) bool { return word == "&" || c.vocabulary.turns[key(word)] }
	learner := c.personaIndex(learnerID)
	others := slices.DeleteFunc(slices.Clone(found), func(i int) bool { return i == learner })
	if len(others) == len(found) || slices.ContainsFunc(strings.Fields(name), isBoth) || !slices.ContainsFunc(others, func(i int) bool { return i < len(c.personas) }) {
		return found
	}
	u.ask(beginner)
	return others
}

// withoutTeam leaves out the name of somebody's team, but for what it alone tells: an engineer of machine learning, "Research
// Team", is no scientist.
func (c *Catalogue) withoutTeam(title string) string {
	first, rest, ok := strings.Cut(title, ",")
	if !ok {
		return title
	}
	developer := c.personaIndex(developerID)
	hasRole := slices.ContainsFunc(c.personaNames.find(nil, first), func(i int) bool { return i != developer })
	kept := []string{first}
	for piece := range strings.SplitSeq(rest, ",") {
		if words := strings.Fields(piece); !c.vocabulary.namesTeam(words) || c.personaNames.has(piece) || len(c.describe(piece).found) > 0 ||
			len(c.personaNames.find(nil, piece)) > 0 && !(hasRole && c.vocabulary.team[key(words[len(words)-1])]) {
			kept = append(kept, piece)
		}
	}
	return strings.Join(kept, ",")
}

// developerID is the persona of whoever says only to develop.
const developerID = "full-stack"

// learnerID is the persona of whoever is learning.
const learnerID = "student"

// ask notes the level that somebody asks for; the lowest of several counts.
func (w *wish) ask(level Level) {
	if n := level.number(); n >= 0 && (w.level < 0 || n < w.level) {
		w.level = n
	}
}

const mostNearest = 3

// nearest returns the names that something not understood may have meant.
func (c *Catalogue) nearest(index *nameIndex, name string) []string {
	k := []rune(key(name))
	if len(k) < 3 || len(k) > maxFuzzyKeyRunes {
		return nil
	}
	limit := min(maxEdits, (len(k)+2)/4)
	best := map[int]int{} // edits by index
	for _, candidate := range index.keys[k[0]] {
		if index == c.personaNames && candidate.index >= index.firstProduct {
			continue
		}
		d := limit + 1
		if diff := len(candidate.runes) - len(k); diff <= limit && -diff <= limit {
			d = editDistance(k, candidate.runes, limit)
		}
		if len(candidate.runes) >= minFuzzyRunes && strings.HasPrefix(string(k), string(candidate.runes)) {
			d = 1
		}
		if before, ok := best[candidate.index]; d <= limit && (!ok || d < before) {
			best[candidate.index] = d
		}
	}
	all := slices.SortedFunc(maps.Keys(best), func(a, b int) int { return cmp.Or(best[a]-best[b], a-b) })
	var names []string
	for _, i := range all[:min(len(all), mostNearest)] {
		names = append(names, c.nameAt(index, i))
	}
	return names
}

func (c *Catalogue) nameAt(index *nameIndex, i int) string {
	switch {
	case i >= index.firstProduct:
		return c.products[i-index.firstProduct].Name
	case index == c.languageNames:
		return c.languages[i].Name
	}
	return c.personas[i].Name
}
