// Package jsonobject rewrites single members of a JSON object, and leaves the rest as it is; and
// reads and writes strings.
package jsonobject

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Member is a member of a JSON object with a string as its value; "" stands for
// none.
type Member struct{ Name, Value string }

// Replace gives members of a JSON object other values. What has no value is
// left out, what was not there comes last, and everything else stays as it is.
func Replace(object []byte, members ...Member) ([]byte, error) {
	done := make([]bool, len(members))
	out := make([]byte, 0, len(object)+256)
	add := func(name string, value []byte) {
		if len(out) > 0 {
			out = append(out, ',')
		}
		out = append(AppendString(out, name), ':')
		out = append(out, value...)
	}
	replaced := func(name string) bool {
		for i, m := range members {
			if m.Name == name {
				if done[i] = true; m.Value != "" {
					add(name, AppendString(nil, m.Value))
				}
				return true
			}
		}
		return false
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(object))
	if _, err := decoder.ReadToken(); err != nil {
		return nil, err
	}
	for decoder.PeekKind() != '}' {
		token, err := decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		name := token.String()
		value, err := decoder.ReadValue()
		if err != nil {
			return nil, err
		}
		if !replaced(name) {
			add(name, value)
		}
	}
	for i, m := range members {
		if !done[i] && m.Value != "" {
			add(m.Name, AppendString(nil, m.Value))
		}
	}
	return append(append([]byte{'{'}, out...), '}'), nil
}

// AppendString appends s, valid UTF-8, as a JSON string.
func AppendString(dst []byte, s string) []byte {
	quoted, err := jsontext.AppendQuote(dst, s)
	if err != nil {
		return append(dst, `""`...)
	}
	return quoted
}

// Text is what a value that is a string says. It is false for any other value.
func Text(value jsontext.Value) (string, bool) {
	if value.Kind() != '"' {
		return "", false
	}
	var buffer [64]byte
	text, err := jsontext.AppendUnquote(buffer[:0], value)
	return string(text), err == nil
}

// Unquoted is what a value that is a string says: without escapes a part of value, which a
// decoder has read.
func Unquoted(value jsontext.Value) ([]byte, error) {
	if value.Kind() == '"' && bytes.IndexByte(value, '\\') < 0 {
		return value[1 : len(value)-1], nil
	}
	return jsontext.AppendUnquote(nil, value)
}
