// Package params reads the parameters of a query or a form strictly, once, and writes them.
//
// # Files
//
//	request.go: the body of a request, and how big it may be; parameters in a query, a form, or either
//	params.go: what of a query or form is rejected; which parameters belong into a form
//	scope.go: how a scope is written
package params

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// Bounds of a query or form body. The longest legitimate ones hold a
// client_assertion or an id_token_hint, which are a few kilobytes.
const (
	MaxQueryLength = 16 << 10
	maxParams      = 64
)

// Param is one decoded name and value.
type Param struct{ Name, Value string }

// Values is a parsed query or form body in the client's order. Parameters
// without a value are left out: they count as absent (RFC 6749 section 3.1).
type Values struct {
	List []Param
	// Repeated is a name that occurred twice, after decoding and whether or not
	// it had a value.
	Repeated string
	// Flags are the names that came without a value.
	Flags []string
}

// Get returns the value of name, or "".
func (p *Values) Get(name string) string {
	for i := range p.List {
		if p.List[i].Name == name {
			return p.List[i].Value
		}
	}
	return ""
}

// All returns the values of name, for a parameter that [isRepeatable].
func (p *Values) All(name string) []string {
	var values []string
	for i := range p.List {
		if p.List[i].Name == name {
			values = append(values, p.List[i].Value)
		}
	}
	return values
}

// OneOf returns the value of a parameter that goes by two names. Both at once
// must be equal.
func (p *Values) OneOf(name, alias string) (string, error) {
	value, other := p.Get(name), p.Get(alias)
	switch {
	case value == "":
		return other, nil
	case other != "" && other != value:
		return "", oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 3.1", name+" and "+alias+" mean the same and differ; send one")
	}
	return value, nil
}

// Flag reports whether name occurred, with a value or without.
func (p *Values) Flag(name string) bool {
	return slices.Contains(p.Flags, name) || p.Get(name) != ""
}

// ParseForm reads the parameters of a request to an endpoint that takes them in a
// form, once each; source is where that is specified.
func ParseForm(endpoint, source, rawQuery string, header http.Header, body string) (Values, error) {
	f, err := ParseBody(endpoint, source, rawQuery, header, body)
	if err == nil {
		err = f.RejectRepeated()
	}
	return f, err
}

// ParseBody is [ParseForm] for a caller that rejects repetitions itself.
func ParseBody(endpoint, source, rawQuery string, header http.Header, body string) (Values, error) {
	if err := checkURL(endpoint, source, rawQuery); err != nil {
		return Values{}, err
	}
	if err := CheckFormHeader(header); err != nil {
		return Values{}, err
	}
	return Parse(body, "body")
}

// checkURL rejects parameters in the URL that belong into the body. What a library adds for
// its own logs, such as the client-request-id of MSAL, is nobody's: it goes no further.
func checkURL(endpoint, source, rawQuery string) error {
	q, err := Parse(rawQuery, "query")
	if err != nil {
		return err
	}
	for _, param := range q.List {
		q.Flags = append(q.Flags, param.Name)
	}
	for _, name := range q.Flags {
		if folded, ok := AppendFolded(nil, name); !ok || isOAuth(string(folded)) {
			return oauth.Reject(oauth.InvalidRequest, source,
				"the "+endpoint+" endpoint takes its parameters in the body, never in the URL: "+PrintableName(name))
		}
	}
	return nil
}

// MaxFolded is how long the name of a parameter may be to be folded.
const MaxFolded = 64

// AppendFolded appends the name of a parameter without what lenient servers overlook: case and
// separators. It is false for one that is too long, or has other characters.
func AppendFolded(dst []byte, name string) ([]byte, bool) {
	if len(name) > MaxFolded {
		return dst, false
	}
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '_' || c == '-' || c == '.' || c == ':':
		case syntax.Alphanumeric.Has(c):
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			dst = append(dst, c)
		default:
			return dst, false
		}
	}
	return dst, true
}

