package testidp_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

const redirectURI = "https://app.example/cb"

func start(t *testing.T, b testidp.Behavior) *testidp.Server {
	if b.Clients == nil {
		b.Clients = []testidp.Client{{ID: "app", RedirectURIs: []string{redirectURI}}, {ID: "other", RedirectURIs: []string{"https://other.example/cb"}}}
	}
	s, err := testidp.Start(b)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// authorize sends an authorization request and returns the response's parameters.
func authorize(t *testing.T, s *testidp.Server, with ...string) url.Values {
	t.Helper()
	q := url.Values{"response_type": {"code"}, "client_id": {"app"}, "redirect_uri": {redirectURI}, "user": {"ada"}, "scope": {"openid"}, "state": {"s-1"}}
	set(q, with)
	r, err := http.NewRequest(http.MethodGet, s.URL()+"/authorize?"+q.Encode(), nil)
	require.NoError(t, err)
	response, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	defer response.Body.Close()
	require.Equal(t, http.StatusFound, response.StatusCode)
	target, err := response.Location()
	require.NoError(t, err)
	return target.Query()
}

// exchange exchanges a code and returns the error of the response.
func exchange(t *testing.T, s *testidp.Server, code string, with ...string) (string, map[string]any) {
	t.Helper()
	q := url.Values{"grant_type": {"authorization_code"}, "client_id": {"app"}, "redirect_uri": {redirectURI}, "code": {code}}
	set(q, with)
	response, err := http.PostForm(s.URL()+"/oauth/token", q)
	require.NoError(t, err)
	defer response.Body.Close()
	var body map[string]any
	require.NoError(t, json.NewDecoder(response.Body).Decode(&body))
	code, _ = body["error"].(string)
	require.Equal(t, code == "", response.StatusCode == http.StatusOK)
	return code, body
}

func set(q url.Values, with []string) {
	for i := 0; i < len(with); i += 2 {
		q.Set(with[i], with[i+1])
	}
}

func TestEachCheckCanBeOnOrOff(t *testing.T) {
	verifier := oauth2.GenerateVerifier()
	challenge := oauth2.S256ChallengeFromVerifier(verifier)
	for name, tc := range map[string]struct {
		on        func(*testidp.Behavior)
		authorize []string
		exchange  []string
		twice     bool
		err       string
	}{
		"a wrong verifier":       {on: func(b *testidp.Behavior) { b.PKCE = testidp.VerifiesPKCE }, authorize: []string{"code_challenge", challenge, "code_challenge_method", "S256"}, exchange: []string{"code_verifier", verifier + "x"}, err: "invalid_grant"},
		"a code that was used":   {on: func(b *testidp.Behavior) { b.SingleUse = true }, twice: true, err: "invalid_grant"},
		"another client":         {on: func(b *testidp.Behavior) { b.ChecksClient = true }, exchange: []string{"client_id", "other"}, err: "invalid_grant"},
		"another redirect URI":   {on: func(b *testidp.Behavior) { b.ChecksRedirectURI = true }, exchange: []string{"redirect_uri", "https://app.example/"}, err: "invalid_grant"},
		"an old code":            {on: func(b *testidp.Behavior) { b.CodeLifetime = time.Nanosecond }, err: "invalid_grant"},
		"a client with a secret": {on: func(b *testidp.Behavior) { b.Clients[0].Auth, b.Clients[0].Secret = testidp.ClientSecretPost, "s" }, exchange: []string{"client_secret", "t"}, err: "invalid_client"},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, testidp.Behavior{})
			attempt := func() string {
				code := authorize(t, s, tc.authorize...).Get("code")
				e, _ := exchange(t, s, code, tc.exchange...)
				if tc.twice {
					require.Empty(t, e)
					e, _ = exchange(t, s, code, tc.exchange...)
				}
				return e
			}
			require.Empty(t, attempt(), "off")
			s.Change(tc.on)
			require.Equal(t, tc.err, attempt(), "on")
		})
	}
}

func TestPKCEThatIsVerifiedCanBeLeftOutAndPKCEThatIsRequiredCannot(t *testing.T) {
	s := start(t, testidp.Behavior{PKCE: testidp.VerifiesPKCE})
	e, _ := exchange(t, s, authorize(t, s).Get("code"), "code_verifier", "anything")
	require.Empty(t, e)
	s.Change(func(b *testidp.Behavior) { b.PKCE = testidp.RequiresPKCE })
	require.Equal(t, "invalid_request", authorize(t, s).Get("error"))
}

