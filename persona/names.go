package persona

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// nameIndex finds languages or personas by the names that people write.
//
// A name is tried in this order, and the first step that finds something ends
// the search: as written; in pieces ("HTML/CSS") and by the longest known phrases
// within them ("Senior Backend Developer"); with small typos.
type nameIndex struct {
	entries map[string]nameEntry // by key
	keys    []fuzzyKey           // sorted, for typos
	generic map[string]bool      // words that may surround a short name: "R language"
}

type nameEntry struct {
	index int
	layer int
}

type fuzzyKey struct {
	runes []rune
	index int
}

func newNameIndex(generic string) *nameIndex {
	n := &nameIndex{entries: map[string]nameEntry{}, generic: map[string]bool{}}
	for _, word := range strings.Fields(generic) {
		n.generic[word] = true
	}
	return n
}

const genericLanguageWords = "a all and any code coding dev developer developing development framework in lang " +
	"language languages latest lts modern newest of or programmer programming script scripting scripts shells " +
	"some stack the version with"

const genericPersonaWords = "a am an and applications apps as at being expert for freelance i im in junior lead my " +
	"developer engineer of or people person principal professional programmer pro senior some specialist sr staff the who work working years"

func indexLanguages(languages []*Language, declared []declared[Language]) (*nameIndex, []Problem) {
	index := newNameIndex(genericLanguageWords)
	var problems []Problem
	for i, l := range languages {
		names := append([]string{l.ID, l.Name, l.File}, l.Aliases...)
		names = append(names, l.Extensions...)
		problems = index.addAll(problems, names, i, declared[i].file, declared[i].line, declared[i].layer,
			func(other int) string { return languages[other].ID })
	}
	index.finish()
	return index, problems
}

func indexPersonas(personas []*Persona, declared []declared[Persona]) (*nameIndex, []Problem) {
	index := newNameIndex(genericPersonaWords)
	var problems []Problem
	for i, p := range personas {
		names := append([]string{p.ID, p.Name}, p.Aliases...)
		problems = index.addAll(problems, names, i, declared[i].file, declared[i].line, declared[i].layer,
			func(other int) string { return personas[other].ID })
	}
	index.finish()
	return index, problems
}

// addAll adds the names of one language or persona. A name taken by another in
// the same catalogue is a problem; a later catalogue takes over names. The file
// extension of one language may be another's too ("m"): the first one keeps it.
func (n *nameIndex) addAll(problems []Problem, names []string, index int, file string, line, layer int, id func(int) string) []Problem {
	for i, name := range names {
		k := key(name)
		if k == "" {
			continue
		}
		taken, ok := n.entries[k]
		switch {
		case !ok || taken.index == index || taken.layer < layer:
			n.entries[k] = nameEntry{index, layer}
		case i > 0 && (strings.HasPrefix(name, ".") || i == 2):
		default:
			problems = append(problems, Problem{
				File: file, Line: line,
				Message: fmt.Sprintf("%q: the name %q belongs to %q already", names[0], name, id(taken.index)),
			})
		}
	}
	return problems
}

func (n *nameIndex) finish() {
	for k, e := range n.entries {
		if utf8.RuneCountInString(k) >= minFuzzyRunes {
			n.keys = append(n.keys, fuzzyKey{[]rune(k), e.index})
		}
	}
	slices.SortFunc(n.keys, func(a, b fuzzyKey) int { return slices.Compare(a.runes, b.runes) })
}

// find appends to found the indexes of what the name means, in the order they
// are named, without those already there. It never fails: what is not
// understood adds nothing.
func (n *nameIndex) find(found []int, name string) []int {
	if i, ok := n.exact(key(name)); ok {
		return appendNew(found, i)
	}
	name = norm.NFKC.String(name)
	if i, ok := n.exact(key(name)); ok {
		return appendNew(found, i)
	}
	pieces := strings.FieldsFunc(name, isSeparator)
	if len(pieces) == 2 { // the order of words in surveys: "Engineer, data"
		if i, ok := n.exact(key(pieces[1] + pieces[0])); ok {
			return appendNew(found, i)
		}
	}
	understood := false
	var rest []string
	for _, piece := range pieces {
		if i, ok := n.exact(key(piece)); ok && !n.generic[key(piece)] {
			found, understood = appendNew(found, i), true
		} else {
			rest = append(rest, piece)
		}
	}
	for _, piece := range append(rest, strings.Join(rest, " ")) {
		if with, ok := n.phrases(found, piece, n.generic); ok {
			found, understood = with, true
		}
	}
	if understood {
		return found
	}
	if core := n.withoutGeneric(name); core != "" {
		for _, piece := range append([]string{name, core}, rest...) {
			if i, ok := n.similar(key(piece)); ok {
				return appendNew(found, i)
			}
		}
	}
	found, _ = n.phrases(found, name, nil) // "I am a developer"
	return found
}

