package idp

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/clientmetadata"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pages"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
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
	if _, err := clientmetadata.ParseID(id); err != nil {
		return nil, err
	}
	if d[id] == "" {
		return nil, fmt.Errorf("%w: its host does not answer", clientmetadata.ErrUnavailable)
	}
	return clientmetadata.Parse(id, []byte(d[id]))
}

// Used implements [DocumentSource].
func (d documents) Used(id, user string) { d["used by "+user] = id }

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
	return loginQuery(append([]string{"client_id", a.id, "redirect_uri", a.redirectURI, "resource", "https://mcp.example/mcp"}, with...)...)
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
	a.sealed.pass(pages.Pause)
	form := url.Values{"transaction": {transaction(a.t, page.Response)}, "decision": {"allow"}}
	allowed := a.do("POST", "/oauth/consent", form.Encode(), "Accept", "text/html", "Cookie", a.cookie)
	require.Equal(a.t, http.StatusSeeOther, allowed.Status, string(allowed.Body))
	at := must.Have(url.Parse(allowed.Header.Get("Location")))(a.t)
	require.Equal(a.t, "gateway", at.Query().Get("client_id"))
	require.Contains(a.t, at.Query().Get("scope"), "api://app/mcp.read")
	return at.Query().Get("state")
}

// code is the client's after a login that its user has allowed.
func (a *unseenAgent) code(with ...string) string {
	a.t.Helper()
	called := a.do("GET", "/oauth/callback?code="+rand.Text()+"&state="+a.allow(a.open(with...)), "", "Accept", "text/html", "Cookie", a.cookie)
	require.Equal(a.t, http.StatusSeeOther, called.Status, string(called.Body))
	back := must.Have(url.Parse(called.Header.Get("Location")))(a.t)
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
	var body granted
	_ = json.Unmarshal(r.Body, &body)
	return string(body.Error)
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
		require.Equal(t, "Agent", granted.Issued.ClientName)
		token := a.given(granted)
		require.Equal(t, "mcp.read", token.Scope)
		refresh := url.Values{"grant_type": {"refresh_token"}, "client_id": {a.id}, "refresh_token": {token.RefreshToken}}
		require.Equal(t, 200, a.do("POST", "/oauth/token", refresh.Encode()).Status)
		require.Equal(t, "idp-refresh", a.sent[len(a.sent)-1].form.Get("refresh_token"))
		require.Equal(t, "dynamic:"+base64.RawURLEncoding.EncodeToString([]byte(login.NewReference(a.id)[1:])), a.do("POST", "/oauth/token", refresh.Encode()).Decision.ClientID)

		other := a.registeredAgent(redirectURI)
		require.NotEqual(t, a.id, other.id)
		refresh.Set("client_id", other.id)
		stolen := a.do("POST", "/oauth/token", refresh.Encode())
		require.Equal(t, "invalid_grant", errorOf(stolen), "a refresh token of agent A at agent B")
		revoke := url.Values{"client_id": {other.id}, "token": {token.RefreshToken}}
		require.Equal(t, "invalid_grant", errorOf(a.do("POST", "/oauth/revoke", revoke.Encode())))
	}
}

// json is a registration.
func (s *served) json(body string, header ...string) Request {
	r := s.request("POST", "/oauth/register", body, header...)
	r.Header.Set("Content-Type", "application/json")
	return r
}

func TestAClientWithAMetadataDocumentLogsIn(t *testing.T) {
	a := &unseenAgent{served: newUnseen(t), id: claudeCode, redirectURI: "http://localhost:51234/callback"}
	code := a.code()
	require.NotContains(t, slices.Collect(maps.Values(a.parts.Documents.(documents))), claudeCode, "which is no more than asked for")
	require.Equal(t, 200, a.exchange(code).Status)
	require.Contains(t, slices.Collect(maps.Values(a.parts.Documents.(documents))), claudeCode, "has got a token")
	page := string(a.open().Body)
	for _, shown := range []string{
		"Allow a program that says it is from <strong>claude.ai</strong> to use your account?", "It calls itself “<strong>Claude Code</strong>”. None of that is verified", "a program on this computer, <code>localhost:51234</code>",
		"call <code>https://mcp.example/mcp</code> for you", "<code>mcp.read</code>",
	} {
		require.Contains(t, page, shown)
	}
	require.NotContains(t, page, "api://app")
}

