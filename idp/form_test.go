package idp

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// asBrowsers parses application/x-www-form-urlencoded as the WHATWG's URL standard
// describes in section 5.1, step by step.
func asBrowsers(raw string) (list []param) {
	for _, sequence := range strings.Split(raw, "&") {
		if sequence == "" {
			continue
		}
		name, value, _ := strings.Cut(sequence, "=")
		list = append(list, param{percentDecoded(name), percentDecoded(value)})
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
		ours, err := parseParams(raw, "body")
		if err != nil {
			t.Skip()
		}
		var want []param
		flags := 0
		for _, p := range asBrowsers(raw) {
			if p.value == "" {
				flags++
				continue
			}
			want = append(want, p)
		}
		require.Equal(t, want, append([]param(nil), ours.list...), "%q", raw)
		require.Len(t, ours.flags, flags)

		values, err := url.ParseQuery(raw)
		require.NoError(t, err, "%q", raw)
		for name, all := range values {
			switch {
			case len(all) == 1:
				require.Equal(t, all[0], ours.get(name), "%q", raw)
			case !isRepeatable(name):
				require.NotEmpty(t, ours.repeated, "%q", raw)
			}
		}
	})
}
