package requiretoken

import (
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/routes"
)

// What stands before require_token, and what behind it.

const first = "; put require_token before it (in route { … } the lines run in their order, elsewhere Caddy sorts them), and leave order to the plugin"

// taker is what responds to all requests before the handler, nil if that gets some.
func (s *site) taker() caddyhttp.MiddlewareHandler {
	if s.reached {
		return nil
	}
	t := s.follow(routes.As{Path: s.paths[0], Loose: true})
	if len(t.Visits) == 0 {
		return nil
	}
	return t.Visits[len(t.Visits)-1].Handler
}

func (s *site) neverReached() string {
	if taker := s.taker(); isContent(taker) {
		return routes.NameOf(taker) + " responds first, to every request, and nobody needs a token" + first
	}
	return ""
}

func (s *site) idle() string {
	taker := s.taker()
	if s.reached || isContent(taker) {
		return ""
	}
	if taker == nil {
		return "require_token gets no request: another handle or route gets all of them"
	}
	return "require_token gets no request: " + routes.NameOf(taker) + " responds first, to all of them" + first
}

// nothingFollows: what the operator means to protect is somewhere else.
func (s *site) nothingFollows() string {
	if s.follows || len(s.trips) == 0 {
		return ""
	}
	paths := []string{"/", "/any"}
	for _, place := range routes.PlacesOf(s.Server, isContent) {
		for _, pattern := range place.Patterns() {
			paths = append(paths, example(pattern), place.Prefix+example(pattern))
		}
	}
	for _, path := range paths {
		if t := s.follow(routes.As{Path: path}); isContent(open(t)) {
			return "nothing follows it, and " + routes.NameOf(open(t)) + " serves " + path + " without a token; " +
				"what it is to protect has to stand in the same handle as require_token, or neither of them in one"
		}
	}
	return ""
}