// What a page says of a client that nobody knows.
func TestTheConsentPageOfAClientThatNobodyKnows(t *testing.T) {
	s := newUnseen(t)
	a := s.registeredAgent("http://127.0.0.1:33418/")
	page := a.open()
	require.Contains(t, string(page.Body), "Allow an app that calls itself “<strong>Agent</strong>” to use your account?")
	require.Contains(t, string(page.Body), "This name is not verified")
	require.Equal(t, "same-origin", page.Header.Get("Cross-Origin-Opener-Policy"))

	nameless, _ := s.register(`{"redirect_uris":["http://localhost/cb"]}`)
	require.Contains(t, string((&unseenAgent{served: s, id: nameless.ClientID, redirectURI: "http://localhost/cb"}).open().Body), "Allow an app that has no name to use your account?")

	phisher := &unseenAgent{served: s, id: evil, redirectURI: "https://evil.example/cb"}
	page = phisher.open()
	require.Contains(t, string(page.Body), "Allow <strong>evil.example</strong> to use your account?")
	require.Contains(t, string(page.Body), "“<strong>Claude</strong>”. This name is not verified, only the address is.")
	require.Contains(t, string(page.Body), "<code>evil.example</code>, which may then")
	require.Contains(t, string(page.Body), "did not just start this in <strong>evil.example</strong> yourself")
	require.Empty(t, page.Header.Get("Cross-Origin-Opener-Policy"), "the page of a web app may wait for its pop-up")
	require.Contains(t, string(page.Body), "Allow needs JavaScript")
}

// Consent is for one login, in one browser.
func TestConsentOfAClientThatNobodyKnows(t *testing.T) {
	s := newUnseen(t)
	a := s.registeredAgent("http://127.0.0.1:33418/")
	state := a.allow(a.open())
	callback := "/oauth/callback?code=idp-code&state=" + state
	require.Equal(t, http.StatusForbidden, s.do("GET", callback, "", "Accept", "text/html").Status, "approved in another browser")
	require.Equal(t, http.StatusSeeOther, s.do("GET", callback, "", "Accept", "text/html", "Cookie", a.cookie).Status)
	require.Contains(t, string(a.open().Body), "Allow", "nothing is remembered")

	for name, query := range map[string][]string{"silently": {"prompt", "none"}, "silently, by another name": {"prompt", "none login"}} {
		refused := a.open(query...)
		require.Equal(t, http.StatusBadRequest, refused.Status, name)
		require.Empty(t, refused.Header.Get("Location"), name)
	}
	api := s.do("GET", "/authorize?"+a.query(), "", "Accept", "application/json")
	require.Equal(t, "consent_required", errorOf(api), "without a page")

	// A state that nobody approved, as a gateway without consent would have sealed it.
	client := must.Have(s.Policy().openClientID(s.sealed.s, a.id, Authorize))(t)
	q := must.Have(params.Parse(a.query(), "query"))(t)
	request := must.Have(s.Policy().newAuthorizeRequest(clients.DynamicParty(a.id, client), &q))(t)
	unapproved := request.sealPending(s.Policy(), s.sealed.s)
	refused := s.do("GET", "/oauth/callback?code=c&state="+unapproved, "", "Accept", "text/html", "Cookie", a.cookie)
	require.Equal(t, http.StatusBadRequest, refused.Status)
	require.Contains(t, string(refused.Body), "nobody has approved this login")
}

// Each is refused on a page of the gateway's own: nothing goes to an address that is not
// the client's.
func TestWhereTheCodesOfUnseenClientsDoNotGo(t *testing.T) {
	s := newUnseen(t)
	registered := s.registeredAgent("http://127.0.0.1:33418/callback")
	for name, a := range map[string]*unseenAgent{
		"not registered":                  {id: registered.id, redirectURI: "https://evil.example/cb"},
		"allowed, and not registered":     {id: registered.id, redirectURI: "https://app.example/cb"},
		"another path on loopback":        {id: registered.id, redirectURI: "http://127.0.0.1:33418/other"},
		"another name of loopback":        {id: registered.id, redirectURI: "http://localhost:33418/callback"},
		"user information":                {id: registered.id, redirectURI: "http://127.0.0.1:33418@evil.example/callback"},
		"a script":                        {id: registered.id, redirectURI: "javascript:alert(1)"},
		"a script that the document has":  {id: evil, redirectURI: "javascript:alert(1)"},
		"data that the document has":      {id: evil, redirectURI: "data:text/html,x"},
		"a scheme that the document has":  {id: evil, redirectURI: "vscode://evil/cb"},
		"not in the document":             {id: claudeCode, redirectURI: "http://localhost:51234/callback/x"},
		"a host that the document is not": {id: claudeCode, redirectURI: "http://localhost.evil.example/callback"},
		"the gateway's callback":          {id: evil, redirectURI: "https://gateway.example/oauth/callback"},
	} {
		a.served = s
		result := a.open()
		require.Equal(t, http.StatusBadRequest, result.Status, name)
		require.Empty(t, result.Header.Get("Location"), name)
		require.NotContains(t, string(result.Body), "transaction", name)
	}
}

// Errors of a client that nobody trusts are shown here, with a link at most: /authorize is
// no open redirector.
func TestErrorsOfUnseenClientsStayHere(t *testing.T) {
	a := &unseenAgent{served: newUnseen(t), id: evil, redirectURI: "https://evil.example/cb"}
	for _, with := range [][]string{{"code_challenge", "x"}, {"resource", "https://other.example/mcp"}, {"scope", "openid"}, {"response_type", "token"}} {
		result := a.open(with...)
		require.Equal(t, http.StatusBadRequest, result.Status, with)
		require.Empty(t, result.Header.Get("Location"), with)
	}
	require.Empty(t, a.sent, "and the identity provider is not asked")
}

