// Package routes follows requests through the routes of a configuration, once it is
// provisioned, to find out which handlers see them. It looks at nothing that Caddy does not
// export.
package routes

import (
	"cmp"
	"net/http"
	"net/url"
	"regexp"
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

// Guard is a handler that lets requests for some paths pass, and others only with a token.
type Guard interface {
	Lets(path string) bool
}

// Answer is a matcher's.
type Answer int

// A matcher for an address, for example, says Maybe: nobody knows before a request comes.
const (
	No    Answer = -1
	Maybe Answer = 0
	Yes   Answer = 1
)

// As is how a request is followed.
type As struct {
	Method, Host, Path string
	// Chosen is what matchers say that look at header fields, the query or the protocol: what
	// whoever sends the request chooses.
	Chosen Answer
	// Through is as if no handler responded, or changed the path other than by stripping a prefix.
	Through bool
	// Ungrouped is as if each route of a group matched by itself.
	Ungrouped bool
	// Loose takes regular expressions for what may match.
	Loose bool
	// Failed is the status with which error routes (handle_errors) get the request, 0 if they do
	// not.
	Failed int
	// Within are routes to follow instead of those of the server, if there are any.
	Within caddyhttp.RouteList
}

// Visit is a handler that sees the request, unless one before it responds.
type Visit struct {
	Handler caddyhttp.MiddlewareHandler
	// Takes is whether it responds. Of what handlers of other modules do, it is Maybe.
	Takes Answer
	// Sure is whether all matchers on the way let the request through.
	Sure bool
	// Matchers are those of its route.
	Matchers caddyhttp.MatcherSets
}

// Trip is the way of a request through the routes of a server.
type Trip struct {
	As
	// Visits are in the order of the routes. After one that is sure to take the request there
	// is none.
	Visits []Visit
	// Takers are the handlers that may respond. After the last one nobody can.
	Takers []caddyhttp.MiddlewareHandler
	// Guard is the first directive that lets nobody pass without a login of another kind,
	// before the taker of that index. It is empty without one.
	Guard       string
	GuardBefore int
	// Rewritten is the directive that has changed the path, other than by stripping a prefix.
	Rewritten string
	// Guessed: a file is taken not to be there, or to be the one that is tried last.
	Guessed bool
	// Unclear: something may have rewritten the request in a way that is not followed.
	Unclear bool

	server    *caddyhttp.Server
	request   *http.Request
	hostsOnly bool // asks matchers for hosts alone
	groups    map[string]Answer
	depth     int
}

// Follow follows a request through the routes of a server.
func Follow(server *caddyhttp.Server, as As) *Trip {
	t := &Trip{As: as, server: server, request: newRequest(as.Method, as.Host, as.Path)}
	list := server.Routes
	switch {
	case as.Within != nil:
		list = as.Within
	case as.Failed != 0 && server.Errors == nil:
		return t
	case as.Failed != 0:
		t.request, list = server.Errors.WithError(t.request, caddyhttp.HandlerError{StatusCode: as.Failed}), server.Errors.Routes
	}
	t.routes(list, true)
	return t
}

func newRequest(method, host, path string) *http.Request {
	u := &url.URL{Path: path}
	r := &http.Request{Method: method, Host: host, URL: u, RequestURI: u.RequestURI(), Header: make(http.Header)}
	return caddyhttp.PrepareRequest(r, caddy.NewReplacer(), nil, new(caddyhttp.Server))
}

// routes follows the request through a list of routes, which it is certain to get to or
// not, and reports whether it ends there.
func (t *Trip) routes(routes caddyhttp.RouteList, certain bool) (ended bool) {
	if t.depth++; t.depth > maxDepth {
		t.Unclear = true
		return true
	}
	defer func() { t.depth-- }()
	for _, route := range routes {
		matches := t.match(route.MatcherSets)
		if route.Group != "" && !t.Ungrouped {
			if t.groups == nil {
				t.groups = make(map[string]Answer)
			}
			before, known := t.groups[route.Group]
			if !known {
				before = No
			}
			matches = min(matches, -before) // one route of a group
			t.groups[route.Group] = max(before, matches)
		}
		if matches == No {
			continue
		}
		sure := certain && matches == Yes
		if t.handlers(route, sure) || sure && route.Terminal && !t.Through {
			return true
		}
	}
	return false
}

// maxDepth bounds routes within routes, of which a named one may invoke itself.
const maxDepth = 64

func (t *Trip) handlers(route caddyhttp.Route, sure bool) (ended bool) {
	for _, handler := range route.Handlers {
		takes := t.takes(handler)
		t.Visits = append(t.Visits, Visit{handler, takes, sure, route.MatcherSets})
		switch handler := handler.(type) {
		case *caddyhttp.Subroute:
			ended = t.routes(handler.Routes, sure)
		case *caddyhttp.Invoke:
			if named := t.server.NamedRoutes[handler.Name]; named != nil {
				ended = t.routes(caddyhttp.RouteList{*named}, sure)
			}
		case *rewrite.Rewrite:
			ended = t.rewrite(handler, route.MatcherSets, sure)
		case Guard:
			t.guardedBy("require_token", sure && !handler.Lets(t.request.URL.Path))
		case *reverseproxy.Handler:
			t.guardedBy("forward_auth", sure && IsForwardAuth(handler))
		case *caddyauth.Authentication:
			t.guardedBy("basic_auth", sure && handler.Providers["http_basic"] != nil)
		}
		if takes != No && isKnown(handler) {
			t.Takers = append(t.Takers, handler)
		}
		if ended || sure && takes == Yes && !t.Through {
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
func (t *Trip) takes(handler caddyhttp.MiddlewareHandler) Answer {
	is := func(taken bool) Answer {
		if taken {
			return Yes
		}
		return No
	}
	switch handler := handler.(type) {
	case Server:
		return is(handler.Serves(t.request.Method, t.request.URL.Path))
	case *caddyhttp.StaticResponse:
		return is(!strings.HasPrefix(string(handler.StatusCode), "1"))
	case *caddyhttp.StaticError:
		return Yes
	case *fileserver.FileServer:
		return is(!handler.PassThru)
	case *reverseproxy.Handler:
		if len(handler.HandleResponse) > 0 && (IsForwardAuth(handler) || handler.HandleResponse[0].Match == nil) {
			return Maybe
		}
		return Yes
	}
	if isKnown(handler) {
		return No
	}
	return Maybe
}

// isKnown reports whether it is known what a handler does with a request.
func isKnown(handler caddyhttp.MiddlewareHandler) bool {
	switch handler.(type) {
	case Server, Guard:
		return true
	}
	module, ok := handler.(caddy.Module)
	return ok && known[module.CaddyModule().ID.Name()]
}

// known are the names of Caddy's own handlers that respond always or never.
var known = map[string]bool{
	"authentication": true, "encode": true, "error": true, "file_server": true, "headers": true, "intercept": true, "invoke": true,
	"log_append": true, "map": true, "push": true, "request_body": true, "reverse_proxy": true, "rewrite": true, "static_response": true,
	"subroute": true, "templates": true, "timeouts": true, "tracing": true, "vars": true,
}

// IsForwardAuth reports a proxy whose other side only says whether a request may pass, as the
// directive forward_auth makes one.
func IsForwardAuth(proxy *reverseproxy.Handler) bool {
	if proxy.Rewrite == nil || proxy.Rewrite.Method != http.MethodGet || len(proxy.HandleResponse) == 0 {
		return false
	}
	match := proxy.HandleResponse[0].Match
	return match != nil && slices.Contains(match.StatusCode, 2)
}

var (
	placeholder = regexp.MustCompile(`\{[^{}]*\}`)
	// inPath are those of a rewrite whose values are known: those of the path.
	inPath = regexp.MustCompile(`^\{http\.(request\.(orig_)?uri(\.path(\.\d+|\.dir|\.file)?)?|matchers\.file\.relative)\}$`)
)

// Expressions of what whoever sends the request chooses, and of what else there may be in one.
var (
	ofChoice = regexp.MustCompile(`\{?http\.request\.(header|cookie|uri\.query)\b|\{(header|cookie|query)\b|\b(header|header_regexp|query|protocol)\(`)
	ofOthers = regexp.MustCompile(`path|host|remote|client|tls|auth|method|vars`)
	// ofPath are those of how a path begins.
	ofPath = regexp.MustCompile(`^!? *\{(http\.request\.uri\.)?path\}\.startsWith\((?:"(/[^"\\]*)"|'(/[^'\\]*)')\)$`)
	// ofError are those that handle_errors makes of its statuses.
	ofError = regexp.MustCompile(`^(\{(http\.error|err)\.status_code\} *(in *\[[\d, ]*\]|[<>=!]=?) *\d*( *(&&|\|\|) *)?)+$`)
)

// rewrite makes the request what a handler makes of it, and reports that it does not know.
func (t *Trip) rewrite(r *rewrite.Rewrite, by caddyhttp.MatcherSets, sure bool) (ended bool) {
	path, _, _ := strings.Cut(r.URI, "?")
	if t.Failed != 0 || t.Within != nil || t.Through && r.StripPathPrefix == "" || path == "" && r.Method == "" && r.StripPathPrefix == "" && r.StripPathSuffix == "" && len(r.URISubstring) == 0 && len(r.PathRegexp) == 0 {
		return false // as the query does not; the paths of error pages are for who asks
	}
	repl := t.request.Context().Value(caddy.ReplacerCtxKey).(*caddy.Replacer)
	for _, part := range placeholder.FindAllString(path, -1) {
		sure = sure && (inPath.MatchString(part) || !isOpen(part))
	}
	if !sure {
		t.Unclear = true
		return true
	}
	before := t.request.URL.Path
	r.Rewrite(t.request, repl)
	if now := t.request.URL.Path; now != before && !(r.StripPathPrefix != "" && strings.HasSuffix(before, now)) {
		t.Rewritten = "rewrite"
		if asksForFiles(by) {
			t.Rewritten = "try_files"
		}
	}
	return false
}

func (t *Trip) match(sets caddyhttp.MatcherSets) Answer {
	if len(sets) == 0 {
		return Yes
	}
	return t.matchAny(sets)
}

func (t *Trip) matchAny(sets []caddyhttp.MatcherSet) Answer {
	any := No
	for _, set := range sets {
		all := Yes
		for _, matcher := range set {
			all = min(all, t.matchOne(matcher))
		}
		any = max(any, all)
	}
	return any
}

// matchOne asks a matcher that looks at nothing but host, method and path. Any other one
// may match.
func (t *Trip) matchOne(matcher any) Answer {
	var patterns []string
	switch matcher := matcher.(type) {
	case *caddyhttp.MatchNot:
		return -t.matchAny(matcher.MatcherSets)
	case *caddyhttp.MatchHost:
		patterns = *matcher
	case *caddyhttp.MatchPath:
		patterns = *matcher
	case *caddyhttp.MatchPathRE:
		if t.Loose {
			return Maybe
		}
	case *caddyhttp.MatchMethod:
	case *caddyhttp.MatchHeader, *caddyhttp.MatchHeaderRE, *caddyhttp.MatchQuery, *caddyhttp.MatchProtocol:
		return t.Chosen
	case *caddyhttp.MatchExpression:
		if t.Failed != 0 && ofError.MatchString(matcher.Expr) || !t.Loose && !t.hostsOnly && ofPath.MatchString(matcher.Expr) {
			break
		}
		if ofChoice.MatchString(matcher.Expr) && !ofOthers.MatchString(matcher.Expr) {
			return t.Chosen
		}
		return Maybe
	case *fileserver.MatchFile:
		return t.matchFile(matcher)
	default:
		return Maybe
	}
	if _, isHost := matcher.(*caddyhttp.MatchHost); t.hostsOnly && !isHost || slices.ContainsFunc(patterns, isOpen) {
		return Maybe
	}
	matched, err := matcher.(caddyhttp.RequestMatcherWithError).MatchWithError(t.request)
	switch {
	case err != nil:
		return Maybe
	case matched:
		return Yes
	}
	return No
}

// matchFile is for a path at which there is no file: then the one that is tried last is, if
// its name does not depend on the path.
func (t *Trip) matchFile(files *fileserver.MatchFile) Answer {
	if len(files.TryFiles) == 0 || t.hostsOnly {
		return Maybe
	}
	last := files.TryFiles[len(files.TryFiles)-1]
	if strings.HasPrefix(last, "=") || files.TryPolicy != "" && !strings.HasPrefix(files.TryPolicy, "first_exist") {
		return Maybe
	}
	t.Guessed = true
	if strings.Contains(last, "{http.request.uri") {
		return No
	}
	if args.HasPlaceholder(last) {
		return Maybe
	}
	repl := t.request.Context().Value(caddy.ReplacerCtxKey).(*caddy.Replacer)
	repl.Set("http.matchers.file.relative", "/"+strings.TrimPrefix(last, "/"))
	return Yes
}

func asksForFiles(sets []caddyhttp.MatcherSet) bool {
	return slices.ContainsFunc(sets, func(set caddyhttp.MatcherSet) bool {
		return slices.ContainsFunc(set, func(matcher any) bool {
			not, negated := matcher.(*caddyhttp.MatchNot)
			_, files := matcher.(*fileserver.MatchFile)
			return files || negated && asksForFiles(not.MatcherSets)
		})
	})
}

// isOpen reports whether a pattern depends on the request: a placeholder that is not known
// before it.
func isOpen(pattern string) bool {
	return args.HasPlaceholder(pattern) && args.HasPlaceholder(caddy.NewReplacer().ReplaceKnown(pattern, ""))
}

// NameOf is what a handler is called in a message: its directive, or else its module.
func NameOf(handler caddyhttp.MiddlewareHandler) string {
	switch handler := handler.(type) {
	case nil:
		return "nobody"
	case *caddyhttp.StaticResponse:
		if handler.Headers["Location"] != nil {
			return "redir"
		}
		return "respond"
	case caddy.Module:
		id := handler.CaddyModule().ID.Name()
		return cmp.Or(directives[id], id)
	}
	return "another handler"
}

var directives = map[string]string{"headers": "request_header or header"}
