package requiretoken_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

const protectedApp = `
require_token {issuer} https://api.example {
	header X-User sub
	header X-Email email
	header X-Groups groups
	origin https://app.example
}
reverse_proxy {app}`

func TestARequestWithATokenPasses(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, protectedApp)
	for _, scheme := range []string{"Bearer", "bearer", "BEARER"} {
		saw := get(t, g.URL()+"/x?token=1", "Authorization", scheme+" "+i.token(t)).seen(t)
		require.Equal(t, "/x", saw.Path)
		require.Equal(t, []string{"u1"}, saw.Header["X-User"])
		require.Equal(t, []string{"u1@example.com"}, saw.Header["X-Email"])
	}
	require.EqualValues(t, 1, i.fetches.Load())
}

func TestPlaceholders(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, `
		require_token {issuer} https://api.example
		respond "{http.auth.user.id}|{http.auth.user.email}|{http.auth.user.realm.roles}|{http.auth.user.none}|{http.auth.user.client_id}"`)
	require.Equal(t, "u1|u1@example.com|a,b||app", get(t, g.URL(), "Authorization", "Bearer "+i.token(t, "realm", map[string]any{"roles": []string{"a", "b"}}, "id", "admin")).body)
	require.Equal(t, "||a||app", get(t, g.URL(), "Authorization", "Bearer "+i.token(t, "sub", " admin", "email", "admin@example.com\t", "realm", map[string]any{"roles": []string{"a", " b"}})).body)
	// A claim id is not the user.
	require.Contains(t, get(t, g.URL(), "Authorization", "Bearer "+i.token(t, "id", "admin")).body, "u1|")
}

// An address that anybody can write into his profile names nobody.
func TestAnAddressThatIsNotVerified(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, protectedApp)
	for _, verified := range []any{false, "false", nil} {
		saw := get(t, g.URL(), "X-Email", "victim@example.com", "Authorization", "Bearer "+i.token(t, "email", "victim@example.com", "email_verified", verified)).seen(t)
		require.NotContains(t, saw.Header, "X-Email", "%v", verified)
		require.Equal(t, []string{"u1"}, saw.Header["X-User"])
	}
	g = site(t, i, "require_token {issuer} https://api.example\n@victim vars {http.auth.user.email} victim@example.com\nrespond @victim 200\nrespond 403")
	token := func(verified any) string {
		return "Bearer " + i.token(t, "email", "victim@example.com", "email_verified", verified)
	}
	require.Equal(t, 403, get(t, g.URL(), "Authorization", token(false)).StatusCode)
	require.Equal(t, 200, get(t, g.URL(), "Authorization", token(true)).StatusCode)
}

// Where a request passes two, the user is the one of the last.
func TestPlaceholdersAfterTwoHandlers(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, `
		route {
			require_token {issuer} https://other.example {
				public /v1/*
			}
			require_token {issuer} https://api.example
			respond "{http.auth.user.id}|{http.auth.user.email}"
		}`)
	require.Equal(t, "u1|u1@example.com", get(t, g.URL()+"/v1/orders", "Authorization", "Bearer "+i.token(t)).body)
}

