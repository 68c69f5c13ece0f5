package paths

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDeniedPaths(t *testing.T) {
	p := new(Protected)
	require.NoError(t, p.Deny([]string{"auth0", "keycloak", "dex", "/admin/*", "/internal/*/keys", "/legacy.php"}, "/tenant"))
	for path, want := range map[string]Verdict{
		"/oauth/ro": Denied, "/OAuth/RO": Denied, "/oauth/ro.json": Denied, "/oauth//ro": Denied, "/index.php/oauth/ro": Denied, "/oauth/x/../ro": Denied,
		"/oauth/par": Denied, "/oauth/device/code": Denied, "/oidc/register": Denied, "/oidc/register/abc": Denied,
		"/tenant/device/token": Denied, "/device/token": Denied, // below the IdP's address, too
		"/realms/main/protocol/openid-connect/auth/device":     Denied,
		"/realms/main/protocol/openid-connect/ext/par/request": Denied,
		"/realms/main/clients-registrations/openid-connect":    Denied,
		"/realms/main/clients-registrations/openid-connect/a":  Denied,
		"/auth/realms/main/clients-registrations/default":      Denied,
		"/realms/main/protocol/openid-connect/certs":           Free,
		"/realms/a/b/protocol/openid-connect/auth/device":      Free,
		"/admin/users": Denied, "/admin/users/1": Denied, "/Admin/users": Denied, "/admin": Free, "/administrators": Free,
		"/internal/7/keys": Denied, "/internal/7/8/keys": Free, "/internal/keys": Free,
		"/legacy.php": Denied, "/legacy.php/x": Free, "/legacy": Free,
		// Dot segments: some of the segments, in their order, are what remains.
		"/x/../admin/users": Denied, "/x/../admin": Free, "/x/../admin.x/users": Free,
		"/x/../internal/7/keys": Denied, "/x/../internal/7/keys.json": Denied, "/x/../internal.x/7/keys": Free,
		"/x/../oauth/ro.json": Denied, "/x/../oauth.x/ro": Free,
	} {
		owner, verdict := p.Classify("GET", path)
		require.Equal(t, want, verdict, path)
		require.Zero(t, owner, path)
	}
}

func TestEveryListOfDeniedPathsIsValid(t *testing.T) {
	require.NotEmpty(t, namedDenyLists())
	for _, name := range namedDenyLists() {
		p := protected(t, name)
		list := denyLists()[name]
		require.NotEmpty(t, list.Sources, name)
		for path := range list.Paths {
			example := strings.ReplaceAll(path, "*", "x")
			_, verdict := p.Classify("POST", example)
			require.Equal(t, Denied, verdict, "%s: %s", name, example)
		}
		for path, login := range list.Logins {
			require.NotEmpty(t, login.For)
			for _, method := range login.Methods {
				_, verdict := p.Classify(method, strings.ReplaceAll(path, "*", "x"))
				require.Equal(t, Login, verdict, "%s: %s", name, path)
			}
		}
	}
}

// The paths at which logins begin beside /authorize, as documented or seen at the IdP
// (denied.json has the sources), and those that its own pages need.
func TestLoginsThatBeginBesideAuthorize(t *testing.T) {
	const realm = "/realms/main/protocol/openid-connect"
	for name, requests := range map[string]map[Verdict][]string{
		"keycloak": {
			Denied: {
				"GET " + realm + "/registrations", "POST " + realm + "/registrations", "GET " + realm + "/forgot-credentials",
				"GET /auth" + realm + "/registrations", "GET /auth" + realm + "/forgot-credentials", "PUT /realms/main/login-actions/reset-credentials",
			},
			Login: {"GET /realms/main/login-actions/reset-credentials", "POST /realms/main/login-actions/reset-credentials"},
			Free: {
				"GET /realms/main/login-actions/authenticate", "POST /realms/main/login-actions/registration", "GET /realms/main/login-actions/required-action",
				"GET /realms/main/broker/google/login", "GET /resources/1a2b3/login/keycloak.v2/css/styles.css",
			},
		},
		"dex": {
			Login:  {"GET /auth/github", "HEAD /auth/github", "GET /Auth//github", "GET /auth/%67ithub", "GET /auth/github;x"},
			Denied: {"POST /auth/github", "GET /x/../auth/github"},
			Free:   {"GET /auth/local/login", "POST /auth/local/login", "GET /callback", "GET /approval"},
		},
		"cognito": {
			Login: {"GET /login", "POST /login", "GET /signup", "POST /forgotPassword"}, Denied: {"DELETE /login"}, Free: {"GET /confirmforgotPassword", "POST /saml2/idpresponse"},
		},
		"auth0": {
			Login: {"GET /passwordless/verify_redirect"}, Denied: {"POST /passwordless/verify_redirect"},
			Free: {"GET /login", "POST /u/login", "GET /authorize/resume", "POST /passwordless/start"},
		},
		"okta": {
			Denied: {"GET /oauth2/v1/authorize", "GET /oauth2/default/v1/authorize", "POST /oauth2/v1/interact"},
			Free:   {"GET /oauth2/v1/authorize/redirect", "POST /idp/idx/identify", "GET /login/token/redirect"},
		},
		"entra": {
			Denied: {"GET /common/oauth2/v2.0/authorize", "GET /contoso.com/oauth2/authorize"}, Free: {"POST /common/login", "POST /kmsi", "POST /common/reprocess"},
		},
		"hydra":         {Denied: {"GET /oauth2/device/verify"}, Free: {"GET /oauth2/fallbacks/error", "GET /oauth2/sessions/logout"}},
		"oidc_provider": {Free: {"GET /auth/0a1b2c", "POST /interaction/0a1b2c/login"}},
	} {
		p := protected(t, name)
		for want, all := range requests {
			for _, request := range all {
				method, path, _ := strings.Cut(request, " ")
				_, verdict := p.Classify(method, path)
				require.Equal(t, want, verdict, "%s: %s", name, request)
			}
		}
	}
	p := new(Protected)
	require.NoError(t, p.Deny([]string{"dex", "/auth/admin"}, "/dex"))
	for path, want := range map[string]Verdict{"/dex/auth/github": Login, "/auth/github": Login, "/auth/admin": Denied} {
		_, verdict := p.Classify("GET", path)
		require.Equal(t, want, verdict, path)
	}
	_, verdict := p.ClassifyHeader(map[string][]string{"X-Original-Url": {"/auth/github"}})
	require.Equal(t, Denied, verdict, "the query that counts is not this one")
}

