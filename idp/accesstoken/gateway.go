package accesstoken

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/claims"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jwt"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

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
