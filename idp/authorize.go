package idp

import (
	"errors"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"

	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
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
	if err := f.usePushed(); err != nil {
		return f.redirectError(err)
	}
	switch {
	case f.format.result != "":
		return f.loginSilently()
	case f.request.needsConsent():
		return f.request.consentPage(f.policy, f.sealing, query, f.r.Header)
	}
	return f.toIdP(http.StatusFound)
}

// read reads and checks the request. query is what it was read from, at last.
func (f *authorizeFlow) read() (query string, err error) {
	raw, q, err := f.readQueryOrForm("authorization", "RFC 6749 section 3.1")
	if err != nil {
		return "", err
	}
	y, err := f.find(q.Get("client_id"))
	if err != nil {
		return "", err
	}
	query, asked, uri, err := f.openPushed(y, raw, &q)
	if err != nil {
		return "", err
	}
	f.request, err = f.policy.newAuthorizeRequest(y, asked)
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

// prepare gets at what a login takes here. Its errors stay here.
func (f *authorizeFlow) prepare() (err error) {
	if err := f.policy.idp.CheckReachable(Authorize); err != nil {
		return err
	}
	if f.sealing, err = f.flow.sealing(); err != nil {
		return err
	}
	return f.sealing.checkCallback(&f.request)
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

// push sends the request to the IdP over the back channel, if it has to go
// there (RFC 9126). result is for a client that wants the result itself.
func (f *authorizeFlow) push(result bool) error {
	if !f.request.pushes(f.policy) {
		return nil
	}
	if err := f.policy.idp.CheckPush(); err != nil {
		return err
	}
	push, err := f.request.push(f.policy, f.sealing, f.gateway.parts.Now(), f.r.BaseURL, result)
	if err != nil {
		f.note(NotSigned, err)
		return err
	}
	response, _, err := f.send(f.newFormCall(PushedRequest, push.Call))
	if err != nil {
		return err
	}
	return push.take(response)
}

// toIdP sends the browser to the authorization endpoint, or has the next handler pass
// its request on.
func (f *authorizeFlow) toIdP(status int) (Response, error) {
	if err := f.push(false); err != nil {
		return f.redirectError(err)
	}
	if f.policy.idp.ProxiesTo(Authorize) {
		f.forward(Authorize, f.request.authorizeQuery(f.policy, f.sealing))
		return Response{}, nil
	}
	return redirect(status, f.request.authorizeURL(f.policy, f.sealing)), nil
}

// forward has the next handler send a checked request to the IdP.
func (f *flow) forward(endpoint Endpoint, rawQuery string) {
	r := f.r.Clone(f.r.Context())
	at := f.policy.idp.At(endpoint)
	r.URL = &url.URL{Path: at.Path, RawPath: at.RawPath, RawQuery: rawQuery}
	r.RequestURI = r.URL.RequestURI()
	r.Method, r.Body, r.ContentLength, r.TransferEncoding, r.Trailer = http.MethodGet, http.NoBody, 0, nil, nil
	r.Header = make(http.Header)
	copyRequestHeader(r.Header, f.r.Header, endpoint)
	if f.r.ClientIP != "" {
		r.Header.Set("X-Forwarded-For", f.r.ClientIP)
	}
	f.result.Next = r
}

// redirect is a response with 302, or with 303 to a POST: browsers follow both with
// GET (RFC 9700 section 4.12: never 307).
func redirect(status int, location string) Response {
	return Response{Status: status, Header: http.Header{"Location": {location}, "Cache-Control": {"no-store"}}}
}

// loginSilently follows an authorization request at the IdP for a client that wants the result
// itself, the contract's ResultedPKCE.
func (f *authorizeFlow) loginSilently() (Response, error) {
	if !f.request.needsConsent() {
		if err := f.push(true); err != nil {
			return Response{}, err
		}
	}
	walk, err := f.request.newSilentLogin(f.policy, f.sealing)
	if err != nil {
		return Response{}, err
	}
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
			header := http.Header{"Content-Type": {string(f.format.result)}, "X-Content-Type-Options": {"nosniff"}}
			setNoStore(header)
			return Response{Status: http.StatusOK, Header: header, Body: result.append(nil, f.format.result)}, nil
		}
	}
}

// checkLogin checks a request of which [Policy.route] says that it is a [loginLookalike]. The
// IdP takes the parameters of the authorization endpoint there, so that a login could
// begin without having passed the gateway (RFC 9700 section 2.1.1). What has none of
// them goes on with a login. What has some must be what the gateway itself sends to the
// IdP: a request for the callback, which finds out whose login it is, or else one that
// /authorize accepts. s is needed for the callback.
func (p *Policy) checkLogin(rawQuery string, s sealer) error {
	q, err := params.Parse(rawQuery, "query")
	if err != nil {
		return beside(oauth.AsError(err).Description)
	}
	if !slices.ContainsFunc([]string{"response_type", "redirect_uri", "request", "request_uri"}, q.Flag) {
		return nil
	}
	if err := q.RejectRepeated(); err != nil {
		return beside(oauth.AsError(err).Description)
	}
	if p.callback != nil {
		if q.Get("redirect_uri") != s.Callback || q.Flag("request") || q.Flag("request_uri") {
			return beside("redirect_uri is not the gateway's callback")
		}
		return nil
	}
	for _, query := range asClientsSend(p.registry, &q) {
		q, e := params.Parse(query, "query")
		if err = e; err == nil {
			_, err = p.newAuthorizeRequest(p.registry.Find(q.Get("client_id")), &q)
		}
		if err == nil {
			return nil
		}
	}
	return beside(oauth.AsError(err).Description)
}

// asClientsSend are the queries with which clients could have begun a login that the
// IdP got as q: it knows several of them by one id.
func asClientsSend(registry *clients.Registry, q *params.Values) []string {
	ids := []string{q.Get("client_id")}
	for _, y := range registry.All() {
		if y.ClientID != "" && y.Client.Credentials != nil && y.IDAtIdP() == ids[0] && y.ClientID != ids[0] {
			ids = append(ids, y.ClientID)
		}
	}
	queries := make([]string, len(ids))
	for i, id := range ids {
		var query []byte
		for _, param := range q.List {
			if param.Name == "client_id" {
				param.Value = id
			}
			query = params.Append(query, param.Name, param.Value)
		}
		for _, name := range q.Flags {
			query = params.Append(query, name, "")
		}
		queries[i] = string(query)
	}
	return queries
}

// beside rejects a login that did not begin at /authorize.
func beside(why string) error {
	return oauth.Reject(oauth.InvalidRequest, "RFC 9700 section 2.1.1", "logins begin at "+Authorize.Path()+", and not at this path of the identity provider (deny_path): "+why)
}
