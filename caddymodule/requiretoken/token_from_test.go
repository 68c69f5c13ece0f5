package requiretoken_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/redact"
)

// A page that somebody else has written gets nothing done in a user's name.
func TestATokenInACookie(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, "require_token {issuer} https://api.example {\ntoken_from cookie __Host-token\nheader X-User sub\n}\nreverse_proxy {app}")
	cookie := "a=b; __Host-token=" + i.token(t)
	for name, test := range map[string]struct {
		method string
		header []string
		status int
	}{
		"a page":                        {"GET", nil, 200},
		"its own form":                  {"POST", []string{"Origin", g.URL()}, 200},
		"a form elsewhere":              {"POST", []string{"Origin", "https://evil.example"}, 403},
		"a program":                     {"POST", nil, 403},
		"a WebSocket elsewhere":         {"GET", []string{"Connection", "Upgrade", "Upgrade", "websocket", "Origin", "https://evil.example"}, 403},
		"with Authorization":            {"GET", []string{"Authorization", "Bearer " + i.token(t)}, 400},
		"the user named by Connection":  {"GET", []string{"Connection", "Cookie, X-User"}, 200},
		"and a user whom a page claims": {"GET", []string{"X-User", "admin"}, 200},
	} {
		t.Run(name, func(t *testing.T) {
			r := send(t, test.method, g.URL()+"/x", append([]string{"Cookie", cookie}, test.header...)...)
			require.Equal(t, test.status, r.StatusCode, r.body)
			if test.status == http.StatusOK {
				require.Equal(t, []string{"u1"}, r.seen(t).Header["X-User"])
			}
		})
	}
	require.Equal(t, 200, send(t, "POST", g.URL()+"/x", "Authorization", "Bearer "+i.token(t)).StatusCode, "programs send it there")
	require.Equal(t, 401, send(t, "GET", g.URL()+"/x", "Cookie", "__Host-token="+i.token(t, "exp", 1)).StatusCode)
	require.Equal(t, 401, send(t, "GET", g.URL()+"/x", "Cookie", "token="+i.token(t)).StatusCode)
}

// The host of resource is what counts where there is one: behind a proxy this server is asked for another.
func TestTheOriginOfAResource(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, "require_token {issuer} https://api.example {\ntoken_from cookie __Host-token\nresource https://app.example/v1\n}\nreverse_proxy {app}")
	post := func(origin string) int {
		return send(t, "POST", g.URL()+"/v1/x", "Cookie", "__Host-token="+i.token(t), "Origin", origin).StatusCode
	}
	require.Equal(t, []int{200, 403}, []int{post("https://app.example"), post(g.URL())})
}

// Cloudflare Access, and others, put a token of their own into a field. What oauth_redact formats has it not.
func TestATokenInAField(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, "require_token {issuer} https://api.example {\ntoken_from header Cf-Access-Jwt-Assertion\nheader X-User sub\n}\nreverse_proxy {app}")
	token := i.token(t)
	saw := send(t, "POST", g.URL()+"/x", "Cf-Access-Jwt-Assertion", token, "Cf_Access_Jwt_Assertion", "forged", "Cf!Access-Jwt-Assertion", "forged", "Connection", "Cf-Access-Jwt-Assertion").seen(t)
	require.Equal(t, []string{"u1"}, saw.Header["X-User"])
	require.Equal(t, []string{token}, saw.Header["Cf-Access-Jwt-Assertion"])
	for name, values := range saw.Header {
		require.NotContains(t, values, "forged", name)
	}
	require.Equal(t, 400, send(t, "GET", g.URL()+"/x", "Cf-Access-Jwt-Assertion", token, "Authorization", "Bearer "+token).StatusCode)
	require.Equal(t, 401, send(t, "GET", g.URL()+"/x", "Cf_Access_Jwt_Assertion", token).StatusCode)
	require.NotContains(t, redact.Text("Cf-Access-Jwt-Assertion: "+token), token[:40])
}

