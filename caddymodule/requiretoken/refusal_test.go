package requiretoken

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// What the operator can find out about a refusal: by its reference in the log, and
// how many there are.
func TestARefusalIsLoggedAndCounted(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	g, err := testgateway.Start(testgateway.Config{Log: log, Site: "require_token https://127.0.0.1:1 api\nrespond {http.require_token.reference}\nhandle_errors {\nrespond error\n}"})
	require.NoError(t, err)
	r, err := http.NewRequest(http.MethodGet, g.URL()+"/orders?access_token=s3cr3t-in-query", nil)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer s3cr3t-in-header")
	response, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	response.Body.Close()
	require.Equal(t, 400, response.StatusCode)
	reference := response.Header.Get("Gateway-Reference")
	require.Len(t, reference, 10)
	require.NoError(t, g.Stop())

	content, err := os.ReadFile(log)
	require.NoError(t, err)
	lines := slices.DeleteFunc(strings.Split(string(content), "\n"), func(line string) bool { return !strings.Contains(line, `"msg":"request rejected"`) })
	require.Len(t, lines, 1)
	require.NotContains(t, lines[0], "s3cr3t")
	for _, field := range []string{`"reference":"` + reference + `"`, `"endpoint":"require_token"`, `"outcome":"invalid_request"`, `"status":400`, `"client_ip":"127.0.0.1"`} {
		require.Contains(t, lines[0], field)
	}
}

// newContext is that of a configuration, until it is canceled.
func newContext(t *testing.T) (caddy.Context, context.CancelFunc) {
	parent, err := caddy.ProvisionContext(&caddy.Config{
		Admin: &caddy.AdminConfig{Disabled: true}, StorageRaw: caddyconfig.JSON(map[string]string{"module": "file_system", "root": t.TempDir()}, nil),
	})
	require.NoError(t, err)
	return caddy.NewContext(parent)
}

// provisioned is a handler as Caddy loads it.
func provisioned(t *testing.T, config string) (*RequireToken, caddy.Context) {
	ctx, cancel := newContext(t)
	t.Cleanup(cancel)
	module, err := ctx.LoadModuleByID("http.handlers.require_token", json.RawMessage(config))
	require.NoError(t, err)
	return module.(*RequireToken), ctx
}

// load loads a handler as Caddy does, and unloads it.
func load(t *testing.T, handler, config string) error {
	t.Helper()
	ctx, cancel := newContext(t)
	defer cancel()
	_, err := ctx.LoadModuleByID("http.handlers."+handler, json.RawMessage(config))
	return err
}

// serve returns the response, and the request as the next handler saw it: nil if it
// did not.
func serve(t *testing.T, h *RequireToken, r *http.Request) (*httptest.ResponseRecorder, *http.Request) {
	var seen *http.Request
	w := httptest.NewRecorder()
	r = caddyhttp.PrepareRequest(r, caddy.NewReplacer(), w, new(caddyhttp.Server))
	require.NoError(t, h.ServeHTTP(w, r, caddyhttp.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) error {
		seen = r
		return nil
	})))
	return w, seen
}

// counted is how many requests have had an outcome.
func counted(t *testing.T, h *RequireToken, outcome string) float64 {
	var m dto.Metric
	require.NoError(t, h.metrics.requests.WithLabelValues("UNKNOWN", outcome).Write(&m))
	return m.GetCounter().GetValue()
}

func TestOutcomesAreCounted(t *testing.T) {
	issuer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, `{"active":%t,"client_id":"app"}`, r.FormValue("token") == "good")
	}))
	t.Cleanup(issuer.Close)
	h, _ := provisioned(t, `{"issuer":"https://127.0.0.1:1","clients":["app"],"public":["/open"],"introspection":{"client_id":"a","client_secret":"s","endpoint":"`+issuer.URL+`"}}`)
	passed, invalid := counted(t, h, "passed"), counted(t, h, "invalid_token")
	for target, authorization := range map[string]string{"/open": "", "/orders": "", "/bad": "Bearer bad", "/good": "Bearer good"} {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		r.Header.Set("Authorization", authorization)
		_, _ = serve(t, h, r)
	}
	require.Equal(t, [2]float64{passed + 2, invalid + 2}, [2]float64{counted(t, h, "passed"), counted(t, h, "invalid_token")})
}

