package idp

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// trySecret is the secret that no trial shows.
const trySecret = "the-secret-of-the-gateway"

// trialOf has a gateway with a client at the IdP try an IdP whose token endpoint responds so.
func trialOf(t *testing.T, c IdPClientConfig, token func(*http.Request) (*http.Response, error), with ...func(*Config)) (*served, map[string]Trial) {
	s := newServed(t, append([]func(*Config){func(config *Config) { config.Clients[0].IdPClient = &c }}, with...)...)
	s.respond(func(r *http.Request) (*http.Response, error) {
		switch r.URL.Path {
		case "/oauth/token":
			return token(r)
		case "/authorize":
			return idpResponse(302, ""), nil
		}
		return idpResponse(401, ""), nil
	})
	found := make(map[string]Trial)
	for _, trial := range s.Try(t.Context(), nil) {
		require.NotContains(t, fmt.Sprint(trial), trySecret)
		found[trial.Step] = trial
	}
	return s, found
}

// What is said of a code that nobody has issued, by those who know the gateway and by others.
func TestCredentialsAreTried(t *testing.T) {
	for name, tt := range map[string]struct {
		status int
		body   string
		says   string // "" if they are accepted
		unsure bool
	}{
		"the standard, accepted":          {400, `{"error":"invalid_grant"}`, "", false},
		"Entra ID, accepted":              {400, `{"error":"invalid_grant","error_description":"AADSTS9002313"}`, "", false},
		"Auth0, accepted":                 {403, `{"error":"invalid_grant","error_description":"Invalid authorization code"}`, "", false},
		"GitHub, accepted":                {200, `{"error":"bad_verification_code"}`, "", false},
		"the standard, refused":           {401, `{"error":"invalid_client"}`, "refused (401 invalid_client)", false},
		"with 400":                        {400, `{"error":"invalid_client"}`, "refused (400 invalid_client)", false},
		"GitHub, refused":                 {200, `{"error":"incorrect_client_credentials"}`, "refused (400 invalid_client)", false},
		"Auth0, refused":                  {401, `{"error":"access_denied","error_description":"Unauthorized"}`, "refused (401 access_denied)", false},
		"Keycloak, refused":               {401, `{"error":"unauthorized_client","error_description":"Invalid client or Invalid client credentials"}`, "may not redeem codes there, or its secret or key is wrong", false},
		"without a body":                  {401, ``, "refused (401)", false},
		"the secret in the answer":        {401, `{"error":"` + trySecret + `"}`, "refused (401)", false},
		"another error":                   {400, `{"error":"invalid_request"}`, "it answers 400 invalid_request", true},
		"no error":                        {400, `<html>`, "it answers 400", true},
		"a token for what nobody issued":  {200, anyToken, "it answers 200", true},
		"an error with the gateway's own": {400, `{"error":"` + trySecret + `"}`, "it answers 400", true},
		"no endpoint":                     {404, ``, "there is no such endpoint", false},
		"an endpoint that is down":        {503, ``, "it is down", false},
	} {
		_, found := trialOf(t, IdPClientConfig{ID: "gateway", Secret: trySecret}, func(*http.Request) (*http.Response, error) { return idpResponse(tt.status, tt.body), nil })
		trial, ok := found["credentials"]
		if !ok {
			trial = found["token"]
		}
		require.Equal(t, tt.unsure, trial.Unsure, name)
		switch {
		case tt.says == "":
			require.NoError(t, trial.Err, name)
			require.Equal(t, "client gateway, by client_secret_basic: accepted", trial.Detail)
		case tt.unsure:
			require.Contains(t, trial.Detail, tt.says, name)
		default:
			require.ErrorContains(t, trial.Err, tt.says, name)
		}
	}
}

// They are sent as in a login, whatever they are.
func TestHowCredentialsAreTried(t *testing.T) {
	refused := func(*http.Request) (*http.Response, error) {
		return idpResponse(401, `{"error":"invalid_client"}`), nil
	}
	for method, tt := range map[string]struct {
		c     IdPClientConfig
		shows func(sentRequest) bool
	}{
		AuthSecretBasic: {IdPClientConfig{ID: "gateway", Secret: trySecret}, func(r sentRequest) bool {
			_, secret, _ := r.BasicAuth()
			return secret == trySecret && !r.form.Has("client_secret")
		}},
		AuthSecretPost:    {IdPClientConfig{ID: "gateway", Secret: trySecret, AuthMethod: AuthSecretPost}, func(r sentRequest) bool { return r.form.Get("client_secret") == trySecret }},
		AuthPrivateKeyJWT: {IdPClientConfig{ID: "gateway", PrivateKey: pkcs8(t, rsaKey(t, 2048))}, func(r sentRequest) bool { return r.form.Get("client_assertion") != "" }},
		AuthTLS:           {IdPClientConfig{ID: "gateway", AuthMethod: AuthTLS}, func(r sentRequest) bool { return r.form.Get("client_id") == "gateway" && !r.form.Has("client_secret") }},
	} {
		s, found := trialOf(t, tt.c, refused)
		require.ErrorContains(t, found["credentials"].Err, "client gateway, by "+method+": refused", method)
		shown := 0
		for _, r := range s.sent {
			if r.URL.Path == "/oauth/token" {
				shown++
				require.True(t, tt.shows(r), method)
				require.Equal(t, "authorization_code", r.form.Get("grant_type"))
				require.NotEmpty(t, r.form.Get("code"))
			}
		}
		require.Equal(t, 1, shown)
	}
}

func TestEndpointsAreTried(t *testing.T) {
	granted := func(*http.Request) (*http.Response, error) { return idpResponse(400, `{"error":"invalid_grant"}`), nil }
	s, found := trialOf(t, IdPClientConfig{ID: "gateway", Secret: trySecret}, granted)
	require.Equal(t, "it answers (302)", found["authorize"].Detail)
	require.Equal(t, "it answers (401)", found["userinfo"].Detail)
	require.NotContains(t, found, "par")
	for _, r := range s.sent {
		require.False(t, r.URL.Path != "/oauth/token" && r.Header.Get("Authorization") != "", "%s", r.URL)
	}

	s.respond(func(*http.Request) (*http.Response, error) { return idpResponse(404, ""), nil })
	for _, trial := range s.Try(t.Context(), nil) {
		require.ErrorContains(t, trial.Err, "there is no such endpoint: it answers 404", trial.Step)
	}
	s.respond(func(*http.Request) (*http.Response, error) { return nil, errors.New("connection refused") })
	for _, trial := range s.Try(t.Context(), nil) {
		require.ErrorContains(t, trial.Err, "connection refused", trial.Step)
	}

	own := newServed(t, func(c *Config) { c.Clients[0].IdPClient = nil })
	own.respond(granted)
	steps := make(map[string]Trial)
	for _, trial := range own.Try(t.Context(), nil) {
		steps[trial.Step] = trial
	}
	require.Equal(t, "it answers (400)", steps["token"].Detail, "the clients have credentials of their own")
	require.NotContains(t, steps, "credentials")
}
