package requiretoken

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/caddyauth"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/fileserver"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/headers"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/rewrite"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/routes"
)

// Lets implements [routes.Guard].
func (h *RequireToken) Lets(path string) bool {
	return h.public.Has(path, path, nil) || h.Serves(http.MethodGet, path)
}

// Serves implements [routes.Server]: the metadata.
func (r *Resource) Serves(_, path string) bool { return r.path != "" && path == r.path }

// site is a place of a handler at one host, and what the rules need to know of it.
type site struct {
	*RequireToken
	routes.Place
	host    string
	servers []*caddyhttp.Server
	// nested: the handler has the token for its own paths alone.
	nested bool
	// paths are some that get to the handler, if nothing responds before.
	paths []string
	// behind are the addresses of the servers behind the handler. follows reports that
	// anything at all responds there, or may.
	behind  map[string]bool
	follows bool
	// trips are requests that get to the handler. reached reports that some do, or that nobody
	// knows.
	trips   []*routes.Trip
	reached bool
}

// rules look for what is open, which is an error, or does not work, which is a warning. Each
// says what is wrong and what to write, "" if nothing is.
var rules = []struct {
	open   bool
	nested bool // also for the token of one handler's own paths
	find   func(*site) string
}{
	{true, false, (*site).neverReached},
	{true, false, (*site).nothingFollows},
	{true, false, (*site).resourceIsOpen},
	{true, false, (*site).toolsOfAnAskedSite},
	{true, false, (*site).publicOfAnAskedSite},
	{false, false, (*site).idle},
	{false, false, (*site).resourceIsElsewhere},
	{false, false, (*site).besideThePattern},
	{false, false, (*site).clientChooses},
	{false, false, (*site).otherMethods},
	{false, false, (*site).otherServer},
	{false, false, (*site).userBeforeToken},
	{false, true, (*site).withoutAuthorization},
	{false, true, (*site).twoLogins},
	{false, true, (*site).hiddenMetadata},
	{false, false, (*site).publicWhereAsked},
	{false, false, (*site).errorRoutes},
}

// checkPlaces looks at what stands around the handler.
func (h *RequireToken) checkPlaces(servers []*caddyhttp.Server) error {
	var problems []error
	for _, server := range servers {
		for _, place := range routes.PlacesOf(server, func(other caddyhttp.MiddlewareHandler) bool { return guardOf(other) == h }) {
			sites := h.sitesOf(servers, place)
			if slices.ContainsFunc(sites, func(s *site) bool { return s.reached }) { // as a whole, as a host is redirected that has another name now
				sites = slices.DeleteFunc(sites, func(s *site) bool { return !s.reached })
			}
			for _, s := range sites {
				problems = append(problems, s.check())
			}
		}
	}
	return errors.Join(problems...)
}

func (s *site) check() error {
	for _, rule := range rules {
		if s.nested && !rule.nested {
			continue
		}
		message := rule.find(s)
		if message == "" {
			continue
		}
		if rule.open {
			err := errors.New("require_token at " + s.host + ": " + message)
			s.segment.Locate(&err)
			return err
		}
		s.logger.Warn(message, append(s.segment.Fields(message), zap.String("site", s.host))...)
	}
	return nil
}

// guardOf is the require_token that a handler is, or has for its own paths; nil if none.
func guardOf(handler caddyhttp.MiddlewareHandler) *RequireToken {
	switch handler := handler.(type) {
	case *RequireToken:
		return handler
	case interface{ Token() *RequireToken }:
		return handler.Token()
	}
	return nil
}

func (h *RequireToken) sitesOf(servers []*caddyhttp.Server, place routes.Place) []*site {
	var sites []*site
	for _, host := range place.Hosts() {
		s := &site{RequireToken: h, Place: place, host: host, servers: servers, behind: make(map[string]bool)}
		s.nested = place.Handler != caddyhttp.MiddlewareHandler(h)
		for _, path := range s.examples() {
			if !slices.ContainsFunc(methods, func(method string) bool {
				return s.index(s.follow(routes.As{Method: method, Path: path, Through: true, Ungrouped: true, Loose: true})) >= 0
			}) {
				continue
			}
			s.paths = append(s.paths, path)
			for _, method := range methods {
				for _, chosen := range [...]routes.Answer{routes.Maybe, routes.Yes, routes.No} {
					s.look(s.follow(routes.As{Method: method, Path: path, Chosen: chosen, Loose: true}))
				}
			}
		}
		if len(s.paths) > 0 { // else nothing is known
			sites = append(sites, s)
		}
	}
	return sites
}

