package persona

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// nameIndex finds languages or personas by the names that people write.
//
// A name is tried in this order, and the first step that finds something ends the search: as written; in pieces ("HTML/CSS") and
// by the longest known phrases within them ("Senior Backend Developer"); with small typos. What is found is told by its index: of
// a language or a persona, or, from firstProduct on, of a product.
type nameIndex struct {
	entries      map[string]nameEntry // by key
	extensions   wordSet              // keys of what files end with, whatever else they name
	keys         map[rune][]fuzzyKey  // sorted, for typos, by their first letter
	unspaced     []string             // keys in scripts without spaces, longest first
	generic      wordSet              // that may surround a short name: "R language"
	ordinary     wordSet              // keys that are also words of plain English: "express"
	firstProduct int
}

type nameEntry struct {
	index     int
	layer     int
	owner     string // what it names, as messages call it
	extension bool   // of files: ".ml"
}

type fuzzyKey struct {
	runes []rune
	index int
}

func newNameIndex(generic wordSet, firstProduct int, ordinary []string) *nameIndex {
	n := &nameIndex{entries: map[string]nameEntry{}, extensions: wordSet{}, keys: map[rune][]fuzzyKey{}, generic: generic, ordinary: wordSet{}, firstProduct: firstProduct}
	for _, word := range ordinary {
		n.ordinary[key(word)] = true
	}
	return n
}

func (r *reader) indexLanguages() *nameIndex {
	d := r.into
	index := newNameIndex(embeddedVocabulary().genericLanguage, len(d.languages), d.ordinary)
	for i, l := range d.languages {
		r.addNames(index, i, l.place, append([]string{l.value.ID, l.value.Name}, l.value.Aliases...))
		index.addExtensions(i, l.layer, append([]string{l.value.File}, l.value.Extensions...))
	}
	for i, p := range d.products {
		r.addNames(index, index.firstProduct+i, p.place, p.value.names())
	}
	index.finish()
	return index
}

func (r *reader) indexPersonas() *nameIndex {
	d := r.into
	index := newNameIndex(embeddedVocabulary().genericPersona, len(d.personas), d.ordinary)
	byID := map[string]int{}
	for i, p := range d.personas {
		byID[p.value.ID] = i
		r.addNames(index, i, p.place, append([]string{p.value.ID, p.value.Name}, p.value.Aliases...))
	}
	for _, role := range d.roles {
		r.addNames(index, byID[role.value.persona], role.place, append([]string{role.value.persona}, role.value.names...))
	}
	// What personas.toml calls a role is one, whatever product has the name too.
	for i, p := range d.products {
		for _, name := range p.value.names() {
			if k := key(name); k != "" && len(p.value.Personas) > 0 {
				if _, taken := index.entries[k]; !taken {
					index.entries[k] = nameEntry{index: index.firstProduct + i, layer: p.layer}
				}
			}
		}
	}
	index.finish()
	return index
}

// names are the product's own names.
func (p *Product) names() []string { return append([]string{p.Name}, p.Spelling...) }

// addNames adds the names of one thing; the first is what it is called in messages. A name taken by another in the same catalogue
// is a problem; a later catalogue takes over names.
func (r *reader) addNames(n *nameIndex, index int, at place, names []string) {
	for _, name := range names {
		k := key(name)
		if k == "" {
			continue
		}
		taken, ok := n.entries[k]
		if ok && taken.index != index && taken.layer > at.layer {
			continue
		}
		if ok && taken.index != index && taken.layer == at.layer && !taken.extension {
			r.problem(at.file, at.line, "%q: the name %q belongs to %q already", names[0], name, taken.owner)
			continue
		}
		n.entries[k] = nameEntry{index: index, layer: at.layer, owner: names[0]}
	}
}

// addExtensions adds what files end with. One may be another language's too ("m"): the first one keeps it.
func (n *nameIndex) addExtensions(index, layer int, names []string) {
	for _, name := range names {
		k := key(name)
		n.extensions[k] = true
		if taken, ok := n.entries[k]; k != "" && (!ok || taken.layer < layer) {
			n.entries[k] = nameEntry{index: index, layer: layer, extension: true}
		}
	}
}

