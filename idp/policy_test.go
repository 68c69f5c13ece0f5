package idp

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

func TestConfigurationMistakesAreNamed(t *testing.T) {
	client := func(change func(*ClientConfig)) func(*Config) {
		return func(c *Config) {
			config := ClientConfig{ID: "app", RedirectURIs: []string{"https://app.example/cb"}}
			change(&config)
			c.Clients = append(c.Clients, config)
		}
	}
	requireMistakes(t, map[string]func(*Config){
		"address must be a URL":                             func(c *Config) { c.AuthURL = "ftp://idp.example" },
		"IdP's address must be a URL":                       func(c *Config) { c.AuthURL = "https://" },
		"the IdP's address must be a URL":                   func(c *Config) { c.AuthURL = "https://idp.example:x" },
		"no user information, query or":                     func(c *Config) { c.AuthURL = "https://idp.example?" },
		"user information, query or frag":                   func(c *Config) { c.AuthURL = "https://idp.example/#" },
		"address has a port outside 1":                      func(c *Config) { c.AuthURL = "https://idp.example:" },
		"nonce needs callback":                              func(c *Config) { c.Nonce = NonceRequired },
		"step_up needs callback":                            func(c *Config) { c.StepUp = true },
		"rotate_refresh needs callback":                     func(c *Config) { c.Rotation = &rotation.Config{} },
		"rotate_refresh: grace":                             func(c *Config) { c.Callback, c.Rotation = new(CallbackConfig), &rotation.Config{Grace: time.Hour} },
		"consent needs callback":                            client(func(c *ClientConfig) { c.Consent = true }),
		"endpoint revoke: revoke is not absolute":           func(c *Config) { c.Endpoints = map[Endpoint]string{Revoke: "revoke"} },
		"nonce often is unknown; use require or optional":   func(c *Config) { c.Nonce = "often" },
		"must be a URL":                                     func(c *Config) { c.AuthURL = "idp.example" },
		"no user information, query":                        func(c *Config) { c.AuthURL = "https://idp.example/?a=b" },
		"port":                                              func(c *Config) { c.AuthURL = "https://idp.example:0" },
		"leave out /authorize":                              func(c *Config) { c.AuthURL = "https://idp.example/authorize" },
		"leave out /userinfo":                               func(c *Config) { c.AuthURL = "https://idp.example/userinfo" },
		"leave out /v2/logout":                              func(c *Config) { c.AuthURL = "https://idp.example/v2/logout" },
		"leave out /oauth/token":                            func(c *Config) { c.AuthURL = "https://idp.example/tenant/oauth/token/" },
		"issuer idp.example is not absolute":                func(c *Config) { c.Issuer = "idp.example" },
		"percent-encoding":                                  func(c *Config) { c.AuthURL = "https://idp.example/a%2fb" },
		"parameters strict is unknown":                      func(c *Config) { c.Parameters = "strict" },
		"logout protocol saml is unknown":                   func(c *Config) { c.LogoutProtocol = "saml" },
		"deny_path: okra is neither":                        func(c *Config) { c.DenyPaths = []string{"okra"} },
		"deny_path: /oauth/* would deny the token endpoint": func(c *Config) { c.DenyPaths = []string{"/oauth/*"} },
		"deny_path: /a*b must be":                           func(c *Config) { c.DenyPaths = []string{"/a*b"} },
		"deny_path: /*a must be":                            func(c *Config) { c.DenyPaths = []string{"/*a"} },
		"deny_path: /a;b must be":                           func(c *Config) { c.DenyPaths = []string{"/a;b"} },
		"deny_path: /a/.. must be":                          func(c *Config) { c.DenyPaths = []string{"/a/.."} },
		"deny_path: /a//b must be":                          func(c *Config) { c.DenyPaths = []string{"/a//b"} },
		"deny_path: / must be":                              func(c *Config) { c.DenyPaths = []string{"/"} },
		"deny_path: /* would deny the":                      func(c *Config) { c.DenyPaths = []string{"/*"} },
		"deny_path: /login/done would deny the callback": func(c *Config) {
			c.DenyPaths, c.Callback = []string{"/login/done"}, &CallbackConfig{Path: "/login/done"}
		},
		"endpoint token: token is not absolute":                                 func(c *Config) { c.Endpoints = map[Endpoint]string{Token: "token"} },
		"the id must be":                                                        client(func(c *ClientConfig) { c.ID = "" }),
		"client: the id must be printable ASCII":                                client(func(c *ClientConfig) { c.ID = "\u00e4pp" }),
		"client app: scope  is not a scope name":                                client(func(c *ClientConfig) { c.Scopes = []string{"a", ""} }),
		"redirect_uri http://app.example/":                                      client(func(c *ClientConfig) { c.RedirectURIs = []string{"http://app.example/"} }),
		"https://a/,https://b/ is several addresses; separate them with spaces": client(func(c *ClientConfig) { c.RedirectURIs = []string{"https://a/,https://b/"} }),
		"https://c/,http://d/ is several addresses":                             client(func(c *ClientConfig) { c.ReturnTo = []string{"https://c/,http://d/"} }),
		"client app: https://a.example/oauth/* has a *, and addresses are compared exactly (RFC 9700 section 2.1)": client(func(c *ClientConfig) { c.RedirectURIs = []string{"https://a.example/oauth/*"} }),
		"client app: http://localhost:*/cb has a *":                                                                client(func(c *ClientConfig) { c.RedirectURIs = []string{"http://localhost:*/cb"} }),
		"client app: https://*.a.example/ has a *":                                                                 client(func(c *ClientConfig) { c.ReturnTo = []string{"https://*.a.example/"} }),
		"the IdP's address https://login.microsoftonline.com/common/v2.0: common is not a tenant: write your tenant's id instead": func(c *Config) {
			c.AuthURL, c.Discover = "https://login.microsoftonline.com/common/v2.0", true
		},
		"issuer https://login.microsoftonline.com/organizations/v2.0: organizations is not a tenant": func(c *Config) {
			c.Issuer = "https://login.microsoftonline.com/organizations/v2.0"
		},
		"return_to /bye is not absolute":                            client(func(c *ClientConfig) { c.ReturnTo = []string{"/bye"} }),
		"needs at least one redirect_uri":                           client(func(c *ClientConfig) { c.RedirectURIs = nil }),
		"is not a scope name":                                       client(func(c *ClientConfig) { c.Scopes = []string{"a b"} }),
		"token_endpoint_auth client_secret_jwt is":                  client(func(c *ClientConfig) { c.AuthMethods = []string{"client_secret_jwt"} }),
		"client app is registered twice; put":                       func(c *Config) { client(func(*ClientConfig) {})(c); client(func(*ClientConfig) {})(c) },
		"client app: parameter state is one that the gateway makes": client(func(c *ClientConfig) { c.Scopes, c.Parameters = []string{"a"}, []string{"aud", "state"} }),
		"client app: parameter Request-URI is one":                  client(func(c *ClientConfig) { c.Scopes, c.Parameters = []string{"a"}, []string{"Request-URI"} }),
		"client app: parameter needs audience or scope":             client(func(c *ClientConfig) { c.Parameters = []string{"aud"} }),
		"client app: authorize_parameter audience https://api.example, which it gets if it asks for none, is not one of its audiences": func(c *Config) {
			c.DefaultAudience = "https://api.example"
			client(func(c *ClientConfig) { c.Audiences = []string{"https://other.example"} })(c)
		},
	}, bare)
}

