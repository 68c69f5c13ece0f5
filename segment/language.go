package segment

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// Language is one of the languages that [Segmenter.Classify] knows, or UnknownLanguage. Its number is valid in this process only.
type Language uint8

// UnknownLanguage is the zero Language.
const UnknownLanguage Language = 0

//go:embed labels.json
var labelsFile []byte

// otherLanguage stands for the languages that have a name but no label.
const otherLanguage Language = 255

// otherTags are tags of such languages, lower case. Code under one of them is in no language that has a label, although it may
// look like some.
const otherTags = "abnf antlr apl applescript avro ballerina bnf capnp chapel cypher d2 dhall ebnf eiffel ejs factor fennel " +
	"forth freemarker gnuplot gotmpl gremlin haml idris janet jsonpath kdl liquid llvm logql mathematica mlir nsis " +
	"peg pine pinescript pkl pug ron slim smithy soql sparql ttl turtle vala velocity vyper wast wat webidl " +
	"wolfram xquery"

// languageLabel is a language in labels.json.
type languageLabel struct {
	Label   string   `json:"label"`
	Name    string   `json:"name"`
	Wire    string   `json:"wire"`
	Aliases []string `json:"aliases"`
	Family  string   `json:"family"`
}

// languageTable holds the languages; its first is the unknown one.
type languageTable struct {
	labels []languageLabel
	byTag  map[string]Language // labels, aliases and otherTags, lower case
}

var languages = sync.OnceValue(func() *languageTable {
	t := &languageTable{labels: []languageLabel{{Label: "unknown", Name: "Unknown", Wire: "UNKNOWN"}}}
	var labels []languageLabel
	if err := json.Unmarshal(labelsFile, &labels); err != nil {
		panic(fmt.Errorf("segment: labels.json: %w", err)) // it is a part of the program
	}
	t.labels = append(t.labels, labels...)
	t.byTag = make(map[string]Language, 3*len(t.labels))
	for i, l := range t.labels[1:] {
		language := Language(i + 1)
		t.byTag[l.Label] = language
		for _, alias := range l.Aliases {
			t.byTag[strings.ToLower(alias)] = language
		}
	}
	for _, tag := range strings.Fields(otherTags) {
		t.byTag[tag] = otherLanguage
	}
	return t
})

func (l Language) label() *languageLabel {
	labels := languages().labels
	if int(l) >= len(labels) {
		l = UnknownLanguage
	}
	return &labels[l]
}

// String returns the label of l in the corpus that the models are trained on, such as "cpp"; "unknown" for UnknownLanguage.
func (l Language) String() string { return l.label().Label }

// Name returns the name of l for people, such as "C++".
func (l Language) Name() string { return l.label().Name }

// Specific returns the value that l has in the closed enumeration ClassificationSpecific of the wire format; "UNKNOWN" for
// UnknownLanguage and for languages that the enumeration does not have.
func (l Language) Specific() string { return l.label().Wire }

// Family names the group of easily confused languages that l is in, such as "c" for C and C++; a language in no group is its own
// family.
func (l Language) Family() string {
	if label := l.label(); label.Family != "" {
		return label.Family
	}
	return l.label().Label
}

// Tag returns the tag by which l is known on code fences, such as "cpp"; "" for UnknownLanguage.
func (l Language) Tag() string {
	switch label := l.label(); {
	case l == UnknownLanguage:
		return ""
	case languages().byTag[label.Label] == l:
		return label.Label
	default:
		return label.Aliases[0]
	}
}

// Languages returns all languages but the unknown one.
func Languages() []Language {
	all := make([]Language, len(languages().labels)-1)
	for i := range all {
		all[i] = Language(i + 1)
	}
	return all
}

// LanguageOf returns the language that the info string of a code fence or the class of an HTML element names, as in "go", "C++
// {.numberLines}", "{.python}", "rust,no_run", "js:app.js", "{code-block} nix" or "hljs language-java"; UnknownLanguage if it
// names no known language.
func LanguageOf(info string) Language {
	if language, _ := namedIn(info); language != otherLanguage {
		return language
	}
	return UnknownLanguage
}

// namedIn is as LanguageOf, but for otherLanguage, and also returns the word that names the language.
func namedIn(info string) (found Language, tag string) {
	const separators = " \t,:;={}()[]"
	for n := 0; ; n++ {
		info = strings.TrimLeft(info, separators+".")
		if info == "" {
			return found, tag
		}
		word := info
		if i := strings.IndexAny(info, separators); i >= 0 {
			word = info[:i]
		}
		info = info[len(word):]
		for _, prefix := range [...]string{"language-", "lang-", "highlight-source-"} {
			if len(word) > len(prefix) && strings.EqualFold(word[:len(prefix)], prefix) {
				return lookUpTag(word[len(prefix):]), word[len(prefix):]
			}
		}
		// What comes later is file names and options.
		if n < 2 && found == UnknownLanguage {
			found, tag = lookUpTag(word), word
		}
	}
}

// namesLanguage reports whether a word is the tag of a language.
func namesLanguage(word string) bool { return lookUpTag(word) != UnknownLanguage }

// lookUpTag looks a tag up in any case.
func lookUpTag(tag string) Language {
	var lower [24]byte
	if len(tag) > len(lower) {
		return UnknownLanguage
	}
	for i := range len(tag) {
		c := tag[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		lower[i] = c
	}
	return languages().byTag[string(lower[:len(tag)])]
}