// The placeholders of others stay theirs.
func TestOtherPlaceholders(t *testing.T) {
	h, _ := provisioned(t, `{"issuer":"https://127.0.0.1:1","audiences":["api"],"public":["/open"]}`)
	_, seen := serve(t, h, httptest.NewRequest(http.MethodGet, "/open", nil))
	replacer := seen.Context().Value(caddy.ReplacerCtxKey).(*caddy.Replacer)
	_, known := replacer.Get("http.auth.user.email")
	require.True(t, known)
	_, known = replacer.Get("another.handler.s")
	require.False(t, known)
}

// A request line may have a URL without a path (RFC 9112 section 3.2.2).
func TestWithoutAResourceThereIsNoMetadata(t *testing.T) {
	h, _ := provisioned(t, `{"issuer":"https://127.0.0.1:1","audiences":["api"]}`)
	r := httptest.NewRequest(http.MethodGet, "http://api.example", nil)
	require.Empty(t, r.URL.Path)
	w, seen := serve(t, h, r)
	require.Nil(t, seen)
	require.Equal(t, 401, w.Code)
}

func TestPlaceholdersOfARefusal(t *testing.T) {
	h, _ := provisioned(t, `{"issuer":"https://127.0.0.1:1","audiences":["api"]}`)
	replacer, w := caddy.NewReplacer(), httptest.NewRecorder()
	r := caddyhttp.PrepareRequest(httptest.NewRequest(http.MethodGet, "/orders", nil), replacer, w, new(caddyhttp.Server))
	require.NoError(t, h.ServeHTTP(w, r, nil))
	require.Equal(t, w.Header().Get("Gateway-Reference")+" invalid_token 401 RFC 6750 section 3",
		replacer.ReplaceAll("{http.require_token.reference} {http.require_token.outcome} {http.require_token.status} {http.require_token.source}", ""))
}

// A client that leaves while the issuer is asked has met no failure of the gateway's.
func TestAClientThatLeaves(t *testing.T) {
	asked, release := make(chan struct{}), make(chan struct{})
	issuer := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		close(asked)
		<-release
	}))
	t.Cleanup(issuer.Close)
	t.Cleanup(func() { close(release) })
	h, _ := provisioned(t, `{"issuer":"https://127.0.0.1:1","clients":["app"],"jwks_uri":"`+issuer.URL+`/keys","introspection":{"client_id":"a","client_secret":"s","endpoint":"`+issuer.URL+`/introspect"}}`)
	ctx, leave := context.WithCancel(t.Context())
	r := httptest.NewRequest(http.MethodGet, "/orders", nil).WithContext(ctx)
	r.Header.Set("Authorization", "Bearer opaque")
	go func() {
		<-asked
		leave()
	}()
	left := counted(t, h, "client_gone")
	w, seen := serve(t, h, r)
	require.Nil(t, seen)
	require.Equal(t, 499, w.Code)
	require.Empty(t, w.Body.String())
	require.Equal(t, left+1, counted(t, h, "client_gone"))
}

// A body that nobody will read does not hold the refusal back.
func TestARefusalDoesNotWaitForTheBody(t *testing.T) {
	h, _ := provisioned(t, `{"issuer":"https://127.0.0.1:1","audiences":["api"]}`)
	w, seen := serve(t, h, httptest.NewRequest(http.MethodPost, "/orders", strings.NewReader("a body")))
	require.Nil(t, seen)
	require.Equal(t, 401, w.Code)
	require.Equal(t, "close", w.Header().Get("Connection"))
	w, _ = serve(t, h, httptest.NewRequest(http.MethodGet, "/orders", nil))
	require.Empty(t, w.Header().Get("Connection"))
}

// Caddy drops names with an underscore, as of late. Nothing may depend on that.
func TestSpellingsOfAField(t *testing.T) {
	h, _ := provisioned(t, `{"issuer":"https://127.0.0.1:1","audiences":["api"],"public":["/"],"headers":{"X-User":"sub"}}`)
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	for _, name := range []string{"X-User", "X_User", "x_user", "x-user", "X_USER", "X!User"} {
		r.Header[name] = []string{"admin"}
	}
	r.Header["X-User-Agent"] = []string{"another field"}
	_, seen := serve(t, h, r)
	require.Equal(t, http.Header{"X-User-Agent": {"another field"}}, seen.Header)
}

