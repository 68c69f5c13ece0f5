package idp

import (
	"crypto/subtle"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// browserCookie is the name of the cookie that tells browsers apart. No other host,
// and nobody on the way, can set one that begins with __Host-, nor can scripts of this
// host where browsers know __Host-Http- (RFC 6265bis).
func browserCookie(s sealer) string {
	if strings.HasPrefix(s.Callback, "https://") {
		return secureBrowserCookie
	}
	return plainBrowserCookie
}

const (
	plainBrowserCookie  = "identity_gateway_browser"
	secureBrowserCookie = "__Host-Http-" + plainBrowserCookie
)

// dropBrowserCookie removes the cookie that tells browsers apart from the header of a
// request that leaves the gateway: whoever has it can make approvals for that browser.
func dropBrowserCookie(header http.Header) {
	fields := header["Cookie"]
	if !slices.ContainsFunc(fields, func(field string) bool { return strings.Contains(field, plainBrowserCookie) }) {
		return
	}
	var kept []string
	for _, field := range fields {
		for pair := range strings.SplitSeq(field, ";") {
			name, _, _ := strings.Cut(pair, "=")
			if name = strings.TrimSpace(name); name != "" && name != plainBrowserCookie && name != secureBrowserCookie {
				kept = append(kept, strings.TrimSpace(pair))
			}
		}
	}
	delete(header, "Cookie")
	if len(kept) > 0 {
		header["Cookie"] = []string{strings.Join(kept, "; ")} // RFC 9113 section 8.2.3
	}
}

// browserOf is the browser's cookie in a request's header, "" if it has none, or
// several.
func browserOf(s sealer, header http.Header) string {
	found := ""
	for _, cookie := range (&http.Request{Header: header}).CookiesNamed(browserCookie(s)) {
		if found != "" {
			return ""
		}
		found = cookie.Value
	}
	return found
}

func (p *Policy) newBrowserCookie(s sealer, browser string) string {
	cookie := http.Cookie{ //nolint:gosec // Secure wherever the callback is https; http is for loopback only
		Name: browserCookie(s), Value: browser, Path: "/", HttpOnly: true,
		MaxAge: int(p.callback.loginTimeout / time.Second), SameSite: http.SameSiteLaxMode,
	}
	if strings.HasPrefix(s.Callback, "https://") {
		cookie.Secure = true
		if p.idp.ResponseMode() == FormPostMode { // the IdP's page posts to the callback
			cookie.SameSite = http.SameSiteNoneMode
		}
	}
	return cookie.String()
}

// checkConsent holds a login that came back to the browser that approved it.
func checkConsent(y clients.Party, l *login.Pending, browser string) error {
	if l.Browser == (login.BrowserHash{}) {
		if !y.RequiresConsent() {
			return nil
		}
		return oauth.Reject(oauth.AccessDenied, "RFC 9700 section 4.7", "nobody has approved this login at the gateway; go back to the app and start again")
	}
	got := login.HashBrowser(browser)
	if browser == "" || subtle.ConstantTimeCompare(got[:], l.Browser[:]) != 1 {
		e := oauth.Reject(oauth.AccessDenied, "RFC 9700 section 4.7",
			"this login was approved in another browser, or the cookie is missing that says so; go back to the app and start again, and do not open links that others send")
		e.Status = http.StatusForbidden
		return e
	}
	return nil
}
