package idp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// served is a gateway before an IdP that is a function.
type served struct {
	*Gateway
	t      testing.TB
	sealed *sealedGateway

	mu  sync.Mutex
	idp func(*http.Request) (*http.Response, error)
	// keys are the IdP's.
	keys keySet
	// issuers are those of the issuers of [Config.Trust].
	issuers map[string]*keySet
	// signing are the gateway's.
	signing  signingSet
	metadata metadataLater
	// sent are the requests that the IdP got, with their bodies.
	sent []sentRequest
}

type sentRequest struct {
	*http.Request
	form url.Values
}

const anyToken = `{"access_token":"at","token_type":"Bearer"}`

// aToken is an IdP that grants a token, without an ID token.
func aToken(*http.Request) (*http.Response, error) { return idpResponse(200, anyToken), nil }

func idpResponse(status int, content string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(content)), ContentLength: int64(len(content)),
	}
}

// RoundTrip implements [http.RoundTripper].
func (s *served) RoundTrip(r *http.Request) (*http.Response, error) {
	content, _ := io.ReadAll(r.Body)
	form, _ := url.ParseQuery(string(content))
	s.mu.Lock()
	s.sent = append(s.sent, sentRequest{r, form})
	respond := s.idp
	s.mu.Unlock()
	return respond(r)
}

func newServed(t testing.TB, with ...func(*Config)) *served {
	s := &served{t: t, sealed: newSealedGateway(t, with...), idp: aToken, keys: keySet{Key: dpoptest.NewKey()}}
	if s.sealed.Policy.SignsIDTokens() {
		s.signing.Keys = ownKeys(t)
	}
	var metadata MetadataSource
	if s.sealed.Policy.idp.Discovers() {
		metadata = &s.metadata
	}
	s.issuers = make(map[string]*keySet)
	keys := make(map[string]KeySet)
	for issuer := range s.sealed.Policy.TrustedIssuers() {
		s.issuers[issuer] = &keySet{Key: dpoptest.NewKey()}
		keys[issuer] = s.issuers[issuer]
	}
	s.Gateway = must.Have(NewGateway(s.sealed.Policy, Parts{
		IssuerKeys: keys,
		Transport:  s, Timeout: time.Minute, Keys: seal.Static(s.sealed.s.Keys), Replay: s.sealed.store, Now: func() time.Time { return s.sealed.now },
		Documents: documents{claudeCode: claudeCodeDocument, evil: evilDocument}, IdPKeys: &s.keys, SigningKeys: &s.signing, Metadata: metadata,
	}))(t)
	return s
}

func publicly(c *Config) { c.Callback = nil }

// do is the result of a request; header are names and values.
func (s *served) do(method, target, content string, header ...string) *Result {
	return s.Serve(s.request(method, target, content, header...))
}

func (s *served) request(method, target, content string, header ...string) Request {
	r := httptest.NewRequest(method, target, strings.NewReader(content))
	if content != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	return Request{Request: r, BaseURL: "https://gateway.example", ClientIP: "192.0.2.7"}
}

const authorizeOpenly = "response_type=code&client_id=app&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&code_challenge_method=S256&state=s&code_challenge=" + testChallenge

// logIn is the code that the client has after a login.
func (s *served) logIn() string {
	s.t.Helper()
	begun := s.do("GET", "/authorize?"+authorizeOpenly, "")
	require.Equal(s.t, http.StatusFound, begun.Status, string(begun.Body))
	at := must.Have(url.Parse(begun.Header.Get("Location")))(s.t)
	called := s.do("GET", "/oauth/callback?code=idp-code&state="+url.QueryEscape(at.Query().Get("state")), "")
	require.Equal(s.t, http.StatusSeeOther, called.Status, string(called.Body))
	back := must.Have(url.Parse(called.Header.Get("Location")))(s.t)
	return back.Query().Get("code")
}

// redeem is the result of a token request.
func (s *served) redeem(code string) *Result { return s.do("POST", "/oauth/token", form("code", code)) }

