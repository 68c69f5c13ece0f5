package requiretoken

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
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
	// paths are some that get to the handler, if nothing responds before.
	paths []string
	// behind are the addresses of the servers behind the handler, and folders. follows reports
	// that anything at all responds there, or may.
	behind  map[string]bool
	root    string // of files
	follows bool
	// trips are requests that get to the handler. reached reports that some do, or that nobody
	// knows.
	trips   []*routes.Trip
	reached bool
}

// rules look for what is open, which is an error, or does not work, which is a warning. Each
// says what is wrong and what to write, "" if nothing is.
var rules = []struct {
	open bool
	find func(*site) string
}{
	{true, (*site).neverReached},
	{true, (*site).nothingFollows},
	{true, (*site).resourceIsOpen},
	{true, (*site).toolsOfAnAskedSite},
	{true, (*site).cookieOfAnAskedSite},
	{true, (*site).publicOfAnAskedSite},
	{true, (*site).askedPast},
	{true, (*site).errorRoutes},
	{true, (*site).responseRoutes},
	{false, (*site).idle},
	{false, (*site).resourceIsElsewhere},
	{false, (*site).besideThePattern},
	{false, (*site).clientChooses},
	{false, (*site).otherMethods},
	{false, (*site).bySuffix},
	{false, (*site).byRegexp},
	{false, (*site).otherServer},
	{false, (*site).otherHost},
	{false, (*site).userBeforeToken},
	{false, (*site).withoutAuthorization},
	{false, (*site).twoLogins},
	{false, (*site).hiddenMetadata},
	{false, (*site).publicWhereAsked},
}

// checkPlaces looks at what stands around the handler.
func (h *RequireToken) checkPlaces(servers []*caddyhttp.Server) error {
	var problems []error
	for _, server := range servers {
		for _, place := range routes.PlacesOf(server, func(other caddyhttp.MiddlewareHandler) bool { return other == caddyhttp.MiddlewareHandler(h) }) {
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

func (h *RequireToken) sitesOf(servers []*caddyhttp.Server, place routes.Place) []*site {
	var sites []*site
	for _, host := range place.Hosts() {
		s := &site{RequireToken: h, Place: place, host: host, servers: servers, behind: make(map[string]bool)}
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
	s.root = cmp.Or(s.root, rootOf(t))
	for _, visit := range t.Visits[index+1:] {
		_, serves := visit.Handler.(routes.Server)
		s.follows = s.follows || serves || visit.Takes != routes.No
		for _, address := range sources(t, visit.Handler, "") {
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

// What stands before require_token, and what behind it.

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

// Interface guards
var (
	_ routes.Guard  = (*RequireToken)(nil)
	_ routes.Server = (*RequireToken)(nil)
	_ routes.Server = (*ResourceMetadata)(nil)
	_ caddy.Module  = (*RequireToken)(nil)
)
