package identity

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"
)

const registeredClient = `
	client app {
		redirect_uri https://app.example/cb http://127.0.0.1/cb
		return_to https://app.example/bye
		origin https://app.example http://localhost:3000
	}
`

// TestNothingRejectedReachesTheIdP sends what must be rejected and looks at what arrived.
func TestNothingRejectedReachesTheIdP(t *testing.T) {
	g := newGateway(t, registeredClient+"front_channel proxy\ncallback")
	form := "application/x-www-form-urlencoded"
	for name, tc := range map[string]struct {
		method, target, body string
		header               []string
		status               int
	}{
		"another case":                  {"GET", "/AUTHORIZE?" + authorizeQuery(verifier1), "", nil, 404},
		"two slashes":                   {"GET", "//authorize?" + authorizeQuery(verifier1), "", nil, 404},
		"an escaped letter":             {"GET", "/%61uthorize?" + authorizeQuery(verifier1), "", nil, 404},
		"a twice escaped letter":        {"GET", "/%2561uthorize", "", nil, 404},
		"a trailing slash":              {"GET", "/authorize/", "", nil, 404},
		"dot segments":                  {"GET", "/oauth/../authorize", "", nil, 404},
		"an escaped slash":              {"POST", "/oauth%2ftoken", tokenBody(verifier1, "c"), nil, 404},
		"a path parameter":              {"POST", "/oauth/token;x", tokenBody(verifier1, "c"), nil, 404},
		"a POST to authorize":           {"POST", "/authorize", authorizeQuery(verifier1), []string{"Content-Type", form}, 405},
		"a GET of a token":              {"GET", "/oauth/token?" + tokenBody(verifier1, "c"), "", nil, 405},
		"a POST to userinfo":            {"POST", "/userinfo", "access_token=a", []string{"Content-Type", form}, 405},
		"no PKCE":                       {"GET", "/authorize?" + authorizeQuery(verifier1, "code_challenge", "", "code_challenge_method", ""), "", nil, 302},
		"an open redirect":              {"GET", "/authorize?" + authorizeQuery(verifier1, "redirect_uri", "https://evil.example/"), "", nil, 400},
		"an open redirect after logout": {"GET", "/v2/logout?client_id=app&returnTo=https%3A%2F%2Fevil.example%2F", "", nil, 400},
		"an exchange out of nowhere":    {"POST", "/oauth/token", tokenBody(verifier2, "c"), []string{"Content-Type", form}, 400},
		"an exchange as JSON":           {"POST", "/oauth/token", `{"grant_type":"authorization_code"}`, []string{"Content-Type", "application/json"}, 400},
		"an exchange in the URL":        {"POST", "/oauth/token?" + tokenBody(verifier1, "c"), "", []string{"Content-Type", form}, 400},
		"a huge exchange":               {"POST", "/oauth/token", strings.Repeat("a", 65<<10), []string{"Content-Type", form}, 413},
		"another grant":                 {"POST", "/oauth/token", "grant_type=password&client_id=app&username=a&password=b", []string{"Content-Type", form}, 400},
		"userinfo without a token":      {"GET", "/userinfo", "", nil, 401},
		"userinfo with a query token":   {"GET", "/userinfo?access_token=a", "", []string{"Authorization", "Bearer a"}, 400},
		"userinfo with two tokens":      {"GET", "/userinfo", "", []string{"Authorization", "Bearer a", "Authorization", "Bearer b"}, 400},
		"userinfo with a body":          {"GET", "/userinfo", "access_token=b", []string{"Authorization", "Bearer a"}, 400},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := http.NewRequest(tc.method, g.URL, strings.NewReader(tc.body))
			require.NoError(t, err)
			path, query, _ := strings.Cut(tc.target, "?")
			r.URL.Opaque, r.URL.RawQuery = "//"+r.URL.Host+path, query
			if strings.HasPrefix(path, "//") {
				r.URL.Opaque = g.URL + path
			}
			setHeader(r, tc.header)
			a := g.do(r)
			require.Equal(t, tc.status, a.StatusCode, a.body)
			require.Empty(t, g.idp.reached())
			require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
			if tc.status == 302 {
				require.Contains(t, a.Header.Get("Location"), "https://app.example/cb?error=invalid_request&")
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

func TestACodeIsRedeemedByItsLoginOnly(t *testing.T) {
	g := newGateway(t, registeredClient+"callback")
	code := g.logIn(verifier1, "code-1")
	for name, body := range map[string]string{
		"another verifier":           tokenBody(verifier2, code),
		"no redirect URI":            tokenBody(verifier1, code, "redirect_uri", ""),
		"another redirect URI":       tokenBody(verifier1, code, "redirect_uri", "http://127.0.0.1:9/cb"),
		"the IdP's own code":         tokenBody(verifier1, "code-1"),
		"a code of another gateway":  tokenBody(verifier1, newGateway(t, registeredClient+"callback").logIn(verifier1, "code-1")),
		"a state instead of a code":  tokenBody(verifier1, g.begin(verifier1).Get("state")),
		"a code with a letter more":  tokenBody(verifier1, code+"A"),
		"the code of another client": tokenBody(verifier1, code, "client_id", "other"),
	} {
		a := g.post("/oauth/token", body)
		require.Contains(t, []string{"invalid_grant", "invalid_client"}, a.code(), name)
	}
	require.Empty(t, g.idp.reached())

	g.idp.respondWith(respondJSON(400, `{"error":"invalid_grant"}`))
	require.Equal(t, 400, g.post("/oauth/token", tokenBody(verifier1, code)).StatusCode)
	require.Len(t, g.idp.reached(), 1)
	g.idp.respondWith(nil)
	a := g.post("/oauth/token", tokenBody(verifier1, code))
	require.Equal(t, 200, a.StatusCode, "what the IdP rejected is not spent: %s", a.body)
	reached := g.idp.reached()
	require.Len(t, reached, 1)
	sent, err := url.ParseQuery(reached[0].body)
	require.NoError(t, err)
	require.Equal(t, "code-1", sent.Get("code"))
	require.Equal(t, g.URL+"/oauth/callback", sent.Get("redirect_uri"))

	again := g.logIn(verifier2, "code-1")
	for name, body := range map[string]string{
		"the code again":                tokenBody(verifier1, code),
		"the IdP's code in another one": tokenBody(verifier2, again),
	} {
		a = g.post("/oauth/token", body)
		require.Equal(t, "invalid_grant", a.code(), name)
		require.Contains(t, a.body, "redeemed before", name)
	}
	require.Empty(t, g.idp.reached())
}

// TestWhatSpendsACode tells what the gateway does with a claim after each response.
func TestWhatSpendsACode(t *testing.T) {
	g := newGateway(t, registeredClient+"callback\nresponse_timeout 300ms")
	for name, tc := range map[string]struct {
		response http.HandlerFunc
		spent    bool
	}{
		"a token":                      {respondJSON(200, recordedToken), true},
		"an OAuth error":               {respondJSON(400, `{"error":"invalid_grant"}`), false},
		"a client error":               {respondJSON(401, `{"error":"invalid_client"}`), false},
		"an error that is not OAuth's": {respondJSON(400, `oops`), true},
		"another status":               {respondJSON(403, `{"error":"access_denied"}`), true},
		"busy":                         {respondJSON(429, `{"error":"slow_down"}`), true},
		"a server error":               {respondJSON(500, `{"error":"server_error"}`), true},
		"the nonce of another login":   {respondJSON(200, `{"access_token":"a","token_type":"Bearer","id_token":"e30.eyJub25jZSI6Im4ifQ.c2ln"}`), true},
		"a lost response":              {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, true},
		"no response":                  {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, true},
	} {
		t.Run(name, func(t *testing.T) {
			code := g.logIn(verifier1, "code of "+name)
			g.idp.respondWith(tc.response)
			g.post("/oauth/token", tokenBody(verifier1, code))
			g.idp.reached()
			g.idp.respondWith(nil)
			a := g.post("/oauth/token", tokenBody(verifier1, code))
			if tc.spent {
				require.Contains(t, a.body, "redeemed before")
				require.Empty(t, g.idp.reached())
			} else {
				require.Equal(t, 200, a.StatusCode, a.body)
			}
		})
	}
	t.Run("an IdP that could not be reached", func(t *testing.T) {
		down := newGateway(t, registeredClient+"callback\nupstream 127.0.0.1:1")
		code := down.logIn(verifier1, "code-1")
		for range 2 {
			require.Equal(t, 502, down.post("/oauth/token", tokenBody(verifier1, code)).StatusCode)
		}
	})
	t.Run("an IdP whose TLS fails", func(t *testing.T) {
		server := httptest.NewTLSServer(respondJSON(200, recordedToken))
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		t.Cleanup(server.Close)
		h, cleanup, err := provision(t, "identity_gateway "+server.URL+" {\n"+registeredClient+"callback\n}", t.TempDir())
		require.NoError(t, err)
		t.Cleanup(cleanup)
		untrusted := &gateway{serve(t, h), nil, t}
		code := untrusted.logIn(verifier1, "code-1")
		for range 2 {
			require.Equal(t, 502, untrusted.post("/oauth/token", tokenBody(verifier1, code)).StatusCode, "nothing was sent")
		}
	})
}

func TestOfParallelExchangesOneReachesTheIdP(t *testing.T) {
	g := newGateway(t, registeredClient+"callback")
	codes := []string{g.logIn(verifier1, "code-1"), g.logIn(verifier1, "code-1")}
	var granted, rejected atomic.Int32
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			switch a := g.post("/oauth/token", tokenBody(verifier1, codes[i%2])); {
			case a.StatusCode == 200:
				granted.Add(1)
			case a.code() == "invalid_grant":
				rejected.Add(1)
			}
		})
	}
	wg.Wait()
	require.Equal(t, int32(1), granted.Load())
	require.Equal(t, int32(19), rejected.Load())
	require.Len(t, g.idp.reached(), 1)
}