const loginPage = `
	require_token {issuer} https://api.example {
		header X-User sub
	}
	reverse_proxy {app}
	handle_errors 401 {
		redir https://app.example/login
	}`

// People are sent to a login, programs get the challenge.
func TestPeopleWithoutATokenAreSentToALogin(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, loginPage)
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	for name, test := range map[string]struct {
		method string
		header []string
		person bool
	}{
		"a browser":                  {"GET", []string{"Accept", browser, "Sec-Fetch-Mode", "navigate"}, true},
		"an older one":               {"GET", []string{"Accept", browser}, true},
		"whose token has expired":    {"GET", []string{"Accept", browser, "Authorization", "Bearer " + i.token(t, "exp", 1)}, true},
		"curl":                       {"GET", []string{"Accept", "*/*"}, false},
		"a script of a page":         {"GET", []string{"Accept", browser, "Sec-Fetch-Mode", "cors"}, false},
		"a form":                     {"POST", []string{"Accept", browser}, false},
		"an agent":                   {"GET", []string{"Accept", "application/json, text/event-stream"}, false},
		"a WebSocket":                {"GET", []string{"Accept", browser, "Connection", "Upgrade", "Upgrade", "websocket"}, false},
		"who says nothing":           {"GET", nil, false},
		"a browser with two tokens":  {"GET", []string{"Accept", browser, "Authorization", "Bearer a", "Authorization", "Bearer b"}, false},
		"and one with a good token,": {"GET", []string{"Accept", browser, "Authorization", "Bearer " + i.token(t)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := send(t, test.method, g.URL()+"/orders?secret=1", test.header...)
			require.Equal(t, test.person, r.StatusCode == 302, "%d %s", r.StatusCode, r.body)
			if test.person {
				require.Equal(t, "https://app.example/login", r.Header.Get("Location"))
				require.Equal(t, "no-store", r.Header.Get("Cache-Control"))
				return
			}
			if r.StatusCode == 401 {
				require.Equal(t, "application/json", r.Header.Get("Content-Type"))
				require.True(t, strings.HasPrefix(r.Header.Get("WWW-Authenticate"), "Bearer"))
			}
		})
	}
	g = site(t, i, strings.ReplaceAll(loginPage, "handle_errors 401", "handle_errors 404"))
	r := get(t, g.URL()+"/orders", "Accept", browser)
	require.Equal(t, 401, r.StatusCode, "no error route is for it")
	require.Contains(t, r.body, `"error":"invalid_token"`)
	require.Equal(t, "application/json", r.Header.Get("Content-Type"))
}

// What runs for somebody without a token is no request for what is protected.
func TestNoErrorRouteOfA401LeadsPastTheToken(t *testing.T) {
	behind := newSink(t)
	g := site(t, newIssuer(t), `
		require_token {issuer} https://api.example {
			header X-User sub
			token_from header X-Token
		}
		reverse_proxy `+behind.address()+`
		handle_errors {
			rewrite * {http.request.orig_uri}
			reverse_proxy `+behind.address()+` {
				header_up X-Seen "{http.request.method} {http.request.uri} {http.request.orig_uri} {http.request.header.X-User} {http.auth.user.id}"
			}
		}`)
	sent := append(append([]string{"X-Token", "admin"}, forged...), harmless...)
	for n := 0; n < len(sent); n += 2 { // without a token at all, proof or upgrade
		if sent[n] == "Authorization" || sent[n] == "Dpop" || sent[n] == "Upgrade" || sent[n] == "Connection" {
			sent[n] = "X-Other"
		}
	}
	r := send(t, "GET", g.URL()+"/admin?role=admin", sent...)
	require.Equal(t, 200, r.StatusCode, r.body) // the sink's
	requests, _ := behind.reached()
	require.Len(t, requests, 1)
	require.Equal(t, "GET /identity_gateway/error", requests[0].Method+" "+requests[0].RequestURI)
	onlyHarmless(t, requests[0].Header)
}
