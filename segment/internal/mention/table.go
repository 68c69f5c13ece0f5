// Package mention reads what the words of a message say about the language of its code: names of languages, tools and files,
// extensions of files, types of errors. Each name has odds, learned from documents, for the languages that it speaks for.
package mention

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
)

//go:generate go -C ../../train run ./cmd/train mentions -out ../internal/mention/odds.json

//go:embed odds.json
var embedded []byte

// longest is the length of the longest token that can be a name.
const longest = 32

// Odds is what a name near a piece of code says of one label: the logarithm of the factor by which the odds grow that the code
// has this label.
type Odds struct {
	Label int
	Log   float32
}

// Table holds the names. It is immutable.
type Table struct {
	names   []string
	odds    [][]Odds
	index   map[string]int32
	weights Weights
	// begins tells which lengths the names that begin with a byte have: a bit for each. Most words are none of them.
	begins [256]uint64
}

// File is what is learned: how much names weigh, and for each the factors by which it raises the odds of labels.
type File struct {
	Weights Weights                       `json:"weights"`
	Odds    map[string]map[string]float64 `json:"odds"`
}

// NewTable makes a table of names with the odds of labels. A name in lower case is found in any case, one with an upper-case
// letter only as it is.
func NewTable(file File, labels []string) (*Table, error) {
	t := &Table{index: map[string]int32{}, weights: file.Weights}
	odds := file.Odds
	for name := range odds {
		if name == "" || len(name) > longest {
			return nil, fmt.Errorf("mention: a name of %d bytes: %q", len(name), name)
		}
		t.names = append(t.names, name)
	}
	slices.Sort(t.names)
	for i, name := range t.names {
		t.index[name] = int32(i)
		t.begins[name[0]] |= 1 << len(name)
		var row []Odds
		for label, factor := range odds[name] {
			l := slices.Index(labels, label)
			if l < 0 || factor <= 0 {
				return nil, fmt.Errorf("mention: %q: no label %q, or odds of %v", name, label, factor)
			}
			row = append(row, Odds{l, float32(math.Log(factor))})
		}
		slices.SortFunc(row, func(a, b Odds) int { return a.Label - b.Label })
		t.odds = append(t.odds, row)
	}
	return t, nil
}

// Embedded returns the embedded table. The labels that it speaks of must be among those given.
func Embedded(labels []string) (*Table, error) {
	var file File
	if err := json.Unmarshal(embedded, &file); err != nil {
		return nil, fmt.Errorf("mention: odds.json: %w", err)
	}
	return NewTable(file, labels)
}

// Weighing is t with other weights.
func (t *Table) Weighing(w Weights) *Table {
	other := *t
	other.weights = w
	return &other
}

// Names are the names, sorted.
func (t *Table) Names() []string { return t.names }

// byteKind tells what a byte can be in a token.
type byteKind uint8

const (
	outside byteKind = iota
	letter
	capital
	inner // a digit or mark: not at the beginning
	dot   // at the beginning too, if a letter follows
)

var byteKinds = func() (k [256]byteKind) {
	for b := range k {
		switch {
		case b >= 'a' && b <= 'z' || b == '_':
			k[b] = letter
		case b >= 'A' && b <= 'Z':
			k[b] = capital
		case b >= '0' && b <= '9' || b == '+' || b == '#' || b == '-':
			k[b] = inner
		case b == '.':
			k[b] = dot
		}
	}
	return k
}()

// Scan calls yield with each name in text and where it begins.
func (t *Table) Scan(text string, yield func(name, at int)) {
	for i := 0; i < len(text); {
		kind := byteKinds[text[i]]
		if kind == outside || kind == inner {
			i++
			continue
		}
		end, upper, point := i+1, kind == capital, -1
		for ; end < len(text); end++ {
			kind := byteKinds[text[end]]
			if kind == outside {
				break
			}
			upper = upper || kind == capital
			if kind == dot {
				point = end
			}
		}
		if name := t.find(text[i:end], upper, point-i); name >= 0 {
			yield(name, i)
		}
		i = end
	}
}

// find returns the name that a token is, or whose extension it has, or -1. point is where its last dot is; negative if there is
// none behind its first byte.
func (t *Table) find(token string, upper bool, point int) int {
	for len(token) > 0 && (token[len(token)-1] == '.' || token[len(token)-1] == '-') { // the end of a sentence
		token = token[:len(token)-1]
	}
	if point >= len(token) {
		point = strings.LastIndexByte(token, '.')
	}
	if name := t.look(token, upper); name >= 0 {
		return name
	}
	if point > 0 {
		return t.look(token[point:], upper)
	}
	if n := len(strings.TrimRight(token, "0123456789")); n < len(token) { // a version: python3, C++17
		return t.look(token[:n], upper)
	}
	return -1
}

// look returns the name that a token is, or -1.
func (t *Table) look(token string, upper bool) int {
	n := len(token)
	if n == 0 || n > longest {
		return -1
	}
	if t.begins[token[0]]>>n&1 != 0 {
		if name, ok := t.index[token]; ok {
			return int(name)
		}
	}
	if !upper {
		return -1
	}
	var lower [longest]byte
	for i := range n {
		b := token[i]
		if b >= 'A' && b <= 'Z' {
			b |= 0x20
		}
		lower[i] = b
	}
	if t.begins[lower[0]]>>n&1 != 0 {
		if name, ok := t.index[string(lower[:n])]; ok {
			return int(name)
		}
	}
	return -1
}
