package idp

import (
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// parseURI parses an absolute URI that may receive a browser: no fragment, no
// userinfo, nothing outside the URI alphabet, a valid host and port. Browsers
// repair URIs that break these rules, each in its own way.
func parseURI(s string) (*url.URL, error) {
	if !uriChar.holds(s) {
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
	if port := u.Port(); port != "" && !isPort(port) || strings.HasSuffix(u.Host, ":") {
		return nil, fmt.Errorf("has a port outside 1-65535")
	}
	return u, nil
}

// checkRedirectURI checks the form of a redirect_uri: https, http on loopback
// (RFC 8252 section 7.3) or a private-use scheme with a dot (RFC 8252 section 7.1).
func checkRedirectURI(s string) error {
	u, err := parseURI(s)
	if err != nil {
		return err
	}
	switch {
	case u.Scheme == "https" || u.Scheme == "http":
		return checkWebURI(u)
	case strings.IndexByte(u.Scheme, '.') < 0:
		return fmt.Errorf("has a scheme other than https, http on loopback, or a private one with a dot such as com.example.app")
	case strings.HasSuffix(u.Scheme, "."):
		return fmt.Errorf("has a scheme that ends with a dot")
	}
	return nil
}

// checkReturnTo checks the form of a page to return to after logout: https, or
// http on loopback.
func checkReturnTo(s string) error {
	u, err := parseURI(s)
	if err != nil {
		return err
	}
	return checkWebURI(u)
}

// checkWebURI allows https with a host, and http on loopback only.
func checkWebURI(u *url.URL) error {
	host := u.Hostname()
	switch {
	case host == "":
		return fmt.Errorf("has no host")
	case strings.HasPrefix(u.Host, "[") != (strings.IndexByte(host, ':') >= 0) || !isHost(host):
		return fmt.Errorf("has a malformed host")
	case u.Scheme == "https":
		return nil
	case u.Scheme == "http" && IsLoopback(host):
		return nil
	}
	return fmt.Errorf("must be https (http only on 127.0.0.1, [::1] or localhost)")
}

// isHost reports the name or address of a host that browsers take as it is written.
// They refuse other ones, or go elsewhere: to 127.0.0.1 for 0x7f.1 (WHATWG URL
// section 3.5).
func isHost(host string) bool {
	if strings.IndexByte(host, ':') >= 0 {
		address, err := netip.ParseAddr(host)
		return err == nil && address.Zone() == ""
	}
	if host == "" || !hostChar.holds(host) {
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
		return hexDigit.holds(s[2:])
	}
	return s != "" && digit.holds(s)
}

// IsLoopback reports whether host names this machine in the ways RFC 8252
// sections 7.3 and 8.3 know: 127.0.0.1, ::1 and localhost. Other spellings of
// the same addresses are ambiguous and do not count.
func IsLoopback(host string) bool {
	return host == "127.0.0.1" || host == "::1" || host == "localhost"
}

func isPort(s string) bool {
	if s == "" || s[0] == '0' {
		return false
	}
	_, err := strconv.ParseUint(s, 10, 16)
	return err == nil
}

// registeredURI is a redirect URI from the configuration.
type registeredURI struct {
	exact string
	// before and after surround the port of an http loopback URI, whose port
	// the native app chooses at run time (RFC 8252 section 7.3).
	before, after string
}

// newRegisteredURI compiles a redirect URI that passed checkRedirectURI.
func newRegisteredURI(s string) registeredURI {
	r := registeredURI{exact: s}
	for _, before := range []string{"http://127.0.0.1", "http://[::1]", "http://localhost"} {
		if rest, ok := strings.CutPrefix(s, before); ok {
			r.before, r.after = before, strings.TrimLeft(rest, ":0123456789")
			return r
		}
	}
	return r
}

// matches compares as RFC 6749 section 3.1.2.3 and RFC 9700 section 2.1 ask:
// the strings must be equal, except for the port of a loopback URI.
func (r registeredURI) matches(s string) bool {
	if s == r.exact {
		return true
	}
	if r.before == "" || !strings.HasPrefix(s, r.before) || !strings.HasSuffix(s, r.after) ||
		len(s) < len(r.before)+len(r.after) {
		return false
	}
	port := s[len(r.before) : len(s)-len(r.after)]
	return port == "" || port[0] == ':' && isPort(port[1:])
}

// port is the port of s, which matches r, if the client chose it: of an http
// loopback URI. 0 stands for none.
func (r registeredURI) port(s string) uint16 {
	if r.before == "" {
		return 0
	}
	digits := strings.TrimPrefix(s[len(r.before):len(s)-len(r.after)], ":")
	n, _ := strconv.ParseUint(digits, 10, 16) // matches saw to its form
	return uint16(n)
}

// withPort is the URI that matches r and has this port.
func (r registeredURI) withPort(port uint16) string {
	switch {
	case r.before == "":
		return r.exact
	case port == 0:
		return r.before + r.after
	}
	return r.before + ":" + strconv.Itoa(int(port)) + r.after
}

// isLoopbackRedirect reports a redirect URI of a native app on this machine
// (RFC 8252 section 7.3).
func isLoopbackRedirect(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && IsLoopback(u.Hostname())
}

// isPrivateScheme reports a redirect URI of a native app by a scheme of its own
// (RFC 8252 section 7.1).
func isPrivateScheme(s string) bool {
	return !strings.HasPrefix(s, "https:") && !strings.HasPrefix(s, "http:")
}