func TestAClientThatLeavesDoesNotUndoItsExchange(t *testing.T) {
	g := newGateway(t, registeredClient+"callback")
	code := g.logIn(verifier1, "code-1")
	arrived, proceed := make(chan struct{}), make(chan struct{})
	g.idp.respondWith(func(w http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-proceed
		respondJSON(200, recordedToken)(w, r)
	})
	connection, err := net.Dial("tcp", strings.TrimPrefix(g.URL, "http://"))
	require.NoError(t, err)
	body := tokenBody(verifier1, code)
	_, err = fmt.Fprintf(connection, "POST /oauth/token HTTP/1.1\r\nHost: gw\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	require.NoError(t, err)
	<-arrived
	require.NoError(t, connection.Close())
	time.Sleep(50 * time.Millisecond)
	close(proceed)
	g.idp.respondWith(nil)
	a := g.post("/oauth/token", tokenBody(verifier1, code))
	require.Contains(t, a.body, "redeemed before")
}

func TestTheCallback(t *testing.T) {
	g := newGateway(t, registeredClient+"callback /login/done\ncallback_mode form_post")
	upstream := g.begin(verifier1, "response_mode", "fragment")
	require.Equal(t, g.URL+"/login/done", upstream.Get("redirect_uri"))
	require.Equal(t, "form_post", upstream.Get("response_mode"))
	form := url.Values{"code": {"code-1"}, "state": {upstream.Get("state")}, "session_state": {"x"}}

	a := g.post("/login/done", form.Encode(), "Origin", g.idp.URL)
	require.Equal(t, http.StatusSeeOther, a.StatusCode, a.body)
	require.Contains(t, a.Header.Get("Location"), "https://app.example/cb#code=")
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	require.Equal(t, "no-referrer", a.Header.Get("Referrer-Policy"))

	for name, tc := range map[string]struct {
		response *response
		status   int
	}{
		"another method":       {g.do(request(t, http.MethodPut, g.URL+"/login/done?"+form.Encode())), 405},
		"no state":             {g.get("/login/done?code=code-1", "Accept", "text/html"), 400},
		"another state":        {g.get("/login/done?code=code-1&state=s-1", "Accept", "text/html"), 400},
		"two codes":            {g.get("/login/done?"+form.Encode()+"&code=code-2", "Accept", "text/html"), 400},
		"another host":         {g.do(withHost(request(t, http.MethodGet, g.URL+"/login/done?"+form.Encode()), "other.example")), 400},
		"a path that is alike": {g.get("/login//done?" + form.Encode()), 404},
		"a large body":         {g.post("/login/done", strings.Repeat("a", 65<<10)), 413},
	} {
		require.Equal(t, tc.status, tc.response.StatusCode, name)
		require.Empty(t, tc.response.Header.Get("Location"), name)
	}
	require.Empty(t, g.idp.reached())
}

func request(t *testing.T, method, target string) *http.Request {
	r, err := http.NewRequest(method, target, nil)
	require.NoError(t, err)
	return r
}

func withHost(r *http.Request, host string) *http.Request {
	r.Host = host
	return r
}

func TestTheGatewayAuthenticatesAtTheIdP(t *testing.T) {
	keyFile := filepath.Join(t.TempDir(), "key.pem")
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	der, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600))
	t.Setenv("TEST_IDENTITY_SECRET", "s3cret:+")

	for name, tc := range map[string]struct {
		option string
		check  func(header http.Header, form url.Values, idpURL string)
	}{
		"client_secret_basic": {"secret {env.TEST_IDENTITY_SECRET}", func(header http.Header, form url.Values, _ string) {
			id, secret, ok := (&http.Request{Header: header}).BasicAuth()
			require.True(t, ok)
			require.Equal(t, "gateway-client", id)
			require.Equal(t, url.QueryEscape("s3cret:+"), secret)
			require.NotContains(t, form, "client_id")
		}},
		"client_secret_post": {"secret {env.TEST_IDENTITY_SECRET} client_secret_post", func(header http.Header, form url.Values, _ string) {
			require.Empty(t, header.Get("Authorization"))
			require.Equal(t, "s3cret:+", form.Get("client_secret"))
			require.Equal(t, "gateway-client", form.Get("client_id"))
		}},
		"private_key_jwt": {"private_key_jwt " + keyFile + " key-1", func(header http.Header, form url.Values, idpURL string) {
			require.Empty(t, header.Get("Authorization"))
			require.Equal(t, "urn:ietf:params:oauth:client-assertion-type:jwt-bearer", form.Get("client_assertion_type"))
			signed, err := jose.ParseSigned(form.Get("client_assertion"), []jose.SignatureAlgorithm{jose.ES256})
			require.NoError(t, err)
			require.Equal(t, "key-1", signed.Signatures[0].Header.KeyID)
			payload, err := signed.Verify(key.Public())
			require.NoError(t, err)
			var claims map[string]any
			require.NoError(t, json.Unmarshal(payload, &claims))
			require.Equal(t, "gateway-client", claims["iss"])
			require.Equal(t, "gateway-client", claims["sub"])
			require.Equal(t, idpURL+"/oauth/token", claims["aud"])
			require.Less(t, claims["exp"].(float64)-claims["iat"].(float64), 61.)
			require.NotEmpty(t, claims["jti"])
		}},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGateway(t, "callback\nclient app {\nredirect_uri https://app.example/cb\nidp_client gateway-client {\n"+tc.option+"\n}\n}")
			require.Equal(t, "gateway-client", g.begin(verifier1).Get("client_id"))
			code := g.logIn(verifier1, "code-1")
			for _, body := range []string{tokenBody(verifier1, code), "grant_type=refresh_token&client_id=app&refresh_token=r-1"} {
				a := g.post("/oauth/token", body)
				require.Equal(t, 200, a.StatusCode, a.body)
				reached := g.idp.reached()
				require.Len(t, reached, 1)
				form, err := url.ParseQuery(reached[0].body)
				require.NoError(t, err)
				tc.check(reached[0].header, form, g.idp.URL)
			}
			a := g.post("/oauth/token", tokenBody(verifier1, code, "client_secret", "guess"))
			require.Equal(t, "invalid_client", a.code(), "the client has no secret at the gateway")
			a = g.get("/v2/logout?client_id=app")
			require.Contains(t, a.Header.Get("Location"), "client_id=gateway-client")
		})
	}
}

