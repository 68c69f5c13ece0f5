package idp

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jwt"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// compileBackchannelLogout reads [Config.BackchannelLogout].
func (p *Policy) compileBackchannelLogout(c Config) error {
	switch p.served[BackchannelLogout] = c.BackchannelLogout; {
	case !c.BackchannelLogout:
		return nil
	case c.Callback == nil || c.Rotation == nil:
		return errors.New("backchannel_logout needs callback and rotate_refresh: without them the gateway has no logins that it could end")
	case !c.Discover && c.Issuer == "":
		return errors.New("backchannel_logout needs discover: logout tokens are of the identity provider's issuer, signed with its keys")
	case p.registry.IsEmpty():
		return errors.New("backchannel_logout needs client blocks: logout tokens are for clients that the gateway knows")
	}
	for _, y := range p.registry.All() {
		if y.Client.LogsUsersIn() || y.Client.Credentials != nil {
			p.idpClients = append(p.idpClients, y.IDAtIdP())
		}
	}
	slices.Sort(p.idpClients)
	p.idpClients = slices.Compact(p.idpClients)
	return nil
}

// backchannelLogout ends the logins here of a session or user whom the IdP has logged out (OpenID
// Connect Back-Channel Logout 1.0 section 2.5). Whatever goes wrong is 400 (section 2.8).
func (f *flow) backchannelLogout() (Response, error) {
	err := f.takeLogoutToken()
	if e := oauth.AsError(err); err != nil && e.Status >= 500 {
		failed := *e
		failed.Status = http.StatusBadRequest
		return Response{}, &failed
	}
	return revoked(), err
}

func (f *flow) takeLogoutToken() error {
	const source = "OpenID Connect Back-Channel Logout 1.0 section 2.5"
	q, err := f.readForm("back-channel logout", source)
	if err != nil {
		return err
	}
	raw := q.Get("logout_token")
	switch {
	case raw == "":
		return params.Missing("logout_token", source)
	case !f.policy.idp.IsKnown():
		return upstream.NotDiscovered()
	}
	signed, token, err := f.policy.parseLogoutToken(raw, f.gateway.parts.Now())
	if err != nil {
		return err
	}
	wrong := badLogoutToken("logout_token is not signed with a key of the identity provider")
	if err := clients.VerifySignature(f.r.Context(), f.gateway.parts.IdPKeys, signed, wrong); err != nil {
		if !errors.Is(err, wrong) {
			f.note(LogoutFailed, err)
		}
		return err
	}
	return f.useLogoutToken(&token)
}

// useLogoutToken records the logout of a token that is good, even for an IdP that does not wait. It
// is recorded before anybody is told that the token was used before, and if nobody can tell: the
// one who used it may have been killed. Twice, it ends no more than once.
func (f *flow) useLogoutToken(token *logoutToken) error {
	ctx, cancel := f.detached()
	defer cancel()
	once := sha256.Sum256(fmt.Appendf(nil, "logout token\x00%s\x00%s", f.policy.idp.AuthURL(), token.id))
	holder := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s", f.policy.idp.AuthURL(), cmp.Or(token.subject, token.session)))
	at := rotation.Moment{IdP: token.issued, Here: f.gateway.parts.Now()}
	claim, err := f.gateway.logouts.Hold(ctx, once, maxLogoutTokenAge+2*seal.Skew, holder)
	used := errors.Is(err, replay.ErrClaimed)
	if !errors.Is(err, replay.ErrFull) {
		err = f.gateway.families.EndSessions(ctx, token.clients, token.session, token.subject, at)
	}
	if err != nil && claim != nil { // the IdP may try again with the same token
		release, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
		defer cancel()
		err = errors.Join(err, claim.Release(release))
	}
	switch {
	case err != nil:
		f.note(LogoutFailed, err)
		return oauth.Unavailable("the gateway can't record the logout at the moment; try again", "5")
	case used:
		return badLogoutToken("logout_token was used before (jti)")
	}
	return nil
}

const (
	// logoutEvent is the member of events that makes a JWT a logout token.
	logoutEvent = "http://schemas.openid.net/event/backchannel-logout"
)

