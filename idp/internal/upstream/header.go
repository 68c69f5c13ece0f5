package upstream

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/cookie"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/endpoint"
)

// NewCall prepares a call to an endpoint for a client: header is that of its request, ip its address,
// "" if the IdP is not to know it, base the gateway's address as it knows it.
func (u *Upstream) NewCall(to endpoint.Endpoint, header http.Header, ip, base string) Call {
	c := Call{Endpoint: to, URL: *u.At(to), Header: make(http.Header)}
	CopyHeader(c.Header, header, to)
	if c.Header["User-Agent"] == nil {
		c.Header.Set("User-Agent", "") // not net/http's own
	}
	c.Header.Set("Accept", "application/json")
	c.Header.Set("Accept-Encoding", "identity") // what is compressed can't be checked
	if ip != "" {
		c.Header.Set("X-Forwarded-For", ip)
	}
	if u.Proxied() { // the IdP has this host's name
		if gateway, err := url.Parse(base); err == nil {
			c.Header.Set("X-Forwarded-Host", gateway.Host)
			c.Header.Set("X-Forwarded-Proto", gateway.Scheme)
		}
	}
	return c
}

// WithForm is a call that sends a form, and how the client or the gateway authenticates.
func (c Call) WithForm(form Form) Call {
	c.Form = form.Body
	c.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if form.Authorization != "" {
		c.Header.Set("Authorization", form.Authorization)
	}
	return c
}

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

// CopyHeader copies to dst what the IdP may see of a client's header. The caller sets
// Content-Type, Authorization and the like from checked values.
func CopyHeader(dst, client http.Header, to endpoint.Endpoint) {
	allowed := backRequestHeaders[:]
	if to == endpoint.Authorize || to == endpoint.Logout {
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
