package idp

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// sealedConsent is the purpose of the request that a consent page asks about.
const sealedConsent seal.Purpose = "consent"

// The page is shown before the IdP is asked, each time. What binds the approval to
// its login and its browser travels sealed, as everything of a login does:
//
//   - The page's form holds the authorization request, sealed for the browser's
//     cookie. A form that was made for another browser opens nothing, so that no
//     other page can have the victim's browser approve.
//   - state then holds the approved request and a hash of the cookie. The callback
//     takes it from that browser only, so that nobody approves in his own browser
//     and sends the victim on.

// browserHash is the first half of the SHA-256 of a browser's cookie; zero for none.
type browserHash [16]byte

func hashBrowser(browser string) browserHash {
	sum := sha256.Sum256([]byte("browser\x00" + browser))
	return browserHash(sum[:])
}

// browserCookie is the name of the cookie that tells browsers apart. No other host,
// and nobody on the way, can set one that begins with __Host-.
func browserCookie(s Sealing) string {
	if strings.HasPrefix(s.Callback, "https://") {
		return "__Host-identity_gateway_browser"
	}
	return "identity_gateway_browser"
}

// Browser is the browser's cookie in a request's header, "" if it has none, or
// several.
func (p *Policy) Browser(s Sealing, header http.Header) string {
	found := ""
	for _, cookie := range (&http.Request{Header: header}).CookiesNamed(browserCookie(s)) {
		if found != "" {
			return ""
		}
		found = cookie.Value
	}
	return found
}

func (p *Policy) newBrowserCookie(s Sealing, browser string) string {
	cookie := http.Cookie{ //nolint:gosec // Secure wherever the callback is https; http is for loopback only
		Name: browserCookie(s), Value: browser, Path: "/", HttpOnly: true,
		MaxAge: int(p.callback.loginTimeout / time.Second), SameSite: http.SameSiteLaxMode,
	}
	if strings.HasPrefix(s.Callback, "https://") {
		cookie.Secure = true
		if p.callback.mode == FormPostMode { // the IdP's page posts to the callback
			cookie.SameSite = http.SameSiteNoneMode
		}
	}
	return cookie.String()
}

// NeedsConsent reports that the user has to approve a request on the gateway's own
// page before the IdP is asked.
func (p *Policy) NeedsConsent(r *AuthorizeRequest) bool {
	return p.requiresConsent(r.ClientID) && r.browser == ""
}

func (p *Policy) requiresConsent(clientID string) bool {
	c := p.clients[clientID]
	return c != nil && c.consent
}

// consentView is what the page shows.
type consentView struct {
	Name, IdP, Target string
	// OnDevice: the target is an app on the user's own device.
	OnDevice    bool
	Scopes      []scopeView
	Audiences   []string
	More        []moreView // whatever else is asked for
	Transaction string
	Nonce       string
}

type scopeView struct{ Name, Meaning string }

type moreView struct{ Name, Value string }

// scopeMeaning says in words what a scope of OpenID Connect Core 1.0 (sections 3.1.2.1,
// 5.4 and 11) asks for, "" for any other one.
func scopeMeaning(scope string) string {
	switch scope {
	case "openid":
		return "know who you are"
	case "profile":
		return "see your name, picture and other basic information"
	case "email":
		return "see your email address"
	case "address":
		return "see your postal address"
	case "phone":
		return "see your phone number"
	case "offline_access":
		return "keep this access while you are away"
	}
	return ""
}

// ConsentPage asks the user about an authorization request with this raw query.
// browser is the cookie that came with it.
func (p *Policy) ConsentPage(s Sealing, r *AuthorizeRequest, rawQuery, browser string) Page {
	if !base64URL.holds(browser) || len(browser) < 26 || len(browser) > 64 {
		browser = rand.Text()
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(s.Now.Add(p.callback.loginTimeout).Unix()))
	view := consentView{
		Name: cmp.Or(p.clients[r.ClientID].name, r.ClientID), IdP: p.authURL.Hostname(), Nonce: rand.Text(),
		Transaction: string(s.Keys.Seal(nil, sealedConsent, p.consentContext(s, browser), append(b, rawQuery...))),
	}
	view.Target, view.OnDevice = describeTarget(r.RedirectURI)
	for _, param := range r.forwarded {
		switch param.name {
		case "scope":
			for name := range strings.FieldsSeq(param.value) {
				view.Scopes = append(view.Scopes, scopeView{name, scopeMeaning(name)})
			}
		case "audience", "resource":
			if !slices.Contains(view.Audiences, param.value) {
				view.Audiences = append(view.Audiences, param.value)
			}
		default:
			if asksForMore(param.name) {
				view.More = append(view.More, moreView{param.name, param.value})
			}
		}
	}
	// There is no form-action: browsers hold it against the redirects that follow,
	// which lead to the IdP and wherever that sends people.
	page := newPage(http.StatusOK, "default-src 'none'; style-src 'nonce-"+view.Nonce+"'; base-uri 'none'; frame-ancestors 'none'")
	page.Header.Set("X-Frame-Options", "DENY")
	page.Header.Set("Referrer-Policy", "same-origin") // with no-referrer a form's Origin is null
	page.Header.Set("Set-Cookie", p.newBrowserCookie(s, browser))
	page.render("consent.html", view)
	return page
}

