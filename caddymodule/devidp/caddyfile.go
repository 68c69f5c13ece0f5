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

// UnmarshalCaddyfile sets up the handler from Caddyfile tokens: development_idp [<matcher>] { … }, with
// the options of README.md. Without a block it has the example clients and shows its login page.
func (h *Handler) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the directive's name
	if err := args.None(d); err != nil {
		return err
	}
	return args.Block(d, "development_idp", args.Options{
		"issuer":     args.String(&h.Issuer),
		"auto_login": args.String(&h.AutoLogin),
		"client":     args.Repeatable(h.unmarshalClient),
	})
}

func (h *Handler) unmarshalClient(d *caddyfile.Dispenser) error {
	id, err := args.One(d)
	if err != nil {
		return err
	}
	client := testidp.Client{ID: id}
	if err := args.Block(d, "client "+id, args.Options{
		"secret":       args.String(&client.Secret),
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
