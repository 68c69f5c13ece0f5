package pages

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var none *Theme

func TestPagesThatFail(t *testing.T) {
	page := render(http.StatusOK, "", "'none'", "no such page", nil)
	require.Equal(t, http.StatusInternalServerError, page.Status)
	require.Empty(t, page.Body)
	page = none.page(http.StatusOK, &document{locale: localeFor(nil), Page: "no such page"}, nil)
	require.Equal(t, http.StatusInternalServerError, page.Status)
	require.Empty(t, page.Body)
}

// No page is stored, or framed by others, or runs anything but its own script.
func TestWhatEachPageIsHeldTo(t *testing.T) {
	attack := []Field{{"state", `"></script><script>alert(1)</script>`}}
	for name, page := range map[string]Page{
		"error":       none.Error(nil, &Problem{Status: 400, Code: "invalid_request", Description: attack[0].Value, Source: "RFC 6749", Reference: "R1", WayBack: &Link{"app.example", "javascript:alert(1)"}}),
		"logged out":  none.LoggedOut(nil),
		"form post":   FormPost("https://app.example/cb", attack),
		"web message": WebMessage("https://app.example", attack),
		"consent":     none.Consent(nil, Question{Name: attack[0].Value, IdP: "idp.example", RedirectURI: "https://app.example/cb", Scopes: []string{"openid"}, Audiences: []string{attack[0].Value}, Others: attack}),
	} {
		require.Equal(t, []string{"no-store"}, page.Header["Cache-Control"], name)
		require.Equal(t, []string{"nosniff"}, page.Header["X-Content-Type-Options"], name)
		policy := page.Header.Get("Content-Security-Policy")
		require.True(t, strings.HasPrefix(policy, "default-src 'none'; "), name)
		ancestors := "frame-ancestors 'none'"
		if name == "web message" {
			ancestors = "frame-ancestors https://app.example"
		}
		require.True(t, strings.HasSuffix(policy, ancestors), name)
		require.NotContains(t, string(page.Body), "<script>alert", name)
		require.NotContains(t, string(page.Body), `"javascript:`, name)
		require.Equal(t, name == "form post" || name == "web message" || name == "consent", strings.Contains(policy, "script-src"), name)
	}
}