// RFC 6750 section 3.1.
func TestRejections(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, `
		require_token {issuer} https://api.example {
			scope read admin
			resource https://api.example.com/v1
		}
		reverse_proxy {app}`)
	const describes = `scope="read admin", resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/v1"`
	good := i.token(t, "scope", "admin read")
	get(t, g.URL(), "Authorization", "Bearer "+good).seen(t)
	for name, test := range map[string]struct {
		path      string
		header    []string
		status    int
		challenge string
	}{
		"no token":                       {header: nil, status: 401, challenge: `Bearer ` + describes},
		"another scheme":                 {header: []string{"Authorization", "Basic dTpw"}, status: 401, challenge: `Bearer ` + describes},
		"the token without a scheme":     {header: []string{"Authorization", good}, status: 401, challenge: `Bearer ` + describes},
		"DPoP":                           {header: []string{"Authorization", "DPoP " + good}, status: 401, challenge: `Bearer ` + describes},
		"a DPoP proof":                   {header: []string{"Authorization", "Bearer " + good, "Dpop", "x"}, status: 400, challenge: `Bearer error="invalid_request"`},
		"a tab":                          {header: []string{"Authorization", "Bearer\t" + good}, status: 401, challenge: `Bearer ` + describes},
		"a comma and a second":           {header: []string{"Authorization", "Bearer " + good + ", Basic dTpw"}, status: 401, challenge: `Bearer error="invalid_token"`},
		"two fields":                     {header: []string{"Authorization", "Bearer " + good, "Authorization", "Bearer " + good}, status: 400, challenge: `Bearer error="invalid_request"`},
		"a field of another name":        {header: []string{"X-Authorization", "Bearer " + good}, status: 401, challenge: `Bearer ` + describes},
		"for proxies":                    {header: []string{"Proxy-Authorization", "Bearer " + good}, status: 401, challenge: `Bearer ` + describes},
		"a cookie":                       {header: []string{"Cookie", "access_token=" + good}, status: 401, challenge: `Bearer ` + describes},
		"in the query":                   {path: "/?access_token=" + good, status: 400, challenge: `Bearer error="invalid_request"`},
		"in both":                        {path: "/?access_token=x", header: []string{"Authorization", "Bearer " + good}, status: 400, challenge: `Bearer error="invalid_request"`},
		"for another resource server":    {header: []string{"Authorization", "Bearer " + i.token(t, "aud", "https://other.example")}, status: 401, challenge: `Bearer error="invalid_token"`},
		"without a scope that is needed": {header: []string{"Authorization", "Bearer " + i.token(t)}, status: 403, challenge: `Bearer error="insufficient_scope"`},
		"huge":                           {header: []string{"Authorization", "Bearer " + strings.Repeat("a", 20<<10)}, status: 401, challenge: `Bearer error="invalid_token"`},
	} {
		t.Run(name, func(t *testing.T) {
			r := get(t, g.URL()+test.path, test.header...)
			require.Equal(t, test.status, r.StatusCode, r.body)
			challenge := r.Header.Get("WWW-Authenticate")
			require.True(t, strings.HasPrefix(challenge, test.challenge), challenge)
			require.True(t, strings.HasSuffix(challenge, describes), challenge)
			require.Equal(t, "no-store", r.Header.Get("Cache-Control"))
			var problem struct {
				Error       string `json:"error"`
				Description string `json:"error_description"`
			}
			require.NoError(t, json.Unmarshal([]byte(r.body), &problem))
			require.NotEmpty(t, problem.Error)
			require.NotEmpty(t, problem.Description)
		})
	}
}

// What only the token may say, a client says in vain: also in the spellings that
// CGI, WSGI and Rack take for the same.
func TestSpoofedHeaders(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, protectedApp)
	spoofed := []string{"X-User", "admin", "x-uSER", "admin", "X-Email", "admin@example.com", "X_EMAIL", "admin@example.com"}
	for _, c := range "!#$%&'*+.^_`|~" { // RFC 9110 section 5.6.2; lighttpd takes each for a hyphen
		spoofed = append(spoofed, "X"+string(c)+"User", "admin")
	}
	saw := get(t, g.URL(), append(spoofed, "Authorization", "Bearer "+i.token(t, "email", nil))...).seen(t)
	for name, values := range saw.Header {
		require.NotContains(t, strings.Join(values, " "), "admin", name)
	}
	require.Equal(t, []string{"u1"}, saw.Header["X-User"])
	require.NotContains(t, saw.Header, "X-Email", "a claim that is missing makes no field")

	saw = get(t, g.URL(), "Authorization", "Bearer "+i.token(t, "email", "a\r\nX-Admin: 1")).seen(t)
	require.NotContains(t, saw.Header, "X-Admin")
	require.NotContains(t, saw.Header, "X-Email")

	// What a server behind reads without its outer white space is left out.
	for _, outer := range []string{" ", "\t", "  \t ", "\u00a0", "\u2003", "\u0085", "\ufeff", "\u200b", "\x01", "\x00", "\n"} {
		for _, email := range []string{outer + "admin", "admin" + outer, outer + "admin" + outer, outer} {
			saw = get(t, g.URL(), "Authorization", "Bearer "+i.token(t, "email", email)).seen(t)
			require.NotContains(t, saw.Header, "X-Email", "%q", email)
			saw = get(t, g.URL(), "Authorization", "Bearer "+i.token(t, "groups", []string{"a", email, "b c"})).seen(t)
			require.Equal(t, []string{"a,b c"}, saw.Header["X-Groups"], "%q", email)
		}
	}

	preflight := append(spoofed, "Origin", "https://app.example", "Access-Control-Request-Method", "PUT")
	saw = send(t, http.MethodOptions, g.URL(), preflight...).seen(t)
	for name, values := range saw.Header {
		require.NotContains(t, strings.Join(values, " "), "admin", name)
	}
}

