package requiretoken

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/caddyauth"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/headers"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/rewrite"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/routes"
)

// Who uses the user and the token before require_token.

// userBeforeToken: in Caddy's order, header, request_header, rewrite and redir run before
// require_token, and the placeholders of the user are not there yet.
func (s *site) userBeforeToken() string {
	for _, visit := range s.before() {
		if mentionsUser(visit.Handler) || slices.ContainsFunc(visit.Matchers, func(set caddyhttp.MatcherSet) bool { return slices.ContainsFunc(set, matcherMentionsUser) }) {
			return routes.NameOf(visit.Handler) + " runs before require_token, and {http.auth.user…} is not known to it yet; " +
				"for a field write in require_token: header X-User sub, else put both into route { … }, require_token first"
		}
	}
	return ""
}

// before are the handlers that a request visits before the first require_token.
func (s *site) before() []routes.Visit {
	paths := s.paths
	for _, place := range routes.PlacesOf(s.Server, func(handler caddyhttp.MiddlewareHandler) bool {
		return mentionsUser(handler) || removesToken(handler) != ""
	}) {
		for _, pattern := range place.Patterns() {
			paths = append([]string{example(pattern)}, paths...)
		}
	}
	for _, path := range paths {
		for _, method := range methods {
			t := s.follow(routes.As{Method: method, Path: path, Through: true, Loose: true})
			index := s.index(t)
			if index >= 0 && !slices.ContainsFunc(t.Visits[:index], knowsUser) {
				return t.Visits[:index]
			}
		}
	}
	return nil
}

// knowsUser reports a handler that sets the placeholders of the user, too.
func knowsUser(visit routes.Visit) bool {
	switch visit.Handler.(type) {
	case *caddyauth.Authentication, *RequireToken:
		return true
	}
	return false
}

// mentionsUser reports a handler that needs the user as soon as a request comes.
func mentionsUser(handler caddyhttp.MiddlewareHandler) bool {
	switch handler := handler.(type) {
	case *headers.Handler:
		return mentions(handler.Request) || handler.Response != nil && !handler.Response.Deferred && handler.Response.Require == nil && mentions(handler.Response)
	case *rewrite.Rewrite, *caddyhttp.VarsMiddleware, caddyhttp.VarsMiddleware, *caddyhttp.StaticResponse, *caddyhttp.StaticError:
		return mentions(handler)
	}
	return false
}

func matcherMentionsUser(matcher any) bool {
	switch matcher := matcher.(type) {
	case *caddyhttp.MatchNot:
		return slices.ContainsFunc(matcher.MatcherSets, func(set caddyhttp.MatcherSet) bool { return slices.ContainsFunc(set, matcherMentionsUser) })
	case *caddyhttp.MatchExpression:
		return strings.Contains(matcher.Expr, userPrefix)
	case *caddyhttp.VarsMatcher:
		return mentions(matcher)
	}
	return false
}

func mentions(configured any) bool {
	encoded, err := json.Marshal(configured)
	return err == nil && strings.Contains(string(encoded), "{"+userPrefix)
}

func (s *site) withoutAuthorization() string {
	for _, visit := range s.before() {
		if field := removesToken(visit.Handler); field != "" && visit.Sure {
			return "request_header -" + field + " runs before require_token, which then refuses everybody; in reverse_proxy write: header_up -" + field
		}
	}
	return ""
}

// removesToken is the field, or the pattern, by which a handler removes Authorization, "" if
// it does not.
func removesToken(handler caddyhttp.MiddlewareHandler) string {
	if fields, ok := handler.(*headers.Handler); ok && fields.Request != nil {
		for _, field := range fields.Request.Delete {
			if covers(field, "authorization") {
				return field
			}
		}
	}
	return ""
}

// covers reports whether a field to delete, which may have a * at either end, is name.
func covers(field, name string) bool {
	field = strings.ToLower(field)
	rest := strings.Trim(field, "*")
	switch before, after := strings.HasPrefix(field, "*"), strings.HasSuffix(field, "*"); {
	case before && after:
		return strings.Contains(name, rest)
	case before:
		return strings.HasSuffix(name, rest)
	case after:
		return strings.HasPrefix(name, rest)
	}
	return field == name
}

// twoLogins: a request has one Authorization.
func (s *site) twoLogins() string {
	for _, t := range s.trips {
		for _, visit := range t.Visits {
			if login, ok := visit.Handler.(*caddyauth.Authentication); ok && visit.Sure && login.Providers["http_basic"] != nil {
				return "basic_auth and require_token both want the field Authorization, of which a request has one, so that nobody gets in; remove one of them"
			}
		}
	}
	return ""
}
