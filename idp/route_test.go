package idp

import (
	"net/url"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func testPolicy(t testing.TB, change ...func(*Config)) *Policy {
	config := Config{AuthURL: "https://idp.example"}
	for _, f := range change {
		f(&config)
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
		verdict      Verdict
	}{
		{"GET", "/authorize", Authorize, Match},
		{"POST", "/oauth/token", Token, Match},
		{"GET", "/userinfo", UserInfo, Match},
		{"GET", "/v2/logout", Logout, Match},
		{"POST", "/authorize", Authorize, WrongMethod},
		{"HEAD", "/authorize", Authorize, WrongMethod},
		{"get", "/authorize", Authorize, WrongMethod},
		{"GET", "/oauth/token", Token, WrongMethod},
		{"OPTIONS", "/oauth/token", Token, WrongMethod},
		{"OPTIONS", "/authorize", Authorize, WrongMethod},
		{"POST", "/userinfo", UserInfo, WrongMethod},
		{"DELETE", "/v2/logout", Logout, WrongMethod},
		{"GET", "/", NoEndpoint, PassThrough},
		{"GET", "", NoEndpoint, PassThrough},
		{"OPTIONS", "*", NoEndpoint, PassThrough},
		{"GET", "/authorize/resume", NoEndpoint, PassThrough},
		{"GET", "/authorized", NoEndpoint, PassThrough},
		{"GET", "/oauth/token.json", NoEndpoint, PassThrough},
		{"GET", "/static/App.js", NoEndpoint, PassThrough},
		{"GET", "/%E4%BD%A0%E5%A5%BD", NoEndpoint, PassThrough},
		{"GET", "/50%25-off", NoEndpoint, PassThrough},
		{"GET", "/logout", NoEndpoint, PassThrough},
		{"GET", "/" + strings.Repeat("a", 20_000), NoEndpoint, PassThrough},
	} {
		endpoint, verdict := p.Route(tc.method, tc.path)
		require.Equal(t, tc.verdict, verdict, "%s %s", tc.method, tc.path)
		require.Equal(t, tc.endpoint, endpoint, "%s %s", tc.method, tc.path)
	}
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
	"/userinfo/", "/UserInfo", "/v2/logout/", "/V2/logout", "/v2%2Flogout", "/v2/log%6Fut", "authorize",
	strings.Repeat("/", 5000) + "authorize", strings.Repeat("/x/..", 5000) + "/authorize", "/%25252525252525252561uthorize",
}

func TestConfusedPathsNeverPassThrough(t *testing.T) {
	p := testPolicy(t)
	for _, path := range confusions {
		_, verdict := p.Route("GET", path)
		require.Equal(t, PathConfusion, verdict, "%q", path)
	}
}

func TestTheIdPsOwnPathsAreNotReachedAroundTheGateway(t *testing.T) {
	p := testPolicy(t, func(c *Config) {
		c.AuthURL = "https://idp.example/realms/main"
		c.Paths = map[Endpoint]string{Authorize: "/protocol/openid-connect/auth"}
	})
	require.Equal(t, "/realms/main/protocol/openid-connect/auth", p.IdPPath(Authorize))
	require.Equal(t, "/realms/main/oauth/token", p.IdPPath(Token))
	for path, want := range map[string]Verdict{
		"/realms/main/protocol/openid-connect/auth":  PathConfusion,
		"/Realms/main/protocol//openid-connect/auth": PathConfusion,
		"/realms/main/oauth/token":                   PathConfusion,
		"/realms/main/login-actions/authenticate":    PassThrough,
		"/authorize": Match,
	} {
		_, verdict := p.Route("GET", path)
		require.Equal(t, want, verdict, path)
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
	p := testPolicy(f)
	f.Fuzz(func(t *testing.T, method, escaped string) {
		endpoint, verdict := p.Route(method, escaped)
		if verdict == Match && (escaped != endpoint.Path() || method != endpoint.Method()) {
			t.Fatalf("%q %q is not exactly %s", method, escaped, endpoint)
		}
		if verdict != PassThrough {
			return
		}
		simple := escaped
		for range 3 {
			if decoded, err := url.PathUnescape(simple); err == nil {
				simple = decoded
			}
			cleaned := path.Clean("/" + strings.ToLower(strings.ReplaceAll(simple, `\`, "/")))
			for _, own := range Endpoints {
				if cleaned == own.Path() {
					t.Fatalf("%q can be read as %s", escaped, own)
				}
			}
		}
	})
}

func TestErrorsOfARouteSayWhatToDo(t *testing.T) {
	require.NoError(t, RejectRoute(Token, Match))
	wrong := AsError(RejectRoute(Token, WrongMethod))
	require.Equal(t, 405, wrong.Status)
	require.Equal(t, "POST", wrong.Allow)
	confused := AsError(RejectRoute(Authorize, PathConfusion))
	require.Equal(t, 404, confused.Status)
	require.Contains(t, confused.Description, "/authorize")
}