func TestClientIDsThatAreNotTheGateways(t *testing.T) {
	s := newUnseen(t)
	a := s.registeredAgent("http://127.0.0.1:33418/")
	code := a.code()
	elsewhere := func(with ...func(*Config)) *unseenAgent {
		return &unseenAgent{served: newUnseen(t, with...), id: a.id, redirectURI: a.redirectURI}
	}
	retired := newUnseen(t)
	retired.parts.Keys = seal.Static(keysOf(t, retired, "another"))
	sealedAs := func(purpose string) *unseenAgent {
		return &unseenAgent{served: s, id: purpose, redirectURI: a.redirectURI}
	}
	edited := []byte(a.id)
	edited[len(edited)/2] ^= 1
	for name, moved := range map[string]*unseenAgent{
		"of another public_url": elsewhere(func(c *Config) { c.PublicURL = "https://other.example" }),
		"of another callback":   elsewhere(func(c *Config) { c.Callback = &CallbackConfig{Path: "/elsewhere"} }),
		"of another IdP":        elsewhere(func(c *Config) { c.AuthURL = "https://other.example" }),
		"after its key's time":  {served: retired, id: a.id, redirectURI: a.redirectURI},
		"edited":                sealedAs(string(edited)),
		"cut":                   sealedAs(a.id[:len(a.id)-4]),
		"a code":                sealedAs(code),
		"made up":               sealedAs("app"),
	} {
		page := moved.open()
		require.Equal(t, http.StatusBadRequest, page.Status, name)
		require.Empty(t, page.Header.Get("Location"), name)
		refused := moved.exchange(code)
		require.Equal(t, http.StatusUnauthorized, refused.Status, name)
		require.Equal(t, "invalid_client", errorOf(refused), name)
		refused = moved.do("POST", "/oauth/revoke", url.Values{"client_id": {moved.id}, "token": {"t"}}.Encode())
		require.Equal(t, "invalid_client", errorOf(refused), name)
	}
	require.Equal(t, 200, a.exchange(code).Status, "nothing of that spends the code")
}

// keysOf are other keys by the clock of a gateway.
func keysOf(t *testing.T, s *served, name string) *seal.Keys {
	return must.Have(seal.NewKeys([][]byte{[]byte(strings.Repeat(name, 8))}, func() time.Time { return s.sealed.now }))(t)
}

// A code is its client's: one that registered in the same way is another.
func TestTheCodeOfOneUnseenClientAtAnother(t *testing.T) {
	s := newUnseen(t)
	a, b := s.registeredAgent("http://127.0.0.1:33418/"), s.registeredAgent("http://127.0.0.1:33418/")
	code := a.code()
	require.Equal(t, "invalid_grant", errorOf(b.exchange(code)))
	documented := &unseenAgent{served: s, id: claudeCode, redirectURI: "http://localhost:1/callback"}
	require.Equal(t, "invalid_grant", errorOf(documented.exchange(code)))
	require.Equal(t, "invalid_grant", errorOf(a.exchange(documented.code())))
	require.Equal(t, "invalid_target", errorOf(a.exchange(code, "resource", "https://other.example/mcp")))
	require.Equal(t, 200, a.exchange(code).Status)
}

func TestARegistrationEnds(t *testing.T) {
	s := newUnseen(t, func(c *Config) { c.DynamicClients.Registration.Lifetime = 24 * time.Hour })
	a := s.registeredAgent("http://127.0.0.1:33418/")
	s.sealed.pass(24*time.Hour - time.Minute)
	require.Equal(t, 200, a.exchange(a.code()).Status)
	s.sealed.pass(time.Minute)
	refused := a.exchange(a.code()) // who has gone to /authorize can do nothing about it
	require.Equal(t, http.StatusUnauthorized, refused.Status)
	require.Equal(t, "invalid_client", errorOf(refused), "on which clients register anew")
	require.Equal(t, "invalid_client", errorOf(s.do("POST", "/oauth/revoke", url.Values{"client_id": {a.id}, "token": {"t"}}.Encode())))
}

// What is no longer allowed is refused of those that have registered it, and a login that
// is under way ends.
func TestAllowedURIsThatAreTakenBack(t *testing.T) {
	s := newUnseen(t)
	a := s.registeredAgent("cursor://anysphere.cursor-mcp/oauth/callback")
	state := a.allow(a.open())
	stricter := newUnseen(t, func(c *Config) { c.DynamicClients.Allow = nil })
	later := &unseenAgent{served: stricter, id: a.id, redirectURI: a.redirectURI, cookie: a.cookie}
	require.Equal(t, http.StatusBadRequest, later.open().Status)
	require.Equal(t, http.StatusBadRequest, stricter.do("GET", "/oauth/callback?code=c&state="+state, "", "Cookie", a.cookie).Status)
}

