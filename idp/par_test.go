package idp

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

const pushedURI = "urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c"

// pushing is a gateway that pushes requests.
func pushing(c *Config) {
	c.PAR = PAROn
	c.Endpoints = map[Endpoint]string{PushedRequest: "/oauth/par"}
	for i := range c.Clients {
		c.Clients[i].IdPClient = &IdPClientConfig{ID: "gateway", Secret: "s3cret"}
	}
	c.Clients = c.Clients[:1]
}

func pushableRequest(t *testing.T, p *Policy, with ...string) *authorizeRequest {
	t.Helper()
	r, err := p.parseAuthorize(query(with...))
	require.NoError(t, err)
	return &r
}

func TestAPushedRequest(t *testing.T) {
	for name, with := range map[string]func(*Config){
		"client_secret_basic": func(*Config) {},
		"client_secret_post":  func(c *Config) { c.Clients[0].IdPClient.AuthMethod = AuthSecretPost },
	} {
		t.Run(name, func(t *testing.T) {
			g := newSealedGateway(t, pushing, with)
			g.Policy = g.withMetadata(&discovery.Metadata{ResponseModes: []string{"form_post"}}) // as of an IdP that supports it
			r := pushableRequest(t, g.Policy, "acr_values", "strong", "prompt", "login", "nonce", "n")
			require.True(t, r.pushesToIdP(g.Policy))
			require.NoError(t, g.idp.CheckPush())
			push, err := r.preparePush(g.Policy, g.s, g.now, "https://gateway.example", false)
			require.NoError(t, err)
			form, err := url.ParseQuery(string(push.Call.Body))
			require.NoError(t, err)
			require.Equal(t, "gateway", form.Get("client_id"), "RFC 9126 section 2.1 requires it, however the client authenticates")
			require.Equal(t, "https://gateway.example/oauth/callback", form.Get("redirect_uri"))
			require.Equal(t, "strong", form.Get("acr_values"))
			require.Equal(t, "login", form.Get("prompt"))
			require.Equal(t, "n", form.Get("nonce"))
			require.Equal(t, "form_post", form.Get("response_mode"))
			require.Equal(t, name == "client_secret_post", form.Get("client_secret") == "s3cret")
			require.NotContains(t, form, "client_assertion")
			require.Equal(t, name == "client_secret_basic", push.Call.Authorization == "Basic Z2F0ZXdheTpzM2NyZXQ=")

			require.NoError(t, push.take(r, Response{Status: 201, Body: []byte(`{"request_uri":"` + pushedURI + `","expires_in":60}`)}))
			want := url.Values{"client_id": {"gateway"}, "request_uri": {pushedURI}}
			u, err := url.Parse(r.authorizeURL(g.Policy, g.s))
			require.NoError(t, err)
			require.Equal(t, want, u.Query(), "nothing else is in the browser (RFC 9126 section 4)")
			q, err := url.ParseQuery(r.authorizeQuery(g.Policy, g.s))
			require.NoError(t, err)
			require.Equal(t, want, q)

			to := location(t, g.called(form.Get("state"), "idp-code").Response)
			require.Equal(t, "xyz", to.Query().Get("state"), "the login that was pushed comes back")
		})
	}
}

func TestAPushedRequestWithoutACallback(t *testing.T) {
	p := testPolicy(t, func(c *Config) { registered(c); pushing(c) }, oauthRules)
	r := pushableRequest(t, p)
	push, err := r.preparePush(p, sealer{}, time.Now(), "https://gateway.example", false)
	require.NoError(t, err)
	form, err := url.ParseQuery(string(push.Call.Body))
	require.NoError(t, err)
	require.Equal(t, "https://app.example/cb", form.Get("redirect_uri"))
	require.Equal(t, "xyz", form.Get("state"))
}