func (s *served) respond(with func(*http.Request) (*http.Response, error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idp = with
}

func TestAGatewayNamesThePartThatIsMissing(t *testing.T) {
	policy := func(with ...func(*Config)) *Policy { return newSealedGateway(t, with...).Policy }
	discovers := func(c *Config) { c.Discover = true }
	for want, tt := range map[string]struct {
		policy *Policy
		less   func(*Parts)
	}{
		"":                                  {policy(), func(p *Parts) { p.Metadata = nil }},
		"transport":                         {policy(), func(p *Parts) { p.Transport = nil }},
		"metadata":                          {policy(discovers), func(p *Parts) { p.Metadata = nil }},
		"metadata_documents needs what":     {policy(unseen), func(*Parts) {}},
		"trust needs the keys of each":      {policy(withOwnTokens, withDirectGrants), func(*Parts) {}},
		"sealing keys and a replay store":   {policy(), func(p *Parts) { p.Keys = nil }},
		"sealing keys and a replay":         {policy(), func(p *Parts) { p.Replay = nil }},
		"id_tokens gateway needs signing":   {policy(issuing), func(*Parts) {}},
		"the keys of the identity provider": {policy(rotating, loggingOut), func(*Parts) {}},
		"keeps where refresh tokens stand":  {policy(rotating), func(p *Parts) { p.Replay = struct{ replay.Store }{} }},
	} {
		parts := Parts{
			Transport: http.DefaultTransport, Metadata: new(metadataLater),
			Keys: seal.Static(newSealedGateway(t).s.Keys), Replay: replay.NewMemory(1, time.Now),
		}
		tt.less(&parts)
		_, err := NewGateway(tt.policy, parts)
		requireError(t, err, want)
	}
}

// What each endpoint says while it has no sealing keys, while nothing is known of the IdP, and of a body that
// is too long.
func TestWhatEachEndpointNeeds(t *testing.T) {
	for target, tt := range map[string]struct {
		content         string // "" for a GET
		keys, idp, long int    // 0 if there is no answer
	}{
		"/authorize?" + pushForm():          {"", 503, 503, 413},
		"/authorize":                        {pushForm(), 503, 503, 413},
		"/oauth/callback?code=c&state=s":    {"", 503, 503, 413},
		"/oauth/callback":                   {"code=c&state=s", 503, 503, 413},
		"/oauth/consent":                    {"transaction=x&decision=allow", 503, 403, 413},
		"/oauth/token":                      {form(), 503, 503, 413},
		"/oauth/revoke":                     {revocationForm("app", "t"), 503, 200, 413},
		"/oauth/introspect":                 {"token=igat_AQ", 503, 200, 413},
		"/oauth/par":                        {pushForm(), 503, 201, 413},
		"/oauth/register":                   {cursorRegistration, 503, 201, 413},
		"/oauth/backchannel_logout":         {"logout_token=x", 400, 400, 413},
		"/v2/logout?id_token_hint=x":        {"", 302, 503, 413},
		"/v2/logout":                        {"client_id=app", 303, 503, 413},
		"/userinfo":                         {"", 503, 401, 413},
		"/.well-known/openid-configuration": {"", 200, 503, 405},
		"/app":                              {"", 0, 503, 0},
		"/admin/x":                          {"", 404, 404, 404},
	} {
		p := newProvider(t, withOwnTokens, rotating, loggingOut, pushingHere(oauth.Optional), func(c *Config) {
			c.DynamicClients = &DynamicClientsConfig{IdPClient: IdPClientConfig{ID: "gateway", Secret: "s"}, Registration: &RegistrationConfig{}}
			c.DenyPaths, c.Clients[1].Consent = []string{"/admin/*"}, true
		})
		status := func(content string) int {
			r := p.request(map[bool]string{true: "GET", false: "POST"}[content == ""], target, content)
			switch target {
			case "/oauth/introspect":
				r.Header.Set("Authorization", basicHeader("server-a", "hQ7vX2mK9pL4wN8rT5yB3zD6-server-a"))
			case "/userinfo":
				r.Header.Set("Authorization", "Bearer igat_AQ")
			case "/oauth/register":
				r.Header.Set("Content-Type", "application/json")
			}
			if result := p.Serve(r); result != nil {
				return result.Status
			}
			return 0
		}
		require.Equal(t, tt.long, status(strings.Repeat("a", params.MaxBody+1)), target)
		known := p.metadata.now
		p.metadata.now = nil
		require.Equal(t, tt.idp, status(tt.content), target)
		p.metadata.now, p.parts.Keys = known, noKeyring{}
		require.Equal(t, tt.keys, status(tt.content), target)
	}
}

func withoutFingerprint(d Decision) Decision {
	d.token = nil
	return d
}

func TestALoginThroughTheGateway(t *testing.T) {
	s := newServed(t)
	result := s.redeem(s.logIn())
	require.Equal(t, http.StatusOK, result.Status, string(result.Body))
	require.JSONEq(t, anyToken, string(result.Body))
	require.Equal(t, "no-store", result.Header.Get("Cache-Control"))
	require.Equal(t, Decision{Endpoint: "token", Outcome: Passed, ClientID: "app", LoginID: result.Decision.LoginID}, withoutFingerprint(result.Decision))
	require.Len(t, result.Calls, 1)
	require.Empty(t, result.Incidents)

	require.Len(t, s.sent, 1)
	sent := s.sent[0]
	require.Equal(t, "POST https://idp.example/oauth/token", sent.Method+" "+sent.URL.String())
	require.Equal(t, "idp-code", sent.form.Get("code"))
	require.Equal(t, http.Header{
		"Accept": {"application/json"}, "Accept-Encoding": {"identity"}, "User-Agent": {""},
		"Content-Type": {"application/x-www-form-urlencoded"}, "X-Forwarded-For": {"192.0.2.7"},
	}, sent.Header, "nothing of the client's, nor of net/http's own")
}

func TestPathsOfOthersAreTheNextHandlers(t *testing.T) {
	s := newServed(t, func(c *Config) { c.DenyPaths = []string{"/admin/*", "cognito"} })
	require.True(t, s.Policy().Serves("PUT", "/authorize"))
	require.False(t, s.Policy().Serves("GET", "/app"))
	require.Nil(t, s.do("GET", "/app", "", "Upgrade", "h2c"))
	for path, outcome := range map[string]string{
		"/AUTHORIZE": ConfusedPath, "//oauth/token": ConfusedPath, "/oauth%2ftoken": ConfusedPath, "/admin/x": DeniedPath,
	} {
		result := s.do("GET", path, "")
		require.Equal(t, http.StatusNotFound, result.Status, path)
		require.Equal(t, outcome, result.Decision.Outcome, path)
	}
	require.Nil(t, s.do("GET", "/login?x=y", ""))
	require.Equal(t, DeniedPath, s.do("GET", "/login?client_id=app&response_type=token", "").Decision.Outcome, "a login that begins beside /authorize")
	rewritten := s.request("GET", "/app", "")
	rewritten.OriginalPath = "/Authorize"
	require.Equal(t, http.StatusNotFound, s.Serve(rewritten).Status, "what the server has rewritten counts as it came, too")
}

func TestWrongMethods(t *testing.T) {
	s := newServed(t, func(c *Config) { c.Clients[0].Origins = []string{"https://app.example"} })
	for _, tt := range []struct{ method, path, allow string }{
		{"HEAD", "/authorize", "GET, POST"},
		{"OPTIONS", "/authorize", "GET, POST"},
		{"PUT", "/authorize", "GET, POST"},
		{"HEAD", "/v2/logout", "GET, POST"},
		{"GET", "/oauth/token", "POST, OPTIONS"},
		{"HEAD", "/oauth/token", "POST, OPTIONS"},
		{"OPTIONS", "/oauth/token", "POST, OPTIONS"},
		{"HEAD", "/userinfo", "GET, POST, OPTIONS"},
	} {
		result := s.do(tt.method, tt.path, "")
		require.Equal(t, http.StatusMethodNotAllowed, result.Status, tt.path)
		require.Equal(t, tt.allow, result.Header.Get("Allow"), tt.path)
		require.Equal(t, "invalid_request", result.Decision.Outcome)
	}
	require.Empty(t, s.sent)
}

func TestScriptsReadErrorsOfTheirOwnClientOnly(t *testing.T) {
	s := newServed(t, func(c *Config) {
		c.Clients[0].Origins = []string{"https://app.example"}
		c.Clients[1].Origins = []string{"https://single.example"}
	})
	for name, tt := range map[string]struct{ endpoint, client, code, origin, want string }{
		"its own":               {"token", "app", "junk", "https://app.example", "https://app.example"},
		"another's":             {"token", "app", "junk", "https://single.example", ""},
		"of a form, its own":    {"token", "app", "", "https://app.example", "https://app.example"},
		"of a form, another's":  {"token", "app", "", "https://single.example", ""},
		"revocation, its own":   {"revoke", "app", "", "https://app.example", "https://app.example"},
		"revocation, another's": {"revoke", "app", "", "https://single.example", ""},
		"not registered":        {"token", "app", "junk", "https://evil.example", ""},
		"nobody's":              {"token", "nobody", "junk", "https://single.example", "https://single.example"}, // an error that any page may read
	} {
		t.Run(name, func(t *testing.T) {
			result := s.do("POST", "/oauth/"+tt.endpoint, form("client_id", tt.client, "code", tt.code), "Origin", tt.origin)
			require.GreaterOrEqual(t, result.Status, 400)
			require.Equal(t, tt.want, result.Header.Get("Access-Control-Allow-Origin"))
			require.Equal(t, "Origin", result.Header.Get("Vary"))
		})
	}
	preflight := s.do("OPTIONS", "/oauth/token", "", "Origin", "https://app.example", "Access-Control-Request-Method", "POST")
	require.Equal(t, http.StatusNoContent, preflight.Status)
	require.Empty(t, preflight.Decision.Endpoint, "nothing was decided")
	require.Equal(t, http.StatusForbidden, s.do("OPTIONS", "/oauth/token", "", "Origin", "https://evil.example", "Access-Control-Request-Method", "POST").Status)
}

// A browser would show the user's certificate to a script of any page.
func TestScriptsOfClientsWithCertificatesSendNoCredentials(t *testing.T) {
	for name, tt := range map[string]struct {
		options []func(*Config)
		want    string
	}{
		"a public client":       {nil, "true"},
		"by certificate":        {[]func(*Config){byCertificate}, ""},
		"bound to certificates": {[]func(*Config){certificateBound}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newAgent(t, true, append(tt.options, func(c *Config) { c.Clients[0].Origins = []string{"https://app.example"} })...)
			for _, result := range []*Result{
				s.Serve(s.request("OPTIONS", "/oauth/token", "", "Origin", "https://app.example", "Access-Control-Request-Method", "POST")),
				s.Serve(s.request("POST", "/oauth/token", form("client_id", "app"), "Origin", "https://app.example")),
			} {
				require.Equal(t, "https://app.example", result.Header.Get("Access-Control-Allow-Origin"))
				require.Equal(t, tt.want, result.Header.Get("Access-Control-Allow-Credentials"))
			}
		})
	}
}

