package idp

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/accept"
	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/header"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pages"
)

// flow is one request on its way through an endpoint. Each endpoint is a function
// whose steps stand in the order in which they happen, and which returns either a
// response or the error that is the response instead.
type flow struct {
	gateway *Gateway
	policy  *Policy
	r       Request

	endpoint Endpoint
	format   format
	// header is that of the response, whatever it will be.
	header http.Header
	result Result
}

// begin notes which endpoint a request is for.
func (f *flow) begin(endpoint Endpoint) {
	f.endpoint = endpoint
	f.result.Decision.Endpoint = endpoint.String()
	f.allowOrigins(f.policy.registry.Origins)
	if endpoint.IsFrontChannel() {
		f.format = negotiate(f.r.Header)
	}
	body.CloseConnection(f.header, f.r.Request)
}

// format is what the client of a front-channel request wants, from its Accept.
type format struct {
	// page: errors are HTML pages. Only a client that names HTML is a browser.
	page bool
	// result is the media type in which an API client wants the result of a
	// login. It is empty for a client that wants to be redirected.
	result resultType
}

// negotiate reads Accept. A client that names JSON or a form and does not accept
// HTML is an API client. Others, such as those that accept anything, are
// redirected.
func negotiate(header http.Header) format {
	const html, xhtml = "text/html", "application/xhtml+xml"
	ranges := accept.Parse(header["Accept"])
	if ranges.Quality(html) > 0 || ranges.Quality(xhtml) > 0 {
		return format{page: ranges.Names(html) || ranges.Names(xhtml)}
	}
	var offers []string
	for _, offer := range []resultType{formResult, jsonResult} { // in the contract's order
		if ranges.Names(string(offer)) {
			offers = append(offers, string(offer))
		}
	}
	return format{result: resultType(ranges.Best(offers...))}
}

// allowOrigins lets scripts of these origins read the response.
func (f *flow) allowOrigins(origins cors.Origins) {
	if script, ok := f.endpoint.Scripts(); ok {
		script.SetHeader(f.header, f.r.Request, origins)
	}
}

// newCall prepares a call to an endpoint.
func (f *flow) newCall(endpoint Endpoint) upstream.Call {
	return f.policy.idp.NewCall(endpoint, f.r.Header, f.r.ClientIP, f.r.BaseURL)
}

// send sends a call and reads its whole response.
// sent reports whether the IdP may have received it. A token request reaches the IdP
// once at most, and is not given up when its client leaves: nobody would know whether
// its code was spent.
func (f *flow) send(c upstream.Call) (response Response, sent bool, err error) {
	ctx := f.r.Context()
	if c.Endpoint == Token {
		ctx = context.WithoutCancel(ctx)
	}
	response, sent, err = f.roundTrip(ctx, c)
	switch {
	case err == nil:
		return response, sent, nil
	case f.r.Context().Err() != nil:
		return Response{}, sent, body.ErrClientGone
	}
	f.note(NoResponse, err)
	return Response{}, sent, upstream.Failed(err)
}

// roundTrip records a call.
func (f *flow) roundTrip(ctx context.Context, c upstream.Call) (response Response, sent bool, err error) {
	start := time.Now()
	response, sent, err = f.gateway.idp.Send(ctx, c)
	f.result.Calls = append(f.result.Calls, Call{c.Endpoint, time.Since(start), response.Status, err})
	return response, sent, err
}

// note records an incident. That a client left is none.
func (f *flow) note(kind IncidentKind, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	f.result.Incidents = append(f.result.Incidents, Incident{kind, err})
}

// trace notes whose login a request is of.
func (f *flow) trace(id login.ID) { f.result.Decision.LoginID = id.String() }

// end is the result: a response, or the error in its place.
func (f *flow) end(response Response, err error) *Result {
	d := &f.result.Decision
	switch {
	case errors.Is(err, body.ErrClientGone):
		d.Outcome = ClientGone
		response = Response{Status: StatusClientGone, Header: make(http.Header)}
	case err != nil:
		response = f.refuse(oauth.AsError(err))
	case d.Outcome == "":
		d.Outcome = Passed
	}
	if response.Header == nil {
		response.Header = f.header
	} else {
		maps.Copy(response.Header, f.header)
	}
	if d.Refusal != nil {
		response.Header.Set(ReferenceHeader, d.Reference())
	}
	if f.r.Method == http.MethodPost && response.Status == http.StatusFound {
		response.Status = http.StatusSeeOther // to be followed with GET, by whatever follows it
	}
	delete(response.Header, "Content-Length") // the body may be another one
	if len(response.Body) > 0 {
		response.Header.Set("Content-Length", strconv.Itoa(len(response.Body)))
	}
	f.result.Response = response
	return &f.result
}

// refuse is an error as the client reads it: JSON, or a page for a browser.
func (f *flow) refuse(e *oauth.Error) Response {
	f.result.Decision.Refuse(e)
	if f.format.page {
		f.result.Page = true
		return f.policy.errorPage(f.r.Header, e, f.result.Decision.Reference())
	}
	response := Response{Status: e.Status, Header: make(http.Header), Body: e.AppendJSON(nil)}
	e.SetHeader(response.Header)
	return response
}

// errorPage is the page for the browser that sent a rejected request with this header. The
// reference is what the request is found by in the log.
func (p *Policy) errorPage(header http.Header, e *oauth.Error, reference string) Response {
	return Response(p.pages.Error(header["Accept-Language"], &pages.Problem{
		Status: e.Status, Code: string(e.Code), Description: e.Description, Source: e.Source, Reference: reference, WayBack: e.WayBack,
	}))
}

// redirect is a response with 302, of which [flow.end] makes 303 to a POST: browsers follow both
// with GET (RFC 9700 section 4.12: never 307).
func (f *flow) redirect(location string) Response {
	header.SetRedirect(f.header, location)
	return Response{Status: http.StatusFound}
}

// forward has the next handler send a checked request to the IdP.
func (f *flow) forward(endpoint Endpoint, rawQuery string) {
	r := f.r.Clone(f.r.Context())
	at := f.policy.idp.At(endpoint)
	r.URL = &url.URL{Path: at.Path, RawPath: at.RawPath, RawQuery: rawQuery}
	r.RequestURI = r.URL.RequestURI()
	r.Method, r.Body, r.ContentLength, r.TransferEncoding, r.Trailer = http.MethodGet, http.NoBody, 0, nil, nil
	r.Header = make(http.Header)
	upstream.CopyHeader(r.Header, f.r.Header, endpoint)
	if f.r.ClientIP != "" {
		r.Header.Set("X-Forwarded-For", f.r.ClientIP)
	}
	f.result.Next = r
}