func TestAWalkOfAPushedRequest(t *testing.T) {
	g := newSealedGateway(t, pushing, func(c *Config) { c.Clients[0].Scopes = []string{"read"} })
	g.Policy = g.withMetadata(&discovery.Metadata{ResponseModes: []string{"form_post"}})
	g.Policy = g.withMetadata(openIDProvider())
	r := pushableRequest(t, g.Policy, "prompt", "none", "response_mode", "fragment", "scope", "read", "nonce", "n")
	push, err := r.preparePush(g.Policy, g.s, g.now, "https://gateway.example", true)
	require.NoError(t, err)
	form, err := url.ParseQuery(string(push.Call.Body))
	require.NoError(t, err)
	require.Equal(t, "query", form.Get("response_mode"), "the gateway reads the response itself")
	require.Equal(t, "read openid", form.Get("scope"))
	require.NoError(t, push.take(r, Response{Status: 200, Body: []byte(`{"request_uri":"` + pushedURI + `"}`)}))
	w := r.newSilentLogin(g.Policy, g.s)
	require.Equal(t, url.Values{"client_id": {"gateway"}, "request_uri": {pushedURI}}, w.url().Query())
	result, err := w.next(302, http.Header{"Location": {"https://gateway.example/oauth/callback?code=c&state=" + url.QueryEscape(form.Get("state"))}})
	require.NoError(t, err)
	require.Equal(t, "xyz", result.State)

	// What was pushed can be used once, so that a browser begins at the gateway.
	_, err = w.next(200, http.Header{})
	page, parseErr := url.Parse(oauth.AsError(err).URI)
	require.NoError(t, parseErr)
	require.Equal(t, "https://gateway.example/authorize", page.Scheme+"://"+page.Host+page.Path)
	require.Equal(t, "app", page.Query().Get("client_id"))
	require.Equal(t, "https://app.example/cb", page.Query().Get("redirect_uri"))
	require.Equal(t, "xyz", page.Query().Get("state"))
	require.Equal(t, "fragment", page.Query().Get("response_mode"))
	require.False(t, page.Query().Has("prompt"))
	require.Equal(t, "read", page.Query().Get("scope"), "what the gateway adds, it adds there")
	require.Equal(t, []string{"n"}, page.Query()["nonce"])
	_, err = g.parseAuthorize(page.RawQuery)
	require.NoError(t, err)
	one := newSealedGateway(t, pushing, func(c *Config) { c.Clients[0].RedirectURIs = c.Clients[0].RedirectURIs[:1] })
	page, err = url.Parse(pushableRequest(t, one.Policy, "prompt", "login", "redirect_uri", "-").ownAuthorizeURL(one.Policy, one.s, "https://gateway.example"))
	require.NoError(t, err)
	require.Equal(t, "login", page.Query().Get("prompt"))
	require.False(t, page.Query().Has("redirect_uri"), "the client did not send one")
}

func TestResponsesToAPush(t *testing.T) {
	g := newSealedGateway(t, pushing)
	for name, tc := range map[string]struct {
		status int
		body   string
		header http.Header
		code   oauth.Code
		says   string
	}{
		"no request_uri":           {status: 201, body: `{"expires_in":60}`, code: oauth.ServerError, says: "no request_uri"},
		"an empty one":             {status: 201, body: `{"request_uri":""}`, code: oauth.ServerError, says: "no request_uri"},
		"one that is a number":     {status: 201, body: `{"request_uri":7}`, code: oauth.ServerError, says: "no request_uri"},
		"one that is no URI":       {status: 201, body: `{"request_uri":"abc"}`, code: oauth.ServerError, says: "no request_uri"},
		"one with a space":         {status: 201, body: `{"request_uri":"urn:a b"}`, code: oauth.ServerError, says: "no request_uri"},
		"one that is too long":     {status: 201, body: `{"request_uri":"urn:` + strings.Repeat("a", 1021) + `"}`, code: oauth.ServerError, says: "no request_uri"},
		"two":                      {status: 201, body: `{"request_uri":"urn:a","request_uri":"urn:b"}`, code: oauth.ServerError, says: "no request_uri"},
		"not JSON":                 {status: 201, body: `request_uri=urn:a`, code: oauth.ServerError, says: "no request_uri"},
		"compressed":               {status: 201, body: `{}`, header: http.Header{"Content-Encoding": {"gzip"}}, code: oauth.ServerError, says: "compressed"},
		"no content":               {status: 204, code: oauth.ServerError, says: "none of RFC 9126"},
		"a redirect":               {status: 399, body: `{"error":"invalid_scope"}`, code: oauth.ServerError, says: "none of RFC 9126"},
		"a page":                   {status: 404, body: "<html>", code: oauth.ServerError, says: "none of RFC 9126"},
		"a failure":                {status: 500, body: `{"error":"invalid_scope"}`, code: oauth.ServerError, says: "none of RFC 9126"},
		"a scope that is unknown":  {status: 400, body: `{"error":"invalid_scope","error_description":"secret insides"}`, code: oauth.InvalidScope, says: "rejected the pushed"},
		"it with another status":   {status: 499, body: `{"error":"invalid_scope"}`, code: oauth.InvalidScope, says: "rejected the pushed"},
		"the target":               {status: 400, body: `{"error":"invalid_target"}`, code: oauth.InvalidTarget, says: "rejected the pushed"},
		"the request":              {status: 400, body: `{"error":"invalid_request"}`, code: oauth.InvalidRequest, says: "rejected the pushed"},
		"the client":               {status: 400, body: `{"error":"unauthorized_client"}`, code: oauth.UnauthorizedClient, says: "rejected the pushed"},
		"the response_type":        {status: 400, body: `{"error":"unsupported_response_type"}`, code: oauth.UnsupportedResponseType, says: "rejected the pushed"},
		"access":                   {status: 400, body: `{"error":"access_denied"}`, code: oauth.AccessDenied, says: "rejected the pushed"},
		"for now":                  {status: 400, body: `{"error":"temporarily_unavailable"}`, code: oauth.TemporarilyUnavailable, says: "rejected the pushed"},
		"a code that is not OAuth": {status: 400, body: `{"error":"AADSTS1"}`, code: oauth.ServerError, says: "rejected the pushed"},
		"the secret is wrong":      {status: 401, body: `{"error":"invalid_client"}`, code: oauth.ServerError, says: "idp_client"},
		"busy":                     {status: 429, header: http.Header{"Retry-After": {"7"}}, code: oauth.TemporarilyUnavailable, says: "busy"},
		"unavailable":              {status: 503, code: oauth.TemporarilyUnavailable, says: "busy"},
	} {
		r := pushableRequest(t, g.Policy)
		push, err := r.preparePush(g.Policy, g.s, g.now, "https://gateway.example", false)
		require.NoError(t, err)
		err = push.take(r, Response{Status: tc.status, Header: tc.header, Body: []byte(tc.body)})
		require.ErrorContains(t, err, tc.says, name)
		require.Equal(t, tc.code, oauth.AsError(err).Code, name)
		require.Contains(t, oauth.AsError(err).Source, "RFC 9", name)
		require.NotContains(t, err.Error(), "insides", name)
		requireWellFormed(t, err)
		page, ok := r.redirectError(oauth.AsError(err))
		require.True(t, ok, name)
		require.Contains(t, page.Header.Get("Location"), "https://app.example/cb?error="+string(tc.code)+"&", name)
	}
}

