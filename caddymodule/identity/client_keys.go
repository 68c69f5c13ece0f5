package identity

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/backchannel"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// idpKeys are those of the IdP's metadata. They are fetched when a token needs them.
func (g *Gateway) idpKeys() *jwks.Keys {
	location := func(ctx context.Context) (string, error) {
		m, err := g.discovered.handle.Await(ctx)
		switch {
		case err != nil:
			return "", err
		case m.JWKSURI == nil:
			return "", errors.New("the identity provider's metadata has no jwks_uri")
		}
		return m.JWKSURI.String(), nil
	}
	return jwks.New(location, &http.Client{Transport: g.transport}, time.Now, func(err error) {
		g.logger.Error("the keys of the identity provider can't be had", zap.Error(err))
	})
}

// clientKeys are those with which a client signs its assertions, nil if there are none.
func clientKeys(c *idp.ClientConfig, logger *zap.Logger) (idp.KeySet, error) {
	if c.JWKS == "" {
		return nil, nil
	}
	if !strings.Contains(c.JWKS, "://") {
		document, err := os.ReadFile(c.JWKS)
		if err != nil {
			return nil, fmt.Errorf("client %s: jwks: %w", c.ID, err)
		}
		keys, err := jwks.ParseSet(document)
		if err != nil {
			return nil, fmt.Errorf("client %s: jwks %s: %w", c.ID, c.JWKS, err)
		}
		return keys, nil
	}
	if u, err := url.Parse(c.JWKS); err != nil || !uris.IsSecure(u) {
		return nil, errors.New("client " + c.ID + ": jwks must be a file or an https URL (http only on 127.0.0.1, [::1] or localhost): who can alter the response can be the client")
	}
	client := &http.Client{Transport: backchannel.New(idp.DefaultTimeout)}
	return jwks.New(jwks.At(c.JWKS), client, time.Now, func(err error) {
		logger.Error("the keys of a client can't be had", zap.String("client_id", c.ID), zap.Error(err))
	}), nil
}

// readSecrets reads the secret or the private key of the gateway's client at the IdP; c may be nil.
func readSecrets(c *idp.IdPClientConfig) (err error) {
	if c == nil {
		return nil
	}
	if c.Secret = strings.TrimSpace(c.Secret); c.PrivateKeyFile == "" { // files end with a line break
		return nil
	}
	if c.PrivateKey, err = os.ReadFile(c.PrivateKeyFile); err != nil {
		return fmt.Errorf("idp_client private_key_jwt: %w", err)
	}
	return nil
}
