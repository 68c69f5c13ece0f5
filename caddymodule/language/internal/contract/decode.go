package contract

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/persona"
)

// Invalid says what is wrong with a body.
type Invalid struct {
	// Rule is the kind of mistake, without anything of the body: one of a fixed set.
	Rule string

	detail error
}

func (e *Invalid) Error() string { return e.detail.Error() }

// Unwrap returns what the detail wraps.
func (e *Invalid) Unwrap() error { return e.detail }

// RuleOf is the rule that a request breaks which is wrong as err says: one of a fixed set, without anything of the body.
func RuleOf(err error) string {
	var (
		invalid *Invalid
		bounds  *persona.RequestError
	)
	switch {
	case errors.As(err, &invalid):
		return invalid.Rule
	case errors.As(err, &bounds) && bounds.Index < 0:
		return "a list has more names than are accepted"
	case bounds != nil:
		return "a name is longer than is accepted"
	}
	return "the request is not valid"
}

func invalid(rule, format string, args ...any) error {
	return &Invalid{Rule: rule, detail: fmt.Errorf(format, args...)}
}

const (
	notJSON   = "the body is not valid JSON"
	wrongType = "a member of the body has another type than it must have"
)

// Decode reads one JSON object from body into a T. It is strict where a body would be ambiguous: duplicate names, wrong types,
// invalid UTF-8 and anything after the object are errors (RFC 8259, RFC 7493). Unknown members are ignored; those that a request
// is about are known in any case, as some libraries write "Languages" by default. The error, an [*Invalid], says what is wrong
// and at which byte, in words for the person who sent the body.
func Decode[T any](body []byte) (T, error) {
	var value T
	if kind := jsontext.Value(body).Kind(); kind != '{' && kind != 0 {
		return value, invalid("the body is not a JSON object", "the body must be a JSON object, not %s", kindName(kind))
	}
	if err := json.Unmarshal(body, &value); err != nil {
		return value, explain(err)
	}
	return value, nil
}

func explain(err error) error {
	if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
		want, got := typeName(semantic), kindName(semantic.JSONKind)
		if want == "a whole number" && semantic.JSONKind == '0' {
			got = "one with a fraction or out of range"
		}
		return invalid(wrongType, "%s must be %s, not %s (at byte %d)", semantic.JSONPointer, want, got, semantic.ByteOffset)
	}
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		if errors.Is(err, jsontext.ErrDuplicateName) {
			return invalid("a member of the body is given twice", "the member %q is given twice (at byte %d)",
				syntactic.JSONPointer.LastToken(), syntactic.ByteOffset)
		}
		if syntactic.ByteOffset == 0 && strings.Contains(syntactic.Err.Error(), `\ufeff`) {
			return invalid(notJSON, "the body is not valid JSON: it begins with a byte order mark; send UTF-8 without one")
		}
		return invalid(notJSON, "the body is not valid JSON: %w (at byte %d)", syntactic.Err, syntactic.ByteOffset)
	}
	return invalid(notJSON, "the body is not valid JSON: %w", err)
}

func typeName(err *json.SemanticError) string {
	if err.GoType == nil {
		return "of another type"
	}
	kind := err.GoType.Kind().String()
	return cmp.Or(map[string]string{"struct": "an object", "slice": "a list", "int": "a whole number"}[kind], "a "+kind)
}

func kindName(kind jsontext.Kind) string {
	return cmp.Or(map[jsontext.Kind]string{
		'n': "null", 't': "a boolean", 'f': "a boolean", '"': "a string", '0': "a number", '{': "an object", '[': "a list",
	}[kind], "that")
}
