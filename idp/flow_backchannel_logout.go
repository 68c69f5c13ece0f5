package idp

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// logoutsOfAUser is how many logout tokens of one user are used in four minutes: each session of
// his has its own. Who logs in and out all the time does not fill the store.
const logoutsOfAUser = 1 << 10

// compileBackchannelLogout reads [Config.BackchannelLogout].
func (p *Policy) compileBackchannelLogout(c Config) error {
	switch p.served[BackchannelLogout] = c.BackchannelLogout; {
	case !c.BackchannelLogout:
		return nil
	case c.Callback == nil || c.Rotation == nil:
		return errors.New("backchannel_logout needs callback and rotate_refresh: without them the gateway has no logins that it could end")
	case !c.Discover && c.Issuer == "":
		return errors.New("backchannel_logout needs discover: logout tokens are of the identity provider's issuer, signed with its keys")
	case len(p.clients) == 0 && p.dynamic == nil:
		return errors.New("backchannel_logout needs client blocks: logout tokens are for clients that the gateway knows")
	}
	for id, client := range p.clients {
		p.idpClients = append(p.idpClients, client.idpID(id))
	}
	if p.dynamic != nil {
		p.idpClients = append(p.idpClients, p.dynamic.template.idpID(""))
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
	content, err := f.readBody()
	if err != nil {
		return err
	}
	q, err := parseForm("back-channel logout", source, f.r.URL.RawQuery, f.r.Header, content)
	if err != nil {
		return err
	}
	raw := q.get("logout_token")
	switch {
	case raw == "":
		return missing("logout_token", source)
	case !f.policy.knowsMetadata():
		return notDiscovered()
	}
	signed, token, err := f.policy.parseLogoutToken(raw, f.gateway.parts.Now())
	if err != nil {
		return err
	}
	if err := f.gateway.parts.IdPKeys.Verify(f.r.Context(), signed); err != nil {
		if oauth.AsError(err).Code != oauth.InvalidToken {
			f.note(LogoutFailed, err)
			return err
		}
		return badLogoutToken("logout_token is not signed with a key of the identity provider")
	}
	return f.useLogoutToken(&token)
}

// useLogoutToken records the logout of a token that is good, even for an IdP that does not wait.
func (f *flow) useLogoutToken(token *logoutToken) error {
	ctx, cancel := f.detached()
	defer cancel()
	once := sha256.Sum256(fmt.Appendf(nil, "logout token\x00%s\x00%s", f.policy.authURL, token.id))
	holder := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s", f.policy.authURL, cmp.Or(token.subject, token.session)))
	claim, err := f.gateway.logouts.Hold(ctx, once, maxLogoutTokenAge+2*seal.Skew, holder)
	if errors.Is(err, replay.ErrClaimed) {
		return badLogoutToken("logout_token was used before (jti)")
	}
	if err == nil {
		if err = f.gateway.families.EndSessions(ctx, token.clients, token.session, token.subject, token.issued); err != nil {
			// The IdP may try again with the same token.
			release, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
			defer cancel()
			err = errors.Join(err, claim.Release(release))
		}
	}
	if err != nil {
		f.note(LogoutFailed, err)
		return oauth.Unavailable("the gateway can't record the logout at the moment; try again", "5")
	}
	return nil
}
