package idp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
)

// tokenFlow is a request to the token endpoint on its way to its response.
type tokenFlow struct {
	*flow
	request tokenRequest
}

// serve exchanges a code or a refresh token at the IdP (RFC 6749 sections 4.1.3 and 6).
func (f *tokenFlow) serve() (Response, error) {
	form, err := f.readForm("token", "RFC 6749 section 3.2")
	if err != nil {
		return Response{}, err
	}
	y, err := f.find(form.Get("client_id"))
	if err != nil {
		return Response{}, err
	}
	f.request, err = f.policy.newTokenRequest(y, &form, f.r.Header)
	if err != nil {
		f.result.Decision.ClientID = f.request.LogName()
		return Response{}, err
	}
	f.noteClient(f.request.Party)
	if err := f.authenticateClient(&f.request.Auth); err != nil {
		return Response{}, err
	}
	if err := f.policy.idp.CheckReachable(Token); err != nil {
		return Response{}, err
	}
	if err := f.checkProof(); err != nil {
		return Response{}, err
	}
	if err := f.certify(); err != nil {
		return Response{}, err
	}
	return f.policy.tokens.exchange(f)
}

// redeem exchanges a code that the gateway has sealed.
func (f *tokenFlow) redeem() (Response, error) {
	redemption, err := open(f.flow, func(s sealer) (*codeGrant, error) { return f.request.openCode(f.policy, s) })
	f.trace(f.request.loginID)
	if err != nil {
		return Response{}, err
	}
	if err := f.readyToIssue(); err != nil {
		return Response{}, err
	}
	once := f.policy.codeKeys(redemption)
	claims, err := once.claim(f.r.Context(), f.gateway.parts.Replay)
	if err != nil {
		if !errors.Is(err, replay.ErrClaimed) {
			f.note(ClaimFailed, err)
		}
		return Response{}, claimError(err)
	}
	if err := f.useProof(f.request.Code); err != nil {
		f.settle(claims, upstream.NotSent)
		return Response{}, err
	}
	answer, err := f.exchange(redemption, nil)
	answered := f.gateway.parts.Now()
	granted := err == nil && answer.Outcome == upstream.Granted
	if granted {
		err = f.verifyIDToken(answer)
	}
	if granted && err == nil && f.needsUser() {
		err = f.identifyUser(&redemption.login.Login, nil, answer)
	}
	if granted && err == nil {
		f.request.session = f.policy.session(&redemption.login.Login, redemption.idpClient, answer, answered)
		if families := f.gateway.families; families != nil {
			err = f.checkGranted(families.CheckGranted(f.r.Context(), f.request.session))
		}
	}
	response := answer.Response
	if granted && err == nil {
		response, err = f.give(nil, answer)
	}
	if err != nil && answer.Outcome == upstream.Granted {
		answer.Outcome = upstream.Unclear // the client gets no token
	}
	f.settle(claims, answer.Outcome)
	return response, err
}

// refresh renews with a refresh token that the gateway has sealed.
func (f *tokenFlow) refresh() (Response, error) {
	renewal, err := open(f.flow, func(s sealer) (*refreshGrant, error) { return f.request.openRefreshGrant(f.policy, s) })
	f.trace(f.request.loginID)
	if err != nil {
		return Response{}, err
	}
	if err := f.readyToIssue(); err != nil {
		return Response{}, err
	}
	if err := f.useProof(f.request.RefreshToken); err != nil {
		return Response{}, err
	}
	if families := f.gateway.families; families != nil {
		renewal.lease, err = open(f.flow, func(s sealer) (*rotation.Lease, error) {
			lease, err := families.Take(f.r.Context(), s.Keys, *renewal.opened.Place)
			return lease, refreshError(err)
		})
		if err != nil {
			f.revokeEnded(err)
			return Response{}, f.noteRefresh(err)
		}
		renewal.token = renewal.lease.Token()
		defer f.release(renewal.lease)
	}
	answer, err := f.exchange(nil, renewal)
	if answer.Outcome != upstream.Granted {
		return answer.Response, err
	}
	if err == nil {
		err = f.verifyIDToken(answer)
	}
	if err == nil && f.needsUser() {
		err = f.identifyUser(nil, renewal, answer)
	}
	var response Response
	if err == nil {
		response, err = f.give(renewal, answer)
	}
	if err != nil && oauth.AsError(err).Code != oauth.InvalidGrant { // who logs in again needs nothing of this
		f.keep(renewal, answer)
	}
	f.revokeEnded(err)
	return response, err
}

