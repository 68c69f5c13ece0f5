package idp

import (
	"cmp"
	"crypto/rand"
	"crypto/subtle"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/cookie"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pages"
)

// The page is shown before the IdP is asked, each time. What binds the approval to
// its login and its browser travels sealed, as everything of a login does:
//
//   - The page's form holds the authorization request, sealed for the browser's
//     cookie. A form that was made for another browser opens nothing, so that no
//     other page can have the victim's browser approve.
//   - state then holds the approved request and a hash of the cookie. The callback
//     takes it from that browser only, so that nobody approves in his own browser
//     and sends the victim on.
//
// What makes sure that it is the user who answers, and has seen the page:
//
//   - Browsers load the page, and send its form, for windows and tabs only, so that
//     scripts of the same origin can't ([checkNavigation]).
//   - The page can't be framed, and is alone in its group of windows, unless the
//     client is a browser app, whose page may wait for the pop-up.
//   - Allow can be chosen when the page has been in front and still for [pages.Pause], and
//     the pointer in it, or the keyboard's focus on Allow, for as long: the second click of a
//     double click comes too early. An answer that comes earlier than that after the page was
//     made shows it again, whatever became of the script.

// consentPage asks the user about an authorization request with this raw query and
// header. An error stays at the gateway.
func (r *authorizeRequest) consentPage(p *Policy, s sealer, rawQuery string, header http.Header) (Response, error) {
	if err := checkNavigation(header, ""); err != nil {
		return Response{}, err
	}
	browser, set := p.browser(s, header)
	client := r.Client
	question := r.asks()
	question.Name, question.Host, question.Unverified, question.PopUp = client.Name, client.Host, client.Unverified, client.OpensPopUps(r.RedirectURI)
	if !client.IsDynamic() {
		question.Name = cmp.Or(client.Name, r.ClientID)
	}
	question.IdP, question.RedirectURI = p.idp.AuthURL().Hostname(), r.RedirectURI
	question.Transaction = p.codec.SealConsent(s.Keys, s.Callback, browser, &login.Consent{Shown: s.Now, ID: r.loginID, Until: r.uri.Expires(), Query: rawQuery})
	page := Response(p.pages.Consent(header["Accept-Language"], question))
	page.Header.Set("Set-Cookie", set)
	return page, nil
}

// browser is the cookie by which a browser is known from now on, the one that it has if it has
// one, and the field Set-Cookie for it.
func (p *Policy) browser(s sealer, header http.Header) (browser, set string) {
	browser = cookie.Of(s.Callback, header)
	if !syntax.Base64URL.Holds(browser) || len(browser) < 26 || len(browser) > 64 {
		browser = rand.Text()
	}
	return browser, cookie.New(s.Callback, browser, p.callback.LoginTimeout, p.idp.ResponseMode() == oauth.FormPostMode)
}

// asks is what a request asks for, for the page.
func (r *authorizeRequest) asks() (q pages.Question) {
	for _, param := range r.forwarded {
		switch param.Name {
		case "response_type", "client_id", "code_challenge", "code_challenge_method", "nonce": // of every login
		case "scope":
			q.Scopes = strings.Fields(param.Value)
			if r.ownOpenID { // the client can ask the IdP's user info who the user is
				q.Scopes = append(q.Scopes, "openid")
			}
		case "audience", "resource":
			if !slices.Contains(q.Audiences, param.Value) {
				q.Audiences = append(q.Audiences, param.Value)
			}
		default:
			if field := (pages.Field{Name: param.Name, Value: param.Value}); clients.AsksForMore(param.Name) {
				q.More = append(q.More, field)
			} else {
				q.Others = append(q.Others, field)
			}
		}
	}
	return q
}

// checkNavigation rejects a request that a browser makes for anything but a window or
// tab (Fetch Metadata Request Headers, section 2), or from another site than the given
// one, "" for any. A service worker that passes a navigation on makes its
// destination empty; no other script can send one with the mode navigate.
func checkNavigation(header http.Header, site string) error {
	sent, mode, dest := header["Sec-Fetch-Site"], header["Sec-Fetch-Mode"], header["Sec-Fetch-Dest"]
	if len(sent)+len(mode)+len(dest) == 0 {
		return nil
	}
	if len(sent) == 1 && (site == "" || sent[0] == site) && len(mode) == 1 && mode[0] == "navigate" &&
		len(dest) == 1 && (dest[0] == "document" || dest[0] == "empty") {
		return nil
	}
	e := oauth.Reject(oauth.AccessDenied, "RFC 9700 section 4.7",
		"the gateway's page works only in a window or tab of its own; go back to the app and start again")
	e.Status = http.StatusForbidden
	return e
}

