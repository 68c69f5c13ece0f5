package identity

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/stretchr/testify/require"

	shared "github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/metrics"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

func TestAProxiedFrontChannel(t *testing.T) {
	g := newGateway(t, "front_channel proxy")
	g.idp.respondWith(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Set-Cookie", "session=1; Path=/; HttpOnly")
		w.Header().Add("Set-Cookie", "foreign=1; Domain=idp.example")
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Location", "/u/login?state=x")
		w.WriteHeader(302)
	})
	a := g.get("/authorize?"+authorizeQuery(verifier1)+"&REQUEST=x", "Cookie", "session=0", "X-Forwarded-Host", "evil.example")
	require.Equal(t, 302, a.StatusCode, a.body)
	require.Equal(t, "/u/login?state=x", a.Header.Get("Location"))
	require.Equal(t, []string{"session=1; Path=/; HttpOnly"}, a.Header["Set-Cookie"])
	require.Empty(t, a.Header.Get("Access-Control-Allow-Origin"))
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	reached, _ := g.idp.form(t)
	require.Equal(t, "session=0", reached.header.Get("Cookie"))
	require.Equal(t, strings.TrimPrefix(g.URL, "http://"), reached.header.Get("X-Forwarded-Host"))
	q, err := url.ParseQuery(reached.query)
	require.NoError(t, err)
	require.NotContains(t, q, "REQUEST")
	require.Equal(t, "app", q.Get("client_id"))

	g.idp.respondWith(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, "<html>half")
	})
	response, err := http.Get(g.URL + "/v2/logout")
	if err == nil {
		_, err = io.ReadAll(response.Body)
		response.Body.Close()
	}
	require.Error(t, err, "a truncated page is not made a whole one")
}

func TestWhatARewriteMovesPastTheGatewayIsRejected(t *testing.T) {
	for _, tc := range []struct {
		original, rewritten string
		status              int
	}{
		{"/authorize", "/index.php", 404}, // try_files {path} /index.php
		{"/Authorize", "/index.php", 404},
		{"/app/authorize", "/authorize", 400}, // handle_path /app/*
		{"/app/list", "/list", http.StatusTeapot},
		{"/list", "/list", http.StatusTeapot},
	} {
		w := passOn(t, tc.original, func(r *http.Request) { r.URL.Path = tc.rewritten }, nil)
		require.Equal(t, tc.status, w.Code, tc)
		if tc.status == 404 {
			require.Contains(t, w.Body.String(), "try_files")
		}
	}
}

func TestLoginsBesideAuthorizeAreHeldToItsRules(t *testing.T) {
	g := newGateway(t, registeredClient+"deny_path dex")
	for target, want := range map[string]int{
		"/auth/github?" + authorizeQuery(verifier1):                                                     http.StatusTeapot,
		"/auth/github?" + authorizeQuery(verifier1, "code_challenge", "", "code_challenge_method", ""):  400,
		"/AUTH//github?" + authorizeQuery(verifier1, "code_challenge", "", "code_challenge_method", ""): 400,
		"/auth/github?" + authorizeQuery(verifier1, "redirect_uri", "https://app.example/elsewhere"):    400,
		"/auth/local/login?state=abc&back=":                                                             http.StatusTeapot,
		"/auth/github?req=abc":                                                                          http.StatusTeapot,
		"/%E2%91%A0" + strings.Repeat("a", 2000):                                                        414,
	} {
		response := g.get(target)
		require.Equal(t, want, response.StatusCode, target)
	}
	require.Equal(t, 414, g.get("/app", "X-Original-URL", "/"+strings.Repeat("\uFDFA", 20_000)).StatusCode)

	sealed := newGateway(t, registeredClient+"callback\ndeny_path dex")
	require.Equal(t, 400, sealed.get("/auth/github?"+authorizeQuery(verifier1)).StatusCode, "the IdP's response would not come to the callback")
	location := sealed.get("/authorize?" + authorizeQuery(verifier1)).location(t)
	require.Equal(t, http.StatusTeapot, sealed.get("/auth/github?"+location.RawQuery).StatusCode)
}

func passOn(t *testing.T, target string, change, next func(*http.Request)) *httptest.ResponseRecorder {
	h := loaded(t, "identity_gateway https://idp.example", t.TempDir())
	w := httptest.NewRecorder()
	r := caddyhttp.PrepareRequest(httptest.NewRequest(http.MethodGet, target, nil), caddy.NewReplacer(), w, new(caddyhttp.Server))
	change(r)
	require.NoError(t, h.ServeHTTP(w, r, caddyhttp.HandlerFunc(func(w http.ResponseWriter, r *http.Request) error {
		if next != nil {
			next(r)
		}
		w.WriteHeader(http.StatusTeapot)
		return nil
	})))
	return w
}

func TestAPageOfTheIdPPassesAsItIs(t *testing.T) {
	rec := newRecorder(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<h1>Log in</h1>")
	})
	g := inFrontOf(t, rec, "parameters oauth\nfront_channel proxy")
	passed := g.handler.metrics.requests.WithLabelValues(shared.Server(t.Context()), "authorize", "passed")
	before := valueOf(t, passed)
	a := g.get("/authorize?"+authorizeQuery(verifier1), "Accept", "text/html")
	require.Equal(t, 200, a.StatusCode)
	require.Equal(t, "<h1>Log in</h1>", a.body)
	require.Eventually(t, func() bool { return valueOf(t, passed) > before }, time.Minute, time.Millisecond, "counted when it has passed")
}

func TestPlaceholdersShowTheCheckedRequest(t *testing.T) {
	rec := newRecorder(t, nil)
	g := testgateway.Run(t, testgateway.Config{Site: "identity_gateway " + rec.URL + " {\nparameters oauth\nfront_channel proxy\n}\n" +
		"reverse_proxy " + rec.URL + " {\nheader_up X-Sent \"{header.X-User}{query}\"\n}"})
	at := &gateway{Server: &httptest.Server{URL: g.URL()}, t: t}
	require.Equal(t, 200, at.get("/authorize?"+strings.Replace(authorizeQuery(verifier1), "state", "st%61te", 1), "X-User", "admin").StatusCode)
	reached := rec.reached()[0]
	require.Equal(t, reached.query, reached.header.Get("X-Sent"))
}