func TestAPublishedClientLogsIn(t *testing.T) {
	s := start(t, testidp.Behavior{
		PKCE: testidp.RequiresPKCE, SingleUse: true, ChecksClient: true, ChecksRedirectURI: true, RefreshTokens: true, RotatesRefreshTokens: true,
		Clients: []testidp.Client{{ID: "app", RedirectURIs: []string{redirectURI}, Auth: testidp.ClientSecretBasic, Secret: "s:/ ä"}},
	})
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, s.URL())
	require.NoError(t, err)
	config := oauth2.Config{ClientID: "app", ClientSecret: "s:/ ä", Endpoint: provider.Endpoint(), RedirectURL: redirectURI, Scopes: []string{"openid", "email"}}
	config.Endpoint.AuthStyle = oauth2.AuthStyleInHeader
	verifier := oauth2.GenerateVerifier()
	at, err := url.Parse(config.AuthCodeURL("s-1", oauth2.S256ChallengeOption(verifier), oidc.Nonce("n-1")))
	require.NoError(t, err)
	var with []string
	for name := range at.Query() {
		with = append(with, name, at.Query().Get(name))
	}
	token, err := config.Exchange(ctx, authorize(t, s, with...).Get("code"), oauth2.VerifierOption(verifier))
	require.NoError(t, err)
	idToken, err := provider.Verifier(&oidc.Config{ClientID: "app", SupportedSigningAlgs: []string{"ES256"}}).Verify(ctx, token.Extra("id_token").(string))
	require.NoError(t, err)
	require.Equal(t, "n-1", idToken.Nonce)
	user, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	require.NoError(t, err)
	require.Equal(t, "ada", user.Subject)

	fresh, err := config.TokenSource(ctx, &oauth2.Token{RefreshToken: token.RefreshToken}).Token()
	require.NoError(t, err)
	require.NotEqual(t, token.RefreshToken, fresh.RefreshToken)
	known, ok := s.Lookup(fresh.AccessToken)
	require.True(t, ok)
	require.Equal(t, "ada", known.User)
	_, err = config.TokenSource(ctx, &oauth2.Token{RefreshToken: token.RefreshToken}).Token()
	require.ErrorContains(t, err, "invalid_grant")
	_, ok = s.Lookup(fresh.AccessToken)
	require.False(t, ok, "the second use ended the family")

	issued := s.Issued()
	require.Len(t, issued, 2)
	require.Equal(t, "ada", issued[0].User)
	require.Equal(t, "/.well-known/openid-configuration", s.Requests()[0].Path)
	require.Empty(t, s.Requests())
}

func TestNonces(t *testing.T) {
	for _, tc := range []struct {
		rule       testidp.Nonce
		sent       string
		nonce      string
		isInvented bool
	}{
		{rule: testidp.EchoesNonce, sent: "n", nonce: "n"},
		{rule: testidp.EchoesNonce},
		{rule: testidp.InventsNonce, sent: "n", nonce: "n"},
		{rule: testidp.InventsNonce, isInvented: true},
		{rule: testidp.ReplacesNonce, sent: "n", isInvented: true},
	} {
		s := start(t, testidp.Behavior{Nonce: tc.rule})
		_, body := exchange(t, s, authorize(t, s, "nonce", tc.sent).Get("code"))
		token, err := jwt.ParseSigned(body["id_token"].(string), []jose.SignatureAlgorithm{jose.ES256})
		require.NoError(t, err)
		var claims struct {
			Nonce string `json:"nonce"`
		}
		require.NoError(t, token.UnsafeClaimsWithoutVerification(&claims))
		if tc.isInvented {
			require.NotContains(t, []string{"", tc.sent}, claims.Nonce, "%+v", tc)
		} else {
			require.Equal(t, tc.nonce, claims.Nonce, "%+v", tc)
		}
	}
}

func TestIDTokensAreForOpenIDOnly(t *testing.T) {
	s := start(t, testidp.Behavior{})
	idToken := func(with ...string) any {
		_, body := exchange(t, s, authorize(t, s, with...).Get("code"))
		return body["id_token"]
	}
	require.NotNil(t, idToken())
	require.Nil(t, idToken("scope", "email"), "without the scope openid")
	s.Change(func(b *testidp.Behavior) { b.NoIDTokens = true })
	require.Nil(t, idToken())
}

func TestReissuedCodes(t *testing.T) {
	s := start(t, testidp.Behavior{ReissuesCodes: true})
	first := authorize(t, s).Get("code")
	require.Equal(t, first, authorize(t, s).Get("code"))
	require.NotEqual(t, first, authorize(t, s, "user", "grace").Get("code"))
	_, _ = exchange(t, s, first)
	require.NotEqual(t, first, authorize(t, s).Get("code"))
}

