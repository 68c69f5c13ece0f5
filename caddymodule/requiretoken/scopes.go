package requiretoken

import (
	"slices"
	"strings"
	"sync"

	"github.com/caddyserver/caddy/v2"
)

// scopes are what clients are told of those that they can ask for.
type scopes struct {
	all   []string // scopes_supported of the metadata
	first []string // scope of a challenge: what a client asks for at first
}

// offerers know the scopes of the resources of the gateways in a configuration: the app
// identity_gateway.
type offerers interface {
	Offered(publicURL, resource string) (all, first []string)
}

// offered are the scopes that requests need, those that rules by tool name, and those that the
// gateway of this issuer has for the resource, if it is in the same configuration. They are
// looked up once, by the first request: then all gateways are there.
func offered(ctx caddy.Context, issuer, resource string, required []string, rules []string) func() scopes {
	return sync.OnceValue(func() scopes {
		s := scopes{all: union(required, rules), first: required}
		if app, err := ctx.AppIfConfigured("identity_gateway"); err == nil {
			all, first := app.(offerers).Offered(strings.TrimSuffix(issuer, "/"), resource)
			s.all, s.first = union(s.all, all), union(s.first, first)
		}
		return s
	})
}

func union(names, more []string) []string {
	names = slices.Clone(names)
	for _, name := range more {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
