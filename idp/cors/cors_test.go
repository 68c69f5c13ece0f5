package cors_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
)

var token = &cors.Endpoint{
	Method:          http.MethodPost,
	RequestHeaders:  []string{"Authorization", "Content-Type"},
	ResponseHeaders: []string{"WWW-Authenticate", "Retry-After"},
}

func origins(t *testing.T, configured ...string) cors.Origins {
	t.Helper()
	return must.Have(cors.ParseOrigins(configured))(t)
}

func request(method string, header ...string) *http.Request {
	r := httptest.NewRequest(method, "/oauth/token", nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	return r
}

func preflight(origin string) *http.Request {
	return request(http.MethodOptions, "Origin", origin, "Access-Control-Request-Method", "POST")
}

// An origin matches however the operator wrote it.
func TestOriginsAreReadIntoTheFormThatBrowsersSend(t *testing.T) {
	for configured, sent := range map[string]string{
		"https://app.example.com":            "https://app.example.com",
		"https://A.example":                  "https://a.example",
		"HTTPS://a.example":                  "https://a.example",
		"https://a.example:443":              "https://a.example",
		"http://a.example:80":                "http://a.example",
		"http://a.example:443":               "http://a.example:443",
		"https://a.example:8443":             "https://a.example:8443",
		"https://a.example:08443":            "https://a.example:8443",
		"http://localhost:3000":              "http://localhost:3000",
		"http://127.0.0.1:3000":              "http://127.0.0.1:3000",
		"http://[0:0:0:0:0:0:0:1]:3000":      "http://[::1]:3000",
		"https://bücher.example":             "https://xn--bcher-kva.example",
		"chrome-extension://abcdefghijklmno": "chrome-extension://abcdefghijklmno",
		"http://my_container:3000":           "http://my_container:3000",
		"app://obsidian.md":                  "app://obsidian.md",
	} {
		require.True(t, token.SetHeader(http.Header{}, request("POST", "Origin", sent), origins(t, configured)), configured)
	}
}

func TestMistakesInOriginsSayWhatToWrite(t *testing.T) {
	for says, list := range map[string][]string{
		`must be a scheme and a host, and nothing after them, such as https://app.example.com`: {
			"", "null", "app.example.com", "localhost:3000", "//app.example.com", "https://", "https://:443", "https://a b.example", "{env.ORIGIN}",
		},
		"write https://app.example.com": {
			"https://app.example.com/", "https://app.example.com/a/b", "https://app.example.com?", "https://app.example.com#", "https://a@app.example.com",
		},
		"list each origin, or write * for all": {"https://*.example.com"},
		"has a port outside 1-65535":           {"https://a.example:0", "https://a.example:65536", "https://a.example:"},
		"has an invalid IPv6 address":          {"https://[::1%25eth0]"},
		"has an invalid host name":             {"https://a.example,b.example"},
	} {
		for _, configured := range list {
			_, err := cors.ParseOrigins([]string{"https://a.example", configured})
			require.ErrorContains(t, err, fmt.Sprintf("origin %q ", configured))
			require.ErrorContains(t, err, says, configured)
		}
	}
}

func TestOnlyScriptsOfConfiguredOriginsMayReadTheResponse(t *testing.T) {
	app := origins(t, "https://app.example", "http://localhost:3000")
	header := http.Header{"Vary": {"Accept-Encoding"}}
	require.True(t, token.SetHeader(header, request("POST", "Origin", "https://app.example"), app))
	require.Equal(t, http.Header{
		"Vary":                          {"Accept-Encoding", "Origin"},
		"Access-Control-Allow-Origin":   {"https://app.example"},
		"Access-Control-Expose-Headers": {"WWW-Authenticate, Retry-After"},
	}, header, "and no Access-Control-Allow-Credentials")

	for name, r := range map[string]*http.Request{
		"no origin":             request("POST"),
		"opaque origin":         request("POST", "Origin", "null"),
		"wildcard":              request("POST", "Origin", "*"),
		"begins like one":       request("POST", "Origin", "https://app.example.evil"),
		"ends like one":         request("POST", "Origin", "https://evil-app.example"),
		"other case":            request("POST", "Origin", "https://APP.example"),
		"other port":            request("POST", "Origin", "https://app.example:8443"),
		"other scheme":          request("POST", "Origin", "http://app.example"),
		"the same origin twice": request("POST", "Origin", "https://app.example", "Origin", "https://app.example"),
		"two origins":           request("POST", "Origin", "https://app.example https://evil.example"),
	} {
		t.Run(name, func(t *testing.T) {
			header := http.Header{}
			require.False(t, token.SetHeader(header, r, app))
			require.Equal(t, http.Header{"Vary": {"Origin"}}, header)
		})
	}
}

func TestAnyOrigin(t *testing.T) {
	any := origins(t, "https://app.example", cors.Any)
	require.True(t, any.HasAny())
	header := http.Header{}
	require.True(t, token.SetHeader(header, request("POST", "Origin", "https://other.example"), any))
	require.Equal(t, "https://other.example", header.Get("Access-Control-Allow-Origin"))
	require.False(t, token.SetHeader(http.Header{}, request("POST"), any))
}

func TestWithoutOriginsNothingIsSet(t *testing.T) {
	header := http.Header{}
	require.False(t, token.SetHeader(header, request("POST", "Origin", "https://app.example"), origins(t)))
	require.Empty(t, header)
	require.Equal(t, "POST", token.Allow(origins(t)))
}

// A page of any origin could otherwise read what is the user's.
func TestCredentialsAreForNamedOriginsOnly(t *testing.T) {
	app, other := origins(t, "https://app.example").WithCredentials(), origins(t, "https://other.example")
	for name, tt := range map[string]struct {
		origins cors.Origins
		origin  string
		want    string
	}{
		"named":                          {app, "https://app.example", "true"},
		"named without":                  {other, "https://other.example", ""},
		"named, beside one without":      {app.Union(other), "https://app.example", "true"},
		"beside a named one":             {other.Union(app), "https://other.example", ""},
		"any":                            {origins(t, cors.Any).WithCredentials(), "https://app.example", ""},
		"any, beside a named one":        {origins(t, cors.Any).Union(app), "https://evil.example", ""},
		"named, beside any":              {origins(t, cors.Any).Union(app), "https://app.example", "true"},
		"begins like the one that is":    {app, "https://app.example.evil", ""},
		"opaque, where any is let in":    {origins(t, cors.Any).Union(app), "null", ""},
		"twice, which a proxy may merge": {app, "https://app.example, https://app.example", ""},
	} {
		t.Run(name, func(t *testing.T) {
			header, w := http.Header{}, httptest.NewRecorder()
			token.SetHeader(header, request("POST", "Origin", tt.origin), tt.origins)
			require.Equal(t, tt.want, header.Get("Access-Control-Allow-Credentials"))
			require.True(t, token.ServePreflight(w, preflight(tt.origin), tt.origins))
			require.Equal(t, tt.want, w.Header().Get("Access-Control-Allow-Credentials"))
			require.NotEqual(t, cors.Any, w.Header().Get("Access-Control-Allow-Origin"))

			token.SetHeader(header, request("POST", "Origin", tt.origin), origins(t, "https://app.example", "https://other.example"))
			require.Empty(t, header.Get("Access-Control-Allow-Credentials"), "the client turns out to be one without")
		})
	}
}

// A token request is first open to the origins of all clients, and to those of
// its own client once that is known.
func TestOriginsOfOneClient(t *testing.T) {
	app, other := origins(t, "https://app.example"), origins(t, "https://other.example")
	all := app.Union(other).Union(origins(t))
	for name, tt := range map[string]struct {
		client cors.Origins
		want   http.Header
	}{
		"its own": {app, http.Header{
			"Vary":                          {"Origin"},
			"Access-Control-Allow-Origin":   {"https://app.example"},
			"Access-Control-Expose-Headers": {"WWW-Authenticate, Retry-After"},
		}},
		"another client's":        {other, http.Header{"Vary": {"Origin"}}},
		"of a client without any": {origins(t), http.Header{"Vary": {"Origin"}}},
	} {
		t.Run(name, func(t *testing.T) {
			r, header := request("POST", "Origin", "https://app.example"), http.Header{}
			require.True(t, token.SetHeader(header, r, all))
			token.SetHeader(header, r, tt.client)
			require.Equal(t, tt.want, header)
		})
	}
}

func TestPreflights(t *testing.T) {
	const app, other = "https://app.example", "https://other.example"
	for name, tt := range map[string]struct {
		request    *http.Request
		origins    cors.Origins
		wantServed bool
		wantStatus int
	}{
		"of a configured origin":    {preflight(app), origins(t, app), true, 204},
		"of any origin":             {preflight(other), origins(t, cors.Any), true, 204},
		"of another origin":         {preflight(other), origins(t, app), true, 403},
		"of an opaque origin":       {preflight("null"), origins(t, app), true, 403},
		"without origins":           {preflight(app), origins(t), true, 403},
		"bare OPTIONS":              {request("OPTIONS"), origins(t, app), false, 0},
		"OPTIONS of a known origin": {request("OPTIONS", "Origin", app), origins(t, app), false, 0},
		"OPTIONS without an origin": {request("OPTIONS", "Access-Control-Request-Method", "POST"), origins(t, app), false, 0},
		"the request itself":        {request("POST", "Origin", app), origins(t, app), false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := httptest.NewRecorder()
			require.Equal(t, tt.wantServed, token.ServePreflight(w, tt.request, tt.origins))
			if !tt.wantServed {
				require.Empty(t, w.Header(), "the response is the caller's")
				return
			}
			require.Equal(t, tt.wantStatus, w.Code)
			if !tt.origins.IsEmpty() {
				require.Equal(t, []string{"Origin"}, w.Header()["Vary"])
			}
			if tt.wantStatus == http.StatusNoContent {
				require.Equal(t, http.Header{
					"Vary":                         {"Origin"},
					"Access-Control-Allow-Origin":  {tt.request.Header.Get("Origin")},
					"Access-Control-Allow-Methods": {"POST"},
					"Access-Control-Allow-Headers": {"Authorization, Content-Type"},
					"Access-Control-Max-Age":       {"600"},
				}, w.Header())
				return
			}
			require.Empty(t, w.Header().Get("Access-Control-Allow-Origin"))
			require.Contains(t, w.Body.String(), "origin")
		})
	}
	require.Equal(t, "POST, OPTIONS", token.Allow(origins(t, app)))
}

