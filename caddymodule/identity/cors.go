package identity

import (
	"fmt"
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/cors"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// crossOrigin lets scripts of the registered web origins call the token, revocation
// and userinfo endpoints.
type crossOrigin struct {
	all      cors.Origins            // of all clients
	byClient map[string]cors.Origins // by client id
}

// newCrossOrigin reads the origins of the clients. Their ids are resolved by the caller.
func newCrossOrigin(clients []Client, ids []string) (crossOrigin, error) {
	c := crossOrigin{byClient: make(map[string]cors.Origins, len(clients))}
	for i, client := range clients {
		configured, err := args.ResolveAll("origin", client.Origins)
		if err != nil {
			return c, fmt.Errorf("client %s: %w", ids[i], err)
		}
		origins, err := cors.ParseOrigins(configured)
		if err != nil {
			return c, fmt.Errorf("client %s: %w", ids[i], err)
		}
		if origins.HasAny() {
			return c, fmt.Errorf("client %s: origin %s is not accepted here; list each origin", ids[i], cors.Any)
		}
		c.all = c.all.Union(origins)
		c.byClient[ids[i]] = origins
	}
	return c, nil
}

// corsEndpoint is what scripts may do at an endpoint. It is false for the front
// channel, where browsers navigate.
func corsEndpoint(endpoint idp.Endpoint) (cors.Endpoint, bool) {
	if endpoint != idp.Token && endpoint != idp.UserInfo && endpoint != idp.Revoke {
		return cors.Endpoint{}, false
	}
	return cors.Endpoint{
		Method: endpoint.Method(),
		// The libraries of single-page apps send these. DPoP is rejected, with an
		// error that they can read.
		RequestHeaders:  []string{"Authorization", "Content-Type", "Auth0-Client", "X-Application-ID", "DPoP"},
		ResponseHeaders: []string{"WWW-Authenticate", "Retry-After", decision.ReferenceHeader},
	}, true
}

// setHeader allows a script of a registered origin to read the response. A
// clientID narrows the origins to those of that client.
func (c *crossOrigin) setHeader(w http.ResponseWriter, r *http.Request, endpoint idp.Endpoint, clientID string) {
	origins := c.all
	if own, registered := c.byClient[clientID]; registered {
		origins = own
	}
	if e, ok := corsEndpoint(endpoint); ok {
		e.SetHeader(w.Header(), r, origins)
	}
}

// servePreflight responds to a CORS preflight, and reports whether r was one.
func (c *crossOrigin) servePreflight(w http.ResponseWriter, r *http.Request, endpoint idp.Endpoint) bool {
	e, ok := corsEndpoint(endpoint)
	return ok && e.ServePreflight(w, r, c.all)
}

// allow is the value of Allow in a response with status 405, in place of the
// policy's.
func (c *crossOrigin) allow(endpoint idp.Endpoint, policy string) string {
	if e, ok := corsEndpoint(endpoint); ok {
		return e.Allow(c.all)
	}
	return policy
}
