package uris

import (
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
)

// Parse parses an absolute URI that may receive a browser: no fragment, no
// userinfo, nothing outside the URI alphabet, a valid host and port. Browsers
// repair URIs that break these rules, each in its own way.
func Parse(s string) (*url.URL, error) {
	if !syntax.URIChar.Holds(s) {
		return nil, fmt.Errorf("has a character that a URI may not have")
	}
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return nil, fmt.Errorf("is not a URI")
	case u.Scheme == "":
		return nil, fmt.Errorf("is not absolute")
	case strings.IndexByte(s, '#') >= 0:
		return nil, fmt.Errorf("has a fragment")
	case u.User != nil:
		return nil, fmt.Errorf("has user information before the host")
	}
	if port := u.Port(); port != "" && !IsPort(port) || strings.HasSuffix(u.Host, ":") {
		return nil, fmt.Errorf("has a port outside 1-65535")
	}
	return u, nil
}

// CheckRedirect checks the form of a redirect_uri: https, http on loopback
// (RFC 8252 section 7.3) or a private-use scheme with a dot (RFC 8252 section 7.1).
func CheckRedirect(s string) error {
	u, err := Parse(s)
	if err != nil {
		return err
	}
	switch {
	case u.Scheme == "https" || u.Scheme == "http":
		return checkWeb(u)
	case strings.IndexByte(u.Scheme, '.') < 0:
		return fmt.Errorf("has a scheme other than https, http on loopback, or a private one with a dot such as com.example.app")
	case strings.HasSuffix(u.Scheme, "."):
		return fmt.Errorf("has a scheme that ends with a dot")
	}
	return nil
}

// CheckConfigured checks the form of a redirect URI that the operator names: as
// [CheckRedirect], or with a scheme without a dot (myapp://callback), which another app on the
// user's device may claim as well, or http below localhost (RFC 6761 section 6.3).
func CheckConfigured(s string) error {
	u, err := Parse(s)
	switch {
	case err != nil:
		return err
	case isDangerousScheme(u.Scheme):
		return errDangerousScheme
	case u.Scheme == "http" && strings.HasSuffix(u.Hostname(), ".localhost"):
		u.Scheme = "https"
		return checkWeb(u)
	case u.Scheme != "https" && u.Scheme != "http" && !strings.Contains(u.Scheme, "."):
		if u.Host != "" && (u.Port() != "" || !IsHost(u.Hostname())) { // browsers read what looks like one otherwise
			return fmt.Errorf("has a malformed host")
		}
		return nil
	}
	return CheckRedirect(s)
}

// ParseWeb parses a URI of the web: https, or http on loopback.
func ParseWeb(s string) (*url.URL, error) {
	u, err := Parse(s)
	if err == nil {
		err = checkWeb(u)
	}
	return u, err
}

// checkWeb allows https with a host, and http on loopback only.
func checkWeb(u *url.URL) error {
	host := u.Hostname()
	switch {
	case host == "":
		return fmt.Errorf("has no host")
	case strings.HasPrefix(u.Host, "[") != (strings.IndexByte(host, ':') >= 0) || !IsHost(host):
		return fmt.Errorf("has a malformed host")
	case !IsSecure(u):
		return fmt.Errorf("must be https (http only on 127.0.0.1, [::1] or localhost)")
	}
	return nil
}

// IsSecure reports a URL with which nobody on the way can read or alter what is sent: https, or
// http on loopback.
func IsSecure(u *url.URL) bool {
	return u.Scheme == "https" || u.Scheme == "http" && IsLoopback(u.Hostname())
}

// IsHost reports the name or address of a host that browsers take as it is written.
// They refuse other ones, or go elsewhere: to 127.0.0.1 for 0x7f.1 (WHATWG URL
// section 3.5).
func IsHost(host string) bool {
	if strings.IndexByte(host, ':') >= 0 {
		address, err := netip.ParseAddr(host)
		return err == nil && address.Zone() == ""
	}
	if host == "" || !syntax.HostChar.Holds(host) {
		return false
	}
	if lower := strings.ToLower(host); strings.Contains(lower, "xn--") {
		if name, err := idna.Lookup.ToASCII(lower); err != nil || name != lower {
			return false
		}
	}
	last := strings.TrimSuffix(host, ".")
	last = last[strings.LastIndexByte(last, '.')+1:]
	if !isNumber(last) {
		return true
	}
	_, err := netip.ParseAddr(host)
	return err == nil
}

// isNumber reports what browsers take for a part of an IPv4 address.
func isNumber(s string) bool {
	if len(s) >= 2 && s[0] == '0' && s[1]|0x20 == 'x' {
		return syntax.HexDigit.Holds(s[2:])
	}
	return s != "" && syntax.Digit.Holds(s)
}

// IsLoopback reports whether host names this machine in the ways RFC 8252
// sections 7.3 and 8.3 know: 127.0.0.1, ::1 and localhost. Other spellings of
// the same addresses are ambiguous and do not count.
func IsLoopback(host string) bool {
	return host == "127.0.0.1" || host == "::1" || host == "localhost"
}

// IsPort reports a port as URIs have it: 1 to 65535, in decimal, without leading zeros.
func IsPort(s string) bool {
	if s == "" || s[0] == '0' {
		return false
	}
	_, err := strconv.ParseUint(s, 10, 16)
	return err == nil
}

// IsLoopbackRedirect reports whether a redirect URI is a native app's on this machine
// (RFC 8252 section 7.3).
func IsLoopbackRedirect(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && IsLoopback(u.Hostname())
}

// IsPrivateScheme reports whether a redirect URI is a native app's by a scheme of its own
// (RFC 8252 section 7.1).
func IsPrivateScheme(s string) bool {
	return !strings.HasPrefix(s, "https:") && !strings.HasPrefix(s, "http:")
}

// Key is the one form of a resource's URI in which two are compared: scheme and
// host in lower case (RFC 3986 section 6.2.2.1), without a single slash at the end, and
// everything else as it is. The error completes a sentence about the URI.
func Key(s string) (string, error) {
	u, err := ParseWeb(s)
	if err != nil {
		return "", err
	}
	_, rest, _ := strings.Cut(s, "://")
	host := rest
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		host = rest[:i]
	}
	path := rest[len(host):]
	if trimmed, ok := strings.CutSuffix(path, "/"); ok && !strings.HasSuffix(trimmed, "/") && !strings.Contains(path, "?") {
		path = trimmed
	}
	return u.Scheme + "://" + strings.ToLower(host) + path, nil
}

// Origin is the web origin of a redirect URI, which alone may read a message to it.
func Origin(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Host == "" {
		return "'none'"
	}
	return originOf(u)
}

// SameOrigin reports whether two URLs with a host have one web origin (RFC 6454 section 5):
// a scheme's own port is the one that is left out, and the host's case does not count.
func SameOrigin(a, b *url.URL) bool { return originOf(a) == originOf(b) }

func originOf(u *url.URL) string {
	scheme, host, port := strings.ToLower(u.Scheme), strings.ToLower(u.Hostname()), u.Port()
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port == "" || scheme == "https" && port == "443" || scheme == "http" && port == "80" {
		return scheme + "://" + host
	}
	return scheme + "://" + host + ":" + port
}