func TestHeadersOfTheClientDoNotReachTheIdP(t *testing.T) {
	g := newGateway(t, "")
	a := g.get("/userinfo", "Authorization", "Bearer a", "Cookie", "s=1", "X-Forwarded-For", "6.6.6.6", "X-Forwarded-Host", "evil",
		"Forwarded", "for=6.6.6.6", "X-Real-IP", "6.6.6.6", "X-Original-URL", "/x", "X-HTTP-Method-Override", "DELETE",
		"auth0-forwarded-for", "6.6.6.6", "cname-api-key", "k", "X_Forwarded_For", "6.6.6.6", "Connection", "X-Secret, Upgrade",
		"Upgrade", "h2c", "X-Secret", "s", "Origin", "https://x.example", "Accept-Language", "de", "User-Agent", "test")
	require.Equal(t, 200, a.StatusCode)
	reached := g.idp.reached()
	require.Len(t, reached, 1)
	header := reached[0].header
	require.Equal(t, []string{"127.0.0.1"}, header["X-Forwarded-For"])
	delete(header, "X-Forwarded-For")
	delete(header, "Via")
	require.Equal(t, http.Header{
		"Authorization": {"Bearer a"}, "Accept": {"application/json"},
		"Accept-Language": {"de"}, "User-Agent": {"test"},
	}, header)
}

