package idp

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pages"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// pushingHere has the clients push their requests.
func pushingHere(mode oauth.Mode) func(*Config) {
	return func(c *Config) {
		c.PublicURL = gatewayURL
		for i := range c.Clients {
			c.Clients[i].Push = mode
		}
	}
}

func pushForm(with ...string) string {
	return loginQuery(append([]string{"scope", "read", "resource", serverA}, with...)...)
}

// push is the request_uri of a request that was pushed.
func (a *agent) push(content string, header ...string) string {
	a.t.Helper()
	result := a.do("POST", "/oauth/par", content, header...)
	require.Equal(a.t, 201, result.Status, string(result.Body))
	require.Equal(a.t, "no-store", result.Header.Get("Cache-Control"))
	var pushed struct {
		RequestURI string `json:"request_uri"`
		ExpiresIn  int    `json:"expires_in"`
	}
	require.NoError(a.t, json.Unmarshal(result.Body, &pushed))
	require.Equal(a.t, 60, pushed.ExpiresIn)
	require.True(a.t, strings.HasPrefix(pushed.RequestURI, "urn:ietf:params:oauth:request_uri:"))
	return pushed.RequestURI
}

func pushedQuery(clientID, requestURI string, with ...string) string {
	return "/authorize?" + replaced(url.Values{"client_id": {clientID}, "request_uri": {requestURI}}, with)
}

// An attacker alters what passes through the browser. Without a pushed request that gets him
// what he wants; with one nobody reads or alters it.
func TestPushedRequests(t *testing.T) {
	open := newAgent(t, true)
	altered := open.do("GET", "/authorize?"+pushForm("scope", "read write", "state", "other"), "")
	require.Contains(t, altered.Header.Get("Location"), "write", "more than the client asked for")

	a := newAgent(t, true, pushingHere(oauth.Required))
	requestURI := a.push(pushForm())
	require.NotContains(t, requestURI, "app.example")
	begun := a.do("GET", pushedQuery("app", requestURI, "scope", "read write", "redirect_uri", "https://evil.example/cb", "state", "other", "prompt", "none"), "")
	require.Equal(t, 302, begun.Status, string(begun.Body))
	at := must.Have(url.Parse(begun.Header.Get("Location")))(t)
	require.NotContains(t, at.Query().Get("scope"), "write")
	require.Empty(t, at.Query().Get("prompt"))
	require.Empty(t, at.Query().Get("request_uri"))
	a.nonce = at.Query().Get("nonce")
	called := a.do("GET", "/oauth/callback?code=idp-code&state="+url.QueryEscape(at.Query().Get("state")), "")
	back := must.Have(url.Parse(called.Header.Get("Location")))(t)
	require.Equal(t, "app.example", back.Host)
	require.Equal(t, "s", back.Query().Get("state"))
	require.Equal(t, "read", a.answer(a.redeem(back.Query().Get("code"))).Scope)

	unpushed := a.do("GET", "/authorize?"+pushForm(), "")
	require.Equal(t, string(oauth.InvalidRequest), unpushed.Decision.Outcome, "downgraded to a request in the browser")
	require.Contains(t, unpushed.Header.Get("Location"), "error=invalid_request")
}

