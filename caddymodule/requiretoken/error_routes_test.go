package requiretoken_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// sink is a server that keeps what reached it.
type sink struct {
	*httptest.Server
	mu       sync.Mutex
	requests []*http.Request
	bodies   []string
}

func newSink(t *testing.T) *sink {
	s := new(sink)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.requests, s.bodies = append(s.requests, r), append(s.bodies, string(body))
		_, _ = io.WriteString(w, "a page")
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *sink) address() string { return strings.TrimPrefix(s.URL, "http://") }

// reached returns what arrived since the last call.
func (s *sink) reached() (requests []*http.Request, bodies []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	requests, bodies, s.requests, s.bodies = s.requests, s.bodies, nil, nil
	return requests, bodies
}

// forged is what a client says to be somebody else, or to ask for something else, and has to
// get a token.
var forged = []string{
	"X-User", "admin", "X!User", "admin", "X_User", "admin", "X-Forwarded-User", "admin", "X-Forwarded-Email", "admin", "X-Forwarded-Method", "admin",
	"X-Forwarded-Uri", "/admin", "X-Remote-User", "admin", "Remote-User", "admin", "X-Http-Method-Override", "admin", "X-Real-Ip", "admin", "Forwarded", "for=admin",
	"X-Api-Key", "s3cr3t", "Authorization", "Bearer s3cr3t", "Proxy-Authorization", "Basic s3cr3t", "Dpop", "s3cr3t", "Cookie", "session=s3cr3t",
	"Referer", "https://app.example/cb?code=s3cr3t", "Connection", "Upgrade, Http2-Settings, X-User", "Upgrade", "h2c", "Http2-Settings", "admin", "Range", "bytes=0-1",
	"If-None-Match", "admin", "Content-Type", "admin", "Te", "trailers",
}

// harmless is what an error page may depend on.
var harmless = []string{"Accept", "text/html", "Accept-Language", "de", "User-Agent", "Mozilla/5.0", "Origin", "https://app.example", "Sec-Fetch-Dest", "document"}

// fromProxies are what reverse_proxy says itself, or needs.
var fromProxies = map[string]bool{"X-Forwarded-For": true, "X-Forwarded-Host": true, "X-Forwarded-Proto": true, "Via": true, "Accept-Encoding": true, "X-Seen": true}

// What runs for a request that was not let in is no request for what is protected, wherever an
// error route leads.
func TestNoErrorRouteLeadsPastTheToken(t *testing.T) {
	for name, test := range map[string]struct{ before, route, path, sees string }{
		"to the app":       {route: "reverse_proxy {app}"},
		"to a page of it":  {route: "rewrite * /errors/{err.status_code}\nreverse_proxy {app}", path: "/errors/"},
		"by forward_auth":  {route: "forward_auth {app} {\nuri /check\ncopy_headers X-User\n}\nreverse_proxy {app}", path: "/"},
		"by try_files":     {route: "root /\ntry_files {path}\nreverse_proxy {app}"},
		"by php_fastcgi's": {route: "rewrite {http.request.orig_uri}\nmethod {http.request.orig_method}\nreverse_proxy {app}"},
		"by placeholders": {
			before: "timeouts {\nread_timeout 1m\n}", // a handler that copies the request
			route: "reverse_proxy {app} {\nheader_up X-Seen \"{http.request.method} {http.request.uri} {http.request.uri.query} {http.request.orig_method} {http.request.orig_uri} {http.request.orig_uri.path} " +
				"{http.request.orig_uri.query} {http.request.body} {http.request.header.X-User} {http.request.header.Authorization} {http.request.cookie.session}\"\n}",
			sees: "GET /identity_gateway/error  GET /identity_gateway/error /identity_gateway/error",
		},
	} {
		t.Run(name, func(t *testing.T) {
			behind := newSink(t)
			g := site(t, newIssuer(t), test.before+`
				identity_gateway {issuer} {
					callback
					client app {
						redirect_uri https://app.example/cb
					}
				}
				require_token {issuer} https://api.example {
					header X-User sub
				}
				reverse_proxy `+behind.address()+`
				handle_errors {
					`+strings.ReplaceAll(test.route, "{app}", behind.address())+`
				}`)
			for name, attack := range map[string]struct {
				method, target, body string
				header               []string
			}{
				"X-Original-URL":           {method: "DELETE", target: "/users/1", header: []string{"X-Original-Url", "/oauth/token"}},
				"X-Rewrite-URL":            {method: "PUT", target: "/users/1?role=admin", body: "role=admin", header: []string{"X-Rewrite-Url", "/oauth/token"}},
				"both":                     {method: "POST", target: "/users", body: "admin", header: []string{"X-Original-Url", "/a", "X-Rewrite-Url", "/b"}},
				"a field that is too long": {method: "DELETE", target: "/users/1", header: []string{"X-Original-Url", "/" + strings.Repeat("%20", 3<<10)}},
				"a path that is too long":  {method: "DELETE", target: "/users/" + strings.Repeat("%20", 2<<10)},
				"a path with segments":     {method: "DELETE", target: "/users/1/..;/oauth/token?a=admin"},
				"a bad /authorize":         {method: "GET", target: "/authorize?client_id=app&redirect_uri=https://evil.example/&state=s3cr3t"},
				"/authorize, by POST":      {method: "POST", target: "/authorize?state=s3cr3t", body: "state=s3cr3t"},
				"a bad callback":           {method: "GET", target: "/oauth/callback?code=s3cr3t&state=s3cr3t"},
				"a HEAD":                   {method: "HEAD", target: "/users/1", header: []string{"X-Original-Url", "/oauth/token"}},
				"a method of his own":      {method: "ADMIN", target: "/users/1", header: []string{"X-Original-Url", "/oauth/token"}},
			} {
				t.Run(name, func(t *testing.T) {
					received := sendBody(t, attack.method, g.URL()+attack.target, attack.body, append(append(forged, harmless...), attack.header...)...)
					require.NotEqual(t, 401, received.StatusCode, "the gateway has refused it")
					requests, bodies := behind.reached()
					require.NotEmpty(t, requests, "%d %s", received.StatusCode, received.body)
					for i, r := range requests {
						require.Equal(t, "GET", r.Method)
						path := test.path
						if path == "" {
							path = "/identity_gateway/error"
						}
						require.True(t, strings.HasPrefix(r.URL.Path, path), r.URL.Path)
						require.Empty(t, r.URL.RawQuery)
						require.Empty(t, bodies[i])
						if test.sees != "" {
							require.Equal(t, test.sees, strings.TrimSpace(r.Header.Get("X-Seen")))
						}
						if r.URL.Path == "/check" {
							require.Equal(t, "GET", r.Header.Get("X-Forwarded-Method"))
							require.Equal(t, "/identity_gateway/error", r.Header.Get("X-Forwarded-Uri"))
							r.Header.Del("X-Forwarded-Method")
							r.Header.Del("X-Forwarded-Uri")
						}
						onlyHarmless(t, r.Header)
					}
				})
			}
		})
	}
}