func TestResponsesOfTheIdPAreChecked(t *testing.T) {
	g := newGateway(t, "max_response 10KiB\nresponse_timeout 300ms")
	for name, tc := range map[string]struct {
		response http.HandlerFunc
		status   int
		code     string
		header   map[string]string
	}{
		"HTML":           {response: respondJSON(200, "<html>"), status: 502, code: "server_error"},
		"half":           {response: respondJSON(200, `{"access_token":"a"`), status: 502, code: "server_error"},
		"too large":      {response: respondJSON(200, `{"access_token":"`+strings.Repeat("a", 11<<10)+`","token_type":"Bearer"}`), status: 502, code: "server_error"},
		"a redirect":     {response: func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/userinfo", 307) }, status: 502, code: "server_error"},
		"a server error": {response: respondJSON(500, `{"error":"x"}`), status: 502, code: "server_error"},
		"an error":       {response: respondJSON(403, `{"error":"access_denied"}`), status: 403, code: "access_denied"},
		"too busy": {response: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(429)
		}, status: 429, code: "temporarily_unavailable", header: map[string]string{"Retry-After": "7"}},
		"cut off": {response: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, recordedToken)
		}, status: 502, code: "server_error"},
		"cut off in chunks": {response: func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, recordedToken)
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}, status: 502, code: "server_error"},
		"never": {response: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, status: 504, code: "temporarily_unavailable"},
		"a trickle": {response: func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "{")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}, status: 504, code: "temporarily_unavailable"},
		"a large header": {response: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Large", strings.Repeat("a", 70<<10))
			_, _ = io.WriteString(w, recordedToken)
		}, status: 502, code: "server_error"},
		"with cookies and CORS": {response: func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Set-Cookie", "a=1; Domain=idp.example")
			w.Header().Set("Access-Control-Allow-Origin", "*")
			w.Header().Set("Cache-Control", "public, max-age=600")
			w.WriteHeader(http.StatusEarlyHints)
			respondJSON(200, recordedToken)(w, r)
		}, status: 200, header: map[string]string{"Set-Cookie": "", "Access-Control-Allow-Origin": "", "Cache-Control": "no-store"}},
	} {
		t.Run(name, func(t *testing.T) {
			g.idp.respondWith(tc.response)
			a := g.post("/oauth/token", tokenBody(verifier1, "code-1"))
			require.Equal(t, tc.status, a.StatusCode, a.body)
			require.Equal(t, tc.code, a.code(), a.body)
			require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
			require.Equal(t, "application/json", a.Header.Get("Content-Type"))
			for name, value := range tc.header {
				require.Equal(t, value, a.Header.Get(name))
			}
			require.Len(t, g.idp.reached(), 1, "sent once")
		})
	}
}