func TestRequestURIs(t *testing.T) {
	keys := make(map[string]*keySet)
	a := newAgent(t, true, withKey(keys), pushingHere(oauth.Optional))
	push := func(client string, with ...string) string {
		redirect := map[string]string{"app": "https://app.example/cb", "single": "https://single.example/cb?tenant=1"}[client]
		return asserted(pushForm(append([]string{"client_id", client, "redirect_uri", redirect}, with...)...), clientAssertion(a, keys[client].Key, client))
	}
	used := a.push(push("app"))
	require.Equal(t, 302, a.do("GET", pushedQuery("app", used), "").Status)
	require.Equal(t, 302, a.do("GET", "/authorize?"+pushForm(), "").Status, "optional")
	fresh, other := a.push(push("app")), a.push(push("single"))
	require.NotContains(t, fresh, "client_assertion")
	foreign := newAgent(t, true, withKey(make(map[string]*keySet)), pushingHere(oauth.Optional), func(c *Config) { c.Callback.Path = "/elsewhere" })
	elsewhere := foreign.sealed.codec.SealRequest(foreign.sealed.s.Keys, login.RequestURI{Until: foreign.sealed.now.Add(login.RequestLifetime)}, "client_id=app")
	a.sealed.pass(time.Second)
	for name, tt := range map[string]struct{ target, says string }{
		"twice":                     {pushedQuery("app", used), "used before"},
		"of another client":         {pushedQuery("app", other), "client_id is not that"},
		"without client_id":         {pushedQuery("", fresh), "client_id is not that"},
		"altered":                   {pushedQuery("app", fresh[:len(fresh)-20]+other[len(other)-20:]), "was altered"},
		"cut":                       {pushedQuery("app", login.RequestPrefix), "was altered"},
		"of another site":           {pushedQuery("app", elsewhere), "was altered"},
		"a code for one":            {pushedQuery("app", login.RequestPrefix+a.sealed.codec.SealAuthorized(a.sealed.s.Keys, &login.Authorized{Login: login.Login{ClientID: "app"}, Code: "client_id=app"})), "was altered"},
		"two":                       {pushedQuery("app", fresh) + "&request_uri=" + url.QueryEscape(other), "more than once"},
		"of the IdP, or of the web": {"/authorize?" + pushForm("request_uri", "https://evil.example/request.jwt"), "request_uri is not accepted"},
		"a request object":          {"/authorize?" + pushForm("request", "e30.e30."), "request is not accepted"},
	} {
		result := a.do("GET", tt.target, "")
		said := string(result.Body) + result.Header.Get("Location")
		require.NotEqual(t, string(Passed), result.Decision.Outcome, name)
		if unescaped, err := url.QueryUnescape(said); err == nil {
			said = unescaped
		}
		require.Contains(t, said, tt.says, name)
		require.NotContains(t, result.Header.Get("Location"), "idp.example", name)
	}
	require.Equal(t, 302, a.do("GET", pushedQuery("app", fresh), "").Status)
	late := a.push(push("app"))
	a.sealed.pass(login.RequestLifetime)
	require.Contains(t, string(a.do("GET", pushedQuery("app", late), "").Body), "older than")

	for name, content := range map[string]string{
		"nobody":                 pushForm(),
		"with the code's secret": pushForm() + "&client_secret=x",
		"another client's key":   asserted(pushForm(), clientAssertion(a, keys["single"].Key, "app")),
		"for another client":     asserted(pushForm("client_id", "single"), clientAssertion(a, keys["app"].Key, "app")),
	} {
		require.Equal(t, string(oauth.InvalidClient), a.do("POST", "/oauth/par", content).Decision.Outcome, name)
	}
	for name, with := range map[string][]string{
		"a request_uri":        {"request_uri", fresh},
		"a request object":     {"request", "e30.e30."},
		"no PKCE":              {"code_challenge", ""},
		"another redirect_uri": {"redirect_uri", "https://evil.example/cb"},
		"a scope of nobody's":  {"scope", "admin"},
		"openid without one":   {"scope", "openid", "redirect_uri", ""}, // OpenID Connect Core 1.0 section 3.1.2.1
		"much":                 {"login_hint", strings.Repeat("x", login.MaxRequest)},
	} {
		result := a.do("POST", "/oauth/par", push("app", with...))
		require.Equal(t, 400, result.Status, "%s: %s", name, result.Body)
	}
	require.Equal(t, 400, a.do("POST", "/oauth/par?client_id=app", push("app")).Status)
	require.Equal(t, 405, a.do("GET", "/oauth/par", "").Status)

	failing := a.push(push("app"))
	a.assertions = replay.NewOnce(failingStore{a.sealed.store}, 1, dpop.Remember, a.parts.Now)
	result := a.do("GET", pushedQuery("app", failing), "")
	require.Equal(t, ClaimFailed, result.Incidents[0].Kind)
}