func TestABodyThatNobodyReadsEndsTheConnection(t *testing.T) {
	s := newServed(t)
	code := s.logIn()
	for name, tt := range map[string]struct {
		result *Result
		want   string
	}{
		"not read":     {s.do("GET", "/authorize", "a body"), "close"},
		"no body":      {s.do("GET", "/authorize", ""), ""},
		"read":         {s.redeem(code), ""},
		"too long":     {s.do("POST", "/oauth/token", strings.Repeat("a", params.MaxBody+1)), "close"},
		"wrong method": {s.do("PUT", "/oauth/token", "a body"), "close"},
		"no such path": {s.do("POST", "//oauth/token", "a body"), "close"},
	} {
		require.Equal(t, tt.want, tt.result.Header.Get("Connection"), name)
	}
}

func TestAResponseIsWrittenAsItIs(t *testing.T) {
	s := newServed(t, publicly)
	server := httptest.NewServer(s.Handler(http.NotFoundHandler()))
	t.Cleanup(server.Close)
	get := func(path string, header ...string) *http.Response {
		r := must.Have(http.NewRequest("GET", server.URL+path, nil))(t)
		r.Header.Set("Authorization", "Bearer a")
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		got := must.Have(server.Client().Do(r))(t)
		t.Cleanup(func() { _ = got.Body.Close() })
		return got
	}
	s.respond(func(*http.Request) (*http.Response, error) {
		r := idpResponse(200, `{"sub":"u"}`)
		r.Header = http.Header{"Content-Length": {"999"}, "Set-Cookie": {"a=b"}, "Server": {"the IdP"}, "Transfer-Encoding": {"chunked"}, "Content-Type": {"text/html"}}
		r.Trailer = http.Header{"X-Trailer": {"v"}}
		return r, nil
	})
	got := get("/userinfo")
	content := must.Have(io.ReadAll(got.Body))(t)
	require.Equal(t, `{"sub":"u"}`, string(content))
	require.EqualValues(t, len(content), got.ContentLength)
	got.Header.Del("Date")
	require.Equal(t, http.Header{
		"Cache-Control": {"no-store"}, "Pragma": {"no-cache"}, "Content-Type": {"application/json"}, "Content-Length": {"11"},
	}, got.Header)
	require.Empty(t, got.Trailer)
	require.Equal(t, http.StatusNotFound, get("/elsewhere").StatusCode, "the next handler's")

	page := get("/authorize", "Accept", "text/html")
	content = must.Have(io.ReadAll(page.Body))(t)
	require.True(t, bytes.Contains(content, []byte(page.Header.Get(ReferenceHeader))))
	require.NotEmpty(t, page.Header.Get(ReferenceHeader))
}

