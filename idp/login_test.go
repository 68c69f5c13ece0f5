package idp

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// sealedGateway is a policy with a callback, and its keys and clock.
type sealedGateway struct {
	*Policy
	t   testing.TB
	now time.Time
	s   Sealing
	// store has the families, with rotation.
	store *replay.Memory
}

func newSealedGateway(t testing.TB, with ...func(*Config)) *sealedGateway {
	config := Config{
		AuthURL: "https://idp.example", Parameters: OAuthParameters, Callback: &CallbackConfig{},
		Clients: []ClientConfig{
			{ID: "app", RedirectURIs: []string{"https://app.example/cb", "http://127.0.0.1/cb", "com.example.app:/cb"}},
			{ID: "single", RedirectURIs: []string{"https://single.example/cb?tenant=1"}},
		},
	}
	for _, change := range with {
		change(&config)
	}
	p, err := NewPolicy(config)
	require.NoError(t, err)
	g := &sealedGateway{Policy: p, t: t, now: time.Unix(1_800_000_000, 0)}
	keys, err := seal.NewKeys([][]byte{[]byte(strings.Repeat("k", 32))}, func() time.Time { return g.now })
	require.NoError(t, err)
	g.s = Sealing{Keys: keys, Now: g.now, Callback: p.CallbackURL("https://gateway.example")}
	g.store = replay.NewMemory(1000, func() time.Time { return g.now })
	return g
}

// pass lets time go by.
func (g *sealedGateway) pass(d time.Duration) {
	g.now = g.now.Add(d)
	g.s.Now = g.now
}

// begin is the query that the IdP gets for an authorization request; with
// replaces parameters, "" removes one.
func (g *sealedGateway) begin(with ...string) url.Values {
	g.t.Helper()
	q := url.Values{
		"response_type": {"code"}, "client_id": {"app"}, "redirect_uri": {"https://app.example/cb"},
		"code_challenge": {string(Verifier(testVerifier).S256())}, "code_challenge_method": {"S256"},
		"scope": {"openid"}, "state": {"client-state"}, "nonce": {"client-nonce"},
	}
	for i := 0; i < len(with); i += 2 {
		q.Del(with[i])
		if with[i+1] != "" {
			q.Set(with[i], with[i+1])
		}
	}
	r, err := g.ParseAuthorize(q.Encode())
	require.NoError(g.t, err)
	u, err := url.Parse(g.AuthorizeURL(&r, g.s))
	require.NoError(g.t, err)
	return u.Query()
}

// called is the callback's response to a code of the IdP.
func (g *sealedGateway) called(state, code string) CallbackResponse {
	g.t.Helper()
	response, err := g.Callback(g.s, CallbackRequest{Code: code, State: state})
	require.NoError(g.t, err)
	return response
}

// location is where a redirect of the callback goes.
func location(t testing.TB, page Page) *url.URL {
	t.Helper()
	require.Equal(t, http.StatusSeeOther, page.Status)
	u, err := url.Parse(page.Header.Get("Location"))
	require.NoError(t, err)
	return u
}

// open is OpenCode for a token request.
func (g *sealedGateway) open(code string, with ...string) (*Redemption, *TokenRequest, error) {
	g.t.Helper()
	r, err := g.ParseToken("", formHeader(), form(append([]string{"code", code}, with...)...))
	if err != nil {
		return nil, nil, err
	}
	redemption, err := g.OpenCode(g.s, &r)
	return redemption, &r, err
}