// logoutToken is what the IdP says of a logout (OpenID Connect Back-Channel Logout 1.0
// section 2.4).
type logoutToken struct {
	// clients are those that are logged out, by their ids at the IdP.
	clients []string
	// subject is the user, session one login of his at the IdP. One of them may be "".
	subject, session string
	// id is unique to each token.
	id string
	// issued is by the IdP's clock, as is that of its ID tokens.
	issued time.Time
}

// logoutClaims are the claims of a logout token, and nonce, which only ID tokens have.
type logoutClaims struct {
	Issuer   string                    `json:"iss"`
	Subject  string                    `json:"sub"`
	Session  string                    `json:"sid"`
	Audience jwt.List                  `json:"aud"`
	ID       string                    `json:"jti"`
	IssuedAt float64                   `json:"iat"`
	Expiry   float64                   `json:"exp"`
	Events   map[string]jsontext.Value `json:"events"`
	Nonce    jsontext.Value            `json:"nonce"`
}

// badLogoutToken rejects a logout token (section 2.8).
func badLogoutToken(description string) *oauth.Error {
	return oauth.Reject(oauth.InvalidRequest, "OpenID Connect Back-Channel Logout 1.0 section 2.6", description)
}

// parseLogoutToken checks a logout token at a time (section 2.6), but for its signature, and
// whether it was used before.
func (p *Policy) parseLogoutToken(raw string, now time.Time) (*jose.JSONWebSignature, logoutToken, error) {
	var t logoutToken
	if len(raw) > maxLogoutToken {
		return nil, t, badLogoutToken("logout_token is longer than " + strconv.Itoa(maxLogoutToken) + " bytes")
	}
	signed, err := jose.ParseSignedCompact(raw, p.idp.IDTokenAlgorithms())
	if err != nil {
		return nil, t, badLogoutToken("logout_token is not a JWT with a signature of the identity provider's ID tokens (asymmetric, not encrypted)")
	}
	if typ := jwt.Type(signed.Signatures[0].Protected); typ != "" && typ != "jwt" && typ != "logout+jwt" {
		return nil, t, badLogoutToken("logout_token has the typ of another kind of JWT")
	}
	var c logoutClaims
	if json.Unmarshal(signed.UnsafePayloadWithoutVerification(), &c) != nil {
		return nil, t, badLogoutToken("the claims of logout_token can't be read")
	}
	if err := c.checkLogoutClaims(p, now); err != nil {
		return nil, t, err
	}
	t = logoutToken{clients: c.Audience, subject: c.Subject, session: c.Session, id: c.ID, issued: time.Unix(int64(c.IssuedAt), 0)}
	return signed, t, nil
}

func (c *logoutClaims) checkLogoutClaims(p *Policy, now time.Time) error {
	foreign := func(id string) bool { return !slices.Contains(p.idpClients, id) }
	skew, at := seal.Skew.Seconds(), float64(now.Unix())
	switch {
	case c.Nonce != nil:
		return badLogoutToken("logout_token has a nonce, as ID tokens have, which log nobody out")
	case c.Events[logoutEvent].Kind() != '{':
		return badLogoutToken("logout_token has no event " + logoutEvent + ": it is another kind of JWT")
	case !p.idp.IsIssuer(c.Issuer):
		return badLogoutToken("logout_token is from another issuer than the identity provider")
	case len(c.Audience) == 0 || slices.ContainsFunc(c.Audience, foreign):
		return badLogoutToken("logout_token is not for clients of this gateway at the identity provider alone (aud)")
	case c.Subject == "" && c.Session == "":
		return badLogoutToken("logout_token says neither whose login has ended (sub) nor which (sid)")
	case c.ID == "" || len(c.ID) > 256:
		return badLogoutToken("logout_token needs a jti of at most 256 bytes")
	case c.Expiry <= at-skew:
		return badLogoutToken("logout_token has expired, or has no exp; the clocks may be apart")
	case c.IssuedAt < at-maxLogoutTokenAge.Seconds()-skew || c.IssuedAt > at+skew:
		return badLogoutToken("logout_token was not made within the last five minutes (iat); the clocks may be apart")
	}
	return nil
}
