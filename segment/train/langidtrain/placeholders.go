package langidtrain

import (
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// Metasyntactic names (foo, bar, baz) say nothing about the language: they show which repositories have such tests. A language
// that has few others would take every example with them for its own. So each example gets other names in their place, made
// up, which no other example has.

// placeholder finds identifiers that consist of nothing but metasyntactic names, digits and underscores: foo, fooBar, FOO_2.
var placeholder = regexp.MustCompile(`\b_*(?:foo|bar|baz|qux|quux|Foo|Bar|Baz|Qux|Quux|FOO|BAR|BAZ|QUX|QUUX)(?:foo|bar|baz|qux|quux|Foo|Bar|Baz|Qux|Quux|FOO|BAR|BAZ|QUX|QUUX|[0-9_])*\b`)

// metasyntactic finds the names in such an identifier.
var metasyntactic = regexp.MustCompile(`(?i)foo|bar|baz|quux|qux`)

// withoutPlaceholders is d with made-up names for the metasyntactic ones of each example.
func withoutPlaceholders(d *Data) *Data {
	out := *d
	out.examples = slices.Clone(d.examples)
	for i := range out.examples {
		out.examples[i].text = rename(out.examples[i].text)
	}
	return &out
}

// rename puts made-up names in the place of metasyntactic ones, the same for the same, in the same case. They depend on the
// text alone.
func rename(text string) string {
	if !metasyntactic.MatchString(text) {
		return text
	}
	h := fnv.New64a()
	h.Write([]byte(text))
	rng := rand.New(rand.NewPCG(h.Sum64(), 5))
	names := map[string]string{}
	return placeholder.ReplaceAllStringFunc(text, func(identifier string) string {
		return metasyntactic.ReplaceAllStringFunc(identifier, func(name string) string {
			lower := strings.ToLower(name)
			if names[lower] == "" {
				names[lower] = invent(rng)
			}
			return inCaseOf(name, names[lower])
		})
	})
}

// invent makes a word of two or three syllables up.
func invent(rng *rand.Rand) string {
	const consonants, vowels = "bcdfghjklmnprstvwz", "aeiou"
	var word strings.Builder
	for range 2 + rng.IntN(2) {
		word.WriteByte(consonants[rng.IntN(len(consonants))])
		word.WriteByte(vowels[rng.IntN(len(vowels))])
	}
	return word.String()
}

// inCaseOf writes word, which is in lower case, with the capitals of name.
func inCaseOf(name, word string) string {
	switch {
	case name == strings.ToUpper(name):
		return strings.ToUpper(word)
	case name != strings.ToLower(name):
		return strings.ToUpper(word[:1]) + word[1:]
	}
	return word
}