func TestATokenRequestIsSentOnce(t *testing.T) {
	rec := newRecorder(t, respondJSON(500, "x"))
	address := strings.TrimPrefix(rec.URL, "http://")
	g, cleanup, err := provision(t, `identity_gateway `+rec.URL+` {
		upstream `+address+` {
			lb_retries 3
			lb_retry_match {
				method POST
			}
		}
	}`, t.TempDir())
	require.NoError(t, err)
	t.Cleanup(cleanup)
	gw := &gateway{serve(t, g), rec, t}
	gw.begin(verifier1)
	rec.respondWith(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	a := gw.post("/oauth/token", tokenBody(verifier1, "code-1"))
	require.Equal(t, 502, a.StatusCode, a.body)
	require.Len(t, rec.reached(), 1)
}

func TestAnIdPThatIsDown(t *testing.T) {
	g := newGateway(t, "")
	g.begin(verifier1)
	g.idp.Close()
	a := g.post("/oauth/token", tokenBody(verifier1, "code-1"))
	require.Equal(t, 502, a.StatusCode)
	require.Equal(t, "server_error", a.code())
}

func TestCORSAtTheGateway(t *testing.T) {
	g := newGateway(t, registeredClient)
	preflight := func(path, origin string) *response {
		r, err := http.NewRequest(http.MethodOptions, g.URL+path, nil)
		require.NoError(t, err)
		setHeader(r, []string{"Origin", origin, "Access-Control-Request-Method", "POST"})
		return g.do(r)
	}
	a := preflight("/oauth/token", "https://app.example")
	require.Equal(t, 204, a.StatusCode)
	require.Equal(t, "https://app.example", a.Header.Get("Access-Control-Allow-Origin"))
	require.Equal(t, "POST", a.Header.Get("Access-Control-Allow-Methods"))
	require.Contains(t, a.Header.Get("Access-Control-Allow-Headers"), "Authorization")
	require.Empty(t, a.Header.Get("Access-Control-Allow-Credentials"))
	a = preflight("/oauth/token", "https://evil.example")
	require.Equal(t, 403, a.StatusCode)
	require.Empty(t, a.Header.Get("Access-Control-Allow-Origin"))
	require.Equal(t, 405, preflight("/authorize", "https://app.example").StatusCode)
	r, err := http.NewRequest(http.MethodOptions, g.URL+"/oauth/token", nil)
	require.NoError(t, err)
	a = g.do(r)
	require.Equal(t, 405, a.StatusCode, "OPTIONS that is no preflight")
	require.Equal(t, "POST, OPTIONS", a.Header.Get("Allow"))
	require.Equal(t, "GET", preflight("/authorize", "https://app.example").Header.Get("Allow"))
	require.Empty(t, g.idp.reached())

	a = g.get("/userinfo", "Origin", "http://localhost:3000", "Authorization", "Bearer a")
	require.Equal(t, []string{"http://localhost:3000"}, a.Header["Access-Control-Allow-Origin"])
	require.Equal(t, "Origin", a.Header.Get("Vary"))
	a = g.get("/userinfo", "Origin", "https://evil.example", "Authorization", "Bearer a")
	require.Equal(t, 200, a.StatusCode)
	require.Empty(t, a.Header.Get("Access-Control-Allow-Origin"))
	require.Equal(t, "Origin", a.Header.Get("Vary"))
	a = g.post("/oauth/token", "x=1", "Origin", "https://app.example")
	require.Equal(t, 400, a.StatusCode)
	require.Equal(t, "https://app.example", a.Header.Get("Access-Control-Allow-Origin"), "scripts may read errors")
	a = g.get("/authorize?"+authorizeQuery(verifier1), "Origin", "https://app.example")
	require.Equal(t, 302, a.StatusCode)
	require.Empty(t, a.Header.Get("Access-Control-Allow-Origin"))
}

func TestOriginsAreConfiguredAsPeopleWriteThem(t *testing.T) {
	t.Setenv("TEST_IDENTITY_ORIGIN", "https://env.example")
	g := newGateway(t, `
	client app {
		redirect_uri https://app.example/cb
		origin https://APP.example https://port.example:443 {env.TEST_IDENTITY_ORIGIN}
	}
	client other {
		redirect_uri https://other.example/cb
		origin https://other.example
	}`)
	post := func(client, origin string) string {
		a := g.post("/oauth/token", tokenBody(verifier1, "c", "client_id", client, "redirect_uri", "https://"+client+".example/cb"), "Origin", origin)
		require.Equal(t, 200, a.StatusCode)
		return a.Header.Get("Access-Control-Allow-Origin")
	}
	for _, origin := range []string{"https://app.example", "https://port.example", "https://env.example"} {
		require.Equal(t, origin, post("app", origin))
		require.Empty(t, post("other", origin), "another client's origin")
	}
	for _, origin := range []string{"null", "*", "https://app.example.evil", "https://APP.example", "http://app.example"} {
		require.Empty(t, post("app", origin), origin)
	}
}

func TestWithoutOriginsThereIsNoCORS(t *testing.T) {
	g := newGateway(t, "")
	r, err := http.NewRequest(http.MethodOptions, g.URL+"/oauth/token", nil)
	require.NoError(t, err)
	setHeader(r, []string{"Origin", "https://app.example", "Access-Control-Request-Method", "POST"})
	a := g.do(r)
	require.Equal(t, 405, a.StatusCode)
	require.Equal(t, "POST", a.Header.Get("Allow"))
	require.Empty(t, a.Header.Get("Vary"))
}

func TestConfidentialClientsAuthenticate(t *testing.T) {
	g := newGateway(t, `client server {
		redirect_uri https://app.example/cb
		token_endpoint_auth client_secret_basic client_secret_post
	}`)
	const basic = "Basic c2VydmVyOnNlY3JldA==" // server:secret
	g.begin(verifier1, "client_id", "server")
	a := g.post("/oauth/token", tokenBody(verifier1, "code-1", "client_id", "server"), "Authorization", basic)
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Equal(t, basic, g.idp.reached()[0].header.Get("Authorization"))

	g.begin(verifier2, "client_id", "server")
	a = g.post("/oauth/token", tokenBody(verifier2, "code-2", "client_id", "server", "client_secret", "secret"), "Authorization", basic)
	require.Equal(t, "invalid_request", a.code())
	a = g.post("/oauth/token", tokenBody(verifier2, "code-2", "client_id", "server"))
	require.Equal(t, 401, a.StatusCode)
	require.Equal(t, "invalid_client", a.code())
	require.Empty(t, g.idp.reached())
	a = g.post("/oauth/token", tokenBody(verifier2, "code-2", "client_id", "server", "client_secret", "secret"))
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Contains(t, g.idp.reached()[0].body, "client_secret=secret")
}

func TestBrowsersGetAPageAndOthersJSON(t *testing.T) {
	g := newGateway(t, "")
	a := g.get("/authorize", "Accept", "text/html,*/*;q=0.8")
	require.Equal(t, 400, a.StatusCode)
	require.Equal(t, "text/html; charset=utf-8", a.Header.Get("Content-Type"))
	require.Contains(t, a.body, "client_id is missing")
	for _, accept := range []string{"*/*", "text/html;q=0, */*", "application/json", "application/json, text/html;q=0"} {
		for _, path := range []string{"/authorize", "/v2/logout?returnTo=x"} {
			a = g.get(path, "Accept", accept)
			require.Equal(t, "invalid_request", a.code(), accept)
		}
	}
}

// A registered redirect URI gets errors, unless the client wants the result itself.
func TestErrorsFollowAccept(t *testing.T) {
	g := newGateway(t, registeredClient)
	query := "/authorize?" + authorizeQuery(verifier1, "code_challenge_method", "plain")
	for accept, status := range map[string]int{
		"": 302, "*/*": 302, "text/html": 302, "text/html;q=0, */*": 302, "application/json;q=0": 302,
		"application/json": 400, "application/json, text/html;q=0": 400, "application/x-www-form-urlencoded": 400,
	} {
		require.Equal(t, status, g.get(query, "Accept", accept).StatusCode, accept)
	}
}

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
	reached := g.idp.reached()
	require.Len(t, reached, 1)
	require.Equal(t, "session=0", reached[0].header.Get("Cookie"))
	require.Equal(t, strings.TrimPrefix(g.URL, "http://"), reached[0].header.Get("X-Forwarded-Host"))
	q, err := url.ParseQuery(reached[0].query)
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

func TestResultedPKCE(t *testing.T) {
	g := newGateway(t, "")
	g.idp.respondWith(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/authorize":
			w.Header().Set("Set-Cookie", "walk="+r.URL.Query().Get("state")+"; Path=/")
			w.Header().Set("Location", "/login/silent?to="+url.QueryEscape(r.URL.Query().Get("redirect_uri")))
		default:
			cookie, err := r.Cookie("walk")
			if err != nil {
				w.WriteHeader(400)
				return
			}
			w.Header().Set("Location", r.URL.Query().Get("to")+"?code=code-1&state="+cookie.Value)
		}
		w.WriteHeader(302)
	})
	a := g.get("/authorize?"+authorizeQuery(verifier1, "prompt", "none"), "Accept", "application/json", "Cookie", "mine=1")
	require.Equal(t, 200, a.StatusCode, a.body)
	require.JSONEq(t, `{"code":"code-1","state":"s-1"}`, a.body)
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	require.Empty(t, a.Header.Get("Set-Cookie"))
	require.Empty(t, a.Header.Get("Location"))
	reached := g.idp.reached()
	require.Len(t, reached, 2)
	require.Empty(t, reached[0].header.Get("Cookie"))
	require.Equal(t, "walk=s-1", reached[1].header.Get("Cookie"), "cookies of this walk only")

	a = g.get("/authorize?"+authorizeQuery(verifier1, "prompt", "none"), "Accept", "application/x-www-form-urlencoded")
	require.Equal(t, "code=code-1&state=s-1", a.body)
	require.Equal(t, "application/x-www-form-urlencoded", a.Header.Get("Content-Type"))
	g.idp.reached()

	a = g.get("/authorize?"+authorizeQuery(verifier1, "code_challenge_method", "plain"), "Accept", "application/json")
	require.Equal(t, "invalid_request", a.code())
	require.Empty(t, g.idp.reached())

	g.idp.respondWith(nil)
	a = g.post("/oauth/token", tokenBody(verifier1, "code-1"))
	require.Equal(t, 200, a.StatusCode, a.body)

	g.idp.respondWith(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>log in") })
	a = g.get("/authorize?"+authorizeQuery(verifier1, "prompt", "none"), "Accept", "application/json")
	require.Equal(t, 400, a.StatusCode)
	require.Equal(t, "interaction_required", a.code())
	require.Contains(t, a.body, `"error_uri":"`+g.idp.URL+"/authorize?")

	a = g.get("/authorize?"+authorizeQuery(verifier1), "Accept", "*/*")
	require.Equal(t, 302, a.StatusCode, "plain fetch and curl are treated like browsers")
}

