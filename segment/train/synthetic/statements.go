package synthetic

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

//go:embed statements.txt
var statements string

// What names and texts consist of.
var (
	verbs = strings.Fields(`add apply build calculate call check clear close compute connect convert copy count create delete display do
		draw fetch filter find format get handle init insert is load log main make map merge move my notify open parse pay play print
		process push read register remove render reset run save search select send set show shuffle sleep sort split start stop submit
		sum swap sync test toggle transform update upload validate walk write`)
	nouns = strings.Fields(`account address app arg array author base book body box button cache car card cart cat city client color
		config count customer data date day device dog email entry event field file flag form game graph group hello host id image index
		input item job key letter level line link list message model name node number object option order output page parent
		password path person player point post price product query request response result row score server size source stack state
		student target task text time title token total tree url user value vector width word`)
	metasyntactic = strings.Fields("foo bar baz qux foo bar")
	letters       = strings.Fields("a b c x y z i n f g s t k v")
	texts         = strings.Fields("hello world Hello test error done ok yes name id notes.txt input.csv index.html users /api/users failed start")
	numbers       = strings.Fields("0 1 2 3 4 5 6 8 10 12 42 100 1000")
)

// The labels whose names have underscores, and those whose texts stand in single quotes too.
var (
	underscores  = strings.Fields("python ruby c rust php r julia lua")
	singleQuotes = strings.Fields("python javascript typescript ruby php lua r dart shell")
)

// slot is what a form has in the place of a name, a text or a number.
var slot = regexp.MustCompile(`\{[FVLPCSN]\}`)

// Statements are statements of one line, as people paste them alone: those of a label in the forms that stand behind its name and
// the number of them in statements.txt. That number follows how much the language is used, so that what could be in many
// languages is taken for a common one.
func Statements() []corpus.Snippet {
	var all []corpus.Snippet
	rng := rand.New(rand.NewPCG(1, 6))
	for _, p := range pieces(statements) {
		label, number, _ := strings.Cut(p.title, " ")
		n, err := strconv.Atoi(number)
		if err != nil {
			panic(fmt.Sprintf("synthetic: statements.txt: %v", err))
		}
		w := writer{rng, slices.Contains(underscores, label), slices.Contains(singleQuotes, label)}
		forms := strings.Split(strings.Trim(p.body, "\n"), "\n")
		for i := range n {
			text := slot.ReplaceAllStringFunc(forms[i%len(forms)], w.fill)
			all = append(all, corpus.Snippet{Text: text, Lang: label, Origin: source, Source: source + "/statements"})
		}
	}
	return all
}

// writer makes names and texts up.
type writer struct {
	rng                       *rand.Rand
	underscores, singleQuotes bool
}

// fill is what stands in the place of a slot: of {F} the name of a function, of {V} that of a variable, of {P} and {C} these with a
// capital, of {L} a name of one letter, of {S} a text in quotes, of {N} a number.
func (w *writer) fill(slot string) string {
	switch slot {
	case "{F}":
		return w.join(w.function())
	case "{V}":
		return w.join(w.variable())
	case "{L}":
		return w.one(letters)
	case "{P}":
		return capital(w.function())
	case "{C}":
		return capital(w.variable())
	case "{S}":
		quote := `"`
		if w.singleQuotes && w.rng.IntN(3) == 0 {
			quote = "'"
		}
		return quote + w.one(texts) + quote
	}
	return w.one(numbers)
}

func (w *writer) one(words []string) string { return words[w.rng.IntN(len(words))] }

func (w *writer) function() []string {
	switch w.rng.IntN(8) {
	case 0, 1:
		return []string{w.one(metasyntactic)}
	case 2:
		return []string{w.one(letters)}
	case 3, 4:
		return []string{w.one(verbs)}
	case 5:
		return []string{w.one(verbs), w.one(nouns), w.one(nouns)}
	}
	return []string{w.one(verbs), w.one(nouns)}
}

func (w *writer) variable() []string {
	switch w.rng.IntN(8) {
	case 0:
		return []string{w.one(metasyntactic)}
	case 1, 2:
		return []string{w.one(letters)}
	case 3:
		return []string{w.one(nouns), w.one(nouns)}
	case 4:
		return []string{w.one(nouns) + "s"}
	}
	return []string{w.one(nouns)}
}

// join makes a name of words.
func (w *writer) join(words []string) string {
	if w.underscores {
		return strings.Join(words, "_")
	}
	return words[0] + capital(words[1:])
}

// capital joins words, each with a capital.
func capital(words []string) string {
	var name strings.Builder
	for _, word := range words {
		name.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return name.String()
}
