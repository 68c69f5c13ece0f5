package requiretoken

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
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

	lines, err := os.ReadFile(log)
	require.NoError(t, err)
	var refusals []map[string]any
	for line := range strings.Lines(string(lines)) {
		var of map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &of))
		if of["msg"] == "request rejected" {
			require.NotContains(t, line, "s3cr3t")
			refusals = append(refusals, of)
		}
	}
	require.Len(t, refusals, 1)
	require.Equal(t, reference, refusals[0]["reference"])
	require.Equal(t, "require_token", refusals[0]["endpoint"])
	require.Equal(t, "invalid_request", refusals[0]["outcome"])
	require.EqualValues(t, 400, refusals[0]["status"])
	require.Equal(t, "127.0.0.1", refusals[0]["client_ip"])
}

// provisioned is a handler as Caddy loads it.
func provisioned(t *testing.T, config string) (*RequireToken, caddy.Context) {
	parent, err := caddy.ProvisionContext(&caddy.Config{Admin: &caddy.AdminConfig{Disabled: true}})
	require.NoError(t, err)
	ctx, cancel := caddy.NewContext(parent)
	t.Cleanup(cancel)
	module, err := ctx.LoadModuleByID("http.handlers.require_token", json.RawMessage(config))
	require.NoError(t, err)
	return module.(*RequireToken), ctx
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

// counted is how many requests had each outcome while do ran.
func counted(t *testing.T, ctx caddy.Context, do func()) map[string]float64 {
	count := func(sign float64, outcomes map[string]float64) {
		families, err := ctx.GetMetricsRegistry().Gather()
		require.NoError(t, err)
		for _, family := range families {
			if family.GetName() != "caddy_require_token_requests_total" {
				continue
			}
			for _, metric := range family.GetMetric() {
				for _, label := range metric.GetLabel() {
					if label.GetName() == "outcome" {
						outcomes[label.GetValue()] += sign * metric.GetCounter().GetValue()
					}
				}
			}
		}
	}
	outcomes := make(map[string]float64)
	count(-1, outcomes)
	do()
	count(+1, outcomes)
	maps.DeleteFunc(outcomes, func(_ string, n float64) bool { return n == 0 })
	return outcomes
}

func TestOutcomesAreCounted(t *testing.T) {
	issuer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, `{"active":%t,"client_id":"app"}`, r.FormValue("token") == "good")
	}))
	t.Cleanup(issuer.Close)
	h, ctx := provisioned(t, `{"issuer":"https://127.0.0.1:1","clients":["app"],"public":["/open"],"introspection":{"client_id":"a","client_secret":"s","endpoint":"`+issuer.URL+`"}}`)
	require.Equal(t, map[string]float64{"passed": 2, "invalid_token": 2}, counted(t, ctx, func() {
		for target, authorization := range map[string]string{"/open": "", "/orders": "", "/bad": "Bearer bad", "/good": "Bearer good"} {
			r := httptest.NewRequest(http.MethodGet, target, nil)
			r.Header.Set("Authorization", authorization)
			_, _ = serve(t, h, r)
		}
	}))
}

// RFC 6750 section 3: a challenge asks for another token, which is no help if the
// gateway is the one who failed.
func TestChallengesAreForErrorsOfTheClient(t *testing.T) {
	for _, status := range []int{400, 401, 403, 500, 503} {
		e := (&RequireToken{scopes: func() scopes { return scopes{} }}).challenge(&oauth.Error{Status: status, Code: oauth.InvalidToken}, nil)
		header := make(http.Header)
		e.SetHeader(header)
		require.Equal(t, status < 500, header.Get("WWW-Authenticate") != "", "%d", status)
	}
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

func TestOtherMetadataIsForTheNextHandler(t *testing.T) {
	parent, err := caddy.ProvisionContext(&caddy.Config{Admin: &caddy.AdminConfig{Disabled: true}})
	require.NoError(t, err)
	ctx, cancel := caddy.NewContext(parent)
	defer cancel()
	module, err := ctx.LoadModuleByID("http.handlers.protected_resource_metadata", json.RawMessage(`{"issuer":"https://127.0.0.1:1","resource":"https://api.example/v1"}`))
	require.NoError(t, err)
	teapot := errors.New("teapot")
	require.Equal(t, teapot, module.(*ResourceMetadata).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, wellKnown+"/v2", nil),
		caddyhttp.HandlerFunc(func(http.ResponseWriter, *http.Request) error { return teapot })))
}

func TestPlaceholdersOfARefusal(t *testing.T) {
	h, _ := provisioned(t, `{"issuer":"https://127.0.0.1:1","audiences":["api"]}`)
	replacer, w := caddy.NewReplacer(), httptest.NewRecorder()
	r := caddyhttp.PrepareRequest(httptest.NewRequest(http.MethodGet, "/orders", nil), replacer, w, new(caddyhttp.Server))
	require.NoError(t, h.ServeHTTP(w, r, nil))
	require.Equal(t, w.Header().Get("Gateway-Reference")+" invalid_token 401 RFC 6750 section 3",
		replacer.ReplaceAll("{http.require_token.reference} {http.require_token.outcome} {http.require_token.status} {http.require_token.source}", ""))
}

// The error of a handler after it is for the site's handle_errors.
func TestErrorsOfTheNextHandlerPass(t *testing.T) {
	h, _ := provisioned(t, `{"issuer":"https://127.0.0.1:1","audiences":["api"],"public":["/open"]}`)
	failure, w := errors.New("teapot"), httptest.NewRecorder()
	r := caddyhttp.PrepareRequest(httptest.NewRequest(http.MethodGet, "/open", nil), caddy.NewReplacer(), w, new(caddyhttp.Server))
	require.Equal(t, failure, h.ServeHTTP(w, r, caddyhttp.HandlerFunc(func(http.ResponseWriter, *http.Request) error { return failure })))
}

func TestAPreflightForTheMetadataEndsThere(t *testing.T) {
	h, _ := provisioned(t, `{"issuer":"https://127.0.0.1:1","audiences":["api"],"resource":"https://api.example"}`)
	w, seen := serve(t, h, httptest.NewRequest(http.MethodOptions, wellKnown, nil))
	require.Nil(t, seen)
	require.Equal(t, 204, w.Code)
	require.Empty(t, w.Body.String())
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
	h, configuration := provisioned(t, `{"issuer":"https://127.0.0.1:1","clients":["app"],"jwks_uri":"`+issuer.URL+`/keys","introspection":{"client_id":"a","client_secret":"s","endpoint":"`+issuer.URL+`/introspect"}}`)
	ctx, leave := context.WithCancel(t.Context())
	r := httptest.NewRequest(http.MethodGet, "/orders", nil).WithContext(ctx)
	r.Header.Set("Authorization", "Bearer opaque")
	go func() {
		<-asked
		leave()
	}()
	require.Equal(t, map[string]float64{"client_gone": 1}, counted(t, configuration, func() {
		w, seen := serve(t, h, r)
		require.Nil(t, seen)
		require.Equal(t, 499, w.Code)
		require.Empty(t, w.Body.String())
	}))
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
