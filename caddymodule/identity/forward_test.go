package identity

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	shared "github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/metrics"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

// What a proxy in front says of the browser is believed if Caddy trusts the proxy.
func TestBehindAProxy(t *testing.T) {
	for name, tt := range map[string]struct{ servers, wantFor, wantCallback string }{
		"that is trusted":   {"trusted_proxies static 127.0.0.1", "192.0.2.7", "https://"},
		"that is not":       {"trusted_proxies static 192.0.2.1", "127.0.0.1", "http://"},
		"that nobody knows": {"", "127.0.0.1", "http://"},
	} {
		t.Run(name, func(t *testing.T) {
			rec := newRecorder(t, nil)
			g, err := testgateway.Start(testgateway.Config{
				Servers: tt.servers,
				Site:    "identity_gateway " + rec.URL + " {\nparameters oauth\ncallback\nclient app {\nredirect_uri https://app.example/cb\n}\n}",
			})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, g.Stop()) })
			get := func(target string) *response {
				r, err := http.NewRequest(http.MethodGet, g.URL()+target, nil)
				require.NoError(t, err)
				setHeader(r, []string{"X-Forwarded-For", "192.0.2.7", "X-Forwarded-Proto", "https", "Authorization", "Bearer a"})
				return send(t, r)
			}

			require.Equal(t, 200, get("/userinfo").StatusCode)
			require.Equal(t, tt.wantFor, strings.Join(rec.reached()[0].header["X-Forwarded-For"], ", "))

			location, err := url.Parse(get("/authorize?" + authorizeQuery(verifier1)).Header.Get("Location"))
			require.NoError(t, err)
			require.True(t, strings.HasPrefix(location.Query().Get("redirect_uri"), tt.wantCallback), location)
		})
	}
}

func TestNoTrailerReachesTheIdP(t *testing.T) {
	g := newGateway(t, "")
	var trailer http.Header
	g.idp.respondWith(func(w http.ResponseWriter, r *http.Request) {
		trailer = r.Trailer // the recorder has read the body
		respondJSON(200, recordedToken)(w, r)
	})
	r, err := http.NewRequest(http.MethodPost, g.URL+"/oauth/token", io.NopCloser(strings.NewReader(tokenBody(verifier1, "c"))))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.ContentLength, r.Trailer = -1, http.Header{"X-User": {"admin"}}
	require.Equal(t, 200, g.do(r).StatusCode)
	require.Empty(t, trailer)
	require.Empty(t, g.idp.reached()[0].header["Trailer"])
}

func TestAPageOfTheIdPPassesAsItIs(t *testing.T) {
	rec := newRecorder(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<h1>Log in</h1>")
	})
	h, cleanup, err := provision(t, "identity_gateway "+rec.URL+" {\nparameters oauth\nfront_channel proxy\n}", t.TempDir())
	require.NoError(t, err)
	t.Cleanup(cleanup)
	g := &gateway{serve(t, h), rec, t}
	passed := h.metrics.requests.WithLabelValues(shared.Server(t.Context()), "authorize", "passed")
	before := valueOf(t, passed)
	a := g.get("/authorize?"+authorizeQuery(verifier1), "Accept", "text/html")
	require.Equal(t, 200, a.StatusCode)
	require.Equal(t, "<h1>Log in</h1>", a.body)
	require.Eventually(t, func() bool { return valueOf(t, passed) > before }, time.Minute, time.Millisecond, "counted when it has passed")
}

// What the operator's proxy makes of placeholders is made of the checked request.
func TestPlaceholdersShowTheCheckedRequest(t *testing.T) {
	rec := newRecorder(t, nil)
	g, err := testgateway.Start(testgateway.Config{Site: "identity_gateway " + rec.URL + " {\nparameters oauth\nfront_channel proxy\n}\n" +
		"reverse_proxy " + rec.URL + " {\nheader_up X-Sent \"{header.X-User}{query}\"\n}"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, g.Stop()) })
	r, err := http.NewRequest(http.MethodGet, g.URL()+"/authorize?"+strings.Replace(authorizeQuery(verifier1), "state", "st%61te", 1), nil)
	require.NoError(t, err)
	setHeader(r, []string{"X-User", "admin"})
	require.Equal(t, 200, send(t, r).StatusCode)
	reached := rec.reached()[0]
	require.Equal(t, reached.query, reached.header.Get("X-Sent"))
}
