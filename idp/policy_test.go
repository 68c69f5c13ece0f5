package idp

import (
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
		"must be a URL":                       func(c *Config) { c.AuthURL = "idp.example" },
		"no user information, query":          func(c *Config) { c.AuthURL = "https://idp.example/?a=b" },
		"port":                                func(c *Config) { c.AuthURL = "https://idp.example:0" },
		"percent-encoding":                    func(c *Config) { c.AuthURL = "https://idp.example/a%2fb" },
		"parameters strict is unknown":        func(c *Config) { c.Parameters = "strict" },
		"logout protocol saml is unknown":     func(c *Config) { c.LogoutProtocol = "saml" },
		"endpoint token: the path must":       func(c *Config) { c.Paths = map[Endpoint]string{Token: "token"} },
		"the id must be":                      client(func(c *ClientConfig) { c.ID = "" }),
		"redirect_uri http://app.example/":    client(func(c *ClientConfig) { c.RedirectURIs = []string{"http://app.example/"} }),
		"return_to /bye is not absolute":      client(func(c *ClientConfig) { c.ReturnTo = []string{"/bye"} }),
		"origin https://app.example/ is not":  client(func(c *ClientConfig) { c.Origins = []string{"https://app.example/"} }),
		"names its scheme's own port":         client(func(c *ClientConfig) { c.Origins = []string{"https://app.example:443"} }),
		"grant type password is unknown":      client(func(c *ClientConfig) { c.GrantTypes = []string{"password"} }),
		"needs at least one redirect_uri":     client(func(c *ClientConfig) { c.RedirectURIs = nil }),
		"is not a scope name":                 client(func(c *ClientConfig) { c.Scopes = []string{"a b"} }),
		"authentication tls_client_auth is":   client(func(c *ClientConfig) { c.AuthMethods = []string{"tls_client_auth"} }),
		"client app is registered twice; put": func(c *Config) { client(func(*ClientConfig) {})(c); client(func(*ClientConfig) {})(c) },
	} {
		config := Config{AuthURL: "https://idp.example"}
		change(&config)
		_, err := NewPolicy(config)
		require.ErrorContains(t, err, says)
	}
}

