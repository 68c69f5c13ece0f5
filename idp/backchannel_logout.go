package idp

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
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
	q, err := params.ReadForm(f.r.Request, f.header, "back-channel logout", source)
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
	signed, token, err := f.policy.idp.ParseLogoutToken(raw, f.policy.idpClients, f.gateway.parts.Now())
	if err != nil {
		return err
	}
	wrong := upstream.BadLogoutToken("logout_token is not signed with a key of the identity provider")
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
func (f *flow) useLogoutToken(token *upstream.LogoutToken) error {
	ctx, cancel := replay.Detached(f.r.Context())
	defer cancel()
	once := sha256.Sum256(fmt.Appendf(nil, "logout token\x00%s\x00%s", f.policy.idp.AuthURL(), token.ID))
	holder := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s", f.policy.idp.AuthURL(), cmp.Or(token.Subject, token.Session)))
	at := rotation.Moment{IdP: token.Issued, Here: f.gateway.parts.Now()}
	claim, err := f.gateway.logouts.Hold(ctx, once, upstream.MaxLogoutTokenAge+2*seal.Skew, holder)
	used := errors.Is(err, replay.ErrClaimed)
	if !errors.Is(err, replay.ErrFull) {
		err = f.gateway.families.EndSessions(ctx, token.Clients, token.Session, token.Subject, at)
	}
	if err != nil && claim != nil { // the IdP may try again with the same token
		release, cancel := replay.Detached(ctx)
		defer cancel()
		err = errors.Join(err, claim.Release(release))
	}
	switch {
	case err != nil:
		f.note(LogoutFailed, err)
		return oauth.Unavailable("the gateway can't record the logout at the moment; try again", "5")
	case used:
		return upstream.BadLogoutToken("logout_token was used before (jti)")
	}
	return nil
}

// session is that of a token response to a login, which [upstream.Upstream.CheckIDToken] has checked, and
// which came now. By the IdP's clock, the login began as long before the ID token as it took, or
// when the user has shown who he is, if that is later: he may have logged out meanwhile.
func (p *Policy) session(l *login.Login, idpClient string, answer *upstream.TokenAnswer, now time.Time) rotation.Session {
	if !p.served[BackchannelLogout] {
		return rotation.Session{}
	}
	var c struct {
		Issuer   string  `json:"iss"`
		Subject  string  `json:"sub"`
		Session  string  `json:"sid"`
		IssuedAt float64 `json:"iat"`
	}
	if answer.Invalid != nil || json.Unmarshal(answer.IDToken.Payload, &c) != nil || !p.idp.IsIssuer(c.Issuer) {
		return rotation.Session{}
	}
	began := rotation.Moment{IdP: time.Unix(0, 0), Here: l.Began} // without iat, only the gateway's clock tells
	if c.IssuedAt > 0 {
		began.IdP = time.Unix(int64(c.IssuedAt), 0).Add(l.Began.Sub(now))
	}
	if shown := login.ReadAuthentication(answer.IDToken.Payload).Time; shown.After(began.IdP) {
		began.IdP = shown
	}
	return rotation.NewSession(p.idp.AuthURL().String(), idpClient, c.Session, c.Subject, began)
}
