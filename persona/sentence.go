package persona

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// description is what a sentence about somebody says besides a role.
type description struct {
	words    []string
	used     []bool // words that name a language or product
	found    []int  // in Catalogue.languageNames
	learning bool
	learns   int // the word that says so
}

// describe finds the languages and products that a description of somebody names: beside the word for a trade, after one for
// learning, alone between commas, brackets or slashes, and elsewhere where no plain word is meant.
func (c *Catalogue) describe(text string) description {
	var d description
	text = c.namesAlone(&d, text)
	d.words = strings.FieldsFunc(text, endsWord)
	d.words = d.words[:min(len(d.words), 4*maxPhraseWords)]
	d.used = make([]bool, len(d.words))
	for i, word := range d.words {
		next := ""
		if i+1 < len(d.words) {
			next = key(d.words[i+1])
		}
		switch k := key(word); {
		case c.vocabulary.learning[k] && !d.learning:
			d.learns, d.learning = i, c.namesFrom(&d, i+1, c.writtenName) || i > 0 && (next == "to" || next == "a" || next == "about")
		case c.vocabulary.newTo[k] && c.vocabulary.link[next] && !d.learning:
			d.learns, d.learning = i, c.namesFrom(&d, i+1, c.writtenName)
		case c.vocabulary.trade[k]:
			c.namesBefore(&d, i)
			c.namesFrom(&d, i+1, c.plainName)
		}
	}
	c.namesInPassing(&d)
	return d
}

// namesAlone takes the names that stand alone between commas, brackets and slashes, also those that are words of plain English,
// and returns the text without them: "data scientist (R)", "Elixir/Phoenix".
func (c *Catalogue) namesAlone(d *description, text string) string {
	if _, ok := c.personaNames.exact(key(text)); ok {
		return text
	}
	text = c.namesWithSlash(d, text)
	var rest []string
	for piece := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(",/;|()[]，；、", r) }) {
		k := key(piece)
		n, ok := c.named(piece)
		i, named := c.personaNames.exact(k)
		isRole := named && i < len(c.personas)
		if ok && (!isRole || n < len(c.languages)) && len(k) < len(key(text)) {
			d.found = appendNew(d.found, n)
		} else {
			rest = append(rest, piece)
		}
	}
	if len(d.found) == 0 {
		return text
	}
	return strings.Join(rest, ", ")
}

// namesWithSlash takes the names that have a slash in them, and returns the text without: "PL/SQL developer".
func (c *Catalogue) namesWithSlash(d *description, text string) string {
	if !strings.Contains(text, "/") {
		return text
	}
	words := strings.Fields(text)
	for i, word := range words {
		if n, ok := c.named(word); ok && strings.Contains(word, "/") {
			d.found = appendNew(d.found, n)
			words[i] = ","
		}
	}
	return strings.Join(words, " ")
}

// namesInPassing takes the names that are left, but of the shortest only languages that are written as they call themselves:
// "does Go and k8s", "embedded C".
func (c *Catalogue) namesInPassing(d *description) {
	for at, word := range d.words {
		if name, trade, ok := strings.Cut(word, "-"); ok && c.vocabulary.trade[key(trade)] { // "Java-Entwickler"
			if n, ok := c.plainName([]string{name}); ok {
				d.found = appendNew(d.found, n)
				d.words[at] = trade
			}
			continue
		}
		if found := c.namesOfSlashes(word); len(found) > 0 && !d.used[at] {
			for _, n := range found {
				d.take(n, at, 1)
			}
			continue
		}
		for size := min(farthestBefore, len(d.words)-at); size > 0; size-- {
			words := d.words[at : at+size]
			n, ok := c.plainName(words)
			if i, named := c.personaNames.exact(key(words[0])); !ok && size == 1 && at > 0 && at+1 == len(d.words) && (!named || i >= len(c.personas)) && !c.vocabulary.isBeforeCompany(d.words[at-1]) {
				n, ok = c.writtenName(words) // "DBA Oracle"
			}
			switch {
			case !ok || slices.Contains(d.used[at:at+size], true):
			case len(key(words[0])) > 2 || n < len(c.languages) && words[0] == c.languages[n].Name && (at+1 == len(d.words) || d.words[at+1] != "to"):
				d.take(n, at, size)
			}
		}
	}
}

// namesOfSlashes are the names of a word like "Java/Kotlin", or none.
func (c *Catalogue) namesOfSlashes(word string) []int {
	var found []int
	pieces := strings.Split(word, "/")
	for _, piece := range pieces {
		if n, ok := c.named(piece); ok && len(pieces) > 1 {
			found = append(found, n)
		}
	}
	if len(found) < len(pieces) {
		return nil
	}
	return found
}

func endsWord(r rune) bool {
	return isSpaceOrBracket(r) && !strings.ContainsRune("/&-_", r) || r == '\'' || r == '’'
}

// rest is the text up to a word, without the names of languages and products.
func (d *description) rest(end int) string {
	var words []string
	for i, word := range d.words[:end] {
		if !d.used[i] {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

func (d *description) take(index, from, size int) {
	d.found = appendNew(d.found, index)
	for i := range size {
		d.used[from+i] = true
	}
}

const farthestBefore = 3 // words: "Python back end developer"

// namesBefore takes the names before the word of a trade: any beside it, longer ones also a little before it.
func (c *Catalogue) namesBefore(d *description, at int) {
	for size := min(farthestBefore, at); size > 0; size-- {
		if n, ok := c.plainName(d.words[at-size : at]); ok {
			d.take(n, at-size, size)
			return
		}
	}
	for i := at - 1; i >= max(0, at-farthestBefore); i-- {
		if n, ok := c.plainName(d.words[i : i+1]); ok && n < len(c.languages) && len(key(d.words[i])) > 2 {
			d.take(n, i, 1)
		}
	}
}

// namesFrom takes the names that stand at a word, over link words: "Python and Go", "to code in Rust". nameOf says which names
// count.
func (c *Catalogue) namesFrom(d *description, at int, nameOf func([]string) (int, bool)) bool {
	understood := false
next:
	for at < len(d.words) {
		for size := min(farthestBefore, len(d.words)-at); size > 0; size-- {
			if n, ok := nameOf(d.words[at : at+size]); ok {
				d.take(n, at, size)
				understood = true
				at += size
				continue next
			}
		}
		if !c.vocabulary.link[key(d.words[at])] {
			break
		}
		at++
	}
	return understood
}

// named finds a language or product by its whole name, which must not be a file's extension.
func (c *Catalogue) named(name string) (int, bool) {
	e, ok := c.languageNames.entries[key(name)]
	return e.index, ok && !e.extension
}

// plainName is as named, for a name that is no word of plain English.
func (c *Catalogue) plainName(words []string) (int, bool) {
	name := strings.Join(words, " ")
	n, ok := c.named(name)
	return n, ok && !c.languageNames.isOrdinary(key(name))
}

// writtenName finds a plainName, or one that is also a word of plain English and is written with a capital letter: "learning Spring".
func (c *Catalogue) writtenName(words []string) (int, bool) {
	n, ok := c.named(strings.Join(words, " "))
	_, isPlain := c.plainName(words)
	first, _ := utf8.DecodeRuneInString(words[0])
	return n, ok && (isPlain || unicode.IsUpper(first))
}