// While a document can't be had, its client is told to come back, and not to forget who
// it is.
func TestADocumentThatCanNotBeHad(t *testing.T) {
	a := &unseenAgent{served: newUnseen(t), id: "https://away.example/client.json", redirectURI: "https://away.example/cb"}
	require.Equal(t, http.StatusServiceUnavailable, a.open().Status)
	refused := a.exchange("code")
	require.Equal(t, http.StatusServiceUnavailable, refused.Status)
	require.Equal(t, "30", refused.Header.Get("Retry-After"))
	require.Contains(t, string(refused.Body), "must be at a public address")
	require.NotContains(t, string(refused.Body), "does not answer", "what came of it is for the operator alone")
	a.id = "https://evil.example/client.json#"
	require.Equal(t, http.StatusBadRequest, a.open().Status)
}

// The gateway asks itself nothing, however its address is written, there or in the
// configuration.
func TestAddressesOfTheGatewayAreNoClients(t *testing.T) {
	for _, tt := range []struct{ publicURL, id string }{
		{"https://gateway.example", "https://gateway.example/authorize"},
		{"https://gateway.example", "https://gateway.example:443/authorize"},
		{"https://gateway.example:443", "https://gateway.example/authorize"},
		{"https://Gateway.Example", "https://gateway.example/"},
		{"https://gateway.example.", "https://gateway.example/"},
		{"https://gateway.example:8443", "https://gateway.example:8443/client.json"},
		{"https://gateway.example/staff", "https://gateway.example/staff/authorize"},
		{"https://gateway.example/staff", "https://gateway.example/%73taff/authorize"},
		{"https://gateway.example/staff", "https://gateway.example//STAFF/authorize"},
		{"https://xn--bcher-kva.example", "https://xn--bcher-kva.example:443/"},
	} {
		a := &unseenAgent{served: newUnseen(t, func(c *Config) { c.PublicURL = tt.publicURL }), id: tt.id, redirectURI: "https://app.example/cb"}
		page := a.open()
		require.Equal(t, http.StatusBadRequest, page.Status, tt)
		require.Contains(t, string(page.Body), "on the origin of this gateway", tt)
	}
	for _, id := range []string{"https://GATEWAY.example/", "https://gateway.example./", "https://user@gateway.example/", "https://b\u00fccher.example/"} {
		a := &unseenAgent{served: newUnseen(t), id: id, redirectURI: "https://app.example/cb"}
		require.Equal(t, http.StatusBadRequest, a.open().Status, id)
	}
	for _, id := range []string{"https://app.gateway.example/client.json", "https://gateway.example.com/client.json", "https://gateway.example:8443/"} {
		a := &unseenAgent{served: newUnseen(t), id: id, redirectURI: "https://app.example/cb"}
		require.Equal(t, http.StatusServiceUnavailable, a.open().Status, "is asked: %s", id)
	}
}

// Clients of the configuration stay as they are, beside those that nobody knows.
func TestConfiguredClientsBesideUnseenOnes(t *testing.T) {
	s := newUnseen(t, func(c *Config) {
		c.Clients = []ClientConfig{{ID: "app", RedirectURIs: []string{"https://app.example/cb"}, Origins: []string{"https://app.example"}, IdPClient: &IdPClientConfig{ID: "app", Secret: "s"}}}
	})
	s.respond(aToken)
	require.Equal(t, 200, s.redeem(s.logIn()).Status)
	r := s.request("POST", "/oauth/token", form("code", "c"), "Origin", "https://evil.example")
	require.Empty(t, s.Serve(r).Header.Get("Access-Control-Allow-Origin"), "only scripts of its own origins")
	a := s.registeredAgent("http://localhost:6274/oauth/callback")
	r = s.request("POST", "/oauth/token", form("client_id", a.id, "code", "c"), "Origin", "http://localhost:6274")
	require.Equal(t, "http://localhost:6274", s.Serve(r).Header.Get("Access-Control-Allow-Origin"))
	require.Empty(t, s.Serve(r).Header.Get("Access-Control-Allow-Credentials"))
}

func TestWhatDynamicClientsNeed(t *testing.T) {
	requireMistakes(t, map[string]func(*Config){
		"needs metadata_documents, registration, or both": func(c *Config) { c.DynamicClients.Registration, c.DynamicClients.MetadataDocuments = nil, nil },
		"needs public_url": func(c *Config) { c.PublicURL = "" },
		"needs a resource": func(c *Config) { c.Resources = nil },
		"needs a secret, a private_key_jwt or tls_client_auth":     func(c *Config) { c.DynamicClients.IdPClient.Secret = "" },
		"the lifetime must be between 1h and 87600h":               func(c *Config) { c.DynamicClients.Registration.Lifetime = time.Minute },
		"allow cursr is not a known client; use chatgpt, clau":     func(c *Config) { c.DynamicClients.Allow = []string{"cursr"} },
		"allow javascript:alert(1) has a scheme that browsers run": func(c *Config) { c.DynamicClients.Allow = []string{"javascript:alert(1)"} },
		"allow data: has a scheme that browsers run":               func(c *Config) { c.DynamicClients.Allow = []string{"data:"} },
		"allow https: is every address of the web":                 func(c *Config) { c.DynamicClients.Allow = []string{"https:"} },
		"allow https://*.example/cb has a *":                       func(c *Config) { c.DynamicClients.Allow = []string{"https://*.example/cb"} },
		"allow http://app.example/cb must be https":                func(c *Config) { c.DynamicClients.Allow = []string{"http://app.example/cb"} },
		"allow CURSOR: has no scheme in lower case":                func(c *Config) { c.DynamicClients.Allow = []string{"CURSOR:"} },
		"allow https://app.example/cb#x has a fragment":            func(c *Config) { c.DynamicClients.Allow = []string{"https://app.example/cb#x"} },
		"metadata_documents 10.0.0.1 is not the name of a host":    func(c *Config) { c.DynamicClients.MetadataDocuments.Hosts = []string{"10.0.0.1"} },
	}, unseen)
}

