package sites

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/docs"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/routes"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// place is where a gateway stands in the routes of a server.
type place struct {
	routes.Place
	gateway *Gateway
}

// gatewayOf is that of a handler, nil if it has none.
func gatewayOf(h caddyhttp.MiddlewareHandler) *Gateway {
	if of, ok := h.(Handler); ok {
		return of.Site()
	}
	return nil
}

// placesOf finds the gateways among the routes of a server.
func placesOf(server *caddyhttp.Server) []place {
	var found []place
	for _, p := range routes.PlacesOf(server, func(h caddyhttp.MiddlewareHandler) bool { return gatewayOf(h) != nil }) {
		found = append(found, place{p, gatewayOf(p.Handler)})
	}
	return found
}

// checkReach makes sure that the gateways of a server see what they have to check,
// whatever stands around them: it follows requests through the routes. What hands an
// identity provider's host over unchecked is an error, and so is a callback that another
// gateway gets; what may be meant so is a warning.
func (c *Checker) checkReach(server *caddyhttp.Server) error {
	var problems []error
	for _, place := range placesOf(server) {
		c.checkPublicURL(place)
		c.checkRedirects(place)
		c.checkCertificates(place)
		c.checkMetadata(place)
		reaches := place.reaches()
		redirected := func(r reach) bool { // as a whole, as a host is that has another name now
			handedOver, _ := place.gateway.handedOver(r.lost)
			return len(r.got) == 0 && len(handedOver) == 0
		}
		if !slices.ContainsFunc(reaches, func(r reach) bool { return len(r.got) > 0 }) {
			redirected = func(reach) bool { return false }
		}
		for _, r := range slices.DeleteFunc(reaches, redirected) {
			err := c.judge(place, r)
			place.gateway.Segment.Locate(&err)
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

// checkPublicURL warns of a public URL that is at no host of its site, or does not have the
// path that handle_path removes.
func (c *Checker) checkPublicURL(p place) {
	publicURL, err := args.Resolve("public_url", p.gateway.PublicURL)
	if err != nil || publicURL == "" {
		return
	}
	publicURL = strings.TrimSuffix(publicURL, "/")
	fields := p.gateway.Segment.Fields("public_url")
	if !strings.HasSuffix(publicURL, p.Prefix) {
		c.logger.Warn("public_url does not have the path that handle_path removes around this gateway, so that its callback and metadata are somewhere else; write "+
			publicURL+p.Prefix, fields...)
	}
	u, err := url.Parse(publicURL)
	hosts := p.Hosts()
	if err == nil && len(hosts) > 0 && !slices.ContainsFunc(hosts, func(host string) bool {
		return strings.EqualFold(host, u.Hostname()) || strings.HasPrefix(host, "any.") // any host, or any subdomain
	}) {
		c.logger.Warn("public_url is at no host of this site, so that what is sent there does not come here, unless a proxy in front of Caddy changes Host: "+publicURL,
			append(fields, zap.Strings("hosts", hosts))...)
	}
}

// checkRedirects warns of redirect URIs with a port that most apps leave out.
func (c *Checker) checkRedirects(p place) {
	for _, client := range p.gateway.Clients {
		for _, uri := range client.RedirectURIs {
			if without := uris.WithoutOwnPort(uri); without != uri {
				c.logger.Warn("redirect_uri "+uri+" is only for an app that writes the port, which most leave out: write "+without,
					append(p.gateway.Segment.Fields("redirect_uri"), zap.String("client_id", client.ID))...)
			}
		}
	}
}

// checkMetadata warns of a gateway whose metadata agents, and other clients that discover it, do not find:
// they insert its path after the well-known one (RFC 8414 section 3.1).
func (c *Checker) checkMetadata(p place) {
	publicURL, err := args.Resolve("public_url", p.gateway.PublicURL)
	u, parseErr := url.Parse(publicURL)
	if err != nil || parseErr != nil || p.Prefix == "" || !p.gateway.Discovered {
		return
	}
	path := "/.well-known/oauth-authorization-server" + strings.TrimSuffix(u.Path, "/")
	for _, host := range p.Hosts() {
		t := routes.Follow(p.Server, routes.As{Method: http.MethodGet, Host: host, Path: path})
		if !t.Unclear && !slices.ContainsFunc(t.Visits, func(v routes.Visit) bool { return v.Handler == p.Handler }) {
			c.logger.Warn("agents, and others that discover the gateway by RFC 8414, do not find its metadata, which is below handle_path; in the place of that write "+
				"@login path "+p.Prefix+"/* "+path+", handle @login { … }, and in it uri strip_prefix "+p.Prefix,
				append(p.gateway.Segment.Fields(""), zap.String("site", host), zap.String("path", path))...)
		}
	}
}

// judge logs or returns what is wrong with the requests of a gateway at one host.
func (c *Checker) judge(p place, r reach) error {
	idpAddress := p.gateway.AuthURL.String()
	fields := append(p.gateway.Segment.Fields(""), zap.String("site", r.host), zap.String("idp", idpAddress), zap.String("help", docs.Troubleshooting))
	if r.guard != "" {
		c.logger.Warn(r.guard+" before this gateway responds to its requests first, and the apps that send them have nothing to answer: nobody can log in; "+
			"put both into route { … }, identity_gateway first, or give "+r.guard+" a matcher that leaves these paths out",
			append(fields, zap.Strings("paths", r.guarded))...)
	}
	if other := r.callbackOf; other != nil {
		address := other.AuthURL.String()
		if r.callbackLost {
			return fmt.Errorf("callback %s of the identity_gateway for %s at %s is that of the one for %s, too; give each its own", p.gateway.Callback, idpAddress, r.host, address)
		}
		c.logger.Warn("two gateways have this callback, and whatever tells their requests apart does not come back from the identity provider; give each its own",
			append(fields, zap.String("other_idp", address), zap.String("callback", p.gateway.Callback))...)
	}
	if len(r.got)+len(r.lost) == 0 && r.shadow != nil {
		c.logger.Warn("this gateway is never reached: another one before it gets the same requests",
			append(fields, zap.String("other_idp", r.shadow.AuthURL.String()))...)
	}
	if len(r.chosen) > 0 {
		c.logger.Warn("reverse_proxy before this gateway gets requests that the gateway has to check, and hands them to the same identity provider: "+
			"anybody can send what its matcher looks for; put identity_gateway before it", append(fields, zap.Strings("paths", r.chosen))...)
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
	if r.rewritten != "" {
		c.logger.Warn(r.rewritten+" before this gateway changes the paths of its requests, and every login gets something else: "+
			"put both into route { … }, identity_gateway first, or give "+r.rewritten+" a matcher that leaves these paths out", append(fields, zap.Strings("paths", others))...)
		return nil
	}
	c.logger.Warn("requests that this gateway has to check do not reach it; put identity_gateway before what serves them, with no matcher and outside of handle: "+
		"it passes on by itself what is not for it", append(fields, zap.Strings("paths", others), zap.String("served_by", by))...)
	return nil
}

// handedOver are the paths of lost requests that a proxy takes to the identity provider,
// and the others.
func (g *Gateway) handedOver(requests []lostRequest) (handedOver, others []string) {
	for _, lost := range requests {
		if proxy, ok := lost.taker.(*reverseproxy.Handler); ok && (g.HandsHostOver || g.isBehind(proxy)) {
			handedOver = append(handedOver, lost.path)
		} else {
			others = append(others, lost.path)
		}
	}
	return handedOver, others
}

// isBehind reports whether the identity provider is behind a proxy, by its address.
func (g *Gateway) isBehind(proxy *reverseproxy.Handler) bool {
	address := g.AuthURL
	own := net.JoinHostPort(address.Hostname(), cmp.Or(address.Port(), map[string]string{"https": "443", "http": "80"}[address.Scheme]))
	return slices.ContainsFunc(proxy.Upstreams, func(u *reverseproxy.Upstream) bool { return strings.EqualFold(u.Dial, own) })
}

// isHandedOver reports whether a proxy takes whole requests to the identity provider.
func (g *Gateway) isHandedOver(taker caddyhttp.MiddlewareHandler) bool {
	proxy, ok := taker.(*reverseproxy.Handler)
	return ok && len(proxy.HandleResponse) == 0 && g.isBehind(proxy)
}

// reach is what becomes of the requests that a gateway has to see, at one host.
type reach struct {
	host string
	// got are the paths of those that it gets.
	got  []string
	lost []lostRequest
	// rewritten is the directive that changes the paths of some that are lost, "" if none does.
	rewritten string
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
	for _, host := range p.Hosts() {
		r := reach{host: host}
		for _, probe := range probes(p.gateway.Callback) {
			t := routes.Follow(p.Server, routes.As{Method: probe.method, Host: host, Path: p.Prefix + probe.path})
			index := slices.Index(t.Takers, p.Handler)
			gets := t.Unclear || index >= 0
			if guard, before := t.Guard, t.GuardBefore; guard != "" && before <= index {
				r.guard, r.guarded = guard, append(r.guarded, probe.path)
			}
			if slices.ContainsFunc(t.Takers[:max(index, 0)], p.gateway.isHandedOver) {
				r.chosen = append(r.chosen, probe.path)
			}
			if probe.path == p.gateway.Callback {
				for _, taker := range t.Takers {
					if other := gatewayOf(taker); other != nil && taker != p.Handler && other.Callback == probe.path {
						r.callbackOf, r.callbackLost = other, !gets
					}
				}
			}
			if gets {
				r.got = append(r.got, probe.path)
				continue
			}
			var last caddyhttp.MiddlewareHandler
			if len(t.Takers) > 0 {
				last = t.Takers[len(t.Takers)-1]
			}
			if other := gatewayOf(last); other != nil {
				r.shadow = other
				continue
			}
			r.lost = append(r.lost, lostRequest{probe.path, last})
			r.rewritten = cmp.Or(r.rewritten, t.Rewritten)
		}
		all = append(all, r)
	}
	return all
}
