package testidp

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// AuthMethod is a token_endpoint_auth_method (RFC 7591 section 2).
type AuthMethod string

// The authentication methods. Public is the zero value; a client with a secret may
// then send it in both ways.
const (
	Public            AuthMethod = ""
	ClientSecretBasic AuthMethod = "client_secret_basic"
	ClientSecretPost  AuthMethod = "client_secret_post"
)

// Client is an application that may use the provider.
type Client struct {
	// The client_id.
	ID string `json:"id"`

	// With a secret the client is confidential and authenticates with it at the token
	// endpoint (`client_secret_basic` or `client_secret_post`).
	Secret string `json:"secret,omitempty"`

	// Where a response may go. A loopback one without a port stands for any port
	// (RFC 8252 section 7.3), a path that ends in `/*` for every path below.
	RedirectURIs []string `json:"redirect_uris,omitempty"`

	// Where a logout may go, in the same form.
	ReturnTo []string `json:"return_to,omitempty"`

	// Origins whose pages may call the token and user info endpoints. A loopback
	// one without a port stands for any port.
	Origins []string `json:"origins,omitempty"`

	// Auth is how it authenticates at the token endpoint.
	Auth AuthMethod `json:"-"`
}

// registration is a checked Client.
type registration struct {
	Client
	redirectURIs, returnTo, origins []registeredURI
}

func register(clients []Client) (map[string]*registration, error) {
	registrations := make(map[string]*registration, len(clients))
	for i, c := range clients {
		if c.ID == "" {
			return nil, fmt.Errorf("client %d has no id", i+1)
		}
		if _, twice := registrations[c.ID]; twice {
			return nil, fmt.Errorf("client %q is given twice", c.ID)
		}
		reg := &registration{Client: c}
		for _, list := range []struct {
			name string
			from []string
			to   *[]registeredURI
		}{
			{"redirect URI", c.RedirectURIs, &reg.redirectURIs},
			{"return URL", c.ReturnTo, &reg.returnTo},
			{"origin", c.Origins, &reg.origins},
		} {
			for _, text := range list.from {
				uri, err := parseRegisteredURI(text)
				if err != nil {
					return nil, fmt.Errorf("client %q: %s %q: %w", c.ID, list.name, text, err)
				}
				*list.to = append(*list.to, uri)
			}
		}
		registrations[c.ID] = reg
	}
	return registrations, nil
}

// registeredURI is a redirect URI, return URL or origin of the configuration.
type registeredURI struct {
	url     *url.URL
	anyPort bool
	below   string // the path before the "*" of "/*", or empty for an exact path
}

func parseRegisteredURI(text string) (registeredURI, error) {
	u, err := parseAbsoluteURI(text)
	if err != nil {
		return registeredURI{}, err
	}
	uri := registeredURI{url: u, anyPort: u.Port() == "" && uris.IsLoopback(u.Hostname())}
	before, after, wildcard := strings.Cut(u.Path, "*")
	if wildcard && (after != "" || !strings.HasSuffix(before, "/")) {
		return registeredURI{}, errors.New(`a "*" is understood only as the last segment of the path`)
	}
	if wildcard {
		uri.below = before
	}
	return uri, nil
}

func parseAbsoluteURI(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, errors.New("not a URI")
	case u.Scheme == "" || (u.Host == "" && u.Path == ""):
		return nil, errors.New("not an absolute URI")
	case u.Fragment != "" || strings.Contains(text, "#"):
		return nil, errors.New("a fragment is not allowed")
	case u.User != nil:
		return nil, errors.New("a user name is not allowed")
	}
	return u, nil
}

func (reg registeredURI) matches(text string) bool {
	u, err := parseAbsoluteURI(text)
	if err != nil || u.Scheme != reg.url.Scheme || u.RawQuery != reg.url.RawQuery || u.Opaque != reg.url.Opaque {
		return false
	}
	if !strings.EqualFold(u.Hostname(), reg.url.Hostname()) || (!reg.anyPort && u.Port() != reg.url.Port()) {
		return false
	}
	path := u.EscapedPath()
	if reg.below == "" {
		return path == reg.url.EscapedPath()
	}
	return path == strings.TrimSuffix(reg.below, "/") || strings.HasPrefix(path, reg.below)
}

func anyMatches(registered []registeredURI, text string) bool {
	return slices.ContainsFunc(registered, func(reg registeredURI) bool { return reg.matches(text) })
}

// originAllowed decides cross-origin requests of pages (Fetch standard).
func (p *Provider) originAllowed(origin string) bool {
	for _, client := range p.clients {
		if anyMatches(client.origins, origin) {
			return true
		}
	}
	return false
}