func TestAnIdPThatHangsAtTheFrontChannel(t *testing.T) {
	g := newGateway(t, "front_channel proxy\nresponse_timeout 200ms")
	g.idp.respondWith(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	a := g.get("/authorize?" + authorizeQuery(verifier1))
	require.Equal(t, 504, a.StatusCode, a.body)
	a = g.get("/authorize?"+authorizeQuery(verifier1), "Accept", "application/json")
	require.Equal(t, 504, a.StatusCode, a.body)
}

func TestInterimResponsesOfTheIdPAreNotPassedOn(t *testing.T) {
	g := newGateway(t, "")
	g.idp.respondWith(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", "</x>")
		w.WriteHeader(http.StatusEarlyHints)
		respondJSON(200, `{"sub":"a"}`)(w, r)
	})
	connection, err := net.Dial("tcp", strings.TrimPrefix(g.URL, "http://"))
	require.NoError(t, err)
	defer connection.Close()
	_, err = io.WriteString(connection, "GET /userinfo HTTP/1.1\r\nHost: gw\r\nAuthorization: Bearer a\r\nConnection: close\r\n\r\n")
	require.NoError(t, err)
	raw, err := io.ReadAll(bufio.NewReader(connection))
	require.NoError(t, err)
	require.True(t, bytes.HasPrefix(raw, []byte("HTTP/1.1 200 ")), string(raw))
	require.NotContains(t, string(raw), "Link")
}
