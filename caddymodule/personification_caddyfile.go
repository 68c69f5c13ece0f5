package caddymodule

import (
	"strconv"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
)

func init() {
	httpcaddyfile.RegisterHandlerDirective("personification", parsePersonification)
	httpcaddyfile.RegisterDirectiveOrder("personification", httpcaddyfile.After, "encode")
}

func parsePersonification(h httpcaddyfile.Helper) (caddyhttp.MiddlewareHandler, error) {
	handler := new(Personification)
	return handler, handler.UnmarshalCaddyfile(h.Dispenser)
}

// UnmarshalCaddyfile sets up the handler from Caddyfile tokens. Syntax:
//
//	personification [<matcher>] {
//	    limit          <snippets>
//	    catalogue      <folder>
//	    max_body       <size>
//	    max_concurrent <requests>
//	    origin         <origin>...
//	    application {
//	        id        <id>
//	        name      <name>
//	        version   <version>
//	        platform  <platform>
//	        onboarded <true|false>
//	        privacy   OPEN|CLOSED|ANONYMOUS
//	    }
//	}
//
// The block and everything in it is optional.
func (p *Personification) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the directive's name
	if d.NextArg() {
		return d.ArgErr()
	}
	for d.NextBlock(0) {
		if known, err := p.unmarshalOption(d); err != nil {
			return err
		} else if known {
			continue
		}
		var value string
		switch d.Val() {
		case "limit":
			if !d.AllArgs(&value) {
				return d.ArgErr()
			}
			limit, err := strconv.Atoi(value)
			if err != nil || limit < 1 {
				return d.Errf("limit must be a whole number of snippets, at least 1, not %q", value)
			}
			p.Limit = limit
		case "catalogue":
			if !d.AllArgs(&p.Catalogue) {
				return d.ArgErr()
			}
		case "application":
			if err := p.unmarshalApplication(d); err != nil {
				return err
			}
		default:
			return d.Errf("unknown subdirective %q of personification; it has limit, catalogue, application, max_body, max_concurrent and origin", d.Val())
		}
	}
	return nil
}

func (p *Personification) unmarshalApplication(d *caddyfile.Dispenser) error {
	if d.NextArg() {
		return d.ArgErr()
	}
	application := new(Application)
	fields := map[string]*string{
		"id":       &application.ID,
		"name":     &application.Name,
		"version":  &application.Version,
		"platform": &application.Platform,
		"privacy":  &application.Privacy,
	}
	for nesting := d.Nesting(); d.NextBlock(nesting); {
		name := d.Val()
		var value string
		if !d.AllArgs(&value) {
			return d.ArgErr()
		}
		if field, ok := fields[name]; ok {
			*field = value
			continue
		}
		if name != "onboarded" {
			return d.Errf("unknown subdirective %q of application; it has id, name, version, platform, onboarded and privacy", name)
		}
		onboarded, err := strconv.ParseBool(value)
		if err != nil {
			return d.Errf("onboarded must be true or false, not %q", value)
		}
		application.Onboarded = onboarded
	}
	p.Application = application
	return nil
}
