package requiretoken

import (
	"encoding/json"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/caddyauth"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/fileserver"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/routes"
)

// Ways to the same server beside require_token: other paths, methods, fields, ports.

// upstreams are the addresses to which a handler sends whole requests.
func upstreams(handler caddyhttp.MiddlewareHandler) []string {
	proxy, ok := handler.(*reverseproxy.Handler)
	if !ok || routes.IsForwardAuth(proxy) {
		return nil
	}
	var addresses []string
	if proxy.DynamicUpstreams != nil {
		if encoded, err := json.Marshal(proxy.DynamicUpstreams); err == nil {
			addresses = append(addresses, string(encoded))
		}
	}
	for _, upstream := range proxy.Upstreams {
		// A placeholder of the request is the same server where it stands again.
		dial := strings.ToLower(caddy.NewReplacer().ReplaceKnown(upstream.Dial, ""))
		if host, port, err := net.SplitHostPort(dial); err == nil && isThisMachine[host] {
			dial = "localhost:" + port
		}
		addresses = append(addresses, dial)
	}
	return addresses
}

// isThisMachine has the hosts by which a server that listens everywhere is reached.
var isThisMachine = map[string]bool{"": true, "127.0.0.1": true, "::1": true, "0.0.0.0": true, "::": true}

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
		return handler.Body != "" && passes(handler)
	case *reverseproxy.Handler, *fileserver.FileServer:
		return true
	}
	return false
}

// isBehind reports that a request gets without a token to what is behind the handler.
func (s *site) isBehind(t *routes.Trip) bool {
	return slices.ContainsFunc(upstreams(open(t)), func(address string) bool { return s.behind[address] })
}

// besideThePattern: /admin/* is not /admin, and *.php not /index.php/x.
func (s *site) besideThePattern() string {
	if s.Prefix != "" {
		return s.withoutThePrefix()
	}
	for _, pattern := range s.Patterns() {
		var beside, write string
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

// withoutThePrefix: the app's own paths are those that handle_path makes.
func (s *site) withoutThePrefix() string {
	for _, path := range s.paths {
		inner, below := strings.CutPrefix(path, s.Prefix)
		if !below || inner == "" {
			continue
		}
		if t := s.follow(routes.As{Path: inner}); s.isBehind(t) {
			return "handle_path makes " + inner + " of " + path + ", and " + routes.NameOf(open(t)) + " serves " + inner + " without a token, from the same server; protect that, too"
		}
	}
	return ""
}

// bySuffix: /admin/any.css may be the app's /admin.
func (s *site) bySuffix() string {
	patterns := s.Excluded()
	for _, place := range routes.PlacesOf(s.Server, isContent) {
		patterns = append(patterns, place.Patterns()...)
	}
	for _, pattern := range patterns {
		if !strings.HasPrefix(pattern, "*") || strings.Trim(pattern, "*") == "" {
			continue
		}
		path := example("/any/" + pattern)
		if t := s.follow(routes.As{Path: path}); s.isBehind(t) {
			return "the matcher " + pattern + " leaves every path that ends so to " + routes.NameOf(open(t)) + " without a token, and servers that do not look at the end serve others there; " +
				"write the folder, such as /assets/*"
		}
	}
	return ""
}

// byRegexp: the app may take /API for /api.
func (s *site) byRegexp() string {
	for _, expression := range s.Regexps() {
		compiled, err := regexp.Compile(strings.TrimPrefix(expression, "^"))
		if err != nil {
			continue
		}
		path, _ := compiled.LiteralPrefix()
		other := strings.ToUpper(path)
		if s.index(s.follow(routes.As{Path: path})) < 0 || other == path {
			continue
		}
		if t := s.follow(routes.As{Path: other}); s.isBehind(t) {
			return "the regular expression " + expression + " leaves " + other + " to " + routes.NameOf(open(t)) + " without a token, and many servers take that for " + path +
				"; write a path, such as " + path + "*, or (?i) before it"
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

// anyOther is a method that no matcher names.
const anyOther = "any other"

func (s *site) otherMethods() string {
	for _, path := range s.paths {
		guarded, others := false, []string{}
		for _, method := range append(slices.Clip(methods), anyOther) {
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
		t := routes.Follow(server, routes.As{Method: http.MethodGet, Host: s.host, Path: s.trips[0].As.Path})
		if s.isBehind(t) {
			return "the same host serves what require_token protects at " + strings.Join(server.Listen, ", ") + ", too, without a token; remove that site, or protect it as well"
		}
	}
	return ""
}

// otherHost: a site for the rest, or for who is inside, is one for whoever writes that into Host.
func (s *site) otherHost() string {
	if len(s.trips) == 0 {
		return ""
	}
	for _, server := range s.servers {
		here := routes.As{Method: http.MethodGet, Host: s.host, Path: s.trips[0].As.Path}
		if isLocal(server) || s.isBehind(routes.Follow(server, here)) { // the same host, of which otherServer speaks
			continue
		}
		for _, place := range routes.PlacesOf(server, isContent) {
			for _, host := range place.Hosts() {
				if host == s.host || !isInside(host) {
					continue
				}
				name := "the host " + host
				if host == routes.AnyHost {
					name = "any other host"
				}
				if t := routes.Follow(server, routes.As{Method: http.MethodGet, Host: host, Path: s.trips[0].As.Path}); s.isBehind(t) {
					return name + " leads to what require_token protects without a token, and anybody who reaches " + strings.Join(server.Listen, ", ") +
						" may write that into Host; bind that site to an address that only those inside reach, or protect it as well"
				}
			}
		}
	}
	return ""
}

// isInside reports a name that is in no public DNS, so that nobody seems to get there.
func isInside(host string) bool {
	if host == routes.AnyHost || !strings.Contains(host, ".") {
		return true
	}
	if address, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return address.IsLoopback() || address.IsPrivate()
	}
	return slices.Contains([]string{"internal", "local", "localhost", "lan", "intranet", "arpa", "home"}, host[strings.LastIndexByte(host, '.')+1:])
}

// isLocal reports a server that listens at no public address.
func isLocal(server *caddyhttp.Server) bool {
	return !slices.ContainsFunc(server.Listen, func(address string) bool {
		parsed, err := caddy.ParseNetworkAddress(address)
		if err != nil || parsed.IsUnixNetwork() {
			return false
		}
		ip, err := netip.ParseAddr(parsed.Host)
		return parsed.Host != "localhost" && (err != nil || !ip.IsLoopback() && !ip.IsPrivate())
	})
}
