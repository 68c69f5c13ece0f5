package prompt

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Fields select the strings of a JSON document that are messages. The zero value stands for those of the known APIs.
type Fields struct{ paths []path }

// path is a parsed JSON path. The node at its end is selected.
type path []step

type step struct {
	kind  stepKind
	name  string // of a member
	index int    // of an element; from the end if negative
}

type stepKind uint8

const (
	member      stepKind = iota // .name
	element                     // [0]
	children                    // [*] or .*
	descendants                 // ..*, which is the last step
	parsed                      // in the JSON that a string holds; in known only
)

// known are the fields of the requests that people and agents send. All roles count: what is sent is what leaves.
var known = append(mustParse(
	// OpenAI chat completions, Anthropic messages, and what is like them.
	"$.messages[*].content", "$.messages[*].content[*].text",
	// Calls of tools, and their results, in Anthropic messages.
	"$.messages[*].content[*].input..*", "$.messages[*].content[*].content", "$.messages[*].content[*].content[*].text",
	"$.system", "$.system[*].text",
	// OpenAI responses, and texts to embed.
	"$.instructions", "$.input", "$.input[*]", "$.input[*].content", "$.input[*].content[*].text", "$.input[*].output", "$.input[*].output[*].text",
	// OpenAI completions, and Ollama's generate.
	"$.prompt", "$.prompt[*]", "$.suffix",
	// Calls of tools in the Model Context Protocol, and batches of them.
	"$.params.arguments..*", "$[*].params.arguments..*",
	// Segmentation.
	"$.value",
), inJSON(mustParse(
	// Calls of tools at OpenAI.
	"$.messages[*].tool_calls[*].function.arguments", "$.input[*].arguments",
))...)

// marks are members that say of a document that it is known, whether or not it has a message: JSON-RPC has many methods.
var marks = mustParse("$.jsonrpc", "$[*].jsonrpc")

func mustParse(paths ...string) []path {
	fields, err := ParseFields(paths...)
	if err != nil {
		panic(err) // they are part of the program
	}
	return fields.paths
}

// inJSON are the paths to all strings in the JSON that the strings at paths hold, or in what else stands there.
func inJSON(paths []path) []path {
	for i := range paths {
		paths[i] = append(paths[i], step{kind: parsed}, step{kind: descendants})
	}
	return paths
}

// ParseFields reads JSON paths ([RFC 9535]) of names, indices and wildcards, such as $.messages[-1].content,
// $['prompt'] or $.params.arguments..*, which selects all strings at any depth and comes last.
//
// [RFC 9535]: https://www.rfc-editor.org/rfc/rfc9535
func ParseFields(paths ...string) (Fields, error) {
	var f Fields
	for _, text := range paths {
		rest, ok := strings.CutPrefix(text, "$")
		var p path
		for ok && rest != "" {
			var s step
			if s, rest, ok = cutStep(rest); ok && s.kind == descendants {
				ok = rest == ""
			}
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
	case strings.HasPrefix(text, "..*"):
		return step{kind: descendants}, text[3:], true
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
