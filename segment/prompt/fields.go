package prompt

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Fields select the messages of a JSON document: all strings in what they lead to that [labels] does not name. The zero
// value stands for those of the known APIs.
type Fields struct{ paths []path }

// path is a parsed JSON path.
type path []step

type step struct {
	kind  stepKind
	name  string // of a member
	index int    // of an element; from the end if negative
}

type stepKind uint8

const (
	member   stepKind = iota // .name
	element                  // [0]
	children                 // [*] or .*
)

func mustParse(paths ...string) []path {
	fields, err := ParseFields(paths...)
	if err != nil {
		panic(err) // they are part of the program
	}
	return fields.paths
}

// ParseFields reads JSON paths ([RFC 9535]) of names, indices and wildcards, such as $.messages[-1].content,
// $['prompt'] or $.params.arguments. A path to an object or an array selects what is in it; so does ..* at its end.
//
// [RFC 9535]: https://www.rfc-editor.org/rfc/rfc9535
func ParseFields(paths ...string) (Fields, error) {
	var f Fields
	for _, text := range paths {
		rest, ok := strings.CutPrefix(strings.TrimSuffix(text, "..*"), "$")
		var p path
		for ok && rest != "" {
			var s step
			s, rest, ok = cutStep(rest)
			p = append(p, s)
		}
		if !ok {
			return Fields{}, fmt.Errorf("%q is not a JSON path of names, indices and wildcards, such as $.messages[*].content", text)
		}
		f.paths = append(f.paths, p)
	}
	return f, nil
}

// cutStep reads the first step of a path.
func cutStep(text string) (s step, rest string, ok bool) {
	switch {
	case strings.HasPrefix(text, ".*"):
		return step{kind: children}, text[2:], true
	case strings.HasPrefix(text, "[*]"):
		return step{kind: children}, text[3:], true
	case strings.HasPrefix(text, "."):
		end := strings.IndexFunc(text[1:], func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) + 1
		if end == 0 {
			end = len(text)
		}
		return step{kind: member, name: text[1:end]}, text[end:], end > 1
	case strings.HasPrefix(text, "['"), strings.HasPrefix(text, `["`):
		name, after, closed := strings.Cut(text[2:], text[1:2]+"]")
		return step{kind: member, name: name}, after, closed && !strings.Contains(name, `\`)
	case strings.HasPrefix(text, "["):
		number, after, closed := strings.Cut(text[1:], "]")
		index, err := strconv.Atoi(number)
		return step{kind: element, index: index}, after, closed && err == nil && strconv.Itoa(index) == number
	}
	return step{}, "", false
}