// The gateway's own access token names the agent: by the address of its document, or by a
// hash of the id that it was given, which is long.
func TestTheAgentInAnAccessToken(t *testing.T) {
	s := newUnseen(t, func(c *Config) { c.Resources[0].Tokens = GatewayTokens })
	s.respond(func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodGet {
			return idpResponse(200, `{"sub":"ada"}`), nil
		}
		return idpResponse(200, `{"access_token":"at","token_type":"Bearer","scope":"api://app/mcp.read"}`), nil
	})
	agentOf := func(a *unseenAgent) string {
		granted := a.exchange(a.code("scope", "openid mcp.read"))
		require.Equal(t, 200, granted.Status, string(granted.Body))
		token := a.given(granted)
		require.Empty(t, token.IDToken, "which would be for the id that all of them share")
		opened := must.Have(gatewaytoken.Open(t.Context(), s.parts.Keys, "https://gateway.example", token.AccessToken, s.sealed.now))(t)
		require.Equal(t, "ada", opened.Subject)
		revoke := url.Values{"client_id": {a.id}, "token": {token.AccessToken}}
		require.Equal(t, "unsupported_token_type", errorOf(a.do("POST", "/oauth/revoke", revoke.Encode())), "its own, which ends by itself")
		return opened.ClientID
	}
	require.Equal(t, claudeCode, agentOf(&unseenAgent{served: s, id: claudeCode, redirectURI: "http://localhost:51234/callback"}))
	a, b := s.registeredAgent("http://localhost/"), s.registeredAgent("http://localhost/")
	first := agentOf(a)
	require.Regexp(t, `^dynamic:[A-Za-z0-9_-]{22}$`, first)
	require.NotEqual(t, first, agentOf(b))
}

// What the IdP gets as state stays short, however long a client's id is: IdPs bound it.
func TestTheStateOfAnUnseenClientIsShort(t *testing.T) {
	a := newUnseen(t).registeredAgent("https://app.example/cb")
	require.Greater(t, len(a.id), 100)
	require.Less(t, len(a.allow(a.open("state", strings.Repeat("s", 43)))), 350, "of a client's state of 43 characters")
}

// Agents ask for scopes that nobody has told them of, and at a refresh for what they asked
// for in the login, whatever they were granted. None of it gives them more.
func TestScopesThatAgentsMakeUp(t *testing.T) {
	for asked, got := range map[string]string{
		"claudeai":                "mcp.read",
		" offline_access":         "mcp.read offline_access",
		"mcp.read  mcp.write ":    "mcp.read",
		"api://app/mcp.read":      "mcp.read",
		"offline_access mcp.read": "offline_access mcp.read",
	} {
		a := newUnseen(t).registeredAgent("http://127.0.0.1:1/cb")
		a.respond(func(*http.Request) (*http.Response, error) {
			return idpResponse(200, `{"access_token":"at","token_type":"Bearer","refresh_token":"r","scope":"api://app/mcp.read offline_access"}`), nil
		})
		page := string(a.open("scope", asked).Body)
		for _, name := range strings.Fields(asked + " " + got) {
			require.Equal(t, params.HasScope(got, name), strings.Contains(page, "<code>"+name+"</code>"), "the page shows %s of %s", name, asked)
		}
		token := a.given(a.exchange(a.code("scope", asked)))
		require.ElementsMatch(t, strings.Fields(got), strings.Fields(token.Scope), asked)
		for _, again := range []string{asked, "claudeai mcp.read"} {
			renewed := a.do("POST", "/oauth/token", refreshForm(a.id, token.RefreshToken, "scope", again))
			require.Equal(t, http.StatusOK, renewed.Status, "%s: %s", again, renewed.Body)
			require.NotContains(t, a.sent[len(a.sent)-1].form.Get("scope"), "write")
		}
	}
}

