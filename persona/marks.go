package persona

import (
	"regexp"
	"strings"
	"unicode"
)

// genderMark matches what job advertisements set beside a title: "(m/w/d)", "f/m/x", "(H/F)", "(all genders)". Its letters stand
// for no language.
var genderMark = regexp.MustCompile(`(?i)(^|[\s(\[,–-])((?:m|w|d|f|x|h|v|k|z|ž|м|ж|i|gn|nb|div\.?|divers[e]?)(?:\s?[/|*,:·]\s?(?:m|w|d|f|x|h|v|k|z|ž|м|ж|i|a|gn|nb|div\.?|divers[e]?)){1,4}|\((?:mwd|wmd|dmw|mfd|fmd|mfx|fmx|mwx|hf|fh|gn|divers|mw|mf)\)|(?:all|any|alle) (?:genders?|geschlechter)|tous genres)($|[\s)\],.–-])`)

// withoutGenderMarks removes the marks of advertisements. Letters are only a mark if two of them stand for men and women: "m/d"
// and "C/D" are none.
func withoutGenderMarks(name string) string {
	if !strings.ContainsAny(name, "/|*(:·,") && !strings.Contains(name, "en") {
		return name
	}
	return genderMark.ReplaceAllStringFunc(name, func(match string) string {
		letters := strings.FieldsFunc(strings.ToLower(match), isSeparatorOfMarks)
		has := func(some string) bool {
			for _, letter := range letters {
				if strings.Contains(some, letter) {
					return true
				}
			}
			return false
		}
		if len(letters) > 1 && len(letters[0]) <= 2 && !(has("mм") && has("wfvkhzžж") || has("h") && has("f")) {
			return match
		}
		if strings.HasSuffix(match, ",") {
			return ", "
		}
		return " "
	})
}

func isSeparatorOfMarks(r rune) bool { return strings.ContainsRune(" /|*,:·()[]–-.", r) }

// inclusiveEnding matches the second form of a noun for people that is set behind the first: "Entwickler/-in", "programador(a)",
// "développeur·euse".
var inclusiveEnding = regexp.MustCompile(`(\pL{4})(?:/-?|\(-?|·|\.|\*|:|_)(?:innen|in|a|as|o|e|es|ne|nes|se|euse|euses|rice|trice|teuse|ère|ière|ka|ca)\)?($|[\s,;)–-])`)

// stack matches products that are known together by their initials.
var stack = regexp.MustCompile(`(?i)\b(MERN|MEAN)\b([ -]stack\b)?`)

var productsOfStack = map[string]string{
	"mern": ", MongoDB, Express, React, Node.js, full-stack ",
	"mean": ", MongoDB, Express, Angular, Node.js, full-stack ",
}

// unitTests matches the work; the tests are what there are snippets about.
var unitTests = regexp.MustCompile(`(?i)\bunit[ -]?testing\b`)

// internship matches what French advertisements begin with: a stage elsewhere is another thing.
var internship = regexp.MustCompile(`(?i)^\s*stage\s*[-–—:]`)

// wide are the signs between names as Chinese, Japanese and Korean texts set them.
var wide = strings.NewReplacer("（", " (", "）", ") ", "【", " (", "】", ") ", "［", " (", "］", ") ", "／", "/", "｜", " | ")

// asAdvertised is a name without what advertisements add to it for everybody's sake, and with commas where they set dashes:
// "Software Engineer - Java/Kotlin - Berlin".
func asAdvertised(name string) string {
	name = withoutGenderMarks(wide.Replace(name))
	switch lower := strings.ToLower(name); { // most names have none of these, and need no regular expression
	case strings.Contains(lower, "mern"), strings.Contains(lower, "mean"):
		name = stack.ReplaceAllStringFunc(name, func(match string) string { return productsOfStack[strings.ToLower(match[:4])] })
	case strings.Contains(lower, "unit"):
		name = unitTests.ReplaceAllString(name, "unit tests")
	case strings.Contains(lower, "stage"):
		name = internship.ReplaceAllString(name, "stagiaire,")
	}
	for _, dash := range []string{" - ", " – ", " — ", " | "} {
		name = strings.ReplaceAll(name, dash, ", ")
	}
	name = withScriptsApart(name)
	if strings.ContainsAny(name, "/(·.*:_") {
		name = inclusiveEnding.ReplaceAllString(name, "$1$2")
	}
	return name
}

// withScriptsApart sets spaces between Latin letters and scripts that have none: "Androidアプリエンジニア".
func withScriptsApart(name string) string {
	if !strings.ContainsFunc(name, isUnspaced) {
		return name
	}
	var b strings.Builder
	var before rune
	for _, r := range name {
		if isUnspaced(before) && unicode.Is(unicode.Latin, r) || unicode.Is(unicode.Latin, before) && isUnspaced(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}