// A public client authenticates by nothing. Its request_uri can be loaded again for a minute:
// anybody could push requests in its name, which must not fill the replay store.
func TestPushedRequestsOfPublicClients(t *testing.T) {
	a := newAgent(t, true, pushingHere(oauth.Required))
	a.refuses(a.do("POST", "/oauth/par", pushForm("redirect_uri", "")), oauth.InvalidRequest, "redirect_uri") // FAPI 2.0 section 5.3.2.2
	lenient := newAgent(t, true, pushingHere(oauth.Optional))
	single := pushForm("client_id", "single", "redirect_uri", "")
	require.Equal(t, 201, lenient.do("POST", "/oauth/par", single).Status, "RFC 6749 section 4.1.1: optional")
	a.refuses(a.do("POST", "/oauth/par", single), oauth.InvalidRequest, "redirect_uri")
	apps := newAgent(t, true, withoutResources, pushingHere(oauth.Optional), func(c *Config) { c.Clients[1].IdPClient.ID = "single" })
	for _, a := range []*agent{apps, lenient} { // whose client gets an ID token, or none: OpenID Connect Core 1.0 section 3.1.2.1
		a.refuses(a.do("POST", "/oauth/par", loginQuery("client_id", "single", "redirect_uri", "", "scope", "openid")), oauth.InvalidRequest, "redirect_uri")
	}
	before, requestURI := a.sealed.store.Len(), a.push(pushForm())
	for range 2 {
		require.Equal(t, 302, a.do("GET", pushedQuery("app", requestURI), "").Status)
	}
	require.Equal(t, before, a.sealed.store.Len())
}

// RFC 9449 section 10.1: the proof of a pushed request says which key the code is bound to.
func TestKeysOfPushedRequests(t *testing.T) {
	key, other := dpoptest.NewKey(), dpoptest.NewKey()
	a := newAgent(t, true, pushingHere(oauth.Required), proving(oauth.Optional))
	proof := func(key *dpoptest.Key) string {
		return key.Proof("POST", gatewayURL+"/oauth/par", a.sealed.now, "", a.dpopNonce())
	}
	for _, with := range [][]string{nil, {"dpop_jkt", key.Thumbprint()}} {
		begun := a.do("GET", pushedQuery("app", a.push(pushForm(with...), "DPoP", proof(key))), "")
		at := must.Have(url.Parse(begun.Header.Get("Location")))(t)
		pending := must.Have(a.sealed.codec.OpenPending(a.sealed.s.Keys, a.sealed.s.Callback, at.Query().Get("state")))(t)
		require.Equal(t, key.Thumbprint(), pending.Key.String())
	}
	a.requireRejected(a.do("POST", "/oauth/par", pushForm("dpop_jkt", key.Thumbprint()), "DPoP", proof(other)), oauth.InvalidDPoPProof, "another key")
	a.requireRejected(a.do("POST", "/oauth/par", pushForm(), "DPoP", key.Proof("POST", tokenURL, a.sealed.now, "", a.dpopNonce())), oauth.InvalidDPoPProof, "htu")
	off := newAgent(t, true, pushingHere(oauth.Required))
	off.requireRejected(off.do("POST", "/oauth/par", pushForm(), "DPoP", proof(key)), oauth.InvalidRequest, "DPoP is not supported")
}

func TestWherePushedRequestsAreTaken(t *testing.T) {
	off := newAgent(t, true, func(c *Config) { c.PublicURL = gatewayURL })
	require.Nil(t, off.do("POST", "/oauth/par", pushForm()))
	one := newAgent(t, true, pushingHere(oauth.Optional), func(c *Config) { c.Clients[0].Push = oauth.Off })
	one.requireRejected(one.do("POST", "/oauth/par", pushForm()), oauth.UnauthorizedClient, "no par")
	requireMistakes(t, map[string]func(*Config){
		"par on is unknown": pushingHere("on"), "par of a client needs callback": func(c *Config) { pushingHere(oauth.Required)(c); c.Callback = nil },
	})
}

// Users approve what was pushed, not what is beside it.
func TestConsentToAPushedRequest(t *testing.T) {
	s := newServed(t, asking, pushingHere(oauth.Required))
	a := &agent{served: s}
	page := s.do("GET", pushedQuery("app", a.push(loginQuery("scope", "profile files:read")), "scope", "everything"), "", "Accept", "text/html")
	require.Equal(t, 200, page.Status, string(page.Body))
	require.Contains(t, string(page.Body), "files:read")
	require.NotContains(t, string(page.Body), "everything")
	cookie, _, _ := strings.Cut(page.Header.Get("Set-Cookie"), ";")
	s.sealed.pass(pages.Pause)
	allow := url.Values{"transaction": {transaction(t, page.Response)}, "decision": {"allow"}}
	allowed := s.do("POST", "/oauth/consent", allow.Encode(), "Accept", "text/html", "Cookie", cookie)
	require.Equal(t, 303, allowed.Status, string(allowed.Body))
	require.Contains(t, allowed.Header.Get("Location"), "files%3Aread")
}

