package routes

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/rewrite"
)

// Place is where a handler stands in the routes of a server.
type Place struct {
	Server  *caddyhttp.Server
	Handler caddyhttp.MiddlewareHandler
	// Prefix is what handle_path and the like strip from the path before.
	Prefix string
	// around are the matchers on the way there, the outermost first.
	around []caddyhttp.MatcherSets
}

// Patterns are what the path matchers on the way there look for, the outermost first.
func (p *Place) Patterns() []string {
	return p.matchers(func(matcher any) []string {
		if of, ok := matcher.(*caddyhttp.MatchPath); ok {
			return *of
		}
		return nil
	})
}

// Excluded are the patterns of paths that do not get there.
func (p *Place) Excluded() []string {
	return p.matchers(func(matcher any) []string {
		if not, ok := matcher.(*caddyhttp.MatchNot); ok {
			excluded := Place{around: []caddyhttp.MatcherSets{not.MatcherSets}}
			return excluded.Patterns()
		}
		return nil
	})
}

// Regexps are the regular expressions of paths on the way there, also for {path}.startsWith.
func (p *Place) Regexps() []string {
	return p.matchers(func(matcher any) []string {
		switch of := matcher.(type) {
		case *caddyhttp.MatchPathRE:
			return []string{of.Pattern}
		case *caddyhttp.MatchExpression:
			if found := ofPath.FindStringSubmatch(of.Expr); found != nil {
				return []string{"^" + regexp.QuoteMeta(found[2]+found[3])}
			}
		}
		return nil
	})
}

func (p *Place) matchers(wanted func(any) []string) []string {
	var found []string
	for _, sets := range p.around {
		for _, set := range sets {
			for _, matcher := range set {
				found = append(found, wanted(matcher)...)
			}
		}
	}
	return found
}

// PlacesOf finds handlers among the routes of a server.
func PlacesOf(server *caddyhttp.Server, wanted func(caddyhttp.MiddlewareHandler) bool) []Place {
	return PlacesIn(server.Routes, server, wanted)
}

// PlacesIn finds handlers among others of its routes, such as those for errors.
func PlacesIn(list caddyhttp.RouteList, server *caddyhttp.Server, wanted func(caddyhttp.MiddlewareHandler) bool) []Place {
	var found []Place
	var walkRoutes func(routes caddyhttp.RouteList, at Place)
	walk := func(route caddyhttp.Route, at *Place) {
		for _, handler := range route.Handlers {
			if wanted(handler) {
				at.Handler = handler
				found = append(found, *at)
			}
			switch handler := handler.(type) {
			case *caddyhttp.Subroute:
				walkRoutes(handler.Routes, *at)
			case *caddyhttp.Invoke:
				if named := server.NamedRoutes[handler.Name]; named != nil {
					walkRoutes(caddyhttp.RouteList{*named}, *at)
				}
			case *rewrite.Rewrite:
				at.Prefix += rooted(handler.StripPathPrefix)
			}
		}
	}
	walkRoutes = func(routes caddyhttp.RouteList, at Place) {
		for _, route := range routes {
			below := at
			below.around = append(slices.Clip(at.around), route.MatcherSets)
			walk(route, &below)
			if len(route.MatcherSets) == 0 {
				at.Prefix = below.Prefix
			}
		}
	}
	walkRoutes(list, Place{Server: server})
	return found
}

func rooted(prefix string) string {
	if prefix == "" || strings.HasPrefix(prefix, "/") {
		return prefix
	}
	return "/" + prefix
}

// AnyHost is one that no site names.
const AnyHost = "any.invalid"

// Hosts are those of the innermost matcher of hosts, without those that another matcher
// on the way refuses.
func (p *Place) Hosts() []string {
	hosts := []string{AnyHost}
	for _, sets := range p.around {
		at := Place{around: []caddyhttp.MatcherSets{sets}}
		named := at.matchers(func(matcher any) []string {
			if of, ok := matcher.(*caddyhttp.MatchHost); ok {
				return *of
			}
			return nil
		})
		if len(named) > 0 {
			hosts = named
		}
	}
	var known []string
	for _, host := range hosts {
		if isOpen(host) {
			continue
		}
		host = strings.ReplaceAll(caddy.NewReplacer().ReplaceKnown(host, ""), "*", "any")
		t := Trip{server: p.Server, request: newRequest(http.MethodGet, host, "/"), hostsOnly: true}
		refuses := func(sets caddyhttp.MatcherSets) bool { return t.match(sets) == No }
		if !slices.ContainsFunc(p.around, refuses) {
			known = append(known, host)
		}
	}
	return known
}

// serversOf are the HTTP servers of a configuration, by their names.
func serversOf(ctx caddy.Context) ([]*caddyhttp.Server, error) {
	loaded, err := ctx.AppIfConfigured("http")
	if err != nil {
		return nil, err
	}
	app := loaded.(*caddyhttp.App)
	var servers []*caddyhttp.Server
	for _, name := range slices.Sorted(maps.Keys(app.Servers)) {
		servers = append(servers, app.Servers[name])
	}
	return servers, nil
}
