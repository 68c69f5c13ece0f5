package idp

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNegotiate(t *testing.T) {
	browser, other := format{page: true}, format{}
	asForm, asJSON := format{result: formResult}, format{result: jsonResult}
	for accept, want := range map[string]format{
		"":                                  other,
		"*/*":                               other,
		"text/*":                            other,
		"text/plain":                        other,
		"application/*":                     other,
		"application/problem+json":          other,
		"malformed":                         other,
		"text/html":                         browser,
		"TEXT/HTML; charset=utf-8":          browser,
		"text/html,application/json":        browser,
		"text/html, */*;q=0.1":              browser,
		"application/xhtml+xml":             browser,
		"text/html;q=0, */*":                other,
		"text/html;q=0.000":                 other,
		"application/json":                  asJSON,
		"application/json, text/plain":      asJSON,
		"application/json, text/plain, */*": other,
		"application/x-www-form-urlencoded": asForm,
		"application/x-www-form-urlencoded, application/json":             asForm,
		"application/json, application/x-www-form-urlencoded;q=0.9":       asJSON,
		"Application/JSON; charset=utf-8":                                 asJSON,
		"application/json;q=0":                                            other,
		"application/json, text/html;q=0":                                 asJSON,
		"application/json, text/html;q=0, application/xhtml+xml;q=0, */*": asJSON,
		"application/json, */*;q=0.0":                                     asJSON,
	} {
		require.Equal(t, want, negotiate(http.Header{"Accept": {accept}}), accept)
	}
	require.Equal(t, other, negotiate(http.Header{}))
	require.Equal(t, browser, negotiate(http.Header{"Accept": {"application/json", "text/html"}}), "several lines")
}
