package idp

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// member is a member of a JSON object with a string as its value; "" stands for
// none.
type member struct{ name, value string }

// replaceMembers gives members of a JSON object other values. What has no value is
// left out, what was not there comes last, and everything else stays as it is.
func replaceMembers(object []byte, members ...member) ([]byte, error) {
	done := make([]bool, len(members))
	out := make([]byte, 0, len(object)+256)
	add := func(name string, value []byte) {
		if len(out) > 0 {
			out = append(out, ',')
		}
		out = append(appendJSONString(out, name), ':')
		out = append(out, value...)
	}
	replaced := func(name string) bool {
		for i, m := range members {
			if m.name == name {
				if done[i] = true; m.value != "" {
					add(name, appendJSONString(nil, m.value))
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
		if !done[i] && m.value != "" {
			add(m.name, appendJSONString(nil, m.value))
		}
	}
	return append(append([]byte{'{'}, out...), '}'), nil
}