func TestHostsToWhichTokensTravelUnencrypted(t *testing.T) {
	for authURL, want := range map[string][]string{
		"https://idp.example": {"api.example:8080"}, "http://idp.example": {"idp.example", "api.example:8080"}, "http://localhost": {"api.example:8080"},
	} {
		p := must.Have(NewPolicy(Config{AuthURL: authURL, Endpoints: map[Endpoint]string{
			UserInfo: "http://api.example:8080/me", Token: "http://127.0.0.1/token", Revoke: "http://api.example:8080/revoke",
		}}))(t)
		require.ElementsMatch(t, want, p.idp.Unencrypted())
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
	upstream.CopyHeader(back, client, Token)
	require.Equal(t, http.Header{
		"User-Agent": {"ua"}, "Accept-Language": {"de"}, "Auth0-Client": {"x"},
	}, back)
	front := make(http.Header)
	upstream.CopyHeader(front, client, Authorize)
	require.Equal(t, http.Header{
		"User-Agent": {"ua"}, "Accept-Language": {"de"}, "Accept": {"text/html"}, "Cookie": {"a=1; b=2"},
	}, front)
	none := make(http.Header)
	upstream.CopyHeader(none, http.Header{"Accept": {"text/html", "text/plain"}}, Authorize)
	require.Empty(t, none, "what is not there stays so, and what may be there once is left out if it is twice")
}

func TestResponseHeaders(t *testing.T) {
	from := http.Header{
		"Content-Type": {"text/html"}, "Cache-Control": {"public"}, "Set-Cookie": {"a=1"}, "Access-Control-Allow-Origin": {"*"},
		"Access-Control-Allow-Credentials": {"true"}, "Retry-After": {"3"}, "Www-Authenticate": {"Bearer"}, "Location": {"/x"},
	}
	upstream.FilterHeader(from)
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
	filterFrontResponse(front, "login.app.example")
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
		outcome  upstream.Outcome
		status   int // of the replacement, 0 for none
	}{
		"a token":                      {response: Response{Status: 200, Body: []byte(token)}, outcome: upstream.Granted},
		"an error":                     {response: Response{Status: 400, Body: []byte(`{"error":"invalid_grant"}`)}, outcome: upstream.Rejected},
		"an error with 401":            {response: Response{Status: 401, Body: []byte(`{"error":"invalid_client"}`)}, outcome: upstream.Rejected},
		"an error with 403":            {response: Response{Status: 403, Body: []byte(`{"error":"access_denied"}`)}, outcome: upstream.Rejected},
		"a token with an error status": {response: Response{Status: 400, Body: []byte(token)}, status: 502},
		"an error with a token in it":  {response: Response{Status: 400, Body: []byte(`{"error":"x","access_token":"a","token_type":"Bearer"}`)}, status: 502},
		"busy, with a token in it":     {response: Response{Status: 503, Body: []byte(`{"error":"x","access_token":"a"}`)}, status: 502},
		"an error with 200":            {response: Response{Status: 200, Body: []byte(`{"error":"invalid_grant"}`)}, outcome: upstream.Rejected},
		"an error and a token":         {response: Response{Status: 200, Body: []byte(`{"error":"x","access_token":"a"}`)}, status: 502},
		"a form":                       {response: Response{Status: 200, Header: form, Body: []byte(`access_token=a&token_type=bearer&scope=`)}, outcome: upstream.Granted},
		"a form with an error":         {response: Response{Status: 200, Header: form, Body: []byte(`error=bad_verification_code&error_description=x`)}, outcome: upstream.Rejected},
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
		"an HTML error":                {response: Response{Status: 400, Body: []byte("<html>")}, status: 502, outcome: upstream.Rejected},
		"a redirect":                   {response: Response{Status: 302, Header: http.Header{"Location": {"/x"}}}, status: 502},
		"created":                      {response: Response{Status: 201, Body: []byte(token)}, status: 502},
		"a server error":               {response: Response{Status: 500, Body: []byte(`{"error":"x"}`)}, status: 502},
		"compressed":                   {response: Response{Status: 200, Header: http.Header{"Content-Encoding": {"gzip"}}, Body: []byte(token)}, status: 502},
		"busy":                         {response: Response{Status: 503, Header: http.Header{"Retry-After": {"7"}}, Body: []byte("<html>")}, status: 503},
		"busy until a time":            {response: Response{Status: 503, Header: http.Header{"Retry-After": {"Fri, 31 Dec 2027 23:59:59 GMT"}}}, status: 503},
		"busy, with a JSON error":      {response: Response{Status: 503, Body: []byte(`{"error":"temporarily_unavailable"}`)}},
		"busy, with other JSON":        {response: Response{Status: 503, Body: []byte(`{"debug":"x"}`)}, status: 503},
		"busy until nobody knows when": {response: Response{Status: 503, Header: http.Header{"Retry-After": {"soon"}}}, status: 503},
		"an error code with a line":    {response: Response{Status: 400, Body: []byte(`{"error":"a\r\nb"}`)}, status: 502, outcome: upstream.Rejected},
		"a token with a line":          {response: Response{Status: 200, Body: []byte(`{"access_token":"a\r\nb","token_type":"Bearer"}`)}, status: 502},
		"too many requests":            {response: Response{Status: 429, Header: http.Header{"Retry-After": {"7"}}}, status: 429, outcome: upstream.Rejected},
		"below the client errors":      {response: Response{Status: 399, Body: []byte(`{"error":"x"}`)}, status: 502},
		"the last client error":        {response: Response{Status: 499, Body: []byte(`{"error":"x"}`)}, outcome: upstream.Rejected},
		"a compressed rejection":       {response: Response{Status: 400, Header: http.Header{"Content-Encoding": {"gzip"}}, Body: []byte(`{"error":"x"}`)}, status: 502},
		"not compressed, it says":      {response: Response{Status: 200, Header: http.Header{"Content-Encoding": {"identity"}}, Body: []byte(token)}, outcome: upstream.Granted},
		"too many, with a JSON error":  {response: Response{Status: 429, Body: []byte(`{"error":"slow_down"}`)}, outcome: upstream.Rejected},
		"an error and more":            {response: Response{Status: 400, Body: []byte(`{"error":"x"}<html>`)}, status: 502, outcome: upstream.Rejected},
		"a compressed error":           {response: Response{Status: 400, Header: http.Header{"Content-Encoding": {"gzip"}}, Body: []byte(token)}, status: 502},
	} {
		t.Run(name, func(t *testing.T) {
			outcome, err := outcomeOf(testPolicy(t).checkTokenResponse(tc.response, nil))
			require.Equal(t, tc.outcome, outcome)
			if tc.status == 0 {
				require.NoError(t, err)
				return
			}
			require.Error(t, err)
			rejection := oauth.AsError(err)
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
		"compressed":       {response: Response{Status: 200, Header: http.Header{"Content-Encoding": {"gzip"}}, Body: []byte(`{"sub":"a"}`)}, status: 502},
		"a DPoP challenge": {response: Response{Status: 401, Header: http.Header{"Www-Authenticate": {`DPoP algs="ES256"`}}, Body: []byte(`{"error":"invalid_token"}`)}},
		"status 399":       {response: Response{Status: 399, Body: []byte(`{"error":"x"}`)}, status: 502},
		"status 499":       {response: Response{Status: 499, Body: []byte(`{"error":"x"}`)}},
		"not found":        {response: Response{Status: 404, Body: []byte("<html>")}, status: 502},
		"a redirect":       {response: Response{Status: 302}, status: 502},
	} {
		t.Run(name, func(t *testing.T) {
			err := upstream.CheckUserInfo(tc.response)
			if tc.status == 0 {
				require.NoError(t, err)
				return
			}
			require.Error(t, err)
			rejection := oauth.AsError(err)
			require.Equal(t, tc.status, rejection.Status)
			require.Contains(t, rejection.Challenge, tc.challenge)
			require.NotContains(t, rejection.Challenge, "Basic")
			requireWellFormed(t, err)
		})
	}
}

func TestTheIdPsAddressHasOneForm(t *testing.T) {
	for given, want := range map[string]string{
		"https://IDP.example":           "https://idp.example",
		"https://idp.example:443/":      "https://idp.example",
		"http://idp.example:80/realms/": "http://idp.example/realms",
		"https://idp.example:8443/A":    "https://idp.example:8443/A",
		"http://idp.example:8080":       "http://idp.example:8080",
		"http://idp.example:443":        "http://idp.example:443",
		"https://idp.example:80":        "https://idp.example:80",
		"http://[::1]:80":               "http://[::1]",
	} {
		u := must.Have(ParseAuthURL(given))(t)
		require.Equal(t, want, u.String())
	}
}

func TestWhereTheCallbackIs(t *testing.T) {
	require.False(t, testPolicy(t).HasCallback())
	require.Empty(t, testPolicy(t).CallbackURL("https://gateway.example"))
	require.True(t, newSealedGateway(t).HasCallback())
	require.Equal(t, "https://gateway.example/oauth/callback", newSealedGateway(t).CallbackURL("https://gateway.example"))
	configured := newSealedGateway(t, func(c *Config) { c.PublicURL, c.Callback.Path = "https://login.example/auth/", "/done" })
	require.Equal(t, "https://login.example/auth/done", configured.CallbackURL("https://gateway.example"))
}

func TestIdPsThatSupportFormPost(t *testing.T) {
	for host, want := range map[string]oauth.ResponseMode{
		"tenant.eu.auth0.com": oauth.FormPostMode, "example.okta.com": oauth.FormPostMode, "example.oktapreview.com": oauth.FormPostMode,
		"login.microsoftonline.com": oauth.FormPostMode, "accounts.google.com": oauth.FormPostMode,
		"evil-auth0.com": oauth.QueryMode, "evilaccounts.google.com": oauth.QueryMode, "idp.example": oauth.QueryMode, "auth0.com.example": oauth.QueryMode,
	} {
		p := newSealedGateway(t, func(c *Config) { c.AuthURL = "https://" + host })
		require.Equal(t, want, p.idp.ResponseMode(), host)
	}
}

func TestUpgradesToWhatCarriesRequestsAreDropped(t *testing.T) {
	for upgrade, dropped := range map[string]bool{
		"h2c": true, "H2C": true, "websocket, h2c": true, "TLS/1.0": true, "HTTP/2.0": true, " h2": true, "websocket": false, "mqtt": false, "nothttp": false,
	} {
		header := http.Header{"Upgrade": {upgrade}, "Http2-Settings": {"x"}, "Accept": {"*/*"}}
		DropUpgradeToHTTP(header)
		require.Equal(t, dropped, len(header["Upgrade"]) == 0, upgrade)
		require.Equal(t, dropped, len(header["Http2-Settings"]) == 0, upgrade)
		require.Equal(t, "*/*", header.Get("Accept"))
	}
	two := http.Header{"Upgrade": {"websocket", "h2c"}}
	DropUpgradeToHTTP(two)
	require.Empty(t, two)
}

func TestHeadersOfTheIdPThatClientsSee(t *testing.T) {
	header := make(http.Header)
	kept := []string{
		"Date", "Content-Length", "Content-Language", "Www-Authenticate", "X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset",
		"X-Request-Id", "X-Correlation-Id", "X-Auth0-Requestid",
	}
	for _, name := range append(kept, "Server", "X-Powered-By", "Strict-Transport-Security", "Via") {
		header.Set(name, "x")
	}
	header.Set("Retry-After", "soon")
	upstream.FilterHeader(header)
	for _, name := range kept {
		require.Equal(t, "x", header.Get(name), name)
	}
	require.Len(t, header, len(kept)+3, "and its type, and that nobody stores it")

	front := http.Header{"Set-Cookie": {"foreign=1; Domain=idp.example"}}
	filterFrontResponse(front, "App.example")
	require.NotContains(t, front, "Set-Cookie", "none is left")
	front = http.Header{"Set-Cookie": {"a=1; Domain=APP.example"}}
	filterFrontResponse(front, "app.Example")
	require.Len(t, front["Set-Cookie"], 1, "RFC 6265 section 5.1.3: case does not matter")
}

func TestAFrontChannelsHeaderHasNoListOfOthers(t *testing.T) {
	to := make(http.Header)
	upstream.CopyHeader(to, http.Header{"User-Agent": {"a", "b"}, "Cookie": {"a=1"}, "Sec-Fetch-Site": {"none"}}, Logout)
	require.Equal(t, http.Header{"Cookie": {"a=1"}, "Sec-Fetch-Site": {"none"}}, to, "one User-Agent of two would be a guess")
}

// A browser goes to another host than these name, or to none.
func TestHostsThatBrowsersReadAsOthers(t *testing.T) {
	for host, want := range map[string]bool{
		"app.example": true, "app.example.": true, "127.0.0.1": true, "[::1]": true, "xn--bcher-kva.example": true, "4app.example": true, "app.0xy": true,
		"127.1": false, "0x7f.1": false, "2130706433": false, "0177.0.0.1": false, "1.2.3.4.5": false, "256.1.1.1": false, "127.0.0.1.": false, "app.0x1": false, "app.1": false,
		"[::1%25lo]": false, "xn--.example": false, "xn--pokxncvks.example": false, "b\u00fccher.example": false, "app\u3002example": false,
	} {
		_, err := ParseAuthURL("https://" + host + "/")
		require.Equal(t, want, err == nil, "auth_url %s", host)
		require.Equal(t, want, uris.CheckRedirect("https://"+host+"/cb") == nil, "redirect_uri %s", host)
		_, err = uris.ParseWeb("https://" + host + "/")
		require.Equal(t, want, err == nil, "return_to %s", host)
	}
}

// A client with a list of audiences, or one of scopes, asks by these alone.
func TestWhatAsksForMore(t *testing.T) {
	for name, change := range map[string]func(*ClientConfig){
		"audiences": func(c *ClientConfig) { c.Audiences = []string{"https://api.example"} },
		"scopes":    func(c *ClientConfig) { c.Scopes = []string{"openid", "profile"} },
	} {
		p := testPolicy(t, func(c *Config) {
			client := ClientConfig{ID: "app", RedirectURIs: []string{"https://app.example/cb"}}
			change(&client)
			c.Clients = []ClientConfig{client}
		})
		_, err := p.parseAuthorize(query())
		require.NoError(t, err)
		for _, more := range []string{"authorization_details", "claims", "include_granted_scopes", "user_scope", "optional_scope", "connection_scope"} {
			_, err := p.parseAuthorize(query(more, "x"))
			require.ErrorContains(t, err, more+" is not accepted from a client whose audiences or scopes are registered", name)
		}
	}
}

func TestWhatIsTheDefault(t *testing.T) {
	_, err := testPolicy(t, func(c *Config) { c.Parameters = ContractParameters }).parseAuthorize(query("audience", "-"))
	require.ErrorContains(t, err, "audience is missing", "the contract's parameters are")
	_, verdict := testPolicy(t, func(c *Config) { c.Discover = true }).route("POST", "/oauth/revoke")
	require.Equal(t, match, verdict, "the document may have a revocation endpoint")
}

// One client that asks is enough for the page to be there.
func TestOneOfTheClientsAsks(t *testing.T) {
	g := newSealedGateway(t, func(c *Config) { c.Clients[0].Consent = true })
	_, verdict := g.route("POST", "/oauth/consent")
	require.Equal(t, match, verdict)
	secret := &IdPClientConfig{ID: "gateway", Secret: "s"}
	g = newSealedGateway(t, func(c *Config) { c.Clients[0].IdPClient, c.Clients[1].IdPClient = secret, secret })
	require.Equal(t, []clients.SharedRegistration{{IdPClient: "gateway", ClientIDs: []string{"app", "single"}}}, g.registry.SharedRegistrations(), "two are several")
}

// parseAuthorize reads the query of an authorization request.
func (p *Policy) parseAuthorize(rawQuery string) (authorizeRequest, error) {
	q, err := params.Parse(rawQuery, "query")
	if err != nil {
		return authorizeRequest{}, err
	}
	return p.newAuthorizeRequest(p.registry.Find(q.Get("client_id")), &q)
}

// parseLogout reads a logout request.
func (p *Policy) parseLogout(rawQuery string) (logoutRequest, error) {
	q, err := params.Parse(rawQuery, "query")
	if err != nil {
		return logoutRequest{}, err
	}
	return p.newLogoutRequest(&q)
}

// parseToken reads a request to the token endpoint; a header that is nil is that of a form.
func (p *Policy) parseToken(rawQuery string, header http.Header, body string) (tokenRequest, error) {
	if header == nil {
		header = formHeader()
	}
	f, err := params.ParseForm("token", "RFC 6749 section 3.2", rawQuery, header, body)
	if err != nil {
		return tokenRequest{}, err
	}
	return p.newTokenRequest(p.registry.Find(f.Get("client_id")), &f, header)
}

// parseRevocation reads a request to the revocation endpoint, with such a header.
func (p *Policy) parseRevocation(rawQuery string, header http.Header, body string) (revocationRequest, error) {
	if header == nil {
		header = formHeader()
	}
	f, err := params.ParseForm("revocation", "RFC 7009 section 2.1", rawQuery, header, body)
	if err != nil {
		return revocationRequest{}, err
	}
	return p.newRevocationRequest(p.registry.Find(f.Get("client_id")), &f, header)
}

// introspected reads a request to the introspection endpoint.
func (p *Policy) introspected(rawQuery string, header http.Header, body string) (introspectionRequest, error) {
	f, err := params.ParseForm("introspection", "RFC 7662 section 2.1", rawQuery, header, body)
	if err != nil {
		return introspectionRequest{}, err
	}
	return p.parseIntrospection(&f, header)
}
