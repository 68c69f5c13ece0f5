package identity

import (
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
	return jwks.New(g.discovered.keysURL, &http.Client{Transport: g.transport}, time.Now, func(err error) {
		g.logger.Error("the keys of the identity provider can't be fetched", zap.Error(err))
	})
}

// clientKeys are those with which a client signs its assertions, nil if there are none.
func clientKeys(c *idp.ClientConfig, logger *zap.Logger) (idp.KeySet, error) {
	if c.JWKS == "" {
		return nil, nil
	}
	keys, err := keysAt(c.JWKS, func(err error) {
		logger.Error("the keys of a client can't be fetched", zap.String("client_id", c.ID), zap.Error(err))
	})
	if err != nil {
		return nil, fmt.Errorf("client %s: %w", c.ID, err)
	}
	return keys, nil
}

// keysAt are public keys in a file, or at a URL, from which they are fetched when they are needed.
// failed is told why that failed.
func keysAt(at string, failed func(error)) (idp.KeySet, error) {
	if !strings.Contains(at, "://") {
		document, err := os.ReadFile(at)
		if err != nil {
			return nil, fmt.Errorf("jwks: %w", err)
		}
		keys, err := jwks.ParseSet(document)
		if err != nil {
			return nil, fmt.Errorf("jwks %s: %w", at, err)
		}
		return keys, nil
	}
	if u, err := url.Parse(at); err != nil || !uris.IsSecure(u) {
		return nil, errors.New("jwks must be a file or an https URL (http only on 127.0.0.1, [::1] or localhost): whoever can alter the response can sign")
	}
	return jwks.New(jwks.At(at), &http.Client{Transport: backchannel.New(idp.DefaultTimeout)}, time.Now, failed), nil
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