// isOAuth reports the folded names of parameters that OAuth specifies for endpoints which
// take a form, of those that lenient servers take for one, and of those that change the method.
func isOAuth(folded string) bool {
	switch folded {
	case "", "granttype", "code", "codeverifier", "redirecturi", "clientid", "clientsecret", "clientassertion", "clientassertiontype",
		"refreshtoken", "accesstoken", "idtoken", "token", "tokentypehint", "logouttoken", "scope", "resource", "audience", "authorizationdetails", "claims",
		"username", "password", "assertion", "devicecode", "authreqid", "subjecttoken", "subjecttokentype", "actortoken", "actortokentype", "requestedtokentype",
		"responsetype", "responsemode", "state", "nonce", "codechallenge", "codechallengemethod", "prompt", "request", "requesturi", "dpopjkt", "schema",
		"idtokenhint", "loginhint", "acrvalues", "maxage",
		"method", "httpmethod", "httpmethodoverride", "xhttpmethodoverride":
		return true
	}
	return false
}

// CheckFormHeader requires a plain urlencoded form (RFC 6749 appendix B).
func CheckFormHeader(header http.Header) error {
	if values := header["Content-Type"]; len(values) != 1 || !body.IsTypeInUTF8(values[0], "application/x-www-form-urlencoded") {
		return oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 4.1.3",
			"send the body as Content-Type: application/x-www-form-urlencoded")
	}
	if len(header["Content-Encoding"]) > 0 {
		return oauth.Reject(oauth.InvalidRequest, "RFC 9110 section 8.4", "a compressed request body is not accepted")
	}
	return nil
}

// Parse decodes raw as application/x-www-form-urlencoded (WHATWG URL
// section 5), strictly: what two parsers could read differently is rejected
// rather than guessed. where names the source in messages: "query" or "body".
func Parse(raw, where string) (Values, error) {
	var p Values
	if where == "query" && len(raw) > MaxQueryLength {
		return p, oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 3.1", "the query is longer than "+strconv.Itoa(MaxQueryLength)+" bytes")
	}
	count := strings.Count(raw, "&") + 1
	if count > maxParams {
		return p, oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 3.1", "the "+where+" has more than "+strconv.Itoa(maxParams)+" parameters")
	}
	if !syntax.FormChar.Holds(raw) {
		return p, rejectFormChar(raw, where)
	}

	// Names and values are parts of one string: see BenchmarkSteps, authorize.
	var decoded strings.Builder
	if strings.ContainsAny(raw, "%+") {
		decoded.Grow(len(raw))
	}
	p.List = make([]Param, 0, count)
	for rest := raw; rest != ""; {
		var pair string
		pair, rest, _ = strings.Cut(rest, "&")
		if pair == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err := decodeComponent(&decoded, rawName, where)
		if err != nil {
			return p, err
		}
		value, err := decodeComponent(&decoded, rawValue, where)
		if err != nil {
			return p, err
		}
		if name == "" {
			return p, oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 3.1", "the "+where+" has a parameter without a name")
		}
		if seal.IsAccessToken(value) && name != "token" {
			return p, oauth.Reject(oauth.InvalidRequest, "RFC 6750 section 2", "a parameter is one of the gateway's own access tokens; send those to their resource server in the field Authorization, "+
				"and here only to revocation and introspection")
		}
		p.add(name, value)
	}
	return p, nil
}

// rejectFormChar says which kind of character raw must not have.
func rejectFormChar(raw, where string) error {
	if strings.IndexByte(raw, ';') >= 0 {
		return oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 3.1",
			"the "+where+" has an unencoded semicolon, which some servers read as a separator; encode it as %3B")
	}
	return oauth.Reject(oauth.InvalidRequest, "RFC 3986 section 2.1",
		"the "+where+" has a character that must be percent-encoded")
}

// isRepeatable reports whether a parameter may occur several times, as RFC 8707 section
// 2 has it of one. Each of its values is checked: whichever of them a
// server reads is an allowed one.
func isRepeatable(name string) bool { return name == "resource" }

