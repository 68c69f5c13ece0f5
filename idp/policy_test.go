package idp

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestConfigurationMistakesAreNamed(t *testing.T) {
	client := func(change func(*ClientConfig)) func(*Config) {
		return func(c *Config) {
			config := ClientConfig{ID: "app", RedirectURIs: []string{"https://app.example/cb"}}
			change(&config)
			c.Clients = append(c.Clients, config)
		}
	}
	for says, change := range map[string]func(*Config){
		"must be a URL":                   func(c *Config) { c.AuthURL = "idp.example" },
		"no user information, query":      func(c *Config) { c.AuthURL = "https://idp.example/?a=b" },
		"port":                            func(c *Config) { c.AuthURL = "https://idp.example:0" },
		"percent-encoding":                func(c *Config) { c.AuthURL = "https://idp.example/a%2fb" },
		"parameters strict is unknown":    func(c *Config) { c.Parameters = "strict" },
		"logout protocol saml is unknown": func(c *Config) { c.LogoutProtocol = "saml" },
		"deny_paths: okra is neither":     func(c *Config) { c.DenyPaths = []string{"okra"} },
		"deny_paths: /oauth/* would deny the token endpoint": func(c *Config) { c.DenyPaths = []string{"/oauth/*"} },
		"deny_paths: /a*b must be":                           func(c *Config) { c.DenyPaths = []string{"/a*b"} },
		"deny_paths: /a//b must be":                          func(c *Config) { c.DenyPaths = []string{"/a//b"} },
		"deny_paths: / must be":                              func(c *Config) { c.DenyPaths = []string{"/"} },
		"deny_paths: /* would deny the":                      func(c *Config) { c.DenyPaths = []string{"/*"} },
		"deny_paths: /login/done would deny the callback": func(c *Config) {
			c.DenyPaths, c.Callback = []string{"/login/done"}, &CallbackConfig{Path: "/login/done"}
		},
		"endpoint token: token is not absolute": func(c *Config) { c.Endpoints = map[Endpoint]string{Token: "token"} },
		"the id must be":                        client(func(c *ClientConfig) { c.ID = "" }),
		"redirect_uri http://app.example/":      client(func(c *ClientConfig) { c.RedirectURIs = []string{"http://app.example/"} }),
		"return_to /bye is not absolute":        client(func(c *ClientConfig) { c.ReturnTo = []string{"/bye"} }),
		"grant type password is unknown":        client(func(c *ClientConfig) { c.GrantTypes = []string{"password"} }),
		"needs at least one redirect_uri":       client(func(c *ClientConfig) { c.RedirectURIs = nil }),
		"is not a scope name":                   client(func(c *ClientConfig) { c.Scopes = []string{"a b"} }),
		"authentication tls_client_auth is":     client(func(c *ClientConfig) { c.AuthMethods = []string{"tls_client_auth"} }),
		"client app is registered twice; put":   func(c *Config) { client(func(*ClientConfig) {})(c); client(func(*ClientConfig) {})(c) },
	} {
		config := Config{AuthURL: "https://idp.example"}
		change(&config)
		_, err := NewPolicy(config)
		require.ErrorContains(t, err, says)
	}
}

func TestRequestHeadersAreAnAllowList(t *testing.T) {
	client := http.Header{
		"User-Agent": {"ua"}, "Accept-Language": {"de"}, "Auth0-Client": {"x"}, "Cookie": {"a=1", "b=2"}, "Accept": {"text/html"},
		"Forwarded": {"for=1.2.3.4"}, "X-Forwarded-For": {"1.2.3.4"}, "X-Forwarded-Host": {"evil"}, "X_forwarded_for": {"1"},
		"X-Real-Ip": {"1.2.3.4"}, "X-Original-Url": {"/x"}, "X-Rewrite-Url": {"/x"}, "X-Http-Method-Override": {"DELETE"},
		"Auth0-Forwarded-For": {"1.2.3.4"}, "Cname-Api-Key": {"k"}, "Connection": {"X-Secret"}, "X-Secret": {"s"}, "Upgrade": {"h2c"},
		"Authorization": {"Bearer x"}, "Content-Encoding": {"gzip"}, "Te": {"trailers"}, "Origin": {"https://a"}, "X-Application-Id": {"1"},
	}
	back := make(http.Header)
	CopyRequestHeader(back, client, Token)
	require.Equal(t, http.Header{
		"User-Agent": {"ua"}, "Accept-Language": {"de"}, "Auth0-Client": {"x"},
	}, back)
	front := make(http.Header)
	CopyRequestHeader(front, client, Authorize)
	require.Equal(t, http.Header{
		"User-Agent": {"ua"}, "Accept-Language": {"de"}, "Accept": {"text/html"}, "Cookie": {"a=1; b=2"},
	}, front)
}

