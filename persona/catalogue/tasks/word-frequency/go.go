// snippet:check
//go:build ignore

package main

// snippet:end

// snippet:doc https://pkg.go.dev/strings#FieldsFuncSeq strings.FieldsFuncSeq
// snippet:needs Go 1.24
// snippet:prints [the cat dog]

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// snippet:check
import "fmt"

// snippet:end
// TopWords returns the n most frequent words of letters, equal counts sorted by
// word. A digit ends a word.
func TopWords(text string, n int) []string {
	counts := map[string]int{}
	notInWord := func(r rune) bool { return !unicode.In(r, unicode.Letter, unicode.Mark) && r != '\'' && r != '’' }
	notLetter := func(r rune) bool { return !unicode.IsLetter(r) }
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), notInWord) {
		word = strings.TrimLeftFunc(word, notLetter) // not 'did', and not the mark in an emoji
		if word = strings.TrimRight(word, "'’"); word != "" {
			counts[word]++
		}
	}
	words := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b))
	})
	return words[:min(n, len(words))]
}

// snippet:check
func main() {
	fmt.Println(TopWords("The cat saw the dog. The 'dog' didn't ' see; the cat did! ❤️ ❤️ ❤️ ❤️ ❤️", 3))
}