// Each agent that people use, as its makers document it and others have recorded it, by its
// metadata document. By registration, at each identity provider, testbed/interop logs them in.
func TestDocumentsOfAgents(t *testing.T) {
	content := must.Have(os.ReadFile("testdata/agents.json"))(t)
	var agents []struct {
		Name        string         `json:"name"`
		Seen        string         `json:"seen"` // when, and of which version
		RedirectURI string         `json:"redirect_uri"`
		Document    jsontext.Value `json:"document"`
	}
	require.NoError(t, json.Unmarshal(content, &agents))
	asked := map[string]string{
		"Claude": "Allow <strong>claude.ai</strong> to", "ChatGPT": "Allow <strong>chatgpt.com</strong> to",
		"Claude Code": "Allow a program that says it is from <strong>claude.ai</strong> to", "VS Code": "Allow a program that says it is from <strong>vscode.dev</strong> to",
		"Copilot CLI": "Allow a program that says it is from <strong>github.com</strong> to", "Codex": "Allow a program that says it is from <strong>chatgpt.com</strong> to",
	}
	for _, agent := range agents {
		require.NotEmpty(t, agent.Seen, agent.Name)
		if len(agent.Document) == 0 {
			continue
		}
		t.Run(agent.Name, func(t *testing.T) {
			id := decoded[map[string]any](t, agent.Document)["client_id"].(string)
			s := newUnseen(t, func(c *Config) { c.DynamicClients.Allow = nil })
			s.parts.Documents = documents{id: string(agent.Document)}
			a := &unseenAgent{served: s, id: id, redirectURI: strings.ReplaceAll(agent.RedirectURI, "{port}", "50123")}
			require.Contains(t, string(a.open().Body), asked[agent.Name])
			require.Equal(t, 200, a.exchange(a.code()).Status)
			delete(asked, agent.Name)
		})
	}
	require.Empty(t, asked)
}

// By offline_access in the metadata agents know that refresh tokens are to be had.
func TestTheScopesThatAgentsAreTold(t *testing.T) {
	for _, dynamic := range []bool{true, false} {
		s := newUnseen(t, func(c *Config) {
			if !dynamic {
				c.DynamicClients, c.Clients = nil, []ClientConfig{{ID: "app", RedirectURIs: []string{"https://app.example/cb"}}}
			}
		})
		told := s.Policy().registry.Scopes([]string{"openid", "offline_access"})
		require.Equal(t, dynamic, slices.Contains(told, "offline_access"))
		require.NotContains(t, s.Policy().registry.Scopes([]string{"openid"}), "offline_access")
		require.Contains(t, told, "mcp.read")
	}
}

// What published clients send: https://github.com/erp-mafia/accounted/pull/2225 and
// https://github.com/microsoft/vscode/issues/278512.
const (
	cursorRegistration = `{"client_name":"Cursor","redirect_uris":["cursor://anysphere.cursor-mcp/oauth/callback",` +
		`"https://www.cursor.com/agents/mcp/oauth/callback","http://localhost:8787/callback"],"grant_types":["authorization_code","refresh_token"],` +
		`"response_types":["code"],"token_endpoint_auth_method":"none"}`
	vscodeRegistration = `{"client_name":"Visual Studio Code","client_uri":"https://code.visualstudio.com","grant_types":["authorization_code","refresh_token"],` +
		`"response_types":["code"],"redirect_uris":["https://insiders.vscode.dev/redirect","https://vscode.dev/redirect","http://127.0.0.1/","http://127.0.0.1:33418/"],` +
		`"scope":"mcp.read","token_endpoint_auth_method":"none","application_type":"native"}`
)

func TestARegistration(t *testing.T) {
	s := newUnseen(t)
	r, result := s.register(cursorRegistration)
	require.Equal(t, http.StatusCreated, result.Status, string(result.Body))
	require.Equal(t, "no-store", result.Header.Get("Cache-Control"))
	require.Equal(t, "application/json", result.Header.Get("Content-Type"))
	require.LessOrEqual(t, len(r.ClientID), 300, r.ClientID)
	require.Equal(t, registrationResponse{
		ClientID: r.ClientID, IssuedAt: s.sealed.now.Unix(), Name: "Cursor",
		RedirectURIs: []string{"cursor://anysphere.cursor-mcp/oauth/callback", "https://www.cursor.com/agents/mcp/oauth/callback", "http://localhost:8787/callback"},
		GrantTypes:   []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"}, AuthMethod: "none",
	}, r)
	require.NotContains(t, string(result.Body), "secret")
	require.NotContains(t, string(result.Body), "gateway", "nothing of the identity provider")

	r, result = s.register(vscodeRegistration)
	require.Equal(t, http.StatusCreated, result.Status)
	require.Equal(t, []string{"http://127.0.0.1/", "http://127.0.0.1:33418/"}, r.RedirectURIs, "vscode is not allowed here")
}

