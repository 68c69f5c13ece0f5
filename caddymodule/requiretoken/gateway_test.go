package requiretoken_test

import (
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
)

// agents is a gateway with two resource servers, and an agent that logs in there.
type agents struct {
	t   testing.TB
	idp *testidp.Server
	*testgateway.Gateway
	log  string
	dpop *holder // nil: without proofs
}

const masterKey = "l7Hq0nX2uVd5yBz8eKc3RfTgW9sJmPaO4iUxYvNbLwE="

// ownTokens runs a site before an IdP; {idp} stands for its address and {issuer} for that
// of its metadata.
func ownTokens(t testing.TB, b testidp.Behavior, idpOptions, options string) *agents {
	b.Clients = []testidp.Client{{ID: "gateway", Secret: "s3cret"}}
	b.ResponseModes = []string{"query"}
	address := testgateway.NewAddress(t)
	b.Clients[0].RedirectURIs = []string{"http://" + address + "/oauth/callback"}
	server := testidp.Run(t, b)
	a := &agents{t: t, idp: server, log: filepath.Join(t.TempDir(), "log")}
	self := "http://" + address
	if !strings.Contains(options, "default_scope") {
		options += "\ndefault_scope read"
	}
	block := strings.NewReplacer("{self}", self, "{idp}", server.IssuerURL(), "{userinfo}", server.HostURL(testidp.UserInfoHost), "{app}", strings.TrimPrefix(app(t).URL, "http://")).Replace(`
		identity_gateway ` + idpOptions + `
			public_url {self}
			callback
			sealing_key ` + masterKey + `
			id_tokens idp
			resource {self}/a {
				scope read profile
				scope write email
				upstream_token
				introspection server-a hQ7vX2mK9pL4wN8rT5yB3zD6-server-a
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
		require_token /a/down {self} {self}/a {
			tokens gateway
			header X-User sub
			upstream_token X-Upstream-Token
		}
		require_token /a/down/calls {self} {self}/a {
			tokens gateway
			upstream_token Authorization
		}
		error /a/down 502
		error /a/down/calls 502
		reverse_proxy {app}
		handle_errors 502 {
			reverse_proxy {app}
		}`)
	a.Gateway = testgateway.Run(t, testgateway.Config{Site: block, Address: address, Log: a.log})
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
	TokenType    string `json:"token_type"`
	RefreshToken string `json:"refresh_token"`
	Scope        string `json:"scope"`
	IDToken      string `json:"id_token"`
}

// logIn logs in; with are parameters of the authorization request.
func (a *agents) logIn(resource string, with ...string) tokens {
	a.t.Helper()
	verifier := rand.Text() + rand.Text()
	q := url.Values{
		"response_type": {"code"}, "client_id": {"agent"}, "redirect_uri": {"http://127.0.0.1:4711/cb"}, "state": {"s"},
		"code_challenge": {string(pkce.Verifier(verifier).S256())}, "code_challenge_method": {"S256"}, "resource": {a.URL() + resource},
	}
	for i := 0; i < len(with); i += 2 {
		q.Set(with[i], with[i+1])
	}
	next := a.URL() + "/authorize?" + q.Encode()
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
	for attempt := 0; ; attempt++ {
		r, err := http.NewRequest(http.MethodPost, a.URL()+path, strings.NewReader(q.Encode()))
		require.NoError(a.t, err)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if a.dpop != nil {
			r.Header.Set("DPoP", a.dpop.key.Proof("POST", a.URL()+path, time.Now(), "", a.dpop.nonce))
		}
		response, err := http.DefaultClient.Do(r)
		require.NoError(a.t, err)
		content, err := io.ReadAll(response.Body)
		response.Body.Close()
		require.NoError(a.t, err)
		if nonce := response.Header.Get("DPoP-Nonce"); nonce != "" && a.dpop != nil {
			a.dpop.nonce = nonce
		}
		if attempt > 0 || !strings.Contains(string(content), "use_dpop_nonce") {
			return response.StatusCode, string(content)
		}
	}
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
			logins := regexp.MustCompile(`"uri":"/a",.*"login_id":"(\w+)"`).FindStringSubmatch(string(log))
			require.NotNil(t, logins, "%s", log)
			require.Regexp(t, `"msg":"tokens issued".*"login_id":"`+logins[1]+`"`, string(log))
		})
	}
}