// Whatever is sent for a request_uri, only what was pushed reaches the IdP.
func FuzzRequestURI(f *testing.F) {
	a := newAgent(f, true, pushingHere(oauth.Required))
	good := a.push(pushForm())
	for _, seed := range []string{good, good + "A", login.RequestPrefix, "", "https://evil.example", good[:80]} {
		f.Add(seed, "app")
	}
	f.Fuzz(func(t *testing.T, requestURI, clientID string) {
		result := a.do("GET", "/authorize?"+url.Values{"client_id": {clientID}, "request_uri": {requestURI}}.Encode(), "")
		if !strings.HasPrefix(result.Header.Get("Location"), "https://idp.example") {
			return
		}
		// Each process of the fuzzer has pushed one, with the same keys.
		_, query, err := a.sealed.codec.OpenRequest(a.sealed.s.Keys, strings.TrimPrefix(requestURI, login.RequestPrefix))
		if err != nil || !strings.HasPrefix(query, "client_id=app&") || clientID != "app" {
			t.Fatal("a request that was not pushed")
		}
	})
}

// The browser is led to the request once more, without the request in it: from a consent page
// that was answered too early, and after a login that can't be silent. Nobody else is, and not
// for longer.
func TestAPushedRequestOnceMore(t *testing.T) {
	keys := make(map[string]*keySet)
	push := func(a *agent, with ...string) string {
		return a.push(asserted(pushForm(append(with, "login_hint", "ada@example.com")...), clientAssertion(a, keys["app"].Key, "app")))
	}
	consents := func(c *Config) { c.Clients[0].Consent = true }
	a := newAgent(t, true, withKey(keys), pushingHere(oauth.Required), consents)
	answer := func(page Response, cookie string) string {
		form := url.Values{"transaction": {transaction(t, page)}, "decision": {"allow"}}
		answered := a.do("POST", "/oauth/consent", form.Encode(), "Cookie", cookie)
		require.Equal(t, 303, answered.Status)
		return strings.TrimPrefix(answered.Header.Get("Location"), "..")
	}
	stored := a.sealed.store.Len()
	used := pushedQuery("app", push(a))
	page, cookie, _ := a.reload(used)
	claims := a.sealed.store.Len() - stored
	require.Contains(t, string(a.do("GET", used, "", "Cookie", cookie).Body), "used before")
	for range 5 {
		at := answer(page.Response, cookie)
		require.NotContains(t, at, "login_hint")
		for whose, header := range map[string][]string{"nobody's": nil, "another browser's": {"Cookie", cookie + "x"}, "both": {"Cookie", cookie + "; " + cookie + "x"}} {
			other := a.do("GET", at, "", header...)
			require.Contains(t, string(other.Body), "request_uri is for another browser", whose)
		}
		page = a.do("GET", at, "", "Cookie", cookie)
		require.Equal(t, 200, page.Status, page.Header.Get("Location"))
	}
	require.Equal(t, stored+claims, a.sealed.store.Len(), "and no user fills the replay store")
	last := answer(page.Response, cookie)
	a.sealed.pass(pages.Pause)
	require.Contains(t, answer(page.Response, cookie), "https://idp.example/authorize?")
	a.sealed.pass(login.RequestLifetime - pages.Pause - 1)
	last = answer(a.do("GET", last, "", "Cookie", cookie).Response, cookie)
	a.sealed.pass(1)
	late := a.do("GET", last, "", "Cookie", cookie)
	require.Contains(t, string(late.Body), "request_uri is older than 1m0s; go back to the app and log in again", "a minute after it was pushed")
	require.Equal(t, oauth.InvalidRequestURI, late.Decision.Refusal.Code)

	silent := newAgent(t, true, withKey(keys), pushingHere(oauth.Required))
	visit := func(target string) (*authorizeRequest, *Result) {
		f := authorizeFlow{flow: silent.flowOf(target)}
		_, err := f.read()
		require.NoError(t, err)
		return &f.request, silent.do("GET", target, "")
	}
	requestURI := push(silent, "prompt", "none")
	silent.sealed.pass(20 * time.Second)
	request, first := visit(pushedQuery("app", requestURI))
	require.Equal(t, 302, first.Status)
	again := strings.TrimPrefix(request.ownAuthorizeURL(silent.sealed.Policy, silent.sealed.s, gatewayURL), gatewayURL)
	require.NotContains(t, again, "login_hint")
	request, second := visit(again)
	require.Contains(t, second.Header.Get("Location"), "https://idp.example/authorize?")
	for _, target := range []string{again, strings.TrimPrefix(request.ownAuthorizeURL(silent.sealed.Policy, silent.sealed.s, gatewayURL), gatewayURL)} {
		require.Contains(t, silent.do("GET", target, "").Header.Get("Location"), "used%20before", "one push, and no chain of logins")
	}
	request, _ = visit(pushedQuery("app", push(silent, "prompt", "none")))
	again = strings.TrimPrefix(request.ownAuthorizeURL(silent.sealed.Policy, silent.sealed.s, gatewayURL), gatewayURL)
	silent.sealed.pass(login.RequestLifetime)
	require.Contains(t, string(silent.do("GET", again, "").Body), "older than", "a minute after it was pushed")
}