func TestRegistrationsThatAreRejected(t *testing.T) {
	s := newUnseen(t)
	for body, want := range map[string]string{
		"":                                      "invalid_client_metadata",
		"redirect_uris=http://localhost/":       "invalid_client_metadata",
		`[]`:                                    "invalid_client_metadata",
		`{"redirect_uris":"http://localhost/"}`: "invalid_client_metadata",
		`{"redirect_uris":["http://localhost/"],"redirect_uris":[]}`:         "invalid_client_metadata",
		`{"redirect_uris":["http://localhost/"],"client_name":"` + "\xff\"}": "invalid_client_metadata",
		`{"redirect_uris":["http://localhost/"]} {}`:                         "invalid_client_metadata",
		`{}`:                   "invalid_redirect_uri",
		`{"redirect_uris":[]}`: "invalid_redirect_uri",
		`{"redirect_uris":["http://localhost/` + strings.Repeat("x", 1024) + `"]}`:                  "invalid_redirect_uri",
		`{"redirect_uris":[` + strings.Repeat(`"http://localhost/",`, 32) + `"http://localhost/"]}`: "invalid_redirect_uri",
	} {
		_, result := s.register(body)
		require.Equal(t, http.StatusBadRequest, result.Status, body)
		require.Equal(t, want, errorOf(result), body)
		require.Equal(t, "no-store", result.Header.Get("Cache-Control"))
	}
	_, result := s.register(`{"redirect_uris":["http://localhost/"],"x":"` + strings.Repeat("x", 16<<10) + `"}`)
	require.Equal(t, http.StatusRequestEntityTooLarge, result.Status)
	require.Contains(t, string(result.Body), "16384 bytes")
	for _, header := range [][]string{{"Content-Type", "text/plain"}, {"Content-Encoding", "gzip"}, {"Content-Type", "application/json; charset=utf-16"}} {
		r := s.json(cursorRegistration)
		r.Header.Set(header[0], header[1])
		require.Equal(t, "invalid_client_metadata", errorOf(s.Serve(r)), header)
	}
	require.Equal(t, http.StatusMethodNotAllowed, s.do("GET", "/oauth/register", "").Status)
	require.Equal(t, http.StatusNotFound, s.do("POST", "/oauth/Register", "").Status)
	require.Nil(t, newServed(t).do("POST", "/oauth/register", ""), "off, which is the next handler's")
}

// What is remembered of a name is what fits on a page.
func TestNamesOfClients(t *testing.T) {
	s := newUnseen(t)
	for name, want := range map[string]string{
		"Claude Code (my-server)":     "Claude Code (my-server)",
		"  two\n\tlines ":             "two lines",
		strings.Repeat("ü", 64):       strings.Repeat("ü", 64),
		strings.Repeat("ü", 65):       strings.Repeat("ü", 63) + "…",
		"":                            "",
		`"><script>alert(1)</script>`: `"><script>alert(1)</script>`,
	} {
		body := must.Have(json.Marshal(map[string]any{"redirect_uris": []string{"http://localhost/"}, "client_name": name}))(t)
		r, _ := s.register(string(body))
		require.Equal(t, want, r.Name)
		page := string((&unseenAgent{served: s, id: r.ClientID, redirectURI: "http://localhost/"}).open().Body)
		require.NotContains(t, page, "<script>alert")
	}
}

// Scripts of any origin may register: Inspector is one.
func TestRegistrationFromScripts(t *testing.T) {
	s := newUnseen(t)
	preflight := s.Serve(s.request("OPTIONS", "/oauth/register", "", "Origin", "http://localhost:6274", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "content-type"))
	require.Equal(t, http.StatusNoContent, preflight.Status)
	require.Equal(t, "http://localhost:6274", preflight.Header.Get("Access-Control-Allow-Origin"))
	require.Contains(t, preflight.Header.Get("Access-Control-Allow-Headers"), "Content-Type")
	require.Empty(t, preflight.Header.Get("Access-Control-Allow-Credentials"))
	result := s.Serve(s.json(cursorRegistration, "Origin", "http://localhost:6274"))
	require.Equal(t, "http://localhost:6274", result.Header.Get("Access-Control-Allow-Origin"))
}

