package idp

import (
	"net/http"
	"strings"
)

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
	dropBrowserCookie(dst)
}

// DropUpgradeToHTTP removes an upgrade to something that carries requests from the
// header of one that passes through: HTTP/2 (obsolete since RFC 9113 section 3.1), TLS
// (RFC 2817), another HTTP. A server that accepts it gets all requests after it
// past the gateway.
func DropUpgradeToHTTP(header http.Header) {
	for _, value := range header["Upgrade"] {
		for protocol := range strings.SplitSeq(strings.ToLower(value), ",") {
			protocol = strings.TrimSpace(protocol)
			if strings.HasPrefix(protocol, "h2") || strings.HasPrefix(protocol, "http") || strings.HasPrefix(protocol, "tls") {
				delete(header, "Upgrade")
				delete(header, "Http2-Settings")
				return
			}
		}
	}
}

// setNoStore tells caches not to store a response (RFC 6749 section 5.1).
func setNoStore(header http.Header) {
	header.Set("Cache-Control", "no-store")
	header.Set("Pragma", "no-cache")
}

// filterFrontResponse removes what must not pass from the header of a proxied
// front-channel response: CORS permissions, and cookies for a domain other than
// host, the gateway's name in the browser. It forbids caching.
func filterFrontResponse(header http.Header, host string) {
	for name := range header {
		if strings.HasPrefix(name, "Access-Control-") {
			delete(header, name)
		}
	}
	kept := header["Set-Cookie"][:0]
	for _, line := range header["Set-Cookie"] {
		if cookie, err := http.ParseSetCookie(line); err == nil && cookieBelongs(cookie.Domain, host) {
			kept = append(kept, line)
		}
	}
	if len(kept) == 0 {
		delete(header, "Set-Cookie")
	} else {
		header["Set-Cookie"] = kept
	}
	setNoStore(header)
}

// cookieBelongs is the domain match of RFC 6265 section 5.1.3.
func cookieBelongs(domain, host string) bool {
	domain = strings.ToLower(strings.TrimPrefix(domain, "."))
	host = strings.ToLower(host)
	return domain == "" || domain == host || strings.HasSuffix(host, "."+domain)
}
