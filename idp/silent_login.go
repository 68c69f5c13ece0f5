package idp

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/header"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jsonobject"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// resultType is the media type in which an API client receives a [loginResult].
type resultType string

// The media types of ResultedPKCE.
const (
	formResult resultType = "application/x-www-form-urlencoded"
	jsonResult resultType = "application/json"
)

// loginResult is the contract's ResultedPKCE: what the IdP sent to the redirect URI.
type loginResult struct{ Code, State string }

// silentLogin follows an authorization request at the IdP as a browser would. The caller
// makes the requests: GET [silentLogin.url], until [silentLogin.next] returns a result or an
// error.
type silentLogin struct {
	request *authorizeRequest
	sealing sealer
	sent    idpParams
	policy  *Policy
	current *url.URL
	steps   int
}

// newSilentLogin begins one. The gateway reads the result itself, so that it asks for
// response_mode query, whatever the client asked for.
func (r *authorizeRequest) newSilentLogin(p *Policy, s sealer) *silentLogin {
	own := *r // that of other logins stays on the stack
	w := &silentLogin{request: &own, policy: p, sealing: s, sent: r.idpParams(p, s)}
	sent := w.sent
	if sent.requestURI == "" {
		sent.mode = oauth.QueryMode
	}
	first := *w.origin()
	first.RawQuery = string(r.appendAuthorizeQuery(p, []byte(first.RawQuery), sent))
	w.current = &first
	return w
}

// url is the page to get next. It is on the origin of the IdP's authorization
// endpoint.
func (w *silentLogin) url() *url.URL { return w.current }

func (w *silentLogin) origin() *url.URL { return w.policy.idp.At(Authorize) }

// next takes the status and header of the response for [silentLogin.url]. It returns the
// result, or an error if there will be none, or neither if the login goes on.
func (w *silentLogin) next(status int, header http.Header) (*loginResult, error) {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	case http.StatusTooManyRequests:
		return nil, upstream.Check(Response{Status: status, Header: header})
	case http.StatusOK:
		return nil, w.interaction()
	default:
		if status >= 400 && status < 500 {
			e := oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 4.1.2.1",
				"the identity provider rejected the request without a redirect; open it in a browser to see why")
			e.URI = w.page()
			return nil, e
		}
		return nil, upstream.Check(Response{Status: status, Header: header})
	}
	location := header["Location"]
	if len(location) != 1 {
		return nil, oauth.BadGateway("the identity provider redirects without one Location")
	}
	target, err := w.current.Parse(location[0])
	if err != nil {
		return nil, oauth.BadGateway("the identity provider redirects to something that is not a URL")
	}
	if w.isRedirectURI(target) {
		return w.read(target)
	}
	if !uris.SameOrigin(target, w.origin()) || target.User != nil {
		return nil, w.interaction()
	}
	if w.steps++; w.steps > maxRedirects {
		return nil, w.interaction()
	}
	target.Fragment, target.RawFragment = "", ""
	w.current = target
	return nil, nil
}

// isRedirectURI reports whether target is the redirect URI that was sent, with the
// IdP's response added. If none was sent, it is any URL off the IdP's origin
// that gets a code or an error.
func (w *silentLogin) isRedirectURI(target *url.URL) bool {
	if w.sent.redirectURI == "" {
		q := target.Query()
		return (q.Has("code") || q.Has("error")) && !uris.SameOrigin(target, w.origin())
	}
	want, err := url.Parse(w.sent.redirectURI)
	return err == nil && target.Scheme == want.Scheme && target.Host == want.Host && target.User == nil &&
		target.EscapedPath() == want.EscapedPath() && target.Opaque == want.Opaque &&
		strings.HasPrefix(target.RawQuery, want.RawQuery)
}

