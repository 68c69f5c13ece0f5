package requiretoken

import (
	"net"
	"slices"
	"strings"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/routes"
)

// Sites that another proxy asks whether a request may pass (forward_auth, auth_request).

// isAsked reports a site that says whether a request may pass, and serves nothing.
func (s *site) isAsked() bool {
	if !s.follows {
		return len(s.askedAt()) > 0
	}
	return s.reached && !slices.ContainsFunc(s.trips, func(t *routes.Trip) bool {
		response, ok := t.Visits[len(t.Visits)-1].Handler.(*caddyhttp.StaticResponse)
		return !ok || response.Body != "" || !passes(response)
	})
}

// passes reports a response by which the request may pass.
func passes(handler caddyhttp.MiddlewareHandler) bool {
	response, ok := handler.(*caddyhttp.StaticResponse)
	return ok && !response.Abort && (response.StatusCode == "" || strings.HasPrefix(string(response.StatusCode), "2"))
}

// askedAt are the URIs at which forward_auth of this configuration asks the site.
func (s *site) askedAt() []string {
	var uris []string
	for _, server := range s.servers {
		for _, place := range routes.PlacesOf(server, func(h caddyhttp.MiddlewareHandler) bool {
			proxy, ok := h.(*reverseproxy.Handler)
			return ok && routes.IsForwardAuth(proxy)
		}) {
			proxy := place.Handler.(*reverseproxy.Handler)
			if slices.ContainsFunc(proxy.Upstreams, func(u *reverseproxy.Upstream) bool { return listens(s.Server, u.Dial) }) {
				uris = append(uris, proxy.Rewrite.URI)
			}
		}
	}
	return uris
}

func listens(server *caddyhttp.Server, address string) bool {
	_, port, err := net.SplitHostPort(address)
	return err == nil && slices.ContainsFunc(server.Listen, func(listen string) bool { return strings.HasSuffix(listen, ":"+port) })
}

func (s *site) toolsOfAnAskedSite() string {
	if len(s.Tools) == 0 || !s.isAsked() {
		return ""
	}
	return "tool is of no use where another proxy only asks (forward_auth, auth_request): it does not send the body, which says which tool is called, and each call would pass; " +
		"put a require_token with tool before the server itself"
}

// cookieOfAnAskedSite: a page of another site has the browser POST a form, with the cookie; the
// proxy asks by GET, which needs no Origin.
func (s *site) cookieOfAnAskedSite() string {
	if s.TokenFrom.Cookie == "" || !s.isAsked() {
		return ""
	}
	return "token_from cookie is of no use where another proxy only asks (forward_auth, auth_request): it does so by GET, so that what pages of other sites send in the user's name would pass; " +
		"put a require_token with token_from cookie before the server itself"
}

func (s *site) publicOfAnAskedSite() string { return s.opensEveryPage(s.askedAt()) }

// publicWhereAsked is for a proxy that is configured elsewhere.
func (s *site) publicWhereAsked() string {
	if len(s.askedAt()) > 0 {
		return ""
	}
	return s.opensEveryPage([]string{"/"})
}

func (s *site) opensEveryPage(uris []string) string {
	if len(s.Public) == 0 || !s.isAsked() {
		return ""
	}
	for _, uri := range uris {
		if path, _, _ := strings.Cut(uri, "?"); s.public.Has(path, path, nil) {
			return "public " + path + " opens every page if the proxy that asks this site (forward_auth, auth_request) does so at " + path +
				", whatever the user wants; say there what is public, by a matcher"
		}
	}
	return ""
}

// askedPast: a matcher around require_token sees the request that asks, not the user's.
func (s *site) askedPast() string {
	if !s.isAsked() {
		return ""
	}
	for _, uri := range s.askedAt() {
		paths, _, _ := strings.Cut(uri, "?")
		for _, path := range s.pathsAt(paths) {
			if t := s.follow(routes.As{Path: path}); s.index(t) < 0 && passes(open(t)) {
				return "forward_auth asks this site by GET " + uri + ", and a matcher for methods or paths leads that past require_token, so that every request passes; " +
					"write the matcher at forward_auth, and none around require_token"
			}
		}
	}
	return ""
}

// pathsAt are those of requests that ask at a path, which may be the user's.
func (s *site) pathsAt(path string) []string {
	if strings.Contains(path, "{") {
		return s.paths
	}
	return []string{path}
}
