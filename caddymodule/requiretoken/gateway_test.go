package requiretoken_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

// agents is a gateway with two resource servers, and an agent that logs in there.
type agents struct {
	t   testing.TB
	idp *testidp.Server
	*testgateway.Gateway
	log string
}

const masterKey = "l7Hq0nX2uVd5yBz8eKc3RfTgW9sJmPaO4iUxYvNbLwE="

// ownTokens runs a site before an IdP; {idp} stands for its address and {issuer} for that
// of its metadata.
func ownTokens(t testing.TB, b testidp.Behavior, idpOptions, options string) *agents {
	b.Clients = []testidp.Client{{ID: "gateway", Secret: "s3cret", Auth: testidp.ClientSecretBasic}}
	b.AnySecretMethod, b.ResponseModes = true, []string{"query"}
	address, err := testgateway.FreeAddress()
	require.NoError(t, err)
	b.Clients[0].RedirectURIs = []string{"http://" + address + "/oauth/callback"}
	server, err := testidp.Start(b)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	a := &agents{t: t, idp: server, log: filepath.Join(t.TempDir(), "log")}
	self := "http://" + address
	block := strings.NewReplacer("{self}", self, "{idp}", server.IssuerURL(), "{userinfo}", server.HostURL(testidp.UserInfoHost), "{app}", strings.TrimPrefix(app(t).URL, "http://")).Replace(`
		identity_gateway ` + idpOptions + `
			public_url {self}
			callback
			sealing_key ` + masterKey + `
			resource {self}/a {
				scope read profile
				scope write email
				default_scope read
				upstream_token
				introspection server-a a-secret-of-server-a
				` + options + `
			}
			resource {self}/b {
				scope read profile
				default_scope read
			}
			client agent {
				redirect_uri http://127.0.0.1/cb
				idp_client gateway {
					secret s3cret
				}
			}
		}
		require_token /a {self} {self}/a {
			tokens gateway
			scope read
			header X-User sub
			header X-Agent client_id
			upstream_token X-Upstream-Token
		}
		require_token /a/write {self} {self}/a {
			tokens gateway
			scope write
		}
		require_token /a/calls {self} {self}/a {
			tokens gateway
			upstream_token Authorization
			public /a/calls
		}
		require_token /b {self} {self}/b {
			tokens gateway
		}
		require_token /b/upstream {self} {self}/b {
			tokens gateway
			upstream_token X-Upstream-Token
		}
		reverse_proxy {app}`)
	a.Gateway, err = testgateway.Start(testgateway.Config{Site: block, Address: address, Log: a.log})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, a.Stop()) })
	return a
}

// withDiscovery and asGitHub are the first options of gateways.
const (
	withDiscovery = "{idp} {\ndiscover\n"
	asGitHub      = "{idp} {\nendpoint authorize /login/oauth/authorize\nendpoint token /login/oauth/access_token\nendpoint userinfo {userinfo}/user\n"
)

// tokens are what the agent gets for a login.
type tokens struct {
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token"`
	Scope        string `json:"scope"`
	IDToken      string `json:"id_token"`
}

func (a *agents) logIn(resource string) tokens {
	a.t.Helper()
	next := a.URL() + "/authorize?" + url.Values{
		"response_type": {"code"}, "client_id": {"agent"}, "redirect_uri": {"http://127.0.0.1:4711/cb"}, "state": {"s"},
		"code_challenge": {string(idp.Verifier(verifier).S256())}, "code_challenge_method": {"S256"}, "resource": {a.URL() + resource},
	}.Encode()
	var code string
	for code == "" {
		r, err := http.NewRequest(http.MethodGet, next, nil)
		require.NoError(a.t, err)
		r.AddCookie(testidp.UserCookie("u1"))
		response, err := http.DefaultTransport.RoundTrip(r)
		require.NoError(a.t, err)
		response.Body.Close()
		location, err := response.Location()
		require.NoError(a.t, err, "%d %s", response.StatusCode, next)
		require.Empty(a.t, location.Query().Get("error"), location)
		if next = location.String(); location.Port() == "4711" {
			code = location.Query().Get("code")
		}
	}
	return a.token("grant_type", "authorization_code", "code", code, "code_verifier", verifier, "redirect_uri", "http://127.0.0.1:4711/cb")
}

func (a *agents) token(form ...string) (got tokens) {
	a.t.Helper()
	status, content := a.post("/oauth/token", append(form, "client_id", "agent")...)
	require.Equal(a.t, 200, status, content)
	require.NoError(a.t, json.Unmarshal([]byte(content), &got))
	for _, token := range a.idp.Issued() {
		require.NotContains(a.t, content, token.AccessToken)
	}
	return got
}

func (a *agents) post(path string, form ...string) (int, string) {
	a.t.Helper()
	q := url.Values{}
	for i := 0; i < len(form); i += 2 {
		q.Set(form[i], form[i+1])
	}
	response, err := http.PostForm(a.URL()+path, q)
	require.NoError(a.t, err)
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	require.NoError(a.t, err)
	return response.StatusCode, string(content)
}

// The servers of IdPs that issue no token that an MCP server may accept, or none with the
// right audience.
func TestAResourceServerTakesTheGatewaysTokens(t *testing.T) {
	for name, test := range map[string]struct {
		behavior testidp.Behavior
		options  string
		openID   bool
	}{
		"Google": {testidp.Google(), withDiscovery, true},
		"Okta":   {testidp.Okta(), withDiscovery, true},
		"GitHub": {testidp.GitHub(), asGitHub, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := ownTokens(t, test.behavior, test.options, "")
			got := a.logIn("/a")
			require.Empty(t, got.IDToken)
			passed := get(t, a.URL()+"/a", "Authorization", "Bearer "+got.AccessToken, "X-User", "root", "X_upstream_token", "forged").seen(t)
			require.NotEmpty(t, passed.Header.Get("X-User"))
			require.NotEqual(t, "root", passed.Header.Get("X-User"))
			require.Equal(t, []string{"agent"}, passed.Header["X-Agent"])
			upstream := passed.Header.Get("X-Upstream-Token")
			_, known := a.idp.Lookup(upstream)
			require.True(t, known, "the server behind gets the IdP's token")
			require.Empty(t, passed.Header["X_upstream_token"])
			calls := get(t, a.URL()+"/a/calls").seen(t)
			require.Empty(t, calls.Header["Authorization"])
			require.Empty(t, get(t, a.URL()+"/a/calls", "Authorization", "Bearer forged").seen(t).Header["Authorization"], "nobody but a token says what the server calls APIs with")

			log, err := os.ReadFile(a.log)
			require.NoError(t, err)
			require.NotContains(t, string(log), got.AccessToken)
		})
	}
}
