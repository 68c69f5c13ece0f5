package testidp

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// Client is an application that may use the provider.
type Client struct {
	// The client_id.
	ID string `json:"id"`

	// With a secret the client is confidential and authenticates with it at the token
	// endpoint (`client_secret_basic` or `client_secret_post`).
	Secret string `json:"secret,omitempty"`

	// Where a response may go. A loopback one without a port stands for any port
	// (RFC 8252 section 7.3), a path that ends in `/*` for every path below. Pages of their
	// origins may call the token and user info endpoints.
	RedirectURIs []string `json:"redirect_uris,omitempty"`

	// Where a logout may go, in the same form.
	ReturnTo []string `json:"return_to,omitempty"`

	// Auth is how it has to send its secret (token_endpoint_auth_method, RFC 7591 section 2),
	// "" for either way.
	Auth string `json:"-"`
}

// register checks the clients. They are by ID.
func register(clients []Client) (map[string]Client, error) {
	byID := make(map[string]Client, len(clients))
	for i, c := range clients {
		switch _, twice := byID[c.ID]; {
		case c.ID == "":
			return nil, fmt.Errorf("client %d has no id", i+1)
		case twice:
			return nil, fmt.Errorf("client %q is given twice", c.ID)
		}
		for name, list := range map[string][]string{"redirect URI": c.RedirectURIs, "return URL": c.ReturnTo} {
			for _, text := range list {
				if err := checkRegistered(text); err != nil {
					return nil, fmt.Errorf("client %q: %s %q %w", c.ID, name, text, err)
				}
			}
		}
		byID[c.ID] = c
	}
	return byID, nil
}

// checkRegistered checks a redirect URI or return URL of the configuration.
func checkRegistered(text string) error {
	u, err := uris.Parse(text)
	if err != nil {
		return err
	}
	if before, after, wildcard := strings.Cut(u.Path, "*"); wildcard && (after != "" || !strings.HasSuffix(before, "/")) {
		return errors.New(`has a "*" that is not the last segment of the path`)
	}
	return nil
}

// matches reports that a URI is what a registered one stands for.
func matches(registered, text string) bool {
	u, err := uris.Parse(text)
	reg, bad := uris.Parse(registered)
	if err != nil || bad != nil || u.Scheme != reg.Scheme || u.RawQuery != reg.RawQuery || u.Opaque != reg.Opaque {
		return false
	}
	anyPort := reg.Port() == "" && uris.IsLoopback(reg.Hostname())
	if !strings.EqualFold(u.Hostname(), reg.Hostname()) || (!anyPort && u.Port() != reg.Port()) {
		return false
	}
	path := u.EscapedPath()
	if below, ok := strings.CutSuffix(reg.Path, "*"); ok {
		return path == strings.TrimSuffix(below, "/") || strings.HasPrefix(path, below)
	}
	return path == reg.EscapedPath()
}

// isOfPage reports whether an origin is that of a page to which codes go.
func (c Client) isOfPage(origin string) bool {
	return slices.ContainsFunc(c.RedirectURIs, func(one string) bool { return matches(uris.Origin(one), origin) })
}

func anyMatches(registered []string, text string) bool {
	return slices.ContainsFunc(registered, func(one string) bool { return matches(one, text) })
}