func TestALoginThroughTheCallback(t *testing.T) {
	g := newSealedGateway(t)
	upstream := g.begin()
	require.Equal(t, "https://gateway.example/oauth/callback", upstream.Get("redirect_uri"))
	require.Equal(t, string(Verifier(testVerifier).S256()), upstream.Get("code_challenge"))
	require.Equal(t, "client-nonce", upstream.Get("nonce"))
	require.NotContains(t, upstream.Get("state"), "client-state")
	require.Less(t, len(upstream.Get("state")), 256, "some IdPs bound the length of state")

	response := g.called(upstream.Get("state"), "idp-code")
	require.NoError(t, response.Err)
	require.Equal(t, "app", response.ClientID)
	require.Equal(t, "no-store", response.Header.Get("Cache-Control"))
	require.Equal(t, "no-referrer", response.Header.Get("Referrer-Policy"))
	to := location(t, response.Page)
	require.Equal(t, "https://app.example/cb", to.Scheme+"://"+to.Host+to.Path)
	require.Equal(t, "client-state", to.Query().Get("state"))
	require.NotContains(t, to.Query().Get("code"), "idp-code")

	redemption, request, err := g.open(to.Query().Get("code"))
	require.NoError(t, err)
	call, err := g.TokenCall(request, redemption, nil, "", g.now)
	require.NoError(t, err)
	sent, err := url.ParseQuery(string(call.Form))
	require.NoError(t, err)
	require.Equal(t, url.Values{
		"grant_type": {"authorization_code"}, "client_id": {"app"}, "code": {"idp-code"},
		"redirect_uri": {"https://gateway.example/oauth/callback"}, "code_verifier": {testVerifier},
	}, sent)
}

func TestACodeIsRedeemedByItsLoginOnly(t *testing.T) {
	g := newSealedGateway(t)
	code := location(t, g.called(g.begin().Get("state"), "idp-code").Page).Query().Get("code")
	for name, tc := range map[string]struct {
		code string
		with []string
		says string
	}{
		"another verifier":              {code, []string{"code_verifier", strings.Repeat("v", 43)}, "code_verifier does not belong"},
		"another client":                {code, []string{"client_id", "single", "redirect_uri", "https://single.example/cb?tenant=1"}, "issued to another client"},
		"another redirect URI":          {code, []string{"redirect_uri", "http://127.0.0.1:9/cb"}, "redirect_uri is not that"},
		"no redirect URI":               {code, []string{"redirect_uri", "-"}, "redirect_uri is not that"},
		"the IdP's own code":            {"idp-code", nil, "did not issue the code"},
		"the state in the code's place": {g.begin().Get("state"), nil, "did not issue the code"},
	} {
		_, _, err := g.open(tc.code, tc.with...)
		require.ErrorContains(t, err, tc.says, name)
		require.Equal(t, InvalidGrant, AsError(err).Code, name)
		require.NotContains(t, err.Error(), code)
	}
	for i := range code {
		altered := []byte(code)
		altered[i] ^= 1
		_, _, err := g.open(string(altered))
		require.Error(t, err, "altered at %d", i)
	}
	_, _, err := g.open("idp-code")
	require.ErrorIs(t, err, seal.ErrInvalid, "newer keys would not help")
	g.pass(DefaultCodeTimeout)
	_, _, err = g.open(code)
	require.ErrorContains(t, err, "the code is older than 1m0s")
}

// A code is for a redirect URI that is registered still.
func TestACodeWhoseRedirectURIIsRegisteredNoMore(t *testing.T) {
	g := newSealedGateway(t)
	state := g.begin("client_id", "single", "redirect_uri", "").Get("state")
	code := location(t, g.called(state, "idp-code").Page).Query().Get("code")
	g.Policy = newSealedGateway(t, func(c *Config) { c.Clients[1].RedirectURIs = []string{"https://single.example/new"} }).Policy
	_, _, err := g.open(code, "client_id", "single", "redirect_uri", "-")
	require.ErrorContains(t, err, "this gateway did not issue the code")
}

func TestARedirectURIThatIsRegisteredTwice(t *testing.T) {
	g := newSealedGateway(t, func(c *Config) {
		c.Clients[0].RedirectURIs = append(c.Clients[0].RedirectURIs, c.Clients[0].RedirectURIs[0])
	})
	require.NoError(t, g.called(g.begin().Get("state"), "idp-code").Err)
}

func TestACodeFromTheCallbackInThePlaceOfAState(t *testing.T) {
	g := newSealedGateway(t)
	code := location(t, g.called(g.begin().Get("state"), "idp-code").Page).Query().Get("code")
	_, err := g.Callback(g.s, CallbackRequest{Code: "idp-code", State: code})
	require.ErrorIs(t, err, seal.ErrInvalid)
}

