package idp

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/clientmetadata"
)

// unseen admits clients that the gateway has never seen, to one resource.
func unseen(c *Config) {
	c.PublicURL = "https://gateway.example"
	c.Clients = nil
	c.Resources = []ResourceConfig{{
		URI: "https://mcp.example/mcp", Scopes: []ScopeConfig{{Name: "mcp.read", AtIdP: []string{"api://app/mcp.read"}}}, DefaultScopes: []string{"mcp.read"},
		Tokens: IdPTokens,
	}}
	c.DynamicClients = &DynamicClientsConfig{
		IdPClient: IdPClientConfig{ID: "gateway", Secret: "s"}, Allow: []string{"cursor", "https://app.example/cb"},
		Registration: &RegistrationConfig{}, MetadataDocuments: &MetadataDocumentsConfig{},
	}
}

// documents are metadata documents by client id.
type documents map[string]string

// Get implements [DocumentSource].
func (d documents) Get(_ context.Context, id string) (*clientmetadata.Document, error) {
	if d[id] == "" {
		return nil, fmt.Errorf("%w: its host does not answer", clientmetadata.ErrUnavailable)
	}
	return clientmetadata.Parse(id, []byte(d[id]))
}

// claudeCode is the metadata document of Claude Code:
// https://github.com/anthropics/claude-code/issues/64705.
const (
	claudeCode         = "https://claude.ai/oauth/claude-code-client-metadata"
	claudeCodeDocument = `{"client_id":"` + claudeCode + `","client_name":"Claude Code","client_uri":"https://claude.ai",` +
		`"redirect_uris":["http://localhost/callback","http://127.0.0.1/callback"],"grant_types":["authorization_code","refresh_token"],` +
		`"response_types":["code"],"token_endpoint_auth_method":"none"}`
	evil         = "https://evil.example/client.json"
	evilDocument = `{"client_id":"` + evil + `","client_name":"Claude","redirect_uris":["https://evil.example/cb","javascript:alert(1)","data:text/html,x","vscode://evil/cb"]}`
)

// newUnseen is a gateway that admits clients that it has never seen.
func newUnseen(t testing.TB, with ...func(*Config)) *served {
	s := newServed(t, append([]func(*Config){func(c *Config) { unseen(c) }}, with...)...)
	return s
}

// unseenAgent is a client that the gateway has never seen, and the browser of its user.
type unseenAgent struct {
	*served
	id, redirectURI string
	cookie          string
}

func (a *unseenAgent) query(with ...string) string {
	q := url.Values{
		"response_type": {"code"}, "client_id": {a.id}, "redirect_uri": {a.redirectURI}, "state": {"s"}, "resource": {"https://mcp.example/mcp"},
		"code_challenge": {string(Verifier(testVerifier).S256())}, "code_challenge_method": {"S256"},
	}
	return replaced(q, with)
}

// open loads /authorize in a browser.
func (a *unseenAgent) open(with ...string) *Result {
	result := a.do("GET", "/authorize?"+a.query(with...), "", "Accept", "text/html", "Cookie", a.cookie)
	if set := result.Header.Get("Set-Cookie"); set != "" {
		a.cookie, _, _ = strings.Cut(set, ";")
	}
	return result
}

// allow sends the form of a consent page, and returns the state that the IdP gets.
func (a *unseenAgent) allow(page *Result) string {
	a.t.Helper()
	require.Equal(a.t, http.StatusOK, page.Status, string(page.Body))
	a.sealed.pass(consentPause)
	form := url.Values{"transaction": {transaction(a.t.(*testing.T), page.Response)}, "decision": {"allow"}}
	allowed := a.do("POST", "/oauth/consent", form.Encode(), "Accept", "text/html", "Cookie", a.cookie)
	require.Equal(a.t, http.StatusSeeOther, allowed.Status, string(allowed.Body))
	at, err := url.Parse(allowed.Header.Get("Location"))
	require.NoError(a.t, err)
	require.Equal(a.t, "gateway", at.Query().Get("client_id"))
	require.Equal(a.t, "api://app/mcp.read", at.Query().Get("scope"))
	return at.Query().Get("state")
}