// read takes the result out of the redirect to the client.
func (w *silentLogin) read(target *url.URL) (*loginResult, error) {
	raw := target.RawQuery
	if q := target.Query(); !q.Has("code") && !q.Has("error") {
		raw = target.EscapedFragment()
	}
	q, err := params.Parse(raw, "query")
	if err != nil || q.Repeated != "" {
		return nil, oauth.BadGateway("the identity provider's redirect has a malformed query")
	}
	if q.Get("state") != w.sent.state {
		return nil, oauth.BadGateway("the identity provider's state is not the one that was sent (RFC 6749 section 4.1.2)")
	}
	switch code := oauth.Code(q.Get("error")); code {
	case "":
	case oauth.InteractionRequired, oauth.LoginRequired, oauth.ConsentRequired, oauth.AccountSelectionRequired:
		return nil, w.interaction()
	default:
		if !upstream.IsErrorCode(string(code)) {
			return nil, oauth.BadGateway("the identity provider's error code is malformed")
		}
		e := oauth.Reject(code, "RFC 6749 section 4.1.2.1", "the identity provider rejected the request")
		e.Detail = q.Get("error_description")
		return nil, e
	}
	if q.Get("code") == "" {
		return nil, oauth.BadGateway("the identity provider's redirect has neither a code nor an error")
	}
	code, err := w.policy.tokens.code(w, callbackRequest{Code: q.Get("code"), State: w.sent.state, Issuer: q.Get("iss")})
	if err != nil {
		return nil, err
	}
	return &loginResult{Code: code, State: w.request.State}, nil
}

func (passedTokens) code(_ *silentLogin, c callbackRequest) (string, error) { return c.Code, nil }

// code ends the login as a browser's does, at the callback.
func (sealedTokens) code(w *silentLogin, c callbackRequest) (string, error) {
	return w.policy.completeLogin(w.sealing, &login.Pending{Login: w.request.login(w.policy, w.sealing)}, c)
}

// interaction is the error when the user has to do something.
func (w *silentLogin) interaction() error {
	e := oauth.Reject(oauth.InteractionRequired, "OpenID Connect Core 1.0 section 3.1.2.6", "the user has to log in; open error_uri in a browser")
	e.URI = w.page()
	return e
}

// page is the same request as a browser would make it.
func (w *silentLogin) page() string {
	if w.sent.page != "" {
		return w.sent.page // what was pushed is used up
	}
	u := w.sent
	u.dropPrompt = w.request.PromptNone
	return string(w.request.appendAuthorizeQuery(w.policy, w.policy.idp.AppendURL(nil, Authorize), u))
}

// append appends the result in the given media type.
func (r *loginResult) append(dst []byte, as resultType) []byte {
	if as == formResult {
		dst = params.Append(dst, "code", r.Code)
		return params.Append(dst, "state", r.State)
	}
	dst = append(dst, `{"code":`...)
	dst = jsonobject.AppendString(dst, r.Code)
	dst = append(dst, `,"state":`...)
	dst = jsonobject.AppendString(dst, r.State)
	return append(dst, "}\n"...)
}

// loginSilently follows an authorization request at the IdP for a client that wants the result
// itself, the contract's ResultedPKCE.
func (f *authorizeFlow) loginSilently() (Response, error) {
	if f.request.needsConsent() {
		return Response{}, consentRequired()
	}
	if err := f.pushToIdP(true); err != nil {
		return Response{}, err
	}
	walk := f.request.newSilentLogin(f.policy, f.sealing)
	cookies, err := cookiejar.New(nil)
	if err != nil {
		return Response{}, err
	}
	for {
		c := f.newCall(Authorize)
		c.URL = *walk.url()
		c.Header.Set("Accept", "text/html")
		c.Header.Del("Cookie")
		for _, cookie := range cookies.Cookies(&c.URL) {
			(&http.Request{Header: c.Header}).AddCookie(cookie)
		}
		response, _, err := f.send(c)
		if err != nil {
			return Response{}, err
		}
		cookies.SetCookies(&c.URL, (&http.Response{Header: response.Header}).Cookies())
		result, err := walk.next(response.Status, response.Header)
		if err != nil {
			return Response{}, err
		}
		if result != nil {
			return Response{Status: http.StatusOK, Header: header.Of(string(f.format.result)), Body: result.append(nil, f.format.result)}, nil
		}
	}
}
