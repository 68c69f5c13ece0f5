package identity

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

func TestALoginPassesThroughTheGateway(t *testing.T) {
	g := newGateway(t, "")

	a := g.get("/authorize?" + authorizeQuery(verifier1))
	require.Equal(t, http.StatusFound, a.StatusCode, a.body)
	location, query, _ := strings.Cut(a.Header.Get("Location"), "?")
	require.Equal(t, g.idp.URL+"/authorize", location)
	sent, err := url.ParseQuery(query)
	require.NoError(t, err)
	require.Equal(t, authorizeQuery(verifier1), sent.Encode())
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	require.Empty(t, g.idp.reached(), "the browser goes to the IdP, the gateway does not")

	a = g.post("/oauth/token", tokenBody(verifier1, "code-1", "schema", "[object Blob]", "other", "x"))
	require.Equal(t, http.StatusOK, a.StatusCode, a.body)
	require.JSONEq(t, recordedToken, a.body)
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	require.Equal(t, "application/json", a.Header.Get("Content-Type"))
	reached, sent := g.idp.form(t)
	require.Equal(t, tokenBody(verifier1, "code-1"), sent.Encode())
	require.Equal(t, strings.TrimPrefix(g.idp.URL, "http://"), reached.host)

	a = g.get("/userinfo", "Authorization", "Bearer at-1", "Cookie", "s=1", "X-Forwarded-For", "6.6.6.6", "Forwarded", "for=6.6.6.6",
		"Connection", "X-Secret, Upgrade", "Upgrade", "h2c", "X-Secret", "s", "Origin", "https://x.example", "Accept-Language", "de", "User-Agent", "test")
	require.Equal(t, http.StatusOK, a.StatusCode, a.body)
	require.JSONEq(t, `{"sub":"u1"}`, a.body)
	reached, _ = g.idp.form(t)
	delete(reached.header, "Via")
	require.Equal(t, http.Header{
		"Authorization": {"Bearer at-1"}, "Accept": {"application/json"}, "Accept-Encoding": {"identity"},
		"Accept-Language": {"de"}, "User-Agent": {"test"}, "X-Forwarded-For": {"127.0.0.1"},
	}, reached.header, "what else a client sends does not reach the IdP")

	a = g.get("/v2/logout?clientId=app&returnTo=https%3A%2F%2Fapp.example%2F&federated")
	require.Equal(t, http.StatusFound, a.StatusCode, a.body)
	require.Equal(t, g.idp.URL+"/v2/logout?client_id=app&returnTo=https%3A%2F%2Fapp.example%2F&federated", a.Header.Get("Location"))

	require.Equal(t, http.StatusTeapot, g.get("/elsewhere").StatusCode)
}

const registeredClient = `
	client app {
		redirect_uri https://app.example/cb http://127.0.0.1/cb
		return_to https://app.example/bye
		origin https://app.example http://localhost:3000
	}
`