// checkSession rejects a login whose session the IdP has ended.
func (f *flow) checkSession(s rotation.Session) error {
	if f.gateway.families == nil {
		return nil
	}
	return refreshError(f.gateway.families.CheckSession(f.r.Context(), s))
}

// checkGranted is the response for an error of a look at the session of a login for which the IdP
// has granted a token a moment ago, which it does not do again. What the store could not tell, it
// tells at the next refresh.
func (f *tokenFlow) checkGranted(err error) error {
	err = f.noteRefresh(refreshError(err))
	if errors.Is(err, rotation.ErrStore) {
		return nil
	}
	return err
}

// give is the client's response for one of the IdP that grants tokens.
func (f *tokenFlow) give(renewal *refreshGrant, answer *upstream.TokenAnswer) (Response, error) {
	given, err := f.sealTokens(renewal, answer)
	if err == nil && renewal != nil && renewal.lease != nil {
		err = f.checkGranted(renewal.lease.CheckGranted(f.r.Context())) // once more: the IdP may have ended it while it was asked
	}
	if err != nil {
		return Response{}, err
	}
	f.issue(answer, &given)
	return Response{Status: answer.Status, Header: answer.Header, Body: given.body}, nil
}

// keep records what the IdP gave for a refresh that may fail, or has: the client tries again with
// the refresh token that it has, and the IdP may take no other one than the new one now.
func (f *tokenFlow) keep(renewal *refreshGrant, answer *upstream.TokenAnswer) {
	token, err := answer.Token.RefreshTokenText()
	if err != nil || renewal == nil {
		return
	}
	if err := renewal.lease.Keep(context.WithoutCancel(f.r.Context()), token); err != nil {
		f.note(RefreshFailed, err)
	}
}

// exchange sends a token request to the IdP and checks its response. The response is
// for the client, unless there is an error. The answer is never nil.
func (f *tokenFlow) exchange(redemption *codeGrant, renewal *refreshGrant) (*upstream.TokenAnswer, error) {
	form, err := f.request.tokenCall(f.policy, redemption, renewal, f.r.Header.Get("Authorization"), f.gateway.parts.Now())
	if err != nil {
		f.note(NotSigned, err)
		return &upstream.TokenAnswer{Outcome: upstream.NotSent}, err
	}
	c := f.newFormCall(Token, form)
	if f.policy.idp.WantsOrigin(&f.request.Auth) {
		origins := f.policy.registry.Origins
		if f.request.Client != nil {
			origins = f.request.Client.Origins
		}
		if origin := origins.Of(f.r.Header); origin != "" {
			c.Header.Set("Origin", origin)
		}
	}
	response, sent, err := f.send(c)
	switch {
	case err != nil && !sent:
		return &upstream.TokenAnswer{Outcome: upstream.NotSent}, err
	case err != nil:
		return &upstream.TokenAnswer{Outcome: upstream.Unclear}, err
	}
	upstream.StandardizeToken(&response)
	answer, err := f.policy.checkTokenResponse(response, redemption)
	if err == nil {
		err = upstream.CheckCredentials(&f.request.Auth, response)
	}
	if err == nil && answer.Outcome == upstream.Granted {
		err = f.request.checkGranted(f.policy, &answer.Token)
	}
	upstream.FilterHeader(response.Header)
	return &answer, err
}

// tokenCall is a token request to the IdP, with the authentication of the gateway, or else of the
// client, whose Authorization header is authorization. redemption and renewal are nil for codes
// and refresh tokens that were not sealed, and for the other grant.
func (r *tokenRequest) tokenCall(p *Policy, redemption *codeGrant, renewal *refreshGrant, authorization string, now time.Time) (upstream.Form, error) {
	a, err := p.idp.Authenticate(Token, &r.Auth, authorization, now)
	if err != nil {
		return upstream.Form{}, err
	}
	asked := upstream.TokenRequest{
		Grant: string(r.Grant), Code: r.Code, RedirectURI: cmp.Or(r.RedirectURI, r.onlyRedirectURI), Verifier: string(r.Verifier),
		RefreshToken: r.RefreshToken, Scope: r.Scope, Audience: r.Audience, AuthorizationDetails: r.AuthorizationDetails, Resources: r.Resources,
	}
	if redemption != nil {
		asked.Code, asked.RedirectURI = redemption.login.Code, redemption.login.Callback
	}
	if renewal != nil {
		asked.RefreshToken = renewal.token
	}
	return a.TokenForm(&asked), nil
}