// While the server behind is down, an error route is led to in its place.
func TestNoErrorRouteGetsTheIdPsToken(t *testing.T) {
	a := ownTokens(t, testidp.Okta(), withDiscovery, "")
	forA := a.logIn("/a").AccessToken
	upstream := a.bearer("/a", forA).seen(t).Header.Get("X-Upstream-Token")
	require.NotEmpty(t, upstream)
	for _, path := range []string{"/a/down", "/a/down/calls"} {
		for name, values := range a.bearer(path, forA).seen(t).Header {
			require.NotContains(t, strings.Join(values, " "), upstream, "%s: %s", path, name)
			require.NotContains(t, strings.Join(values, " "), forA, "%s: %s", path, name)
			require.NotEqual(t, "X-User", name)
		}
	}
}

// bearer is a request with a token, and what came back.
func (a *agents) bearer(path, token string) *response {
	a.t.Helper()
	return get(a.t, a.URL()+path, "Authorization", "Bearer "+token)
}

// edited is the token with another character, whichever one was there.
func edited(token string) string {
	at, other := len(token)-9, "A"
	if token[at] == 'A' {
		other = "B"
	}
	return token[:at] + other + token[at+1:]
}

// Each is what an attacker has, or an agent that mistakes one for another; first it is
// shown to be good where it belongs.
func TestWhereATokenIsNoGood(t *testing.T) {
	a := ownTokens(t, testidp.Okta(), withDiscovery, "")
	forA, forB := a.logIn("/a").AccessToken, a.logIn("/b").AccessToken
	upstream := a.bearer("/a", forA).seen(t).Header.Get("X-Upstream-Token")
	a.bearer("/b", forB).seen(t)
	require.Empty(t, a.bearer("/b", forB).seen(t).Header["X-Upstream-Token"])
	for name, test := range map[string]struct {
		path, token string
		status      int
		says        string
	}{
		"server A's at server B":     {"/b", forA, 401, "for another resource server"},
		"server B's at server A":     {"/a", forB, 401, "for another resource server"},
		"the IdP's":                  {"/a", upstream, 401, "the identity provider's are not accepted here"},
		"of too little scope":        {"/a/write", forA, 403, "does not have the scope"},
		"without the IdP's inside":   {"/b/upstream", forB, 401, "set upstream_token in its resource"},
		"edited":                     {"/a", edited(forA), 401, "or altered"},
		"at the IdP's user info":     {"/userinfo", forA, 401, "for its resource server only"},
		"none":                       {"/a", "", 401, ""},
		"in the query, as one might": {"/a?access_token=" + forA, forA, 400, "access_token in the URL"},
	} {
		t.Run(name, func(t *testing.T) {
			refused := a.bearer(test.path, test.token)
			require.Equal(t, test.status, refused.StatusCode, refused.body)
			require.Contains(t, refused.body, test.says)
			require.Contains(t, refused.Header.Get("WWW-Authenticate"), "Bearer")
			require.NotContains(t, refused.body, "igat_")
		})
	}
	refused := get(t, a.URL()+"/a")
	require.Equal(t, `Bearer scope="read", resource_metadata="`+a.URL()+`/.well-known/oauth-protected-resource/a"`, refused.Header.Get("WWW-Authenticate"))
	described := get(t, a.URL()+"/.well-known/oauth-protected-resource/a")
	require.JSONEq(t, `{"resource":"`+a.URL()+`/a","authorization_servers":["`+a.URL()+`"],"bearer_methods_supported":["header"],"scopes_supported":["read","write"]}`, described.body)
}

