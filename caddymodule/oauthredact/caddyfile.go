package oauthredact

import (
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
)

// UnmarshalCaddyfile sets up the format from Caddyfile tokens. Syntax:
//
//	format oauth_redact [<wrapped format> ...]
//
// or
//
//	format oauth_redact {
//	    wrap <wrapped format> ...
//	}
func (e *Encoder) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the format's name
	if d.NextArg() {
		return e.unmarshalWrapped(d)
	}
	for d.NextBlock(0) {
		if d.Val() != "wrap" {
			return d.Errf("oauth_redact has no option %s; use wrap", d.Val())
		}
		if e.WrappedRaw != nil {
			return d.Err("wrap is given twice")
		}
		if !d.NextArg() {
			return d.ArgErr()
		}
		if err := e.unmarshalWrapped(d); err != nil {
			return err
		}
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