// metadataLater is an IdP that says of itself what a test wants.
type metadataLater struct{ now *discovery.Metadata }

func (m *metadataLater) Current() *discovery.Metadata { return m.now }

func (m *metadataLater) Await(context.Context) (*discovery.Metadata, error) { return m.now, nil }

func TestWhileNothingIsKnownOfTheIdP(t *testing.T) {
	source := new(metadataLater)
	p := must.Have(NewPolicy(Config{AuthURL: "https://idp.example", Discover: true, Parameters: OAuthParameters}))(t)
	g := must.Have(NewGateway(p, Parts{Transport: http.DefaultTransport, Metadata: source}))(t)
	s := &served{t: t, Gateway: g}
	require.Equal(t, http.StatusServiceUnavailable, s.do("GET", "/authorize?"+authorizeOpenly, "").Status)
	require.Nil(t, s.do("GET", "/app", ""))

	source.now = must.Have(discovery.Parse("https://idp.example", []byte(`{"issuer":"https://idp.example","authorization_endpoint":"https://idp.example/auth","token_endpoint":"https://idp.example/token","jwks_uri":"https://idp.example/keys",
		"response_types_supported":["code"],"subject_types_supported":["public"],"id_token_signing_alg_values_supported":["RS256"]}`)))(t)
	require.Same(t, g.Policy(), g.Policy(), "made once")
	result := s.do("GET", "/authorize?"+authorizeOpenly, "")
	require.True(t, strings.HasPrefix(result.Header.Get("Location"), "https://idp.example/auth?"), string(result.Body))
}

