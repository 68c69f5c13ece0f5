package identity

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// toServer takes requests for any host to a server of plain HTTP.
type toServer string

func (address toServer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = "http", strings.TrimPrefix(string(address), "http://")
	return http.DefaultTransport.RoundTrip(r)
}

// Entra ID redeems the codes of a single-page application with an Origin only, and
// those of others only without (AADSTS9002327, AADSTS9002326).
func TestTheOriginOfARegisteredPageGoesToTheIdP(t *testing.T) {
	const spa = registeredClient + `
client native {
	redirect_uri http://127.0.0.1/cb
}
`
	entra := func(options string) *gateway {
		rec := newRecorder(t, nil)
		g, cleanup, err := provision(t, "identity_gateway https://login.microsoftonline.com/t {\n"+options+"\n}", t.TempDir())
		require.NoError(t, err)
		t.Cleanup(cleanup)
		g.rebuild(t, func(parts *idp.Parts) { parts.Transport = toServer(rec.URL) })
		return &gateway{serve(t, g), rec, t}
	}
	without, with, callback := newGateway(t, spa), entra(spa), entra(registeredClient+"callback")
	for name, test := range map[string]struct {
		gateway *gateway
		form    []string
		origin  string
		want    string
	}{
		"a page":                         {with, nil, "https://app.example", "https://app.example"},
		"a page whose IdP does not mind": {without, nil, "https://app.example", ""},
		"a page that is not registered":  {with, nil, "https://evil.example", ""},
		"a page of another client":       {with, []string{"client_id", "native", "redirect_uri", "http://127.0.0.1/cb"}, "https://app.example", ""},
		"no page":                        {with, nil, "", ""},
		"null":                           {with, nil, "null", ""},
	} {
		header := []string{}
		if test.origin != "" {
			header = []string{"Origin", test.origin}
		}
		require.Equal(t, http.StatusOK, test.gateway.post("/oauth/token", tokenBody(verifier1, "code-1", test.form...), header...).StatusCode, name)
		require.Equal(t, test.want, test.gateway.idp.reached()[0].header.Get("Origin"), name)
	}
	code := callback.logIn(verifier1, "code-1")
	require.Equal(t, http.StatusOK, callback.post("/oauth/token", tokenBody(verifier1, code), "Origin", "https://app.example").StatusCode)
	require.Empty(t, callback.idp.reached()[0].header.Get("Origin"), "with a callback the gateway is the client")
}

func TestErrorsThatCameAsSuccess(t *testing.T) {
	g := newGateway(t, registeredClient+"callback")
	code := g.logIn(verifier1, "code-1")
	g.idp.respondWith(respondJSON(200, `{"error":"bad_verification_code","error_description":"The code passed is incorrect or expired."}`))
	a := g.post("/oauth/token", tokenBody(verifier1, code))
	require.Equal(t, http.StatusBadRequest, a.StatusCode)
	require.Equal(t, "invalid_grant", a.code())
	require.Contains(t, a.body, "incorrect or expired")

	// Nothing was redeemed, so that the code is good for another try.
	g.idp.respondWith(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
		_, _ = w.Write([]byte("access_token=gho_16C7&scope=repo&token_type=bearer"))
	})
	a = g.post("/oauth/token", tokenBody(verifier1, code))
	require.Equal(t, http.StatusOK, a.StatusCode, a.body)
	require.Equal(t, "application/json", a.Header.Get("Content-Type"))
	require.JSONEq(t, `{"access_token":"gho_16C7","scope":"repo","token_type":"bearer"}`, a.body)
}

func TestTheGatewaysOwnCredentialsAreTheOperatorsBusiness(t *testing.T) {
	g := newGateway(t, strings.Replace(registeredClient, "origin", "idp_client app {\nsecret s\n}\norigin", 1)+"callback")
	code := g.logIn(verifier1, "code-1")
	g.idp.respondWith(respondJSON(401, `{"error":"invalid_client","error_description":"AADSTS7000222: The provided client secret keys for app 'x' are expired."}`))
	a := g.post("/oauth/token", tokenBody(verifier1, code))
	require.Equal(t, http.StatusBadGateway, a.StatusCode)
	require.Equal(t, "server_error", a.code())
	require.NotContains(t, a.body, "AADSTS")
	g.idp.respondWith(nil)
	require.Equal(t, http.StatusOK, g.post("/oauth/token", tokenBody(verifier1, code)).StatusCode, "the code was not redeemed")
}

func TestAParameterThatOnlyTheContractRequiresNamesTheWayOut(t *testing.T) {
	g := newGateway(t, "")
	a := g.get("/authorize?" + authorizeQuery(verifier1, "audience", ""))
	require.Equal(t, http.StatusBadRequest, a.StatusCode)
	require.Contains(t, a.body, "the required parameter audience is missing or empty (or set parameters oauth at the gateway")
	a = g.get("/authorize?" + authorizeQuery(verifier1, "code_challenge", ""))
	require.NotContains(t, a.body, "parameters oauth")
}