// A flood of registrations fills nothing.
func TestAFloodOfRegistrations(t *testing.T) {
	s := newUnseen(t)
	s.register(cursorRegistration)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range 20_000 {
		if _, result := s.register(fmt.Sprintf(`{"client_name":"flood %d","redirect_uris":["http://localhost:%d/callback"]}`, i, 1024+i)); result.Status != http.StatusCreated {
			t.Fatal(string(result.Body))
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	require.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(1<<20), "bytes that a gateway keeps of 20,000 registrations")
}

func BenchmarkRegister(b *testing.B) {
	s := newUnseen(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, result := s.register(cursorRegistration); result.Status != http.StatusCreated {
			b.Fatal(string(result.Body))
		}
	}
}

// FuzzRegistration: what is registered can be opened, has no address but allowed ones, and
// is where codes may go.
func FuzzRegistration(f *testing.F) {
	for _, seed := range []string{
		cursorRegistration, vscodeRegistration, `{"redirect_uris":["http://localhost@evil.example/"]}`, `{"redirect_uris":["javascript:alert(1)","http://localhost/"]}`,
		`{"client_name":"\u202eClaude","redirect_uris":["http://127.0.0.1:80/cb?x#"]}`, `{"redirect_uris":["cursor://anysphere.cursor-mcp/oauth/callback#x"]}`, `{"redirect_uris":null}`,
	} {
		f.Add(seed)
	}
	s := newUnseen(f, func(c *Config) { c.DynamicClients.Allow = append(uris.Published(), "windsurf:") })
	hosts := make(map[string]bool)
	for _, name := range uris.Published() {
		redirects, _ := uris.PublishedClient(name)
		for _, redirect := range redirects {
			u := must.Have(url.Parse(redirect))(f)
			hosts[u.Host] = true
		}
	}
	f.Fuzz(func(t *testing.T, body string) {
		r, err := s.configured.registry.Dynamic.ParseRegistration(http.Header{"Content-Type": {"application/json"}}, body)
		if err != nil {
			requireWellFormed(t, err)
			return
		}
		id := s.configured.codec.SealClientID(s.sealed.s.Keys, &login.Registration{DPoPBound: r.DPoPBound, Issued: s.sealed.now, Name: r.Name, RedirectURIs: slices.Clone(r.RedirectURIs)})
		c, err := s.configured.openClientID(s.sealed.s, id, Token)
		if err != nil || c.Name != r.Name || len(c.Redirects) != len(r.RedirectURIs) || !c.Unverified || !c.Consent {
			t.Fatalf("%+v opens as %+v: %v", r, c, err)
		}
		for _, uri := range r.RedirectURIs {
			u, err := url.Parse(uri)
			switch {
			case err != nil || u.User != nil || strings.Contains(uri, "#") || strings.ContainsAny(uri, " \\\"<>\n"):
				t.Fatalf("%q is registered", uri)
			case (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "localhost" && u.Hostname() != "127.0.0.1" && u.Hostname() != "::1" && !hosts[u.Host]:
				t.Fatalf("%q is registered", uri)
			case u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "cursor" && u.Scheme != "windsurf":
				t.Fatalf("%q is registered", uri)
			}
			if utf8.RuneCountInString(r.Name) > clients.MaxClientName {
				t.Fatalf("the name has %q", r.Name)
			}
		}
	})
}

// FuzzClientID reads what could be sealed by another version of the gateway, and what
// nobody has sealed: what opens has somewhere to go that is allowed.
func FuzzClientID(f *testing.F) {
	s := newUnseen(f)
	r, _ := s.register(cursorRegistration)
	f.Add(r.ClientID, []byte("\x6b\x49\xd2\x00\x06Cursor\x2ccursor://anysphere.cursor-mcp/oauth/callback\x1ehttp://localhost:8787/callback"))
	f.Add("AgAA", []byte("\x6b\x49\xd2\x00\x00"))
	f.Add("", []byte("\x6b\x49\xd2\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Add(strings.Repeat("A", 300), []byte("\x6b\x49\xd2\x00\x00\x17https://evil.example/cb"))
	site := strings.Join([]string{s.configured.idp.AuthURL().String(), s.configured.callback.Path, s.configured.public.url}, "\x00")
	f.Fuzz(func(t *testing.T, id string, plain []byte) {
		for _, id := range []string{id, s.sealed.s.Keys.SealLasting("client id", site, plain)} {
			c, err := s.configured.openClientID(s.sealed.s, id, Authorize)
			if err != nil {
				requireWellFormed(t, err)
				continue
			}
			if len(c.Redirects) == 0 {
				t.Fatalf("%q opens, and goes nowhere", id)
			}
			for _, redirect := range c.Redirects {
				if !s.configured.registry.Dynamic.Allowed.MayRegister(redirect.Exact) {
					t.Fatalf("%q has %q", id, redirect.Exact)
				}
			}
		}
	})
}

// A client that says that its tokens are bound to its key gets no others (RFC 9449 section
// 5.2): whoever has stolen its code can't leave out the proof.
func TestClientsThatAskForBoundTokens(t *testing.T) {
	bound := strings.Replace(cursorRegistration, "{", `{"dpop_bound_access_tokens":true,`, 1)
	document := strings.Replace(claudeCodeDocument, "{", `{"dpop_bound_access_tokens":true,`, 1)
	with := func(mode oauth.Mode) *served {
		return newUnseen(t, func(c *Config) { c.DynamicClients.DPoP = mode })
	}
	for _, mode := range []oauth.Mode{oauth.Optional, oauth.Required} {
		s := with(mode)
		for registration, required := range map[string]bool{bound: true, cursorRegistration: mode == oauth.Required} {
			r, result := s.register(registration)
			require.Equal(t, http.StatusCreated, result.Status, string(result.Body))
			require.Equal(t, required, r.DPoPBound)
			a := &unseenAgent{served: s, id: r.ClientID, redirectURI: "http://localhost:8787/callback"}
			require.Equal(t, required, errorOf(a.exchange(a.code())) == string(oauth.InvalidDPoPProof))
		}
		s.parts.Documents = documents{claudeCode: document}
		a := &unseenAgent{served: s, id: claudeCode, redirectURI: "http://localhost:1/callback"}
		require.Equal(t, string(oauth.InvalidDPoPProof), errorOf(a.exchange(a.code())))
	}
	off := with(oauth.Off)
	_, result := off.register(bound)
	require.Equal(t, string(oauth.InvalidClientMetadata), errorOf(result))
	off.parts.Documents = documents{claudeCode: document}
	require.Contains(t, string((&unseenAgent{served: off, id: claudeCode, redirectURI: "http://localhost:1/callback"}).open().Body), "dpop_bound_access_tokens")
	r, _ := with(oauth.Optional).register(bound)
	gone := (&unseenAgent{served: off, id: r.ClientID, redirectURI: "http://localhost:8787/callback"}).open()
	require.Contains(t, string(gone.Body), "register again", "dpop was taken out of the configuration")
}