// reload opens a pushed request, whose page the browser gets by an address and with a cookie of its
// own.
func (a *agent) reload(pushed string, header ...string) (page *Result, cookie, at string) {
	a.t.Helper()
	first := a.do("GET", pushed, "", header...)
	require.Equal(a.t, 302, first.Status, string(first.Body))
	at = first.Header.Get("Location")
	require.True(a.t, strings.HasPrefix(at, "authorize?client_id=app&request_uri="), at)
	cookie, _, _ = strings.Cut(first.Header.Get("Set-Cookie"), ";")
	return a.do("GET", "/"+at, "", "Cookie", cookie), cookie, "/" + at
}

// RFC 9126 section 4: a request_uri is used once, and users reload pages. What they reload works in
// their browser alone, so that nobody who sees the request_uri while they log in is faster with it.
func TestAPageOfAPushedRequestIsReloaded(t *testing.T) {
	for name, with := range map[string]func(*Config){
		"the consent page":                      func(c *Config) { c.Clients[0].Consent = true },
		"the IdP's, as a page of the gateway's": func(c *Config) { c.FrontChannel = ProxyFrontChannel },
	} {
		t.Run(name, func(t *testing.T) {
			keys := make(map[string]*keySet)
			a := newAgent(t, true, withKey(keys), pushingHere(oauth.Required), with)
			push := func() string {
				return a.push(asserted(pushForm(), clientAssertion(a, keys["app"].Key, "app")))
			}
			pushed := pushedQuery("app", push())
			page, cookie, at := a.reload(pushed)
			shown := func(r *Result) bool { return r.Decision.Refusal == nil && r.Status != 302 }
			require.True(t, shown(page), "%+v", page.Decision)
			require.True(t, shown(a.do("GET", at, "", "Cookie", cookie)), "reloaded")
			for whose, header := range map[string][]string{"nobody's": nil, "his": {"Cookie", cookie + "x"}} {
				require.Equal(t, oauth.InvalidRequestURI, a.do("GET", at, "", header...).Decision.Refusal.Code, whose)
				require.Equal(t, oauth.InvalidRequestURI, a.do("GET", pushed, "", header...).Decision.Refusal.Code, whose)
			}
			require.Equal(t, oauth.InvalidRequestURI, a.do("GET", pushed, "", "Cookie", cookie).Decision.Refusal.Code, "one push, one use")
			_, again, second := a.reload(pushedQuery("app", push()), "Cookie", cookie)
			require.Equal(t, cookie, again, "two tabs of one browser")
			require.True(t, shown(a.do("GET", at, "", "Cookie", cookie)))
			a.sealed.pass(login.RequestLifetime)
			require.Contains(t, string(a.do("GET", second, "", "Cookie", cookie).Body), "older than")
		})
	}
}

// A plain request is no secret, and gets no minute of its own.
func TestAPlainRequestOnceMore(t *testing.T) {
	a := newAgent(t, true, pushingHere(oauth.Optional), func(c *Config) { c.Clients[0].Consent = true })
	page := a.do("GET", "/authorize?"+pushForm(), "")
	cookie, _, _ := strings.Cut(page.Header.Get("Set-Cookie"), ";")
	early := a.do("POST", "/oauth/consent", url.Values{"transaction": {transaction(t, page.Response)}, "decision": {"allow"}}.Encode(), "Cookie", cookie)
	require.Equal(t, "../authorize?"+pushForm(), early.Header.Get("Location"))
}

