package idp

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"

	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/paths"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// idpEndpoint is the address of an endpoint at the IdP. The zero value is one that
// is not known.
type idpEndpoint struct {
	url *url.URL
	// text is the whole address.
	text string
}

func newIdPEndpoint(u *url.URL) idpEndpoint { return idpEndpoint{u, u.String()} }

// parseIdPEndpoint reads [Config.Endpoints]: a path below the IdP's address, or a URL.
func parseIdPEndpoint(endpoint Endpoint, s string, authURL *url.URL) (idpEndpoint, error) {
	if strings.HasPrefix(s, "/") {
		if !syntax.URIChar.Holds(s) || strings.ContainsAny(s, "?#%") {
			return idpEndpoint{}, fmt.Errorf("endpoint %s: a path must have no query, fragment or escapes", endpoint)
		}
		u := *authURL
		u.Path += s
		return newIdPEndpoint(&u), nil
	}
	u, err := uris.Parse(s)
	switch {
	case err != nil:
		return idpEndpoint{}, fmt.Errorf("endpoint %s: %s %w; write a path, which begins with /, or a URL", endpoint, s, err)
	case u.Scheme != "https" && u.Scheme != "http" || !uris.IsHost(u.Hostname()):
		return idpEndpoint{}, fmt.Errorf("endpoint %s: %s is neither a path, which begins with /, nor an https URL", endpoint, s)
	}
	u.Host = strings.ToLower(u.Host)
	return newIdPEndpoint(u), nil
}

// compileEndpoints reads the addresses of the configuration. With discovery, the
// others are not known yet.
func (p *Policy) compileEndpoints(c Config) error {
	for _, endpoint := range Endpoints {
		address, ok := c.Endpoints[endpoint]
		if !ok && c.Discover {
			continue
		}
		if !ok {
			address = endpoint.Path()
		}
		var err error
		if p.endpoints[endpoint], err = parseIdPEndpoint(endpoint, address, p.authURL); err != nil {
			return err
		}
	}
	for _, endpoint := range [...]Endpoint{Revoke, PushedRequest} {
		if address, ok := c.Endpoints[endpoint]; ok {
			var err error
			if p.endpoints[endpoint], err = parseIdPEndpoint(endpoint, address, p.authURL); err != nil {
				return err
			}
		}
	}
	return nil
}

// NeedsDiscovery reports whether an IdP is known to have no endpoint at the public path,
// where the configuration leaves it: browsers would find nothing there.
func (p *Policy) NeedsDiscovery() bool {
	if p.endpoints[Authorize].text != p.authURL.String()+Authorize.Path() {
		return false // configured, or left to discover
	}
	host := p.authURL.Hostname()
	return isEntra(p.authURL) || host == "accounts.google.com" || host == "github.com" || strings.HasSuffix(host, ".okta.com") ||
		strings.HasPrefix(host, "cognito-idp.") || strings.Contains(p.authURL.Path, "/realms/") // Keycloak
}

// protectEndpoints makes the endpoints' paths, the public ones and those at the
// IdP, ones that no other handler may serve. Of another host they matter only
// where all of a host is proxied to the IdP, which deny_path is for.
func (p *Policy) protectEndpoints() {
	p.protected = p.protected.WithoutOwners()
	protect := func(path string, endpoint Endpoint) { p.protected.Add(path, uint8(endpoint)) }
	for i, served := range p.served {
		if served {
			protect(Endpoint(i).Path(), Endpoint(i))
		}
	}
	for i, at := range p.endpoints {
		if !p.served[i] || at.text == "" || at.url.Host != p.authURL.Host && !p.protected.DeniesSome() {
			continue
		}
		if path := paths.Canonical(at.url.Path); path != Endpoint(i).Path() && path != "/" {
			protect(path, NoEndpoint)
		}
	}
	if p.callback != nil {
		protect(p.callback.path, Callback)
	}
}

// endpointURL is the endpoint's address at the IdP, nil if it is not known. It
// must not be changed.
func (p *Policy) endpointURL(endpoint Endpoint) *url.URL { return p.endpoints[endpoint].url }

// BackChannel are the addresses that login, refresh and user info send requests to, one for
// each host, as far as they are known.
func (p *Policy) BackChannel() []*url.URL {
	var addresses []*url.URL
	for _, endpoint := range [...]Endpoint{Token, UserInfo} {
		u := p.endpoints[endpoint].url
		if u != nil && !slices.ContainsFunc(addresses, func(other *url.URL) bool { return other.Host == u.Host }) {
			addresses = append(addresses, u)
		}
	}
	return addresses
}

// proxiesTo reports whether the next handler passes browsers' requests on to an endpoint:
// one on the IdP's host, which has this host's name.
func (p *Policy) proxiesTo(endpoint Endpoint) bool {
	return p.proxiesFrontChannel && p.isAuthURL(p.endpoints[endpoint].url)
}

// HandsHostOver reports whether other handlers may hand this whole host to the IdP, so
// that they get nothing while it is not known which of its paths are protected.
func (p *Policy) HandsHostOver() bool { return p.proxiesFrontChannel || p.protected.DeniesSome() }

// clientOrigins are the web origins of a client.
func (p *Policy) clientOrigins(y clients.Party) cors.Origins {
	if y.Client != nil {
		return y.Client.Origins
	}
	return p.registry.Origins
}

// isAuthURL reports whether u is on the origin of [Policy.AuthURL].
func (p *Policy) isAuthURL(u *url.URL) bool {
	return uris.SameOrigin(u, p.authURL)
}

// Unencrypted are the hosts to which codes, secrets and tokens travel by http, and not on
// loopback.
func (p *Policy) Unencrypted() []string {
	var hosts []string
	for _, at := range append(p.endpoints[:], newIdPEndpoint(p.authURL)) {
		if u := at.url; u != nil && u.Scheme == "http" && !uris.IsLoopback(u.Hostname()) && !slices.Contains(hosts, u.Host) {
			hosts = append(hosts, u.Host)
		}
	}
	return hosts
}

// appendEndpoint appends the endpoint's address at the IdP and what begins a query.
func (p *Policy) appendEndpoint(dst []byte, endpoint Endpoint) []byte {
	at := p.endpoints[endpoint]
	dst = append(dst, at.text...)
	if at.url.RawQuery == "" {
		dst = append(dst, '?')
	}
	return dst
}
