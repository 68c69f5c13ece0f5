package requiretoken

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	_ "github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy" // its transports

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/issuers"
	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
)

// issuerTransport is a transport of reverse_proxy, which reaches the issuer outside of
// any client's request.
type issuerTransport struct{ http.RoundTripper }

// RoundTrip implements [http.RoundTripper]. What Caddy prepares for a request of a client
// its transports take for granted, such as the replacer of the placeholders in their
// options: without that they panic. It is never the client's own, who would have a say in
// whom to believe.
func (t *issuerTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	return t.RoundTripper.RoundTrip(caddyhttp.PrepareRequest(r, caddy.NewReplacer(), nil, new(caddyhttp.Server)))
}

// loadTransport loads the field TransportRaw of a module, nil if it is empty. trusts is
// its configuration, which says whom to believe, and which Caddy empties the field of.
func loadTransport(ctx caddy.Context, module any, raw json.RawMessage) (transport http.RoundTripper, trusts string, err error) {
	if raw == nil {
		return nil, "", nil
	}
	loaded, err := ctx.LoadModule(module, "TransportRaw")
	if err != nil {
		return nil, "", fmt.Errorf("transport: %w", err)
	}
	return &issuerTransport{loaded.(http.RoundTripper)}, string(raw), nil // as Caddy's proxy takes it
}

// issuerKeys are the keys of issuers, which configurations share across reloads: a
// reload while the issuer is down loses none.
var issuerKeys = caddy.NewUsagePool()

// pooledKeys are keys in issuerKeys, and the clients of the configurations that use
// them. They are fetched by the newest one, whose transport has read its certificates
// last.
type pooledKeys struct {
	*accesstoken.Keys

	mu      sync.Mutex
	clients []*http.Client
}

// Destruct implements caddy.Destructor.
func (*pooledKeys) Destruct() error { return nil }

func (k *pooledKeys) add(client *http.Client) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.clients = append(k.clients, client)
}

func (k *pooledKeys) remove(client *http.Client) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.clients = slices.DeleteFunc(k.clients, func(other *http.Client) bool { return other == client })
}

// RoundTrip implements [http.RoundTripper].
func (k *pooledKeys) RoundTrip(r *http.Request) (*http.Response, error) {
	client := k.newest()
	if client == nil {
		return nil, errors.New("no configuration needs them any more")
	}
	return client.Transport.RoundTrip(r)
}

func (k *pooledKeys) newest() *http.Client {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.clients) == 0 {
		return nil
	}
	return k.clients[len(k.clients)-1]
}

// newClient reaches the issuer by a transport, or directly if that is nil.
func newClient(transport http.RoundTripper) *http.Client {
	if transport == nil {
		transport = issuers.NewTransport(16)
	}
	return &http.Client{Transport: transport}
}