func TestAStateThatDoesNotOpenKeepsTheBrowserHere(t *testing.T) {
	g := newSealedGateway(t)
	state := g.begin().Get("state")
	for name, tc := range map[string]struct {
		at    Sealing
		by    *Policy
		state string
	}{
		"none":                 {g.s, g.Policy, ""},
		"made up":              {g.s, g.Policy, "client-state"},
		"cut":                  {g.s, g.Policy, state[:len(state)-1]},
		"at another address":   {Sealing{g.s.Keys, g.now, "https://other.example/oauth/callback"}, g.Policy, state},
		"for another IdP":      {g.s, newSealedGateway(t, func(c *Config) { c.AuthURL = "https://other.example" }).Policy, state},
		"for another callback": {g.s, newSealedGateway(t, func(c *Config) { c.Callback.Path = "/cb" }).Policy, state},
		"the client is gone":   {g.s, newSealedGateway(t, func(c *Config) { c.Clients = c.Clients[1:] }).Policy, state},
		"its redirect URI is gone": {g.s, newSealedGateway(t, func(c *Config) {
			c.Clients[0].RedirectURIs = c.Clients[0].RedirectURIs[1:]
		}).Policy, state},
	} {
		_, err := tc.by.Callback(tc.at, CallbackRequest{Code: "c", State: tc.state})
		require.Equal(t, http.StatusBadRequest, AsError(err).Status, name)
		require.Equal(t, InvalidRequest, AsError(err).Code, name)
	}
}

func TestAnExpiredLoginIsToldToTheClient(t *testing.T) {
	g := newSealedGateway(t)
	state := g.begin().Get("state")
	g.pass(DefaultLoginTimeout - time.Second)
	require.NoError(t, g.called(state, "c").Err)
	g.pass(time.Second)
	response := g.called(state, "c")
	require.ErrorContains(t, response.Err, "longer than the 1h0m0s")
	to := location(t, response.Page).Query()
	require.Equal(t, "access_denied", to.Get("error"))
	require.Equal(t, "client-state", to.Get("state"))
	require.False(t, to.Has("code"))

	g.pass(seal.MaxAge)
	_, err := g.Callback(g.s, CallbackRequest{Code: "c", State: state})
	require.ErrorIs(t, err, seal.ErrInvalid)
}

func TestErrorsOfTheIdP(t *testing.T) {
	g := newSealedGateway(t)
	state := g.begin().Get("state")
	for name, tc := range map[string]struct {
		c                 CallbackRequest
		code, description string
	}{
		"meant for the user":       {CallbackRequest{Error: "access_denied", ErrorDescription: "verify your mail address"}, "access_denied", "verify your mail address"},
		"of the IdP's insides":     {CallbackRequest{Error: "server_error", ErrorDescription: "db-7 is down"}, "server_error", "the identity provider rejected the login"},
		"not registered":           {CallbackRequest{Error: "AADSTS50011", ErrorDescription: "x"}, "server_error", "the identity provider rejected the login"},
		"an error and a code":      {CallbackRequest{Error: "access_denied", Code: "c"}, "access_denied", "the identity provider rejected the login"},
		"neither":                  {CallbackRequest{}, "server_error", "the identity provider sent neither a code nor an error"},
		"a code with a space":      {CallbackRequest{Code: "a b"}, "server_error", "the identity provider sent neither a code nor an error"},
		"a code with a line break": {CallbackRequest{Code: "a\nb"}, "server_error", "the identity provider sent neither a code nor an error"},
	} {
		tc.c.State = state
		response, err := g.Callback(g.s, tc.c)
		require.NoError(t, err, name)
		to := location(t, response.Page).Query()
		require.Equal(t, url.Values{"error": {tc.code}, "error_description": {tc.description}, "state": {"client-state"}}, to, name)
	}
}

