package upstream

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/endpoint"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// address is the address of an endpoint at the IdP. The zero value is one that
// is not known.
type address struct {
	url *url.URL
	// text is the whole address.
	text string
}

func newAddress(u *url.URL) address { return address{u, u.String()} }

// parseAddress reads [Config].Endpoints: a path below the IdP's address, or a URL.
func parseAddress(of endpoint.Endpoint, s string, authURL *url.URL) (address, error) {
	if strings.HasPrefix(s, "/") {
		if !syntax.URIChar.Holds(s) || strings.ContainsAny(s, "?#%") {
			return address{}, fmt.Errorf("endpoint %s: a path must have no query, fragment or escapes", of)
		}
		u := *authURL
		u.Path += s
		return newAddress(&u), nil
	}
	u, err := uris.Parse(s)
	switch {
	case err != nil:
		return address{}, fmt.Errorf("endpoint %s: %s %w; write a path, which begins with /, or a URL", of, s, err)
	case u.Scheme != "https" && u.Scheme != "http" || !uris.IsHost(u.Hostname()):
		return address{}, fmt.Errorf("endpoint %s: %s is neither a path, which begins with /, nor an https URL", of, s)
	}
	u.Host = strings.ToLower(u.Host)
	return newAddress(u), nil
}

// setEndpoints reads the addresses of the configuration. With discovery, the
// others are not known yet.
func (u *Upstream) setEndpoints(c Config) (err error) {
	for i, of := range append(endpoint.Always[:], endpoint.Revoke, endpoint.PushedRequest) {
		configured, ok := c.Endpoints[of]
		switch {
		case !ok && (c.Discover || i >= len(endpoint.Always)):
			continue
		case !ok:
			configured = of.Path()
		}
		if u.endpoints[of], err = parseAddress(of, configured, u.authURL); err != nil {
			return err
		}
	}
	return nil
}

// At is the endpoint's address at the IdP, nil if it is not known. It must not be changed.
func (u *Upstream) At(of endpoint.Endpoint) *url.URL { return u.endpoints[of].url }

// Has reports whether the endpoint's address at the IdP is known.
func (u *Upstream) Has(of endpoint.Endpoint) bool { return u.endpoints[of].text != "" }

// AppendURL appends the endpoint's address at the IdP and what begins a query.
func (u *Upstream) AppendURL(dst []byte, of endpoint.Endpoint) []byte {
	at := u.endpoints[of]
	dst = append(dst, at.text...)
	if at.url.RawQuery == "" {
		dst = append(dst, '?')
	}
	return dst
}

// BackChannel are the addresses that login, refresh and user info send requests to, one for
// each host, as far as they are known.
func (u *Upstream) BackChannel() []*url.URL {
	var addresses []*url.URL
	for _, of := range [...]endpoint.Endpoint{endpoint.Token, endpoint.UserInfo} {
		at := u.endpoints[of].url
		if at != nil && !slices.ContainsFunc(addresses, func(other *url.URL) bool { return other.Host == at.Host }) {
			addresses = append(addresses, at)
		}
	}
	return addresses
}

// Proxied reports whether another handler passes browsers' requests on to the IdP, which has
// this host's name.
func (u *Upstream) Proxied() bool { return u.proxied }

// ProxiesTo reports whether it passes them on to an endpoint: one on the IdP's own host.
func (u *Upstream) ProxiesTo(of endpoint.Endpoint) bool {
	return u.proxied && uris.SameOrigin(u.endpoints[of].url, u.authURL)
}

// Unencrypted are the hosts to which codes, secrets and tokens travel by http, and not on
// loopback.
func (u *Upstream) Unencrypted() []string {
	var hosts []string
	for _, at := range append(u.endpoints[:], newAddress(u.authURL)) {
		if at := at.url; at != nil && at.Scheme == "http" && !uris.IsLoopback(at.Hostname()) && !slices.Contains(hosts, at.Host) {
			hosts = append(hosts, at.Host)
		}
	}
	return hosts
}

// ParseAuthURL checks the address of the IdP and brings it into one form, since
// what is sealed and claimed is bound to it: the host in lower case, no default
// port, no trailing slash.
func ParseAuthURL(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" {
		return nil, fmt.Errorf("the IdP's address must be a URL such as https://tenant.eu.auth0.com")
	}
	if err := checkAuthURL(u, s); err != nil {
		return nil, err
	}
	u.Host = strings.ToLower(u.Host)
	if u.Scheme == "https" && u.Port() == "443" || u.Scheme == "http" && u.Port() == "80" {
		u.Host = strings.TrimSuffix(u.Host, ":"+u.Port())
	}
	u.Path = strings.TrimRight(u.Path, "/")
	for _, of := range endpoint.Always {
		if strings.HasSuffix(u.Path, of.Path()) {
			return nil, fmt.Errorf("the IdP's address must not be that of an endpoint: leave out %s, or let discover find the endpoints below the issuer", of.Path())
		}
	}
	return u, nil
}

func checkAuthURL(u *url.URL, s string) error {
	switch {
	case !uris.IsHost(u.Hostname()):
		return fmt.Errorf("the IdP's address has a host that browsers read as another one, or not at all; write names in ASCII, as xn--…, and IP addresses in full")
	case u.User != nil || u.RawQuery != "" || u.ForceQuery || strings.Contains(s, "#"):
		return fmt.Errorf("the IdP's address must have no user information, query or fragment")
	case u.Port() != "" && !uris.IsPort(u.Port()) || strings.HasSuffix(u.Host, ":"):
		return fmt.Errorf("the IdP's address has a port outside 1-65535")
	case u.RawPath != "":
		return fmt.Errorf("the IdP's address must have no percent-encoding in its path")
	}
	return nil
}