func (n *nameIndex) finish() {
	for k, e := range n.entries {
		if strings.ContainsFunc(k, isUnspaced) && utf8.RuneCountInString(k) > 1 {
			n.unspaced = append(n.unspaced, k)
		}
		shortest := minFuzzyRunes
		if e.index >= n.firstProduct {
			shortest = minFuzzyProductRunes
		}
		if runes := []rune(k); len(runes) >= shortest {
			n.keys[runes[0]] = append(n.keys[runes[0]], fuzzyKey{runes, e.index})
		}
	}
	for _, keys := range n.keys {
		slices.SortFunc(keys, func(a, b fuzzyKey) int { return slices.Compare(a.runes, b.runes) })
	}
	slices.SortFunc(n.unspaced, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
}

// find appends to found the indexes of what the name means, in the order they are named, without those already there. It never
// fails: what is not understood adds nothing.
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
		if i, ok := n.exact(n.nameKey(piece)); ok && !n.generic[key(piece)] {
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
	with, ok := n.within(found, key(name))
	if ok || understood {
		return with
	}
	if core := n.withoutGeneric(name); utf8.RuneCountInString(key(core)) >= minFuzzyRunes {
		for _, piece := range append([]string{name, core}, rest...) {
			if i, ok := n.similar(key(piece)); ok {
				return appendNew(found, i)
			}
		}
	}
	found, _ = n.phrases(found, name, nil) // "I am a developer"
	return found
}

// has reports whether a text is a name.
func (n *nameIndex) has(text string) bool {
	_, ok := n.exact(key(text))
	return ok
}

// nameKey is the key of a word, without the version that is glued to it, and of a file's name that of its extension.
func (n *nameIndex) nameKey(word string) string {
	k := key(word)
	if _, ok := n.exact(k); ok {
		return k
	}
	base, form := plainForm(word)
	bare := key(base)
	if e, ok := n.entries[bare]; ok && !e.extension && form == versioned || n.extensions[bare] && form == fileName {
		return bare
	}
	return k
}

// isWritten reports whether words have a name of what an index tells as it is: not in the plural, and not together from words
// that stand apart.
func (n *nameIndex) isWritten(words []string, index int) bool {
	for _, word := range words {
		for _, k := range []string{key(word), n.nameKey(word)} {
			if e, ok := n.entries[k]; ok && e.index == index {
				return true
			}
		}
	}
	for at := range words {
		for size := 2; size <= farthestBefore && at+size <= len(words); size++ {
			e, ok := n.entries[key(strings.Join(words[at:at+size], ""))]
			if ok && e.index == index && strings.Contains(e.owner, " ") {
				return true
			}
		}
	}
	return false
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

// within looks for names in a text whose script has no spaces: "我是后端工程师".
func (n *nameIndex) within(found []int, k string) ([]int, bool) {
	understood := false
	if !strings.ContainsFunc(k, isUnspaced) {
		return found, false
	}
	for _, name := range n.unspaced {
		if strings.Contains(k, name) {
			found, understood = appendNew(found, n.entries[name].index), true
			k = strings.ReplaceAll(k, name, " ")
		}
	}
	return found, understood
}

// isUnspaced reports whether a letter's script sets no spaces between words, or (Hangul) glues endings to them.
func isUnspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

const maxPhraseWords = 12

// phrases looks for known names among the words of a text, longest first. Names of one or two letters, and those that are
// ordinary words, count only between generic words and numbers: "C programming" is C, "ready to go" is not Go. The words of
// except do not count as names here.
func (n *nameIndex) phrases(found []int, text string, except wordSet) (with []int, any bool) {
	words := strings.FieldsFunc(text, isSpaceOrBracket)
	if len(words) > maxPhraseWords {
		words = words[:maxPhraseWords]
	}
	keys := make([]string, len(words))
	for i, word := range words {
		keys[i] = n.nameKey(word)
	}
	return n.phrasesOf(found, keys, except)
}

// phrasesOf does the work of phrases for words, given as keys: the key of a phrase is that of its words.
func (n *nameIndex) phrasesOf(found []int, words []string, except wordSet) (with []int, any bool) {
	for size := len(words); size > 0; size-- {
		for at := 0; at+size <= len(words); at++ {
			k := strings.Join(words[at:at+size], "")
			i, ok := n.exact(k)
			if !ok || (len(k) <= 2 || n.isOrdinary(k)) && !n.onlyGeneric(words[:at], words[at+size:]) || except[k] {
				continue
			}
			found = appendNew(found, i)
			// The words are used up; look left and right of them.
			found, _ = n.phrasesOf(found, words[:at], except)
			found, _ = n.phrasesOf(found, words[at+size:], except)
			return found, true
		}
	}
	return found, false
}

// isOrdinary reports whether a key is a word of plain English, also in the plural.
func (n *nameIndex) isOrdinary(k string) bool {
	return n.ordinary[k] || n.ordinary[strings.TrimSuffix(k, "s")]
}

// onlyGeneric reports whether words, given as keys, are generic ones and numbers.
func (n *nameIndex) onlyGeneric(parts ...[]string) bool {
	for _, words := range parts {
		for _, word := range words {
			if !n.generic[word] && strings.Trim(word, "0123456789") != "" {
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

// Typos: one edit in names of 5 letters and more, two from 8 on, with the first letter right; of 4 letters only a swap of
// neighbours, because Rest is not Rust. Products have many relatives that are not listed: one edit, from 6 letters on.
const (
	minFuzzyRunes        = 4
	oneEditRunes         = 5
	twoEditsRunes        = 8
	minFuzzyProductRunes = 6
	maxFuzzyKeyRunes     = 48
	maxEdits             = 4
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
	for _, candidate := range n.keys[runes[0]] {
		if !mayBeSimilar(candidate.runes, runes, allowed) {
			continue
		}
		switch d := editDistance(runes, candidate.runes, allowed); {
		case d > 1 && candidate.index >= n.firstProduct:
		case d < best:
			best, unique, index = d, true, candidate.index
		case d == best && d <= allowed && candidate.index != index:
			unique = false
		}
	}
	return index, unique && best <= allowed
}

// mayBeSimilar is false for most names that are too far from each other.
func mayBeSimilar(a, b []rune, allowed int) bool {
	longer := len(a) - len(b)
	return max(longer, -longer) <= allowed && (min(len(a), len(b)) >= oneEditRunes || sameLetters(a, b))
}

func sameLetters(a, b []rune) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// editDistance counts insertions, deletions, substitutions and swaps of neighbours (optimal string alignment); more than limit is
// limit+1. a has at most maxFuzzyKeyRunes, and b at most maxEdits more.
func editDistance(a, b []rune, limit int) int {
	var rows [3][maxFuzzyKeyRunes + maxEdits + 1]int
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

// key reduces a name to what distinguishes it: letters (lower case, without accents), digits, "+" and "#".
func key(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) {
		name = withoutAccents(name)
	}
	var buffer [64]byte
	out := buffer[:0]
	for _, r := range name {
		if r == '+' || r == '#' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			out = utf8.AppendRune(out, unicode.ToLower(r))
		}
	}
	return string(out)
}

// withoutAccents removes the combining marks of the European scripts, which people leave out when they type in a hurry:
// "developpeur".
func withoutAccents(text string) string {
	text = strings.Map(func(r rune) rune {
		if r >= 0x300 && r <= 0x36f {
			return -1
		}
		return r
	}, norm.NFD.String(text))
	return norm.NFC.String(strings.ReplaceAll(text, "ł", "l"))
}

func isSeparator(r rune) bool {
	return strings.ContainsRune("/,;|&()[]·•、，；／\n", r)
}

func isSpaceOrBracket(r rune) bool {
	return unicode.IsSpace(r) || r == '-' || r == '_' || r == ':' || isSeparator(r)
}

// appendNew appends what is not there yet.
func appendNew[T comparable](list []T, more ...T) []T {
	for _, v := range more {
		if !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}
