package contract

import (
	"fmt"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/persona"
)

// NotUnderstoodHeader is the response header field that lists what of a personification request was not understood (names,
// parameters of the query, ids to exclude): a List of Strings and Display Strings (RFC 9651), each with the parameter "field",
// which says where it stood.
//
//	Personification-Not-Understood: "Klingon";field=languages, %"d%c3%a9tective";field=personas
const NotUnderstoodHeader = "Personification-Not-Understood"

// maxNotUnderstood bounds the field's value, in bytes: what does not fit is left out. Proxies refuse large headers.
const maxNotUnderstood = 1024

// NotUnderstood is the value of [NotUnderstoodHeader]; empty if all was understood.
func NotUnderstood(unknown []persona.Unknown) string {
	var b strings.Builder
	for _, name := range unknown {
		item := structuredString(name.Name) + ";field=" + name.Field
		if b.Len() > 0 {
			item = ", " + item
		}
		if b.Len()+len(item) > maxNotUnderstood {
			break
		}
		b.WriteString(item)
	}
	return b.String()
}

// structuredString is a String (RFC 9651 section 3.3.3), or a Display String (section 3.3.8) where the text is not printable
// ASCII.
func structuredString(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
	}
	var b strings.Builder
	b.WriteString(`%"`)
	for _, c := range []byte(strings.ToValidUTF8(text, "\ufffd")) {
		if c < ' ' || c > '~' || c == '%' || c == '"' {
			fmt.Fprintf(&b, "%%%02x", c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
