package args

import (
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/idp/users"
)

// Claims is a subdirective with the path of a claim and the values of which it must have one. It may
// be given several times.
func Claims(target *[]users.Claim) Option {
	return Repeatable(func(d *caddyfile.Dispenser) error {
		values, err := List(d)
		switch {
		case err != nil:
			return err
		case len(values) < 2:
			return d.Err("claim needs a name and the values of which it must have one, such as: claim groups engineering platform")
		}
		*target = append(*target, users.Claim{Path: values[0], Values: values[1:]})
		return nil
	})
}
