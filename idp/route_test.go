package idp

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// testPolicy is a policy with changes to a bare configuration, of which any may be nil.
func testPolicy(t testing.TB, changes ...func(*Config)) *Policy {
	return must.Have(NewPolicy(baseConfig(append([]func(*Config){bare}, changes...)...)))(t)
}

func TestRouteKnowsTheFourPathsAndTheirMethod(t *testing.T) {
	p := testPolicy(t)
	for _, tc := range []struct {
		method, path string
		endpoint     Endpoint
		verdict      verdict
	}{
		{"GET", "/authorize", Authorize, match},
		{"POST", "/oauth/token", Token, match},
		{"GET", "/userinfo", UserInfo, match},
		{"GET", "/v2/logout", Logout, match},
		{"POST", "/authorize", Authorize, match},
		{"post", "/authorize", Authorize, wrongMethod},
		{"POST", "/v2/logout", Logout, match},
		{"HEAD", "/authorize", Authorize, wrongMethod},
		{"get", "/authorize", Authorize, wrongMethod},
		{"GET", "/oauth/token", Token, wrongMethod},
		{"OPTIONS", "/oauth/token", Token, wrongMethod},
		{"OPTIONS", "/authorize", Authorize, wrongMethod},
		{"POST", "/userinfo", UserInfo, match},
		{"PUT", "/userinfo", UserInfo, wrongMethod},
		{"DELETE", "/v2/logout", Logout, wrongMethod},
		{"GET", "/", NoEndpoint, passThrough},
		{"GET", "", NoEndpoint, passThrough},
		{"OPTIONS", "*", NoEndpoint, passThrough},
		{"GET", "/authorize/resume", NoEndpoint, passThrough},
		{"GET", "/authorized", NoEndpoint, passThrough},
		{"GET", "/static/App.js", NoEndpoint, passThrough},
		{"GET", "/%E4%BD%A0%E5%A5%BD", NoEndpoint, passThrough},
		{"GET", "/50%25-off", NoEndpoint, passThrough},
		{"GET", "/logout", NoEndpoint, passThrough},
		{"GET", "/" + strings.Repeat("a", 20_000), NoEndpoint, passThrough},
	} {
		requireRoute(t, p, tc.method, tc.path, tc.endpoint, tc.verdict)
	}
}

func requireRoute(t *testing.T, p *Policy, method, path string, wantEndpoint Endpoint, wantVerdict verdict) {
	t.Helper()
	endpoint, verdict := p.route(method, path)
	require.Equal(t, wantVerdict, verdict, "%s %s", method, path)
	require.Equal(t, wantEndpoint, endpoint, "%s %s", method, path)
}

func TestTheIdPsOwnPathsAreNotReachedAroundTheGateway(t *testing.T) {
	p := testPolicy(t, func(c *Config) {
		c.AuthURL = "https://idp.example/realms/main"
		c.Endpoints = map[Endpoint]string{Authorize: "/protocol/openid-connect/auth"}
	})
	require.Equal(t, "/realms/main/protocol/openid-connect/auth", p.idp.At(Authorize).Path)
	require.Equal(t, "/realms/main/oauth/token", p.idp.At(Token).Path)
	for path, want := range map[string]verdict{
		"/realms/main/protocol/openid-connect/auth":      pathConfusion,
		"/Realms/main/protocol//openid-connect/auth":     pathConfusion,
		"/realms/main/oauth/token":                       pathConfusion,
		"/realms/main/login-actions/authenticate":        passThrough,
		"/realms/main/oauth/token.json":                  pathConfusion,
		"/index.php/realms/main/oauth/token":             pathConfusion,
		"/x/../realms/main/protocol/openid-connect/auth": pathConfusion,
		"/authorize": match,
	} {
		endpoint, verdict := p.route("GET", path)
		require.Equal(t, want, verdict, path)
		if want == pathConfusion {
			require.Equal(t, NoEndpoint, endpoint, "it is not one of the gateway's own: %s", path)
		}
	}
}

