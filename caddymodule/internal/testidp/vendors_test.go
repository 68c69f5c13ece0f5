package testidp_test

import (
	"crypto/rand"
	"encoding/json"
	"html"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
	"github.com/identity-gateway/caddy-identity-gateway/idp/users"
)

const (
	loginHost   = "https://login.example.com"
	mcpResource = "https://mcp.example.com/mcp"
	appCallback = "https://app.example.com/callback"
	callbackAt  = loginHost + "/oauth/callback"
	entra       = "https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490"
)

// vendorLogin is a gateway in front of a vendor, whose own addresses it knows.
type vendorLogin struct {
	t       *testing.T
	server  *testidp.Server
	hosts   map[string]testidp.Host // the vendor's
	handler http.Handler
	keys    *seal.Keys
}

// newVendorLogin starts the vendor; hosts are its own.
func newVendorLogin(t *testing.T, b testidp.Behavior, hosts map[string]testidp.Host, config idp.Config) *vendorLogin {
	server := testidp.Run(t, b)
	config.Parameters, config.PublicURL, config.Callback, config.Rotation = idp.OAuthParameters, loginHost, new(idp.CallbackConfig), new(rotation.Config)
	config.Clients = []idp.ClientConfig{{ID: "agent", RedirectURIs: []string{appCallback}, IdPClient: &idp.IdPClientConfig{ID: "gateway", Secret: "s3cret", AuthMethod: "client_secret_post"}}}
	policy, err := idp.NewPolicy(config)
	require.NoError(t, err)
	master := make([]byte, seal.MinMaster)
	_, _ = rand.Read(master)
	v := &vendorLogin{t: t, server: server, hosts: hosts}
	v.keys, err = seal.NewKeys([][]byte{master}, time.Now)
	require.NoError(t, err)
	gateway, err := idp.NewGateway(policy, idp.Parts{Transport: v, Keys: seal.Static(v.keys), Replay: replay.NewMemory(1000, time.Now)})
	require.NoError(t, err)
	v.handler = gateway.Handler(http.NotFoundHandler())
	return v
}

// RoundTrip reaches the vendor, whatever host it has today.
func (v *vendorLogin) RoundTrip(r *http.Request) (*http.Response, error) {
	host, known := v.hosts[r.URL.Host]
	require.True(v.t, known, r.URL)
	at, err := url.Parse(v.server.HostURL(host))
	require.NoError(v.t, err)
	there := r.Clone(r.Context())
	there.URL.Scheme, there.URL.Host, there.Host = at.Scheme, at.Host, ""
	return http.DefaultTransport.RoundTrip(there)
}

// vendorTokens are a response of the gateway's token endpoint.
type vendorTokens struct {
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token"`
	Scope        string
	Error        string
	Description  string `json:"error_description"`
}

func (v *vendorLogin) post(form url.Values) (tokens vendorTokens) {
	r := httptest.NewRequest(http.MethodPost, loginHost+"/oauth/token", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	v.handler.ServeHTTP(w, r)
	require.NoError(v.t, json.Unmarshal(w.Body.Bytes(), &tokens), w.Body.String())
	return tokens
}

// logIn is a whole login, by the addresses that the vendor is known by.
func (v *vendorLogin) logIn(user string) vendorTokens {
	verifier := oauth2.GenerateVerifier()
	w := httptest.NewRecorder()
	v.handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, loginHost+"/authorize?"+url.Values{
		"response_type": {"code"}, "client_id": {"agent"}, "redirect_uri": {appCallback}, "state": {"s"}, "resource": {mcpResource},
		"code_challenge": {oauth2.S256ChallengeFromVerifier(verifier)}, "code_challenge_method": {"S256"},
	}.Encode(), nil))
	cookies := w.Result().Cookies()
	r, err := http.NewRequestWithContext(v.t.Context(), http.MethodGet, w.Header().Get("Location"), nil)
	require.NoError(v.t, err)
	r.AddCookie(testidp.UserCookie(user))
	response, err := v.RoundTrip(r)
	require.NoError(v.t, err)
	page, err := io.ReadAll(response.Body)
	require.NoError(v.t, err)
	require.NoError(v.t, response.Body.Close())
	back := comingBack(response.Header.Get("Location"), string(page))
	for _, cookie := range cookies {
		back.AddCookie(cookie)
	}
	w = httptest.NewRecorder()
	v.handler.ServeHTTP(w, back)
	arrived, err := url.Parse(w.Header().Get("Location"))
	require.NoError(v.t, err)
	require.NotEmpty(v.t, arrived.Query().Get("code"), "%d %s %s", w.Code, arrived, w.Body)
	return v.post(url.Values{
		"grant_type": {"authorization_code"}, "client_id": {"agent"}, "redirect_uri": {appCallback}, "code_verifier": {verifier}, "code": {arrived.Query().Get("code")},
	})
}