// Servers elsewhere: another Caddy with the gateway's sealing key, and one that asks.
func TestAResourceServerInAnotherCaddy(t *testing.T) {
	a := ownTokens(t, testidp.Okta(), withDiscovery+"rotate_refresh\n", "default_scope read offline_access")
	got := a.logIn("/a")
	elsewhere := func(options string) *testgateway.Gateway {
		return testgateway.Run(t, testgateway.Config{Site: strings.NewReplacer("{self}", a.URL(), "{app}", strings.TrimPrefix(app(t).URL, "http://")).Replace(
			"require_token {self} {self}/a {\nscope read\nheader X-User sub\n" + options + "\n}\nreverse_proxy {app}")})
	}
	opens := elsewhere("tokens gateway\nupstream_token X-Upstream-Token\nsealing_key " + masterKey)
	asks := elsewhere("introspection server-a hQ7vX2mK9pL4wN8rT5yB3zD6-server-a {self}/oauth/introspect\ncache 1ns\njwks_uri {self}/none")
	finds := elsewhere("introspection server-a hQ7vX2mK9pL4wN8rT5yB3zD6-server-a\ncache 1ns")
	wrong := elsewhere("introspection server-a another-secret-of-nobody\ncache 1ns")
	other := elsewhere("tokens gateway\nsealing_key " + strings.ToUpper(masterKey[:20]) + masterKey[20:])
	for name, g := range map[string]*testgateway.Gateway{"opens": opens, "asks": asks, "finds": finds} {
		t.Log(name)
		passed := get(t, g.URL()+"/", "Authorization", "Bearer "+got.AccessToken).seen(t)
		require.NotEmpty(t, passed.Header.Get("X-User"))
		require.Equal(t, name == "opens", passed.Header.Get("X-Upstream-Token") != "", "who asks does not get the IdP's token")
	}
	require.Equal(t, 503, get(t, wrong.URL()+"/", "Authorization", "Bearer "+got.AccessToken).StatusCode)
	require.Equal(t, 401, get(t, other.URL()+"/", "Authorization", "Bearer "+got.AccessToken).StatusCode)

	// Revoked, it is no good for who asks, and until it expires for who does not.
	status, content := a.post("/oauth/revoke", "token", got.AccessToken, "client_id", "agent")
	require.Equal(t, 200, status, content)
	require.Equal(t, 401, get(t, asks.URL()+"/", "Authorization", "Bearer "+got.AccessToken).StatusCode)
	get(t, opens.URL()+"/", "Authorization", "Bearer "+got.AccessToken).seen(t)
	status, content = a.post("/oauth/token", "grant_type", "refresh_token", "refresh_token", got.RefreshToken, "client_id", "agent")
	require.Equal(t, 400, status, content)
}

// A user who is disabled at the IdP gets nothing new.
func TestARefreshGoesThroughTheIdP(t *testing.T) {
	a := ownTokens(t, testidp.Okta(), withDiscovery+"rotate_refresh\n", "default_scope read offline_access")
	got := a.logIn("/a")
	next := a.token("grant_type", "refresh_token", "refresh_token", got.RefreshToken)
	require.NotEqual(t, got.AccessToken, next.AccessToken)
	a.bearer("/a", next.AccessToken).seen(t)
	a.idp.Forget()
	status, content := a.post("/oauth/token", "grant_type", "refresh_token", "refresh_token", next.RefreshToken, "client_id", "agent")
	require.Equal(t, 400, status, content)
	require.Contains(t, content, "invalid_grant")
}

// RFC 9470: the client of a login that is not enough logs in again with what the challenge asks for.
func TestAStrongerLoginAtAGateway(t *testing.T) {
	a := ownTokens(t, testidp.Okta(), withDiscovery+"step_up\n", "")
	g := testgateway.Run(t, testgateway.Config{Site: strings.ReplaceAll(
		"require_token {self} {self}/a {\ntokens gateway\nsealing_key "+masterKey+"\nacr phr\nmax_age 10m\n}\nrespond ok", "{self}", a.URL())})
	weak := get(t, g.URL()+"/", "Authorization", "Bearer "+a.logIn("/a").AccessToken)
	require.Equal(t, 401, weak.StatusCode)
	require.Contains(t, weak.Header.Get("WWW-Authenticate"), `error="insufficient_user_authentication"`)
	require.Contains(t, weak.Header.Get("WWW-Authenticate"), `acr_values="phr", max_age="600"`)
	strong := get(t, g.URL()+"/", "Authorization", "Bearer "+a.logIn("/a", "acr_values", "phr", "max_age", "600").AccessToken)
	require.Equal(t, 200, strong.StatusCode)
}
