package idp

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/authorization"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pages"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// authorizeFlow is an authorization request on its way to the IdP (RFC 6749 section 4.1.1): as it
// comes to /authorize, and as it comes back from the page on which the user has approved it
// ([authorizeFlow.serveConsent]).
type authorizeFlow struct {
	*flow
	request authorizeRequest
	sealing sealer
}

// serve checks an authorization request and sends the browser to the IdP.
func (f *authorizeFlow) serve() (Response, error) {
	query, err := f.read()
	if err != nil {
		return f.redirectError(err)
	}
	if err := f.prepare(); err != nil {
		return Response{}, err
	}
	if err := f.takeHint(); err != nil {
		return f.redirectError(err)
	}
	used, err := f.usePushed()
	if err != nil {
		return f.redirectError(err)
	}
	switch {
	case f.format.result != "":
		return f.loginSilently()
	case used && f.showsPage():
		return f.toReload(query), nil
	case f.request.needsConsent():
		return f.request.consentPage(f.policy, f.sealing, query, f.r.Header)
	}
	return f.toIdP()
}

// serveConsent takes the user's answer and sends the browser to the IdP, or back to the
// client.
func (f *authorizeFlow) serveConsent() (Response, error) {
	answer, err := f.readAnswer()
	if err != nil {
		return Response{}, err
	}
	if err := f.policy.idp.CheckReachable(Authorize); err != nil {
		return Response{}, err
	}
	switch {
	case answer.Again != "":
		return f.redirect(answer.Again), nil
	case !answer.Approved:
		response, e := answer.denied()
		f.result.Decision.Refuse(e)
		return response, nil
	}
	if err := f.takeHint(); err != nil {
		return f.redirectError(err)
	}
	return f.toIdP()
}

// read reads and checks the request. query is what it was read from: of a pushed one what was pushed.
func (f *authorizeFlow) read() (query string, err error) {
	query, q, err := params.ReadQueryOrForm(f.r.Request, f.header, "authorization", "RFC 6749 section 3.1")
	if err != nil {
		return "", err
	}
	y, err := f.find(q.Get("client_id"))
	if err != nil {
		return "", err
	}
	var uri *login.RequestURI
	if sealed, ours := strings.CutPrefix(q.Get("request_uri"), login.RequestPrefix); ours && f.policy.served[PushedRequest] { // another one is rejected with it
		if query, q, uri, err = f.openPushed(y, sealed, &q); err != nil {
			return "", err
		}
	}
	f.request, err = f.policy.newAuthorizeRequest(y, &q)
	f.request.uri = uri
	f.noteClient(f.request.Party)
	f.result.LeftOut = f.request.LeftOut
	if err != nil {
		return "", err
	}
	f.request.loginID = f.policy.tokens.loginID(f.request.Challenge)
	f.trace(f.request.loginID)
	return query, nil
}

func (passedTokens) loginID(c pkce.Challenge) login.ID { return login.IDOf(c) }

func (sealedTokens) loginID(pkce.Challenge) login.ID { return login.NewID() }

// prepare gets at what a login takes here. Its errors stay here.
func (f *authorizeFlow) prepare() (err error) {
	if err := f.policy.idp.CheckReachable(Authorize); err != nil {
		return err
	}
	if f.sealing, err = f.newSealer(); err != nil {
		return err
	}
	return f.sealing.checkCallback(&f.request)
}

// takeHint holds a login to the user of id_token_hint (OpenID Connect Core 1.0 section 3.1.2.1),
// which is an ID token of the gateway's own for this client, and then goes no further. Where ID tokens
// are the IdP's, so are hints.
func (f *authorizeFlow) takeHint() error {
	r := &f.request
	at := slices.IndexFunc(r.forwarded, func(p params.Param) bool { return p.Name == "id_token_hint" })
	switch {
	case at < 0 && !f.policy.issues:
		return nil
	case !f.policy.issues:
		return f.checkHint(r.forwarded)
	case at >= 0:
		r.hint = r.forwarded[at].Value
		r.forwarded = slices.Delete(r.forwarded, at, at+1)
	}
	if slices.ContainsFunc(r.forwarded, func(p params.Param) bool {
		return gatewaytoken.FormOf(p.Value, f.policy.public.url) == gatewaytoken.Signed
	}) {
		return oauth.Reject(oauth.InvalidRequest, "RFC 6750 section 2", "a parameter is one of the gateway's own tokens, which are not for the identity provider; leave it out")
	}
	if r.hint == "" || !r.idToken.Wanted {
		return nil
	}
	known, err := f.openHint(r.hint)
	switch {
	case err != nil:
		return err
	case known == nil || !slices.Contains(known.Audience, r.ClientID):
		return oauth.Reject(oauth.LoginRequired, "OpenID Connect Core 1.0 section 3.1.2.1",
			"id_token_hint is not an ID token that this gateway has given this client within the last months; leave it out, and the user logs in")
	}
	r.idToken.Hint = login.HashSubject(known.Subject)
	return nil
}

