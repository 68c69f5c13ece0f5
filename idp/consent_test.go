package idp

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/cookie"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pages"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// asking has two clients that are one at the IdP, both of which need consent.
func asking(c *Config) {
	shared := &IdPClientConfig{ID: "gateway", Secret: "s"}
	c.Clients = []ClientConfig{
		{ID: "app", Name: `<b>"Ada's" App</b>`, Consent: true, RedirectURIs: []string{"https://app.example/cb"}, IdPClient: shared},
		{ID: "other", Consent: true, RedirectURIs: []string{"https://other.example/cb", "http://127.0.0.1/cb", "com.example.app:/cb"}, IdPClient: shared},
	}
}

// person is somebody's browser at the gateway.
type person struct {
	g      *sealedGateway
	cookie string
}

func (b *person) header() http.Header {
	header := formHeader()
	if b.cookie != "" {
		header.Set("Cookie", b.cookie)
	}
	return header
}

func consentQuery(clientID, redirectURI string, with ...string) string {
	all := []string{"client_id", clientID, "redirect_uri", redirectURI, "scope", "profile files:read", "state", "client-state"}
	return loginQuery(append(all, with...)...)
}

// open loads /authorize and returns the page.
func (b *person) open(query string) Response {
	b.g.t.Helper()
	r := must.Have(b.g.parseAuthorize(query))(b.g.t)
	require.True(b.g.t, r.needsConsent())
	page := must.Have(r.consentPage(b.g.Policy, b.g.s, query, b.header()))(b.g.t)
	require.Equal(b.g.t, http.StatusOK, page.Status)
	b.cookie, _, _ = strings.Cut(page.Header.Get("Set-Cookie"), ";")
	return page
}

var transactionField = regexp.MustCompile(`name="transaction" value="([^"]+)"`)

func transaction(t testing.TB, page Response) string {
	t.Helper()
	found := transactionField.FindSubmatch(page.Body)
	require.NotNil(t, found, "%s", page.Body)
	return string(found[1])
}

// parseConsent reads the form of a page and what the user said on it.
func (g *sealedGateway) parseConsent(s sealer, rawQuery string, header http.Header, body string) (consentAnswer, error) {
	page, err := g.openConsent(s, rawQuery, header, body)
	if err != nil {
		return consentAnswer{}, err
	}
	q, err := params.Parse(page.query, "query")
	if err != nil {
		return consentAnswer{}, err
	}
	return g.answer(s, page, g.registry.Find(q.Get("client_id")), &q)
}

// answer sends the form of a page that was read.
func (b *person) answer(transaction, decision string) (consentAnswer, error) {
	b.g.pass(pages.Pause)
	return b.g.parseConsent(b.g.s, "", b.header(), url.Values{"transaction": {transaction}, "decision": {decision}}.Encode())
}

// allow approves, and returns the state that the IdP gets.
func (b *person) allow(page Response) string {
	b.g.t.Helper()
	consent := must.Have(b.answer(transaction(b.g.t, page), "allow"))(b.g.t)
	require.False(b.g.t, consent.Request.needsConsent())
	require.True(b.g.t, consent.Approved)
	u := must.Have(url.Parse(consent.Request.authorizeURL(b.g.Policy, b.g.s)))(b.g.t)
	return u.Query().Get("state")
}

// callBack loads the callback.
func (b *person) callBack(state string) (callbackResponse, error) {
	return b.g.takeCallback(b.g.s, callbackRequest{Code: "idp-code", State: state, Browser: cookie.Of(b.g.s.Callback, b.header())})
}

func TestALoginThatTheUserApproves(t *testing.T) {
	g := newSealedGateway(t, asking)
	victim := &person{g: g}
	page := victim.open(consentQuery("other", "https://other.example/cb"))
	response := must.Have(victim.callBack(victim.allow(page)))(t)
	require.NoError(t, response.Err)
	to := location(t, response.Response)
	require.Equal(t, "other.example", to.Host)
	unasked := newSealedGateway(t, asking, func(c *Config) { c.Clients[1].Consent = false })
	upstream := unasked.begin("client_id", "other", "redirect_uri", "https://other.example/cb", "nonce", "", "scope", "profile files:read")
	plain := location(t, unasked.called(upstream.Get("state"), "idp-code").Response)
	require.Len(t, to.Query().Get("code"), len(plain.Query().Get("code")), "the client learns nothing of the browser")
}