func TestTheLongestRequestURI(t *testing.T) {
	g := newSealedGateway(t, pushing)
	r := pushableRequest(t, g.Policy)
	push, err := r.preparePush(g.Policy, g.s, g.now, "https://gateway.example", false)
	require.NoError(t, err)
	require.NoError(t, push.take(r, Response{Status: 201, Body: []byte(`{"request_uri":"urn:` + strings.Repeat("a", 1020) + `"}`)}))
}

func TestWhichRequestsArePushed(t *testing.T) {
	document := func(members string) *discovery.Metadata {
		m, err := discovery.Parse("https://idp.example", []byte(`{"issuer":"https://idp.example","authorization_endpoint":"https://idp.example/a","token_endpoint":"https://idp.example/t"`+members+`}`))
		require.NoError(t, err)
		return m
	}
	const offers, requires = `,"pushed_authorization_request_endpoint":"https://idp.example/par"`, `,"require_pushed_authorization_requests":true`
	public := func(c *Config) { c.Clients[0].IdPClient = nil }
	for name, tc := range map[string]struct {
		par      PARMode
		members  string
		with     func(*Config)
		want     bool
		canNever bool
	}{
		"the IdP does not":                         {},
		"the IdP offers it":                        {members: offers},
		"the IdP requires it":                      {members: offers + requires, want: true},
		"the IdP requires it, of a public client":  {members: offers + requires, with: public},
		"the IdP requires it and names no address": {members: requires},
		"on":                           {par: PAROn, members: offers, want: true},
		"on, and the IdP does not":     {par: PAROn, want: true, canNever: true},
		"off, and the IdP requires it": {par: PAROff, members: offers + requires},
	} {
		t.Run(name, func(t *testing.T) {
			g := newSealedGateway(t, pushing, func(c *Config) {
				c.PAR, c.Endpoints, c.Discover = tc.par, nil, true
				if tc.with != nil {
					tc.with(c)
				}
			})
			before := pushableRequest(t, g.Policy)
			require.Equal(t, tc.par == PAROn, before.pushesToIdP(g.Policy), "before anything is known")
			if tc.par == PAROn {
				require.Equal(t, 503, oauth.AsError(g.idp.CheckPush()).Status)
			}
			p := g.withMetadata(document(tc.members))
			require.Equal(t, tc.want, pushableRequest(t, p).pushesToIdP(p))
			if tc.canNever {
				require.ErrorContains(t, p.idp.CheckPush(), "pushed_authorization_request_endpoint")
				require.Equal(t, 501, oauth.AsError(p.idp.CheckPush()).Status)
			} else if tc.want {
				require.NoError(t, p.idp.CheckPush())
			}
		})
	}
	p := testPolicy(t)
	require.False(t, pushableRequest(t, p).pushesToIdP(p), "no clients are registered")
}

func TestWhatPARNeedsIsNamed(t *testing.T) {
	for says, change := range map[string]func(*Config){
		"par sometimes is unknown":                   func(c *Config) { c.PAR = "sometimes" },
		"endpoint par needs client blocks":           func(c *Config) { c.Clients = nil },
		"endpoint par: client app has no idp_client": func(c *Config) { c.Clients[0].IdPClient = nil },
		"set discover, or endpoint par":              func(c *Config) { c.Endpoints = nil },
		"endpoint par: x is not absolute":            func(c *Config) { c.Endpoints[PushedRequest] = "x" },
	} {
		config := Config{AuthURL: "https://idp.example", Clients: []ClientConfig{{ID: "app", RedirectURIs: []string{"https://app.example/cb"}}}}
		pushing(&config)
		change(&config)
		_, err := NewPolicy(config)
		require.ErrorContains(t, err, says)
	}
}
