package requiretoken

import (
	"errors"
	"net/http"
	"slices"
	"sync"

	"github.com/caddyserver/caddy/v2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/issuers"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
)

// issuerKeys are the keys of issuers, which configurations share across reloads: a
// reload while the issuer is down loses none.
var issuerKeys = caddy.NewUsagePool()

// pooledKeys are keys in issuerKeys, and the clients of the configurations that use
// them. They are fetched by the newest one, whose transport has read its certificates
// last.
type pooledKeys struct {
	*jwks.Keys

	mu      sync.Mutex
	clients []*http.Client
}

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

func (k *pooledKeys) RoundTrip(r *http.Request) (*http.Response, error) {
	client := k.newest()
	if client == nil {
		return nil, errors.New("no configuration needs them any longer")
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
