package oauthredact

import (
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
)

// UnmarshalCaddyfile sets up the format from Caddyfile tokens. Syntax:
//
//	format oauth_redact [<wrapped format> ...]
func (e *Encoder) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the format's name
	if d.NextArg() {
		return e.unmarshalWrapped(d)
	}
	if d.NextBlock(0) {
		return d.Errf("oauth_redact has no option %s; the wrapped format follows it: format oauth_redact json", d.Val())
	}
	return nil
}

// unmarshalWrapped reads a format, from its name to the end of its block.
func (e *Encoder) unmarshalWrapped(d *caddyfile.Dispenser) error {
	name := d.Val()
	module, err := caddyfile.UnmarshalModule(d, "caddy.logging.encoders."+name)
	if err != nil {
		return err
	}
	e.WrappedRaw = caddyconfig.JSONModuleObject(module, "format", name, nil)
	return nil
}

// Interface guard
var _ caddyfile.Unmarshaler = (*Encoder)(nil)
