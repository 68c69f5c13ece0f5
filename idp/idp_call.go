package idp

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/cookie"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
)

// newCall prepares a call to an endpoint.
func (f *flow) newCall(endpoint Endpoint) upstream.Call {
	c := upstream.Call{Endpoint: endpoint, URL: *f.policy.idp.At(endpoint), Header: make(http.Header)}
	copyRequestHeader(c.Header, f.r.Header, endpoint)
	if c.Header["User-Agent"] == nil {
		c.Header.Set("User-Agent", "") // not net/http's own
	}
	c.Header.Set("Accept", "application/json")
	c.Header.Set("Accept-Encoding", "identity") // what is compressed can't be checked
	if f.r.ClientIP != "" {
		c.Header.Set("X-Forwarded-For", f.r.ClientIP)
	}
	if f.policy.idp.Proxied() { // the IdP has this host's name
		if base, err := url.Parse(f.r.BaseURL); err == nil {
			c.Header.Set("X-Forwarded-Host", base.Host)
			c.Header.Set("X-Forwarded-Proto", base.Scheme)
		}
	}
	return c
}

// newFormCall prepares a call that sends a form, and how the client or the gateway
// authenticates.
func (f *flow) newFormCall(endpoint Endpoint, form upstream.Form) upstream.Call {
	c := f.newCall(endpoint)
	c.Form = form.Body
	c.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if form.Authorization != "" {
		c.Header.Set("Authorization", form.Authorization)
	}
	return c
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

// Scrub is err without the URL queries in its text. Errors of a transport may contain
// them.
func Scrub(err error) error { return upstream.Scrub(err) }

// backRequestHeaders and frontRequestHeaders are the client's header fields
// that travel to the IdP on the back channel (token, userinfo) and on a proxied
// front channel (authorize, logout). Everything else is dropped: forwarding
// headers, method overrides and tenant headers that a client could forge, the
// same names with underscores, hop-by-hop fields, cookies.
var (
	backRequestHeaders  = [...]string{"User-Agent", "Accept-Language", "Auth0-Client", "Traceparent", "Tracestate"}
	frontRequestHeaders = [...]string{
		"User-Agent", "Accept", "Accept-Language", "Cookie", "Traceparent", "Tracestate",
		"Sec-Fetch-Dest", "Sec-Fetch-Mode", "Sec-Fetch-Site", "Sec-Fetch-User",
	}
)

// copyRequestHeader copies to dst what the IdP may see of a client's header.
// The caller sets Content-Type, Authorization and the like from checked values.
func copyRequestHeader(dst, client http.Header, endpoint Endpoint) {
	allowed := backRequestHeaders[:]
	if endpoint == Authorize || endpoint == Logout {
		allowed = frontRequestHeaders[:]
	}
	for _, name := range allowed {
		switch values := client[name]; {
		case len(values) == 0:
		case len(values) == 1:
			dst[name] = values
		case name == "Cookie":
			dst[name] = []string{strings.Join(values, "; ")} // RFC 9113 section 8.2.3
		}
	}
	cookie.Drop(dst)
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
