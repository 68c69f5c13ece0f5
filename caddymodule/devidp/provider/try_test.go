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
	response := tn.get(PathTry)
	for range 5 {
		location := response.Header.Get("Location")
		if location == "" {
			break
		}
		response = tn.get(location)
	}
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.Contains(t, response.body, "You are logged in.")

	form := url.Values{}
	for _, field := range shownField.FindAllStringSubmatch(html.UnescapeString(response.body), -1) {
		form.Set(field[1], field[2])
	}
	require.Contains(t, tn.post(PathToken, form).body, `"access_token"`)
}

func TestALoginThatBeganElsewhereIsNotFinished(t *testing.T) {
	tn := startTenant(t, Config{AutoLogin: "grace"})
	response := tn.get(PathTryCallback + "?code=x&state=y")
	require.Equal(t, http.StatusBadRequest, response.StatusCode)
	require.Contains(t, response.body, "did not begin in this browser")
	require.Contains(t, tn.get(PathTryCallback+"?error=access_denied&error_description=%3Cb%3Eno").body, "<code>access_denied</code> &lt;b&gt;no")
	require.False(t, strings.Contains(response.body, "--data-urlencode"))
}