func TestPreflightsPassWithNothingElse(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, protectedApp)
	// What Chromium, Firefox and Safari send, over HTTP/1.1 and HTTP/2.
	browsers := []string{
		"Origin", "https://app.example", "Access-Control-Request-Method", "PUT", "Access-Control-Request-Headers", "authorization",
		"Access-Control-Request-Private-Network", "true", "Accept", "*/*", "Accept-Encoding", "gzip", "Accept-Language", "en", "User-Agent", "Mozilla/5.0",
		"Referer", "https://app.example/", "Sec-Fetch-Dest", "empty", "Sec-Fetch-Mode", "cors", "Sec-Fetch-Site", "cross-site", "Sec-Gpc", "1", "Dnt", "1",
		"Cache-Control", "no-cache", "Pragma", "no-cache", "Priority", "u=1, i",
		"Sec-Ch-Ua", "a", "Sec-Ch-Ua-Mobile", "?0", "Sec-Ch-Ua-Platform", "a",
	}
	others := []string{
		"X-Forwarded-User", "X-Forwarded-Method", "X-Forwarded-Email", "X-Forwarded-Groups", "X-Forwarded-Preferred-Username", "X-Forwarded-Uri",
		"X-Forwarded-Prefix", "X-Forwarded-Access-Token", "X-Forwarded-Tls-Client-Cert", "X_Forwarded_User", "X-Http-Method-Override", "X-Method-Override",
		"X-Original-Url", "X-Remote-User", "Remote-User", "X-Real-Ip", "Cookie", "Authorization", "Proxy-Authorization", "Forwarded", "Tracestate",
		"Sec-User", "Sec-Websocket-Protocol", "Accept-User", "Access-Control-Request-User", "Content-Type", "X-User",
	}
	header := browsers
	for _, name := range others {
		header = append(header, name, "admin")
	}
	saw := send(t, http.MethodOptions, g.URL()+"/x", header...).seen(t)
	require.Equal(t, "OPTIONS", saw.Method)
	for n := 0; n < len(browsers); n += 2 {
		require.Equal(t, browsers[n+1:n+2], saw.Header[browsers[n]], browsers[n])
	}
	for name, values := range saw.Header {
		require.NotContains(t, strings.Join(values, " "), "admin", name)
	}
	require.NotEmpty(t, saw.Header["X-Forwarded-For"], "Caddy's own")
	require.Equal(t, 401, send(t, http.MethodOptions, g.URL()+"/x").StatusCode, "OPTIONS that is no preflight")
	require.Equal(t, 401, send(t, http.MethodOptions, g.URL()+"/x", "Origin", "https://app.example").StatusCode)
	require.Equal(t, 401, get(t, g.URL()+"/x", "Origin", "https://app.example", "Access-Control-Request-Method", "PUT").StatusCode)
	withBody := sendBody(t, http.MethodOptions, g.URL()+"/x", "_method=DELETE", "Origin", "https://app.example", "Access-Control-Request-Method", "PUT")
	require.Equal(t, 401, withBody.StatusCode, "with a body it is none")
}