func TestTheIssuerIsCheckedWhereItIsKnown(t *testing.T) {
	g := newSealedGateway(t, func(c *Config) { c.Issuer = "https://idp.example/" })
	state := g.begin().Get("state")
	for issuer, code := range map[string]string{"": "", "https://idp.example/": "", "https://idp.example": "server_error", "https://evil.example/": "server_error"} {
		response, err := g.Callback(g.s, CallbackRequest{Code: "c", State: state, Issuer: issuer})
		require.NoError(t, err)
		require.Equal(t, code, location(t, response.Page).Query().Get("error"), issuer)
	}
	unknown := newSealedGateway(t)
	response, err := unknown.Callback(unknown.s, CallbackRequest{Code: "c", State: unknown.begin().Get("state"), Issuer: "https://idp.example/"})
	require.NoError(t, err)
	require.NoError(t, response.Err)
	require.Equal(t, "https://idp.example/", location(t, response.Page).Query().Get("iss"), "the client checks it")
}

func TestTheClientsResponseMode(t *testing.T) {
	g := newSealedGateway(t)
	call := func(with ...string) CallbackResponse { return g.called(g.begin(with...).Get("state"), "idp-code") }

	to := location(t, call("response_mode", "fragment").Page)
	fragment, err := url.ParseQuery(to.Fragment)
	require.NoError(t, err)
	require.Empty(t, to.RawQuery)
	require.Equal(t, "client-state", fragment.Get("state"))
	require.NotEmpty(t, fragment.Get("code"))

	post := call("response_mode", "form_post")
	require.Equal(t, http.StatusOK, post.Status)
	require.Contains(t, string(post.Body), `<form method="post" action="https://app.example/cb">`)
	require.Contains(t, string(post.Body), `name="state" value="client-state"`)
	require.Contains(t, post.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'")

	message := call("response_mode", "web_message", "state", "</script>")
	require.Contains(t, string(message.Body), `"https://app.example")`)
	require.Contains(t, message.Header.Get("Content-Security-Policy"), "frame-ancestors https://app.example")
	require.Equal(t, 1, strings.Count(string(message.Body), "</script>"))

	to = location(t, call("redirect_uri", "com.example.app:/cb").Page)
	require.Equal(t, "com.example.app", to.Scheme)
	for _, mode := range []string{"fragment", "form_post", "web_message"} {
		_, err := g.ParseAuthorize(url.Values{
			"response_type": {"code"}, "client_id": {"app"}, "redirect_uri": {"com.example.app:/cb"}, "response_mode": {mode},
			"code_challenge": {string(Verifier(testVerifier).S256())}, "code_challenge_method": {"S256"},
		}.Encode())
		require.ErrorContains(t, err, "response_mode must be query", mode)
	}
}

func TestTheIdPsResponseModeIsTheGateways(t *testing.T) {
	require.Equal(t, "query", newSealedGateway(t).begin("response_mode", "web_message").Get("response_mode"))
	require.False(t, newSealedGateway(t).begin().Has("response_mode"))
	auth0 := newSealedGateway(t, func(c *Config) { c.AuthURL = "https://tenant.eu.auth0.com" })
	require.Equal(t, "form_post", auth0.begin("response_mode", "query").Get("response_mode"))
	asked := newSealedGateway(t, func(c *Config) { c.Callback.Mode = FormPostMode })
	require.Equal(t, "form_post", asked.begin().Get("response_mode"))
}

func TestRedirectURIs(t *testing.T) {
	t.Run("any port on loopback", func(t *testing.T) {
		g := newSealedGateway(t)
		to := location(t, g.called(g.begin("redirect_uri", "http://127.0.0.1:54321/cb").Get("state"), "c").Page)
		require.Equal(t, "127.0.0.1:54321", to.Host)
		_, _, err := g.open(to.Query().Get("code"), "redirect_uri", "http://127.0.0.1:54321/cb")
		require.NoError(t, err)
		_, _, err = g.open(to.Query().Get("code"), "redirect_uri", "http://127.0.0.1:54322/cb")
		require.ErrorContains(t, err, "redirect_uri is not that")
	})
	t.Run("the only one, not named", func(t *testing.T) {
		g := newSealedGateway(t)
		to := location(t, g.called(g.begin("client_id", "single", "redirect_uri", "").Get("state"), "c").Page)
		require.Equal(t, "single.example", to.Host)
		require.Equal(t, "1", to.Query().Get("tenant"))
		_, _, err := g.open(to.Query().Get("code"), "client_id", "single", "redirect_uri", "-")
		require.NoError(t, err)
	})
	t.Run("no clients: loopback only", func(t *testing.T) {
		g := newSealedGateway(t, func(c *Config) { c.Clients = nil })
		to := location(t, g.called(g.begin("client_id", "any client", "redirect_uri", "http://localhost:3000/cb").Get("state"), "c").Page)
		require.Equal(t, "localhost:3000", to.Host)
		redemption, _, err := g.open(to.Query().Get("code"), "client_id", "any client", "redirect_uri", "http://localhost:3000/cb")
		require.NoError(t, err)
		require.NotNil(t, redemption)
		for _, uri := range []string{"https://app.example/cb", "com.example.app:/cb", ""} {
			q := url.Values{
				"response_type": {"code"}, "client_id": {"any"}, "code_challenge_method": {"S256"},
				"code_challenge": {string(Verifier(testVerifier).S256())},
			}
			if uri != "" {
				q.Set("redirect_uri", uri)
			}
			_, err := g.ParseAuthorize(q.Encode())
			require.ErrorContains(t, err, "redirect_uri must be registered", uri)
		}
	})
	t.Run("none of a login before there were clients", func(t *testing.T) {
		before := newSealedGateway(t, func(c *Config) { c.Clients = nil })
		state := before.begin("redirect_uri", "http://localhost:3000/cb").Get("state")
		after := newSealedGateway(t)
		_, err := after.Callback(after.s, CallbackRequest{Code: "c", State: state})
		require.Error(t, err)
	})
}

func TestTheKeyOfAClaimIsTheIdPsCode(t *testing.T) {
	g := newSealedGateway(t)
	key := func(code string) [32]byte {
		redemption, _, err := g.open(location(t, g.called(g.begin().Get("state"), code).Page).Query().Get("code"))
		require.NoError(t, err)
		return redemption.Key
	}
	require.Equal(t, key("a"), key("a"), "a callback that is loaded twice")
	require.NotEqual(t, key("a"), key("b"))
	require.Equal(t, time.Hour+time.Minute+2*time.Minute, g.ClaimTTL())
}

func TestIDTokens(t *testing.T) {
	idToken := func(claims string) string {
		return `{"access_token":"a","token_type":"Bearer","id_token":"e30.` + base64.RawURLEncoding.EncodeToString([]byte(claims)) + `.c2ln"}`
	}
	secret := func(c *Config) { c.Clients[0].IdPClient = &IdPClientConfig{ID: "gateway", Secret: "s"} }
	without := `{"access_token":"a","token_type":"Bearer"}`
	invents := func(c *Config) { c.AllowUnrequestedNonce = true }
	requires := func(c *Config) { c.RequireNonce = true }
	for name, tc := range map[string]struct {
		nonce, body string
		with        func(*Config)
		says        string
	}{
		"the login's":                               {nonce: "n", body: idToken(`{"aud":"app","nonce":"n"}`)},
		"another login's":                           {nonce: "n", body: idToken(`{"aud":"app","nonce":"m"}`), says: "has not the nonce"},
		"none, where the login had one":             {nonce: "n", body: idToken(`{"aud":"app"}`), says: "has not the nonce"},
		"empty, where the login had one":            {nonce: "n", body: idToken(`{"aud":"app","nonce":""}`), says: "has not the nonce"},
		"one, where the login had none":             {body: idToken(`{"aud":"app","nonce":"n"}`), says: "the login had none"},
		"none, where the login had none":            {body: idToken(`{"aud":"app"}`)},
		"one that the IdP invents":                  {body: idToken(`{"aud":"app","nonce":"n"}`), with: invents},
		"another's, though IdPs invent":             {nonce: "n", body: idToken(`{"aud":"app","nonce":"m"}`), with: invents, says: "has not the nonce"},
		"twice":                                     {nonce: "n", body: idToken(`{"aud":"app","nonce":"m","nonce":"n"}`), says: "can't be read"},
		"a number":                                  {nonce: "1", body: idToken(`{"aud":"app","nonce":1}`), says: "can't be read"},
		"several audiences":                         {nonce: "n", body: idToken(`{"aud":["https://api.example","app"],"nonce":"n"}`)},
		"another client's":                          {nonce: "n", body: idToken(`{"aud":"other","nonce":"n"}`), says: "another client's"},
		"several other clients'":                    {nonce: "n", body: idToken(`{"aud":["other","App"],"nonce":"n"}`), says: "another client's"},
		"nobody's":                                  {nonce: "n", body: idToken(`{"nonce":"n"}`), says: "another client's"},
		"the gateway's own at the IdP":              {nonce: "n", body: idToken(`{"aud":"gateway","nonce":"n"}`), with: secret},
		"the client's, which the IdP does not know": {nonce: "n", body: idToken(`{"aud":"app","nonce":"n"}`), with: secret, says: "audience is not gateway"},
		"an audience that is a number":              {nonce: "n", body: idToken(`{"aud":1,"nonce":"n"}`), says: "can't be read"},
		"no ID token":                               {nonce: "n", body: without},
		"no ID token, though required":              {nonce: "n", body: without, with: requires, says: "sent no ID token"},
		"encrypted":                                 {nonce: "n", body: `{"access_token":"a","token_type":"Bearer","id_token":"a.b.c.d.e"}`, says: "encrypted"},
		"empty, where the login had none":           {body: idToken(`{"aud":"app","nonce":""}`)},
		"not base64url":                             {nonce: "n", body: `{"access_token":"a","token_type":"Bearer","id_token":"a.!.c"}`, says: "not a JWT"},
		"not a JWT":                                 {nonce: "n", body: `{"access_token":"a","token_type":"Bearer","id_token":"a.b"}`, says: "not a JWT"},
		"not a string":                              {nonce: "n", body: `{"access_token":"a","token_type":"Bearer","id_token":{}}`, says: "not a string"},
		"null":                                      {nonce: "n", body: `{"access_token":"a","token_type":"Bearer","id_token":null}`},
		"a name that hides behind escapes":          {nonce: "n", body: strings.Replace(idToken(`{"aud":"app","nonce":"m"}`), "id_token", `id\u005ftoken`, 1), says: "has not the nonce"},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.with == nil {
				tc.with = func(*Config) {}
			}
			g := newSealedGateway(t, tc.with)
			redemption, _, err := g.open(location(t, g.called(g.begin("nonce", tc.nonce).Get("state"), "c").Page).Query().Get("code"))
			require.NoError(t, err)
			outcome, err := g.CheckTokenResponse(Response{Status: 200, Header: http.Header{}, Body: []byte(tc.body)}, redemption)
			if tc.says == "" {
				require.NoError(t, err)
				require.Equal(t, Granted, outcome)
				return
			}
			require.ErrorContains(t, err, tc.says)
			require.Equal(t, Unclear, outcome, "the code stays claimed")
			require.Equal(t, http.StatusBadGateway, AsError(err).Status)
			require.Equal(t, "OpenID Connect Core 1.0 section 3.1.3.7", AsError(err).Source)
		})
	}
	_, err := newSealedGateway(t, requires).ParseAuthorize(strings.ReplaceAll(newSealedGateway(t).begin("nonce", "").Encode(), "oauth%2Fcallback", "x"))
	require.Error(t, err)
}