// showsPage reports whether the browser will see a page at /authorize, which its user may reload.
func (f *authorizeFlow) showsPage() bool {
	return f.request.needsConsent() || f.policy.idp.ProxiesTo(Authorize)
}

// toReload leads the browser that has used a pushed request to the same one, for itself alone and
// for what is left of its minute. So a page that it sees there can be reloaded (RFC 9126 section
// 4), while the request_uri that was pushed is used up: it works in no other browser, where
// somebody who has seen it would log in with the client's state and challenge before the user does.
func (f *authorizeFlow) toReload(query string) Response {
	s := f.sealing
	browser, set := f.policy.browser(s, f.r.Header)
	f.header["Set-Cookie"] = []string{set}
	own := login.RequestURI{Until: f.request.uri.Until, Browser: login.HashBrowser(browser)}
	return f.redirect("authorize?" + f.policy.ownQuery(s, own, f.request.ClientID, query))
}

// readAnswer reads the user's answer, and checks the request in it once more.
func (f *authorizeFlow) readAnswer() (answer consentAnswer, err error) {
	form, err := params.ReadBody(f.r.Request, f.header, params.MaxBody)
	if err != nil {
		return answer, err
	}
	page, err := open(f.flow, func(s sealer) (answeredPage, error) {
		f.sealing = s
		return f.policy.openConsent(s, f.r.URL.RawQuery, f.r.Header, form)
	})
	f.trace(page.loginID)
	if err != nil {
		return answer, err
	}
	q, err := params.Parse(page.query, "query")
	if err != nil {
		return answer, err
	}
	y, err := f.find(q.Get("client_id"))
	if err != nil {
		return answer, err
	}
	if answer, err = f.policy.answer(f.sealing, page, y, &q); err != nil {
		return answer, err
	}
	f.request = answer.Request
	f.noteClient(y)
	return answer, nil
}

// toIdP sends the browser to the authorization endpoint, or has the next handler pass
// its request on.
func (f *authorizeFlow) toIdP() (Response, error) {
	if err := f.pushToIdP(false); err != nil {
		return f.redirectError(err)
	}
	if f.policy.idp.ProxiesTo(Authorize) {
		f.forward(Authorize, f.request.authorizeQuery(f.policy, f.sealing))
		return Response{}, nil
	}
	return f.redirect(f.request.authorizeURL(f.policy, f.sealing)), nil
}

// redirectError reports an error to the client at its redirect URI where that is
// registered, or else here.
func (f *authorizeFlow) redirectError(err error) (Response, error) {
	if errors.Is(err, body.ErrClientGone) {
		return Response{}, err
	}
	e := oauth.AsError(err)
	page, ok := f.request.redirectError(e)
	if !ok || f.format.result != "" {
		return Response{}, f.request.withWayBack(e)
	}
	f.result.Decision.Refuse(e)
	return page, nil
}

// redirectError is the response that reports an error to the client at its
// redirect URI, in the response mode of the request (RFC 6749 section 4.1.2.1).
// It is false if the configuration does not register that redirect URI for the
// client: the gateway would be an open redirector (RFC 9700 section 4.11.2). So it
// would for a client whose users have to approve first, because nobody trusts it: for
// that there is [authorizeRequest.withWayBack]. It has iss (RFC 9207) if the gateway
// has a public URL.
func (r *authorizeRequest) redirectError(e *oauth.Error) (Response, bool) {
	if !r.registered || r.RequiresConsent() {
		return Response{}, false
	}
	response := r.errorResponse(e)
	return Response(response.Page(http.StatusFound)), true
}

func (r *authorizeRequest) errorResponse(e *oauth.Error) authorization.Response {
	response := authorization.Response{RedirectURI: r.RedirectURI, Mode: r.ResponseMode}
	response.AddError(e)
	response.Add("state", r.State)
	response.Add("iss", r.issuer)
	return response
}

// withWayBack is e for the page that a browser gets in the place of a redirect. If the
// redirect URI is registered, and http or https, the page shows where it leads: to the error
// response to the client, or the app's start page where that can't be a link.
func (r *authorizeRequest) withWayBack(e *oauth.Error) *oauth.Error {
	u, err := url.Parse(r.RedirectURI)
	if !r.registered || err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return e
	}
	shown := *e
	shown.WayBack = &pages.Link{Host: u.Host, URL: uris.Origin(r.RedirectURI) + "/"}
	if response := r.errorResponse(e); !response.IsPage() {
		shown.WayBack.URL = response.Location()
	}
	return &shown
}

// denied is the response to the client whose user said no (RFC 6749 section 4.1.2.1).
func (c *consentAnswer) denied() (Response, *oauth.Error) {
	r, e := &c.Request, oauth.Reject(oauth.AccessDenied, "RFC 6749 section 4.1.2.1", "the user did not allow it")
	response := r.errorResponse(e)
	return Response(response.Page(http.StatusFound)), e
}