// answeredPage is the form of a consent page that came back.
type answeredPage struct {
	// query is the authorization request that the page asked about.
	query, decision, browser string
	loginID                  login.ID
	shown                    time.Duration
	// until is when the request is over, zero for one that was not pushed.
	until time.Time
}

// openConsent reads the form of a consent page: its raw query, header and body. An error
// stays at the gateway. [seal.ErrUnknownKey] is in the chain of one that newer keys may
// open.
func (p *Policy) openConsent(s sealer, rawQuery string, header http.Header, body string) (answeredPage, error) {
	if rawQuery != "" {
		return answeredPage{}, oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 3.1", "the answer to the consent page comes in the body")
	}
	if err := params.CheckFormHeader(header); err != nil {
		return answeredPage{}, err
	}
	if err := checkNavigation(header, "same-origin"); err != nil {
		return answeredPage{}, err
	}
	f, err := params.Parse(body, "body")
	if err == nil {
		err = f.RejectRepeated()
	}
	if err != nil {
		return answeredPage{}, err
	}
	browser := cookie.Of(s.Callback, header)
	opened, err := p.codec.OpenConsent(s.Keys, s.Callback, browser, f.Get("transaction"))
	if err != nil || browser == "" {
		e := oauth.Reject(oauth.AccessDenied, "RFC 9700 section 4.7",
			"this page was not made for this browser, or its cookie is missing; allow cookies, go back to the app and start again")
		e.Status, e.Cause = http.StatusForbidden, err
		return answeredPage{}, e
	}
	page := answeredPage{decision: f.Get("decision"), browser: browser, query: opened.Query, loginID: opened.ID, until: opened.Until}
	if page.shown = s.Now.Sub(opened.Shown); page.shown >= p.callback.LoginTimeout {
		return page, oauth.Reject(oauth.AccessDenied, "RFC 6749 section 4.1.2.1", "this page is too old; go back to the app and start again")
	}
	return page, nil
}

// consentAnswer is a user's answer.
type consentAnswer struct {
	// Request is what was asked about, approved if Approved.
	Request  authorizeRequest
	Approved bool
	// Again is where the browser is sent if the answer came too early: to the page,
	// once more. It is relative to the form's action; "" otherwise.
	Again string
}

// answer is what the user said on a page. The request in it is checked once more, as the
// configuration is now, but for [sealer.checkCallback] and [authorizeFlow.usePushed], which came
// before the page. An error stays at the gateway.
func (p *Policy) answer(s sealer, page answeredPage, y clients.Party, q *params.Values) (consentAnswer, error) {
	request, err := p.newAuthorizeRequest(y, q)
	if err != nil {
		return consentAnswer{}, err
	}
	request.loginID = page.loginID
	switch page.decision {
	case "allow":
		if page.shown < pages.Pause {
			again := login.RequestURI{Until: page.until, Browser: login.HashBrowser(page.browser)}
			return consentAnswer{Request: request, Again: "../authorize?" + p.ownQuery(s, again, request.ClientID, page.query)}, nil
		}
		request.browser = page.browser
		return consentAnswer{Request: request, Approved: true}, nil
	case "deny":
		return consentAnswer{Request: request}, nil
	}
	return consentAnswer{}, oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 4.1.1", "decision must be allow or deny")
}

// checkConsent holds a login that came back to the browser that approved it.
func checkConsent(y clients.Party, l *login.Pending, browser string) error {
	if l.Browser == (login.BrowserHash{}) {
		if !y.RequiresConsent() {
			return nil
		}
		return oauth.Reject(oauth.AccessDenied, "RFC 9700 section 4.7", "nobody has approved this login at the gateway; go back to the app and start again")
	}
	got := login.HashBrowser(browser)
	if browser == "" || subtle.ConstantTimeCompare(got[:], l.Browser[:]) != 1 {
		e := oauth.Reject(oauth.AccessDenied, "RFC 9700 section 4.7",
			"this login was approved in another browser, or the cookie is missing that says so; go back to the app and start again, and do not open links that others send")
		e.Status = http.StatusForbidden
		return e
	}
	return nil
}