func TestConfigurationsOfTheCallback(t *testing.T) {
	for name, tc := range map[string]struct {
		callback CallbackConfig
		says     string
	}{
		"the default":         {CallbackConfig{}, ""},
		"a path":              {CallbackConfig{Path: "/login/done"}, ""},
		"a URL":               {CallbackConfig{URL: "https://gateway.example/login/done"}, ""},
		"both":                {CallbackConfig{Path: "/done", URL: "https://gateway.example/login/done"}, ""},
		"a URL without TLS":   {CallbackConfig{URL: "http://gateway.example/cb"}, "must be https"},
		"an endpoint's path":  {CallbackConfig{Path: "/authorize"}, "is the authorize endpoint's path"},
		"a path to normalise": {CallbackConfig{Path: "/oauth//callback"}, "lower-case letters"},
		"an endless login":    {CallbackConfig{LoginTimeout: 25 * time.Hour}, "between 1m and 24h"},
		"an old code":         {CallbackConfig{CodeTimeout: time.Hour}, "between 1s and 10m"},
		"another mode":        {CallbackConfig{Mode: FragmentMode}, "use query or form_post"},
	} {
		_, err := NewPolicy(Config{AuthURL: "https://idp.example", Callback: &tc.callback})
		if tc.says == "" {
			require.NoError(t, err, name)
		} else {
			require.ErrorContains(t, err, tc.says, name)
		}
	}
	_, err := NewPolicy(Config{AuthURL: "https://idp.example", RequireNonce: true})
	require.ErrorContains(t, err, "need callback")
}

