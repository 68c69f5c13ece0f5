package identity

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	_ "github.com/caddyserver/caddy/v2/modules/standard"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity/stores"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/apitest"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// recorder is an IdP that checks nothing, responds as the test says, and keeps
// the requests that reached it.
type recorder struct {
	*httptest.Server
	mu       sync.Mutex
	requests []recorded
	respond  http.HandlerFunc
}

type recorded struct {
	method, path, query, host, body string
	header                          http.Header
}

const recordedToken = `{"access_token":"at-1","token_type":"Bearer","expires_in":60}`

func newRecorder(t testing.TB, respond http.HandlerFunc) *recorder {
	rec := &recorder{respond: respond}
	rec.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		rec.mu.Lock()
		rec.requests = append(rec.requests, recorded{r.Method, r.URL.EscapedPath(), r.URL.RawQuery, r.Host, string(body), r.Header.Clone()})
		respond := rec.respond
		rec.mu.Unlock()
		if respond != nil {
			respond(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if strings.HasSuffix(r.URL.Path, "userinfo") {
			_, _ = io.WriteString(w, `{"sub":"u1"}`)
			return
		}
		_, _ = io.WriteString(w, recordedToken)
	}))
	t.Cleanup(rec.Close)
	return rec
}

// reached returns what arrived since the last call.
func (rec *recorder) reached() []recorded {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	requests := rec.requests
	rec.requests = nil
	return requests
}

// form is the only form that arrived since the last call.
func (rec *recorder) form(t testing.TB) (at recorded, form url.Values) {
	t.Helper()
	requests := rec.reached()
	require.Len(t, requests, 1)
	form, err := url.ParseQuery(requests[0].body)
	require.NoError(t, err)
	return requests[0], form
}

func (rec *recorder) respondWith(respond http.HandlerFunc) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	rec.respond = respond
}

// respondJSON is an response with a status and a body.
func respondJSON(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// gatewayJSON turns a directive into the handler's JSON.
func gatewayJSON(t testing.TB, directive, folder string) json.RawMessage {
	d := caddyfile.NewTestDispenser(directive)
	g := new(Gateway)
	require.NoError(t, g.UnmarshalCaddyfile(d))
	if g.Callback != "" && g.ReplayRaw == nil { // an IdP of another test may have had the same port
		g.ReplayRaw = caddyconfig.JSONModuleObject(&stores.File{Folder: filepath.Join(folder, "replay")}, "module", "file", nil)
	}
	config, err := json.Marshal(g)
	require.NoError(t, err)
	return config
}

// configuration loads handlers as Caddy would, as those of one configuration, with its storage in folder.
func configuration(t testing.TB, folder string, directives ...string) (*prometheus.Registry, []*Gateway, func(), error) {
	t.Helper()
	parent, err := caddy.ProvisionContext(&caddy.Config{
		Admin: &caddy.AdminConfig{Disabled: true}, StorageRaw: caddyconfig.JSON(map[string]string{"module": "file_system", "root": folder}, nil),
	})
	require.NoError(t, err)
	ctx, cancel := caddy.NewContext(parent)
	cancel = sync.OnceFunc(cancel)
	t.Cleanup(cancel)
	var gateways []*Gateway
	for _, directive := range directives {
		module, err := ctx.LoadModuleByID("http.handlers.identity_gateway", gatewayJSON(t, directive, folder))
		if err != nil {
			cancel()
			return nil, nil, nil, err
		}
		gateways = append(gateways, module.(*Gateway))
	}
	return ctx.GetMetricsRegistry(), gateways, cancel, nil
}

// provision is configuration for one handler. It ends with the test, if not before.
func provision(t testing.TB, directive, folder string) (*Gateway, func(), error) {
	t.Helper()
	_, gateways, cleanup, err := configuration(t, folder, directive)
	if err != nil {
		return nil, nil, err
	}
	return gateways[0], cleanup, nil
}

// loaded is a handler until the end of the test.
func loaded(t testing.TB, directive, folder string) *Gateway {
	t.Helper()
	g, _, err := provision(t, directive, folder)
	require.NoError(t, err)
	return g
}

// keepIn puts the gateway together with another replay store.
func (g *Gateway) keepIn(t testing.TB, store replay.Store) {
	parts := idp.Parts{Transport: g.transport, Timeout: time.Duration(g.ResponseTimeout), Keys: g.keys, Replay: store}
	var err error
	g.gateway, err = idp.NewGateway(g.policy, parts)
	require.NoError(t, err)
}

// serve runs a handler behind a listener the way Caddy's HTTP server would.
func serve(t testing.TB, g *Gateway) *httptest.Server {
	server := new(caddyhttp.Server)
	next := caddyhttp.HandlerFunc(func(w http.ResponseWriter, r *http.Request) error {
		if g.FrontChannel == "proxy" && r.URL.Path != "/other" {
			idpURL := g.policy.AuthURL()
			(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
				r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = idpURL.Scheme, idpURL.Host, idpURL.Host
				r.SetXForwarded()
			}}).ServeHTTP(w, r)
			return nil
		}
		w.WriteHeader(http.StatusTeapot)
		return nil
	})
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body bytes.Buffer
		recorded := caddyhttp.NewResponseRecorder(w, &body, func(int, http.Header) bool { return true })
		r = caddyhttp.PrepareRequest(r, caddy.NewReplacer(), recorded, server)
		if err := g.ServeHTTP(recorded, r, next); err != nil {
			recorded.WriteHeader(http.StatusInternalServerError)
		}
		if g.FrontChannel != "proxy" && recorded.Status() != http.StatusTeapot { // otherwise it is not the gateway's own
			apitest.Check(t, r, recorded.Status(), w.Header(), body.Bytes())
		}
		_ = recorded.WriteResponse()
	}))
	t.Cleanup(front.Close)
	return front
}

