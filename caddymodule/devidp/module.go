// Package devidp is the Caddy module `development_idp`: an OpenID provider to
// develop and test against, with a login page, a list of users and no
// passwords. Nothing of the gateway imports it; a Caddy that is built without
// it cannot be configured to have it. What it responds is in package internal/testidp, which tests share.
package devidp

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

func init() {
	caddy.RegisterModule(Handler{})
	httpcaddyfile.RegisterHandlerDirective("development_idp", parseCaddyfile)
	httpcaddyfile.RegisterDirectiveOrder("development_idp", httpcaddyfile.After, "encode")
}

// Handler is an OpenID provider for development, on the paths of an Auth0
// tenant: /authorize, /oauth/token, /userinfo, /v2/logout, discovery and keys.
// Other paths go to the next handler.
//
// It serves requests over the loopback interface only, and a configuration that
// listens elsewhere does not load. Keys and tokens are in
// memory: a reload of the configuration ends them.
type Handler struct {
	testidp.Config

	provider *testidp.Provider
}

// CaddyModule returns the Caddy module information.
func (Handler) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "http.handlers.development_idp", New: func() caddy.Module { return new(Handler) }}
}

// Provision makes the provider, unless its server listens on a public address.
func (h *Handler) Provision(ctx caddy.Context) error {
	if server, ok := ctx.Value(caddyhttp.ServerCtxKey).(*caddyhttp.Server); ok {
		for _, address := range server.Listen {
			if err := checkListenAddress(address); err != nil {
				return err
			}
		}
	}
	var err error
	h.provider, err = testidp.New(h.Config, ctx.Slogger())
	if err != nil {
		return fmt.Errorf("development_idp: %w", err)
	}
	ctx.Logger().Warn("the development identity provider is on: anybody who reaches it can log in as anybody; never use it in production",
		zap.String("auto_login", h.AutoLogin))
	return nil
}

// checkListenAddress rejects whatever other machines could connect to.
func checkListenAddress(address string) error {
	parsed, err := caddy.ParseNetworkAddress(address)
	if err != nil {
		return fmt.Errorf("development_idp: the listener address %q cannot be read: %w", address, err)
	}
	if parsed.IsUnixNetwork() || parsed.IsFdNetwork() || parsed.Host == "localhost" {
		return nil
	}
	if ip := net.ParseIP(strings.Trim(parsed.Host, "[]")); ip != nil && ip.IsLoopback() {
		return nil
	}
	return errors.New("development_idp: the site listens on " + address + ", which other machines can reach; add `bind localhost` to the site")
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request, next caddyhttp.Handler) error {
	if !h.provider.Owns(r.URL.Path) {
		return next.ServeHTTP(w, r)
	}
	h.provider.ServeHTTP(w, r)
	return nil
}

// Interface guards
var (
	_ caddy.Provisioner           = (*Handler)(nil)
	_ caddyhttp.MiddlewareHandler = (*Handler)(nil)
)
