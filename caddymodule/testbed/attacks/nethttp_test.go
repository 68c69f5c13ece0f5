package attacks

import (
	"context"
	"crypto/sha256"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
	"github.com/identity-gateway/caddy-identity-gateway/idp/signing"
)

type node interface {
	// Address is the host and port, URL the same as a URL.
	Address() string
	URL() string
	Stop() error
	Kill()
}

func (e *env) start(c testgateway.Config) (node, error) {
	if e.netHTTP {
		return e.startNetHTTP(c)
	}
	return testgateway.Start(c)
}

// netHTTP is the library's gateway, served by net/http. Caddy's part is to read the
// configuration.
type netHTTP struct {
	net.Listener
	server *http.Server
}

func (n *netHTTP) Address() string { return n.Addr().String() }
func (n *netHTTP) URL() string     { return "http://" + n.Address() }
func (n *netHTTP) Kill()           { _ = n.Stop() }

func (n *netHTTP) Stop() error {
	_ = n.Close() // the server closes it only if it serves already
	_ = n.server.Close()
	return nil
}

// startNetHTTP serves the gateway of a site. Sites with one storage have one key.
func (e *env) startNetHTTP(c testgateway.Config) (_ node, err error) {
	defer fail.Catch(&err)
	var directive identity.Gateway
	fail.Check(directive.UnmarshalCaddyfile(caddyfile.NewTestDispenser(c.Site)))
	config := fail.Must(directive.PolicyConfig())
	config.Replay = string(directive.ReplayRaw) // which a server names its store by
	policy := fail.Must(idp.NewPolicy(config))
	stored := sha256.Sum256([]byte(c.Storage))
	masters := [][]byte{stored[:]}
	if len(directive.SealingKeys) > 0 {
		masters = fail.Must(parseMasters(directive.SealingKeys))
	}
	keys := fail.Must(seal.NewKeys(masters, time.Now))
	parts := idp.Parts{Transport: http.DefaultTransport, Keys: seal.Static(keys), Replay: e.claims}
	if config.Discover {
		metadata := publishedBy(config.AuthURL)
		parts.Metadata = metadata
		parts.IdPKeys = jwks.New(func(context.Context) (string, error) {
			return metadata().JWKSURI.String(), nil
		}, http.DefaultClient, nil, nil)
	}
	if policy.SignsIDTokens() {
		parts.SigningKeys = signingKeys(policy.PublicURL(), config.AuthURL)
	}
	gateway := fail.Must(idp.NewGateway(policy, parts))
	address := c.Address
	if address == "" {
		address = "127.0.0.1:0"
	}
	listener := fail.Must(net.Listen("tcp", address))
	n := &netHTTP{listener, &http.Server{Handler: gateway.Handler(http.NotFoundHandler())}}
	go func() { _ = n.server.Serve(listener) }()
	return n, nil
}

// signsOnce are signing keys that stay as they are.
type signsOnce struct{ *signing.Keys }

func (s signsOnce) Current(context.Context) (*signing.Keys, error) { return s.Keys, nil }

func signingKeys(issuer, idpAddress string) signsOnce {
	key := fail.Must(signing.Make(issuer, idpAddress, time.Now()))
	return signsOnce{fail.Must(signing.Kept(issuer, []*signing.Key{key}))}
}

func parseMasters(texts []string) ([][]byte, error) {
	var masters [][]byte
	for _, text := range texts {
		key, also, err := seal.ParseMaster([]byte(text))
		if err != nil {
			return nil, err
		}
		masters = append(masters, key)
		if also != nil {
			masters = append(masters, also)
		}
	}
	return masters, nil
}

// published is the metadata of an IdP as it is when it is first needed, nil if that is
// refused.
type published func() *discovery.Metadata

func (p published) Current() *discovery.Metadata { return p() }

func (p published) Await(context.Context) (*discovery.Metadata, error) { return p(), nil }

func publishedBy(issuer string) published {
	return sync.OnceValue(func() (m *discovery.Metadata) {
		_ = fail.Try(func() {
			got := fail.Must(http.Get(fail.Must(discovery.Addresses(issuer))[0]))
			defer got.Body.Close()
			m = fail.Must(discovery.Parse(issuer, fail.Must(io.ReadAll(got.Body))))
		})
		return m
	})
}

// NeedsCaddy says what of Caddy an attack needs, "" if nothing.
func (a *Attack) NeedsCaddy() string {
	switch c := a.setup; {
	case c.needsCaddy != "":
		return c.needsCaddy
	case c.site != "":
		return "a site with other handlers"
	case c.nodes > 1, c.process:
		return "processes that share a storage"
	}
	return ""
}
