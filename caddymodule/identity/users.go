package identity

import (
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/idp/users"
)

// unmarshalUsers reads a block of users. Lines AND, values of a line OR, blocks OR:
//
//	users {
//	    email  <addresses...>
//	    domain <domains...>
//	    claim  <name> <values...>
//	}
func (g *Gateway) unmarshalUsers(d *caddyfile.Dispenser) error {
	if err := args.None(d); err != nil {
		return err
	}
	var rule users.Rule
	once := func(target *[]string) args.Option {
		return args.Once(func(d *caddyfile.Dispenser) (err error) {
			name := d.Val()
			if *target, err = args.List(d); err == nil && len(*target) == 0 {
				err = d.Errf("%s needs at least one value; if it comes from an environment variable, set that", name)
			}
			return err
		})
	}
	if err := args.Block(d, "users", args.Options{
		"email":  once(&rule.Emails),
		"domain": once(&rule.Domains),
		"claim":  args.Claims(&rule.Claims),
	}); err != nil {
		return err
	}
	g.Users = append(g.Users, rule)
	return nil
}

// unmarshalTokenClaims reads claims of the gateway's own access tokens. Of lists the block names the
// members that a token may have:
//
//	token_claims <names...> {
//	    <name> <members...>
//	}
func (g *Gateway) unmarshalTokenClaims(d *caddyfile.Dispenser) error {
	names, err := args.List(d)
	if err != nil {
		return err
	}
	for _, name := range names {
		g.TokenClaims = append(g.TokenClaims, users.GivenClaim{Path: name})
	}
	for nesting := d.Nesting(); d.NextBlock(nesting); {
		c := users.GivenClaim{Path: d.Val()}
		if c.Values, err = args.List(d); err != nil {
			return err
		}
		g.TokenClaims = append(g.TokenClaims, c)
	}
	return users.CheckGiven(g.TokenClaims)
}
