package idp

import (
	"crypto/tls"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
)

// testPolicy is a policy with changes to the configuration, of which any may be nil.
func testPolicy(t testing.TB, changes ...func(*Config)) *Policy {
	config := Config{AuthURL: "https://idp.example"}
	for _, change := range changes {
		if change != nil {
			change(&config)
		}
	}
	p, err := NewPolicy(config)
	require.NoError(t, err)
	return p
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
		{"POST", "/authorize", Authorize, wrongMethod},
		{"HEAD", "/authorize", Authorize, wrongMethod},
		{"get", "/authorize", Authorize, wrongMethod},
		{"GET", "/oauth/token", Token, wrongMethod},
		{"OPTIONS", "/oauth/token", Token, wrongMethod},
		{"OPTIONS", "/authorize", Authorize, wrongMethod},
		{"POST", "/userinfo", UserInfo, wrongMethod},
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

// confusions are paths that some server normalizes to an endpoint.
var confusions = []string{
	"/AUTHORIZE", "/Authorize", "//authorize", "/authorize/", "/authorize//", "/./authorize", "/authorize/.",
	"/%61uthorize", "/%2561uthorize", "/%252561uthorize", "/authoriz%65", "/%u0061uthorize",
	"/oauth/../authorize", "/oauth/%2e%2e/authorize", "/oauth/..%2fauthorize", "/oauth/..;/authorize", "/x/..\\authorize",
	"/%2fauthorize", "/authorize%2f", "/%5cauthorize", "/\\authorize", "/authorize;x=1", "/authorize%3Bx", "/;a/authorize",
	"/authorize%00", "/authorize%00.js", "/auth%00orize", "/authorize%20", "/authorize.", "/authorize%09", "/authorize%0a",
	"/authorize%3Fa=b", "/authorize%23x", "/authorize%0d%0aX",
	"/\uff41uthorize", "/%EF%BD%81uthorize", "/%EF%BC%8Fauthorize", "/autho\u200brize", "/%c1%a1uthorize", "/%e0%81%a1uthorize",
	"/\u017fynth/../authorize", "/v2\u2215logout", "/to\u212aen/../oauth/to\u212aen",
	"/oauth%2ftoken", "/oauth%252ftoken", "/OAuth/Token", "/oauth//token", "/oauth/./token", "/oauth/x/../token", "/oauth\\token",
	// The suffix of a format (Rails, Spring), and a script that is meant (Apache's MultiViews).
	"/oauth/token.json", "/authorize.html", "/userinfo.php", "/v2/logout.do", "/oauth/token.tar.gz", "/OAuth/Token.JSON", "/oauth/token.json/", "/authorize%2ejson",
	// Parameters after other characters than the semicolon (RFC 3986 section 3.3), and what lenient routers cut off.
	"/oauth/token,", "/oauth/token,v=1", "/oauth,v=1/token", "/oauth;a/token,b", "/authorize!", "/authorize~", "/authorize:", "/authorize::$DATA",
	"/authorize'", "/authorize%22", "/authorize*", "/authorize&a=b", "/authorize=", "/authorize@x", "/authorize+", "/authorize%7C", "/authorize)", "/authorize%20HTTP/1.1", "/authorize;/x", "/authorize%00/x",
	// Front controllers: what follows a script's name is the path that it routes (CGI's PATH_INFO).
	"/index.php/oauth/token", "/app_dev.php/authorize", "/INDEX.PHP/userinfo", "/web/index.php/v2/logout", "/index.php//authorize", "/cgi-bin/app.cgi/oauth/token",
	"/index.php;x/authorize.json", "/index.php%2fauthorize", "/index.php/index.php/authorize", "/app.aspx/authorize", "/index.php/x/../authorize",
	// A session in the path (ASP.NET), which is removed before routing.
	"/(S(lit3py55t21z5v55vlm25s55))/authorize", "/oauth/(A(x)F(y))/token", "/%28S(a)%29/userinfo",
	// Letters that become ASCII in another case or without their marks.
	"/author%C4%B1ze", "/author%u0131ze", "/AUTHOR%C4%B0ZE", "/u%C5%BFerinfo", "/oauth/to%E2%84%AAen", "/oauth/to%E2%84%AAen.json", "/v2/%E2%93%9Bogout", "/%C3%A1uthorize", "/%C4%81uthorize", "/au%CC%81thorize",
	// Four-byte and longer overlong encodings, other backslashes.
	"/%f0%80%81%a1uthorize", "/%f8%80%80%81%a1uthorize", "/oauth%f0%80%80%aftoken", "/oauth%E2%88%96token", "/oauth%C2%A5token",
	// Dot segments that merge with what some servers drop and others count.
	"/authorize//..", "/authorize/%20/..", "/oauth/token/x/..", "/oauth/token//x/../..", "/authorize/;/..", "/a/.../../authorize",
	"/userinfo/", "/UserInfo", "/v2/logout/", "/V2/logout", "/v2%2Flogout", "/v2/log%6Fut", "authorize",
	strings.Repeat("/", 1000) + "authorize", strings.Repeat("/x/..", 200) + "/authorize", "/%25252525252525252561uthorize",
}

func TestConfusedPathsNeverPassThrough(t *testing.T) {
	p := testPolicy(t)
	for _, path := range confusions {
		_, verdict := p.route("GET", path)
		require.Equal(t, pathConfusion, verdict, "%q", path)
	}
}

// TestPathsOfOrdinaryAppsPass: a rule against confusion is worth nothing if
// operators have to switch it off.
func TestPathsOfOrdinaryAppsPass(t *testing.T) {
	p := testPolicy(t, func(c *Config) {
		c.Callback = new(CallbackConfig)
		c.DenyPaths = []string{"auth0", "/admin/*"}
	})
	for _, path := range []string{
		// Other words, and endpoints of others.
		"/authorized", "/authorise", "/authorize-device", "/users/authorize-device", "/authorize_app", "/oauth/tokens", "/oauth/token-info", "/oauth/token_info",
		"/userinfos", "/v1/logout", "/v2/logout-all", "/v2/logged-out", "/logout", "/oauth/callback-url", "/oauth/callbacks",
		// Below an endpoint (Auth0's own /authorize/resume), and an endpoint below something else.
		"/authorize/resume", "/oauth/token/info", "/userinfo/avatar.png", "/api/authorize", "/api/oauth/token", "/api/v1/userinfo", "/docs/oauth/token",
		"/v2.0/authorize", "/app.example.com/authorize", "/my.tenant/oauth/token", "/~alice/authorize", "/@alice/authorize", "/:tenant/userinfo", "/@authorize",
		// Assets.
		"/static/authorize.js", "/assets/userinfo.3f2a.css", "/static/App.js", "/favicon.ico", "/.well-known/openid-configuration", "/img/logo@2x.png", "/_next/static/chunks/app.js",
		// Scripts.
		"/index.php", "/index.php/login", "/index.php/oauth/tokens", "/wp-content/plugins/oauth/token.php", "/wp-login.php", "/cgi-bin/",
		// Other scripts, escapes, parameters, dot segments.
		"/wiki/%C4%B0stanbul", "/%E4%BD%A0%E5%A5%BD", "/50%25-off", "/files/a..b", "/a/../b", "/search/authorize%20me", "/a;v=1/b,c", "/blog/oauth,token-explained",
		"/proxy/https%3A%2F%2Fapp.example%2Fauthorize", "/items/(red)/list", "/matrix;lat=1;long=2/userinfo", "/admin", "/oauth/device", "/oauth/partners",
		"/" + strings.Repeat("a", 20_000),
	} {
		_, verdict := p.route("GET", path)
		require.Equal(t, passThrough, verdict, path)
	}
}

func TestDeniedPaths(t *testing.T) {
	p := testPolicy(t, func(c *Config) {
		c.AuthURL = "https://idp.example/tenant"
		c.DenyPaths = []string{"auth0", "keycloak", "dex", "/admin/*", "/internal/*/keys", "/legacy.php"}
	})
	for path, want := range map[string]verdict{
		"/oauth/ro": denied, "/OAuth/RO": denied, "/oauth/ro.json": denied, "/oauth//ro": denied, "/index.php/oauth/ro": denied, "/oauth/x/../ro": denied,
		"/oauth/par": denied, "/oauth/device/code": denied, "/oidc/register": denied, "/oidc/register/abc": denied,
		"/tenant/device/token": denied, "/device/token": denied, // below the IdP's address, too
		"/realms/main/protocol/openid-connect/auth/device":     denied,
		"/realms/main/protocol/openid-connect/ext/par/request": denied,
		"/realms/main/clients-registrations/openid-connect":    denied,
		"/realms/main/clients-registrations/openid-connect/a":  denied,
		"/auth/realms/main/clients-registrations/default":      denied,
		"/realms/main/protocol/openid-connect/certs":           passThrough,
		"/realms/a/b/protocol/openid-connect/auth/device":      passThrough,
		"/admin/users": denied, "/admin/users/1": denied, "/Admin/users": denied, "/admin": passThrough, "/administrators": passThrough,
		"/internal/7/keys": denied, "/internal/7/8/keys": passThrough, "/internal/keys": passThrough,
		"/legacy.php": denied, "/legacy.php/x": passThrough, "/legacy": passThrough,
		"/authorize": match, "/oauth/token": wrongMethod,
		// Dot segments: some of the segments, in their order, are what remains.
		"/x/../admin/users": denied, "/x/../admin": passThrough, "/x/../admin.x/users": passThrough,
		"/x/../internal/7/keys": denied, "/x/../internal/7/keys.json": denied, "/x/../internal.x/7/keys": passThrough,
		"/x/../oauth/ro.json": denied, "/x/../oauth.x/ro": passThrough,
	} {
		endpoint, verdict := p.route("GET", path)
		require.Equal(t, want, verdict, path)
		if want == denied {
			require.Equal(t, NoEndpoint, endpoint, path)
		}
	}
	denied := AsError(rejectRoute(NoEndpoint, denied))
	require.Equal(t, 404, denied.Status)
	require.Contains(t, denied.Description, "deny_paths")
}

func TestEveryListOfDeniedPathsIsValid(t *testing.T) {
	require.NotEmpty(t, namedDenyLists())
	for _, name := range namedDenyLists() {
		p := testPolicy(t, func(c *Config) { c.DenyPaths = []string{name} })
		list := denyLists()[name]
		require.NotEmpty(t, list.Sources, name)
		for path := range list.Paths {
			example := strings.ReplaceAll(path, "*", "x")
			_, verdict := p.route("POST", example)
			require.Equal(t, denied, verdict, "%s: %s", name, example)
		}
		for path, login := range list.Logins {
			require.NotEmpty(t, login.For)
			for _, method := range login.Methods {
				_, verdict := p.route(method, strings.ReplaceAll(path, "*", "x"))
				require.Equal(t, loginLookalike, verdict, "%s: %s", name, path)
			}
		}
	}
}

// A later handler may route by one of these headers instead of the path.
func TestHeadersThatReplaceThePath(t *testing.T) {
	p := testPolicy(t)
	for _, name := range []string{"X-Original-URL", "X-Rewrite-Url", "X_Original_URL", "x_rewrite-url", "X.Original!URL", "X~Rewrite|Url"} {
		for value, want := range map[string]verdict{
			"/oauth/token":                  pathConfusion,
			"/oauth/token?a=b":              pathConfusion,
			"https://app.example/authorize": pathConfusion,
			"/Authorize/":                   pathConfusion,
			"authorize":                     pathConfusion,
			"/app":                          passThrough,
			"":                              passThrough,
			"https://app.example/":          passThrough,
			"//authorize":                   pathConfusion,
			"//authorize/app":               passThrough,
			"//app/authorize":               pathConfusion,
			"http://a b/authorize":          pathConfusion, // no URL
			"http://%/authorize":            pathConfusion,
			"a_b://x/authorize":             pathConfusion,
			"http://app?/authorize":         pathConfusion,
			"http://app.example":            passThrough,
			"http://app.example?a=b":        passThrough,
			"/app//x/authorize":             passThrough,
			"/app://x/authorize":            passThrough,
			"http:///authorize":             pathConfusion,
			"x:///authorize":                pathConfusion,
			"app//x/authorize":              passThrough,
			"%2Fauthorize":                  pathConfusion,
			":":                             passThrough,
			"/app?next=/../authorize":       passThrough,
		} {
			header := make(http.Header)
			header.Set(name, value)
			_, verdict := p.routeHeader(header)
			require.Equal(t, want, verdict, "%s: %s", name, value)
		}
	}
	endpoint, verdict := p.routeHeader(http.Header{"X-Original-Url": {"https://app.example/authorize"}, "X-Forwarded-For": {"/authorize"}})
	require.Equal(t, pathConfusion, verdict)
	require.Equal(t, Authorize, endpoint)
	for name, header := range map[string]http.Header{
		"two values":       {"X-Original-Url": {"/app", "/app"}},
		"two fields":       {"X-Original-Url": {"/app"}, "X-Rewrite-Url": {"/app"}},
		"two spellings":    {"X-Original-Url": {"/app"}, "X_original_url": {"/app"}},
		"a long one":       {"X-Rewrite-Url": {"https://app.example/" + strings.Repeat("a", maxDecoded)}},
		"a very long one":  {"X-Rewrite-Url": {"/" + strings.Repeat("\uFDFA", 20_000)}},
		"one of a gateway": {"X-Original-Url": {"/authorize", "/app"}},
	} {
		_, verdict := p.routeHeader(header)
		require.Equal(t, tooLong, verdict, name)
	}
	_, verdict = p.routeHeader(http.Header{"X-Original-Url": {"https://app.example/app?" + strings.Repeat("a=b&", 10_000)}})
	require.Equal(t, passThrough, verdict, "a query is not read")
}

func TestTheIdPsOwnPathsAreNotReachedAroundTheGateway(t *testing.T) {
	p := testPolicy(t, func(c *Config) {
		c.AuthURL = "https://idp.example/realms/main"
		c.Endpoints = map[Endpoint]string{Authorize: "/protocol/openid-connect/auth"}
	})
	require.Equal(t, "/realms/main/protocol/openid-connect/auth", p.endpointURL(Authorize).Path)
	require.Equal(t, "/realms/main/oauth/token", p.endpointURL(Token).Path)
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

// FuzzRoute compares Route with an independent, simpler normalization: what that
// takes for an endpoint never passes through.
func FuzzRoute(f *testing.F) {
	for _, path := range confusions {
		f.Add("GET", path)
	}
	f.Add("POST", "/oauth/token")
	f.Add("GET", "/favicon.ico")
	f.Add("POST", "/oauth/callback")
	f.Add("GET", "/Admin;x/%75sers.json")
	p := testPolicy(f, func(c *Config) {
		c.Callback = new(CallbackConfig)
		c.DenyPaths = []string{"/admin/users"}
	})
	f.Fuzz(func(t *testing.T, method, escaped string) {
		endpoint, verdict := p.route(method, escaped)
		if endpoint == Callback && verdict == match && escaped == "/oauth/callback" && (method == "GET" || method == "POST") {
			return
		}
		if verdict == match && (escaped != endpoint.Path() || method != endpoint.Method()) {
			t.Fatalf("%q %q is not exactly %s", method, escaped, endpoint)
		}
		if verdict != passThrough {
			return
		}
		simple := escaped
		for range 3 {
			if decoded, err := url.PathUnescape(simple); err == nil {
				simple = decoded
			}
			cleaned := path.Clean("/" + strings.ToLower(strings.ToUpper(strings.ReplaceAll(simple, `\`, "/"))))
			for _, reading := range []string{
				cleaned,
				strings.TrimSuffix(cleaned, path.Ext(cleaned)),
				strings.TrimPrefix(cleaned, "/index.php"),
				strings.TrimRight(cleaned, ",;:!*'\"&= "),
			} {
				if slices.Contains([]string{"/authorize", "/oauth/token", "/userinfo", "/v2/logout", "/oauth/callback", "/admin/users"}, reading) {
					t.Fatalf("%q can be read as %s", escaped, reading)
				}
			}
		}
	})
}

func TestErrorsOfARouteSayWhatToDo(t *testing.T) {
	require.NoError(t, rejectRoute(Token, match))
	require.NoError(t, rejectRoute(NoEndpoint, passThrough))
	for _, tc := range []struct {
		endpoint Endpoint
		verdict  verdict
		status   int
		allow    string
		says     string
	}{
		{Token, wrongMethod, 405, "POST", "/oauth/token takes POST only"},
		{Revoke, wrongMethod, 405, "POST", "/oauth/revoke takes POST only"},
		{ConsentForm, wrongMethod, 405, "POST", "/oauth/consent takes POST only"},
		{Authorize, wrongMethod, 405, "GET", "/authorize takes GET only"},
		{Callback, wrongMethod, 405, "GET, POST", "the callback takes GET, POST only"},
		{Authorize, pathConfusion, 404, "", "write the endpoint exactly as /authorize"},
		{Callback, pathConfusion, 404, "", "write the callback exactly as it is configured"},
		{NoEndpoint, pathConfusion, 404, "", "a later handler could mistake it"},
		{NoEndpoint, denied, 404, "", "(deny_paths)"},
		{NoEndpoint, tooLong, 414, "", "may have 1024 bytes"},
		{Token, rewritten, 404, "", "such as try_files"},
	} {
		err := rejectRoute(tc.endpoint, tc.verdict)
		require.ErrorContains(t, err, tc.says)
		e := AsError(err)
		require.Equal(t, tc.status, e.Status, tc.says)
		require.Equal(t, tc.allow, e.Allow, tc.says)
		require.Equal(t, InvalidRequest, e.Code)
		requireWellFormed(t, err)
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
		found, err := EndpointNamed(tc.name)
		if tc.configurable {
			require.NoError(t, err)
			require.Equal(t, tc.endpoint, found)
		} else {
			require.EqualError(t, err, "endpoint "+tc.name+" is unknown; use authorize, token, userinfo, logout or revoke")
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
	require.False(t, p.onlyAuthURL())
	require.True(t, p.isAuthURL(p.endpointURL(Authorize)))
	require.False(t, p.isAuthURL(p.endpointURL(Token)))

	p = testPolicy(t, func(c *Config) { c.Endpoints, c.DenyPaths = at, []string{"/admin"} })
	_, verdict = p.route("POST", "/t")
	require.Equal(t, pathConfusion, verdict)

	require.True(t, testPolicy(t).onlyAuthURL())
	plain := testPolicy(t, func(c *Config) { c.Endpoints = map[Endpoint]string{Token: "http://idp.example/t"} })
	require.False(t, plain.onlyAuthURL(), "another scheme is another origin")
	require.Nil(t, testPolicy(t, func(c *Config) { c.Discover = true }).endpointURL(Token))
	require.True(t, testPolicy(t, func(c *Config) { c.Discover = true }).onlyAuthURL(), "what is not known yet is nowhere else")
	_, err := NewPolicy(Config{AuthURL: "https://idp.example", Endpoints: map[Endpoint]string{Revoke: "revoke"}})
	require.ErrorContains(t, err, "endpoint revoke: revoke is not absolute")
}

func TestOverlongEncodings(t *testing.T) {
	for encoded, want := range map[string]string{
		"\xc1\xa1": "a", "\xc0\xaf": "/", "\xe0\x81\xa1": "a", "\xf0\x80\x81\xa1": "a", "\xf8\x80\x80\x81\xa1": "a", "\xfc\x80\x80\x80\x81\xa1": "a",
		// None: cut off, without a continuation, of other characters, valid UTF-8.
		"\xc1": "\xc1", "\xc1a": "\xc1a", "\xe0\x81": "\xe0\x81", "\xe0\x82\x80": "\xe0\x82\x80", "\xff": "\xff", "ä": "ä", "\xc1\xa1ä\xc1\xa2": "aäb",
		"\xe0\x81\xa1x": "ax", "\xc1\xc1\xa1": "\xc1a", "\xf0\x80\x82\x80": "\xf0\x80\x82\x80", "\xc1\xbf": "\x7f",
	} {
		require.Equal(t, want, decodeOverlong(encoded), "%q", encoded)
	}
}

func TestSuffixesAndScripts(t *testing.T) {
	for path, want := range map[string]string{
		"/a.json": "/a", "/a.tar.gz": "/a", "/.well-known": "/.well-known", "/.a.json": "/.a", "/a/": "/a/", "/a.b/c": "/a.b/c", "/a.b/c.d": "/a.b/c", "/a": "/a",
	} {
		require.Equal(t, want, withoutSuffix(path), path)
	}
	for path, want := range map[string]string{
		"/index.php/a": "/a", "/x/index.php5/a/b": "/a/b", "/a.b.cgi/c": "/c", "/a.css/b": "", "/a.css/b.py/c": "/c", "/index.php": "", "/a": "", "/index.php/": "/", "/php/a": "",
	} {
		require.Equal(t, want, afterScript(path), path)
	}
	for _, suffix := range []string{
		"php", "php7", "phtml", "cgi", "fcgi", "pl", "py", "wsgi", "rb", "lua", "asp", "aspx", "ashx", "asmx", "svc", "jsp", "jspx", "do", "action", "cfm", "dll", "exe",
	} {
		require.Equal(t, "/oauth/token", afterScript("/x."+suffix+"/oauth/token"), suffix)
	}
}

func TestPathsThatAreTheirOwnCanonicalForm(t *testing.T) {
	for path, want := range map[string]bool{
		"/a": true, "/a/b": true, "/a-b_c/0.9": true, "/z.a/z": true,
		"": false, "a": false, "/": false, "/a/": false, "//a": false, "/a//b": false, "/.a": false, "/a.": false, "/a./b": false, "/a/.b": false,
		"/A": false, "/a%20": false, "/a;b": false, "/{": false, "/`": false, "/:": false, "/a\x00": false, "/ä": false, "/a..b": true,
	} {
		require.Equal(t, want, isPlainPath(path), path)
	}
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
		require.Equal(t, tt.want, AsError(err).Status, tt)
		require.Equal(t, TemporarilyUnavailable, AsError(err).Code)
	}
}

func TestHeadersThatReplaceNothing(t *testing.T) {
	p := testPolicy(t)
	header := http.Header{"X-Original-Urls": {"/authorize"}, "Y-Original-Url": {"/authorize"}, "X-Original-Foo": {"/authorize"}}
	_, verdict := p.routeHeader(header)
	require.Equal(t, passThrough, verdict)
}

func TestPatternsOfPathsWithDotSegments(t *testing.T) {
	require.True(t, newPathPattern("/a/*").matchesSome([]string{"a", "b", "c"}))
	require.False(t, newPathPattern("/a/*").matchesSome([]string{"a"}))
	require.True(t, newPathPattern("/*").matchesSome([]string{"a", "b"}))
	require.True(t, pathPattern{}.matchesSome([]string{"a"}))
}

// What is decoded: two digits after a percent sign, or four after %u, which IIS reads.
func TestOneDecoding(t *testing.T) {
	for encoded, want := range map[string]string{
		"/%61": "/a", "%61": "a", "%6A%6a": "jj", "/a%": "/a%", "/a%6": "/a%6", "/%6g": "/%6g", "/%g6": "/%g6", "/a": "/a",
		"%u0061": "a", "%U0061x": "ax", "%u2044": "\u2044", "%u006": "%u006", "%ug061": "%ug061", "%u006g": "%u006g", "%t0061": "%t0061",
		"%xu0061": "%xu0061", "%u": "%u", "%x0061%": "%x0061%",
	} {
		require.Equal(t, want, decodeOnce(encoded), encoded)
	}
	p := testPolicy(t)
	nested := func(levels int) string { return "/x%" + strings.Repeat("25", levels-1) + "41" }
	_, verdict := p.route("GET", nested(maxDecodings-1))
	require.Equal(t, passThrough, verdict)
	_, verdict = p.route("GET", nested(maxDecodings))
	require.Equal(t, pathConfusion, verdict, "nobody means that")
}

func TestTheMostForgivingReading(t *testing.T) {
	for path, want := range map[string]string{
		"/a\\b": "/a/b", "/a\u2044b": "/a/b", "/a\u2215b": "/a/b", "/a\u2216b": "/a/b", "/a\u29f5b": "/a/b", "/a\u29f8b": "/a/b", "/a\u29f9b": "/a/b",
		"/a\u00a5b": "/a/b", "/a\u20a9b": "/a/b", "/a\ufffdb": "/ab", "/a%b": "/ab", "/a\u200db": "/ab", "/A\u0130\u0131": "/aii",
		"/ a /b": "/a/b", "/a./b": "/a/b", "/..a/b": "/..a/b", "/a;x=1/b,c": "/a/b", "/;x/a": "/a", "/,x/a": "/a", "/!x": "/!x", "/a!b": "/a",
		"/v2;x": "/v2", "/a_b;c": "/a_b", "/(S(x))/a": "/a", "/(S())/a": "/a", "/xS(a))": "/xs", "/(Sxa))": "/(sxa))", "/(S(abc": "/(s(abc",
	} {
		require.Equal(t, want, canonicalPath(path), "%q", path)
	}
	for path, dotted := range map[string]bool{"/a/../b": true, "/a/.. /b": true, "/a/.../b": true, "/..a": false, "/a/.": false} {
		_, has := canonicalSegments(path)
		require.Equal(t, dotted, has, path)
	}
}

func TestOddPathsAreReadUpToABound(t *testing.T) {
	p := testPolicy(t)
	for path, want := range map[string]verdict{
		"/" + strings.Repeat("A", maxPath-1):                 passThrough,
		"/" + strings.Repeat("A", maxPath):                   tooLong,
		"/" + strings.Repeat("a", 100*maxPath):               passThrough,
		"/~" + strings.Repeat("a", maxDecoded-2):             passThrough,
		"/~" + strings.Repeat("a", maxDecoded-1):             tooLong,
		"/" + strings.Repeat("%61", maxDecoded-1):            passThrough, // what it is decoded counts
		"/" + strings.Repeat("%61", maxDecoded):              tooLong,
		"/" + strings.Repeat("%EF%B7%BA", 341):               passThrough,
		"/" + strings.Repeat("%EF%B7%BA", 342):               tooLong,
		"/" + strings.Repeat("\uFDFA", 2700):                 tooLong,
		"/" + strings.Repeat("%25", maxPath/3) + "41":        tooLong,
		strings.Repeat("/a.php", maxScripts) + "/b":          passThrough,
		strings.Repeat("/a.php", maxScripts+1) + "/b":        tooLong,
		strings.Repeat("/A.php", maxScripts+1) + "/b":        tooLong,
		strings.Repeat("/a.php", maxScripts) + "/authorize":  pathConfusion,
		strings.Repeat("/a.php", 100_000):                    tooLong,
		strings.Repeat("/", 5000) + "authorize":              tooLong,
		strings.Repeat("/x/..", 5000) + "/authorize":         tooLong,
		strings.Repeat("/%E4%BD%A0%E5%A5%BD.txt", 1024/11-1): passThrough, // the longest keys of object storage
	} {
		_, verdict := p.route("GET", path)
		require.Equal(t, want, verdict, "%.20s… of %d bytes", path, len(path))
		_, verdict = p.routeOriginal("GET", path)
		if want == pathConfusion {
			want = rewritten
		}
		require.Equal(t, want, verdict)
	}
}

// Whatever a server makes of a single character by NFKD and by its case, folding it
// comes to the same, as far as that is ASCII.
func TestFoldingOfEachCharacter(t *testing.T) {
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		var want []byte
		for _, part := range norm.NFKD.String(string(r)) {
			lower := unicode.ToLower(unicode.ToUpper(part))
			if strings.ContainsRune("\\\u2044\u2215\u2216\u29f5\u29f8\u29f9\u00a5\u20a9", part) {
				lower = '/'
			}
			if lower >= ' ' && lower < 0x7f && lower != '%' {
				want = append(want, byte(lower))
			}
		}
		var folded []byte
		for _, part := range []byte(foldPath(string(r))) {
			if part < utf8.RuneSelf {
				folded = append(folded, part)
			}
		}
		if string(folded) != string(want) {
			t.Errorf("%U is folded to %q, not %q", r, folded, want)
		}
	}
}

// A request that is passed on, or rejected, costs about as much whatever its path is.
func BenchmarkRoute(b *testing.B) {
	p := testPolicy(b, func(c *Config) { c.DenyPaths = namedDenyLists() })
	for _, bench := range []struct{ name, path string }{
		{"plain", "/" + strings.Repeat("a", 1000)},
		{"plain, 8 KB", "/" + strings.Repeat("a", 8000)},
		{"capitals, 8 KB", "/" + strings.Repeat("A", 8000)},
		{"ligatures, escaped, 1 KB", "/" + strings.Repeat("%EF%B7%BA", 113)},
		{"ligatures, escaped, 3 KB", "/" + strings.Repeat("%EF%B7%BA", 341)},
		{"ligatures, escaped, 8 KB", "/" + strings.Repeat("%EF%B7%BA", 900)},
		{"ligatures, 8 KB", "/" + strings.Repeat("\uFDFA", 2700)},
		{"dot segments, 1 KB", "/.." + strings.Repeat("/a", 500)},
		{"dot segments, 8 KB", "/.." + strings.Repeat("/a", 4000)},
		{"nested escapes, 8 KB", strings.Repeat("%2525252525252541", 480)},
		{"scripts, 8 KB", strings.Repeat("/a.php", 1365)},
		{"scripts, 1 MB", strings.Repeat("/a.php", 170_000)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				p.route("GET", bench.path)
			}
		})
	}
	for _, bench := range []struct {
		name   string
		header http.Header
	}{
		{"a header", http.Header{"X-Original-Url": {"/app"}}},
		{"a header, 64 KB", http.Header{"X-Original-Url": {strings.Repeat("\uFDFA", 21_000)}}},
		{"eight headers of 8 KB", http.Header{"X-Original-Url": slices.Repeat([]string{strings.Repeat("\uFDFA", 2700)}, 8)}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				p.routeHeader(bench.header)
			}
		})
	}
}

// Which endpoint a path could be taken for is told, for the message and the metrics.
func TestWhatAPathCouldBeTakenFor(t *testing.T) {
	p := testPolicy(t, func(c *Config) { c.Endpoints = map[Endpoint]string{Token: "/t/issue.php"} })
	for path, want := range map[string]Endpoint{
		"/x/../oauth/token": Token, "/OAuth/Token": Token, "/x/../userinfo": UserInfo, "/t/issue.php": NoEndpoint,
		"/x/../a": NoEndpoint, "/" + strings.Repeat("A", maxPath): NoEndpoint, "/%252525252525252541": NoEndpoint, "/A": NoEndpoint,
	} {
		endpoint, _ := p.route("POST", path)
		require.Equal(t, want, endpoint, path)
	}
	_, verdict := p.route("GET", "/t/issue.php")
	require.Equal(t, pathConfusion, verdict)
	endpoint, _ := p.routeHeader(http.Header{"X-Original-Url": {"/app"}})
	require.Equal(t, NoEndpoint, endpoint)
}