// add appends a parameter and notes repetition. A parameter that decides where
// errors go takes precedence over others.
func (p *Values) add(name, value string) {
	if !isRepeatable(name) && (p.Repeated == "" || SaysWhereErrorsGo(name)) && p.Flag(name) {
		p.Repeated = name
	}
	if value == "" {
		p.Flags = append(p.Flags, name)
		return
	}
	p.List = append(p.List, Param{name, value})
}

// SaysWhereErrorsGo reports the parameters that decide whether and how the client
// receives errors.
func SaysWhereErrorsGo(name string) bool {
	switch name {
	case "client_id", "redirect_uri", "response_mode", "state":
		return true
	}
	return false
}

// decodeComponent decodes one name or value. What had no escapes stays a part
// of raw; the rest becomes a part of the string in decoded, whose capacity
// must hold all of it.
func decodeComponent(decoded *strings.Builder, raw, where string) (string, error) {
	if strings.IndexByte(raw, '%') < 0 && strings.IndexByte(raw, '+') < 0 {
		return raw, nil
	}
	start, plain := decoded.Len(), true
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch c {
		case '+':
			c = ' '
		case '%':
			if i+2 >= len(raw) || !syntax.HexDigit.Has(raw[i+1]) || !syntax.HexDigit.Has(raw[i+2]) {
				return "", oauth.Reject(oauth.InvalidRequest, "RFC 3986 section 2.1",
					"the "+where+" has a broken percent-encoding; write a percent sign as %25")
			}
			c = syntax.Unhex(raw[i+1])<<4 | syntax.Unhex(raw[i+2])
			i += 2
		}
		decoded.WriteByte(c)
		plain = plain && syntax.VSChar.Has(c)
	}
	s := decoded.String()[start:]
	if plain {
		return s, nil
	}
	if !utf8.ValidString(s) {
		return "", oauth.Reject(oauth.InvalidRequest, "RFC 6749 appendix B", "the "+where+" is not valid UTF-8")
	}
	for _, r := range s {
		if unicode.IsControl(r) {
			return "", oauth.Reject(oauth.InvalidRequest, "RFC 6749 appendix A", "the "+where+" has a control character")
		}
	}
	return s, nil
}

// RejectRepeated rejects the parameter that occurred more than once,
// or nil (RFC 6749 sections 3.1 and 3.2).
func (p *Values) RejectRepeated() error {
	if p.Repeated == "" {
		return nil
	}
	return oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 3.1",
		"the parameter "+PrintableName(p.Repeated)+" occurs more than once")
}

// PrintableName is name if it looks like the name of a parameter. Anything else
// could be a misplaced secret.
func PrintableName(name string) string {
	if len(name) > 32 || !syntax.ParamName.Holds(name) {
		return "(not shown)"
	}
	return name
}

// Append appends name=value to an application/x-www-form-urlencoded string.
// A space becomes %20, which every parser reads as a space.
func Append(dst []byte, name, value string) []byte {
	dst = appendEscaped(AppendSeparator(dst), name)
	dst = append(dst, '=')
	return appendEscaped(dst, value)
}

// AppendSeparator appends what stands between parameters, if one precedes.
func AppendSeparator(dst []byte) []byte {
	if len(dst) > 0 && dst[len(dst)-1] != '?' && dst[len(dst)-1] != '#' {
		dst = append(dst, '&')
	}
	return dst
}

func appendEscaped(dst []byte, s string) []byte {
	const digits = "0123456789ABCDEF"
	start := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; !syntax.Unreserved.Has(c) {
			dst = append(dst, s[start:i]...)
			dst = append(dst, '%', digits[c>>4], digits[c&15])
			start = i + 1
		}
	}
	return append(dst, s[start:]...)
}

// Missing rejects a request without a required parameter.
func Missing(name, source string) *oauth.Error {
	return oauth.Reject(oauth.InvalidRequest, source, "the required parameter "+name+" is missing or empty")
}