// RFC 9449 section 11.1, for clients whose requests nobody else can push.
func TestAProofOfAPushedRequestIsUsedOnce(t *testing.T) {
	key, keys := dpoptest.NewKey(), make(map[string]*keySet)
	a := newAgent(t, true, withKey(keys), pushingHere(oauth.Required), proving(oauth.Optional))
	push := func(proof string, with ...string) *Result {
		return a.do("POST", "/oauth/par", asserted(pushForm(with...), clientAssertion(a, keys["app"].Key, "app")), "DPoP", proof)
	}
	proof := key.Proof("POST", gatewayURL+"/oauth/par", a.sealed.now, "", a.dpopNonce())
	require.Equal(t, 400, push(proof, "scope", "admin").Status, "a request that is rejected uses none")
	require.Equal(t, 201, push(proof).Status)
	for range 2 {
		a.requireRejected(push(proof), oauth.InvalidDPoPProof, "used before")
	}
	require.Equal(t, 201, push(key.Proof("POST", gatewayURL+"/oauth/par", a.sealed.now, "", a.dpopNonce())).Status)
}

func (a *agent) flowOf(target string) *flow {
	return &flow{gateway: a.Gateway, policy: a.Policy(), r: a.request("GET", target, "")}
}

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
	r := must.Have(p.parseAuthorize(query(with...)))(t)
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
			push := must.Have(r.preparePush(g.Policy, g.s, g.now, "https://gateway.example", false))(t)
			form := must.Have(url.ParseQuery(string(push.Call.Body)))(t)
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
			u := must.Have(url.Parse(r.authorizeURL(g.Policy, g.s)))(t)
			require.Equal(t, want, u.Query(), "nothing else is in the browser (RFC 9126 section 4)")
			q := must.Have(url.ParseQuery(r.authorizeQuery(g.Policy, g.s)))(t)
			require.Equal(t, want, q)

			to := location(t, g.called(form.Get("state"), "idp-code").Response)
			require.Equal(t, "xyz", to.Query().Get("state"), "the login that was pushed comes back")
		})
	}
}

// What the IdP says of a push is what the client gets, and what the operator has to know is an incident.
func TestARequestIsPushedThroughTheGateway(t *testing.T) {
	s := newServed(t, pushing)
	silently := "/authorize?prompt=none&" + authorizeOpenly
	var state string
	s.respond(func(r *http.Request) (*http.Response, error) {
		if r.URL.Path == "/oauth/par" {
			state = s.sent[len(s.sent)-1].form.Get("state")
			return idpResponse(201, `{"request_uri":"`+pushedURI+`"}`), nil
		}
		response := idpResponse(302, "")
		response.Header.Set("Location", "https://gateway.example/oauth/callback?code=idp-code&state="+url.QueryEscape(state))
		return response, nil
	})
	require.Equal(t, url.Values{"client_id": {"gateway"}, "request_uri": {pushedURI}}, sentOn(t, s.do("GET", "/authorize?"+authorizeOpenly, "")))
	result := s.do("GET", silently, "", "Accept", "application/x-www-form-urlencoded")
	require.Equal(t, "s", must.Have(url.ParseQuery(string(result.Body)))(t).Get("state"), string(result.Body))

	fails := func(code oauth.Code) (incidents []Incident) {
		t.Helper()
		require.Equal(t, string(code), sentOn(t, s.do("GET", "/authorize?"+authorizeOpenly, "")).Get("error"))
		result := s.do("GET", silently, "", "Accept", "application/json")
		require.Contains(t, string(result.Body), string(code))
		return result.Incidents
	}
	s.respond(func(*http.Request) (*http.Response, error) { return idpResponse(400, `{"error":"invalid_scope"}`), nil })
	fails(oauth.InvalidScope)
	s.respond(func(*http.Request) (*http.Response, error) { return nil, http.ErrServerClosed })
	fails(oauth.ServerError)
	s.Policy().registry.Find("app").Client.Credentials = &clients.Credentials{ClientID: "gateway", Method: AuthPrivateKeyJWT, Signer: brokenSigner{}}
	require.Equal(t, NotSigned, fails(oauth.ServerError)[0].Kind)
	none := newServed(t, pushing, func(c *Config) { c.Endpoints, c.Discover = nil, true })
	none.metadata.now = openIDProvider()
	none.metadata.now.AuthorizationEndpoint = &url.URL{Scheme: "https", Host: "idp.example", Path: "/authorize"}
	require.Equal(t, "server_error", sentOn(t, none.do("GET", "/authorize?"+authorizeOpenly, "")).Get("error"), "it has no such endpoint")
}

