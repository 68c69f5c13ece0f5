package segmentation

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

//go:embed words.json
var wordFile []byte

// functionWords maps each frequent small word to the languages in Latin script that use it.
var functionWords = sync.OnceValue(func() map[string][]string {
	of := map[string][]string{}
	for language, list := range corpus.Embedded[map[string][]string](wordFile)() {
		for _, w := range list {
			of[w] = append(of[w], language)
		}
	}
	return of
})

// Language guesses the natural language of prose, so that figures can be given by language: by its script, and in Latin
// script by its function words. "unknown" if there is too little to go by.
func Language(prose string) string {
	scripts := map[string]int{}
	for _, r := range prose {
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			scripts["Japanese"] += 3 // a few kana tell Japanese from Chinese
		case unicode.Is(unicode.Han, r):
			scripts["Chinese"]++
		case unicode.Is(unicode.Hangul, r):
			scripts["Korean"]++
		case unicode.Is(unicode.Cyrillic, r):
			if strings.ContainsRune("іїєґІЇЄҐ", r) {
				scripts["Ukrainian"] += 30
			}
			scripts["Russian"]++
		case unicode.Is(unicode.Arabic, r):
			if strings.ContainsRune("پچژگکی", r) {
				scripts["Persian"] += 8
			}
			scripts["Arabic"]++
		case unicode.Is(unicode.Devanagari, r):
			scripts["Hindi"]++
		case unicode.Is(unicode.Greek, r):
			scripts["Greek"]++
		case unicode.Is(unicode.Hebrew, r):
			scripts["Hebrew"]++
		case unicode.Is(unicode.Thai, r):
			scripts["Thai"]++
		case unicode.IsOneOf([]*unicode.RangeTable{unicode.Bengali, unicode.Tamil, unicode.Telugu, unicode.Malayalam, unicode.Kannada, unicode.Gujarati}, r):
			scripts["another Indic script"]++
		case unicode.Is(unicode.Latin, r):
			scripts["Latin"]++
		}
	}
	total := 0
	for _, n := range scripts {
		total += n
	}
	// Names and terms are in Latin script everywhere.
	if best := most(scripts, "Latin"); best != "" && 5*scripts[best] >= total {
		return best
	}
	counts := map[string]int{}
	for _, w := range strings.FieldsFunc(strings.ToLower(prose), func(r rune) bool { return !unicode.IsLetter(r) }) {
		for _, language := range functionWords()[w] {
			counts[language]++
		}
	}
	best := most(counts, "")
	if counts[best] < 2 {
		return "unknown"
	}
	return best
}

// most is the key with the greatest count, the first in alphabetical order among equals, but for except.
func most(counts map[string]int, except string) string {
	best := ""
	for k, n := range counts {
		if k != except && (best == "" || n > counts[best] || n == counts[best] && k < best) {
			best = k
		}
	}
	return best
}