func TestErrorsOfARouteSayWhatToDo(t *testing.T) {
	require.NoError(t, routeError(Token, match))
	require.NoError(t, routeError(NoEndpoint, passThrough))
	for _, tc := range []struct {
		endpoint    Endpoint
		verdict     verdict
		status      int
		allow, says string
	}{
		{Token, wrongMethod, 405, "POST", "/oauth/token takes POST only"},
		{Revoke, wrongMethod, 405, "POST", "/oauth/revoke takes POST only"},
		{ConsentForm, wrongMethod, 405, "POST", "/oauth/consent takes POST only"},
		{Authorize, wrongMethod, 405, "GET, POST", "/authorize takes GET, POST only"},
		{Callback, wrongMethod, 405, "GET, POST", "the callback takes GET, POST only"},
		{Authorize, pathConfusion, 404, "", "write the endpoint exactly as /authorize"},
		{Callback, pathConfusion, 404, "", "write the callback exactly as it is configured"},
		{NoEndpoint, pathConfusion, 404, "", "a later handler could mistake it"},
		{NoEndpoint, denied, 404, "", "(deny_path)"},
		{NoEndpoint, tooLong, 414, "", "may have 1024 bytes"},
		{Token, rewritten, 404, "", "such as try_files"},
	} {
		err := routeError(tc.endpoint, tc.verdict)
		require.Equal(t, tc.allow, requireRejected(t, err, oauth.InvalidRequest, tc.status, tc.says).Allow, tc.says)
	}
}

func TestEndpointsByTheirNames(t *testing.T) {
	for _, tc := range []struct {
		endpoint           Endpoint
		name, path, method string
		configurable       bool
	}{
		{Authorize, "authorize", "/authorize", "GET", true},
		{Token, "token", "/oauth/token", "POST", true},
		{UserInfo, "userinfo", "/userinfo", "GET", true},
		{Logout, "logout", "/v2/logout", "GET", true},
		{Revoke, "revoke", "/oauth/revoke", "POST", true},
		{Callback, "callback", "", "GET", false},
		{ConsentForm, "consent", "/oauth/consent", "POST", false},
		{NoEndpoint, "none", "", "GET", false},
	} {
		require.Equal(t, tc.name, tc.endpoint.String())
		require.Equal(t, tc.path, tc.endpoint.Path(), tc.name)
		require.Equal(t, tc.method, tc.endpoint.Method(), tc.name)
		name := must.Have(tc.endpoint.MarshalText())(t)
		var found Endpoint
		err := found.UnmarshalText(name)
		if tc.configurable {
			require.NoError(t, err)
			require.Equal(t, tc.endpoint, found)
		} else {
			require.EqualError(t, err, "endpoint "+tc.name+" is unknown; use authorize, token, userinfo, logout, revoke or par")
		}
	}
}

// Callback, revocation and consent have paths only where there is something behind them.
func TestPathsThatAreServedAtTimes(t *testing.T) {
	plain, revokes := testPolicy(t), testPolicy(t, revoking)
	sealed, asks := newSealedGateway(t), newSealedGateway(t, asking)
	for _, tc := range []struct {
		p            *Policy
		method, path string
		endpoint     Endpoint
		verdict      verdict
	}{
		{plain, "GET", "/oauth/callback", NoEndpoint, passThrough},
		{sealed.Policy, "GET", "/oauth/callback", Callback, match},
		{sealed.Policy, "POST", "/oauth/callback", Callback, match},
		{sealed.Policy, "PUT", "/oauth/callback", Callback, wrongMethod},
		{sealed.Policy, "GET", "/oauth/Callback", Callback, pathConfusion},
		{sealed.Policy, "GET", "/oauth//callback", Callback, pathConfusion},
		{sealed.Policy, "GET", "/oauth/callback.html", Callback, pathConfusion},
		{sealed.Policy, "GET", "/index.php/oauth/callback", Callback, pathConfusion},
		{sealed.Policy, "GET", "/oauth/callbacks", NoEndpoint, passThrough},
		{plain, "POST", "/oauth/revoke", NoEndpoint, passThrough},
		{plain, "POST", "/oauth/consent", NoEndpoint, passThrough},
		{plain, "POST", "/OAuth/revoke", NoEndpoint, passThrough},
		{revokes, "POST", "/oauth/revoke", Revoke, match},
		{revokes, "GET", "/oauth/revoke", Revoke, wrongMethod},
		{revokes, "POST", "/OAuth/revoke", Revoke, pathConfusion},
		{revokes, "POST", "/oauth/consent", NoEndpoint, passThrough},
		{sealed.Policy, "POST", "/oauth/revoke", Revoke, match},
		{sealed.Policy, "POST", "/oauth/consent", NoEndpoint, passThrough},
		{asks.Policy, "POST", "/oauth/consent", ConsentForm, match},
		{asks.Policy, "GET", "/oauth/consent", ConsentForm, wrongMethod},
		{asks.Policy, "POST", "/oauth/consent.php", ConsentForm, pathConfusion},
	} {
		requireRoute(t, tc.p, tc.method, tc.path, tc.endpoint, tc.verdict)
	}
}