// What a trusted proxy in front says of a preflight is what Caddy itself would say.
func TestPreflightsOfTrustedProxies(t *testing.T) {
	i := newIssuer(t)
	g := testgateway.Run(t, testgateway.Config{
		Servers: "trusted_proxies static 127.0.0.1", Site: strings.NewReplacer("{issuer}", i.URL, "{app}", strings.TrimPrefix(app(t).URL, "http://")).Replace(protectedApp),
	})
	saw := send(t, http.MethodOptions, g.URL()+"/x", "Origin", "https://app.example", "Access-Control-Request-Method", "PUT",
		"X-Forwarded-For", "192.0.2.7", "X-Forwarded-Proto", "https", "X-Forwarded-Host", "api.example", "Forwarded", "for=192.0.2.7", "Via", "1.1 front",
		"Traceparent", "a", "Tracestate", "b", "X-Forwarded-User", "admin").seen(t)
	require.Equal(t, []string{"192.0.2.7, 127.0.0.1"}, saw.Header["X-Forwarded-For"])
	require.Equal(t, []string{"https"}, saw.Header["X-Forwarded-Proto"])
	require.Equal(t, []string{"api.example"}, saw.Header["X-Forwarded-Host"])
	require.Equal(t, []string{"for=192.0.2.7"}, saw.Header["Forwarded"])
	require.Contains(t, saw.Header["Via"], "1.1 front")
	require.Equal(t, []string{"a"}, saw.Header["Traceparent"])
	require.Equal(t, []string{"b"}, saw.Header["Tracestate"])
	require.NotContains(t, saw.Header, "X-Forwarded-User")
}

func TestTheResourceDescribesItself(t *testing.T) {
	i := newIssuer(t)
	for name, block := range map[string]string{
		"everything":     "require_token {issuer} https://api.example {\n resource http://localhost/v1\n scope read\n}\n respond ok",
		"a matcher":      "require_token /v1/* {issuer} https://api.example {\n resource http://localhost/v1\n scope read\n}\n respond ok",
		"beside handle":  "require_token /v1/* {issuer} https://api.example {\n resource http://localhost/v1\n scope read\n}\n handle /v1/* {\n respond ok\n}",
		"an environment": "require_token /v1/* {env.TEST_ISSUER} https://api.example {\n resource {env.TEST_RESOURCE}\n scope read\n}\n respond ok",
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TEST_RESOURCE", "http://localhost/v1/")
			t.Setenv("TEST_ISSUER", i.URL)
			g := site(t, i, block)
			challenge := get(t, g.URL()+"/v1/x").Header.Get("WWW-Authenticate")
			require.Contains(t, challenge, `resource_metadata="http://localhost/.well-known/oauth-protected-resource/v1"`)
			require.Eventually(t, func() bool { // the issuer as it writes itself
				r := get(t, g.URL()+"/.well-known/oauth-protected-resource/v1")
				require.Equal(t, 200, r.StatusCode)
				require.Equal(t, "application/json", r.Header.Get("Content-Type"))
				require.Equal(t, "*", r.Header.Get("Access-Control-Allow-Origin"))
				var document struct {
					Resource             string
					AuthorizationServers []string `json:"authorization_servers"`
					Scopes               []string `json:"scopes_supported"`
					Methods              []string `json:"bearer_methods_supported"`
				}
				require.NoError(t, json.Unmarshal([]byte(r.body), &document))
				require.Equal(t, "http://localhost/v1", strings.TrimSuffix(document.Resource, "/"))
				require.Equal(t, []string{"read"}, document.Scopes)
				require.Equal(t, []string{"header"}, document.Methods)
				return document.AuthorizationServers[0] == i.issuer()
			}, 5e9, 1e7)
			require.Equal(t, 204, send(t, http.MethodOptions, g.URL()+"/.well-known/oauth-protected-resource/v1", "Origin", "https://x.example", "Access-Control-Request-Method", "GET").StatusCode)
			require.Equal(t, 405, send(t, http.MethodPost, g.URL()+"/.well-known/oauth-protected-resource/v1").StatusCode)
			if name == "a matcher" {
				require.Equal(t, "ok", get(t, g.URL()+"/.well-known/oauth-protected-resource/v2").body)
				require.Equal(t, "ok", get(t, g.URL()+"/open").body)
			}
		})
	}
}

