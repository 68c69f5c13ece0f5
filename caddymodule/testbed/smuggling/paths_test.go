package smuggling

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

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
func (b *behind) get(t *testing.T, g *testgateway.Gateway, method, target string) []string {
	c, err := net.Dial("tcp", g.Address())
	require.NoError(t, err)
	defer c.Close()
	require.NoError(t, c.SetDeadline(time.Now().Add(time.Minute)))
	_, err = fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", method, target)
	require.NoError(t, err)
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	require.NoError(t, err, target)
	_, err = io.Copy(io.Discard, answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	b.mu.Lock()
	defer b.mu.Unlock()
	targets := b.targets
	b.targets = nil
	return targets
}

// TestNoSpellingPasses asks for protected paths in every spelling, without a token.
func TestNoSpellingPasses(t *testing.T) {
	const secret, token = "require_token https://idp.example https://api.example", "identity_gateway {behind}"
	for name, tc := range map[string]struct {
		path   Path
		method string
		site   string
		// passes: some spelling is served by some server, as it must be without the gateway.
		passes bool
	}{
		"nothing": {Secret, "GET", "", true},
		"require_token with a matcher of what is private": {Secret, "GET", "@private path /admin /admin/*\n" + strings.Replace(secret, " ", " @private ", 1), true},
		"require_token with a matcher of what is public":  {Secret, "GET", "@private not path /public/*\n" + strings.Replace(secret, " ", " @private ", 1), true},
		"require_token":                   {Secret, "GET", secret, false},
		"require_token with public":       {Secret, "GET", secret + " {\npublic /public/*\n}", false},
		"identity_gateway":                {Token, "POST", token, false},
		"identity_gateway with callback":  {Token, "POST", token + " {\ncallback\n}", false},
		"identity_gateway with deny_path": {Secret, "GET", token + " {\ndeny_path /admin/*\n}", false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBehind(t)
			g, err := testgateway.Start(testgateway.Config{AnyHost: true, Site: strings.ReplaceAll(tc.site, "{behind}", b.URL) + "\nreverse_proxy " + strings.TrimPrefix(b.URL, "http://")})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, g.Stop()) })
			t.Parallel()
			require.Len(t, b.get(t, g, "GET", "/"+tc.path.Public+"/logo.png"), boolToInt(!strings.HasSuffix(tc.site, secret)), "what is public")
			served := 0
			for _, spelling := range tc.path.Spellings() {
				for _, target := range b.get(t, g, tc.method, spelling) {
					for _, server := range Servers() {
						if !server.Serves(target, tc.path) {
							continue
						}
						served++
						if !tc.passes {
							t.Errorf("%s reaches a server that %s as %s", spelling, server.Name, target)
						}
					}
				}
			}
			require.Equal(t, tc.passes, served > 0)
			t.Logf("%d of %d spellings and servers", served, len(tc.path.Spellings())*len(Servers()))
		})
	}
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// A spelling that no server takes for the path would prove nothing.
func TestEverySpellingIsServedSomewhere(t *testing.T) {
	for _, path := range []Path{Secret, Token} {
		for _, spelling := range path.Spellings() {
			served := false
			for _, server := range Servers() {
				served = served || server.Serves(spelling, path)
			}
			require.True(t, served, spelling)
		}
	}
}
