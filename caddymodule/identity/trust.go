package identity

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/backchannel"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/issuers"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/trust"
)

// unmarshalTrust reads an issuer whose assertions buy access tokens. Lines AND, values of a line
// OR, blocks OR:
//
//	trust <issuer> id_jag|workload {
//	    client <ids...>
//	    scope  <scopes...>
//	    claim  <name> <values...>
//	    jwks   <file or URL>
//	}
func (g *Gateway) unmarshalTrust(d *caddyfile.Dispenser) error {
	words, err := args.List(d)
	if err != nil {
		return err
	}
	if len(words) != 2 || words[1] != string(trust.IDJAG) && words[1] != string(trust.Workload) {
		return d.Err("trust needs an issuer and what it is trusted for: trust <issuer> id_jag, for assertions about users, or trust <issuer> workload, for tokens of what runs at a platform")
	}
	rule := trust.Rule{Issuer: words[0], Purpose: trust.Purpose(words[1])}
	if err := args.Block(d, "trust", args.Options{
		"client": args.Strings(&rule.Clients),
		"scope":  args.Strings(&rule.Scopes),
		"claim":  args.Claims(&rule.Claims),
		"jwks":   args.String(&rule.JWKS),
	}); err != nil {
		return err
	}
	g.Trust = append(g.Trust, rule)
	return nil
}

// provisionTrust finds the keys of the issuers that are trusted: by their metadata, which is
// fetched when an assertion needs it, or where the configuration says.
func (g *Gateway) provisionTrust(ctx caddy.Context, policy *idp.Policy, parts *idp.Parts) error {
	parts.IssuerKeys = make(map[string]idp.KeySet)
	for issuer, at := range policy.TrustedIssuers() {
		keys, err := g.issuerKeys(ctx, issuer, at)
		if err != nil {
			return fmt.Errorf("trust %s: %w", issuer, err)
		}
		parts.IssuerKeys[issuer] = keys
	}
	return nil
}

func (g *Gateway) issuerKeys(ctx caddy.Context, issuer, at string) (idp.KeySet, error) {
	failed := func(err error) {
		g.logger.Error("the keys of a trusted issuer can't be fetched", zap.String("issuer", issuer), zap.Error(err))
	}
	if at != "" {
		return keysAt(at, failed)
	}
	handle, transport := g.discovered, g.transport
	if handle == nil || strings.TrimSuffix(handle.handle.Issuer(), "/") != issuer {
		opened, err := issuers.Open(issuer, issuers.Access{Storage: ctx.Storage(), Logger: g.logger, Metrics: ctx.GetMetricsRegistry()})
		if err != nil {
			return nil, err
		}
		g.trusted = append(g.trusted, opened)
		handle, transport = &discovered{handle: opened}, backchannel.New(idp.DefaultTimeout)
	}
	return jwks.New(handle.keysURL, &http.Client{Transport: transport}, time.Now, failed), nil
}

// keysURL is where the keys are, by the metadata.
func (d *discovered) keysURL(ctx context.Context) (string, error) {
	m, err := d.handle.Await(ctx)
	switch {
	case err != nil:
		return "", err
	case m.JWKSURI == nil:
		return "", errors.New("its metadata has no jwks_uri")
	}
	return m.JWKSURI.String(), nil
}
