package idp

import (
	"errors"
	"net/http"
	"net/http/cookiejar"
	"net/url"

	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
)

// authorize checks an authorization request and sends the browser to the IdP (RFC 6749
// section 4.1.1).
func (f *flow) authorize() (Response, error) {
	request, err := f.policy.ParseAuthorize(f.r.URL.RawQuery)
	f.identify(request.ClientID)
	f.result.LeftOut = request.LeftOut
	if err != nil {
		return f.redirectError(&request, err)
	}
	if err := f.policy.Reachable(Authorize); err != nil {
		return Response{}, err
	}
	s, err := f.sealing()
	if err != nil {
		return Response{}, err
	}
	if err := s.CheckCallback(&request); err != nil {
		return Response{}, err
	}
	switch {
	case f.format.result != "":
		return f.walk(&request, s)
	case f.policy.NeedsConsent(&request):
		return f.policy.ConsentPage(s, &request, f.r.URL.RawQuery, f.r.Header)
	}
	return f.toIdP(&request, s, http.StatusFound)
}

// redirectError reports an error to the client at its redirect URI where that is
// registered, or else here.
func (f *flow) redirectError(request *AuthorizeRequest, err error) (Response, error) {
	if errors.Is(err, body.ErrClientGone) {
		return Response{}, err
	}
	e := AsError(err)
	page, ok := request.RedirectError(e)
	if !ok || f.format.result != "" {
		return Response{}, request.WithWayBack(e)
	}
	f.result.Decision.Refuse(e)
	return page, nil
}

// push sends an authorization request to the IdP over the back channel, if it has to go
// there (RFC 9126). result is for a client that wants the result itself.
func (f *flow) push(request *AuthorizeRequest, s Sealing, result bool) error {
	if !f.policy.Pushes(request) {
		return nil
	}
	if err := f.policy.CanPush(); err != nil {
		return err
	}
	push, err := f.policy.Push(request, s, f.gateway.parts.Now(), f.r.BaseURL, result)
	if err != nil {
		f.note(NotSigned, err)
		return err
	}
	response, _, err := f.send(f.newFormCall(PushedRequest, push.Call))
	if err != nil {
		return err
	}
	return push.Take(response)
}

// toIdP sends the browser to the authorization endpoint, or has the next handler pass
// its request on.
func (f *flow) toIdP(request *AuthorizeRequest, s Sealing, status int) (Response, error) {
	if err := f.push(request, s, false); err != nil {
		return f.redirectError(request, err)
	}
	if f.policy.proxiesTo(Authorize) {
		f.forward(Authorize, f.policy.AuthorizeQuery(request, s))
		return Response{}, nil
	}
	return redirect(status, f.policy.AuthorizeURL(request, s)), nil
}

// forward has the next handler send a checked request to the IdP.
func (f *flow) forward(endpoint Endpoint, rawQuery string) {
	r := f.r.Clone(f.r.Context())
	at := f.policy.EndpointURL(endpoint)
	r.URL = &url.URL{Path: at.Path, RawPath: at.RawPath, RawQuery: rawQuery}
	r.RequestURI = r.URL.RequestURI()
	r.Method, r.Body, r.ContentLength, r.TransferEncoding, r.Trailer = http.MethodGet, http.NoBody, 0, nil, nil
	r.Header = make(http.Header)
	CopyRequestHeader(r.Header, f.r.Header, endpoint)
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

// walk follows an authorization request at the IdP for a client that wants the result
// itself, the contract's ResultedPKCE.
func (f *flow) walk(request *AuthorizeRequest, s Sealing) (Response, error) {
	if !f.policy.NeedsConsent(request) {
		if err := f.push(request, s, true); err != nil {
			return Response{}, err
		}
	}
	walk, err := f.policy.NewWalk(request, s)
	if err != nil {
		return Response{}, err
	}
	cookies, err := cookiejar.New(nil)
	if err != nil {
		return Response{}, err
	}
	for {
		c := f.newCall(Authorize)
		c.url = *walk.URL()
		c.header.Set("Accept", "text/html")
		c.header.Del("Cookie")
		for _, cookie := range cookies.Cookies(&c.url) {
			(&http.Request{Header: c.header}).AddCookie(cookie)
		}
		response, _, err := f.send(c)
		if err != nil {
			return Response{}, err
		}
		cookies.SetCookies(&c.url, (&http.Response{Header: response.Header}).Cookies())
		result, err := walk.Next(response.Status, response.Header)
		if err != nil {
			return Response{}, err
		}
		if result != nil {
			header := http.Header{"Content-Type": {string(f.format.result)}, "X-Content-Type-Options": {"nosniff"}}
			SetNoStore(header)
			return Response{http.StatusOK, header, result.Append(nil, f.format.result)}, nil
		}
	}
}