func TestOpaqueTokens(t *testing.T) {
	i := newIssuer(t)
	t.Setenv("TEST_SECRET", "secret")
	g := site(t, i, `
		require_token {issuer} https://api.example {
			introspection api {env.TEST_SECRET}
		}
		respond {http.auth.user.id}`)
	require.Equal(t, "u2", get(t, g.URL(), "Authorization", "Bearer opaque-1").body)
	require.Equal(t, 401, get(t, g.URL(), "Authorization", "Bearer opaque-2").StatusCode)
	require.Equal(t, "u1", get(t, g.URL(), "Authorization", "Bearer "+i.token(t)).body)
}

// A reload while the issuer is down loses neither its metadata nor its keys.
func TestAReloadWhileTheIssuerIsDown(t *testing.T) {
	i := newIssuer(t)
	const block = "require_token {issuer} https://api.example\n respond ok"
	before := site(t, i, block)
	require.Equal(t, "ok", get(t, before.URL(), "Authorization", "Bearer "+i.token(t)).body)
	i.down.Store(true)
	after := site(t, i, block)
	require.NoError(t, before.Stop())
	require.Equal(t, "ok", get(t, after.URL(), "Authorization", "Bearer "+i.token(t)).body)
}

func TestAnIssuerThatIsDownAtTheStart(t *testing.T) {
	i := newIssuer(t)
	i.down.Store(true)
	g := site(t, i, "require_token {issuer} https://api.example\n respond ok")
	r := get(t, g.URL(), "Authorization", "Bearer "+i.token(t))
	require.Equal(t, 503, r.StatusCode, r.body)
	require.NotEmpty(t, r.Header.Get("Retry-After"))
	require.Empty(t, r.Header.Get("WWW-Authenticate"))
	require.Equal(t, 401, get(t, g.URL()).StatusCode, "without a token nobody has to be asked")
}

// A proxy behind removes what Connection names: an app that takes a request without
// X-User for one of its own would be told nothing.
func TestConnectionDoesNotRemoveTheUser(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, protectedApp)
	saw := get(t, g.URL(), "Authorization", "Bearer "+i.token(t), "Connection", "close, X-User,authorization", "Connection", "x-email", "Connection", "x-other", "X-Other", "o").seen(t)
	require.Equal(t, []string{"u1"}, saw.Header["X-User"])
	require.Equal(t, []string{"u1@example.com"}, saw.Header["X-Email"])
	require.NotEmpty(t, saw.Header["Authorization"])
	require.Empty(t, saw.Header["X-Other"])
}

// A trailer comes after the check, and some servers read it as fields.
func TestNoTrailerPasses(t *testing.T) {
	i := newIssuer(t)
	behind := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = fmt.Fprintf(w, "%s %q %v", body, r.Header["X-User"], r.Trailer)
	}))
	t.Cleanup(behind.Close)
	g := site(t, i, strings.ReplaceAll(protectedApp, "{app}", behind.Listener.Addr().String()))
	r, err := http.NewRequest(http.MethodPost, g.URL(), io.MultiReader(strings.NewReader("whole")))
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+i.token(t))
	r.Trailer = http.Header{"X-User": {"admin"}, "Authorization": {"Bearer another"}, "X-Checksum": {"1"}}
	response, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, `whole ["u1"] map[]`, string(said))
}