func TestResponsesGoToRegisteredRedirectURIs(t *testing.T) {
	s := start(t, testidp.Behavior{SendsIssuer: true, Clients: []testidp.Client{{ID: "app", RedirectURIs: []string{"http://127.0.0.1/cb"}}}})
	at := func(with ...string) *http.Response {
		q := url.Values{"response_type": {"code"}, "client_id": {"app"}, "user": {"ada"}}
		set(q, with)
		r, err := http.NewRequest(http.MethodGet, s.URL()+"/authorize?"+q.Encode(), nil)
		require.NoError(t, err)
		response, err := http.DefaultTransport.RoundTrip(r)
		require.NoError(t, err)
		t.Cleanup(func() { response.Body.Close() })
		return response
	}
	location := at("redirect_uri", "http://127.0.0.1:4711/cb").Header.Get("Location")
	require.True(t, strings.HasPrefix(location, "http://127.0.0.1:4711/cb?code="), location)
	require.Contains(t, location, "&iss="+url.QueryEscape(s.URL()))
	require.Equal(t, 400, at("redirect_uri", "http://127.0.0.1:4711/evil").StatusCode)
	s.Change(func(b *testidp.Behavior) { b.AnyRedirectURI = true })
	require.Equal(t, 302, at("redirect_uri", "https://evil.example/").StatusCode)

	page := at("response_mode", "form_post")
	body, err := io.ReadAll(page.Body)
	require.NoError(t, err)
	require.Contains(t, string(body), `action="http://127.0.0.1/cb"`)
	require.Contains(t, string(body), `name="code"`)
	require.Contains(t, at("response_mode", "fragment").Header.Get("Location"), "/cb#")
	require.Contains(t, at("response_mode", "web_message").Header.Get("Location"), "error=invalid_request")
	require.Contains(t, at("user", "", "prompt", "none").Header.Get("Location"), "error=login_required")
	require.Contains(t, at("user", "").Header.Get("Location"), "/u/login?", "a page for a person")
}

func TestACookieSaysWhoSitsThere(t *testing.T) {
	s := start(t, testidp.Behavior{})
	response, err := http.Get(s.SignInURL("Grace Ö"))
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	r, err := http.NewRequest(http.MethodGet, s.URL()+"/authorize?response_type=code&client_id=app", nil)
	require.NoError(t, err)
	r.AddCookie(response.Cookies()[0])
	response, err = http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	target, err := response.Location()
	require.NoError(t, err)
	_, body := exchange(t, s, target.Query().Get("code"))
	token, _ := s.Lookup(body["access_token"].(string))
	require.Equal(t, "Grace Ö", token.User)
}

func TestOutages(t *testing.T) {
	s := start(t, testidp.Behavior{})
	post := func() (*http.Response, error) {
		code := authorize(t, s).Get("code")
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		t.Cleanup(cancel)
		body := url.Values{"grant_type": {"authorization_code"}, "client_id": {"app"}, "redirect_uri": {redirectURI}, "code": {code}}.Encode()
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL()+"/oauth/token", strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		response, err := http.DefaultTransport.RoundTrip(r)
		if err == nil {
			t.Cleanup(func() { response.Body.Close() })
		}
		return response, err
	}
	for _, tc := range []struct {
		name   string
		outage testidp.Outage
		status int // 0: no response
		issued int
	}{
		{"status", testidp.Outage{Status: 503}, 503, 0},
		{"status after issuing", testidp.Outage{Status: 500, AfterIssuing: true}, 500, 1},
		{"close", testidp.Outage{Close: true}, 0, 0},
		{"close after issuing", testidp.Outage{Close: true, AfterIssuing: true}, 0, 1},
		{"hang", testidp.Outage{Hang: true}, 0, 0},
		{"delay", testidp.Outage{Delay: time.Millisecond}, 200, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s.Change(func(b *testidp.Behavior) { b.TokenOutage = tc.outage })
			response, err := post()
			if tc.status == 0 {
				require.Error(t, err)
			} else {
				require.NoError(t, err)
				require.Equal(t, tc.status, response.StatusCode)
			}
			require.Len(t, s.Issued(), tc.issued)
		})
	}
}

func TestConnectorsTakeTheParametersOfTheAuthorizationEndpoint(t *testing.T) {
	s := start(t, testidp.Behavior{})
	status := func() int {
		response, err := http.Get(s.URL() + "/auth/github")
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		return response.StatusCode
	}
	require.Equal(t, 404, status())
	s.Change(func(b *testidp.Behavior) { b.Connectors = true })
	require.Equal(t, 400, status(), "a parameter is missing")
}

func TestLenientPaths(t *testing.T) {
	s := start(t, testidp.Behavior{})
	status := func(path string) int {
		response, err := http.Post(s.URL()+path, "application/x-www-form-urlencoded", nil)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		return response.StatusCode
	}
	paths := []string{"/OAUTH/token", "//oauth/token", "/oauth/token/", "/oauth/token.json", "/oauth/token,", "/oauth/token;x", "/index.php/oauth/token", "/oauth/token%20"}
	for _, path := range paths {
		require.Equal(t, 404, status(path), path)
	}
	s.Change(func(b *testidp.Behavior) { b.LenientPaths = true })
	for _, path := range paths {
		require.Equal(t, 401, status(path), path)
	}
}
