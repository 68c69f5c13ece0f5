package provider

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var shownField = regexp.MustCompile(`--data-urlencode '([a-z_]+)=([^']*)'`)

func TestTheLoginToTryEndsWithACommandThatBuysTokens(t *testing.T) {
	tn := startTenant(t, Config{AutoLogin: "grace"})
	answered := tn.get(PathTry)
	for range 5 {
		location := answered.Header.Get("Location")
		if location == "" {
			break
		}
		answered = tn.get(location)
	}
	require.Equal(t, http.StatusOK, answered.StatusCode)
	require.Contains(t, answered.body, "You are logged in.")

	form := url.Values{}
	for _, field := range shownField.FindAllStringSubmatch(html.UnescapeString(answered.body), -1) {
		form.Set(field[1], field[2])
	}
	require.Contains(t, tn.post(PathToken, form).body, `"access_token"`)
}

func TestALoginThatBeganElsewhereIsNotFinished(t *testing.T) {
	tn := startTenant(t, Config{AutoLogin: "grace"})
	answered := tn.get(PathTryCallback + "?code=x&state=y")
	require.Equal(t, http.StatusBadRequest, answered.StatusCode)
	require.Contains(t, answered.body, "did not begin in this browser")
	require.Contains(t, tn.get(PathTryCallback+"?error=access_denied&error_description=%3Cb%3Eno").body, "<code>access_denied</code> &lt;b&gt;no")
	require.False(t, strings.Contains(answered.body, "--data-urlencode"))
}