func TestTheCallbacksRoute(t *testing.T) {
	p := newSealedGateway(t).Policy
	for _, tc := range []struct {
		method, path string
		endpoint     Endpoint
		verdict      Verdict
	}{
		{"GET", "/oauth/callback", Callback, Match},
		{"POST", "/oauth/callback", Callback, Match},
		{"PUT", "/oauth/callback", Callback, WrongMethod},
		{"GET", "/oauth/Callback", Callback, PathConfusion},
		{"GET", "/oauth//callback", Callback, PathConfusion},
		{"GET", "/oauth/callback.html", Callback, PathConfusion},
		{"GET", "/index.php/oauth/callback", Callback, PathConfusion},
		{"GET", "/oauth/callbacks", NoEndpoint, PassThrough},
	} {
		endpoint, verdict := p.Route(tc.method, tc.path)
		require.Equal(t, tc.verdict, verdict, "%v", tc)
		require.Equal(t, tc.endpoint, endpoint, "%v", tc)
	}
	without, err := NewPolicy(Config{AuthURL: "https://idp.example"})
	require.NoError(t, err)
	_, verdict := without.Route("GET", "/oauth/callback")
	require.Equal(t, PassThrough, verdict)
}

func FuzzCallback(f *testing.F) {
	g := newSealedGateway(f)
	state := g.begin().Get("state")
	f.Add("GET", "code=c&state="+state, "")
	f.Add("POST", "", "code=c&state="+state+"&session_state=1")
	f.Add("GET", "error=access_denied&error_description=a%0ab&state="+state, "")
	f.Add("GET", "code=c&code=d&state=%00", "")
	header := formHeader()
	f.Fuzz(func(t *testing.T, method, query, body string) {
		c, err := ParseCallback(method, query, header, body)
		if err != nil {
			requireWellFormed(t, err)
			return
		}
		response, err := g.Callback(g.s, c)
		if err != nil {
			requireWellFormed(t, err)
			return
		}
		// Each fuzzing process seals seeds of its own with the same keys: what opens
		// has to be one of those logins.
		to := location(t, response.Page)
		if to.Scheme+"://"+to.Host+to.Path != "https://app.example/cb" || to.Query().Get("state") != "client-state" {
			t.Fatalf("went to %s", to)
		}
	})
}

