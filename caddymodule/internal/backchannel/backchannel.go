// Package backchannel reaches identity providers in the way that the option transport
// says, with Caddy's own transports of reverse_proxy.
package backchannel

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy"
	"golang.org/x/net/http2"
)

// maxResponseHeader bounds the header of a response, in bytes, unless the operator's
// transport sets max_response_header.
const maxResponseHeader = 64 << 10

// New is the transport without the option: with the system's certificate authorities.
// timeout is how long a response may take.
func New(timeout time.Duration) http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 32
	tune(t, timeout)
	// As Caddy's transport does: with net/http's own HTTP/2, Go 1.26's, a server that sends one WINDOW_UPDATE too
	// many blocks every request to it for ever. It fails for a transport that has HTTP/2 already.
	_ = http2.ConfigureTransport(t) //nolint:staticcheck // see above
	return t
}

// tune bounds what an identity provider can cost.
func tune(t *http.Transport, timeout time.Duration) {
	t.DisableCompression = true
	if t.MaxResponseHeaderBytes == 0 {
		t.MaxResponseHeaderBytes = maxResponseHeader
	}
	// All requests share a connection of HTTP/2. One to an address that is silent, after
	// a failover, would be used until the kernel gives it up, for a quarter of an hour.
	t.HTTP2 = &http.HTTP2Config{SendPingTimeout: timeout / 4, PingTimeout: timeout}
}

// Load loads the field TransportRaw of a module, with the value raw, nil if it is empty. trusts is its
// configuration, which says whom to believe, and which Caddy empties the field of.
func Load(ctx caddy.Context, module any, raw json.RawMessage, timeout time.Duration) (transport http.RoundTripper, trusts string, err error) {
	if raw == nil {
		return nil, "", nil
	}
	loaded, err := ctx.LoadModule(module, "TransportRaw")
	if err != nil {
		return nil, "", fmt.Errorf("transport: %w", err)
	}
	if t, ok := loaded.(*reverseproxy.HTTPTransport); ok && t.Transport != nil {
		tune(t.Transport, timeout)
	}
	return prepared{loaded.(http.RoundTripper)}, string(raw), nil // as Caddy's proxy takes it
}

// prepared is a transport outside of any client's request. What Caddy prepares for such
// a request its transports take for granted, such as the replacer of the placeholders in
// their options: without that they panic. It is never the client's own, who would have a
// say in whom to believe.
type prepared struct{ http.RoundTripper }

func (t prepared) RoundTrip(r *http.Request) (*http.Response, error) {
	return t.RoundTripper.RoundTrip(caddyhttp.PrepareRequest(r, caddy.NewReplacer(), nil, new(caddyhttp.Server)))
}

func (t prepared) CloseIdleConnections() {
	if inner, ok := t.RoundTripper.(*reverseproxy.HTTPTransport); ok && inner.Transport != nil {
		inner.Transport.CloseIdleConnections()
	}
}

// ShowsCertificate reports whether a transport of [Load] has a certificate to show to servers
// that ask for one, as far as that can be seen: other modules than Caddy's http may.
func ShowsCertificate(transport http.RoundTripper) bool {
	loaded, ok := transport.(prepared)
	if !ok {
		return false
	}
	t, ok := loaded.RoundTripper.(*reverseproxy.HTTPTransport)
	return !ok || t.TLS != nil && (t.TLS.ClientCertificateFile != "" || t.TLS.ClientCertificateAutomate != "")
}

// Unmarshal reads the option transport of a Caddyfile:
//
//	transport <module> ...
func Unmarshal(d *caddyfile.Dispenser) (json.RawMessage, error) {
	if !d.NextArg() {
		return nil, d.Err("transport needs the name of a transport of reverse_proxy, such as http")
	}
	name := d.Val()
	module, err := caddyfile.UnmarshalModule(d, "http.reverse_proxy.transport."+name)
	if err != nil {
		return nil, err
	}
	return caddyconfig.JSONModuleObject(module, "protocol", name, nil), nil
}

// For is a transport that holds for the origin of address alone, and New elsewhere:
// what an operator says of one server is not said of others.
func For(address *url.URL, transport http.RoundTripper, timeout time.Duration) http.RoundTripper {
	return byOrigin{address, transport, New(timeout)}
}

type byOrigin struct {
	address *url.URL
	theirs  http.RoundTripper
	others  http.RoundTripper
}

func (t byOrigin) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme == t.address.Scheme && r.URL.Host == t.address.Host {
		return t.theirs.RoundTrip(r)
	}
	return t.others.RoundTrip(r)
}

func (t byOrigin) CloseIdleConnections() {
	for _, transport := range [...]http.RoundTripper{t.theirs, t.others} {
		(&http.Client{Transport: transport}).CloseIdleConnections()
	}
}
