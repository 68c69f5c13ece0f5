package devidp

import (
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/devidp/provider"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
)

func parseCaddyfile(h httpcaddyfile.Helper) (caddyhttp.MiddlewareHandler, error) {
	handler := new(Handler)
	return handler, handler.UnmarshalCaddyfile(h.Dispenser)
}

// UnmarshalCaddyfile sets up the handler from Caddyfile tokens. Syntax:
//
//	development_idp [<matcher>] {
//	    issuer     <url>
//	    auto_login <username>
//	    user <username> {
//	        sub     <id>
//	        name    <full name>
//	        given_name, family_name, nickname, picture, locale, updated_at <text>
//	        email   <address> [verified]
//	    }
//	    client <id> {
//	        type         native|spa|web
//	        secret       <secret>
//	        redirect_uri <uri...>
//	        return_to    <url...>
//	        origin       <origin...>
//	    }
//	    access_token_lifetime  <duration>
//	    refresh_token_lifetime <duration>
//	    code_lifetime          <duration>
//	}
//
// Without a block it has the example users and clients and shows its login page.
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
		case "user":
			err = h.unmarshalUser(d)
		case "client":
			err = h.unmarshalClient(d)
		case "access_token_lifetime":
			err = oneDuration(d, &h.AccessTokenLifetime)
		case "refresh_token_lifetime":
			err = oneDuration(d, &h.RefreshTokenLifetime)
		case "code_lifetime":
			err = oneDuration(d, &h.CodeLifetime)
		default:
			err = d.Errf("unknown option of development_idp: %s", d.Val())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (h *Handler) unmarshalUser(d *caddyfile.Dispenser) error {
	var user provider.User
	if err := oneArgument(d, &user.Username); err != nil {
		return err
	}
	text := map[string]*string{
		"sub": &user.Subject, "name": &user.Name, "given_name": &user.GivenName, "family_name": &user.FamilyName,
		"nickname": &user.Nickname, "picture": &user.Picture, "locale": &user.Locale, "updated_at": &user.UpdatedAt,
	}
	for nesting := d.Nesting(); d.NextBlock(nesting); {
		if target, known := text[d.Val()]; known {
			if err := oneArgument(d, target); err != nil {
				return err
			}
			continue
		}
		if d.Val() != "email" {
			return d.Errf("unknown claim of user %s: %s", user.Username, d.Val())
		}
		if !d.NextArg() {
			return d.ArgErr()
		}
		user.Email = d.Val()
		if d.NextArg() {
			if d.Val() != "verified" {
				return d.Errf("after the address only \"verified\" can follow, not %q", d.Val())
			}
			user.EmailVerified = true
		}
		if d.NextArg() {
			return d.ArgErr()
		}
	}
	h.Users = append(h.Users, user)
	return nil
}

func (h *Handler) unmarshalClient(d *caddyfile.Dispenser) error {
	var client provider.Client
	if err := oneArgument(d, &client.ID); err != nil {
		return err
	}
	for nesting := d.Nesting(); d.NextBlock(nesting); {
		var list *[]string
		switch d.Val() {
		case "type", "secret":
			target := &client.Type
			if d.Val() == "secret" {
				target = &client.Secret
			}
			if err := oneArgument(d, target); err != nil {
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

func oneDuration(d *caddyfile.Dispenser, target *caddy.Duration) error {
	var text string
	if err := oneArgument(d, &text); err != nil {
		return err
	}
	parsed, err := caddy.ParseDuration(text)
	if err != nil {
		return d.Errf("not a duration such as 30s or 1h: %s", text)
	}
	if parsed <= 0 {
		return d.Errf("a lifetime must be longer than %s", time.Duration(0))
	}
	*target = caddy.Duration(parsed)
	return nil
}

// Interface guards
var _ caddyfile.Unmarshaler = (*Handler)(nil)