// TestNothingRejectedReachesTheIdP sends what must be rejected and looks at what arrived.
func TestNothingRejectedReachesTheIdP(t *testing.T) {
	g := newGateway(t, registeredClient+"front_channel proxy\ncallback\ndeny_path auth0 /admin/*")
	form := "application/x-www-form-urlencoded"
	for name, tc := range map[string]struct {
		method, target, body string
		header               []string
		status               int
	}{
		"another case":                  {"GET", "/AUTHORIZE?" + authorizeQuery(verifier1), "", nil, 404},
		"two slashes":                   {"GET", "//authorize?" + authorizeQuery(verifier1), "", nil, 404},
		"an escaped letter":             {"GET", "/%61uthorize?" + authorizeQuery(verifier1), "", nil, 404},
		"dot segments":                  {"GET", "/oauth/../authorize", "", nil, 404},
		"an escaped slash":              {"POST", "/oauth%2ftoken", tokenBody(verifier1, "c"), nil, 404},
		"a denied path":                 {"POST", "/oauth/ro", "grant_type=password", []string{"Content-Type", form}, 404},
		"a denied path of the operator": {"GET", "/admin/users", "", nil, 404},
		"a path in a header":            {"POST", "/app", tokenBody(verifier1, "c"), []string{"Content-Type", form, "X-Original-URL", "/oauth/token"}, 404},
		"a POST to authorize":           {"POST", "/authorize", authorizeQuery(verifier1, "redirect_uri", "https://evil.example/"), []string{"Content-Type", form}, 400},
		"a GET of a token":              {"GET", "/oauth/token?" + tokenBody(verifier1, "c"), "", nil, 405},
		"a POST to userinfo":            {"POST", "/userinfo", "access_token=a", []string{"Content-Type", form}, 400},
		"no PKCE":                       {"GET", "/authorize?" + authorizeQuery(verifier1, "code_challenge", "", "code_challenge_method", ""), "", nil, 302},
		"an open redirect":              {"GET", "/authorize?" + authorizeQuery(verifier1, "redirect_uri", "https://evil.example/"), "", nil, 400},
		"an open redirect after logout": {"GET", "/v2/logout?client_id=app&returnTo=https%3A%2F%2Fevil.example%2F", "", nil, 400},
		"an exchange out of nowhere":    {"POST", "/oauth/token", tokenBody(verifier2, "c"), []string{"Content-Type", form}, 400},
		"an exchange as JSON":           {"POST", "/oauth/token", `{"grant_type":"authorization_code"}`, []string{"Content-Type", "application/json"}, 400},
		"an exchange in the URL":        {"POST", "/oauth/token?" + tokenBody(verifier1, "c"), "", []string{"Content-Type", form}, 400},
		"a huge exchange":               {"POST", "/oauth/token", strings.Repeat("a", 65<<10), []string{"Content-Type", form}, 413},
		"in early data":                 {"POST", "/oauth/token", tokenBody(verifier1, "c"), []string{"Content-Type", form, "Early-Data", "1"}, 425},
		"a DPoP proof":                  {"POST", "/oauth/token", tokenBody(verifier1, "c"), []string{"Content-Type", form, "DPoP", "a.b.c"}, 400},
		"a DPoP token":                  {"GET", "/userinfo", "", []string{"Authorization", "DPoP a", "DPoP", "a.b.c"}, 400},
		"userinfo without a token":      {"GET", "/userinfo", "", nil, 401},
		"userinfo with a query token":   {"GET", "/userinfo?access_token=a", "", []string{"Authorization", "Bearer a"}, 400},
		"userinfo with a body":          {"GET", "/userinfo", "access_token=b", []string{"Authorization", "Bearer a"}, 400},
	} {
		t.Run(name, func(t *testing.T) {
			r := g.new(tc.method, "", tc.body, tc.header...)
			path, query, _ := strings.Cut(tc.target, "?")
			r.URL.Opaque, r.URL.RawQuery = "//"+r.URL.Host+path, query
			if strings.HasPrefix(path, "//") {
				r.URL.Opaque = g.URL + path
			}
			a := send(t, r)
			require.Equal(t, tc.status, a.StatusCode, a.body)
			require.Empty(t, g.idp.reached())
			require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
			if tc.status == 302 {
				require.Regexp(t, `^https://app.example/cb\?error=invalid_request&`, a.Header.Get("Location"))
				return
			}
			require.NotEmpty(t, a.code(), "an OAuth error as JSON: %s", a.body)
			require.Equal(t, "application/json", a.Header.Get("Content-Type"))
			if tc.status == 405 {
				require.NotEmpty(t, a.Header.Get("Allow"))
			}
			if strings.HasPrefix(tc.target, "/userinfo") && tc.status != 405 {
				require.Contains(t, a.Header.Get("Www-Authenticate"), "Bearer ")
			}
		})
	}
}

