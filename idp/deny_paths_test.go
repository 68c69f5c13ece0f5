package idp

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The paths at which logins begin beside /authorize, as documented or seen at the IdP
// (deny_paths.json has the sources), and those that its own pages need.
func TestLoginsThatBeginBesideAuthorize(t *testing.T) {
	for name, paths := range map[string]map[string]verdict{
		"keycloak": {
			"GET /realms/main/protocol/openid-connect/registrations":           denied,
			"POST /realms/main/protocol/openid-connect/registrations":          denied,
			"GET /realms/main/protocol/openid-connect/forgot-credentials":      denied,
			"GET /auth/realms/main/protocol/openid-connect/registrations":      denied,
			"GET /auth/realms/main/protocol/openid-connect/forgot-credentials": denied,
			"GET /realms/main/login-actions/reset-credentials":                 loginLookalike,
			"POST /realms/main/login-actions/reset-credentials":                loginLookalike,
			"PUT /realms/main/login-actions/reset-credentials":                 denied,
			"GET /realms/main/login-actions/authenticate":                      passThrough,
			"POST /realms/main/login-actions/registration":                     passThrough,
			"GET /realms/main/login-actions/required-action":                   passThrough,
			"GET /realms/main/broker/google/login":                             passThrough,
			"GET /resources/1a2b3/login/keycloak.v2/css/styles.css":            passThrough,
		},
		"dex": {
			"GET /auth/github": loginLookalike, "HEAD /auth/github": loginLookalike, "POST /auth/github": denied, "GET /Auth//github": loginLookalike, "GET /auth/%67ithub": loginLookalike,
			"GET /auth/github;x": loginLookalike, "GET /x/../auth/github": denied,
			"GET /auth/local/login": passThrough, "POST /auth/local/login": passThrough, "GET /callback": passThrough, "GET /approval": passThrough,
		},
		"cognito": {
			"GET /login": loginLookalike, "POST /login": loginLookalike, "GET /signup": loginLookalike, "POST /forgotPassword": loginLookalike, "DELETE /login": denied,
			"GET /confirmforgotPassword": passThrough, "POST /saml2/idpresponse": passThrough,
		},
		"auth0": {
			"GET /passwordless/verify_redirect": loginLookalike, "POST /passwordless/verify_redirect": denied,
			"GET /login": passThrough, "POST /u/login": passThrough, "GET /authorize/resume": passThrough, "POST /passwordless/start": passThrough,
		},
		"okta": {
			"GET /oauth2/v1/authorize": denied, "GET /oauth2/default/v1/authorize": denied, "POST /oauth2/v1/interact": denied,
			"GET /oauth2/v1/authorize/redirect": passThrough, "POST /idp/idx/identify": passThrough, "GET /login/token/redirect": passThrough,
		},
		"entra": {
			"GET /common/oauth2/v2.0/authorize": denied, "GET /contoso.com/oauth2/authorize": denied,
			"POST /common/login": passThrough, "POST /kmsi": passThrough, "POST /common/reprocess": passThrough,
		},
		"hydra":         {"GET /oauth2/device/verify": denied, "GET /oauth2/fallbacks/error": passThrough, "GET /oauth2/sessions/logout": passThrough},
		"oidc_provider": {"GET /auth/0a1b2c": passThrough, "POST /interaction/0a1b2c/login": passThrough},
	} {
		p := testPolicy(t, func(c *Config) { c.DenyPaths = []string{name} })
		for request, want := range paths {
			method, path, _ := strings.Cut(request, " ")
			_, verdict := p.route(method, path)
			require.Equal(t, want, verdict, "%s: %s", name, request)
		}
	}
	p := testPolicy(t, func(c *Config) { c.AuthURL, c.DenyPaths = "https://idp.example/dex", []string{"dex", "/auth/admin"} })
	for path, want := range map[string]verdict{"/dex/auth/github": loginLookalike, "/auth/github": loginLookalike, "/auth/admin": denied} {
		_, verdict := p.route("GET", path)
		require.Equal(t, want, verdict, path)
	}
	_, verdict := p.routeHeader(map[string][]string{"X-Original-Url": {"/auth/github"}})
	require.Equal(t, denied, verdict, "the query that counts is not this one")
	_, verdict = p.routeOriginal("GET", "/auth/github")
	require.Equal(t, rewritten, verdict)
}

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
		values, err := url.ParseQuery(p.authorizeQuery(&r, sealer{}))
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
		err := p.checkLogin(tc.query, sealer{})
		if tc.says == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, err, tc.says, name)
		require.ErrorContains(t, err, "logins begin at /authorize", name)
		require.Equal(t, 400, AsError(err).Status)
	}
}

// With a callback, the IdP's response comes there, and it opens the state.
func TestWithACallbackLoginsGoOnToIt(t *testing.T) {
	g := newSealedGateway(t)
	sent := g.begin()
	require.NoError(t, g.checkLogin(sent.Encode(), g.s))
	for name, value := range map[string]string{"redirect_uri": "https://app.example/cb", "request": "x", "request_uri": "x"} {
		changed := url.Values{}
		for key, values := range sent {
			changed[key] = values
		}
		changed.Set(name, value)
		require.ErrorContains(t, g.checkLogin(changed.Encode(), g.s), "redirect_uri is not the gateway's callback", name)
	}
	require.Error(t, g.checkLogin("client_id=app&response_type=code", g.s))
	require.NoError(t, g.checkLogin("req=abc", g.s))
}