// checkTokenResponse checks the IdP's answer, to a code that was sealed against its login.
func (p *Policy) checkTokenResponse(r Response, redemption *codeGrant) (upstream.TokenAnswer, error) {
	if redemption == nil {
		return p.idp.CheckToken(r, nil, "")
	}
	return p.idp.CheckToken(r, &redemption.login.Login, redemption.idpClient)
}

// checkGranted holds a token that the IdP grants to what the client may have. With a resource,
// r gets the scope that the client is told of.
func (r *tokenRequest) checkGranted(p *Policy, token *upstream.TokenResponse) (err error) {
	r.granted, err = p.idp.CheckGranted(&upstream.Grantee{Party: r.Party, Resource: r.resource, Asked: r.asked, Refreshes: r.Grant == refreshGrantType}, token)
	return err
}

// sealTokens puts the client's refresh token into a token response.
func (f *tokenFlow) sealTokens(renewal *refreshGrant, answer *upstream.TokenAnswer) (given, error) {
	s, err := f.sealing()
	if err != nil {
		return given{}, err
	}
	g, err := f.request.sealTokens(f.policy, context.WithoutCancel(f.r.Context()), f.gateway.families, s, renewal, answer)
	if errors.Is(err, errNotRecorded) {
		f.note(NotRecorded, err)
		return g, nil
	}
	return g, f.noteRefresh(err)
}

// settle gives back the claims that an exchange did not use up, even for a client that
// has left. One that can't be released expires by itself.
func (f *tokenFlow) settle(claims *codeClaims, outcome upstream.Outcome) {
	ctx, cancel := f.detached()
	defer cancel()
	if err := claims.settle(ctx, outcome); err != nil {
		f.note(ClaimKept, err)
	}
}

// revokeEnded has the IdP revoke the refresh token of a login that a request has ended, if its
// error says so and the IdP can (RFC 7009 section 2.1). The login has ended here either way.
func (f *tokenFlow) revokeEnded(err error) {
	var ended *rotation.Ended
	if errors.As(err, &ended) {
		f.revokeUnasked(&revokedToken{token: ended.Token, hint: hintRefreshToken})
	}
}

// revokeUnasked revokes a token at the IdP that no client has asked to.
func (f *tokenFlow) revokeUnasked(token *revokedToken) {
	if !f.policy.revokesAtIdP() {
		return
	}
	form, err := (&revocationRequest{Auth: f.request.Auth}).revocationCall(f.policy, token, f.r.Header.Get("Authorization"), f.gateway.parts.Now())
	if err == nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(f.r.Context()), revokeTimeout)
		defer cancel()
		err = f.revokeAside(ctx, f.newFormCall(Revoke, form))
	}
	if err != nil {
		f.note(NotRevoked, err)
	}
}

func (f *tokenFlow) revokeAside(ctx context.Context, c upstream.Call) error {
	response, _, err := f.roundTrip(ctx, c)
	if err == nil {
		_, err = upstream.CheckRevocation(&response)
	}
	if err == nil && response.Status != http.StatusOK {
		err = fmt.Errorf("status %d", response.Status)
	}
	return err
}

// release gives back the lease of a refresh that brought no token.
func (f *tokenFlow) release(lease *rotation.Lease) {
	ctx, cancel := f.detached()
	defer cancel()
	if err := lease.Release(ctx); err != nil {
		f.note(LeaseKept, err)
	}
}

// noteRefresh notes what an operator wants to know of a refresh that was not to be: a
// sign of theft, and a store that failed.
func (f *flow) noteRefresh(err error) error {
	switch {
	case errors.Is(err, rotation.ErrReused):
		f.note(Reused, nil)
	case errors.Is(err, rotation.ErrRolledBack), errors.Is(err, rotation.ErrForeign):
		f.note(StoreNotTrusted, errors.Unwrap(err))
	case errors.Is(err, rotation.ErrStore):
		f.note(RefreshFailed, errors.Unwrap(err))
	}
	return err
}