func TestNegotiate(t *testing.T) {
	browser, other := format{page: true}, format{}
	asForm, asJSON := format{result: formResult}, format{result: jsonResult}
	for accept, want := range map[string]format{
		"":                                  other,
		"*/*":                               other,
		"text/*":                            other,
		"text/plain":                        other,
		"application/*":                     other,
		"application/problem+json":          other,
		"malformed":                         other,
		"text/html":                         browser,
		"TEXT/HTML; charset=utf-8":          browser,
		"text/html,application/json":        browser,
		"text/html, */*;q=0.1":              browser,
		"application/xhtml+xml":             browser,
		"text/html;q=0, */*":                other,
		"text/html;q=0.000":                 other,
		"application/json":                  asJSON,
		"application/json, text/plain":      asJSON,
		"application/json, text/plain, */*": other,
		"application/x-www-form-urlencoded": asForm,
		"application/x-www-form-urlencoded, application/json":             asForm,
		"application/json, application/x-www-form-urlencoded;q=0.9":       asJSON,
		"Application/JSON; charset=utf-8":                                 asJSON,
		"application/json;q=0":                                            other,
		"application/json, text/html;q=0":                                 asJSON,
		"application/json, text/html;q=0, application/xhtml+xml;q=0, */*": asJSON,
		"application/json, */*;q=0.0":                                     asJSON,
	} {
		require.Equal(t, want, negotiate(http.Header{"Accept": {accept}}), accept)
	}
	require.Equal(t, other, negotiate(http.Header{}))
	require.Equal(t, browser, negotiate(http.Header{"Accept": {"application/json", "text/html"}}), "several lines")
}

func TestErrorsOfTheGatewayItself(t *testing.T) {
	read := func(body io.Reader) error {
		_, err := params.ReadBody(httptest.NewRequest(http.MethodPost, "/", body), make(http.Header), params.MaxBody)
		return err
	}
	for _, tc := range []struct {
		err              error
		status           int
		code             oauth.Code
		says, retryAfter string
	}{
		{read(strings.NewReader(strings.Repeat("a", 65537))), 413, oauth.InvalidRequest, "larger than 65536 bytes", ""},
		{read(iotest.ErrReader(io.ErrUnexpectedEOF)), 400, oauth.InvalidRequest, "could not be read to its end", ""},
		{upstream.Failed(context.DeadlineExceeded), 504, oauth.TemporarilyUnavailable, "did not respond in time", ""},
		{oauth.BadGateway("why"), 502, oauth.ServerError, "why", ""},
		{oauth.NoKeys(), 503, oauth.TemporarilyUnavailable, "no sealing keys", "5"},
		{claimError(fmt.Errorf("store: %w", replay.ErrClaimed)), 400, oauth.InvalidGrant, "redeemed before", ""},
		{claimError(fmt.Errorf("store: %w", replay.ErrFull)), 503, oauth.TemporarilyUnavailable, "too many logins", "60"},
		{claimError(errors.New("dial tcp 10.0.0.1: refused")), 503, oauth.TemporarilyUnavailable, "can't tell", "5"},
	} {
		e := oauth.AsError(tc.err)
		require.Equal(t, tc.status, e.Status, tc.says)
		require.Equal(t, tc.code, e.Code, tc.says)
		require.Contains(t, e.Description, tc.says)
		require.Equal(t, tc.retryAfter, e.RetryAfter, tc.says)
		requireWellFormed(t, e)
	}
}