func TestCORSIsForRegisteredOriginsOnly(t *testing.T) {
	p := testPolicy(t, registered)
	h := make(http.Header)
	require.True(t, p.SetCORS(h, []string{"https://app.example"}, "app"))
	require.Equal(t, []string{"https://app.example"}, h["Access-Control-Allow-Origin"])
	require.Equal(t, []string{"Origin"}, h["Vary"])
	require.NotContains(t, h, "Access-Control-Allow-Credentials")

	require.False(t, p.SetCORS(h, []string{"https://app.example"}, "server"), "another client's origin")
	require.NotContains(t, h, "Access-Control-Allow-Origin")
	require.Equal(t, []string{"Origin"}, h["Vary"])

	for _, origin := range [][]string{nil, {"null"}, {"*"}, {"https://app.example.evil"}, {"https://APP.example"}, {"https://app.example", "https://app.example"}} {
		h := make(http.Header)
		require.False(t, p.SetCORS(h, origin, ""), origin)
		require.NotContains(t, h, "Access-Control-Allow-Origin")
	}

	h = make(http.Header)
	require.Equal(t, 204, p.AnswerPreflight(h, Token, []string{"https://app.example"}))
	require.Equal(t, "POST", h.Get("Access-Control-Allow-Methods"))
	h = make(http.Header)
	require.Equal(t, 403, p.AnswerPreflight(h, Token, []string{"https://evil.example"}))
	require.NotContains(t, h, "Access-Control-Allow-Methods")

	_, verdict := testPolicy(t).Route("OPTIONS", "/oauth/token")
	require.Equal(t, WrongMethod, verdict, "without origins there is no CORS")
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

func TestAnswerHeaders(t *testing.T) {
	from := http.Header{
		"Content-Type": {"text/html"}, "Cache-Control": {"public"}, "Set-Cookie": {"a=1"}, "Access-Control-Allow-Origin": {"*"},
		"Access-Control-Allow-Credentials": {"true"}, "Retry-After": {"3"}, "Www-Authenticate": {"Bearer"}, "Location": {"/x"},
	}
	FilterBackAnswer(from)
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
	FilterFrontAnswer(front, "login.app.example")
	require.Equal(t, []string{"host=1; Path=/; Secure", "own=1; Domain=login.app.example", "parent=1; Domain=.app.example"}, front["Set-Cookie"])
	require.NotContains(t, front, "Access-Control-Allow-Origin")
	require.Equal(t, "no-store", front.Get("Cache-Control"))
	require.Equal(t, "/login", front.Get("Location"))
}

func TestAnswersOfTheTokenEndpoint(t *testing.T) {
	const token = `{"access_token":"a","token_type":"Bearer","expires_in":1}`
	for name, tc := range map[string]struct {
		answer  Answer
		granted bool
		status  int // of the replacement, 0 for none
	}{
		"a token":                      {answer: Answer{Status: 200, Body: []byte(token)}, granted: true},
		"an error":                     {answer: Answer{Status: 400, Body: []byte(`{"error":"invalid_grant"}`)}},
		"an error with 401":            {answer: Answer{Status: 401, Body: []byte(`{"error":"invalid_client"}`)}},
		"a token with an error status": {answer: Answer{Status: 400, Body: []byte(token)}, status: 502},
		"an error with 200":            {answer: Answer{Status: 200, Body: []byte(`{"error":"invalid_grant"}`)}, status: 502},
		"HTML":                         {answer: Answer{Status: 200, Body: []byte("<html>")}, status: 502},
		"half a token":                 {answer: Answer{Status: 200, Body: []byte(token[:30])}, status: 502},
		"a token and more":             {answer: Answer{Status: 200, Body: []byte(token + "{}")}, status: 502},
		"a name twice":                 {answer: Answer{Status: 200, Body: []byte(`{"access_token":"a","access_token":"b","token_type":"Bearer"}`)}, status: 502},
		"invalid UTF-8":                {answer: Answer{Status: 200, Body: []byte("{\"access_token\":\"\xff\",\"token_type\":\"Bearer\"}")}, status: 502},
		"no access token":              {answer: Answer{Status: 200, Body: []byte(`{"token_type":"Bearer"}`)}, status: 502},
		"a list":                       {answer: Answer{Status: 200, Body: []byte(`[]`)}, status: 502},
		"nothing":                      {answer: Answer{Status: 200}, status: 502},
		"an HTML error":                {answer: Answer{Status: 400, Body: []byte("<html>")}, status: 502},
		"a redirect":                   {answer: Answer{Status: 302, Header: http.Header{"Location": {"/x"}}}, status: 502},
		"created":                      {answer: Answer{Status: 201, Body: []byte(token)}, status: 502},
		"a server error":               {answer: Answer{Status: 500, Body: []byte(`{"error":"x"}`)}, status: 502},
		"compressed":                   {answer: Answer{Status: 200, Header: http.Header{"Content-Encoding": {"gzip"}}, Body: []byte(token)}, status: 502},
		"busy":                         {answer: Answer{Status: 503, Header: http.Header{"Retry-After": {"7"}}, Body: []byte("<html>")}, status: 503},
		"busy until a time":            {answer: Answer{Status: 503, Header: http.Header{"Retry-After": {"Fri, 31 Dec 2027 23:59:59 GMT"}}}, status: 503},
		"busy, with a JSON error":      {answer: Answer{Status: 503, Body: []byte(`{"error":"temporarily_unavailable"}`)}},
		"too many requests":            {answer: Answer{Status: 429, Header: http.Header{"Retry-After": {"7"}}}, status: 429},
	} {
		t.Run(name, func(t *testing.T) {
			granted, fault := CheckTokenAnswer(tc.answer)
			require.Equal(t, tc.granted, granted)
			if tc.status == 0 {
				require.Nil(t, fault)
				return
			}
			require.NotNil(t, fault)
			require.Equal(t, tc.status, fault.Status)
			if tc.status != 502 {
				require.Equal(t, tc.answer.Header.Get("Retry-After"), fault.RetryAfter)
			}
			requireWellFormed(t, fault)
		})
	}
}

func TestAnswersOfTheUserInfoEndpoint(t *testing.T) {
	for name, tc := range map[string]struct {
		answer    Answer
		status    int
		challenge string
	}{
		"a user":           {answer: Answer{Status: 200, Body: []byte(`{"sub":"a","x":[1]}`)}},
		"a signed user":    {answer: Answer{Status: 200, Body: []byte(`eyJ.eyJ.sig`)}, status: 502},
		"a broken user":    {answer: Answer{Status: 200, Body: []byte(`{"sub":"a"`)}, status: 502},
		"a list":           {answer: Answer{Status: 200, Body: []byte(`[]`)}, status: 502},
		"text with 401":    {answer: Answer{Status: 401, Body: []byte(`Unauthorized`)}, status: 401, challenge: `error="invalid_token"`},
		"nothing with 403": {answer: Answer{Status: 403, Header: http.Header{"Www-Authenticate": {`Bearer error="insufficient_scope"`}}}, status: 403, challenge: "insufficient_scope"},
		"a whole refusal":  {answer: Answer{Status: 401, Header: http.Header{"Www-Authenticate": {"Bearer"}}, Body: []byte(`{"error":"invalid_token"}`)}},
		"not found":        {answer: Answer{Status: 404, Body: []byte("<html>")}, status: 502},
		"a redirect":       {answer: Answer{Status: 302}, status: 502},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.answer.Header == nil {
				tc.answer.Header = http.Header{}
			}
			fault := CheckUserInfoAnswer(tc.answer)
			if tc.status == 0 {
				require.Nil(t, fault)
				return
			}
			require.NotNil(t, fault)
			require.Equal(t, tc.status, fault.Status)
			require.Contains(t, fault.Challenge, tc.challenge)
			requireWellFormed(t, fault)
		})
	}
}
