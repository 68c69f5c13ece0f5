package persona

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/pelletier/go-toml/v2"
)

//go:embed vocabulary.toml
var vocabularyTOML []byte

// vocabulary is the words by which sentences about somebody are understood. The names themselves are in the indexes.
type vocabulary struct {
	learning, newTo, trade, link    wordSet
	negation, limiting, all, turns  wordSet
	programmed, from, onwards       wordSet
	doing, filler, setting          wordSet
	unit, team                      wordSet
	genericLanguage, genericPersona wordSet
	early, late                     wordSet
	earlyParts, lateParts           wordSet // in scripts without spaces between words
}

// wordSet is words of any language, as keys.
type wordSet map[string]bool

// isPartOf reports whether a text has one of the words in it.
func (s wordSet) isPartOf(text string) bool {
	for word := range s {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// isIn reports whether a word, given as a key, is in one of the sets.
func isIn(k string, sets ...wordSet) bool {
	return slices.ContainsFunc(sets, func(set wordSet) bool { return set[k] })
}

// only reports whether every word is in one of the sets.
func only(words []string, sets ...wordSet) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !isIn(key(word), sets...) })
}

// embeddedVocabulary is the vocabulary of vocabulary.toml.
var embeddedVocabulary = sync.OnceValue(func() *vocabulary {
	var byMeaning map[string]map[string]string // each by language
	if err := toml.Unmarshal(vocabularyTOML, &byMeaning); err != nil {
		panic("vocabulary.toml: " + err.Error())
	}
	take := func(meaning string) wordSet {
		set := wordSet{}
		if byMeaning[meaning] == nil {
			panic("vocabulary.toml: " + meaning + " is missing")
		}
		for _, list := range byMeaning[meaning] {
			for word := range strings.FieldsSeq(list) {
				set[key(word)] = true
			}
		}
		return set
	}
	return &vocabulary{
		learning: take("learning"), newTo: take("new_to"), trade: take("trade"), link: take("link"),
		negation: take("negation"), limiting: take("limiting"), all: take("all"), turns: take("turns"),
		programmed: take("programmed"), from: take("from"), onwards: take("onwards"), doing: take("doing"),
		filler: take("filler"), setting: take("setting"), unit: take("unit"), team: take("team"),
		genericLanguage: take("generic_language"), genericPersona: take("generic_persona"),
		early: take("early"), late: take("late"),
		earlyParts: take("early_parts"), lateParts: take("late_parts"),
	}
})

// level returns the level that words about somebody ask for, or none: "Senior Backend Developer".
func (v *vocabulary) level(words []string) Level {
	level := Level("")
	for _, word := range words {
		switch k := key(word); {
		case v.early[k]:
			return beginner
		case strings.ContainsFunc(k, isUnspaced) && v.earlyParts.isPartOf(k):
			return beginner
		case v.late[k], strings.ContainsFunc(k, isUnspaced) && v.lateParts.isPartOf(k):
			level = advanced
		}
	}
	return level
}

// namesOnlyLevel reports whether words say how experienced somebody is and nothing else: "senior".
func (v *vocabulary) namesOnlyLevel(words []string) bool {
	return only(words, v.early, v.late, v.filler) && v.level(words) != ""
}

// isOfSentence reports whether a word is one that sentences about somebody have, and names of languages have not.
func (v *vocabulary) isOfSentence(word string) bool {
	return isIn(key(word), v.learning, v.newTo, v.trade, v.early, v.late)
}

// isBeforeCompany reports whether the name behind a word is where somebody works: "at Slack".
func (v *vocabulary) isBeforeCompany(word string) bool {
	k := key(word)
	return v.setting[k] && !v.doing[k]
}

// namesTeam reports whether words are the name of a team: "Team Payments", "Growth Team".
func (v *vocabulary) namesTeam(words []string) bool {
	return len(words) > 1 && (v.team[key(words[0])] || v.team[key(words[len(words)-1])])
}

