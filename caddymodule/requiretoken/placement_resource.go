package requiretoken

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/routes"
)

// The URL that clients know, and its metadata.

// resourcePath is that of the resource, if there is one.
func (s *site) resourcePath() (string, bool) {
	path := strings.TrimPrefix(s.path, wellKnown)
	if path == "" {
		path = "/"
	}
	return path, s.path != ""
}

// isOfThisHost reports a resource that clients know under the host of the site, or may.
func (s *site) isOfThisHost() bool {
	u, err := url.Parse(s.Resource.Resource)
	return s.path != "" && err == nil && (s.host == routes.AnyHost || strings.EqualFold(u.Hostname(), s.host))
}

// resourceIsOpen: the URL that clients are told needs no token.
func (s *site) resourceIsOpen() string {
	path, ok := s.resourcePath()
	if !ok {
		return ""
	}
	t := s.follow(routes.As{Method: http.MethodPost, Path: path})
	if !s.isBehind(t) {
		return ""
	}
	return "the resource " + s.Resource.Resource + " reaches " + routes.NameOf(open(t)) + " without a token: handle, or a matcher, leads it past require_token; " +
		"write handle " + path + "* around both, or no matcher"
}

func (s *site) resourceIsElsewhere() string {
	path, _ := s.resourcePath()
	if path == "/" || !s.isOfThisHost() {
		return ""
	}
	for rest, more := path, true; more; rest = "/" + rest { // a proxy in front may remove what comes first
		if open(s.follow(routes.As{Method: http.MethodPost, Path: rest})) == nil {
			return ""
		}
		_, rest, more = strings.Cut(rest[1:], "/")
	}
	taker := open(s.follow(routes.As{Method: http.MethodPost, Path: path}))
	return "the resource " + s.Resource.Resource + " does not come here, but to " + routes.NameOf(taker) + "; write handle " + path + "* around require_token"
}

// hiddenMetadata: clients look for it at the root of the host.
func (s *site) hiddenMetadata() string {
	if !s.isOfThisHost() {
		return ""
	}
	t := s.follow(routes.As{Path: s.path})
	if t.Unclear || slices.ContainsFunc(t.Visits, func(v routes.Visit) bool {
		server, ok := v.Handler.(routes.Server)
		return ok && server.Serves(http.MethodGet, s.path)
	}) {
		return ""
	}
	write := "write require_token outside of handle and handle_path, with a matcher if need be: the metadata then has a route of its own"
	return "clients look for the metadata of the resource at " + s.path + ", which does not come here; " + write
}