// An operator ends a login by each of its names: at the next refresh, at once for those who ask,
// and for resource servers.
func TestAnOperatorEndsLogins(t *testing.T) {
	for _, kind := range []rotation.Kind{rotation.OfLogin, rotation.OfUser, rotation.OfAgent} {
		t.Run(string(kind), func(t *testing.T) {
			a := newAgent(t, true, rotating)
			got := a.answer(a.redeem(a.logIn()))
			token := a.opened(got.AccessToken)
			require.False(t, a.Gateway.HasEnded(token))
			a.sealed.now = a.sealed.now.Add(time.Minute)
			name := map[rotation.Kind]string{rotation.OfLogin: token.LoginID, rotation.OfUser: token.Subject, rotation.OfAgent: token.ClientID}[kind]
			require.NotEmpty(t, name)
			require.NoError(t, a.Gateway.End(t.Context(), kind, name))

			require.True(t, a.Gateway.HasEnded(token))
			require.JSONEq(t, `{"active":false}`, string(a.ask("server-a", got.AccessToken).Body))
			a.refuses(a.renew(got.RefreshToken), oauth.InvalidGrant, "has ended")
			a.refuses(a.renew(got.RefreshToken), oauth.InvalidGrant, "")
		})
	}
}

// A user's logins end where the gateway need not know whose they are, too, if the IdP says so.
func TestAnOperatorEndsLoginsWhoseTokensAreTheIdPs(t *testing.T) {
	withIssuer := func(c *Config) { c.Issuer = ownIdP }
	for name, tc := range map[string]struct {
		with     []func(*Config)
		openID   bool
		idToken  bool
		later    bool // the first ID token comes with a refresh
		outlives bool
	}{
		"tokens idp":                              {with: []func(*Config){passedThrough}, openID: true, idToken: true},
		"tokens idp, an ID token at the refresh":  {with: []func(*Config){passedThrough, withIssuer}, later: true},
		"no resource":                             {with: []func(*Config){withoutResources, withIssuer}, idToken: true},
		"no resource, and nobody knows an issuer": {with: []func(*Config){withoutResources}, idToken: true},
		"scope without openid: nobody says whose": {with: []func(*Config){passedThrough, withIssuer}, outlives: true},
	} {
		t.Run(name, func(t *testing.T) {
			start := func() *agent {
				a := newAgent(t, tc.openID, append(tc.with, rotating)...)
				if a.asks = nil; a.configured.registry.Resources != nil {
					a.asks = []string{"resource", serverA}
				}
				if a.claims = nil; tc.idToken {
					a.claims = map[string]any{}
				}
				return a
			}
			a := start()
			granted := func(result *Result) (refreshToken string) {
				require.Equal(t, http.StatusOK, result.Status, string(result.Body))
				var g struct {
					RefreshToken string `json:"refresh_token"`
				}
				require.NoError(t, json.Unmarshal(result.Body, &g))
				return g.RefreshToken
			}
			got := granted(a.redeem(a.logIn()))
			if tc.later {
				a.claims = map[string]any{}
			}
			for range 2 {
				a.sealed.pass(time.Second)
				got = granted(a.renew(got))
				a.claims = nil // most IdPs send none with a refresh
			}
			a.sealed.pass(time.Second)
			require.NoError(t, a.Gateway.End(t.Context(), rotation.OfUser, "user-2"))
			got = granted(a.renew(got))
			a.sealed.pass(time.Second)
			require.NoError(t, a.Gateway.End(t.Context(), rotation.OfUser, "user-1"))
			if tc.outlives {
				got = granted(a.renew(got))
				a.sealed.pass(time.Second)
				require.NoError(t, a.Gateway.End(t.Context(), rotation.OfAgent, "app"))
			}
			a.refuses(a.renew(got), oauth.InvalidGrant, "has ended")
			if tc.idToken {
				a = start()
				code := a.logIn()
				require.NoError(t, a.Gateway.End(t.Context(), rotation.OfUser, "user-1"))
				a.refuses(a.redeem(code), oauth.InvalidGrant, "has ended")
			}
		})
	}
}

// A code of a login that began before is no way past it.
func TestACodeFromBeforeAnEnding(t *testing.T) {
	a := newAgent(t, true, rotating)
	code := a.logIn()
	require.NoError(t, a.Gateway.End(t.Context(), rotation.OfUser, "user-1"))
	a.refuses(a.redeem(code), oauth.InvalidGrant, "has ended")
}

// An ending is of the logins so far: who logs in again is in.
func TestALoginAfterAnEnding(t *testing.T) {
	for _, kind := range []rotation.Kind{rotation.OfUser, rotation.OfAgent} {
		a := newAgent(t, true, rotating)
		require.NoError(t, a.Gateway.End(t.Context(), kind, map[rotation.Kind]string{rotation.OfUser: "user-1", rotation.OfAgent: "app"}[kind]))
		a.sealed.now = a.sealed.now.Add(time.Second)
		got := a.tokens()
		require.False(t, a.Gateway.HasEnded(a.opened(got.AccessToken)))
		a.answer(a.renew(got.RefreshToken))
	}
}