// onlyHarmless holds what reached a server to what anybody may say.
func onlyHarmless(t *testing.T, header http.Header) {
	t.Helper()
	rest := header.Clone()
	for n := 0; n < len(harmless); n += 2 {
		delete(rest, harmless[n])
	}
	require.Equal(t, []string{"de"}, header["Accept-Language"], "an error page may be in the user's language")
	for name, values := range rest {
		require.True(t, fromProxies[name], name)
		require.NotContains(t, strings.Join(values, " "), "admin", name)
		require.NotContains(t, strings.Join(values, " "), "s3cr3t", name)
	}
}

// What a handler has put on a request that was let in goes no further than what follows it.
func TestAnErrorRouteGetsNothingOfTheUser(t *testing.T) {
	for name, test := range map[string]struct {
		method, path string
		header       []string
	}{
		"with a token": {method: "DELETE", path: "/users/1"},
		"public":       {method: "DELETE", path: "/open/1"},
		"a preflight":  {method: "OPTIONS", path: "/users/1", header: []string{"Access-Control-Request-Method", "DELETE"}},
	} {
		t.Run(name, func(t *testing.T) {
			behind, i := newSink(t), newIssuer(t)
			g := site(t, i, `
				timeouts {
					read_timeout 1m
				}
				route {
					require_token {issuer} https://api.example {
						header X-User sub
						public /open/*
					}
					request_header X-Api-Key s3cr3t
					request_header X-Name {http.auth.user.id}
					reverse_proxy 127.0.0.1:1
				}
				handle_errors {
					reverse_proxy `+behind.address()+`
				}`)
			sent := append([]string{"Cookie", "a=s3cr3t", "X!User", "admin", "X-User", "admin", "Authorization", "Bearer " + i.token(t)}, append(harmless, test.header...)...)
			send(t, test.method, g.URL()+test.path, sent...)
			requests, _ := behind.reached()
			require.Len(t, requests, 1)
			require.Equal(t, test.method, requests[0].Method, "it was let in")
			require.Equal(t, test.path, requests[0].URL.Path)
			requests[0].Header.Del("Access-Control-Request-Method")
			onlyHarmless(t, requests[0].Header)
		})
	}
}

// The IdP behind the gateway is down: what was for it goes nowhere else.
func TestAnErrorRouteGetsNothingForTheIdP(t *testing.T) {
	behind := newSink(t)
	g := site(t, newIssuer(t), `
		timeouts {
			read_timeout 1m
		}
		identity_gateway {issuer} {
			front_channel proxy
		}
		reverse_proxy 127.0.0.1:1
		handle_errors {
			reverse_proxy `+behind.address()+` {
				header_up X-Seen "{http.request.uri} {http.request.orig_uri}"
			}
		}`)
	send(t, "GET", g.URL()+"/v2/logout?id_token_hint=s3cr3t", append([]string{"Cookie", "a=s3cr3t", "X-User", "admin", "Authorization", "Bearer s3cr3t"}, harmless...)...)
	requests, _ := behind.reached()
	require.Len(t, requests, 1)
	require.Equal(t, "/v2/logout", requests[0].RequestURI)
	onlyHarmless(t, requests[0].Header)
}

// What Caddy itself refuses, nobody has checked; a require_token in the error route does.
func TestAnErrorRouteWithARequireTokenOfItsOwn(t *testing.T) {
	behind, i := newSink(t), newIssuer(t)
	protected := "require_token {issuer} https://api.example {\nheader X-User sub\n}\nreverse_proxy " + behind.address()
	g := site(t, i, protected+"\nhandle_errors {\n"+protected+"\n}")
	require.Equal(t, 401, send(t, strings.Repeat("A", 33), g.URL()+"/users/1", "X-User", "admin").StatusCode)
	requests, _ := behind.reached()
	require.Empty(t, requests)
}
