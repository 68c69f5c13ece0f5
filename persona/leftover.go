package persona

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// mostTellingWords is how many words a name has at most of which each is meant to be understood. In longer ones, which are
// sentences, most say other things.
const mostTellingWords = 6

// noteLeftovers tells of the words of a name that nothing was made of, and of the versions in it: "SAP developer", "Python,
// Klingon", "Angular 15".
func (c *Catalogue) noteLeftovers(u *understanding, index *nameIndex, field, name string) {
	pieces := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(",;()，；、\n", r) })
	if _, ok := index.exact(key(name)); ok || len(pieces) == 2 && index.has(pieces[1]+pieces[0]) {
		return
	}
	for _, piece := range pieces {
		s := c.explain(u, piece)
		u.versions = append(u.versions, s.versions...)
		isSentence := len(s.words) > mostTellingWords && slices.Contains(s.explained, true)
		runs := s.unexplained()
		if len(runs) == 0 {
			continue
		}
		languages := c.languagesOf(u)
		if useCase, ok := c.useCase(strings.Join(runs, " "), languages); ok && len(runs) > 1 && c.isToldAsUseCase(field, runs...) { // "upload a file"
			u.useCases = append(u.useCases, useCase)
			continue
		}
		for _, words := range runs {
			if useCase, ok := c.useCase(words, languages); ok && c.isToldAsUseCase(field, words) {
				u.useCases = append(u.useCases, useCase)
				continue
			}
			if isSentence {
				continue
			}
			u.unknown = append(u.unknown, Unknown{Field: field, Name: words, Nearest: c.nearest(index, words)})
		}
	}
}

// isToldAsUseCase reports whether words left over are meant as a use case: in a title only if something is done, or tasks know
// each of them. "Outside IR35" is none.
func (c *Catalogue) isToldAsUseCase(field string, runs ...string) bool {
	if field == "languages" {
		return true
	}
	text := strings.Join(runs, " ")
	isDone := slices.ContainsFunc(strings.Fields(text), func(word string) bool { return c.vocabulary.doing[key(word)] })
	return isDone || !slices.ContainsFunc(topics(text), func(word string) bool { return len(c.ranking.words.tasks[word]) == 0 })
}

// explanation says which words of a text something was made of.
type explanation struct {
	words     []string
	explained []bool
	name      []int // the first word of the language's or product's name that the word is in; -1: none
	versions  []string
}

// explain finds the words that led to what was understood, or that say nothing.
func (c *Catalogue) explain(u *understanding, text string) explanation {
	words := strings.FieldsFunc(text, func(r rune) bool { return isSpaceOrBracket(r) || r == '\'' || r == '’' })
	words = words[:min(len(words), maxPhraseWords)]
	s := explanation{words: words, explained: make([]bool, len(words)), name: slices.Repeat([]int{-1}, len(words))}
	for size := len(words); size > 0; size-- {
		for at := 0; at+size <= len(words); at++ {
			if slices.Contains(s.explained[at:at+size], true) {
				continue
			}
			if known, named := c.ledTo(u, key(strings.Join(words[at:at+size], ""))); known {
				s.mark(at, size, named)
			}
		}
	}
	for i := range words {
		if !s.explained[i] {
			c.explainWord(u, &s, i)
		}
	}
	for at := range words { // typos
		for size := min(farthestBefore, len(words)-at); size > 0 && !s.explained[at]; size-- {
			if k := key(strings.Join(words[at:at+size], "")); c.similarTo(u, k) {
				s.mark(at, size, false)
			}
		}
	}
	return s
}

// explainWord explains a word that is no name by itself: a version, a file's name, or one that says nothing.
func (c *Catalogue) explainWord(u *understanding, s *explanation, i int) {
	word := s.words[i]
	if isVersion.MatchString(word) {
		s.mark(i, 1, false)
		years := i+1 < len(s.words) && strings.HasPrefix(key(s.words[i+1]), "year")
		if i > 0 && s.name[i-1] >= 0 && !years {
			s.versions = append(s.versions, strings.Join(s.words[s.name[i-1]:i+1], " "))
		}
		return
	}
	if k := key(word); len(k) < 2 || isAmount(word) || c.vocabulary.isCounted(s.words, i) || c.vocabulary.saysNothing(k) || strings.ContainsFunc(k, isUnspaced) {
		s.mark(i, 1, false)
		return
	}
	base, kind := plainForm(word)
	if known, named := c.ledTo(u, key(base)); known {
		s.mark(i, 1, named)
		if kind == versioned {
			s.versions = append(s.versions, word)
		}
	}
}