// Tokens that nobody has logged in for end by the names that the log has of them.
func TestAnOperatorEndsTokensWithoutALogin(t *testing.T) {
	for name, ask := range map[string]func(*agent) *Result{
		"a company's agent": func(a *agent) *Result { return a.present(a.signed(idJAGType, a.idJAG(nil)), "desk") },
		"a workload":        func(a *agent) *Result { return a.present(a.signed(nil, a.workload(nil)), "") },
		"a service": func(a *agent) *Result {
			return a.do("POST", "/oauth/token", "grant_type=client_credentials", "Authorization", basicHeader("reports", "reports"+clientSecret))
		},
	} {
		for kind, logged := range map[rotation.Kind]func(*Result) string{
			rotation.OfAgent: func(r *Result) string { return r.Decision.ClientID },
			rotation.OfLogin: func(r *Result) string { return r.Decision.LoginID },
		} {
			t.Run(name+" by "+string(kind), func(t *testing.T) {
				a := newAgent(t, false, withDirectGrants, rotating)
				result := ask(a)
				token := a.direct(result)
				require.False(t, a.Gateway.HasEnded(token))
				require.NoError(t, a.Gateway.End(t.Context(), kind, logged(result)))
				require.True(t, a.Gateway.HasEnded(token))
				a.sealed.now = a.sealed.now.Add(time.Second)
				require.False(t, a.Gateway.HasEnded(a.direct(ask(a))), "what comes later")
			})
		}
	}
}

func TestWhatCannotBeEnded(t *testing.T) {
	a := newAgent(t, true, rotating)
	require.ErrorContains(t, a.Gateway.End(t.Context(), "session", "x"), "use login, user or agent")
	require.ErrorContains(t, a.Gateway.End(t.Context(), rotation.OfUser, ""), "the user is missing")
	require.ErrorContains(t, a.Gateway.End(t.Context(), rotation.OfLogin, "ada"), "ten letters and digits")
	require.ErrorContains(t, newAgent(t, true).Gateway.End(t.Context(), rotation.OfUser, "x"), "set rotate_refresh")
	require.Equal(t, "claude.ai", clients.AgentName("https://claude.ai/oauth/client.json"))
	require.Equal(t, "dynamic:x", clients.AgentName("dynamic:x"))
}

// trySecret is the secret that no trial shows.
const trySecret = "the-secret-of-the-gateway"

// trialOf has a gateway with a client at the IdP try an IdP whose token endpoint responds so.
func trialOf(t *testing.T, c IdPClientConfig, token func(*http.Request) (*http.Response, error), with ...func(*Config)) (*served, map[string]Trial) {
	s := newServed(t, append([]func(*Config){func(config *Config) { config.Clients[0].IdPClient = &c }}, with...)...)
	s.respond(func(r *http.Request) (*http.Response, error) {
		switch r.URL.Path {
		case "/oauth/token":
			return token(r)
		case "/authorize":
			return idpResponse(302, ""), nil
		}
		return idpResponse(401, ""), nil
	})
	found := make(map[string]Trial)
	for _, trial := range s.Try(t.Context(), nil) {
		require.NotContains(t, fmt.Sprint(trial), trySecret)
		found[trial.Step] = trial
	}
	return s, found
}

// What is said of a code that nobody has issued, by those who know the gateway and by others.
func TestCredentialsAreTried(t *testing.T) {
	for name, tt := range map[string]struct {
		status int
		body   string
		says   string // "" if they are accepted
		unsure bool
	}{
		"the standard, accepted":          {400, `{"error":"invalid_grant"}`, "", false},
		"Entra ID, accepted":              {400, `{"error":"invalid_grant","error_description":"AADSTS9002313"}`, "", false},
		"Auth0, accepted":                 {403, `{"error":"invalid_grant","error_description":"Invalid authorization code"}`, "", false},
		"GitHub, accepted":                {200, `{"error":"bad_verification_code"}`, "", false},
		"the standard, refused":           {401, `{"error":"invalid_client"}`, "refused (401 invalid_client)", false},
		"with 400":                        {400, `{"error":"invalid_client"}`, "refused (400 invalid_client)", false},
		"GitHub, refused":                 {200, `{"error":"incorrect_client_credentials"}`, "refused (400 invalid_client)", false},
		"Auth0, refused":                  {401, `{"error":"access_denied","error_description":"Unauthorized"}`, "refused (401 access_denied)", false},
		"Keycloak, refused":               {401, `{"error":"unauthorized_client","error_description":"Invalid client or Invalid client credentials"}`, "may not redeem codes there, or its secret or key is wrong", false},
		"without a body":                  {401, ``, "refused (401)", false},
		"the secret in the answer":        {401, `{"error":"` + trySecret + `"}`, "refused (401)", false},
		"another error":                   {400, `{"error":"invalid_request"}`, "it answers 400 invalid_request", true},
		"no error":                        {400, `<html>`, "it answers 400", true},
		"a token for what nobody issued":  {200, anyToken, "it answers 200", true},
		"an error with the gateway's own": {400, `{"error":"` + trySecret + `"}`, "it answers 400", true},
		"no endpoint":                     {404, ``, "there is no such endpoint", false},
		"an endpoint that is down":        {503, ``, "it is down", false},
	} {
		_, found := trialOf(t, IdPClientConfig{ID: "gateway", Secret: trySecret}, func(*http.Request) (*http.Response, error) { return idpResponse(tt.status, tt.body), nil })
		trial, ok := found["credentials"]
		if !ok {
			trial = found["token"]
		}
		require.Equal(t, tt.unsure, trial.Unsure, name)
		switch {
		case tt.says == "":
			require.NoError(t, trial.Err, name)
			require.Equal(t, "client gateway, by client_secret_basic: accepted", trial.Detail)
		case tt.unsure:
			require.Contains(t, trial.Detail, tt.says, name)
		default:
			require.ErrorContains(t, trial.Err, tt.says, name)
		}
	}
}

