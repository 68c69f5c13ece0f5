package accesstoken

import (
	"fmt"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jwt"
)

// Several issuers: each token is routed by the iss that it names, and verified by that issuer's
// rules and keys alone. Whoever controls one of them is nobody in the others.

// join has the first of all route the tokens of all.
func (v *Verifier) join(all []*Verifier) error {
	if len(all) == 1 {
		return nil
	}
	v.issuers = make(map[string]*Verifier, len(all))
	for i, one := range all {
		c := &one.config
		issuer := strings.TrimSuffix(c.Issuer, "/")
		switch {
		case v.issuers[issuer] != nil:
			return fmt.Errorf("issuer %s is there twice, and a token is held to the rules of one: put them into one block", c.Issuer)
		case c.Gateway != nil || c.Opaque != nil:
			return fmt.Errorf("issuer %s: beside others tokens are JWTs, since opaque ones do not say whose they are", c.Issuer)
		}
		v.issuers[issuer] = one
		for _, other := range slices.Concat(all[:i], all[i+1:]) {
			prefix := other.config.Prefix
			if c.Prefix == prefix || prefix != "" && beginsWith(c.Prefix, prefix) {
				return fmt.Errorf("issuers %s and %s: the same sub in two issuers is two users (RFC 8725 section 3.8); "+
					"give them prefixes of which none begins with the other, such as: prefix staff: - one issuer may be without", c.Issuer, other.config.Issuer)
			}
			if prefix != "" && c.Prefix == "" {
				one.reserved = append(one.reserved, prefix)
			}
		}
	}
	return nil
}

// of is the verifier for the issuer that a token names.
func (v *Verifier) of(raw string) (*Verifier, error) {
	if v.issuers == nil || len(raw) > MaxToken {
		return v, nil
	}
	if !isJWT(raw) {
		return nil, errNoJWT()
	}
	issuer, ok := jwt.Issuer(raw)
	if !ok {
		return nil, bearer.BadToken("RFC 9068 section 4", "the access token does not say who has issued it (iss), or its claims can't be read")
	}
	if one := v.issuers[strings.TrimSuffix(issuer, "/")]; one != nil {
		return one, nil
	}
	return nil, bearer.BadToken("RFC 9068 section 4", "the access token is from an issuer whose tokens are not accepted here")
}

// subject is a sub as the resource server gets to know of it. It is false for one that would be taken
// for a user of another issuer.
func (v *Verifier) subject(sub string) (string, bool) {
	if sub == "" {
		return "", true
	}
	taken := slices.ContainsFunc(v.reserved, func(prefix string) bool { return beginsWith(sub, prefix) })
	return v.config.Prefix + sub, !taken
}

// beginsWith ignores case, as many databases do.
func beginsWith(s, prefix string) bool {
	return strings.HasPrefix(strings.ToLower(s), strings.ToLower(prefix))
}
