package devidp

import (
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

func parseCaddyfile(h httpcaddyfile.Helper) (caddyhttp.MiddlewareHandler, error) {
	handler := new(Handler)
	return handler, handler.UnmarshalCaddyfile(h.Dispenser)
}

// UnmarshalCaddyfile sets up the handler from Caddyfile tokens: development_idp [<matcher>] [<issuer>] { … },
// with the options of README.md. Without a block it has the example clients and shows its login page.
func (h *Handler) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the directive's name
	if d.NextArg() {
		h.Issuer = d.Val()
	}
	return args.Alone(d, "development_idp", args.Options{
		"auto_login": args.String(&h.AutoLogin),
		"client":     args.Repeatable(h.unmarshalClient),
	})
}

func (h *Handler) unmarshalClient(d *caddyfile.Dispenser) error {
	var client testidp.Client
	if !d.Args(&client.ID) {
		return d.Err("client needs an id, and one with a secret that too: client <id> [<secret>]")
	}
	if d.NextArg() {
		client.Secret = d.Val()
	}
	if d.NextArg() {
		return d.Errf("client %s has more than an id and a secret before its block", client.ID)
	}
	if err := args.Block(d, "client "+client.ID, args.Options{
		"redirect_uri": args.Strings(&client.RedirectURIs),
		"return_to":    args.Strings(&client.ReturnTo),
	}); err != nil {
		return err
	}
	h.Clients = append(h.Clients, client)
	return nil
}

// Interface guards
var _ caddyfile.Unmarshaler = (*Handler)(nil)
