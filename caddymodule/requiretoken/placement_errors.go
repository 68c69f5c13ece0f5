package requiretoken

import (
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/routes"
)

// Error routes.

func (s *site) errorRoutes() string {
	t := s.follow(routes.As{Path: "/", Failed: true})
	for _, visit := range t.Visits {
		if _, isGuard := visit.Handler.(routes.Guard); isGuard {
			return ""
		}
		if addresses := upstreams(visit.Handler); slices.ContainsFunc(addresses, func(address string) bool { return s.behind[address] }) {
			return "handle_errors leads past require_token to " + strings.Join(addresses, ", ") + ", the server that it protects, what Caddy itself refuses, as it came; " +
				"take error pages from files (file_server), or from a server of their own, or write require_token there, too"
		}
	}
	return ""
}