func FuzzOpenCode(f *testing.F) {
	g := newSealedGateway(f)
	genuine := location(f, g.called(g.begin().Get("state"), "idp-code").Page).Query().Get("code")
	f.Add(genuine)
	f.Add(g.begin().Get("state"))
	f.Add("idp-code")
	f.Add("")
	f.Fuzz(func(t *testing.T, code string) {
		r := TokenRequest{ClientID: "app", Code: code, RedirectURI: "https://app.example/cb", Verifier: testVerifier}
		if redemption, err := g.OpenCode(g.s, &r); err == nil && redemption.login.code != "idp-code" {
			t.Fatalf("opened %q", code)
		} else if err != nil {
			requireWellFormed(t, err)
		}
	})
}

func TestAuthorizationResponsesOfIdPs(t *testing.T) {
	header := formHeader()
	for name, tc := range map[string]struct {
		method, query, body string
		header              http.Header
		want                CallbackRequest
		says                string
	}{
		"a code":             {method: "GET", query: "code=c&state=s&session_state=x", header: header, want: CallbackRequest{Code: "c", State: "s"}},
		"an issuer":          {method: "GET", query: "code=c&state=s&iss=https://idp.example", header: header, want: CallbackRequest{Code: "c", State: "s", Issuer: "https://idp.example"}},
		"an error":           {method: "GET", query: "error=access_denied&error_description=a+b&state=s", header: header, want: CallbackRequest{Error: "access_denied", ErrorDescription: "a b", State: "s"}},
		"posted":             {method: "POST", query: "code=ignored", body: "code=c&state=s", header: header, want: CallbackRequest{Code: "c", State: "s"}},
		"posted as JSON":     {method: "POST", body: "{}", header: http.Header{"Content-Type": {"application/json"}}, says: "application/x-www-form-urlencoded"},
		"two codes":          {method: "GET", query: "code=c&code=d", header: header, says: "the parameter code occurs more than once"},
		"two states":         {method: "GET", query: "state=c&state=c", header: header, says: "the parameter state occurs more than once"},
		"two of another one": {method: "GET", query: "code=c&x=1&x=2", header: header, want: CallbackRequest{Code: "c"}},
		"a semicolon":        {method: "GET", query: "code=c;state=s", header: header, says: "semicolon"},
	} {
		c, err := ParseCallback(tc.method, tc.query, tc.header, tc.body)
		if tc.says != "" {
			require.ErrorContains(t, err, tc.says, name)
			requireWellFormed(t, err)
			continue
		}
		require.NoError(t, err, name)
		require.Equal(t, tc.want, c, name)
	}
}

