package idp

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pages"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
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
	q := url.Values{
		"response_type": {"code"}, "client_id": {"app"}, "redirect_uri": {"https://app.example/cb"}, "state": {"s"}, "scope": {"read"},
		"code_challenge": {string(pkce.Verifier(testVerifier).S256())}, "code_challenge_method": {"S256"}, "resource": {serverA},
	}
	return replaced(q, with)
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
	at, err := url.Parse(begun.Header.Get("Location"))
	require.NoError(t, err)
	require.NotContains(t, at.Query().Get("scope"), "write")
	require.Empty(t, at.Query().Get("prompt"))
	require.Empty(t, at.Query().Get("request_uri"))
	a.nonce = at.Query().Get("nonce")
	called := a.do("GET", "/oauth/callback?code=idp-code&state="+url.QueryEscape(at.Query().Get("state")), "")
	back, err := url.Parse(called.Header.Get("Location"))
	require.NoError(t, err)
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
	require.Equal(t, 201, lenient.do("POST", "/oauth/par", pushForm("client_id", "single", "redirect_uri", "")).Status, "RFC 6749 section 4.1.1: optional")
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
		at, err := url.Parse(begun.Header.Get("Location"))
		require.NoError(t, err)
		pending, err := a.sealed.codec.OpenPending(a.sealed.s.Keys, a.sealed.s.Callback, at.Query().Get("state"))
		require.NoError(t, err)
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
	for mode, says := range map[oauth.Mode]string{
		oauth.Optional: `"pushed_authorization_request_endpoint":"https://login.example.com/oauth/par"`,
		oauth.Required: `"require_pushed_authorization_requests":true`,
	} {
		document, err := newSealedGateway(t, withOwnTokens, pushingHere(mode)).serverMetadata(oauthMetadata)
		require.NoError(t, err)
		require.Contains(t, string(document), says)
		require.Equal(t, mode == oauth.Required, strings.Contains(string(document), "require_pushed"))
	}
	for says, change := range map[string]func(*Config){
		"par on is unknown": pushingHere("on"), "par of a client needs callback": func(c *Config) { pushingHere(oauth.Required)(c); c.Callback = nil },
	} {
		config := Config{AuthURL: "https://idp.example", Callback: &CallbackConfig{}, Clients: []ClientConfig{{ID: "app", RedirectURIs: []string{"https://app.example/cb"}}}}
		change(&config)
		_, err := NewPolicy(config)
		require.ErrorContains(t, err, says)
	}
}

// Users approve what was pushed, not what is beside it.
func TestConsentToAPushedRequest(t *testing.T) {
	s := newServed(t, asking, pushingHere(oauth.Required))
	a := &agent{served: s}
	content := url.Values{
		"response_type": {"code"}, "client_id": {"app"}, "redirect_uri": {"https://app.example/cb"}, "scope": {"profile files:read"},
		"code_challenge": {string(pkce.Verifier(testVerifier).S256())}, "code_challenge_method": {"S256"}, "state": {"s"},
	}
	page := s.do("GET", pushedQuery("app", a.push(content.Encode()), "scope", "everything"), "", "Accept", "text/html")
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