func TestAPushedRequestWithoutACallback(t *testing.T) {
	p := testPolicy(t, func(c *Config) { registered(c); pushing(c) }, oauthRules)
	r := pushableRequest(t, p)
	push := must.Have(r.preparePush(p, sealer{}, time.Now(), "https://gateway.example", false))(t)
	form := must.Have(url.ParseQuery(string(push.Call.Body)))(t)
	require.Equal(t, "https://app.example/cb", form.Get("redirect_uri"))
	require.Equal(t, "xyz", form.Get("state"))
}

func TestAWalkOfAPushedRequest(t *testing.T) {
	g := newSealedGateway(t, pushing, func(c *Config) { c.Clients[0].Scopes = []string{"read"} })
	g.Policy = g.withMetadata(&discovery.Metadata{ResponseModes: []string{"form_post"}})
	g.Policy = g.withMetadata(openIDProvider())
	r := pushableRequest(t, g.Policy, "prompt", "none", "response_mode", "fragment", "scope", "read", "nonce", "n")
	push := must.Have(r.preparePush(g.Policy, g.s, g.now, "https://gateway.example", true))(t)
	form := must.Have(url.ParseQuery(string(push.Call.Body)))(t)
	require.Equal(t, "query", form.Get("response_mode"), "the gateway reads the response itself")
	require.Equal(t, "read openid", form.Get("scope"))
	require.NoError(t, push.take(r, Response{Status: 200, Body: []byte(`{"request_uri":"` + pushedURI + `"}`)}))
	w := r.newSilentLogin(g.Policy, g.s)
	require.Equal(t, url.Values{"client_id": {"gateway"}, "request_uri": {pushedURI}}, w.url().Query())
	result := must.Have(w.next(302, http.Header{"Location": {"https://gateway.example/oauth/callback?code=c&state=" + url.QueryEscape(form.Get("state"))}}))(t)
	require.Equal(t, "xyz", result.State)

	// What was pushed can be used once, so that a browser begins at the gateway.
	_, err := w.next(200, http.Header{})
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
		status     int
		body, says string
		header     http.Header
		code       oauth.Code
	}{
		"no request_uri":           {status: 201, body: `{"expires_in":60}`, code: oauth.ServerError, says: "no request_uri"},
		"an empty one":             {status: 201, body: `{"request_uri":""}`, code: oauth.ServerError, says: "no request_uri"},
		"one that is a number":     {status: 201, body: `{"request_uri":7}`, code: oauth.ServerError, says: "no request_uri"},
		"one that is no URI":       {status: 201, body: `{"request_uri":"abc"}`, code: oauth.ServerError, says: "no request_uri"},
		"one with a space":         {status: 201, body: `{"request_uri":"urn:a b"}`, code: oauth.ServerError, says: "no request_uri"},
		"as long as can be":        {status: 201, body: `{"request_uri":"urn:` + strings.Repeat("a", 1020) + `"}`},
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
		push := must.Have(r.preparePush(g.Policy, g.s, g.now, "https://gateway.example", false))(t)
		err := push.take(r, Response{Status: tc.status, Header: tc.header, Body: []byte(tc.body)})
		if !requireError(t, err, tc.says, name) {
			continue
		}
		require.Equal(t, tc.code, oauth.AsError(err).Code, name)
		require.Contains(t, oauth.AsError(err).Source, "RFC 9", name)
		require.NotContains(t, err.Error(), "insides", name)
		requireWellFormed(t, err)
		page, ok := r.redirectError(oauth.AsError(err))
		require.True(t, ok, name)
		require.Contains(t, page.Header.Get("Location"), "https://app.example/cb?error="+string(tc.code)+"&", name)
	}
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
		par            PARMode
		members        string
		with           func(*Config)
		want, canNever bool
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
			g := newSealedGateway(t, pushing, func(c *Config) { c.PAR, c.Endpoints, c.Discover = tc.par, nil, true }, tc.with)
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
	requireMistakes(t, map[string]func(*Config){
		"par sometimes is unknown":                   func(c *Config) { c.PAR = "sometimes" },
		"endpoint par needs client blocks":           func(c *Config) { c.Clients = nil },
		"endpoint par: client app has no idp_client": func(c *Config) { c.Clients[0].IdPClient = nil },
		"set discover, or endpoint par":              func(c *Config) { c.Endpoints = nil },
		"endpoint par: x is not absolute":            func(c *Config) { c.Endpoints[PushedRequest] = "x" },
	}, pushing)
}
