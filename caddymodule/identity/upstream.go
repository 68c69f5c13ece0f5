package identity

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// maxResponseHeader bounds the header of a response of the IdP, in bytes, unless
// the operator's transport sets max_response_header.
const maxResponseHeader = 64 << 10

// provisionUpstream sets up the reverse proxy to the IdP: the operator's, with
// defaults from the IdP's address.
func (g *Gateway) provisionUpstream(ctx caddy.Context) error {
	if g.Upstream == nil {
		g.Upstream = new(reverseproxy.Handler)
	}
	proxy := g.Upstream
	if len(proxy.Upstreams) == 0 && proxy.DynamicUpstreamsRaw == nil {
		if err := defaultUpstream(proxy, g.policy); err != nil {
			return fmt.Errorf("upstream: %w", err)
		}
	}
	if err := proxy.Provision(ctx); err != nil {
		return fmt.Errorf("upstream: %w", err)
	}
	g.upstreamProvisioned = true
	keepsHost := proxy.Headers != nil && proxy.Headers.Request != nil && proxy.Headers.Request.Set["Host"] != nil
	g.guard(proxy).keepsHost = keepsHost
	if g.discovers || !g.policy.OnlyAuthURL() {
		return g.provisionOtherHosts(ctx)
	}
	return nil
}

// guard puts the gateway's own transport before that of a proxy.
func (g *Gateway) guard(proxy *reverseproxy.Handler) *transport {
	inner, ok := proxy.Transport.(*reverseproxy.HTTPTransport)
	if ok = ok && inner.Transport != nil; ok {
		inner.Transport.DisableCompression = true
		if inner.MaxResponseHeaderSize == 0 {
			inner.Transport.MaxResponseHeaderBytes = maxResponseHeader
		}
		// All requests share a connection of HTTP/2. One to an address that is silent, after
		// a failover, would be used until the kernel gives it up, for a quarter of an hour.
		timeout := time.Duration(g.ResponseTimeout)
		inner.Transport.HTTP2 = &http.HTTP2Config{SendPingTimeout: timeout / 4, PingTimeout: timeout}
	} else {
		g.asksForIdentity = true
	}
	t := &transport{
		RoundTripper: proxy.Transport,
		maxResponse:  g.MaxResponse,
		timeout:      time.Duration(g.ResponseTimeout),
		metrics:      g.metrics,
		// The HTTP/3 client has no such trace.
		tracesConnections: ok && !slices.Contains(inner.Versions, "3"),
	}
	proxy.Transport = t
	return t
}

// provisionOtherHosts sets up the reverse proxy to endpoints on other hosts than
// that of auth_url. Each host has connections of its own, with its name in TLS and
// in Host. Only the addresses of the configuration and of the IdP's checked
// metadata are ever connected to.
func (g *Gateway) provisionOtherHosts(ctx caddy.Context) error {
	proxy := &reverseproxy.Handler{TransportRaw: json.RawMessage(`{"protocol":"http","tls":{}}`)}
	if err := proxy.Provision(ctx); err != nil {
		return fmt.Errorf("endpoints on other hosts: %w", err)
	}
	g.otherHosts = proxy
	proxy.DynamicUpstreams = hostOfCall{}
	g.guard(proxy).setsScheme = true
	return nil
}

// hostOfCall is the upstream that a [call] is for.
type hostOfCall struct{}

// GetUpstreams implements [reverseproxy.UpstreamSource].
func (hostOfCall) GetUpstreams(r *http.Request) ([]*reverseproxy.Upstream, error) {
	c, ok := r.Context().Value(callKey{}).(*call)
	if !ok {
		return nil, errors.New("no call of the gateway")
	}
	return []*reverseproxy.Upstream{{Dial: dialAddress(c.target)}}, nil
}

// dialAddress is the host and port of a URL.
func dialAddress(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// defaultUpstream makes the IdP's host the upstream, with TLS if its address is https.
func defaultUpstream(proxy *reverseproxy.Handler, policy *idp.Policy) error {
	u := policy.AuthURL()
	proxy.Upstreams = reverseproxy.UpstreamPool{{Dial: dialAddress(u)}}
	if u.Scheme != "https" {
		return nil
	}
	transport := map[string]json.RawMessage{"protocol": caddyconfig.JSON("http", nil)}
	if proxy.TransportRaw != nil {
		if err := json.Unmarshal(proxy.TransportRaw, &transport); err != nil {
			return fmt.Errorf("transport: %w", err)
		}
	}
	if _, ok := transport["tls"]; !ok && string(transport["protocol"]) == `"http"` {
		transport["tls"] = json.RawMessage(`{}`)
	}
	proxy.TransportRaw = caddyconfig.JSON(transport, nil)
	return nil
}
