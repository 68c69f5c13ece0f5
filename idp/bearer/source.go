package bearer

import (
	"errors"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// Source is where a bearer token may come from besides Authorization. The zero value is nowhere.
type Source struct {
	// Cookie is the name of a cookie. Browsers send it with the requests of any page, so that a
	// request that may change something, or opens a WebSocket, has to come from the site's own.
	Cookie string `json:"cookie,omitempty"`
	// Header is a field that a proxy in front sets, with nothing but the token.
	Header string `json:"header,omitempty"`
}

// cookiePrefix is of cookies that no other host, and nobody without TLS, can set (RFC 6265bis section
// 4.1.3.2): somebody else's would log a user in as him.
const cookiePrefix = "__Host-"

// Check names a mistake.
func (s Source) Check() error {
	switch {
	case s.Cookie != "" && (!strings.HasPrefix(s.Cookie, cookiePrefix) || len(s.Cookie) == len(cookiePrefix) || !httpguts.ValidHeaderFieldName(s.Cookie)):
		return errors.New("token_from cookie: the name must begin with __Host-, such as __Host-token: browsers let no other host set such a cookie")
	case s.Header != "" && (!httpguts.ValidHeaderFieldName(s.Header) || slices.Contains(taken, textproto.CanonicalMIMEHeaderKey(s.Header))):
		return errors.New("token_from header: " + s.Header + " is not a field for a token alone, such as Cf-Access-Jwt-Assertion")
	}
	return nil
}

// taken are fields that say something else.
var taken = []string{"Authorization", "Cookie", "Host", "Origin", "Connection", "Dpop", "Content-Length"}

// Token is the access token of a request, which comes in one place. inCookie: the request is to be held to
// [FromOwnPage].
func (s Source) Token(header http.Header) (token string, inCookie bool, err error) {
	found := s.cookies(header)
	inCookie = len(found) > 0
	if s.Header != "" {
		found = append(found, header[textproto.CanonicalMIMEHeaderKey(s.Header)]...)
	}
	switch {
	case len(found) == 0:
		token, err = Token(header)
		return token, false, err
	case len(found) > 1 || header["Authorization"] != nil:
		return "", false, oauth.Reject(oauth.InvalidRequest, "RFC 6750 section 2",
			"the request has access tokens in several places: the cookie, or field, that this resource server takes them from, and Authorization; send one")
	case len(header["Dpop"]) > 0:
		return "", false, Unsupported("leave out the proof")
	case !isToken68(found[0]):
		return "", false, BadToken("RFC 6750 section 2.1", "the access token is malformed; the cookie or field has to be the token alone")
	}
	return found[0], inCookie, nil
}

// cookies are the values of the cookie, "" for one whose name a server behind may take for it: some
// trim white space of Unicode, and browsers let any host of the domain set a cookie with that
// before __Host-.
func (s Source) cookies(header http.Header) (values []string) {
	if s.Cookie == "" {
		return nil
	}
	for _, field := range header["Cookie"] {
		for pair := range strings.SplitSeq(field, ";") {
			switch name, value, _ := strings.Cut(textproto.TrimString(pair), "="); {
			case name == s.Cookie:
				values = append(values, value)
			case strings.TrimFunc(name, isNoVisibleASCII) == s.Cookie:
				values = append(values, "")
			}
		}
	}
	return values
}

func isNoVisibleASCII(r rune) bool { return r <= ' ' || r >= 0x7f }

// FromOwnPage rejects a request that another site's page may have had a browser send, with the
// user's cookies: one that may change something or opens a WebSocket, without the Origin of the
// URL under which the client knows this server.
func FromOwnPage(r *http.Request, own string) error {
	safe := r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions
	if safe && r.Header["Upgrade"] == nil {
		return nil
	}
	u, err := url.Parse(own)
	origins := r.Header["Origin"]
	if err == nil && u.Host != "" && len(origins) == 1 && origins[0] == strings.ToLower(u.Scheme+"://"+u.Host) {
		return nil
	}
	return AccessDenied("with the token in a cookie, requests that may change something, and WebSockets, have to come from this site's own pages (Origin); " +
		"programs send it in Authorization, after the word Bearer")
}
