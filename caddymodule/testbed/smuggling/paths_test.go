package smuggling

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

// behind is a server that records the target of each request.
type behind struct {
	*httptest.Server
	mu      sync.Mutex
	targets []string
}

func newBehind(t *testing.T) *behind {
	b := new(behind)
	b.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.targets = append(b.targets, r.RequestURI)
	}))
	t.Cleanup(b.Close)
	return b
}

// get sends a request with the target as it is through a gateway, and returns the
// targets that the server behind saw.
func (b *behind) get(t *testing.T, g *testgateway.Gateway, target string) []string {
	_, err := testgateway.Exchange(g.Address(), "GET "+target+" HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n", patience, patience)
	require.NoError(t, err, target)
	b.mu.Lock()
	defer b.mu.Unlock()
	targets := b.targets
	b.targets = nil
	return targets
}

// TestNoSpellingPasses asks for protected paths in every spelling, without a token. What
// identity_gateway protects is in idp/paths.
func TestNoSpellingPasses(t *testing.T) {
	const secret = "require_token https://idp.example https://api.example"
	for name, tc := range map[string]struct {
		site string
		// passes: some spelling is served by some server, as it must be without the gateway.
		passes bool
	}{
		"nothing": {"", true},
		"require_token with a matcher of what is private": {"@private path /admin /admin/*\n" + strings.Replace(secret, " ", " @private ", 1), true},
		"require_token with a matcher of what is public":  {"@private not path /public/*\n" + strings.Replace(secret, " ", " @private ", 1), true},
		"require_token":             {secret, false},
		"require_token with public": {secret + " {\npublic /public/*\n}", false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBehind(t)
			g := testgateway.Run(t, testgateway.Config{AnyHost: true, Site: tc.site + "\nreverse_proxy " + strings.TrimPrefix(b.URL, "http://")})
			t.Parallel()
			require.Equal(t, tc.site != secret, len(b.get(t, g, "/public/logo.png")) == 1, "what is public")
			served := 0
			for _, spelling := range inSpellings() {
				for _, target := range b.get(t, g, spelling) {
					for _, server := range readers() {
						if !server.serves(target) {
							continue
						}
						served++
						if !tc.passes {
							t.Errorf("%s reaches a server that %s as %s", spelling, server.name, target)
						}
					}
				}
			}
			require.Equal(t, tc.passes, served > 0)
			t.Logf("%d of %d spellings and servers", served, len(spellings)*len(readers()))
		})
	}
}

// A spelling that no server takes for the path would prove nothing.
func TestEverySpellingIsServedSomewhere(t *testing.T) {
	for _, spelling := range inSpellings() {
		require.True(t, slices.ContainsFunc(readers(), func(server reader) bool { return server.serves(spelling) }), spelling)
	}
}