func TestEntriesThatDeny(t *testing.T) {
	p := protected(t)
	require.False(t, p.DeniesSome())
	for _, entry := range []string{"keycloack", "/a b", "/a//b", "/a/", "/", "/a*", "/a.", "/%61"} {
		require.ErrorContains(t, p.Deny([]string{entry}, ""), "deny_path: "+entry)
	}
	require.NoError(t, p.Deny([]string{"/Admin/*", "/internal/*/keys", "/*"}, ""))
	require.True(t, p.DeniesSome())
	require.Equal(t, "/admin/*", p.DeniedBy("/admin/users"))
	require.Equal(t, "/internal/*/keys", p.DeniedBy("/internal/7/keys"))
	require.Equal(t, "/*", p.DeniedBy("/x"))
	require.Empty(t, protected(t, "/admin").DeniedBy("/x"))
	_, verdict := p.Classify("GET", "/oauth/Token")
	require.Equal(t, Confused, verdict)
	rest := p.WithoutOwners()
	_, verdict = rest.Classify("GET", "/oauth/Token")
	require.Equal(t, Denied, verdict)
}

func TestPatternsOfPathsWithDotSegments(t *testing.T) {
	require.True(t, newPattern("/a/*").matchesSome([]string{"a", "b", "c"}))
	require.False(t, newPattern("/a/*").matchesSome([]string{"a"}))
	require.True(t, newPattern("/*").matchesSome([]string{"a", "b"}))
	require.True(t, pattern{}.matchesSome([]string{"a"}))
}

func TestPublic(t *testing.T) {
	paths, err := NewPublic([]string{"/", "/favicon.ico", "/assets/*", "/users/*/Photo.png"})
	require.NoError(t, err)
	for path, want := range map[string]bool{
		"/": true, "/favicon.ico": true, "/assets/app.js": true, "/assets/a/B.min.css": true, "/assets/a/": true, "/users/7/Photo.png": true, "/favicon.ico/": true,
		"": false, "/assets": false, "/assets/": false, "/other": false, "/FAVICON.ICO": false, "/users/7/photo.png": false, "/users/7/8/Photo.png": false,
		// Each of these is another path for some server.
		"//": false, "/assets//app.js": false, "/assets/../admin": false, "/assets/./app.js": false, "/assets/..": false, "/assets/.": false,
		"/assets/..;/admin": false, "/assets/a;x": false, "/assets/%2e%2e/admin": false, "/assets/%2e%2e%2fadmin": false, "/assets/..%2fadmin": false,
		"/assets/..%5cadmin": false, `/assets/..\admin`: false, "/assets/%252e%252e/admin": false, "/assets/a%00": false, "/assets/a%20b": false,
		"/assets/%c0%ae%c0%ae/admin": false, "/assets/\u2025/admin": false, "/assets/a.": false, "/assets/.../admin": false, "/assets/x.php/admin": false,
		"/assets/x.PHP/admin/": false, "/assets/index.php/": false, "/(S(x))/assets/a": false, "*": false, "assets/a": false,
	} {
		require.Equal(t, want, paths.Has(path, path, nil), path)
	}
	require.True(t, paths.Has("/assets/a", "/app/assets/a", nil), "a prefix that a handle_path took off")
	require.False(t, paths.Has("/", "/admin", nil), "rewritten; FastCGI still sees the first")
	require.False(t, paths.Has("/assets/a", "/x/..;/assets/a", nil))
	require.False(t, paths.Has("/assets/a", "/assets/a", http.Header{"X-Original-Url": {"/admin"}}))
	require.False(t, paths.Has("/assets/a", "/assets/a", http.Header{"X_rewrite_url": {"/admin"}}))
	require.True(t, paths.Has("/assets/a", "/assets/a", http.Header{"Accept": {"text/html"}}))
	require.True(t, Public{{segments: []string{"a"}}}.Has("/a", "/a", nil))
	require.False(t, Public(nil).Has("/", "/", nil))
	for _, pattern := range []string{"", "assets", "/*", "/a*", "/a*/b", "/a//b", "/a/../b", "/a b", "/a%20b", "/ä", "/*.js"} {
		_, err := NewPublic([]string{pattern})
		require.Error(t, err, pattern)
	}
}