func TestARewriteDoesNotMoveAPathPastTheGateway(t *testing.T) {
	p := testPolicy(t, func(c *Config) { c.DenyPaths = []string{"/admin/*"} })
	for path, want := range map[string]verdict{
		"/oauth/token": rewritten, "/authorize": rewritten, "/Authorize": rewritten, "/admin/users": rewritten, "/app": passThrough,
	} {
		_, verdict := p.routeOriginal("POST", path)
		require.Equal(t, want, verdict, path)
	}
	endpoint, _ := p.routeOriginal("POST", "/oauth/token")
	require.Equal(t, Token, endpoint)
}

// An endpoint on another host matters only where a whole host is handed over.
func TestEndpointsOfTheIdPOnOtherHosts(t *testing.T) {
	at := map[Endpoint]string{Token: "https://tokens.example/t", UserInfo: "https://idp.example/", Authorize: "https://IDP.example/login"}
	p := testPolicy(t, func(c *Config) { c.Endpoints = at })
	_, verdict := p.route("POST", "/t")
	require.Equal(t, passThrough, verdict)
	_, verdict = p.route("GET", "/login")
	require.Equal(t, pathConfusion, verdict)
	_, verdict = p.route("GET", "/")
	require.Equal(t, passThrough, verdict, "nobody's root is an endpoint")
	require.True(t, uris.SameOrigin(p.idp.AuthURL(), p.idp.At(Authorize)))
	require.False(t, uris.SameOrigin(p.idp.AuthURL(), p.idp.At(Token)))

	p = testPolicy(t, func(c *Config) { c.Endpoints, c.DenyPaths = at, []string{"/admin"} })
	_, verdict = p.route("POST", "/t")
	require.Equal(t, pathConfusion, verdict)

	plain := testPolicy(t, func(c *Config) { c.Endpoints = map[Endpoint]string{Token: "http://idp.example/t"} })
	require.False(t, uris.SameOrigin(plain.idp.AuthURL(), plain.idp.At(Token)), "another scheme is another origin")
	require.Nil(t, testPolicy(t, func(c *Config) { c.Discover = true }).idp.At(Token))
}

func TestWhatChangesSomethingIsNotDoneInEarlyData(t *testing.T) {
	complete, early := &tls.ConnectionState{HandshakeComplete: true}, &tls.ConnectionState{}
	for _, tt := range []struct {
		method string
		state  *tls.ConnectionState
		header http.Header // of a proxy before
		want   int
	}{
		{"POST", nil, nil, 0},
		{"POST", complete, nil, 0},
		{"POST", early, nil, 425},
		{"POST", complete, http.Header{"Early-Data": {"1"}}, 425},
		{"POST", nil, http.Header{"Early-Data": {"1"}}, 425},
		{"POST", nil, http.Header{"Early-Data": {"0"}}, 425},
		{"POST", nil, http.Header{"Early-Data": {"0", "1"}}, 425},
		{"GET", early, http.Header{"Early-Data": {"1"}}, 0},
	} {
		r := &http.Request{Method: tt.method, TLS: tt.state, Header: tt.header}
		err := checkEarlyData(r)
		if tt.want == 0 {
			require.NoError(t, err, tt)
			continue
		}
		require.Equal(t, tt.want, oauth.AsError(err).Status, tt)
		require.Equal(t, oauth.TemporarilyUnavailable, oauth.AsError(err).Code)
	}
}

func proxied(c *Config) { c.FrontChannel = ProxyFrontChannel }

// The next handler gets what was checked, and nothing else of the client's request.
func TestTheNextHandlerGetsTheCheckedRequest(t *testing.T) {
	s := newServed(t, publicly, proxied)
	query := authorizeOpenly
	result := s.do("GET", "https://user:password@evil.example/authorize?"+query+"&scope=openid", "a body",
		"X-Forwarded-For", "203.0.113.9", "X-Forwarded-Host", "evil.example", "X-User", "admin", "Cookie", "session=1")
	next := result.Next
	require.NotNil(t, next, string(result.Body))
	require.Equal(t, Passed, result.Decision.Outcome)
	require.Equal(t, "GET /authorize?"+next.URL.RawQuery, next.Method+" "+next.RequestURI)
	require.Equal(t, next.RequestURI, next.URL.String(), "no user, no host")
	require.Equal(t, http.Header{"Cookie": {"session=1"}, "X-Forwarded-For": {"192.0.2.7"}}, next.Header)
	require.Equal(t, http.NoBody, next.Body)
	require.Zero(t, next.ContentLength)
}