var hidden = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)">`)

// comingBack is the browser's request to the gateway: a redirect, or the form of a page.
func comingBack(location, page string) *http.Request {
	if location != "" {
		return httptest.NewRequest(http.MethodGet, location, nil)
	}
	form := make(url.Values)
	for _, input := range hidden.FindAllStringSubmatch(page, -1) {
		form.Set(html.UnescapeString(input[1]), html.UnescapeString(input[2]))
	}
	r := httptest.NewRequest(http.MethodPost, callbackAt, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

// opened is an access token of the gateway's.
func (v *vendorLogin) opened(token string) *gatewaytoken.Token {
	t, err := gatewaytoken.Open(v.t.Context(), seal.Static(v.keys), loginHost, token, time.Now())
	require.NoError(v.t, err)
	return t
}

func (v *vendorLogin) renew(tokens vendorTokens) vendorTokens {
	return v.post(url.Values{"grant_type": {"refresh_token"}, "client_id": {"agent"}, "refresh_token": {tokens.RefreshToken}})
}

func ofClaim(path string, values ...string) []users.Rule {
	return []users.Rule{{Claims: []users.Claim{{Path: path, Values: values}}}}
}

// At GitHub a login is for the members of an organization or a team, which its API says if the scope
// is there. GitHub Apps have refresh tokens and no scopes; the tokens of its OAuth apps don't expire, so
// that a refresh asks GitHub whose they are.
func TestALoginAtGitHub(t *testing.T) {
	member := map[string]any{"orgs": []string{"other", "example"}, "teams": []string{"example/platform"}}
	for name, tt := range map[string]struct {
		rule  []users.Rule
		scope []string // at GitHub
		user  string
		says  string
		app   bool // a GitHub App
	}{
		"by a GitHub App":           {rule: ofClaim("orgs", "example"), scope: []string{"read:user", "read:org"}, user: "ada", app: true},
		"a member":                  {rule: ofClaim("orgs", "example"), scope: []string{"read:user", "read:org"}, user: "ada"},
		"of a team":                 {rule: ofClaim("teams", "example/platform"), scope: []string{"read:user", "read:org"}, user: "ada"},
		"nobody of it":              {rule: ofClaim("orgs", "example"), scope: []string{"read:user", "read:org"}, user: "eve", says: "may not come in"},
		"of no team":                {rule: ofClaim("teams", "example/platform"), scope: []string{"read:user", "read:org"}, user: "eve", says: "may not come in"},
		"a scope that is not there": {rule: ofClaim("teams", "example/platform"), scope: []string{"read:user"}, user: "ada", says: "may not come in"},
	} {
		t.Run(name, func(t *testing.T) {
			b := testidp.GitHub(testidp.Client{ID: "gateway", Secret: "s3cret", RedirectURIs: []string{callbackAt}})
			if tt.app {
				b.RefreshTokens, b.RotatesRefreshTokens, b.Grants = true, true, func(string) string { return "" }
			}
			b.Claims = func(user string) map[string]any {
				if user == "ada" {
					return member
				}
				return nil
			}
			v := newVendorLogin(t, b, map[string]testidp.Host{"github.com": testidp.MainHost, "api.github.com": testidp.UserInfoHost}, idp.Config{
				AuthURL: "https://github.com", LogoutProtocol: idp.NoLogout, Users: tt.rule,
				Endpoints: map[idp.Endpoint]string{idp.Authorize: "/login/oauth/authorize", idp.Token: "/login/oauth/access_token", idp.UserInfo: "https://api.github.com/user"},
				Resources: []idp.ResourceConfig{{URI: mcpResource, Scopes: []idp.ScopeConfig{{Name: "mcp.read", AtIdP: tt.scope}}, DefaultScopes: []string{"mcp.read"}}},
			})
			got := v.logIn(tt.user)
			if tt.says != "" {
				require.Equal(t, "access_denied", got.Error)
				require.Contains(t, got.Description, tt.says)
				return
			}
			require.Equal(t, "mcp.read", got.Scope, "%+v", got)
			require.Equal(t, "583231", v.opened(got.AccessToken).Subject, "the id, not the name, which may change")
			v.server.Requests()
			got = v.renew(got)
			require.Equal(t, "mcp.read", got.Scope, "%+v", got)
			require.Equal(t, "583231", v.opened(got.AccessToken).Subject)
			asked := v.server.Requests()
			require.Equal(t, tt.app, slices.ContainsFunc(asked, func(r testidp.Request) bool { return r.Path == "/login/oauth/access_token" }), "%v", asked)

			belongs, none := maps.Clone(member), map[string]any{"orgs": []string{"other"}, "teams": []string{"other/platform"}}
			maps.Copy(member, none)
			left := v.renew(got)
			require.Equal(t, "invalid_grant", left.Error)
			require.Contains(t, left.Description, "may not come in", "who has left the organization")
			maps.Copy(member, belongs)
			got = v.renew(got)
			require.Empty(t, got.Error, "%+v", got)
			v.server.Forget()
			require.Equal(t, "invalid_grant", v.renew(got).Error, "whose token was revoked at GitHub")
		})
	}
}

// At Entra ID the gateway sends no resource, which is refused there (AADSTS9010010); groups are ids, and left
// out of a token that would have too many; and it exchanges a token of the login that is for its own app
// (AADSTS500131), at each refresh, too.
func TestALoginAtEntra(t *testing.T) {
	const group = "6f0c9f1a-3b6e-4b7c-9d0e-1a2b3c4d5e6f"
	own := []string{"api://gateway/mcp.read"}
	for name, tt := range map[string]struct {
		claims map[string]any
		scope  []string // at Entra ID
		code   string
		says   string
	}{
		"of the group":              {claims: map[string]any{"groups": []string{group}}, scope: own},
		"of another group":          {claims: map[string]any{"groups": []string{"11111111-3b6e-4b7c-9d0e-1a2b3c4d5e6f"}}, scope: own, code: "access_denied", says: "may not come in"},
		"of too many groups":        {claims: map[string]any{"_claim_names": map[string]string{"groups": "src1"}}, scope: own, code: "access_denied", says: "may not come in"},
		"a token that is for Graph": {claims: map[string]any{"groups": []string{group}}, scope: []string{"User.Read"}, code: "server_error", says: "(invalid_grant)"},
	} {
		t.Run(name, func(t *testing.T) {
			b := testidp.Entra(testidp.Client{ID: "gateway", Secret: "s3cret", RedirectURIs: []string{callbackAt}})
			b.Issuer, b.Claims = entra+"/v2.0", func(string) map[string]any { return tt.claims }
			v := newVendorLogin(t, b, map[string]testidp.Host{"login.microsoftonline.com": testidp.MainHost, "graph.microsoft.com": testidp.UserInfoHost}, idp.Config{
				AuthURL: entra, Issuer: b.Issuer, Users: ofClaim("groups", group),
				Endpoints: map[idp.Endpoint]string{idp.Authorize: "/oauth2/v2.0/authorize", idp.Token: "/oauth2/v2.0/token", idp.UserInfo: "https://graph.microsoft.com/oidc/userinfo", idp.Logout: "/oauth2/v2.0/logout"},
				Resources: []idp.ResourceConfig{{
					URI: mcpResource, Scopes: []idp.ScopeConfig{{Name: "mcp.read", AtIdP: tt.scope}}, DefaultScopes: []string{"mcp.read", "offline_access"},
					Exchange: &idp.ExchangeConfig{Audience: "api://ledger"}, UpstreamToken: true,
				}},
			})
			got := v.logIn("ada")
			if tt.code != "" {
				require.Equal(t, tt.code, got.Error, "%+v", got)
				require.Contains(t, got.Description, tt.says)
				require.NotContains(t, got.Description, "AADSTS")
				return
			}
			for range 2 {
				require.Empty(t, got.Error, "%+v", got)
				token := v.opened(got.AccessToken)
				require.Equal(t, "ada", token.Subject)
				exchanged, known := v.server.Lookup(token.Upstream)
				require.True(t, known)
				require.Equal(t, [2]string{"api://ledger", "ada"}, [2]string{exchanged.Audience, exchanged.User})
				got = v.renew(got)
			}
		})
	}
}
