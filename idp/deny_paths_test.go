package idp

import (
	"net/url"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// What the IdP passes on of a login that began at /authorize is accepted where it
// takes such parameters again; anything else that begins one is not.
func TestALoginGoesOnOnlyAsItBegan(t *testing.T) {
	p := testPolicy(t, registered, func(c *Config) {
		c.DefaultAudience = "https://api.example"
		c.Clients[0].IdPClient = &IdPClientConfig{ID: "shared", Secret: "s"}
	})
	begun := func(changes ...string) string {
		r, err := p.parseAuthorize(query())
		require.NoError(t, err)
		values, err := url.ParseQuery(r.authorizeQuery(p, sealer{}))
		require.NoError(t, err)
		for pair := range slices.Chunk(changes, 2) {
			if pair[1] == "-" {
				values.Del(pair[0])
			} else {
				values.Set(pair[0], pair[1])
			}
		}
		return values.Encode()
	}
	for name, tc := range map[string]struct{ query, says string }{
		"the login as it began":         {begun(), ""},
		"with the IdP's own parameters": {begun("lang", "de", "back", "/auth"), ""},
		"a step of its own":             {"req=abc&hmac=def", ""},
		"Keycloak's":                    {"session_code=a&execution=b&client_id=app&tab_id=c&client_data=eyJydSI6Imh0dHA6Ly8ifQ", ""},
		"nothing":                       {"", ""},
		"no PKCE":                       {begun("code_challenge", "-", "code_challenge_method", "-"), "code_challenge"},
		"PKCE that is none":             {begun("code_challenge_method", "plain"), "code_challenge_method"},
		"another redirect URI":          {begun("redirect_uri", "https://app.example/other"), "redirect_uri"},
		"no redirect URI":               {"client_id=app&response_type=code", "redirect_uri is missing"},
		"only a redirect URI":           {"client_id=app&redirect_uri=https%3A%2F%2Fapp.example%2Fcb", "response_type"},
		"an encoded name":               {"client_id=app&redirect%5furi=https%3A%2F%2Fapp.example%2Fcb", "response_type"},
		"an empty one":                  {"client_id=app&response_type=", "redirect_uri is missing"},
		"tokens":                        {begun("response_type", "token"), "response_type must be code"},
		"a request object":              {begun("request", "e30.e30."), "request is not accepted"},
		"only a request object":         {"client_id=app&request_uri=urn%3Ax", "redirect_uri is missing"},
		"another client":                {begun("client_id", "other"), "client_id"},
		"a parameter twice":             {begun() + "&redirect_uri=https%3A%2F%2Fevil.example", "redirect_uri"},
		"an ambiguous query":            {begun() + ";redirect_uri=x", "semicolon"},
	} {
		err := p.checkLookalike(tc.query, sealer{})
		if tc.says == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, err, tc.says, name)
		require.ErrorContains(t, err, "logins begin at /authorize", name)
		require.Equal(t, 400, oauth.AsError(err).Status)
	}
}

// With a callback, the IdP's response comes there, and it opens the state.
func TestWithACallbackLoginsGoOnToIt(t *testing.T) {
	g := newSealedGateway(t)
	sent := g.begin()
	require.NoError(t, g.checkLookalike(sent.Encode(), g.s))
	for name, value := range map[string]string{"redirect_uri": "https://app.example/cb", "request": "x", "request_uri": "x"} {
		changed := url.Values{}
		for key, values := range sent {
			changed[key] = values
		}
		changed.Set(name, value)
		require.ErrorContains(t, g.checkLookalike(changed.Encode(), g.s), "redirect_uri is not the gateway's callback", name)
	}
	require.Error(t, g.checkLookalike("client_id=app&response_type=code", g.s))
	require.NoError(t, g.checkLookalike("req=abc", g.s))
}
