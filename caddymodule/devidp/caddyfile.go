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
	d.Next()
	if d.NextArg() {
		return d.ArgErr()
	}
	for d.NextBlock(0) {
		var err error
		switch d.Val() {
		case "issuer":
			err = oneArgument(d, &h.Issuer)
		case "auto_login":
			err = oneArgument(d, &h.AutoLogin)
		case "client":
			err = h.unmarshalClient(d)
		default:
			err = d.Errf("unknown option of development_idp: %s", d.Val())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (h *Handler) unmarshalClient(d *caddyfile.Dispenser) error {
	var client testidp.Client
	if err := oneArgument(d, &client.ID); err != nil {
		return err
	}
	for nesting := d.Nesting(); d.NextBlock(nesting); {
		var list *[]string
		switch d.Val() {
		case "secret":
			if err := oneArgument(d, &client.Secret); err != nil {
				return err
			}
			continue
		case "redirect_uri":
			list = &client.RedirectURIs
		case "return_to":
			list = &client.ReturnTo
		case "origin":
			list = &client.Origins
		default:
			return d.Errf("unknown option of client %s: %s", client.ID, d.Val())
		}
		values, err := args.List(d)
		if err != nil {
			return err
		}
		if len(values) == 0 {
			return d.ArgErr()
		}
		*list = append(*list, values...)
	}
	h.Clients = append(h.Clients, client)
	return nil
}

func oneArgument(d *caddyfile.Dispenser, target *string) error {
	if !d.AllArgs(target) {
		return d.ArgErr()
	}
	return nil
}

// Interface guards
var _ caddyfile.Unmarshaler = (*Handler)(nil)