// consentContext binds a page to the browser that it was made for.
func (p *Policy) consentContext(s Sealing, browser string) string {
	return p.siteContext() + s.Callback + "\x00" + browser
}

// describeTarget says in words where a redirect URI leads.
func describeTarget(redirectURI string) (target string, onDevice bool) {
	u, err := url.Parse(redirectURI)
	switch {
	case err != nil:
		return redirectURI, false
	case isLoopbackRedirect(redirectURI):
		return u.Host, true
	case isPrivateScheme(redirectURI):
		return u.Scheme, true
	}
	return u.Host, false
}

// Consent is a user's answer.
type Consent struct {
	// Request is what was asked about, approved if Approved.
	Request  AuthorizeRequest
	Approved bool
}

// ParseConsent reads the form of a consent page: its raw query, header and body. The
// request in it is checked once more, as the configuration is now. An error stays at
// the gateway. [seal.ErrUnknownKey] is in the chain of one that newer keys may open.
func (p *Policy) ParseConsent(s Sealing, rawQuery string, header http.Header, body string) (Consent, error) {
	if rawQuery != "" {
		return Consent{}, reject(InvalidRequest, "RFC 6749 section 3.1", "the answer to the consent page comes in the body")
	}
	if err := checkFormHeader(header); err != nil {
		return Consent{}, err
	}
	if site := header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" {
		e := reject(AccessDenied, "RFC 9700 section 4.7", "the answer does not come from the gateway's own page; go back to the app and start again")
		e.Status = http.StatusForbidden
		return Consent{}, e
	}
	f, err := parseParams(body, "body")
	if err == nil {
		err = f.rejectRepeated()
	}
	if err != nil {
		return Consent{}, err
	}
	browser := p.Browser(s, header)
	b, err := s.Keys.Open(sealedConsent, p.consentContext(s, browser), f.get("transaction"))
	if err != nil || browser == "" || len(b) < 4 {
		e := reject(AccessDenied, "RFC 9700 section 4.7",
			"this page was not made for this browser, or its cookie is missing; allow cookies, go back to the app and start again")
		e.Status, e.cause = http.StatusForbidden, err
		return Consent{}, e
	}
	if !s.Now.Before(time.Unix(int64(binary.BigEndian.Uint32(b)), 0)) {
		return Consent{}, reject(AccessDenied, "RFC 6749 section 4.1.2.1", "this page is too old; go back to the app and start again")
	}
	request, err := p.ParseAuthorize(string(b[4:]))
	if err != nil {
		return Consent{}, err
	}
	switch f.get("decision") {
	case "allow":
		request.browser = browser
		return Consent{request, true}, nil
	case "deny":
		return Consent{request, false}, nil
	}
	return Consent{}, reject(InvalidRequest, "RFC 6749 section 4.1.1", "decision must be allow or deny")
}

// Denied is the response to the client whose user said no (RFC 6749 section 4.1.2.1).
func (c *Consent) Denied() (Page, *Error) {
	r, e := &c.Request, reject(AccessDenied, "RFC 6749 section 4.1.2.1", "the user did not allow it")
	response := authorizationResponse{redirectURI: r.RedirectURI, mode: r.ResponseMode}
	response.addError(e)
	response.add("state", r.State)
	response.add("iss", r.issuer)
	return response.page(http.StatusSeeOther), e
}

// consentRequired rejects a request that would need a page, which it forbids.
func consentRequired() *Error {
	return reject(ConsentRequired, "OpenID Connect Core 1.0 section 3.1.2.6",
		"the user has to consent on the gateway's own page; open the request in a browser, without prompt=none")
}

// checkConsent holds a login that came back to the browser that approved it.
func (p *Policy) checkConsent(l *pendingLogin, browser string) error {
	if l.browser == (browserHash{}) {
		if !p.requiresConsent(l.ClientID) {
			return nil
		}
		return reject(AccessDenied, "RFC 9700 section 4.7", "nobody has approved this login at the gateway; go back to the app and start again")
	}
	got := hashBrowser(browser)
	if browser == "" || subtle.ConstantTimeCompare(got[:], l.browser[:]) != 1 {
		e := reject(AccessDenied, "RFC 9700 section 4.7",
			"this login was approved in another browser, or the cookie is missing that says so; go back to the app and start again, and do not open links that others send")
		e.Status = http.StatusForbidden
		return e
	}
	return nil
}
