// Package claims reads what an issuer says of a user: single claims of a verified ID token, of
// user info or of an access token, by paths.
//
// A path is the name of a claim, or names with dots between them for one inside objects:
// realm_access.roles. Names may have dots, colons and slashes themselves, such as
// https://example.com/roles; of several readings the one with the longest names counts.
package claims

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jsonobject"
)

// Object is a JSON object whose issuer was verified. Its zero value has no claims.
type Object jsontext.Value

// Text is a claim as text. It is "" if there is none, and of what has no one reading as text: an
// object, a list of anything but strings, a string that begins or ends with white space, an
// address or number that the issuer has not verified.
//
// Strings are as they are; a list is its members, joined with commas, without those that have
// a comma or outer white space. A path that goes on after a list, or a string, is a member's
// name, and its value that name: groups.admin is "admin" for the members of that group alone.
func (o Object) Text(path string) string {
	value, member := find(jsontext.Value(o), path)
	if member == "" {
		return text(value)
	}
	if list, _ := plainStrings(value); slices.Contains(list, member) && !hasOuterSpace(member) {
		return member
	}
	return ""
}

// Values are the members of a claim that is a list of strings, or the one value of any other,
// true as "true". Without any reading as text there are none, as in [Object.Text].
func (o Object) Values(path string) []string {
	value, member := find(jsontext.Value(o), path)
	if member != "" {
		return nil
	}
	if list, ok := plainStrings(value); ok {
		return slices.DeleteFunc(list, func(s string) bool { return s == "" || hasOuterSpace(s) })
	}
	if s := text(value); s != "" {
		return []string{s}
	}
	return nil
}

// Find is a claim as it is, nil if there is none, or none that is verified. It must not be changed.
func (o Object) Find(path string) jsontext.Value {
	value, member := find(jsontext.Value(o), path)
	if member != "" {
		return nil
	}
	return value
}

// Has reports whether there is a claim, whatever its value.
func (o Object) Has(path string) bool { return o.Find(path) != nil }

// With is what two sources say of one user: whatever the second has is in the place of what the
// first has. An address comes with the word of its own source that it is verified.
func (o Object) With(second Object) Object {
	var members, others map[string]jsontext.Value
	if json.Unmarshal(second, &others) != nil {
		return o
	}
	if json.Unmarshal(o, &members) != nil {
		return second
	}
	for _, name := range [...]string{"email", "phone_number"} {
		if others[name] != nil || others[name+"_verified"] != nil {
			delete(members, name)
			delete(members, name+"_verified")
		}
	}
	maps.Copy(members, others)
	merged, _ := json.Marshal(members, json.Deterministic(true)) // of values that were read
	return merged
}

// IsNumber reports a number that every language can read: 1e400 is none.
func IsNumber(value jsontext.Value) bool {
	var number float64
	return value.Kind() == '0' && json.Unmarshal(value, &number) == nil
}

// find is the value at a path, and what of the path goes on after a list or a string. It is nil
// if there is none, or none that is verified.
func find(object jsontext.Value, path string) (value jsontext.Value, rest string) {
	if path == "" {
		return nil, ""
	}
	if _, ok := plainStrings(object); ok {
		return object, path
	}
	for name := path; ; {
		if inner := member(object, name); inner != nil {
			switch {
			case !isVerified(object, name):
				return nil, ""
			case name == path:
				return inner, ""
			}
			if value, rest = find(inner, path[len(name)+1:]); value != nil {
				return value, rest
			}
		}
		dot := strings.LastIndexByte(name, '.')
		if dot < 0 {
			return nil, ""
		}
		name = name[:dot]
	}
}

// member is the value of a member of an object, nil without it. The object is read up to there: a map of
// all members would cost several times as much as the few lookups of a request.
func member(object jsontext.Value, name string) jsontext.Value {
	d := jsontext.NewDecoder(bytes.NewBuffer(object), jsontext.AllowDuplicateNames(true)) // whoever verified it has looked
	if _, err := d.ReadToken(); err != nil || object.Kind() != '{' {
		return nil
	}
	for d.PeekKind() == '"' {
		quoted, err := d.ReadValue()
		if err != nil {
			return nil
		}
		found := isString(quoted, name)
		value, err := d.ReadValue()
		switch {
		case err != nil:
			return nil
		case found:
			end := d.InputOffset()
			return object[end-int64(len(value)) : end]
		}
	}
	return nil
}

// isString reports whether a JSON string is s.
func isString(quoted jsontext.Value, s string) bool {
	unquoted, err := jsonobject.Unquoted(quoted)
	return err == nil && string(unquoted) == s
}

// isVerified reports whether a claim may be taken for the user's. Anybody can write somebody
// else's address into his profile: it is his where the issuer says so (OpenID Connect Core
// 1.0 section 5.1). Cognito and Apple say it with a string.
func isVerified(object jsontext.Value, name string) bool {
	if name != "email" && name != "phone_number" {
		return true
	}
	verified := string(member(object, name+"_verified"))
	return verified == "true" || verified == `"true"`
}

// plainStrings are the members of a list that has strings only, or a string by itself.
func plainStrings(value jsontext.Value) (list []string, ok bool) {
	if value.Kind() != '[' {
		s, ok := jsonobject.Text(value)
		return []string{s}, ok
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(value))
	_, _ = d.ReadToken()
	for d.PeekKind() == '"' {
		member, err := d.ReadToken()
		if err != nil {
			return nil, false
		}
		list = append(list, member.String())
	}
	if d.PeekKind() != ']' {
		return nil, false
	}
	return list, true
}

// isMisread reports whether a member is read as other ones in a list: a user who may name a
// group could name it a,admin.
func isMisread(member string) bool { return strings.Contains(member, ",") || hasOuterSpace(member) }

// hasOuterSpace reports a string that another one is read as. The outer spaces and tabs of a
// header field do not belong to its value (RFC 9110 section 5.5), and servers strip more
// than these.
func hasOuterSpace(s string) bool { return strings.TrimFunc(s, isSpace) != s }

// isSpace reports a character that the standard library of some language trims: white
// space, controls (Java, PHP), U+180E and U+200B (.NET), U+FEFF (JavaScript).
func isSpace(c rune) bool {
	return unicode.IsSpace(c) || unicode.IsControl(c) || c == '\u180e' || c == '\u200b' || c == '\ufeff'
}

// String is a claim that is a string as [Object.Text] has it.
func String(claim string) string {
	if hasOuterSpace(claim) {
		return ""
	}
	return claim
}

// text is a claim's value by itself, "" if it has no one reading as text.
func text(value jsontext.Value) string {
	list, plain := plainStrings(value)
	switch kind := value.Kind(); {
	case kind == '[' && plain:
		return strings.Join(slices.DeleteFunc(list, isMisread), ",")
	case kind == '"' && plain:
		return String(list[0])
	case kind == 't', kind == 'f', kind == '0':
		return string(bytes.TrimSpace(value))
	}
	return ""
}