// exact looks a key up, also without the plural's "s".
func (n *nameIndex) exact(k string) (int, bool) {
	if k == "" {
		return 0, false
	}
	e, ok := n.entries[k]
	if !ok && len(k) > 3 && strings.HasSuffix(k, "s") {
		e, ok = n.entries[k[:len(k)-1]]
	}
	return e.index, ok
}

const maxPhraseWords = 12

// phrases looks for known names among the words of a text, longest first.
// Names of one or two letters count only between generic words and numbers:
// "C programming" is C, "ready to go" is not Go. The words of except do not
// count as names here.
func (n *nameIndex) phrases(found []int, text string, except map[string]bool) (with []int, any bool) {
	words := strings.FieldsFunc(text, isSpaceOrBracket)
	if len(words) > maxPhraseWords {
		words = words[:maxPhraseWords]
	}
	for size := len(words); size > 0; size-- {
		for at := 0; at+size <= len(words); at++ {
			k := key(strings.Join(words[at:at+size], " "))
			i, ok := n.exact(k)
			if !ok || len(k) <= 2 && !n.onlyGeneric(words[:at], words[at+size:]) || except[k] {
				continue
			}
			found = appendNew(found, i)
			// The words are used up; look left and right of them.
			found, _ = n.phrases(found, strings.Join(words[:at], " "), except)
			found, _ = n.phrases(found, strings.Join(words[at+size:], " "), except)
			return found, true
		}
	}
	return found, false
}

func (n *nameIndex) onlyGeneric(parts ...[]string) bool {
	for _, words := range parts {
		for _, word := range words {
			k := key(word)
			if !n.generic[k] && strings.Trim(k, "0123456789") != "" {
				return false
			}
		}
	}
	return true
}

func (n *nameIndex) withoutGeneric(text string) string {
	words := strings.FieldsFunc(text, isSpaceOrBracket)
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return n.generic[key(word)] }), " ")
}

// Typos: one edit in names of 4 letters and more, two from 8 on.
const (
	minFuzzyRunes    = 4
	twoEditsRunes    = 8
	maxFuzzyKeyRunes = 48
)

// similar returns the only nearest name within the allowed number of edits.
func (n *nameIndex) similar(k string) (int, bool) {
	runes := []rune(k)
	if len(runes) < minFuzzyRunes || len(runes) > maxFuzzyKeyRunes {
		return 0, false
	}
	allowed := 1
	if len(runes) >= twoEditsRunes {
		allowed = 2
	}
	best, unique, index := allowed+1, false, 0
	for _, candidate := range n.keys {
		if d := len(candidate.runes) - len(runes); d > allowed || -d > allowed {
			continue
		}
		switch d := editDistance(runes, candidate.runes, allowed); {
		case d < best:
			best, unique, index = d, true, candidate.index
		case d == best && d <= allowed && candidate.index != index:
			unique = false
		}
	}
	return index, unique && best <= allowed
}

// editDistance counts insertions, deletions, substitutions and swaps of
// neighbours (optimal string alignment); more than limit is limit+1.
func editDistance(a, b []rune, limit int) int {
	var rows [3][maxFuzzyKeyRunes + 4]int
	two, one, row := rows[0][:len(b)+1], rows[1][:len(b)+1], rows[2][:len(b)+1]
	for j := range one {
		one[j] = j
	}
	for i := range a {
		row[0] = i + 1
		least := row[0]
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			d := min(one[j]+cost, one[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, two[j-1]+1)
			}
			row[j+1] = d
			least = min(least, d)
		}
		if least > limit {
			return limit + 1
		}
		two, one, row = one, row, two
	}
	return one[len(b)]
}

// key reduces a name to what distinguishes it: letters (lower case), digits,
// "+" and "#".
func key(name string) string {
	var buffer [64]byte
	out := buffer[:0]
	for _, r := range name {
		if r == '+' || r == '#' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			out = utf8.AppendRune(out, unicode.ToLower(r))
		}
	}
	return string(out)
}

func isSeparator(r rune) bool {
	return strings.ContainsRune("/,;|&()[]·•、，；／\n", r)
}

func isSpaceOrBracket(r rune) bool {
	return unicode.IsSpace(r) || r == '-' || r == '_' || r == ':' || isSeparator(r)
}

func appendNew(found []int, index int) []int {
	if slices.Contains(found, index) {
		return found
	}
	return append(found, index)
}