func FuzzParseOrigins(f *testing.F) {
	for _, seed := range []string{"https://a.example:443", "http://[::1]:3000", "https://bücher.example", "null", "*", "https://a/", "https://[::1%25eth0]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, configured string) {
		parsed, err := cors.ParseOrigins([]string{configured})
		if err != nil {
			return
		}
		require.False(t, parsed.IsEmpty())
		require.Equal(t, configured == cors.Any, token.SetHeader(http.Header{}, request("POST", "Origin", "null"), parsed))
	})
}

func TestPublicDocumentsAreForScriptsOfAllOrigins(t *testing.T) {
	for _, tc := range []struct {
		method string
		status int // 0: the document is for the caller to serve
		field  string
		value  string
	}{
		{method: http.MethodGet},
		{method: http.MethodHead},
		{http.MethodOptions, 204, "Access-Control-Allow-Headers", "*"},
		{http.MethodPost, 405, "Allow", "GET, HEAD, OPTIONS"},
	} {
		t.Run(tc.method, func(t *testing.T) {
			w := httptest.NewRecorder()
			require.Equal(t, tc.status != 0, cors.OpenToAll(w, request(tc.method, "Origin", "https://anybody.example")))
			require.Equal(t, "*", w.Header().Get("Access-Control-Allow-Origin"))
			if tc.status != 0 {
				require.Equal(t, tc.status, w.Code)
				require.Equal(t, tc.value, w.Header().Get(tc.field))
			}
		})
	}
}