func (s *explanation) mark(at, size int, named bool) {
	for i := at; i < at+size; i++ {
		s.explained[i] = true
		if named {
			s.name[i] = at
		}
	}
}

// unexplained returns the runs of words that nothing was made of.
func (s *explanation) unexplained() []string {
	var runs []string
	var run []string
	for i, word := range s.words {
		if !s.explained[i] {
			run = append(run, word)
		}
		if len(run) > 0 && (s.explained[i] || i == len(s.words)-1) {
			runs = append(runs, strings.Join(run, " "))
			run = nil
		}
	}
	return runs
}

// ledTo reports whether a key is a name of what was understood, and whether that is a language or a product.
func (c *Catalogue) ledTo(u *understanding, k string) (known, named bool) {
	if i, ok := c.languageNames.exact(k); ok && c.isUnderstood(u, c.languageNames, i) {
		return true, true
	}
	i, ok := c.personaNames.exact(k)
	isLevel := i == c.personaIndex(learnerID) && u.level == beginner.number()
	return ok && (isLevel || i == c.personaIndex(developerID) || c.isUnderstood(u, c.personaNames, i)), false
}

// similarTo reports whether a key is a misspelt name of what was understood.
func (c *Catalogue) similarTo(u *understanding, k string) bool {
	for _, index := range []*nameIndex{c.languageNames, c.personaNames} {
		if i, ok := index.similar(k); ok && c.isUnderstood(u, index, i) {
			return true
		}
	}
	return false
}

// isUnderstood reports whether what an index tells is a part of the understanding.
func (c *Catalogue) isUnderstood(u *understanding, index *nameIndex, i int) bool {
	switch {
	case i >= index.firstProduct:
		return slices.Contains(u.products, i-index.firstProduct)
	case index == c.languageNames:
		return slices.Contains(u.languages, i)
	}
	return slices.Contains(u.personas, i) || slices.Contains(u.aside, i)
}

// isVersion matches a version that stands alone: "15", "v3.4", "21+".
var isVersion = regexp.MustCompile(`^v?\d+(\.\d+)*(\.x)?\+?$`)

// isCounted reports whether a word is a number with its unit, or the unit of the number before it: "20h", "12 month", "100%".
func (v *vocabulary) isCounted(words []string, i int) bool {
	number := func(word string) bool { return word != "" && (unicode.IsDigit(rune(word[0])) || isAmount(word)) }
	k := key(words[i])
	return number(words[i]) && (v.unit[strings.TrimLeft(k, "0123456789")] || strings.HasSuffix(words[i], "%")) || i > 0 && v.unit[k] && number(words[i-1])
}

// isAmount reports whether a word is a sum or a number of something: "£28k", "3rd".
func isAmount(word string) bool {
	return strings.ContainsFunc(word[:min(len(word), 4)], func(r rune) bool { return unicode.Is(unicode.Sc, r) })
}

// gluedVersion is a name of two letters and more with its version: "go1.26", "ES2025".
var gluedVersion = regexp.MustCompile(`^(\S*[^\d.\s]{2})v?\d+(\.\d+)*(\.x)?\+?$`)

type formOfWord int

const (
	plain formOfWord = iota
	versioned
	fileName
)

// plainForm is what a word names without the version at its end, or, of a file's name, its extension: "go1.26" is "go", and
// "main.rs" is ".rs".
func plainForm(word string) (string, formOfWord) {
	if m := gluedVersion.FindStringSubmatch(word); m != nil {
		return m[1], versioned
	}
	if i := strings.LastIndexByte(word, '.'); i > 0 {
		return word[i:], fileName
	}
	return word, plain
}