// gateway is a gateway in front of a recorder.
type gateway struct {
	*httptest.Server
	idp     *recorder
	t       testing.TB
	handler *Gateway // nil in another process
}

// newGateway starts both. options are the directive's block.
func newGateway(t testing.TB, options string) *gateway {
	return inFrontOf(t, newRecorder(t, nil), options)
}

func inFrontOf(t testing.TB, rec *recorder, options string) *gateway {
	return front(t, loaded(t, "identity_gateway "+rec.URL+" {\n"+options+"\n}", t.TempDir()), rec)
}

func front(t testing.TB, g *Gateway, rec *recorder) *gateway { return &gateway{serve(t, g), rec, t, g} }

// logged is what the gateway logs from now on, down to a level.
func (g *gateway) logged(level zapcore.Level) *observer.ObservedLogs {
	core, lines := observer.New(level)
	g.handler.logger = zap.New(core)
	g.handler.refusals = decision.NewLog(g.handler.logger)
	return lines
}

// response is a response with its whole body.
type response struct {
	*http.Response
	body string
}

// send sends a request as it is and follows nothing.
func send(t testing.TB, r *http.Request) *response {
	received, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	defer received.Body.Close()
	body, err := io.ReadAll(received.Body)
	require.NoError(t, err)
	return &response{received, string(body)}
}

// code is the OAuth error code in the response.
func (a *response) code() string {
	var e struct {
		Error string `json:"error"`
	}
	_ = json.Unmarshal([]byte(a.body), &e)
	return e.Error
}

// location is where the response leads.
func (a *response) location(t testing.TB) *url.URL {
	t.Helper()
	location, err := a.Location()
	require.NoError(t, err, "%d %s", a.StatusCode, a.body)
	return location
}

// new is a request. header are names and values, of which Host is that of the request.
func (g *gateway) new(method, target, body string, header ...string) *http.Request {
	g.t.Helper()
	r, err := http.NewRequest(method, g.URL+target, strings.NewReader(body))
	require.NoError(g.t, err)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	r.Host = cmp.Or(r.Header.Get("Host"), r.Host)
	return r
}

func (g *gateway) do(method, target, body string, header ...string) *response {
	g.t.Helper()
	return send(g.t, g.new(method, target, body, header...))
}

func (g *gateway) get(target string, header ...string) *response {
	g.t.Helper()
	return g.do(http.MethodGet, target, "", header...)
}

func (g *gateway) post(target, body string, header ...string) *response {
	g.t.Helper()
	return g.do(http.MethodPost, target, body, append(header, "Content-Type", "application/x-www-form-urlencoded")...)
}

// The example of RFC 7636 appendix B, and a second verifier.
const (
	verifier1 = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	verifier2 = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
)

// newVerifier is one of a login of its own: each login gets one token.
func newVerifier() string { return rand.Text() + rand.Text() }

// authorizeQuery is a complete authorization request for a verifier; with
// replaces parameters, "" removes one.
func authorizeQuery(verifier string, with ...string) string {
	q := url.Values{
		"audience": {"https://api.example"}, "scope": {"read profile"}, "response_type": {"code"},
		"client_id": {"app"}, "code_challenge_method": {"S256"},
		"code_challenge": {string(pkce.Verifier(verifier).S256())},
		"response_mode":  {"query"}, "state": {"s-1"}, "redirect_uri": {"https://app.example/cb"},
	}
	return replaceIn(q, with)
}

// tokenBody is a complete exchange for a verifier.
func tokenBody(verifier, code string, with ...string) string {
	q := url.Values{
		"grant_type": {"authorization_code"}, "client_id": {"app"}, "code": {code},
		"redirect_uri": {"https://app.example/cb"}, "code_verifier": {verifier},
	}
	return replaceIn(q, with)
}

func replaceIn(q url.Values, with []string) string {
	for i := 0; i < len(with); i += 2 {
		if with[i+1] == "" {
			q.Del(with[i])
		} else {
			q.Set(with[i], with[i+1])
		}
	}
	return q.Encode()
}

// begin passes a login through /authorize and returns the query that the IdP gets.
func (g *gateway) begin(verifier string, with ...string) url.Values {
	g.t.Helper()
	a := g.get("/authorize?" + authorizeQuery(verifier, with...))
	require.Equal(g.t, http.StatusFound, a.StatusCode, a.body)
	return a.location(g.t).Query()
}

// callBack loads the callback with a code of the IdP, and returns the client's code.
func (g *gateway) callBack(state, idpCode string) string {
	g.t.Helper()
	a := g.get(callbackFor(state, idpCode))
	require.Equal(g.t, http.StatusSeeOther, a.StatusCode, a.body)
	require.Equal(g.t, "s-1", a.location(g.t).Query().Get("state"))
	return a.location(g.t).Query().Get("code")
}

func callbackFor(state, idpCode string) string {
	return "/oauth/callback?" + url.Values{"code": {idpCode}, "state": {state}}.Encode()
}

// logIn is a login up to the client's code, for which the IdP gave idpCode.
func (g *gateway) logIn(verifier, idpCode string, with ...string) string {
	g.t.Helper()
	return g.callBack(g.begin(verifier, with...).Get("state"), idpCode)
}

const testKey = "Q0a7Vf3cXo9Lz5Tn1Ke8Rb6Hy2Wd4Ms0"
