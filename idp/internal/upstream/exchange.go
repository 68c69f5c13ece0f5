package upstream

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/endpoint"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/vendors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// Grant and token types of token exchange (RFC 8693 sections 2.1 and 3), and the grant that Entra
// ID has in its place (https://learn.microsoft.com/entra/identity-platform/v2-oauth2-on-behalf-of-flow).
const (
	exchangeGrantType  = "urn:ietf:params:oauth:grant-type:token-exchange"
	onBehalfGrantType  = "urn:ietf:params:oauth:grant-type:jwt-bearer"
	typeOfAccess       = "urn:ietf:params:oauth:token-type:access_token"
	typeOfJWTs         = "urn:ietf:params:oauth:token-type:jwt"
	allConsentedScopes = "/.default" // below an audience of Entra ID
)

// Exchanged is a user's token for an audience behind the gateway.
type Exchanged struct {
	Token    string
	Lifetime time.Duration
}

// exchangesOnBehalf reports an IdP that knows no token exchange, but the same by another grant.
func (u *Upstream) exchangesOnBehalf() bool { return vendors.IsEntra(u.endpoints[endpoint.Token].url) }

// ExchangeForm asks for a token of a user's for an audience, as the gateway, in the place of the
// access token of a login.
func (u *Upstream) ExchangeForm(a *Authentication, token string, c *clients.ExchangeConfig) Form {
	scope := strings.Join(c.Scopes, " ")
	if !u.exchangesOnBehalf() {
		return a.Form(nil,
			params.Param{Name: "grant_type", Value: exchangeGrantType},
			params.Param{Name: "client_id", Value: a.ClientID},
			params.Param{Name: "subject_token", Value: token},
			params.Param{Name: "subject_token_type", Value: typeOfAccess},
			params.Param{Name: "requested_token_type", Value: typeOfAccess},
			params.Param{Name: "audience", Value: c.Audience},
			params.Param{Name: "scope", Value: scope})
	}
	if scope == "" {
		scope = c.Audience + allConsentedScopes
	}
	return a.Form(nil,
		params.Param{Name: "grant_type", Value: onBehalfGrantType},
		params.Param{Name: "client_id", Value: a.ClientID},
		params.Param{Name: "assertion", Value: token},
		params.Param{Name: "requested_token_use", Value: "on_behalf_of"},
		params.Param{Name: "scope", Value: scope})
}

// needsUser are the errors with which an IdP wants to see the user (OpenID Connect Core 1.0
// section 3.1.2.6), which Entra ID sends here, too.
var needsUser = []oauth.Code{"interaction_required", "login_required", "consent_required"}

// CheckExchange reads the IdP's answer to [Upstream.ExchangeForm], for a token that lives no longer
// than most. refreshes: the user can log in again.
func (u *Upstream) CheckExchange(r Response, c *clients.ExchangeConfig, refreshes bool, most time.Duration) (Exchanged, error) {
	if err := Check(r); err != nil {
		return Exchanged{}, err
	}
	if r.Status != http.StatusOK {
		return Exchanged{}, refusedExchange(r, c, refreshes)
	}
	token, ok := ReadToken(r.Body)
	var issued struct {
		Type string `json:"issued_token_type"`
	}
	switch err := json.Unmarshal(r.Body, &issued); {
	case !ok || err != nil:
		return Exchanged{}, oauth.BadGateway("the identity provider's response is not the JSON of a token (RFC 8693 section 2.2.1)")
	case !strings.EqualFold(token.TokenType, "Bearer") || issued.Type != "" && issued.Type != typeOfAccess && issued.Type != typeOfJWTs:
		return Exchanged{}, oauth.BadGateway("the identity provider exchanged the user's token for one that is no bearer access token (RFC 8693 section 2.2.1)")
	}
	claims, err := ReadAccessToken(token.AccessToken)
	if err != nil {
		return Exchanged{}, err
	}
	if !u.exchangesOnBehalf() && len(claims.Audience) > 0 && !slices.Contains(claims.Audience, c.Audience) {
		return Exchanged{}, oauth.BadGateway("the identity provider exchanged the user's token for one of another audience than " + shortened(c.Audience) +
			"; check that it supports token exchange (RFC 8693), and the audience of exchange in the resource's block")
	}
	lifetime, err := token.Lifetime(most)
	return Exchanged{token.AccessToken, lifetime}, err
}

// refusedExchange is the response after the IdP has refused an exchange: a mistake in a
// configuration, unless it wants to see the user.
func refusedExchange(r Response, c *clients.ExchangeConfig, refreshes bool) error {
	said := errorCode(r.Body)
	if !IsErrorCode(string(said)) {
		return checkErrorBody(r)
	}
	if slices.Contains(needsUser, said) {
		code, todo := oauth.AccessDenied, "; ask an administrator of the identity provider to allow it"
		if refreshes {
			code, todo = oauth.InvalidGrant, "; log in again"
		}
		return oauth.Reject(code, "RFC 8693 section 2.2.2", "the identity provider wants to see the user before it gives a token for "+shortened(c.Audience)+todo)
	}
	return badGateway("RFC 8693 section 2.2.2", "the identity provider does not exchange the user's token for one for "+shortened(c.Audience)+" ("+shortened(string(said))+
		"); the operator checks there that the gateway's client may exchange tokens for it, and that the login's token is for that client")
}