// saysNothing reports whether a word, given as a key, is one of those around names.
func (v *vocabulary) saysNothing(k string) bool {
	if isIn(k, v.filler, v.setting, v.trade, v.link, v.learning, v.newTo, v.limiting, v.turns, v.all, v.early, v.late, v.genericLanguage, v.genericPersona) {
		return true
	}
	for trade := range v.trade { // "engneer"
		if r := []rune(k); len(r) >= twoEditsRunes-1 && len(r) <= maxFuzzyKeyRunes && editDistance(r, []rune(trade), 1) <= 1 {
			return true
		}
	}
	return false
}

// namesOnlyTrade reports whether words name no role but that somebody develops: "a senior developer", and not "back end
// developer".
func (v *vocabulary) namesOnlyTrade(text string) bool {
	words := slices.DeleteFunc(strings.Fields(text), func(word string) bool {
		return !strings.ContainsFunc(word, unicode.IsLetter) || isAmount(word)
	})
	return only(words, v.trade, v.early, v.late, v.filler, v.setting, v.link)
}

// splitNegated separates what somebody says not to be or not to want: "a teacher, not a student", "anything but PHP".
func (v *vocabulary) splitNegated(text string) (kept, negated string) {
	var parts [2][]string
	side := 0
	words := strings.Fields(text)
	for i, word := range words {
		k := key(word)
		var next, before string
		if i+1 < len(words) {
			next = key(words[i+1])
		}
		if i > 0 {
			before = key(words[i-1])
		}
		switch {
		case v.negation[k] && !v.limiting[next], k == "but" && v.all[before]:
			side = 1
			continue
		case v.turns[k]:
			side = 0
		}
		parts[side] = append(parts[side], word)
		if strings.ContainsAny(word[len(word)-1:], ",;.") {
			side = 0
		}
	}
	kept = strings.Join(parts[0], " ")
	if len(parts[1]) == 0 {
		return text, ""
	}
	if only(parts[0], v.filler) { // nothing is left but the beginning of a sentence
		kept = ""
	}
	return kept, strings.Join(parts[1], " ")
}

// deniesProgramming reports whether what somebody says not to do is to program at all: "never programmed before".
func (v *vocabulary) deniesProgramming(negated string) bool {
	words := strings.Fields(negated)
	return only(words, v.programmed, v.filler, v.setting, v.link) && slices.ContainsFunc(words, func(word string) bool { return v.programmed[key(word)] })
}

// plainWords is a text without the words that say nothing: "used Python" is "Python".
func (v *vocabulary) plainWords(text string) string {
	words := slices.DeleteFunc(strings.Fields(text), func(word string) bool { return isIn(key(word), v.filler, v.setting, v.link) })
	return strings.Join(words, " ")
}

// splitKnown separates what somebody has already from what they want: "from PHP to Elixir", "I know Java; now Go".
func (v *vocabulary) splitKnown(text string) (kept, known string) {
	var parts [2][]string
	side, before := 0, 0
	for _, word := range strings.Fields(text) {
		k := key(word)
		switch {
		case v.from[k] && side == 0:
			side, before = 1, len(parts[0])
			continue
		case side == 1 && len(parts[1]) > 0 && v.onwards[k], len(parts[1]) > 0 && len(parts[0]) == before && v.onwards[k]:
			side = 0
			continue
		case side == 1 && len(parts[1]) > 0 && v.turns[k] && k != "and":
			side = 0
			continue
		}
		parts[side] = append(parts[side], word)
		if strings.ContainsAny(word[len(word)-1:], ",;.") {
			side = 0
		}
	}
	if len(parts[1]) == 0 {
		return text, ""
	}
	if only(parts[0][:before], v.filler, v.setting) {
		parts[0] = parts[0][before:]
	}
	return strings.Join(parts[0], " "), strings.Join(parts[1], " ")
}
