// Package cookie is the cookie that tells browsers apart: who has approved a login comes back
// with it. Whoever has it can make approvals for that browser, so that it leaves the gateway for
// its browser alone.
package cookie

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

const (
	plainCookie  = "identity_gateway_browser"
	secureCookie = "__Host-Http-" + plainCookie
)

// isSecure reports whether browsers reach the callback by https.
func isSecure(callback string) bool { return strings.HasPrefix(callback, "https://") }

// Name is the name of the cookie. No other host, and nobody on the way, can set one that
// begins with __Host-, nor can scripts of this host where browsers know __Host-Http- (RFC 6265bis).
func Name(callback string) string {
	if isSecure(callback) {
		return secureCookie
	}
	return plainCookie
}

// Of is the browser's cookie in a request's header, "" if it has none, or several. callback is
// the callback's address as the browser knows it.
func Of(callback string, header http.Header) string {
	found := ""
	for _, sent := range (&http.Request{Header: header}).CookiesNamed(Name(callback)) {
		if found != "" {
			return ""
		}
		found = sent.Value
	}
	return found
}

// New is the field Set-Cookie for a browser. posts reports that another site's page posts to the
// callback.
func New(callback, browser string, lifetime time.Duration, posts bool) string {
	c := http.Cookie{ //nolint:gosec // Secure wherever the callback is https; http is for loopback only
		Name: Name(callback), Value: browser, Path: "/", HttpOnly: true,
		MaxAge: int(lifetime / time.Second), SameSite: http.SameSiteLaxMode,
	}
	if isSecure(callback) {
		c.Secure = true
		if posts {
			c.SameSite = http.SameSiteNoneMode
		}
	}
	return c.String()
}

// Drop removes the cookie from the header of a request that leaves the gateway.
func Drop(header http.Header) {
	fields := header["Cookie"]
	if !slices.ContainsFunc(fields, func(field string) bool { return strings.Contains(field, plainCookie) }) {
		return
	}
	var kept []string
	for _, field := range fields {
		for pair := range strings.SplitSeq(field, ";") {
			name, _, _ := strings.Cut(pair, "=")
			if name = strings.TrimSpace(name); name != "" && name != plainCookie && name != secureCookie {
				kept = append(kept, strings.TrimSpace(pair))
			}
		}
	}
	delete(header, "Cookie")
	if len(kept) > 0 {
		header["Cookie"] = []string{strings.Join(kept, "; ")} // RFC 9113 section 8.2.3
	}
}