// code is the client's after a login that its user has allowed.
func (a *unseenAgent) code(with ...string) string {
	a.t.Helper()
	called := a.do("GET", "/oauth/callback?code=idp-code&state="+a.allow(a.open(with...)), "", "Accept", "text/html", "Cookie", a.cookie)
	require.Equal(a.t, http.StatusSeeOther, called.Status, string(called.Body))
	back, err := url.Parse(called.Header.Get("Location"))
	require.NoError(a.t, err)
	require.True(a.t, strings.HasPrefix(back.String(), a.redirectURI), back)
	require.Equal(a.t, "https://gateway.example", back.Query().Get("iss"))
	return back.Query().Get("code")
}

// exchange redeems a code.
func (a *unseenAgent) exchange(code string, with ...string) *Result {
	return a.do("POST", "/oauth/token", form(append([]string{"client_id", a.id, "redirect_uri", a.redirectURI, "code", code}, with...)...))
}

// register registers a client with the gateway.
func (s *served) register(body string) (registrationResponse, *Result) {
	s.t.Helper()
	result := s.Serve(s.json(body))
	var r registrationResponse
	if result.Status == http.StatusCreated {
		require.NoError(s.t, json.Unmarshal(result.Body, &r))
	}
	return r, result
}

// registeredAgent is a client that has registered, with one redirect URI.
func (s *served) registeredAgent(redirectURI string) *unseenAgent {
	s.t.Helper()
	r, result := s.register(`{"client_name":"Agent","redirect_uris":["` + redirectURI + `"]}`)
	require.Equal(s.t, http.StatusCreated, result.Status, string(result.Body))
	return &unseenAgent{served: s, id: r.ClientID, redirectURI: redirectURI}
}

// errorOf is the error code of a response.
func errorOf(r *Result) string {
	var body struct {
		Error string `json:"error"`
	}
	_ = json.Unmarshal(r.Body, &body)
	return body.Error
}

func TestAClientThatRegistersLogsIn(t *testing.T) {
	for _, redirectURI := range []string{"http://127.0.0.1:33418/", "http://localhost:3118/callback", "http://[::1]:9/cb", "cursor://anysphere.cursor-mcp/oauth/callback", "https://app.example/cb"} {
		a := newUnseen(t).registeredAgent(redirectURI)
		if strings.HasPrefix(redirectURI, "http://127") {
			a.redirectURI = "http://127.0.0.1:50123/" // RFC 8252 section 7.3
		}
		a.respond(func(*http.Request) (*http.Response, error) {
			return idpResponse(200, `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-refresh","scope":"api://app/mcp.read"}`), nil
		})
		granted := a.exchange(a.code())
		require.Equal(t, 200, granted.Status, string(granted.Body))
		var token struct {
			Refresh string `json:"refresh_token"`
			Scope   string `json:"scope"`
		}
		require.NoError(t, json.Unmarshal(granted.Body, &token))
		require.Equal(t, "mcp.read", token.Scope)
		refresh := url.Values{"grant_type": {"refresh_token"}, "client_id": {a.id}, "refresh_token": {token.Refresh}}
		require.Equal(t, 200, a.do("POST", "/oauth/token", refresh.Encode()).Status)
		require.Equal(t, "idp-refresh", a.sent[len(a.sent)-1].form.Get("refresh_token"))
		require.Equal(t, a.Policy().dynamicLabel(a.id), a.do("POST", "/oauth/token", refresh.Encode()).Decision.ClientID)

		other := a.registeredAgent(redirectURI)
		require.NotEqual(t, a.id, other.id)
		refresh.Set("client_id", other.id)
		stolen := a.do("POST", "/oauth/token", refresh.Encode())
		require.Equal(t, "invalid_grant", errorOf(stolen), "a refresh token of agent A at agent B")
		revoke := url.Values{"client_id": {other.id}, "token": {token.Refresh}}
		require.Equal(t, "invalid_grant", errorOf(a.do("POST", "/oauth/revoke", revoke.Encode())))
	}
}

// json is a registration.
func (s *served) json(body string, header ...string) Request {
	r := s.request("POST", "/oauth/register", body, header...)
	r.Header.Set("Content-Type", "application/json")
	return r
}
