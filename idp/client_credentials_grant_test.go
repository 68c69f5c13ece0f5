package idp

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// RFC 6749 section 4.4, RFC 9700 section 4.15.
func TestAClientActsForItself(t *testing.T) {
	a := newAgent(t, false, withDirectGrants)
	ask := func(client string, with ...string) *Result {
		return a.do("POST", "/oauth/token", replaced(url.Values{"grant_type": {"client_credentials"}}, with), "Authorization", basicHeader(client, client+clientSecret))
	}
	token := a.direct(ask("reports"))
	require.Equal(t, "client:reports", token.Subject)
	require.Equal(t, "reports", token.ClientID)
	require.Equal(t, "read", token.Scope, "of the default what the client may have")
	require.Equal(t, "", a.direct(ask("reports", "resource", serverB)).Scope)
	require.Equal(t, "read", a.direct(ask("reports", "resource", serverB, "scope", "read")).Scope)
	for name, tc := range map[string]struct {
		result *Result
		code   oauth.Code
	}{
		"a scope that it may not have": {ask("reports", "scope", "write"), oauth.InvalidScope},
		"a scope that there is not":    {ask("reports", "scope", "admin"), oauth.InvalidScope},
		"a resource that there is not": {ask("reports", "resource", "https://elsewhere.example"), oauth.InvalidTarget},
		"without the option":           {ask("desk"), oauth.UnauthorizedClient},
		"with a wrong secret":          {a.do("POST", "/oauth/token", "grant_type=client_credentials", "Authorization", basicHeader("reports", "wrong")), oauth.InvalidClient},
		"a public client":              {a.do("POST", "/oauth/token", "grant_type=client_credentials&client_id=app"), oauth.UnauthorizedClient},
		"a login with it":              {a.do("GET", "/authorize?response_type=code&client_id=reports&redirect_uri=https%3A%2F%2Fapp.example%2Fcb", ""), oauth.InvalidRequest},
	} {
		require.Contains(t, string(tc.result.Body), string(tc.code), name)
	}
	require.Empty(t, a.sent)
}