// A server that accepts one of these takes the rest of the connection past the gateway.
func TestNoUpgradeToHTTPPasses(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, protectedApp)
	for upgrade, want := range map[string]string{"h2c": "", "foo, H2C": "", "TLS/1.0": "", "HTTP/2.0": "", "websocket": "websocket"} {
		saw := get(t, g.URL(), "Authorization", "Bearer "+i.token(t), "Connection", "Upgrade, HTTP2-Settings", "Upgrade", upgrade, "Http2-Settings", "AAMAAABkAARAAAAAAAIAAAAA").seen(t)
		require.Equal(t, want, saw.Header.Get("Upgrade"))
		require.Empty(t, saw.Header["Http2-Settings"])
	}
}

// RFC 9470: a token of a login that is too weak or too old is answered with what is needed.
func TestALoginThatIsNotEnough(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, `
		require_token {issuer} https://api.example {
			acr phr phrh
			claim amr hwk
			max_age 10m
		}
		reverse_proxy {app}`)
	now := time.Now()
	status := func(with ...any) (int, string) {
		r := get(t, g.URL(), "Authorization", "Bearer "+i.token(t, with...))
		return r.StatusCode, r.Header.Get("WWW-Authenticate")
	}
	code, challenge := status("acr", "phrh", "amr", []string{"hwk", "pwd"}, "auth_time", now.Unix())
	require.Equal(t, 200, code, challenge)
	for name, with := range map[string][]any{
		"weak": {"acr", "0", "amr", []string{"hwk"}, "auth_time", now.Unix()},
		"old":  {"acr", "phr", "amr", []string{"hwk"}, "auth_time", now.Add(-time.Hour).Unix()},
		"mute": nil,
	} {
		code, challenge := status(with...)
		require.Equal(t, 401, code, name)
		require.Contains(t, challenge, `Bearer error="insufficient_user_authentication"`, name)
		require.Contains(t, challenge, `acr_values="phr phrh", max_age="600"`, name)
	}
	code, _ = status("acr", "phr", "amr", []string{"pwd"}, "auth_time", now.Unix())
	require.Equal(t, 403, code, "other methods")
	require.NotContains(t, get(t, g.URL()).Header.Get("WWW-Authenticate"), "acr_values", "of a request without a token")
}

func TestPublicPathsPassWithoutAToken(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, `
		rewrite /old/* /favicon.ico
		uri strip_prefix /v1
		require_token {issuer} https://api.example {
			public / /favicon.ico /assets/*
			header X-User sub
		}
		reverse_proxy {app}`)
	for path, want := range map[string]int{
		"/":                                  200,
		"/favicon.ico":                       200,
		"/assets/app.js":                     200,
		"/v1/assets/app.js":                  200, // what the app sees is a part of what was sent
		"/orders":                            401,
		"/old/orders":                        401, // rewritten to a public path, but another one for what reads the original
		"/assets/../orders":                  401,
		"/assets/x;a=b":                      401,
		"/assets/app.js?access_token=in-url": 200, // nobody asks for a token
	} {
		t.Run(path, func(t *testing.T) {
			require.Equal(t, want, get(t, g.URL()+path).StatusCode)
		})
	}

	t.Run("nobody is logged in there", func(t *testing.T) {
		saw := get(t, g.URL()+"/favicon.ico", "X-User", "admin", "X!User", "admin", "Upgrade", "h2c", "Connection", "Upgrade").seen(t)
		for name, values := range saw.Header {
			require.NotContains(t, values, "admin", name)
		}
		require.Empty(t, saw.Header["Upgrade"])
	})
	t.Run("not with a field that names another path", func(t *testing.T) {
		require.Equal(t, 401, get(t, g.URL()+"/favicon.ico", "X-Original-Url", "/orders").StatusCode)
		require.Equal(t, 401, get(t, g.URL()+"/favicon.ico", "X!Original~Url", "/orders").StatusCode)
	})
}

func TestThePlaceholdersOfAPublicPathAreEmpty(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, `
		require_token {issuer} https://api.example {
			public /
		}
		respond "user <{http.auth.user.id}{http.auth.user.email}>"`)
	require.Equal(t, "user <>", get(t, g.URL()+"/").body)
	require.Equal(t, "user <>", get(t, g.URL()+"/", "Authorization", "Bearer "+i.token(t)).body, "a token is not read")
}