func TestResponseHeaders(t *testing.T) {
	from := http.Header{
		"Content-Type": {"text/html"}, "Cache-Control": {"public"}, "Set-Cookie": {"a=1"}, "Access-Control-Allow-Origin": {"*"},
		"Access-Control-Allow-Credentials": {"true"}, "Retry-After": {"3"}, "Www-Authenticate": {"Bearer"}, "Location": {"/x"},
	}
	FilterBackResponse(from)
	require.Equal(t, http.Header{
		"Content-Type": {"application/json"}, "Cache-Control": {"no-store"}, "Pragma": {"no-cache"},
		"Retry-After": {"3"}, "Www-Authenticate": {"Bearer"},
	}, from)

	front := http.Header{
		"Content-Type": {"text/html"}, "Access-Control-Allow-Origin": {"*"}, "Location": {"/login"},
		"Set-Cookie": {
			"host=1; Path=/; Secure", "own=1; Domain=login.app.example", "parent=1; Domain=.app.example",
			"foreign=1; Domain=idp.example", "suffix=1; Domain=pp.example", "broken",
		},
	}
	FilterFrontResponse(front, "login.app.example")
	require.Equal(t, []string{"host=1; Path=/; Secure", "own=1; Domain=login.app.example", "parent=1; Domain=.app.example"}, front["Set-Cookie"])
	require.NotContains(t, front, "Access-Control-Allow-Origin")
	require.Equal(t, "no-store", front.Get("Cache-Control"))
	require.Equal(t, "/login", front.Get("Location"))
}

func TestResponsesOfTheTokenEndpoint(t *testing.T) {
	const token = `{"access_token":"a","token_type":"Bearer","expires_in":1}`
	form := http.Header{"Content-Type": {"application/x-www-form-urlencoded; charset=utf-8"}}
	for name, tc := range map[string]struct {
		response Response
		outcome  TokenOutcome
		status   int // of the replacement, 0 for none
	}{
		"a token":                      {response: Response{Status: 200, Body: []byte(token)}, outcome: Granted},
		"an error":                     {response: Response{Status: 400, Body: []byte(`{"error":"invalid_grant"}`)}, outcome: Rejected},
		"an error with 401":            {response: Response{Status: 401, Body: []byte(`{"error":"invalid_client"}`)}, outcome: Rejected},
		"an error with 403":            {response: Response{Status: 403, Body: []byte(`{"error":"access_denied"}`)}, outcome: Rejected},
		"a token with an error status": {response: Response{Status: 400, Body: []byte(token)}, status: 502},
		"an error with 200":            {response: Response{Status: 200, Body: []byte(`{"error":"invalid_grant"}`)}, outcome: Rejected},
		"an error and a token":         {response: Response{Status: 200, Body: []byte(`{"error":"x","access_token":"a"}`)}, status: 502},
		"a form":                       {response: Response{Status: 200, Header: form, Body: []byte(`access_token=a&token_type=bearer&scope=`)}, outcome: Granted},
		"a form with an error":         {response: Response{Status: 200, Header: form, Body: []byte(`error=bad_verification_code&error_description=x`)}, outcome: Rejected},
		"a form with a name twice":     {response: Response{Status: 200, Header: form, Body: []byte(`access_token=a&access_token=b&token_type=bearer`)}, status: 502},
		"a form that is called JSON":   {response: Response{Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`access_token=a&token_type=bearer`)}, status: 502},
		"HTML":                         {response: Response{Status: 200, Body: []byte("<html>")}, status: 502},
		"half a token":                 {response: Response{Status: 200, Body: []byte(token[:30])}, status: 502},
		"a token and more":             {response: Response{Status: 200, Body: []byte(token + "{}")}, status: 502},
		"a name twice":                 {response: Response{Status: 200, Body: []byte(`{"access_token":"a","access_token":"b","token_type":"Bearer"}`)}, status: 502},
		"invalid UTF-8":                {response: Response{Status: 200, Body: []byte("{\"access_token\":\"\xff\",\"token_type\":\"Bearer\"}")}, status: 502},
		"no access token":              {response: Response{Status: 200, Body: []byte(`{"token_type":"Bearer"}`)}, status: 502},
		"a list":                       {response: Response{Status: 200, Body: []byte(`[]`)}, status: 502},
		"nothing":                      {response: Response{Status: 200}, status: 502},
		"an HTML error":                {response: Response{Status: 400, Body: []byte("<html>")}, status: 502, outcome: Rejected},
		"a redirect":                   {response: Response{Status: 302, Header: http.Header{"Location": {"/x"}}}, status: 502},
		"created":                      {response: Response{Status: 201, Body: []byte(token)}, status: 502},
		"a server error":               {response: Response{Status: 500, Body: []byte(`{"error":"x"}`)}, status: 502},
		"compressed":                   {response: Response{Status: 200, Header: http.Header{"Content-Encoding": {"gzip"}}, Body: []byte(token)}, status: 502},
		"busy":                         {response: Response{Status: 503, Header: http.Header{"Retry-After": {"7"}}, Body: []byte("<html>")}, status: 503},
		"busy until a time":            {response: Response{Status: 503, Header: http.Header{"Retry-After": {"Fri, 31 Dec 2027 23:59:59 GMT"}}}, status: 503},
		"busy, with a JSON error":      {response: Response{Status: 503, Body: []byte(`{"error":"temporarily_unavailable"}`)}},
		"busy, with other JSON":        {response: Response{Status: 503, Body: []byte(`{"debug":"x"}`)}, status: 503},
		"busy until nobody knows when": {response: Response{Status: 503, Header: http.Header{"Retry-After": {"soon"}}}, status: 503},
		"an error code with a line":    {response: Response{Status: 400, Body: []byte(`{"error":"a\r\nb"}`)}, status: 502, outcome: Rejected},
		"a token with a line":          {response: Response{Status: 200, Body: []byte(`{"access_token":"a\r\nb","token_type":"Bearer"}`)}, status: 502},
		"too many requests":            {response: Response{Status: 429, Header: http.Header{"Retry-After": {"7"}}}, status: 429, outcome: Rejected},
		"a compressed error":           {response: Response{Status: 400, Header: http.Header{"Content-Encoding": {"gzip"}}, Body: []byte(token)}, status: 502},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.response.Header == nil {
				tc.response.Header = http.Header{}
			}
			StandardizeTokenResponse(&tc.response)
			outcome, err := testPolicy(t).CheckTokenResponse(tc.response, nil)
			require.Equal(t, tc.outcome, outcome)
			if tc.status == 0 {
				require.NoError(t, err)
				return
			}
			require.Error(t, err)
			rejection := AsError(err)
			require.Equal(t, tc.status, rejection.Status)
			if given := tc.response.Header.Get("Retry-After"); tc.status != 502 && given != "soon" {
				require.Equal(t, given, rejection.RetryAfter)
			} else {
				require.Empty(t, rejection.RetryAfter)
			}
			requireWellFormed(t, err)
		})
	}
}