// RFC 9207 section 2.4: an IdP that always names itself does so.
func TestAnIdPThatLeavesOutItsName(t *testing.T) {
	g := newSealedGateway(t)
	m, err := discovery.Parse("https://idp.example", []byte(`{"issuer":"https://idp.example","authorization_response_iss_parameter_supported":true}`))
	require.NoError(t, err)
	g.Policy = g.WithMetadata(m)
	state := g.begin().Get("state")
	require.ErrorContains(t, g.called(state, "c").Err, "does not say which identity provider it is from")
	response, err := g.Callback(g.s, CallbackRequest{Code: "c", State: state, Issuer: "https://idp.example"})
	require.NoError(t, err)
	require.NoError(t, response.Err)
	require.Same(t, m, g.Metadata())
}

func TestErrorsOfTheIdPByTheirCodes(t *testing.T) {
	for code, want := range map[string]struct {
		code  Code
		words string
	}{
		"access_denied": {AccessDenied, "words"}, "interaction_required": {InteractionRequired, "words"}, "login_required": {LoginRequired, "words"},
		"consent_required": {ConsentRequired, "words"}, "account_selection_required": {AccountSelectionRequired, "words"},
		"invalid_request": {InvalidRequest, ""}, "unauthorized_client": {UnauthorizedClient, ""}, "unsupported_response_type": {UnsupportedResponseType, ""},
		"invalid_scope": {InvalidScope, ""}, "temporarily_unavailable": {TemporarilyUnavailable, ""},
		"server_error": {ServerError, ""}, "AADSTS50011": {ServerError, ""}, "invalid_client": {ServerError, ""},
	} {
		e := AsError(idpError(CallbackRequest{Error: code, ErrorDescription: "words"}))
		require.Equal(t, want.code, e.Code, code)
		require.Equal(t, want.words, e.Detail, code)
	}
}

func TestWhatALoginMustHave(t *testing.T) {
	g := newSealedGateway(t, func(c *Config) { c.RequireNonce = true })
	parse := func(with ...string) error {
		_, err := g.ParseAuthorize(query(append([]string{"nonce", "n"}, with...)...))
		return err
	}
	require.NoError(t, parse())
	require.ErrorContains(t, parse("nonce", ""), "nonce is missing or empty")
	require.NoError(t, parse("state", strings.Repeat("s", 2048)))
	require.ErrorContains(t, parse("state", strings.Repeat("s", 2049)), "state is longer than 2048 bytes")
	require.ErrorContains(t, parse("prompt", "login none"), "prompt none can't be combined")
	_, err := newSealedGateway(t, asking).ParseAuthorize(consentQuery("app", "https://app.example/cb", "prompt", "none"))
	require.Equal(t, ConsentRequired, AsError(err).Code)
	plain := testPolicy(t)
	_, err = plain.ParseAuthorize(query("state", strings.Repeat("s", 2049)))
	require.NoError(t, err, "without a callback it is not sealed")
}
