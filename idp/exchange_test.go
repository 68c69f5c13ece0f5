package idp

import (
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

const ledger = "https://ledger.example.com"

// exchanging has the first resource call another API for its users.
func exchanging(c *Config) {
	c.Resources[0].Exchange = &ExchangeConfig{Audience: ledger, Scopes: []string{"ledger.read", "ledger.write"}}
}

// jwtFor is what an IdP that issues JWTs gives for an audience.
func jwtFor(audience any) string {
	payload, err := json.Marshal(map[string]any{"aud": audience, "sub": "user-1"}, json.Deterministic(true))
	if err != nil {
		panic(err)
	}
	return "eyJhbGciOiJFUzI1NiJ9." + base64.RawURLEncoding.EncodeToString(payload) + ".c2ln"
}

// exchanged is a response to a token exchange; with replaces members.
func exchanged(status int, token string, with ...any) func(url.Values) (*http.Response, error) {
	members := map[string]any{
		"access_token": token, "issued_token_type": "urn:ietf:params:oauth:token-type:access_token", "token_type": "Bearer", "expires_in": 300,
	}
	for i := 0; i < len(with); i += 2 {
		members[with[i].(string)] = with[i+1]
	}
	content, err := json.Marshal(members)
	if err != nil {
		panic(err)
	}
	return func(url.Values) (*http.Response, error) { return idpResponse(status, string(content)), nil }
}

// RFC 8693 section 2.1: the gateway asks as itself, for the audience, with the token of the login, and
// again at each refresh, with the token of that.
func TestATokenForWhatLiesBehind(t *testing.T) {
	a := newAgent(t, true, exchanging)
	a.exchange = exchanged(200, jwtFor([]string{ledger, "account"}))
	got := a.tokens()
	asked := a.sent[len(a.sent)-1]
	require.Equal(t, url.Values{
		"grant_type": {"urn:ietf:params:oauth:grant-type:token-exchange"}, "subject_token": {"idp-access"},
		"subject_token_type": {"urn:ietf:params:oauth:token-type:access_token"}, "requested_token_type": {"urn:ietf:params:oauth:token-type:access_token"},
		"audience": {ledger}, "scope": {"ledger.read ledger.write"},
	}, asked.form)
	id, secret, _ := asked.BasicAuth()
	require.Equal(t, [2]string{"gateway", "s3cret"}, [2]string{id, secret})
	token := a.opened(got.AccessToken)
	require.Equal(t, jwtFor([]string{ledger, "account"}), token.Upstream)
	require.EqualValues(t, 300, token.Expires.Sub(token.Issued).Seconds(), "no longer than the token inside")
	require.Equal(t, 300, got.ExpiresIn)

	a.token["access_token"] = "idp-access-2"
	a.exchange = exchanged(200, "opaque-2", "expires_in", 3600)
	renewed := a.answer(a.renew(got.RefreshToken))
	require.Equal(t, "idp-access-2", a.sent[len(a.sent)-1].form.Get("subject_token"))
	require.Equal(t, "opaque-2", a.opened(renewed.AccessToken).Upstream)
	require.Equal(t, 600, renewed.ExpiresIn, "nor than that of the login")

	a.parts.Replay, a.sent = replay.NewMemory(100, a.parts.Now), nil // the test's code is the same each time
	require.Empty(t, a.opened(a.tokens("resource", serverB, "scope", "read").AccessToken).Upstream)
	require.Len(t, a.sent, 1, "another resource has nothing behind it")
}

// Entra ID's on-behalf-of (https://learn.microsoft.com/entra/identity-platform/v2-oauth2-on-behalf-of-flow).
func TestOnBehalfOfAtEntra(t *testing.T) {
	for scopes, want := range map[string]string{"": ledger + "/.default", ledger + "/read": ledger + "/read"} {
		a := newAgent(t, true, exchanging, func(c *Config) {
			c.Resources[0].Exchange.Scopes = nil
			if scopes != "" {
				c.Resources[0].Exchange.Scopes = []string{scopes}
			}
			c.Endpoints = map[Endpoint]string{Token: "https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/oauth2/v2.0/token"}
		})
		a.exchange = exchanged(200, jwtFor("0a1b2c3d-an-app"), "issued_token_type", "")
		token := a.tokens().AccessToken
		require.Equal(t, url.Values{
			"grant_type": {"urn:ietf:params:oauth:grant-type:jwt-bearer"}, "assertion": {"idp-access"}, "requested_token_use": {"on_behalf_of"}, "scope": {want},
		}, a.sent[len(a.sent)-1].form)
		require.Equal(t, jwtFor("0a1b2c3d-an-app"), a.opened(token).Upstream, "its audience is the app's id")
	}
}

// What is not the token that was asked for reaches nobody. After a login the IdP is asked to revoke
// what it granted; a refresh can be tried again, with what the IdP gave last.
func TestExchangesThatFail(t *testing.T) {
	for name, tc := range map[string]struct {
		answer          func(url.Values) (*http.Response, error)
		login, refresh  oauth.Code
		says            string
		saysNothingElse string
	}{
		"another audience":        {answer: exchanged(200, jwtFor([]string{"account"})), says: "another audience than " + ledger},
		"no bearer token":         {answer: exchanged(200, "x", "token_type", "N_A"), says: "no bearer access token"},
		"an ID token":             {answer: exchanged(200, "x", "issued_token_type", "urn:ietf:params:oauth:token-type:id_token"), says: "no bearer access token"},
		"no token":                {answer: exchanged(200, ""), says: "not the JSON of a token"},
		"no such audience":        {answer: exchanged(400, "", "error", "invalid_target"), says: "(invalid_target); the operator checks"},
		"AADSTS500131":            {answer: exchanged(400, "", "error", "invalid_grant", "error_description", "AADSTS500131: Assertion audience does not match"), says: "(invalid_grant); the operator checks", saysNothingElse: "AADSTS"},
		"the secret":              {answer: exchanged(401, "", "error", "invalid_client"), says: "the gateway's own credentials"},
		"the user is to be there": {answer: exchanged(400, "", "error", "interaction_required"), login: oauth.AccessDenied, refresh: oauth.InvalidGrant, says: "wants to see the user"},
		"busy":                    {answer: exchanged(503, ""), login: oauth.TemporarilyUnavailable, refresh: oauth.TemporarilyUnavailable, says: "busy"},
		"down":                    {answer: func(url.Values) (*http.Response, error) { return nil, errors.New("connection refused") }, says: ""},
	} {
		t.Run(name, func(t *testing.T) {
			or := func(code oauth.Code) oauth.Code {
				if code == "" {
					return oauth.ServerError
				}
				return code
			}
			a := newAgent(t, true, exchanging, rotating, func(c *Config) { c.Endpoints = map[Endpoint]string{Revoke: "/oauth/revoke"} })
			a.exchange = tc.answer
			failed := a.redeem(a.logIn())
			a.refuses(failed, or(tc.login), tc.says)
			if tc.saysNothingElse != "" {
				require.NotContains(t, string(failed.Body), tc.saysNothingElse)
			}
			require.Equal(t, []string{"idp-refresh"}, a.revoked())

			a.exchange = exchanged(200, "opaque")
			a.parts.Replay = replay.NewMemory(100, a.parts.Now)
			got := a.tokens()
			a.token["refresh_token"], a.exchange = "idp-refresh-2", tc.answer
			a.refuses(a.renew(got.RefreshToken), or(tc.refresh), tc.says)
			a.exchange = exchanged(200, "opaque-3")
			renewed := a.renew(got.RefreshToken)
			require.Equal(t, "opaque-3", a.opened(a.answer(renewed).AccessToken).Upstream)
			require.Equal(t, "idp-refresh-2", a.sent[len(a.sent)-2].form.Get("refresh_token"), "the IdP has replaced the one before")
		})
	}
}

func TestExchangesInConfigurations(t *testing.T) {
	for says, change := range map[string]func(*Config){
		"exchange needs an audience":       func(c *Config) { c.Resources[0].Exchange.Audience = "" },
		"exchange: a b is not a scope":     func(c *Config) { c.Resources[0].Exchange.Scopes = []string{"a b"} },
		"exchange needs tokens gateway":    func(c *Config) { c.Resources[0].Tokens, c.Resources[0].Introspection = IdPTokens, nil },
		"client app: exchange of resource": func(c *Config) { c.Clients[0].IdPClient = nil },
	} {
		config := Config{
			AuthURL: "https://idp.example", Callback: &CallbackConfig{},
			Clients: []ClientConfig{{ID: "app", RedirectURIs: []string{"https://app.example/cb"}}},
		}
		withOwnTokens(&config)
		exchanging(&config)
		change(&config)
		_, err := NewPolicy(config)
		require.ErrorContains(t, err, says)
	}
}
