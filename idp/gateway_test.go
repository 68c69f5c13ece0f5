package idp

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
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
	var err error
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
	s.Gateway, err = NewGateway(s.sealed.Policy, Parts{
		IssuerKeys: keys,
		Transport:  s, Timeout: time.Minute, Keys: seal.Static(s.sealed.s.Keys), Replay: s.sealed.store, Now: func() time.Time { return s.sealed.now },
		Documents: documents{claudeCode: claudeCodeDocument, evil: evilDocument}, IdPKeys: &s.keys, SigningKeys: &s.signing, Metadata: metadata,
	})
	require.NoError(t, err)
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

const authorizeOpenly = "response_type=code&client_id=app&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&code_challenge_method=S256&state=s&code_challenge="

// logIn is the code that the client has after a login.
func (s *served) logIn() string {
	s.t.Helper()
	begun := s.do("GET", "/authorize?"+authorizeOpenly+string(pkce.Verifier(testVerifier).S256()), "")
	require.Equal(s.t, http.StatusFound, begun.Status, string(begun.Body))
	at, err := url.Parse(begun.Header.Get("Location"))
	require.NoError(s.t, err)
	called := s.do("GET", "/oauth/callback?code=idp-code&state="+url.QueryEscape(at.Query().Get("state")), "")
	require.Equal(s.t, http.StatusSeeOther, called.Status, string(called.Body))
	back, err := url.Parse(called.Header.Get("Location"))
	require.NoError(s.t, err)
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
	sealing := newSealedGateway(t)
	open, err := NewPolicy(Config{AuthURL: "https://idp.example"})
	require.NoError(t, err)
	discovering, err := NewPolicy(Config{AuthURL: "https://idp.example", Discover: true})
	require.NoError(t, err)
	keys, store, plain := seal.Static(sealing.s.Keys), replay.NewMemory(1, time.Now), struct{ replay.Store }{}
	for want, tt := range map[string]struct {
		policy *Policy
		parts  Parts
	}{
		"":                                  {open, Parts{Transport: http.DefaultTransport}},
		"transport":                         {open, Parts{}},
		"metadata":                          {discovering, Parts{Transport: http.DefaultTransport}},
		"sealing keys and a replay store":   {sealing.Policy, Parts{Transport: http.DefaultTransport, Replay: store}},
		"sealing keys and a replay":         {sealing.Policy, Parts{Transport: http.DefaultTransport, Keys: keys}},
		"the keys of the identity provider": {newSealedGateway(t, rotating, loggingOut).Policy, Parts{Transport: http.DefaultTransport, Keys: keys, Replay: store}},
		"keeps where refresh tokens stand":  {newSealedGateway(t, rotating).Policy, Parts{Transport: http.DefaultTransport, Keys: keys, Replay: plain}},
	} {
		_, err := NewGateway(tt.policy, tt.parts)
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, want)
	}
}

func TestALoginThroughTheGateway(t *testing.T) {
	s := newServed(t)
	result := s.redeem(s.logIn())
	require.Equal(t, http.StatusOK, result.Status, string(result.Body))
	require.JSONEq(t, anyToken, string(result.Body))
	require.Equal(t, "no-store", result.Header.Get("Cache-Control"))
	require.Equal(t, Decision{
		Endpoint: "token", Outcome: Passed, ClientID: "app", LoginID: result.Decision.LoginID, TokenID: result.Decision.TokenID,
	}, result.Decision)
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
	s := newServed(t)
	require.Nil(t, s.do("GET", "/app", "", "Upgrade", "h2c"))
	for path, outcome := range map[string]string{"/AUTHORIZE": ConfusedPath, "//oauth/token": ConfusedPath, "/oauth%2ftoken": ConfusedPath} {
		result := s.do("GET", path, "")
		require.Equal(t, http.StatusNotFound, result.Status, path)
		require.Equal(t, outcome, result.Decision.Outcome, path)
	}
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
		"too long":     {s.do("POST", "/oauth/token", strings.Repeat("a", maxRequestBody+1)), "close"},
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
		r, err := http.NewRequest("GET", server.URL+path, nil)
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer a")
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		got, err := server.Client().Do(r)
		require.NoError(t, err)
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
	content, err := io.ReadAll(got.Body)
	require.NoError(t, err)
	require.Equal(t, `{"sub":"u"}`, string(content))
	require.EqualValues(t, len(content), got.ContentLength)
	got.Header.Del("Date")
	require.Equal(t, http.Header{
		"Cache-Control": {"no-store"}, "Pragma": {"no-cache"}, "Content-Type": {"application/json"}, "Content-Length": {"11"},
	}, got.Header)
	require.Empty(t, got.Trailer)
	require.Equal(t, http.StatusNotFound, get("/elsewhere").StatusCode, "the next handler's")

	page := get("/authorize", "Accept", "text/html")
	content, err = io.ReadAll(page.Body)
	require.NoError(t, err)
	require.True(t, bytes.Contains(content, []byte(page.Header.Get(ReferenceHeader))))
	require.NotEmpty(t, page.Header.Get(ReferenceHeader))
}

// metadataLater is an IdP that says of itself what a test wants.
type metadataLater struct{ now *discovery.Metadata }

func (m *metadataLater) Current() *discovery.Metadata { return m.now }

func (m *metadataLater) Await(context.Context) (*discovery.Metadata, error) { return m.now, nil }

func TestWhileNothingIsKnownOfTheIdP(t *testing.T) {
	source := new(metadataLater)
	p, err := NewPolicy(Config{AuthURL: "https://idp.example", Discover: true, Parameters: OAuthParameters})
	require.NoError(t, err)
	g, err := NewGateway(p, Parts{Transport: http.DefaultTransport, Metadata: source})
	require.NoError(t, err)
	s := &served{t: t, Gateway: g}
	require.Equal(t, http.StatusServiceUnavailable, s.do("GET", "/authorize?"+authorizeOpenly+string(pkce.Verifier(testVerifier).S256()), "").Status)
	require.Nil(t, s.do("GET", "/app", ""))

	source.now, err = discovery.Parse("https://idp.example", []byte(`{"issuer":"https://idp.example","authorization_endpoint":"https://idp.example/auth","token_endpoint":"https://idp.example/token","jwks_uri":"https://idp.example/keys",
		"response_types_supported":["code"],"subject_types_supported":["public"],"id_token_signing_alg_values_supported":["RS256"]}`))
	require.NoError(t, err)
	require.Same(t, g.Policy(), g.Policy(), "made once")
	result := s.do("GET", "/authorize?"+authorizeOpenly+string(pkce.Verifier(testVerifier).S256()), "")
	require.True(t, strings.HasPrefix(result.Header.Get("Location"), "https://idp.example/auth?"), string(result.Body))
}