// A client with one redirect URI need not name it, with a page or without.
func TestAnApprovedLoginWithoutARedirectURI(t *testing.T) {
	g := newSealedGateway(t, asking)
	b := &person{g: g}
	query := "response_type=code&client_id=app&code_challenge_method=S256&code_challenge=" + testChallenge
	response := must.Have(b.callBack(b.allow(b.open(query))))(t)
	code := location(t, response.Response).Query().Get("code")
	g.opened(code, "client_id", "app", "redirect_uri", "-")
	_, _, err := g.open(code, "client_id", "app", "redirect_uri", "https://app.example/cb")
	require.ErrorContains(t, err, "redirect_uri is not that of the authorization request", "RFC 6749 section 4.1.3")
}

func TestTheConsentPage(t *testing.T) {
	g := newSealedGateway(t, asking)
	script := must.Have(os.ReadFile("pages/consent.js"))(t)
	page := (&person{g: g}).open(consentQuery("app", "https://app.example/cb", "audience", "https://api.example/<x>", "scope", `profile <script> offline_access`))
	body := string(page.Body)
	for _, shown := range []string{"&lt;b&gt;&#34;Ada&#39;s&#34; App", "app.example", "idp.example", "your name", "&lt;script&gt;", "while you are away", "https://api.example/&lt;x&gt;"} {
		require.Contains(t, body, shown)
	}
	require.NotContains(t, strings.Replace(body, "<script>"+string(script)+"</script>", "", 1), "<script")
	csp := page.Header.Get("Content-Security-Policy")
	require.Contains(t, csp, "default-src 'none'")
	require.Contains(t, csp, "frame-ancestors 'none'")
	require.NotContains(t, csp, "unsafe")
	sum := sha256.Sum256(script)
	require.Contains(t, csp, "script-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"';")
	require.Contains(t, body, `data-pause="2000"`)
	require.Equal(t, "same-origin", page.Header.Get("Cross-Origin-Opener-Policy"))
	require.Contains(t, body, `class="primary">Allow`)
	require.Equal(t, "force-load-at-top", page.Header.Get("Document-Policy"))
	app := newSealedGateway(t, asking, func(c *Config) { c.Clients[0].Origins = []string{"https://app.example"} })
	inPopUp := (&person{g: app}).open(consentQuery("app", "https://app.example/cb"))
	require.Empty(t, inPopUp.Header.Get("Cross-Origin-Opener-Policy"), "the app's page waits for its pop-up")
	require.Contains(t, string(inPopUp.Body), `class="primary" disabled>Allow`, "a pop-up without scripts")
	require.Equal(t, "DENY", page.Header.Get("X-Frame-Options"))
	require.Equal(t, "same-origin", page.Header.Get("Referrer-Policy"), "with no-referrer the form's Origin is null")
	require.NotContains(t, body, "on this device")
	require.Contains(t, string((&person{g: g}).open(consentQuery("app", "https://app.example/cb", "resource", "https://mail.example")).Body), "https://mail.example")
	for _, name := range []string{"authorization_details", "claims", "include_granted_scopes", "user_scope", "optional_scope", "connection_scope"} {
		body := string((&person{g: g}).open(consentQuery("app", "https://app.example/cb", name, `[{"type":"payment"}]`)).Body)
		require.Contains(t, body, "<code>"+name+" [{&#34;type&#34;:&#34;payment&#34;}]</code>", "what it asks for besides scopes")
	}
	require.NotContains(t, body, "in addition")
	require.Equal(t, "no-store", page.Header.Get("Cache-Control"))
	cookie := page.Header.Get("Set-Cookie")
	for _, part := range []string{"__Host-Http-identity_gateway_browser=", "; Path=/", "; HttpOnly", "; Secure", "; SameSite=Lax", "; Max-Age=3600"} {
		require.Contains(t, cookie, part)
	}
	post := newSealedGateway(t, asking, func(c *Config) { c.AuthURL = "https://tenant.auth0.com" })
	require.Contains(t, (&person{g: post}).open(consentQuery("app", "https://app.example/cb")).Header.Get("Set-Cookie"), "SameSite=None")

	for redirectURI, shown := range map[string]string{
		"http://127.0.0.1:4711/cb": "a program on this computer, <code>127.0.0.1:4711", "com.example.app:/cb": "an app on this device, <code>com.example.app<",
	} {
		require.Contains(t, string((&person{g: g}).open(consentQuery("other", redirectURI)).Body), shown)
	}
}

func TestAUserWhoDenies(t *testing.T) {
	g := newSealedGateway(t, asking)
	victim := &person{g: g}
	consent := must.Have(victim.answer(transaction(t, victim.open(consentQuery("app", "https://app.example/cb"))), "deny"))(t)
	require.False(t, consent.Approved)
	denied, reason := consent.denied()
	require.Equal(t, oauth.AccessDenied, reason.Code, "for the log")
	to := must.Have(url.Parse(denied.Header.Get("Location")))(t)
	require.NotContains(t, to.Query(), "iss")
	named := newSealedGateway(t, asking, func(c *Config) { c.PublicURL = "https://gateway.example" })
	victim = &person{g: named}
	consent = must.Have(victim.answer(transaction(t, victim.open(consentQuery("app", "https://app.example/cb"))), "deny"))(t)
	page, _ := consent.denied()
	require.Contains(t, page.Header.Get("Location"), "iss=https%3A%2F%2Fgateway.example", "RFC 9207")
	require.Equal(t, "https://app.example/cb", to.Scheme+"://"+to.Host+to.Path)
	require.Equal(t, "access_denied", to.Query().Get("error"))
	require.Equal(t, "client-state", to.Query().Get("state"))
}

// TestAnApprovalIsItsBrowsersAndItsLoginsOnly is what FastMCP's OAuth proxy had to
// learn: its pull requests 3201, 3519 and 3960.
func TestAnApprovalIsItsBrowsersAndItsLoginsOnly(t *testing.T) {
	g := newSealedGateway(t, asking)
	query := consentQuery("other", "https://other.example/cb")
	attacker, victim, fresh := &person{g: g}, &person{g: g}, &person{g: g}
	theirs := victim.open(query) // the victim has been here before, and approved
	require.NotEmpty(t, victim.allow(theirs))

	own := attacker.open(query)
	approved := attacker.allow(own)
	for name, b := range map[string]*person{"who has been here": victim, "who has not": fresh} {
		_, err := b.callBack(approved)
		require.ErrorContains(t, err, "another browser", "3201: the attacker approves and sends the victim on, %s", name)
		require.Equal(t, http.StatusForbidden, oauth.AsError(err).Status)
		_, err = b.answer(transaction(t, own), "allow")
		require.ErrorContains(t, err, "not made for this browser", "3519: a page has the victim's browser send the attacker's form, %s", name)
	}
	request := must.Have(g.parseAuthorize(query))(t)
	require.True(t, request.needsConsent(), "3960: the victim is asked each time")

	u := must.Have(url.Parse(request.authorizeURL(g.Policy, g.s)))(t)
	_, err := victim.callBack(u.Query().Get("state"))
	require.ErrorContains(t, err, "nobody has approved", "a state that no page has led to")
	before := newSealedGateway(t, asking, func(c *Config) { c.Clients[1].Consent = false })
	u = must.Have(url.Parse(request.authorizeURL(before.Policy, g.s)))(t)
	_, err = victim.callBack(u.Query().Get("state"))
	require.ErrorContains(t, err, "registration here has changed", "one from before the option")

	_, err = g.parseAuthorize(consentQuery("other", "https://other.example/cb", "prompt", "none"))
	require.ErrorContains(t, err, "consent_required")
}

func TestAnAnswerThatIsNotThePagesOwn(t *testing.T) {
	g := newSealedGateway(t, asking)
	b := &person{g: g}
	form := transaction(t, b.open(consentQuery("app", "https://app.example/cb")))
	g.pass(pages.Pause)
	send := func(change func(http.Header), body string) error {
		header := b.header()
		change(header)
		_, err := g.parseConsent(g.s, "", header, body)
		return err
	}
	good := url.Values{"transaction": {form}, "decision": {"allow"}}.Encode()
	same := func(http.Header) {}
	require.NoError(t, send(same, good))
	fetched := func(site, mode, dest string) func(http.Header) {
		return func(h http.Header) {
			for name, value := range map[string]string{"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest} {
				if value != "" {
					h[name] = strings.Fields(value)
				}
			}
		}
	}
	require.NoError(t, send(fetched("same-origin", "navigate", "document"), good))
	require.NoError(t, send(fetched("same-origin", "navigate", "empty"), good), "a service worker that passes it on")
	for name, header := range map[string]func(http.Header){
		"another browser":          func(h http.Header) { h.Set("Cookie", b.cookie+"x") },
		"cross-site":               fetched("cross-site", "navigate", "document"),
		"another host of the site": fetched("same-site", "navigate", "document"),
		"typed in":                 fetched("none", "navigate", "document"),
		"fetch":                    fetched("same-origin", "cors", "empty"),
		"fetch without CORS":       fetched("same-origin", "no-cors", "empty"),
		"fetch of the same origin": fetched("same-origin", "same-origin", "empty"),
		"a frame":                  fetched("same-origin", "navigate", "iframe"),
		"nothing but the site":     fetched("same-origin", "", ""),
		"nothing but the mode":     fetched("", "navigate", ""),
		"nothing but the place":    fetched("", "", "document"),
		"no site":                  fetched("", "navigate", "document"),
		"no mode":                  fetched("same-origin", "", "document"),
		"no place":                 fetched("same-origin", "navigate", ""),
		"two sites":                fetched("same-origin same-origin", "navigate", "document"),
		"two modes":                fetched("same-origin", "navigate navigate", "document"),
		"two places":               fetched("same-origin", "navigate", "document document"),
	} {
		require.Equal(t, http.StatusForbidden, oauth.AsError(send(header, good)).Status, name)
	}
	require.ErrorIs(t, send(func(h http.Header) { h.Del("Cookie") }, good), seal.ErrInvalid, "the log says why")
	require.ErrorContains(t, send(same, good+"&x=%zz"), "percent")
	_, err := g.parseConsent(g.s, "decision=allow", b.header(), good)
	require.ErrorContains(t, err, "comes in the body")
	for name, err := range map[string]error{
		"a cookie before": send(func(h http.Header) { h.Set("Cookie", b.cookie+"x; "+b.cookie) }, good),
		"no cookie":       send(func(h http.Header) { h.Del("Cookie") }, good),
		"two cookies":     send(func(h http.Header) { h.Set("Cookie", b.cookie+"; "+b.cookie+"x") }, good),
		"another cookie":  send(func(h http.Header) { h.Set("Cookie", b.cookie+"x") }, good),
		"no decision":     send(same, url.Values{"transaction": {form}}.Encode()),
		"two decisions":   send(same, good+"&decision=deny"),
		"altered":         send(same, strings.Replace(good, "transaction=", "transaction=A", 1)),
		"a state instead": send(same, url.Values{"transaction": {newSealedGateway(t).begin().Get("state")}, "decision": {"allow"}}.Encode()),
	} {
		require.Error(t, err, name)
	}
	g.pass(DefaultLoginTimeout - pages.Pause - 1)
	require.NoError(t, send(same, good))
	g.pass(1)
	require.ErrorContains(t, send(same, good), "too old")
}

// The second click of a double click that began on another page.
func TestAnAnswerThatComesTooEarly(t *testing.T) {
	g := newSealedGateway(t, asking)
	b := &person{g: g}
	query := consentQuery("other", "https://other.example/cb", "login_hint", "ada@example.com")
	form := transaction(t, b.open(query))
	answer := func(after time.Duration, decision string) consentAnswer {
		t.Helper()
		later := g.s
		later.Now = later.Now.Add(after)
		return must.Have(g.parseConsent(later, "", b.header(), url.Values{"transaction": {form}, "decision": {decision}}.Encode()))(t)
	}
	for _, after := range []time.Duration{-time.Minute, 0, 250 * time.Millisecond, 1500 * time.Millisecond, pages.Pause - time.Millisecond} {
		consent := answer(after, "allow")
		require.False(t, consent.Approved, after)
		require.Equal(t, "../authorize?"+query, consent.Again, "the page, once more")
		require.True(t, consent.Request.needsConsent(), "nothing was approved")
		denied := answer(after, "deny")
		require.False(t, denied.Approved)
		require.Empty(t, denied.Again, "Deny is never too early")
	}
	consent := answer(pages.Pause, "allow")
	require.True(t, consent.Approved)
	require.Empty(t, consent.Again)
}

// Scripts of the same origin can't read the page, with what its form takes.
func TestThePageIsForWindowsAndTabs(t *testing.T) {
	g := newSealedGateway(t, asking)
	query := consentQuery("app", "https://app.example/cb")
	r := must.Have(g.parseAuthorize(query))(t)
	for sent, shown := range map[string]bool{
		"": true, "cross-site navigate document": true, "none navigate document": true, "same-origin navigate empty": true,
		"same-origin cors empty": false, "same-origin no-cors empty": false, "cross-site navigate iframe": false, "same-origin navigate object": false, "none": false,
	} {
		header := make(http.Header)
		for i, value := range strings.Fields(sent) {
			header.Set([]string{"Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-Dest"}[i], value)
		}
		page, err := r.consentPage(g.Policy, g.s, query, header)
		require.Equal(t, shown, err == nil, sent)
		if !shown {
			require.Equal(t, http.StatusForbidden, oauth.AsError(err).Status)
			require.Empty(t, page.Body)
		}
	}
}

func TestThePageListsWhateverIsPassedOn(t *testing.T) {
	g := newSealedGateway(t, asking)
	b := &person{g: g}
	body := html.UnescapeString(string(b.open(consentQuery("app", "https://app.example/cb", "login_hint", "ada\u202egpj.exe", "x-anything", "1", "nonce", "n-of-the-client")).Body))
	require.Contains(t, body, "<code>login_hint ada[U+202E]gpj.exe</code>")
	require.Contains(t, body, "<code>x-anything 1</code>")
	for _, name := range []string{"n-of-the-client", "code_challenge", "response_type"} {
		require.NotContains(t, body, name, "what every login has")
	}
	require.NotContains(t, body, "entries", "that is short")
	long := string(b.open(consentQuery("app", "https://app.example/cb", "scope", "a b c d", "audience", "https://api.example", "prompt", "login")).Body)
	require.Contains(t, long, "6 entries.")
	require.Contains(t, long, `role="region" tabindex="0" aria-label="What it may do: 6 entries"`)
	require.Less(t, strings.Index(long, "https://api.example"), strings.Index(long, "<code>a</code>"), "scopes do not bury it")
	require.NotContains(t, string(b.open(consentQuery("app", "https://app.example/cb", "scope", "a b c d")).Body), "entries")
	require.Contains(t, string(b.open(consentQuery("app", "https://app.example/cb", "scope", "a b c d e")).Body), "5 entries")

	require.NotContains(t, body, "know who you are")
	g.Policy = g.withMetadata(openIDProvider())
	require.Contains(t, string(b.open(consentQuery("app", "https://app.example/cb")).Body), "know who you are (<code>openid</code>)",
		"what the gateway adds is good for the user info")
}

func TestWhatIsNotSeenIsShown(t *testing.T) {
	g := newSealedGateway(t, asking, func(c *Config) { c.Clients[0].Name = "Ada\u202e" })
	require.Contains(t, html.UnescapeString(string((&person{g: g}).open(consentQuery("app", "https://app.example/cb")).Body)), "Allow <strong>Ada[U+202E]</strong>")
}

func TestTheBrowsersCookieStaysHere(t *testing.T) {
	const secure = "__Host-Http-identity_gateway_browser=b"
	to := make(http.Header)
	from := http.Header{"Cookie": {"a=1; " + secure}}
	upstream.CopyHeader(to, from, Authorize)
	require.Equal(t, []string{"a=1"}, to["Cookie"], "the IdP on a proxied front channel")
	require.Equal(t, []string{"a=1; " + secure}, from["Cookie"])
}

func TestSeveralPagesAtOnce(t *testing.T) {
	g := newSealedGateway(t, asking)
	b := &person{g: g}
	first := b.open(consentQuery("app", "https://app.example/cb"))
	second := b.open(consentQuery("other", "https://other.example/cb"))
	b.open(consentQuery("app", "https://app.example/cb"))   // a browser that loads it twice
	for _, page := range []Response{second, first, first} { // and answers twice
		_, err := b.callBack(b.allow(page))
		require.NoError(t, err)
	}
}

func TestAClientThatIsRemovedWhileItsPageIsOpen(t *testing.T) {
	g := newSealedGateway(t, asking)
	b := &person{g: g}
	form := transaction(t, b.open(consentQuery("other", "https://other.example/cb")))
	b.g = newSealedGateway(t, asking, func(c *Config) { c.Clients = c.Clients[:1] })
	_, err := b.answer(form, "allow")
	require.ErrorContains(t, err, "not registered")
}

func TestClientsThatShareARegistration(t *testing.T) {
	g := newSealedGateway(t, asking, func(c *Config) {
		c.Clients = append(c.Clients,
			ClientConfig{ID: "gateway", RedirectURIs: []string{"https://first.example/cb"}, IdPClient: c.Clients[0].IdPClient},
			ClientConfig{ID: "alone", RedirectURIs: []string{"https://alone.example/cb"}, IdPClient: &IdPClientConfig{ID: "alone-at-idp", Secret: "s"}},
		)
	})
	shared := g.registry.SharedRegistrations()
	require.Equal(t, []clients.SharedRegistration{{IdPClient: "gateway", ClientIDs: []string{"app", "gateway", "other"}}}, shared)
	require.Equal(t, []string{"gateway"}, g.registry.WithoutConsent(shared[0]))
	for clientID, refused := range map[string]bool{"app": true, "other": true, "gateway": false, "alone": false} {
		redirectURI := map[string]string{
			"app": "https://app.example/cb", "other": "https://other.example/cb", "gateway": "https://first.example/cb",
			"alone": "https://alone.example/cb",
		}[clientID]
		_, err := g.parseAuthorize(consentQuery(clientID, redirectURI, "scope", "openid profile"))
		require.Equal(t, refused, err != nil, clientID)
		_, err = g.parseToken("", formHeader(), refreshForm(clientID, "r", "scope", "profile"))
		require.NoError(t, err, clientID)
		_, err = g.parseToken("", formHeader(), refreshForm(clientID, "r", "scope", "profile openid"))
		require.Equal(t, refused, err != nil, clientID)
		if refused {
			require.Equal(t, oauth.InvalidScope, oauth.AsError(err).Code)
			require.ErrorContains(t, err, "give it its own idp_client")
		}
		body, err := g.sealBody(t.Context(), nil, g.s, &tokenRequest{Auth: clients.Auth{Party: g.registry.Find(clientID)}}, nil, []byte(`{"access_token":"a","token_type":"Bearer","id_token":"x.y.z"}`))
		require.NoError(t, err)
		require.Equal(t, refused, !strings.Contains(string(body), "id_token"), "an IdP that sends one unasked: %s", clientID)
		require.Contains(t, string(body), `"access_token":"a"`)
		odd, err := g.sealBody(t.Context(), nil, g.s, &tokenRequest{Auth: clients.Auth{Party: g.registry.Find(clientID)}}, nil, []byte(`{"access_token":"a","token_type":"Bearer","id_token":1}`))
		require.NoError(t, err)
		require.Equal(t, refused, !strings.Contains(string(odd), "id_token"), "whatever it is")
		without := `{"access_token":"a", "token_type":"Bearer"}`
		same := must.Have(g.sealBody(t.Context(), nil, g.s, &tokenRequest{Auth: clients.Auth{Party: g.registry.Find(clientID)}}, nil, []byte(without)))(t)
		require.Equal(t, without, string(same))
	}
}

func TestConsentInWords(t *testing.T) {
	g := newSealedGateway(t, asking)
	page := (&person{g: g}).open(consentQuery("app", "https://app.example/cb", "scope", "email address phone files:read", "audience", "https://a.example", "resource", "https://a.example"))
	for _, words := range []string{"see your email address", "see your postal address", "see your phone number", "files:read"} {
		require.Contains(t, string(page.Body), words)
	}
	require.Equal(t, 1, strings.Count(string(page.Body), "https://a.example"), "once is enough")

	_, err := g.parseConsent(g.s, "a=b", formHeader(), "")
	require.ErrorContains(t, err, "comes in the body")
	_, err = g.parseConsent(g.s, "", http.Header{}, "")
	require.ErrorContains(t, err, "application/x-www-form-urlencoded")
	for sent, kept := range map[string]bool{
		strings.Repeat("A", 26): true, strings.Repeat("A", 64): true, strings.Repeat("A", 25): false, strings.Repeat("A", 65): false, strings.Repeat("A", 25) + ".": false,
	} {
		r := must.Have(g.parseAuthorize(consentQuery("app", "https://app.example/cb")))(t)
		page := must.Have(r.consentPage(g.Policy, g.s, "", http.Header{"Cookie": {cookie.Name(g.s.Callback) + "=" + sent}}))(t)
		require.Equal(t, kept, strings.Contains(page.Header.Get("Set-Cookie"), "="+sent+";"), sent)
	}
}