// The 100 MB that the header promises never come: whoever waits for them waits
// until the client gives up.
func TestARefusalDoesNotWaitForTheBody(t *testing.T) {
	gateway := testgateway.Run(t, testgateway.Config{Site: "identity_gateway https://idp.example"})
	for name, tt := range map[string]struct {
		method, target string
		want           int
	}{
		"another method": {http.MethodPut, "/oauth/token", http.StatusMethodNotAllowed},
		"too large":      {http.MethodPost, "/oauth/token", http.StatusRequestEntityTooLarge},
		"no body wanted": {http.MethodGet, "/authorize", http.StatusBadRequest},
		"another path":   {http.MethodPost, "/OAUTH/token", http.StatusNotFound},
	} {
		for _, expect := range []string{"", "Expect: 100-continue\r\n"} {
			t.Run(name+" "+expect, func(t *testing.T) {
				connection, err := net.Dial("tcp", gateway.Address())
				require.NoError(t, err)
				defer connection.Close()
				require.NoError(t, connection.SetDeadline(time.Now().Add(10*time.Second)))
				_, err = fmt.Fprintf(connection, "%s %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\n%sContent-Length: 100000000\r\n\r\n",
					tt.method, tt.target, gateway.Address(), expect)
				require.NoError(t, err)
				response, err := http.ReadResponse(bufio.NewReader(connection), nil)
				require.NoError(t, err)
				require.Equal(t, tt.want, response.StatusCode)
				require.True(t, response.Close, "the connection can't carry another request")
			})
		}
	}
}

func TestAParameterThatOnlyTheContractRequiresNamesTheWayOut(t *testing.T) {
	g := newGateway(t, "")
	a := g.get("/authorize?" + authorizeQuery(verifier1, "audience", ""))
	require.Equal(t, http.StatusBadRequest, a.StatusCode)
	require.Contains(t, a.body, "the required parameter audience is missing or empty (or set parameters oauth at the gateway")
	a = g.get("/authorize?" + authorizeQuery(verifier1, "code_challenge", ""))
	require.NotContains(t, a.body, "parameters oauth")
}

// What comes of an answer of the IdP is in testbed/faults; each status here is one of the OpenAPI document.
func TestWhatFailsAtTheIdPHasAStatus(t *testing.T) {
	g := newGateway(t, "response_timeout 1s")
	for status, response := range map[int]http.HandlerFunc{
		403: respondJSON(403, `{"error":"access_denied"}`),
		429: respondJSON(429, ""),
		502: respondJSON(200, "<html>"),
		504: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	} {
		g.idp.respondWith(response)
		a := g.post("/oauth/token", tokenBody(verifier1, "code-1"))
		require.Equal(t, status, a.StatusCode, a.body)
	}
}

// What a proxy in front says of the browser is believed if Caddy trusts the proxy.
func TestBehindAProxy(t *testing.T) {
	for name, tt := range map[string]struct{ servers, wantFor, wantCallback string }{
		"that is trusted":   {"trusted_proxies static 127.0.0.1", "192.0.2.7", "https://"},
		"that is not":       {"trusted_proxies static 192.0.2.1", "127.0.0.1", "http://"},
		"that nobody knows": {"", "127.0.0.1", "http://"},
	} {
		t.Run(name, func(t *testing.T) {
			rec := newRecorder(t, nil)
			g := testgateway.Run(t, testgateway.Config{
				Servers: tt.servers,
				Site:    "identity_gateway " + rec.URL + " {\nparameters oauth\ncallback\nclient app {\nredirect_uri https://app.example/cb\n}\n}",
			})
			get := func(target string) *response {
				return (&gateway{Server: &httptest.Server{URL: g.URL()}, t: t}).get(target,
					"X-Forwarded-For", "192.0.2.7", "X-Forwarded-Proto", "https", "Authorization", "Bearer a")
			}

			require.Equal(t, 200, get("/userinfo").StatusCode)
			require.Equal(t, tt.wantFor, strings.Join(rec.reached()[0].header["X-Forwarded-For"], ", "))

			location := get("/authorize?" + authorizeQuery(verifier1)).location(t)
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
	r := g.new(http.MethodPost, "/oauth/token", tokenBody(verifier1, "c"), "Content-Type", "application/x-www-form-urlencoded")
	r.ContentLength, r.Trailer = -1, http.Header{"X-User": {"admin"}}
	require.Equal(t, 200, send(t, r).StatusCode)
	require.Empty(t, trailer)
	require.Empty(t, g.idp.reached()[0].header["Trailer"])
}
