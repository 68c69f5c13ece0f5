package identity

import (
	"encoding/json"
	"fmt"
	"net"
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
	inner, ok := proxy.Transport.(*reverseproxy.HTTPTransport)
	if ok = ok && inner.Transport != nil; ok {
		inner.Transport.DisableCompression = true
		if inner.MaxResponseHeaderSize == 0 {
			inner.Transport.MaxResponseHeaderBytes = maxResponseHeader
		}
	} else {
		g.asksForIdentity = true
	}
	t := &transport{
		RoundTripper: proxy.Transport,
		host:         g.policy.AuthURL().Host,
		maxResponse:  g.MaxResponse,
		timeout:      time.Duration(g.ResponseTimeout),
		// The HTTP/3 client has no such trace.
		tracesConnections: ok && !slices.Contains(inner.Versions, "3"),
	}
	if proxy.Headers != nil && proxy.Headers.Request != nil && proxy.Headers.Request.Set["Host"] != nil {
		t.host = ""
	}
	proxy.Transport = t
	return nil
}

// defaultUpstream makes the IdP's host the upstream, with TLS if its address is https.
func defaultUpstream(proxy *reverseproxy.Handler, policy *idp.Policy) error {
	u := policy.AuthURL()
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	proxy.Upstreams = reverseproxy.UpstreamPool{{Dial: net.JoinHostPort(u.Hostname(), port)}}
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
