package sealing

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// Keyrings are those of a configuration's gateways. The zero value has none.
type Keyrings struct {
	mu      sync.Mutex
	all     []*Keyring
	issuers map[string]*Keyring // of gateways with a public URL, by that
	openers []*opener
}

// Add keeps the keys of a gateway; publicURL may be "".
func (a *Keyrings) Add(keys *Keyring, publicURL string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = append(a.all, keys)
	if publicURL == "" {
		return
	}
	if a.issuers == nil {
		a.issuers = make(map[string]*Keyring)
	}
	a.issuers[publicURL] = keys
}

// Read reads the keys ahead of the first login, in the background.
func (a *Keyrings) Read() {
	for _, keys := range a.all {
		go func() { _, _ = keys.Current(context.Background()) }() // it logs a failure
	}
}

// Opener has the keys that open the access tokens of a gateway: those of the gateway with
// this public URL in the same configuration, which may be provisioned later, or else
// sealingKeys, as the other Caddy's gateway has them. An error is that of where.
func (a *Keyrings) Opener(publicURL string, sealingKeys []string, where args.Segment, logger *zap.Logger) (seal.Keyring, error) {
	if len(sealingKeys) > 0 {
		return New(sealingKeys, nil, logger, time.Now)
	}
	o := &opener{among: a, issuer: strings.TrimSuffix(publicURL, "/"), where: where}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.openers = append(a.openers, o)
	return o, nil
}

// Check makes sure that the gateways are there whose keys are needed, once everything is
// provisioned.
func (a *Keyrings) Check() error {
	for _, o := range a.openers {
		if o.keys() == nil {
			err := fmt.Errorf("require_token with tokens gateway: no identity_gateway with callback in this configuration has the public_url %s; "+
				"write it as it stands there or, if the gateway is in another Caddy, give both the same sealing_key", o.issuer)
			o.where.Locate(&err)
			return err
		}
	}
	return nil
}

// opener implements [seal.Keyring] by the keys of a gateway.
type opener struct {
	among  *Keyrings
	issuer string
	where  args.Segment
}

func (o *opener) keys() *Keyring {
	o.among.mu.Lock()
	defer o.among.mu.Unlock()
	return o.among.issuers[o.issuer]
}

// Current implements [seal.Keyring].
func (o *opener) Current(ctx context.Context) (*seal.Keys, error) {
	keys := o.keys()
	if keys == nil {
		return nil, errors.New("the configuration has not started")
	}
	return keys.Current(ctx)
}

// Newer implements [seal.Keyring].
func (o *opener) Newer(ctx context.Context, than *seal.Keys) *seal.Keys {
	return o.keys().Newer(ctx, than)
}