func TestTheResponseOfTheNextHandlerIsFiltered(t *testing.T) {
	for name, tt := range map[string]struct {
		respond http.HandlerFunc
		status  int
	}{
		"written":          {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, 404},
		"without a status": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("a")) }, 200},
		"flushed":          {func(w http.ResponseWriter, _ *http.Request) { _ = http.NewResponseController(w).Flush() }, 200},
		"with hints before": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(404)
		}, 404},
		"another protocol": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusSwitchingProtocols)
			_, _, err := http.NewResponseController(w).Hijack()
			require.ErrorIs(t, err, http.ErrNotSupported)
		}, 502},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServed(t, publicly, proxied)
			interim := 0
			server := httptest.NewServer(s.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				for _, cookie := range []string{"own=1", "host=1; Domain=127.0.0.1", "evil=1; Domain=evil.example"} {
					w.Header().Add("Set-Cookie", cookie)
				}
				w.Header().Set("Access-Control-Allow-Origin", "*")
				tt.respond(w, r)
			})))
			t.Cleanup(server.Close)
			r := must.Have(http.NewRequest("GET", server.URL+"/authorize?"+authorizeOpenly, nil))(t)
			got := must.Have(server.Client().Do(r.WithContext(countInterim(r.Context(), &interim))))(t)
			require.NoError(t, got.Body.Close())
			require.Equal(t, tt.status, got.StatusCode)
			require.Equal(t, []string{"own=1", "host=1; Domain=127.0.0.1"}, got.Header["Set-Cookie"], "host has a port in the request")
			require.Empty(t, got.Header["Access-Control-Allow-Origin"])
			require.Equal(t, "no-store", got.Header.Get("Cache-Control"))
			require.Zero(t, interim)
		})
	}
}

func TestNextHandlersAreWatchedOnlyWhereClientsLook(t *testing.T) {
	s := newServed(t)
	for path, want := range map[string]int{
		"/register": 404, "/oauth/register": 404, "/token": 404, "/mcp/.well-known/openid-configuration": 404, "/.well-known/oauth-protected-resource/mcp": 404,
		"/": 200, "/register/x": 200, "/registered": 200, "/.well-known/acme-challenge/x": 200, "/.well-known/change-password": 200,
	} {
		w := httptest.NewRecorder()
		s.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "https://gateway.example"+path, nil))
		require.Equal(t, want, w.Code, path)
	}
	for name, serve := range map[string]http.HandlerFunc{
		"a status":   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) },
		"a body":     func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(nil) },
		"an upgrade": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusSwitchingProtocols) },
		"a way through": func(w http.ResponseWriter, _ *http.Request) {
			_ = http.NewResponseController(w).Flush()
			w.WriteHeader(http.StatusOK)
		},
	} {
		w := httptest.NewRecorder()
		s.Handler(serve).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "https://gateway.example/register", nil))
		require.NotEqual(t, http.StatusNotFound, w.Code, name)
		require.Empty(t, w.Body.String(), name)
	}
	w := httptest.NewRecorder()
	s.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusEarlyHints) })).
		ServeHTTP(w, httptest.NewRequest(http.MethodGet, "https://gateway.example/register", nil))
	require.Contains(t, w.Body.String(), "nothing is served at this path", "an interim response is none")
}

// A resource server that has the whole site wants a token for everything.
func TestMetadataThatIsNotThereBeforeAResourceServer(t *testing.T) {
	guard := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte("a token is missing"))
		_ = http.NewResponseController(w).Flush()
	}
	for path, want := range map[string]int{
		"/.well-known/oauth-protected-resource": 404, "/.well-known/oauth-authorization-server/mcp": 404, "/mcp/.well-known/openid-configuration": 404,
		"/mcp": 401, "/register": 401, "/.well-known/agent.json": 401,
	} {
		w := httptest.NewRecorder()
		newServed(t).Handler(http.HandlerFunc(guard)).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "https://gateway.example"+path, nil))
		require.Equal(t, want, w.Code, path)
		require.Equal(t, want == 401, w.Header().Get("WWW-Authenticate") != "", path)
		require.Equal(t, want == 401, w.Body.String() == "a token is missing", path)
	}
}

// What the IdP passes on of a login that began at /authorize is accepted where it
// takes such parameters again; anything else that begins one is not.
func TestALoginGoesOnOnlyAsItBegan(t *testing.T) {
	p := testPolicy(t, registered, func(c *Config) {
		c.DefaultAudience = "https://api.example"
		c.Clients[0].IdPClient = &IdPClientConfig{ID: "shared", Secret: "s"}
	})
	begun := func(changes ...string) string {
		r := must.Have(p.parseAuthorize(query()))(t)
		values := must.Have(url.ParseQuery(r.authorizeQuery(p, sealer{})))(t)
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
		if !requireError(t, err, tc.says, name) {
			continue
		}
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
