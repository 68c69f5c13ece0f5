// Package routes follows requests through the routes of a configuration, once it is
// provisioned, to find out which handlers see them.
package routes

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/caddyauth"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/fileserver"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/rewrite"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
)

// Server is a handler that responds to some requests and passes the others on.
type Server interface {
	Serves(method, path string) bool
}

// Trip is the way of a request through the routes of a server.
type Trip struct {
	server  *caddyhttp.Server
	request *http.Request
	// hostsOnly asks matchers for hosts alone.
	hostsOnly bool
	// Takers are the handlers that may respond. After the last one nobody can.
	Takers []caddyhttp.MiddlewareHandler
	// Guard is the first directive that lets nobody pass without a login of another kind,
	// before the taker of that index. It is empty without one.
	Guard       string
	GuardBefore int
	// Unclear: something may have rewritten the request in a way that is not followed.
	Unclear bool
	groups  map[string]answer
}

// Follow follows a request through the routes of a server.
func Follow(server *caddyhttp.Server, method, host, path string) *Trip {
	t := &Trip{server: server, request: newRequest(method, host, path)}
	t.routes(server.Routes, true)
	return t
}

func newRequest(method, host, path string) *http.Request {
	r := &http.Request{Method: method, Host: host, URL: &url.URL{Path: path}, Header: make(http.Header)}
	return caddyhttp.PrepareRequest(r, caddy.NewReplacer(), nil, new(caddyhttp.Server))
}

// answer is a matcher's.
type answer int

const (
	no answer = iota
	maybe
	yes
)

// routes follows the request through a list of routes, which it is certain to get to or
// not, and reports whether it ends there.
func (t *Trip) routes(routes caddyhttp.RouteList, certain bool) (ended bool) {
	for _, route := range routes {
		matches := t.match(route.MatcherSets)
		if route.Group != "" {
			if t.groups == nil {
				t.groups = make(map[string]answer)
			}
			before := t.groups[route.Group]
			matches = min(matches, yes-before) // one route of a group
			t.groups[route.Group] = max(before, matches)
		}
		if matches == no {
			continue
		}
		sure := certain && matches == yes
		if t.handlers(route.Handlers, sure) || sure && route.Terminal {
			return true
		}
	}
	return false
}

func (t *Trip) handlers(handlers []caddyhttp.MiddlewareHandler, sure bool) (ended bool) {
	for _, handler := range handlers {
		switch handler := handler.(type) {
		case *caddyhttp.Subroute:
			ended = t.routes(handler.Routes, sure)
		case *caddyhttp.Invoke:
			if named := t.server.NamedRoutes[handler.Name]; named != nil {
				ended = t.routes(caddyhttp.RouteList{*named}, sure)
			}
		case *rewrite.Rewrite:
			ended = t.rewrite(handler, sure)
		case *reverseproxy.Handler:
			t.guardedBy("forward_auth", sure && len(handler.HandleResponse) > 0)
		case *caddyauth.Authentication:
			t.guardedBy("basic_auth", sure && handler.Providers["http_basic"] != nil)
		}
		takes := t.takes(handler)
		if takes != no {
			t.Takers = append(t.Takers, handler)
		}
		if ended || sure && takes == yes {
			return true
		}
	}
	return false
}

func (t *Trip) guardedBy(directive string, sure bool) {
	if sure && t.Guard == "" {
		t.Guard, t.GuardBefore = directive, len(t.Takers)
	}
}

// takes reports whether a handler responds to the request.
func (t *Trip) takes(handler caddyhttp.MiddlewareHandler) answer {
	is := func(taken bool) answer {
		if taken {
			return yes
		}
		return no
	}
	switch handler := handler.(type) {
	case Server:
		return is(handler.Serves(t.request.Method, t.request.URL.Path))
	case *caddyhttp.StaticResponse:
		return is(!strings.HasPrefix(string(handler.StatusCode), "1"))
	case *caddyhttp.StaticError:
		return yes
	case *fileserver.FileServer:
		return is(!handler.PassThru)
	case *reverseproxy.Handler:
		if len(handler.HandleResponse) > 0 { // forward_auth
			return maybe
		}
		return yes
	}
	return no
}

// rewrite follows what strips a prefix, and reports that it does not what alters paths
// otherwise.
func (t *Trip) rewrite(r *rewrite.Rewrite, sure bool) (ended bool) {
	if r.URI == "" && r.Method == "" && r.StripPathPrefix == "" && r.StripPathSuffix == "" && len(r.URISubstring) == 0 && len(r.PathRegexp) == 0 {
		return false // the query
	}
	rest, ok := strings.CutPrefix(t.request.URL.Path, rooted(r.StripPathPrefix))
	if !sure || !ok || r.StripPathPrefix == "" || r.URI != "" || r.Method != "" || r.StripPathSuffix != "" || len(r.URISubstring) > 0 || len(r.PathRegexp) > 0 {
		t.Unclear = true
		return true
	}
	t.request.URL.Path = rest
	return false
}

func (t *Trip) match(sets caddyhttp.MatcherSets) answer {
	if len(sets) == 0 {
		return yes
	}
	return t.matchAny(sets)
}

func (t *Trip) matchAny(sets []caddyhttp.MatcherSet) answer {
	any := no
	for _, set := range sets {
		all := yes
		for _, matcher := range set {
			all = min(all, t.matchOne(matcher))
		}
		any = max(any, all)
	}
	return any
}

// matchOne asks a matcher that looks at nothing but host, method and path. Any other one
// may match.
func (t *Trip) matchOne(matcher any) answer {
	var patterns []string
	switch matcher := matcher.(type) {
	case *caddyhttp.MatchNot:
		return yes - t.matchAny(matcher.MatcherSets)
	case *caddyhttp.MatchHost:
		patterns = *matcher
	case *caddyhttp.MatchPath:
		patterns = *matcher
	case *caddyhttp.MatchPathRE, *caddyhttp.MatchMethod:
	default:
		return maybe
	}
	if _, isHost := matcher.(*caddyhttp.MatchHost); t.hostsOnly && !isHost || slices.ContainsFunc(patterns, isOpen) {
		return maybe
	}
	matched, err := matcher.(caddyhttp.RequestMatcherWithError).MatchWithError(t.request)
	switch {
	case err != nil:
		return maybe
	case matched:
		return yes
	}
	return no
}

// isOpen reports whether a pattern depends on the request: a placeholder that is not known
// before it.
func isOpen(pattern string) bool {
	return args.HasPlaceholder(pattern) && args.HasPlaceholder(caddy.NewReplacer().ReplaceKnown(pattern, ""))
}
