package identity

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"

	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/backchannel"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// idpKeys are those of the IdP's metadata. They are fetched when a logout token needs them.
func (g *Gateway) idpKeys() idp.KeySet {
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
	return accesstoken.NewKeys(location, &http.Client{Transport: g.transport}, time.Now, func(err error) {
		g.logger.Error("the keys of the identity provider can't be had", zap.Error(err))
	})
}

// keys are those with which a client signs its assertions, nil if there are none.
func (c *Client) keys(logger *zap.Logger) (idp.KeySet, error) {
	file, err := args.Resolve("client "+c.ID+": jwks", c.JWKSFile)
	if err != nil {
		return nil, err
	}
	address, err := args.Resolve("client "+c.ID+": jwks_uri", c.JWKSURI)
	switch {
	case err != nil:
		return nil, err
	case file != "" && address != "":
		return nil, fmt.Errorf("client %s: has both jwks and jwks_uri; use one", c.ID)
	case file != "":
		document, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("client %s: jwks: %w", c.ID, err)
		}
		keys, err := accesstoken.ParseKeys(document)
		if err != nil {
			return nil, fmt.Errorf("client %s: jwks %s: %w", c.ID, file, err)
		}
		return keys, nil
	case address == "":
		return nil, nil
	}
	if u, err := url.Parse(address); err != nil || u.Scheme != "https" && (u.Scheme != "http" || !uris.IsLoopback(u.Hostname())) {
		return nil, errors.New("client " + c.ID + ": jwks_uri must be an https URL (http only on 127.0.0.1, [::1] or localhost): who can alter the response can be the client")
	}
	client := &http.Client{Transport: backchannel.New(idp.DefaultTimeout)}
	return accesstoken.NewKeys(accesstoken.At(address), client, time.Now, func(err error) {
		logger.Error("the keys of a client can't be had", zap.String("client_id", c.ID), zap.Error(err))
	}), nil
}
