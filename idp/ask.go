package idp

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
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
