package identity

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net"
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
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/docs"
)

// checkReach makes sure that the gateways of a server see what they have to check,
// whatever stands around them: it follows requests through the routes. What hands an
// identity provider's host over unchecked is an error, and so is a callback that another
// gateway gets; what may be meant so is a warning.
func (a *App) checkReach(server *caddyhttp.Server) error {
	var problems []error
	for _, place := range placesOf(server) {
		a.checkPublicURL(place)
		a.checkCertificates(place)
		reaches := place.reaches()
		redirected := func(r reach) bool { // as a whole, as a host is that has another name now
			handedOver, _ := place.gateway.handedOver(r.lost)
			return len(r.got) == 0 && len(handedOver) == 0
		}
		if !slices.ContainsFunc(reaches, func(r reach) bool { return len(r.got) > 0 }) {
			redirected = func(reach) bool { return false }
		}
		for _, r := range slices.DeleteFunc(reaches, redirected) {
			err := a.judge(place, r)
			place.gateway.segment.Locate(&err)
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

// checkPublicURL warns of a public URL that is at no host of its site, or does not have the
// path that handle_path removes.
func (a *App) checkPublicURL(p place) {
	publicURL, err := args.Resolve("public_url", p.gateway.PublicURL)
	if err != nil || publicURL == "" {
		return
	}
	publicURL = strings.TrimSuffix(publicURL, "/")
	fields := p.gateway.segment.Fields("public_url")
	if !strings.HasSuffix(publicURL, p.prefix) {
		a.logger.Warn("public_url does not have the path that handle_path removes around this gateway, so that its callback and metadata are somewhere else; write "+
			publicURL+p.prefix, fields...)
	}
	u, err := url.Parse(publicURL)
	hosts := p.hosts()
	if err == nil && len(hosts) > 0 && !slices.ContainsFunc(hosts, func(host string) bool {
		return strings.EqualFold(host, u.Hostname()) || strings.HasPrefix(host, "any.") // any host, or any subdomain
	}) {
		a.logger.Warn("public_url is at no host of this site, so that what is sent there does not come here, unless a proxy in front of Caddy changes Host: "+publicURL,
			append(fields, zap.Strings("hosts", hosts))...)
	}
}

// judge logs or returns what is wrong with the requests of a gateway at one host.
func (a *App) judge(p place, r reach) error {
	idpAddress := p.gateway.policy.AuthURL().String()
	fields := append(p.gateway.segment.Fields(""), zap.String("site", r.host), zap.String("idp", idpAddress), zap.String("help", docs.Troubleshooting))
	if r.guard != "" {
		a.logger.Warn(r.guard+" before this gateway responds to its requests first, and the apps that send them have nothing to answer: nobody can log in; "+
			"put both into route { … }, identity_gateway first, or give "+r.guard+" a matcher that leaves these paths out",
			append(fields, zap.Strings("paths", r.guarded))...)
	}
	if other := r.callbackOf; other != nil {
		address := other.policy.AuthURL().String()
		if r.callbackLost {
			return fmt.Errorf("callback %s of the identity_gateway for %s at %s is that of the one for %s, too; give each its own", p.gateway.Callback, idpAddress, r.host, address)
		}
		a.logger.Warn("two gateways have this callback, and whatever tells their requests apart does not come back from the identity provider; give each its own",
			append(fields, zap.String("other_idp", address), zap.String("callback", p.gateway.Callback))...)
	}
	if len(r.got)+len(r.lost) == 0 && r.shadow != nil {
		a.logger.Warn("this gateway is never reached: another one before it gets the same requests",
			append(fields, zap.String("other_idp", r.shadow.policy.AuthURL().String()))...)
	}
	if len(r.chosen) > 0 {
		a.logger.Warn("reverse_proxy before this gateway gets requests that the gateway has to check, and hands them to the same identity provider: "+
			"whoever sends what its matcher looks for chooses that; put identity_gateway before it", append(fields, zap.Strings("paths", r.chosen))...)
	}
	handedOver, others := p.gateway.handedOver(r.lost)
	if len(handedOver) > 0 {
		return fmt.Errorf("identity_gateway for %s at %s: %s reach the identity provider by reverse_proxy, unchecked; "+
			"put identity_gateway before it, with no matcher and outside of handle, and leave order to the plugin ("+docs.Troubleshooting+")", idpAddress, r.host, strings.Join(handedOver, ", "))
	}
	if len(others) == 0 {
		return nil
	}
	by := "nobody"
	if module, ok := r.lost[0].taker.(caddy.Module); ok {
		by = module.CaddyModule().ID.Name()
	}
	a.logger.Warn("requests that this gateway has to check do not reach it; put identity_gateway before what serves them, with no matcher and outside of handle: "+
		"it passes on by itself what is not for it", append(fields, zap.Strings("paths", others), zap.String("served_by", by))...)
	return nil
}

// handedOver are the paths of lost requests that a proxy takes to the identity provider,
// and the others.
func (g *Gateway) handedOver(requests []lostRequest) (handedOver, others []string) {
	for _, lost := range requests {
		if proxy, ok := lost.taker.(*reverseproxy.Handler); ok && (g.policy.HandsHostOver() || g.isBehind(proxy)) {
			handedOver = append(handedOver, lost.path)
		} else {
			others = append(others, lost.path)
		}
	}
	return handedOver, others
}

// isBehind reports whether the identity provider is behind a proxy, by its address.
func (g *Gateway) isBehind(proxy *reverseproxy.Handler) bool {
	address := g.policy.AuthURL()
	own := net.JoinHostPort(address.Hostname(), cmp.Or(address.Port(), map[string]string{"https": "443", "http": "80"}[address.Scheme]))
	return slices.ContainsFunc(proxy.Upstreams, func(u *reverseproxy.Upstream) bool { return strings.EqualFold(u.Dial, own) })
}

// isHandedOver reports whether a proxy takes whole requests to the identity provider.
func (g *Gateway) isHandedOver(taker caddyhttp.MiddlewareHandler) bool {
	proxy, ok := taker.(*reverseproxy.Handler)
	return ok && len(proxy.HandleResponse) == 0 && g.isBehind(proxy)
}

// place is where a gateway stands in the routes of a server.
type place struct {
	server  *caddyhttp.Server
	gateway *Gateway
	// around are the matchers on the way there, the outermost first.
	around []caddyhttp.MatcherSets
	// prefix is what handle_path and the like strip from the path before.
	prefix string
}

// placesOf finds the gateways among the routes of a server.
func placesOf(server *caddyhttp.Server) []place {
	var found []place
	var walkRoutes func(routes caddyhttp.RouteList, at place)
	walk := func(route caddyhttp.Route, at *place) {
		for _, handler := range route.Handlers {
			switch handler := handler.(type) {
			case *Gateway:
				at.gateway = handler
				found = append(found, *at)
			case *caddyhttp.Subroute:
				walkRoutes(handler.Routes, *at)
			case *caddyhttp.Invoke:
				if named := server.NamedRoutes[handler.Name]; named != nil {
					walkRoutes(caddyhttp.RouteList{*named}, *at)
				}
			case *rewrite.Rewrite:
				at.prefix += rooted(handler.StripPathPrefix)
			}
		}
	}
	walkRoutes = func(routes caddyhttp.RouteList, at place) {
		for _, route := range routes {
			below := at
			below.around = append(slices.Clip(at.around), route.MatcherSets)
			walk(route, &below)
			if len(route.MatcherSets) == 0 {
				at.prefix = below.prefix
			}
		}
	}
	walkRoutes(server.Routes, place{server: server})
	return found
}

func rooted(prefix string) string {
	if prefix == "" || strings.HasPrefix(prefix, "/") {
		return prefix
	}
	return "/" + prefix
}

// hosts are those of the innermost matcher of hosts, without those that another matcher
// on the way refuses.
func (p *place) hosts() []string {
	hosts := []string{"any.invalid"} // that no other site has
	for _, sets := range p.around {
		var named []string
		for _, set := range sets {
			for _, matcher := range set {
				if of, ok := matcher.(*caddyhttp.MatchHost); ok {
					named = append(named, *of...)
				}
			}
		}
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
		t := trip{server: p.server, request: newRequest(http.MethodGet, host, "/"), hostsOnly: true}
		refuses := func(sets caddyhttp.MatcherSets) bool { return t.match(sets) == no }
		if !slices.ContainsFunc(p.around, refuses) {
			known = append(known, host)
		}
	}
	return known
}

// reach is what becomes of the requests that a gateway has to see, at one host.
type reach struct {
	host string
	// got are the paths of those that it gets.
	got  []string
	lost []lostRequest
	// guarded are the paths of those that guard, a directive that asks for a login of
	// another kind, responds to before.
	guarded []string
	guard   string
	// chosen are the paths of those that a proxy may hand to the identity provider before.
	chosen []string
	// shadow is another gateway that gets some in its place.
	shadow *Gateway
	// callbackOf is another gateway that has the callback, too, and callbackLost reports
	// that it always gets that.
	callbackOf   *Gateway
	callbackLost bool
}

// lostRequest is for a path that taker gets in the place of the gateway, nil if nobody does.
type lostRequest struct {
	path  string
	taker caddyhttp.MiddlewareHandler
}

func (p *place) reaches() []reach {
	var all []reach
	for _, host := range p.hosts() {
		r := reach{host: host}
		for _, probe := range p.gateway.probes() {
			t := trip{server: p.server, request: newRequest(probe.method, host, p.prefix+probe.path)}
			t.routes(p.server.Routes, true)
			index := slices.Index(t.takers, caddyhttp.MiddlewareHandler(p.gateway))
			gets := t.unclear || index >= 0
			if guard, before := t.guard, t.guardBefore; guard != "" && before <= index {
				r.guard, r.guarded = guard, append(r.guarded, probe.path)
			}
			if slices.ContainsFunc(t.takers[:max(index, 0)], p.gateway.isHandedOver) {
				r.chosen = append(r.chosen, probe.path)
			}
			if probe.path == p.gateway.Callback {
				for _, taker := range t.takers {
					if other, ok := taker.(*Gateway); ok && other != p.gateway && other.Callback == probe.path {
						r.callbackOf, r.callbackLost = other, !gets
					}
				}
			}
			if gets {
				r.got = append(r.got, probe.path)
				continue
			}
			var last caddyhttp.MiddlewareHandler
			if len(t.takers) > 0 {
				last = t.takers[len(t.takers)-1]
			}
			if other, ok := last.(*Gateway); ok {
				r.shadow = other
				continue
			}
			r.lost = append(r.lost, lostRequest{probe.path, last})
		}
		all = append(all, r)
	}
	return all
}

// trip is the way of a request through the routes of a server.
type trip struct {
	server  *caddyhttp.Server
	request *http.Request
	// hostsOnly asks matchers for hosts alone.
	hostsOnly bool
	// takers are the handlers that may respond. After the last one nobody can.
	takers []caddyhttp.MiddlewareHandler
	// guard is the first directive that lets nobody pass without a login of another kind,
	// before the taker of that index. It is empty without one.
	guard       string
	guardBefore int
	groups      map[string]answer
	// unclear: something may have rewritten the request in a way that is not followed.
	unclear bool
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
func (t *trip) routes(routes caddyhttp.RouteList, certain bool) (ended bool) {
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

func (t *trip) handlers(handlers []caddyhttp.MiddlewareHandler, sure bool) (ended bool) {
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
			t.takers = append(t.takers, handler)
		}
		if ended || sure && takes == yes {
			return true
		}
	}
	return false
}

func (t *trip) guardedBy(directive string, sure bool) {
	if sure && t.guard == "" {
		t.guard, t.guardBefore = directive, len(t.takers)
	}
}

// takes reports whether a handler responds to the request.
func (t *trip) takes(handler caddyhttp.MiddlewareHandler) answer {
	is := func(taken bool) answer {
		if taken {
			return yes
		}
		return no
	}
	switch handler := handler.(type) {
	case *Gateway:
		return is(handler.policy.Serves(t.request.Method, t.request.URL.Path))
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
func (t *trip) rewrite(r *rewrite.Rewrite, sure bool) (ended bool) {
	if r.URI == "" && r.Method == "" && r.StripPathPrefix == "" && r.StripPathSuffix == "" && len(r.URISubstring) == 0 && len(r.PathRegexp) == 0 {
		return false // the query
	}
	rest, ok := strings.CutPrefix(t.request.URL.Path, rooted(r.StripPathPrefix))
	if !sure || !ok || r.StripPathPrefix == "" || r.URI != "" || r.Method != "" || r.StripPathSuffix != "" || len(r.URISubstring) > 0 || len(r.PathRegexp) > 0 {
		t.unclear = true
		return true
	}
	t.request.URL.Path = rest
	return false
}

func (t *trip) match(sets caddyhttp.MatcherSets) answer {
	if len(sets) == 0 {
		return yes
	}
	return t.matchAny(sets)
}

func (t *trip) matchAny(sets []caddyhttp.MatcherSet) answer {
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
func (t *trip) matchOne(matcher any) answer {
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

// serversOf are the HTTP servers of a configuration, by their names.
func serversOf(ctx caddy.Context) []*caddyhttp.Server {
	loaded, err := ctx.AppIfConfigured("http")
	app, ok := loaded.(*caddyhttp.App)
	if err != nil || !ok {
		return nil
	}
	var servers []*caddyhttp.Server
	for _, name := range slices.Sorted(maps.Keys(app.Servers)) {
		servers = append(servers, app.Servers[name])
	}
	return servers
}
