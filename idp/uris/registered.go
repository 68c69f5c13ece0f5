package uris

import (
	"strconv"
	"strings"
)

// Registered is a redirect URI from the configuration.
type Registered struct {
	Exact string
	// before and after surround the port of an http loopback URI, whose port
	// the native app chooses at run time (RFC 8252 section 7.3).
	before, after string
}

// NewRegistered compiles a redirect URI that passed [CheckConfigured].
func NewRegistered(s string) Registered {
	r := Registered{Exact: s}
	for _, before := range []string{"http://127.0.0.1", "http://[::1]", "http://localhost"} {
		if rest, ok := strings.CutPrefix(s, before); ok && (rest == "" || strings.IndexByte(":/?", rest[0]) >= 0) {
			r.before, r.after = before, strings.TrimLeft(rest, ":0123456789")
			return r
		}
	}
	return r
}

// Matches compares as RFC 6749 section 3.1.2.3 and RFC 9700 section 2.1 ask:
// the strings must be equal, except for the port of a loopback URI.
func (r Registered) Matches(s string) bool {
	if s == r.Exact {
		return true
	}
	if r.before == "" || !strings.HasPrefix(s, r.before) || !strings.HasSuffix(s, r.after) ||
		len(s) < len(r.before)+len(r.after) {
		return false
	}
	port := s[len(r.before) : len(s)-len(r.after)]
	return port == "" || port[0] == ':' && IsPort(port[1:])
}

// Port is the port of s, which matches r, if the client chose it: of an http
// loopback URI. 0 stands for none.
func (r Registered) Port(s string) uint16 {
	if r.before == "" {
		return 0
	}
	digits := strings.TrimPrefix(s[len(r.before):len(s)-len(r.after)], ":")
	n, _ := strconv.ParseUint(digits, 10, 16) // Matches saw to its form
	return uint16(n)
}

// WithPort is the URI that matches r and has this port.
func (r Registered) WithPort(port uint16) string {
	switch {
	case r.before == "":
		return r.Exact
	case port == 0:
		return r.before + r.after
	}
	return r.before + ":" + strconv.Itoa(int(port)) + r.after
}

// WithoutOwnPort is a redirect URI without the port that its scheme has anyway. RFC 9700
// section 2.1 compares strings, so that the two are not equal.
func WithoutOwnPort(s string) string {
	for _, own := range [...]struct{ scheme, port string }{{"https://", ":443"}, {"http://", ":80"}} {
		if rest, ok := strings.CutPrefix(s, own.scheme); ok {
			host := rest[:len(rest)-len(strings.TrimLeftFunc(rest, func(r rune) bool { return r != '/' && r != '?' }))]
			return own.scheme + strings.TrimSuffix(host, own.port) + rest[len(host):]
		}
	}
	return s
}

// Nearly says what an address that is not registered has different from one that is, if
// that is little: what apps and their operators most often overlook. It is "" otherwise.
func Nearly(registered []Registered, s string) string {
	for _, detail := range [...]struct {
		name  string
		apart func(string) string
	}{
		{"in the slash at its end", func(s string) string { return strings.TrimRight(s, "/") }},
		{"in upper and lower case", strings.ToLower},
		{"in the port 443, which is left out with https", WithoutOwnPort},
		{"in localhost and 127.0.0.1", func(s string) string { return strings.ReplaceAll(s, "://localhost", "://127.0.0.1") }},
		{"in its query", func(s string) string { before, _, _ := strings.Cut(s, "?"); return before }},
	} {
		for _, r := range registered {
			if NewRegistered(detail.apart(r.Exact)).Matches(detail.apart(s)) {
				return detail.name
			}
		}
	}
	return ""
}