// They are sent as in a login, whatever they are.
func TestHowCredentialsAreTried(t *testing.T) {
	refused := func(*http.Request) (*http.Response, error) {
		return idpResponse(401, `{"error":"invalid_client"}`), nil
	}
	for method, tt := range map[string]struct {
		c     IdPClientConfig
		shows func(sentRequest) bool
	}{
		AuthSecretBasic: {IdPClientConfig{ID: "gateway", Secret: trySecret}, func(r sentRequest) bool {
			_, secret, _ := r.BasicAuth()
			return secret == trySecret && !r.form.Has("client_secret")
		}},
		AuthSecretPost:    {IdPClientConfig{ID: "gateway", Secret: trySecret, AuthMethod: AuthSecretPost}, func(r sentRequest) bool { return r.form.Get("client_secret") == trySecret }},
		AuthPrivateKeyJWT: {IdPClientConfig{ID: "gateway", PrivateKey: pkcs8(t, rsaKey(t, 2048))}, func(r sentRequest) bool { return r.form.Get("client_assertion") != "" }},
		AuthTLS:           {IdPClientConfig{ID: "gateway", AuthMethod: AuthTLS}, func(r sentRequest) bool { return r.form.Get("client_id") == "gateway" && !r.form.Has("client_secret") }},
	} {
		s, found := trialOf(t, tt.c, refused)
		require.ErrorContains(t, found["credentials"].Err, "client gateway, by "+method+": refused", method)
		shown := 0
		for _, r := range s.sent {
			if r.URL.Path == "/oauth/token" {
				shown++
				require.True(t, tt.shows(r), method)
				require.Equal(t, "authorization_code", r.form.Get("grant_type"))
				require.NotEmpty(t, r.form.Get("code"))
			}
		}
		require.Equal(t, 1, shown)
	}
}

func TestEndpointsAreTried(t *testing.T) {
	granted := func(*http.Request) (*http.Response, error) { return idpResponse(400, `{"error":"invalid_grant"}`), nil }
	s, found := trialOf(t, IdPClientConfig{ID: "gateway", Secret: trySecret}, granted)
	require.Equal(t, "it answers (302)", found["authorize"].Detail)
	require.Equal(t, "it answers (401)", found["userinfo"].Detail)
	require.NotContains(t, found, "par")
	for _, r := range s.sent {
		require.False(t, r.URL.Path != "/oauth/token" && r.Header.Get("Authorization") != "", "%s", r.URL)
	}

	s.respond(func(*http.Request) (*http.Response, error) { return idpResponse(404, ""), nil })
	for _, trial := range s.Try(t.Context(), nil) {
		require.ErrorContains(t, trial.Err, "there is no such endpoint: it answers 404", trial.Step)
	}
	s.respond(func(*http.Request) (*http.Response, error) { return nil, errors.New("connection refused") })
	for _, trial := range s.Try(t.Context(), nil) {
		require.ErrorContains(t, trial.Err, "connection refused", trial.Step)
	}

	own := newServed(t, func(c *Config) { c.Clients[0].IdPClient = nil })
	own.respond(granted)
	steps := make(map[string]Trial)
	for _, trial := range own.Try(t.Context(), nil) {
		steps[trial.Step] = trial
	}
	require.Equal(t, "it answers (400)", steps["token"].Detail, "the clients have credentials of their own")
	require.NotContains(t, steps, "credentials")
}
