package idp

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCharactersOfTheGrammars holds each set to the characters that its
// specification lists, for all bytes.
func TestCharactersOfTheGrammars(t *testing.T) {
	const digits = "0123456789"
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	printable := ""
	for c := byte(0x20); c <= 0x7e; c++ {
		printable += string(rune(c))
	}
	without := func(dropped string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(dropped, r) {
				return -1
			}
			return r
		}, printable)
	}
	for name, tc := range map[string]struct {
		set  asciiSet
		want string
	}{
		"ALPHA and DIGIT (RFC 5234)":           {alphanumeric, letters + digits},
		"DIGIT (RFC 5234)":                     {digit, digits},
		"HEXDIG (RFC 5234), both cases":        {hexDigit, digits + "ABCDEFabcdef"},
		"VSCHAR (RFC 6749)":                    {vsChar, printable},
		"NQSCHAR (RFC 6749)":                   {errorChar, without(`"\`)},
		"NQCHAR (RFC 6749)":                    {scopeChar, without(` "\`)},
		"unreserved (RFC 3986)":                {unreserved, letters + digits + "-._~"},
		"base64url (RFC 4648)":                 {base64URL, letters + digits + "-_"},
		"token68 without padding (RFC 9110)":   {tokenChar, letters + digits + "-._~+/"},
		"names of parameters":                  {paramName, "abcdefghijklmnopqrstuvwxyz_"},
		"a form (WHATWG URL), no semicolon":    {formChar, without(" ;")},
		"RFC 3986 section 2 and percent signs": {uriChar, letters + digits + "-._~:/?#[]@!$&'()*+,;=%"},
		"a host":                               {hostChar, letters + digits + "-_.:"},
	} {
		for c := range 256 {
			require.Equal(t, strings.IndexByte(tc.want, byte(c)) >= 0, tc.set.has(byte(c)), "%s: %q", name, byte(c))
		}
		require.True(t, tc.set.holds(tc.want), name)
		require.False(t, tc.set.holds(tc.want+"\x00"), name)
	}
}

func TestScopesOfRFC6749Section3_3(t *testing.T) {
	for _, scope := range []string{"openid", "openid profile", "a b c", "https://api.example/read", "!#[]~"} {
		require.NoError(t, checkScope(scope), scope)
	}
	for _, scope := range []string{" a", "a ", "a  b", " ", `a"b`, `a\b`, "a\tb", "ä", "a\x7fb"} {
		require.EqualError(t, checkScope(scope), "invalid_scope: scope must be printable ASCII names with exactly one space between them (RFC 6749 section 3.3)", scope)
	}
}

func TestForms(t *testing.T) {
	for raw, want := range map[string][]param{
		"":                      {},
		"&&":                    {},
		"a=1&b=2":               {{"a", "1"}, {"b", "2"}},
		"a=1=2":                 {{"a", "1=2"}},
		"a+b=c+d":               {{"a b", "c d"}},
		"%61%2b=%2B%c3%A4":      {{"a+", "+ä"}},
		"a=%00":                 nil,
		"a=%7f":                 nil,
		"a=%7e%20":              {{"a", "~ "}},
		"a=%E2%82%ac":           {{"a", "€"}},
		"a=%2":                  nil,
		"a=%":                   nil,
		"a=%g0":                 nil,
		"a=%0g":                 nil,
		"a=%4g":                 nil, // hexadecimal digits with more letters would be P
		"a=%k4":                 nil,
		"%3d=%26":               {{"=", "&"}},
		"resource=1&resource=2": {{"resource", "1"}, {"resource", "2"}},
		"a=1&b":                 {{"a", "1"}},
		"=1":                    nil,
		"a=1&=":                 nil,
		"a=1&%=":                nil,
		"a=" + strings.Repeat("x", maxQueryLength-2): {{"a", strings.Repeat("x", maxQueryLength-2)}},
		"a=" + strings.Repeat("x", maxQueryLength-1): nil,
		strings.Repeat("&", maxParams-1):             {},
		strings.Repeat("&", maxParams):               nil,
	} {
		p, err := parseParams(raw, "query")
		if want == nil {
			require.Error(t, err, raw)
			requireWellFormed(t, err)
			continue
		}
		require.NoError(t, err, raw)
		require.Equal(t, want, p.list, raw)
		require.Empty(t, p.repeated)
	}
	for raw, says := range map[string]string{"%zz=1": "broken percent-encoding", "1=%zz": "broken percent-encoding", ";a=1": "semicolon", "a=1;": "semicolon", "a=\"\n": "must be percent-encoded"} {
		_, err := parseParams(raw, "query")
		require.ErrorContains(t, err, says, raw)
	}
	_, err := parseParams("a="+strings.Repeat("x", maxQueryLength), "body")
	require.NoError(t, err, "who reads a body bounds it")
}

func TestARepetitionIsNamedUnlessItCouldBeASecret(t *testing.T) {
	for raw, says := range map[string]string{
		"scope=a&scope=b":             "the parameter scope occurs more than once",
		"scope=a&scope":               "the parameter scope occurs more than once",
		"scope&scope=a":               "the parameter scope occurs more than once",
		"foo=1&foo=2&state=a&state=b": "the parameter state occurs more than once",
		"state=a&state=b&foo=1&foo=2": "the parameter state occurs more than once",
		"a=1&a=2&b=1&b=2":             "the parameter a occurs more than once",
		strings.Repeat("a", 32) + "&" + strings.Repeat("a", 32): "the parameter " + strings.Repeat("a", 32) + " occurs",
		strings.Repeat("a", 33) + "&" + strings.Repeat("a", 33): "the parameter (not shown) occurs more than once",
		"hunter2&hunter2": "the parameter (not shown) occurs more than once",
	} {
		p, err := parseParams(raw, "query")
		require.NoError(t, err)
		require.ErrorContains(t, p.rejectRepeated(), says, raw)
	}
	p, err := parseParams("a=1&b=2&resource=1&resource=2", "query")
	require.NoError(t, err)
	require.NoError(t, p.rejectRepeated())
}

func TestWhatIsEncodedAgain(t *testing.T) {
	for name, want := range map[string]string{
		"a":           "a=a",
		"ä&=+ ~%\x00": "%C3%A4%26%3D%2B%20~%25%00=%C3%A4%26%3D%2B%20~%25%00",
		"":            "=",
	} {
		require.Equal(t, want, string(appendParam(nil, name, name)))
	}
	for before, want := range map[string]string{
		"": "a=b", "x": "x&a=b", "https://x/?": "https://x/?a=b", "https://x/#": "https://x/#a=b", "https://x/?c": "https://x/?c&a=b",
	} {
		require.Equal(t, want, string(appendParam([]byte(before), "a", "b")))
	}
}

func TestChallengesOfRFC7636(t *testing.T) {
	const example = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
	challenge, err := parseChallenge("S256", example)
	require.NoError(t, err)
	require.Equal(t, Challenge(example), challenge)
	_, err = parseChallenge("S256", example[:42]+"N")
	require.ErrorContains(t, err, "its last character has spare bits set", "which a lenient decoder takes for the same bytes")
}

func TestVerifiersOfRFC7636(t *testing.T) {
	for length, says := range map[int]string{0: "is missing", 1: "shorter", 42: "shorter", 43: "", 44: "", 127: "", 128: "", 129: "longer"} {
		verifier, err := parseVerifier(strings.Repeat("~", length))
		if says == "" {
			require.NoError(t, err, length)
			require.Len(t, verifier, length)
		} else {
			require.ErrorContains(t, err, says, length)
			requireWellFormed(t, err)
		}
	}
	long := Verifier(strings.Repeat("a", 200))
	require.Len(t, long.S256(), 43, "of any length")
}

func TestURIsOfBrowsers(t *testing.T) {
	for uri, says := range map[string]string{
		"https://app.example":           "",
		"https://app.example:1/":        "",
		"https://app.example:65535/":    "",
		"https://[2001:db8::1]/cb":      "",
		"https://[2001:db8::1]:8443/cb": "",
		"http://127.0.0.1":              "",
		"http://[::1]:1":                "",
		"http://localhost":              "",
		"com.example.app:cb":            "",
		"com.example.app://x/y":         "",
		"https://app.example:":          "port outside 1-65535",
		"https://app.example:0":         "port outside 1-65535",
		"https://app.example:65536":     "port outside 1-65535",
		"https://app.example:080":       "port outside 1-65535",
		"https://app.example:100000":    "port outside 1-65535",
		"https://app.example:x":         "is not a URI",
		"https://app.example/#":         "has a fragment",
		"https://a@app.example/":        "has user information",
		"https://@app.example/":         "has user information",
		"https://app.example/ä":         "has a character",
		"https://app.example/ ":         "has a character",
		"https://app.example/%zz":       "is not a URI",
		"https://2001:db8::1/cb":        "is not a URI",
		"https://a:b:c/":                "is not a URI",
		"https://app!.example/":         "malformed host",
		"http://[::2]/":                 "must be https",
		"http://0.0.0.0/":               "must be https",
		"http://localhost.example/":     "must be https",
		"://x":                          "is not a URI",
		"x":                             "is not absolute",
		"javascript:alert(1)":           "a scheme other than https",
		"com.:x":                        "ends with a dot",
		"https:":                        "has no host",
		"http:x":                        "has no host",
		"https://":                      "has no host",
	} {
		err := checkRedirectURI(uri)
		if says == "" {
			require.NoError(t, err, uri)
		} else {
			require.ErrorContains(t, err, says, uri)
		}
	}
}

func TestThePortOfALoopbackURI(t *testing.T) {
	for _, tc := range []struct {
		registered, sent string
		port             uint16
	}{
		{"http://127.0.0.1/cb", "http://127.0.0.1:54321/cb", 54321},
		{"http://127.0.0.1/cb", "http://127.0.0.1/cb", 0},
		{"http://127.0.0.1:80/cb", "http://127.0.0.1:9/cb", 9},
		{"http://127.0.0.1:80/cb", "http://127.0.0.1/cb", 0},
		{"http://[::1]", "http://[::1]:65535", 65535},
		{"http://localhost/4711", "http://localhost:1/4711", 1},
		{"https://app.example:8443/cb", "https://app.example:8443/cb", 0},
	} {
		r := newRegisteredURI(tc.registered)
		require.True(t, r.matches(tc.sent), tc)
		require.Equal(t, tc.port, r.port(tc.sent), tc)
		require.Equal(t, tc.sent, r.withPort(tc.port), "what was sealed is what was sent")
	}
	require.False(t, newRegisteredURI("http://localhost/aa").matches("http://localhost/a"))
	require.False(t, newRegisteredURI("http://localhost/a").matches("http://localhost:1:/a"))
	require.False(t, newRegisteredURI("http://localhost/a").matches("http://localhost1/a"))
	require.False(t, newRegisteredURI("http://localhost/a").matches("http://localhostx9/a"))
	require.False(t, newRegisteredURI("https://app.example/cb").matches(""))
	require.ErrorContains(t, checkReturnTo("ftp://localhost/"), "must be https")
}

func TestRedirectsOfNativeApps(t *testing.T) {
	for uri, want := range map[string]struct{ loopback, private bool }{
		"http://127.0.0.1:1/cb":  {true, false},
		"https://localhost/cb":   {true, false},
		"http://[::1]/cb":        {true, false},
		"https://app.example/cb": {false, false},
		"http://app.example/cb":  {false, false},
		"com.example.app:/cb":    {false, true},
		"ftp://localhost/cb":     {false, true},
		"":                       {false, true},
		"http://localhost:x/cb":  {false, false},
		"httpx://localhost/cb":   {false, true},
	} {
		require.Equal(t, want.loopback, isLoopbackRedirect(uri), uri)
		require.Equal(t, want.private, isPrivateScheme(uri), uri)
	}
}

// WHATWG URL section 3.5: a host whose last part is a number is an IPv4 address.
func TestHostsThatBrowsersTakeAsTheyAreWritten(t *testing.T) {
	for host, want := range map[string]bool{
		"a.example": true, "a.example.": true, "a": true, "127.0.0.1": true, "1.2.3.4": true, "::1": true, "2001:db8::1": true, "1.example": true,
		"a.0b": true, "0y1": true, "1x": true, "a0x1": true, "xn--bcher-kva.example": true, "XN--BCHER-KVA.example": true, "A.EXAMPLE": true, "a_b.example": true,
		"": false, "1": false, "1.2.3": false, "127.1": false, "256.1.1.1": false, "a.0x1": false, "0x7f.1": false, "0X7F000001": false, "a.0x": false,
		"a.1": false, "127.0.0.1.": false, "::1%25eth0": false, "fe80::1%eth0": false, ":": false, "a:b": false, ":1": false, "a::g": false,
		"xn--a.example": false, "xn--zz--.example": false, "\u00e4.example": false, "a b": false, "a%62": false, ".": true,
	} {
		require.Equal(t, want, isHost(host), host)
	}
}