func TestResponsesOfTheUserInfoEndpoint(t *testing.T) {
	for name, tc := range map[string]struct {
		response  Response
		status    int
		challenge string
	}{
		"a user":           {response: Response{Status: 200, Body: []byte(`{"sub":"a","x":[1]}`)}},
		"a signed user":    {response: Response{Status: 200, Body: []byte(`eyJ.eyJ.sig`)}, status: 502},
		"a broken user":    {response: Response{Status: 200, Body: []byte(`{"sub":"a"`)}, status: 502},
		"a list":           {response: Response{Status: 200, Body: []byte(`[]`)}, status: 502},
		"text with 401":    {response: Response{Status: 401, Body: []byte(`Unauthorized`)}, status: 401, challenge: `error="invalid_token"`},
		"nothing with 403": {response: Response{Status: 403, Header: http.Header{"Www-Authenticate": {`Bearer error="insufficient_scope"`}}}, status: 403, challenge: "insufficient_scope"},
		"a whole error":    {response: Response{Status: 401, Header: http.Header{"Www-Authenticate": {"Bearer"}}, Body: []byte(`{"error":"invalid_token"}`)}},
		"JSON of no error": {response: Response{Status: 404, Body: []byte(`{"debug":"x"}`)}, status: 502},
		"a password":       {response: Response{Status: 401, Header: http.Header{"Www-Authenticate": {`Basic realm="x"`}}, Body: []byte(`{"error":"invalid_token"}`)}, status: 401, challenge: "Bearer"},
		"not found":        {response: Response{Status: 404, Body: []byte("<html>")}, status: 502},
		"a redirect":       {response: Response{Status: 302}, status: 502},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.response.Header == nil {
				tc.response.Header = http.Header{}
			}
			err := CheckUserInfoResponse(tc.response)
			if tc.status == 0 {
				require.NoError(t, err)
				return
			}
			require.Error(t, err)
			rejection := AsError(err)
			require.Equal(t, tc.status, rejection.Status)
			require.Contains(t, rejection.Challenge, tc.challenge)
			require.NotContains(t, rejection.Challenge, "Basic")
			requireWellFormed(t, err)
		})
	}
}

func TestAsErrorHidesOtherErrors(t *testing.T) {
	rejection := reject(InvalidScope, "RFC 6749 section 3.3", "a")
	require.Same(t, rejection, AsError(fmt.Errorf("parsing: %w", rejection)))
	other := AsError(errors.New("dial tcp 10.0.0.1: secret"))
	require.Equal(t, 500, other.Status)
	require.Equal(t, ServerError, other.Code)
	require.NotContains(t, other.Error(), "secret")
	requireWellFormed(t, other)
}

func TestTheIdPsAddressHasOneForm(t *testing.T) {
	for given, want := range map[string]string{
		"https://IDP.example":           "https://idp.example",
		"https://idp.example:443/":      "https://idp.example",
		"http://idp.example:80/realms/": "http://idp.example/realms",
		"https://idp.example:8443/A":    "https://idp.example:8443/A",
		"http://[::1]:80":               "http://[::1]",
	} {
		u, err := ParseAuthURL(given)
		require.NoError(t, err)
		require.Equal(t, want, u.String())
	}
}