// What browsers never send as a preflight needs a token (Fetch standard section 4.8).
func TestWhatIsNoPreflight(t *testing.T) {
	h, _ := provisioned(t, `{"issuer":"https://127.0.0.1:1","audiences":["api"]}`)
	for name, change := range map[string]func(*http.Request){
		"a body":           func(r *http.Request) { r.ContentLength = 5 },
		"an unknown body":  func(r *http.Request) { r.ContentLength, r.Body = -1, io.NopCloser(strings.NewReader("a")) },
		"chunks":           func(r *http.Request) { r.ContentLength, r.TransferEncoding = -1, []string{"chunked"} },
		"an upgrade":       func(r *http.Request) { r.Header.Set("Upgrade", "websocket") },
		"an expectation":   func(r *http.Request) { r.Header.Set("Expect", "100-continue") },
		"another method":   func(r *http.Request) { r.Method = http.MethodGet },
		"no origin":        func(r *http.Request) { r.Header.Del("Origin") },
		"nothing is asked": func(r *http.Request) { r.Header.Del("Access-Control-Request-Method") },
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodOptions, "/orders", nil)
			r.Header.Set("Origin", "https://app.example")
			r.Header.Set("Access-Control-Request-Method", "PUT")
			_, seen := serve(t, h, r.Clone(t.Context()))
			require.NotNil(t, seen, "a preflight")
			change(r)
			w, seen := serve(t, h, r)
			require.Nil(t, seen)
			require.Equal(t, 401, w.Code)
		})
	}
}

// Nobody's body is read before his token is checked.
func TestABodyIsReadAfterTheToken(t *testing.T) {
	h, _ := provisioned(t, `{"issuer":"https://127.0.0.1:1","audiences":["api"],"tools":{"*":{"scopes":["tools"]}}}`)
	r := httptest.NewRequest(http.MethodPost, "/mcp", failing{t})
	answer, _ := serve(t, h, r)
	require.Equal(t, http.StatusUnauthorized, answer.Code)
}

type failing struct{ t *testing.T }

func (f failing) Read([]byte) (int, error) {
	f.t.Error("the body was read")
	return 0, io.EOF
}

func TestAMetricThatIsTaken(t *testing.T) {
	ctx, cancel := newContext(t)
	defer cancel()
	ctx.GetMetricsRegistry().MustRegister(prometheus.NewCounter(prometheus.CounterOpts{Name: "caddy_require_token_requests_total", Help: "another"}))
	_, err := ctx.LoadModuleByID("http.handlers.require_token", json.RawMessage(`{"issuer":"https://idp.example","audiences":["api"]}`))
	require.ErrorContains(t, err, "registering metrics")
}

// What one user may use is one number, however many rules and configurations there are:
// otherwise one holder of a token fills the store that all rules share.
func TestAFloodOfProofsAtSeveralRules(t *testing.T) {
	var rules [2]RequireToken
	for i := range rules {
		rules[i].Resource.Resource, rules[i].DPoP = "https://api.example", oauth.Optional
		rules[i].provisionProofs(new(accesstoken.Config))
		t.Cleanup(func() { _, _ = usedProofs.Delete(usedProofsKey) })
	}
	use := func(h *RequireToken, n int, holder string) error {
		proof := new(dpop.Proof)
		binary.BigEndian.PutUint64(proof.ID[:], uint64(n))
		return h.proofs.Use(t.Context(), proof, holder)
	}
	for n := range proofsOfAUser {
		require.NoError(t, use(&rules[0], n, "user"))
	}
	for i := range rules {
		require.ErrorContains(t, use(&rules[i], proofsOfAUser+i, "user"), "too many DPoP proofs")
	}
	require.NoError(t, use(&rules[1], 1<<20, "another user"))
}

func TestMain(m *testing.M) {
	testgateway.Main()
	testgateway.MainWithoutLeaks(m)
}