var methods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// look notes what a request finds behind the handler.
func (s *site) look(t *routes.Trip) {
	index := s.index(t)
	s.reached = s.reached || index >= 0 || t.Unclear
	if index < 0 {
		// What is taken for the page of a missing file may be one that is there.
		s.reached = s.reached || t.Guessed && len(upstreams(t.Visits[len(t.Visits)-1].Handler)) == 0
		return
	}
	s.trips = append(s.trips, t)
	s.follows = s.follows || t.Unclear
	for _, visit := range t.Visits[index+1:] {
		_, serves := visit.Handler.(routes.Server)
		s.follows = s.follows || serves || visit.Takes != routes.No
		for _, address := range upstreams(visit.Handler) {
			s.behind[address] = true
		}
	}
}

// examples are paths for the patterns on the way to the handler, and the resource's own.
func (s *site) examples() []string {
	paths := []string{"/", "/any"}
	for _, pattern := range s.Patterns() {
		paths = append(paths, example(pattern), s.Prefix+example(pattern))
	}
	if s.Prefix != "" {
		paths = append(paths, s.Prefix+"/", s.Prefix+"/any")
	}
	if path, ok := s.resourcePath(); ok {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// example is a path that a pattern is for.
func example(pattern string) string {
	if folder, below := strings.CutSuffix(pattern, "*"); below && !strings.HasSuffix(folder, "/") {
		pattern = folder
	}
	return "/" + strings.TrimPrefix(strings.ReplaceAll(pattern, "*", "any"), "/")
}

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

func (s *site) follow(as routes.As) *routes.Trip {
	as.Host = s.host
	if as.Method == "" {
		as.Method = http.MethodGet
	}
	return routes.Follow(s.Server, as)
}

// index is where the handler is among those that a request visits, -1 if it is not.
func (s *site) index(t *routes.Trip) int {
	return slices.IndexFunc(t.Visits, func(v routes.Visit) bool { return v.Handler == s.Handler })
}

// upstreams are the addresses to which a handler sends whole requests.
func upstreams(handler caddyhttp.MiddlewareHandler) []string {
	proxy, ok := handler.(*reverseproxy.Handler)
	if !ok || routes.IsForwardAuth(proxy) {
		return nil
	}
	var addresses []string
	for _, upstream := range proxy.Upstreams {
		if !strings.Contains(upstream.Dial, "{") {
			addresses = append(addresses, strings.ToLower(upstream.Dial))
		}
	}
	return addresses
}

// open is what is sure to respond to a request for which nobody asks for a login, nil if
// nothing is.
func open(t *routes.Trip) caddyhttp.MiddlewareHandler {
	if t.Unclear {
		return nil
	}
	for _, visit := range t.Visits {
		if _, isGuard := visit.Handler.(routes.Guard); isGuard {
			return nil
		}
		switch handler := visit.Handler.(type) {
		case *caddyauth.Authentication:
			return nil
		case *reverseproxy.Handler:
			if routes.IsForwardAuth(handler) {
				return nil
			}
		}
		if visit.Sure && visit.Takes == routes.Yes {
			return visit.Handler
		}
	}
	return nil
}

// isContent reports a handler that has more to say than that a request is not for this site.
func isContent(handler caddyhttp.MiddlewareHandler) bool {
	switch handler := handler.(type) {
	case *caddyhttp.StaticResponse:
		return !handler.Abort && handler.Body != "" && (handler.StatusCode == "" || strings.HasPrefix(string(handler.StatusCode), "2"))
	case *reverseproxy.Handler, *fileserver.FileServer:
		return true
	}
	return false
}

// isBehind reports that a request gets without a token to what is behind the handler.
func (s *site) isBehind(t *routes.Trip) bool {
	return slices.ContainsFunc(upstreams(open(t)), func(address string) bool { return s.behind[address] })
}

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

// isAsked reports a site that says whether a request may pass, and serves nothing.
func (s *site) isAsked() bool {
	if !s.follows {
		return len(s.askedAt()) > 0
	}
	return s.reached && !slices.ContainsFunc(s.trips, func(t *routes.Trip) bool {
		response, ok := t.Visits[len(t.Visits)-1].Handler.(*caddyhttp.StaticResponse)
		return !ok || response.Abort || response.Body != "" || response.StatusCode != "" && !strings.HasPrefix(string(response.StatusCode), "2")
	})
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

// besideThePattern: /admin/* is not /admin, and *.php not /index.php/x.
func (s *site) besideThePattern() string {
	if s.Prefix != "" {
		return ""
	}
	for _, pattern := range s.Patterns() {
		beside, write := "", pattern
		switch folder, below := strings.CutSuffix(pattern, "/*"); {
		case below && folder != "":
			beside, write = folder, pattern+" "+folder
		case strings.HasPrefix(pattern, "*."):
			beside, write = "/any"+pattern[1:]+"/any", "no matcher"
		case !strings.Contains(pattern, "*") && s.path == wellKnown+pattern:
			beside, write = pattern+"/", pattern+"*"
		default:
			continue
		}
		if t := s.follow(routes.As{Path: beside}); s.isBehind(t) {
			return "the matcher " + pattern + " leaves " + beside + " to " + routes.NameOf(open(t)) + " without a token; write " + write
		}
	}
	return ""
}

// clientChooses: anybody may send any header field.
func (s *site) clientChooses() string {
	for _, path := range s.paths {
		var guarded bool
		var taker caddyhttp.MiddlewareHandler
		for _, chosen := range [...]routes.Answer{routes.Maybe, routes.Yes, routes.No} {
			t := s.follow(routes.As{Path: path, Chosen: chosen})
			guarded = guarded || s.index(t) >= 0
			if s.isBehind(t) {
				taker = open(t)
			}
		}
		if guarded && taker != nil {
			return "a matcher looks at header fields or the query to tell which requests need a token, and whoever sends one, or leaves it out, gets to " +
				routes.NameOf(taker) + " without; use a host, or paths"
		}
	}
	return ""
}

func (s *site) otherMethods() string {
	for _, path := range s.paths {
		guarded, others := false, []string{}
		for _, method := range methods {
			t := s.follow(routes.As{Method: method, Path: path})
			guarded = guarded || s.index(t) >= 0
			if s.isBehind(t) && method != http.MethodGet {
				others = append(others, method)
			}
		}
		if guarded && len(others) > 0 {
			return "the matcher leaves " + strings.Join(others, ", ") + " to the same server without a token; write: not method GET HEAD, or no matcher"
		}
	}
	return ""
}

// otherServer: the same host, by http beside https, for example.
func (s *site) otherServer() string {
	if len(s.trips) == 0 || s.host == routes.AnyHost {
		return ""
	}
	for _, server := range s.servers {
		if server == s.Server || isLocal(server) {
			continue
		}
		for _, place := range routes.PlacesOf(server, isContent) {
			t := routes.Follow(server, routes.As{Method: http.MethodGet, Host: s.host, Path: s.trips[0].As.Path})
			if slices.Contains(place.Hosts(), s.host) && s.isBehind(t) {
				return "the same host serves what require_token protects at " + strings.Join(server.Listen, ", ") + ", too, without a token; remove that site, or protect it as well"
			}
		}
	}
	return ""
}

// isLocal reports a server that only this machine reaches.
func isLocal(server *caddyhttp.Server) bool {
	return !slices.ContainsFunc(server.Listen, func(address string) bool {
		return !strings.HasPrefix(address, "unix") && !strings.Contains(address, "127.0.0.1:") && !strings.Contains(address, "[::1]:") && !strings.Contains(address, "localhost:")
	})
}

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

// Interface guards
var (
	_ routes.Guard  = (*RequireToken)(nil)
	_ routes.Server = (*RequireToken)(nil)
	_ routes.Server = (*ResourceMetadata)(nil)
	_ caddy.Module  = (*RequireToken)(nil)
)