// An agent in a browser finds the login by the challenge: its preflight has to pass, and it has to
// read the 401. Nothing else is open to it.
func TestAnAgentInABrowserReadsTheChallenge(t *testing.T) {
	i := newIssuer(t)
	const block = `
		@silent path /silent*
		@broken path /broken*
		require_token {issuer} ` + audience + ` {
			public /public
			%
		}
		respond @silent "no CORS here" 405
		respond @broken 204
		reverse_proxy {app}`
	asked := []string{"Origin", "https://agent.example", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "authorization,content-type,mcp-protocol-version"}
	open := site(t, i, strings.Replace(block, "%", "", 1))
	for _, path := range []string{"/silent", "/broken"} {
		answer := send(t, http.MethodOptions, open.URL()+path, asked...)
		require.Equal(t, 204, answer.StatusCode, path)
		require.Equal(t, "*", answer.Header.Get("Access-Control-Allow-Origin"))
		require.Equal(t, "*", answer.Header.Get("Access-Control-Allow-Methods"))
		require.Equal(t, "Authorization, *", answer.Header.Get("Access-Control-Allow-Headers"))
		require.Empty(t, answer.Header.Get("Access-Control-Allow-Credentials"))
		require.Empty(t, answer.body)
	}
	answer := send(t, http.MethodOptions, open.URL()+"/app", asked...)
	require.Equal(t, []string{"https://the-app.example"}, answer.Header["Access-Control-Allow-Origin"], "the app's own answer stands")
	require.Equal(t, 200, answer.StatusCode)

	refused := send(t, http.MethodPost, open.URL()+"/silent", "Origin", "https://agent.example")
	require.Equal(t, 401, refused.StatusCode)
	require.Equal(t, "*", refused.Header.Get("Access-Control-Allow-Origin"))
	require.Empty(t, refused.Header.Get("Access-Control-Allow-Credentials"))
	require.Contains(t, refused.Header.Get("Access-Control-Expose-Headers"), "WWW-Authenticate")
	require.Equal(t, "*", send(t, http.MethodPost, open.URL()+"/silent", "Origin", "null", "Authorization", "Bearer wrong").Header.Get("Access-Control-Allow-Origin"))

	passed := send(t, http.MethodPost, open.URL()+"/silent", "Origin", "https://agent.example", "Authorization", "Bearer "+i.token(t))
	require.Equal(t, 405, passed.StatusCode)
	require.Empty(t, passed.Header.Get("Access-Control-Allow-Origin"), "what passes is for the app to open")
	require.Equal(t, 401, send(t, http.MethodOptions, open.URL()+"/silent", "Origin", "https://agent.example").StatusCode, "no preflight")

	named := site(t, i, strings.Replace(block, "%", "origin https://app.example", 1))
	answer = send(t, http.MethodOptions, named.URL()+"/silent", asked...)
	require.Equal(t, 405, answer.StatusCode, "only these origins, where some are named")
	require.Empty(t, answer.Header.Get("Access-Control-Allow-Origin"))
	asked[1] = "https://app.example"
	answer = send(t, http.MethodOptions, named.URL()+"/silent", asked...)
	require.Equal(t, 204, answer.StatusCode)
	require.Equal(t, "https://app.example", answer.Header.Get("Access-Control-Allow-Origin"))
	require.Equal(t, []string{"Origin"}, answer.Header["Vary"])
	for origin, allowed := range map[string]string{"https://app.example": "https://app.example", "https://evil.example": ""} {
		refused := get(t, named.URL()+"/app", "Origin", origin)
		require.Equal(t, 401, refused.StatusCode)
		require.Equal(t, allowed, refused.Header.Get("Access-Control-Allow-Origin"))
	}
	passed = get(t, named.URL()+"/app", "Origin", "https://app.example", "Authorization", "Bearer "+i.token(t))
	require.Equal(t, []string{"https://the-app.example"}, passed.Header["Access-Control-Allow-Origin"], "that of a response is the app's")
}
