package accesstoken

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/claims"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jwt"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
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

// verifyGateway opens a token that an identity gateway has sealed. It asks nobody, and
// remembers nothing: opening one costs less than looking for it.
func (v *Verifier) verifyGateway(ctx context.Context, raw string, now time.Time) (*Token, error) {
	if issuer, _ := jwt.Issuer(raw); issuer == strings.TrimSuffix(v.config.Issuer, "/") {
		return nil, bearer.BadToken("RFC 6750 section 3.1", "the access token is a JWT, and this resource server takes the gateway's sealed tokens (tokens gateway); "+
			"if the resource has tokens jwt at the gateway, leave tokens gateway out here")
	}
	t, err := gatewaytoken.Open(ctx, v.config.Gateway, strings.TrimSuffix(v.config.Issuer, "/"), raw, now)
	if err != nil {
		return nil, err
	}
	if err := v.checkAudience(&decisive{Audience: jwt.List{t.Resource}, ClientID: t.ClientID}); err != nil {
		return nil, err
	}
	if v.config.Ended != nil && v.config.Ended(t) {
		return nil, bearer.BadToken("RFC 6750 section 3.1", "the login of the access token has ended; log in again")
	}
	if v.config.NeedsUpstream && t.Upstream == "" {
		return nil, bearer.BadToken("RFC 6750 section 3.1", "the access token has no token of the identity provider inside, which this resource server needs; "+
			"log in again, and if that does not help, the gateway's operator has to set upstream_token in its resource")
	}
	if gatewaytoken.IsMachine(t.Subject) { // no user, and so no name of one in a header field
		t.Subject = ""
	}
	return &Token{
		Subject: t.Subject, ClientID: t.ClientID, Scopes: strings.Fields(t.Scope), Expires: t.Expires, Upstream: t.Upstream, LoginID: t.LoginID,
		claims: t.Claims(), sub: claims.String(t.Subject), key: t.Key, certificate: t.Certificate,
	}, nil
}

// resourceKeys are the audiences in the form in which they stand in such tokens.
func resourceKeys(audiences []string) ([]string, error) {
	keys := make([]string, len(audiences))
	for i, audience := range audiences {
		var err error
		if keys[i], err = uris.Key(audience); err != nil {
			return nil, fmt.Errorf("audience %s: the URI %w", audience, err)
		}
	}
	return keys, nil
}
