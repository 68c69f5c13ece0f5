package params

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// asBrowsers parses application/x-www-form-urlencoded as the WHATWG's URL standard
// describes in section 5.1, step by step.
func asBrowsers(raw string) (list []Param) {
	for _, sequence := range strings.Split(raw, "&") {
		if sequence == "" {
			continue
		}
		name, value, _ := strings.Cut(sequence, "=")
		list = append(list, Param{percentDecoded(name), percentDecoded(value)})
	}
	return list
}

func percentDecoded(s string) string {
	s = strings.ReplaceAll(s, "+", " ")
	var decoded strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if b, err := url.PathUnescape(s[i : i+3]); err == nil {
				decoded.WriteString(b)
				i += 2
				continue
			}
		}
		decoded.WriteByte(s[i])
	}
	return strings.ToValidUTF8(decoded.String(), string(utf8.RuneError))
}

// FuzzForm: what the strict reader accepts, browsers and net/url read in the same way.
func FuzzForm(f *testing.F) {
	for _, raw := range []string{
		"a=1&b=2", "a=1&a=2", "a", "a=", "=a", "&&a=1&", "a=1;b=2", "a=%31", "%61=1", "a=%", "a=%zz", "a=%2", "a=+%2B%20", "a=\xff", "a=%ff", "a=%c3%a4",
		"a==b", "a=b=c", "a[]=1", "a%00=1", "a=%0d%0a", "a=1#b", "a=1?b", "a b=1", "a=%u0061", "A=1&a=2", "a=\u00e4", "resource=1&resource=2", "a%3D1", "a%26b=1",
	} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		ours, err := Parse(raw, "body")
		if err != nil {
			return
		}
		var want []Param
		flags := 0
		for _, p := range asBrowsers(raw) {
			if p.Value == "" {
				flags++
				continue
			}
			want = append(want, p)
		}
		require.Equal(t, want, append([]Param(nil), ours.List...), "%q", raw)
		require.Len(t, ours.Flags, flags)

		values, err := url.ParseQuery(raw)
		require.NoError(t, err, "%q", raw)
		for name, all := range values {
			switch {
			case len(all) == 1:
				require.Equal(t, all[0], ours.Get(name), "%q", raw)
			case !isRepeatable(name):
				require.NotEmpty(t, ours.Repeated, "%q", raw)
			}
		}
	})
}

func TestForms(t *testing.T) {
	for raw, want := range map[string][]Param{
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
		"a=" + strings.Repeat("x", MaxQueryLength-2): {{"a", strings.Repeat("x", MaxQueryLength-2)}},
		"a=" + strings.Repeat("x", MaxQueryLength-1): nil,
		strings.Repeat("&", maxParams-1):             {},
		strings.Repeat("&", maxParams):               nil,
	} {
		p, err := Parse(raw, "query")
		if want == nil {
			require.Error(t, err, raw)
			require.NotEmpty(t, oauth.AsError(err).Source)
			continue
		}
		require.NoError(t, err, raw)
		require.Equal(t, want, p.List, raw)
		require.Empty(t, p.Repeated)
	}
	for raw, says := range map[string]string{"%zz=1": "broken percent-encoding", "1=%zz": "broken percent-encoding", ";a=1": "semicolon", "a=1;": "semicolon", "a=\"\n": "must be percent-encoded"} {
		_, err := Parse(raw, "query")
		require.ErrorContains(t, err, says, raw)
	}
	_, err := Parse("a="+strings.Repeat("x", MaxQueryLength), "body")
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
		p, err := Parse(raw, "query")
		require.NoError(t, err)
		require.ErrorContains(t, p.RejectRepeated(), says, raw)
	}
	p, err := Parse("a=1&b=2&resource=1&resource=2", "query")
	require.NoError(t, err)
	require.NoError(t, p.RejectRepeated())
}

func TestWhatIsEncodedAgain(t *testing.T) {
	for name, want := range map[string]string{
		"a":           "a=a",
		"ä&=+ ~%\x00": "%C3%A4%26%3D%2B%20~%25%00=%C3%A4%26%3D%2B%20~%25%00",
		"":            "=",
	} {
		require.Equal(t, want, string(Append(nil, name, name)))
	}
	for before, want := range map[string]string{
		"": "a=b", "x": "x&a=b", "https://x/?": "https://x/?a=b", "https://x/#": "https://x/#a=b", "https://x/?c": "https://x/?c&a=b",
	} {
		require.Equal(t, want, string(Append([]byte(before), "a", "b")))
	}
}
