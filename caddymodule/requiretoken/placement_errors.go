package requiretoken

import (
	"cmp"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/caddyauth"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/fileserver"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/headers"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/intercept"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/rewrite"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/routes"
)

// Routes for requests that were refused: as the client sent them, since nobody has checked them.

// refusedWith are statuses of Caddy itself, and of handlers before require_token. What is not
// found is so after it.
var refusedWith = []int{400, 401, 403, 405, 408, 413, 421, 429, 500, 502, 503, 504}

// errorRoutes: a method of 33 letters, or another login that fails, is enough to get there.
func (s *site) errorRoutes() string {
	if s.Server.Errors == nil {
		return ""
	}
	paths := s.pathsOf(s.Server.Errors.Routes)
	for _, status := range refusedWith {
		if message := s.leadsPast("handle_errors", paths, routes.As{Failed: status}); message != "" {
			return message
		}
	}
	return ""
}

// responseRoutes: what handle_response before require_token does with its 401, or with that of
// another server.
func (s *site) responseRoutes() string {
	for _, path := range s.paths {
		t := s.follow(routes.As{Path: path, Through: true, Loose: true})
		for _, visit := range t.Visits[:max(0, s.index(t))] {
			var responses []caddyhttp.ResponseHandler
			switch handler := visit.Handler.(type) {
			case *intercept.Intercept:
				responses = handler.HandleResponse
			case *reverseproxy.Handler:
				responses = handler.HandleResponse
			}
			for _, response := range responses {
				if len(response.Routes) == 0 {
					continue
				}
				if message := s.leadsPast("handle_response", s.pathsOf(response.Routes), routes.As{Within: response.Routes}); message != "" {
					return message
				}
			}
		}
	}
	return ""
}

// pathsOf are some that get through such routes.
func (s *site) pathsOf(list caddyhttp.RouteList) []string {
	paths := s.paths
	for _, place := range routes.PlacesIn(list, s.Server, isContent) {
		for _, pattern := range place.Patterns() {
			paths = append(slices.Clip(paths), example(pattern))
		}
	}
	return paths
}

// leadsPast follows requests through such routes.
func (s *site) leadsPast(directive string, paths []string, as routes.As) string {
	for _, as.Path = range paths {
		for _, as.Method = range methods {
			t := s.follow(as)
			if to := s.past(t); to != "" {
				write := "rewrite * /errors/{err.status_code}, method GET"
				for _, field := range slices.Sorted(maps.Values(s.folded)) {
					write += ", request_header -" + field
				}
				return directive + " leads past require_token to " + to + ", which it protects, with the method, path and fields that a client sends; " +
					"take error pages from other files (file_server), or from another server, or write require_token there, too, or, for pages that are for everybody: " + write
			}
		}
	}
	return ""
}

// past is what a request that nobody has checked gets to of what is protected, "" if nothing.
func (s *site) past(t *routes.Trip) string {
	var to fixed
	for _, visit := range t.Visits {
		switch handler := visit.Handler.(type) {
		case routes.Guard, *caddyauth.Authentication:
			if visit.Sure {
				return ""
			}
		case *rewrite.Rewrite:
			if visit.Sure {
				to.rewrite(handler)
			}
		case *headers.Handler:
			if visit.Sure && handler.Request != nil {
				to.removed = append(to.removed, handler.Request.Delete...)
			}
		case *reverseproxy.Handler:
			if routes.IsForwardAuth(handler) && visit.Sure {
				return ""
			}
			inside := fixed{to.path, to.method, slices.Clone(to.removed)}
			inside.rewrite(handler.Rewrite)
			if handler.Headers != nil && handler.Headers.Request != nil {
				inside.removed = append(inside.removed, handler.Headers.Request.Delete...)
			}
			if addresses := upstreams(handler); slices.ContainsFunc(addresses, s.isProtected) && !inside.isForEverybody(s.folded) {
				return strings.Join(addresses, ", ")
			}
		case *fileserver.FileServer:
			if folders := sources(t, handler, s.root); !to.path && slices.ContainsFunc(folders, s.isProtected) {
				return strings.Join(folders, ", ")
			}
		}
	}
	return ""
}

func (s *site) isProtected(source string) bool { return s.behind[source] }

// fixed is what routes make of a request.
type fixed struct {
	path, method bool
	removed      []string // fields, or patterns of them
}

// ofErrors are placeholders whose values no client chooses.
var ofErrors = regexp.MustCompile(`\{http\.error\.(status_code|status_text|id)\}`)

func (f *fixed) rewrite(r *rewrite.Rewrite) {
	if r == nil {
		return
	}
	if path, _, _ := strings.Cut(r.URI, "?"); path != "" {
		if f.path {
			path = strings.ReplaceAll(path, "{http.matchers.file.relative}", "") // found by a path that is fixed
		}
		f.path = !strings.Contains(ofErrors.ReplaceAllString(path, ""), "{")
	}
	if r.Method != "" {
		f.method = r.Method == http.MethodGet || r.Method == http.MethodHead
	}
}

// isForEverybody: whoever a client says to be, it gets one page.
func (f *fixed) isForEverybody(identity map[string]string) bool {
	for _, field := range identity {
		if !slices.ContainsFunc(f.removed, func(pattern string) bool { return covers(pattern, strings.ToLower(field)) }) {
			return false
		}
	}
	return f.path && f.method
}

// sources are what a handler serves: addresses of servers, or a folder. root is that of all
// files, unless the routes on the way there set another one.
func sources(t *routes.Trip, handler caddyhttp.MiddlewareHandler, root string) []string {
	files, ok := handler.(*fileserver.FileServer)
	if !ok {
		return upstreams(handler)
	}
	if strings.Contains(files.Root, rootVar) {
		return []string{folder(strings.ReplaceAll(files.Root, rootVar, cmp.Or(rootOf(t), root)))}
	}
	return []string{folder(files.Root)}
}

const rootVar = "{http.vars.root}"

func folder(root string) string { return "the files in " + root }

// rootOf is what the directive root says on a way, "" if nothing.
func rootOf(t *routes.Trip) string {
	root := ""
	for _, visit := range t.Visits {
		if vars, ok := visit.Handler.(*caddyhttp.VarsMiddleware); ok && visit.Sure {
			if value, ok := (*vars)["root"].(string); ok {
				root = value
			}
		}
	}
	return root
}
