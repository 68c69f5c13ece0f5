package idp

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/grants"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/trust"
)

// tokenFlow is a request to the token endpoint on its way to its response.
type tokenFlow struct {
	*flow
	request tokenRequest
}

// serve redeems a code or a refresh token at the IdP (RFC 6749 sections 4.1.3 and 6), or gives a
// token without a login ([tokenRequest.parseDirectGrant], [tokenFlow.grantWorkload]).
func (f *tokenFlow) serve() (Response, error) {
	form, err := params.ReadForm(f.r.Request, f.header, "token", "RFC 6749 section 3.2")
	if err != nil {
		return Response{}, err
	}
	assertion, err := f.policy.grants.ReadAssertion(&form)
	switch {
	case err != nil:
		return Response{}, err
	case assertion != nil && assertion.Purpose == trust.Workload:
		return f.grantWorkload(&form, assertion)
	}
	y, err := f.find(form.Get("client_id"))
	if err != nil {
		return Response{}, err
	}
	f.request, err = f.policy.newTokenRequest(y, &form, f.r.Header)
	f.noteClient(f.request.Party)
	if err == nil {
		err = f.authenticateClient(&f.request.Auth)
	}
	if err != nil {
		return Response{}, err
	}
	if !f.request.Grant.IsDirect() {
		if err := f.policy.idp.CheckReachable(Token); err != nil {
			return Response{}, err
		}
	}
	if f.request.possession, err = f.possession(f.request.Client); err != nil {
		return Response{}, err
	}
	switch {
	case assertion != nil:
		return f.grantIdentity(assertion)
	case f.request.Grant.IsDirect():
		return f.grantClient()
	}
	return f.policy.tokens.grant(f)
}

// tokens is how the IdP's codes and tokens get to clients: as they are ([passedTokens]), or with
// a callback sealed, so that they are good here and nowhere else ([sealedTokens]).
type tokens interface {
	// loginID is that of the login that begins with a challenge.
	loginID(c pkce.Challenge) login.ID
	// code is the client's code for the IdP's, at the end of a silent login.
	code(w *silentLogin, c callbackRequest) (string, error)
	// grant redeems a code or a refresh token at the IdP, and gives the client its tokens.
	grant(f *tokenFlow) (Response, error)
	// revoked is what a token that is to be revoked stands for.
	revoked(ctx context.Context, f *revocationFlow) (*revokedToken, error)
}

// passedTokens passes on what the IdP gives. Of a login nothing is known here but its challenge.
type passedTokens struct{}

// sealedTokens has clients get codes and refresh tokens of the gateway's own, and what the IdP
// gives in them.
type sealedTokens struct{}

func (passedTokens) grant(f *tokenFlow) (Response, error) {
	if f.request.Grant == grants.Code {
		f.trace(login.IDOf(f.request.Verifier.S256()))
	}
	answer, err := f.requestTokens(nil, nil)
	if err == nil && answer.Outcome == upstream.Granted {
		given := givenAsIs(answer)
		f.issue(answer, &given)
	}
	return answer.Response, err
}

func (sealedTokens) grant(f *tokenFlow) (Response, error) {
	if f.request.Grant == grants.Code {
		return f.redeem()
	}
	return f.refresh()
}

// redeem takes a code that the gateway has sealed.
func (f *tokenFlow) redeem() (Response, error) {
	code, err := open(f.flow, func(s sealer) (*codeGrant, error) { return f.request.openCodeGrant(f.policy, s) })
	f.trace(f.request.loginID)
	if err != nil {
		return Response{}, err
	}
	if err := f.readyToIssue(); err != nil {
		return Response{}, err
	}
	once := f.policy.codeKeys(code)
	f.request.family = once.family(f.request.loginID)
	claims, err := once.claim(f.r.Context(), f.gateway.parts.Replay)
	if err != nil {
		return Response{}, f.rejectClaimed(err)
	}
	if err := f.useProof(f.request.Code); err != nil {
		f.settle(claims, upstream.NotSent)
		return Response{}, err
	}
	answer, err := f.requestTokens(code, nil)
	response := answer.Response
	if err == nil && answer.Outcome == upstream.Granted {
		response, err = f.complete(code, answer, f.gateway.parts.Now())
	}
	if err != nil && answer.Outcome == upstream.Granted {
		answer.Outcome = upstream.Unclear // the client gets no token
	}
	f.settle(claims, answer.Outcome)
	return response, err
}

// rejectClaimed is the response to a code that could not be claimed. One that its client has
// redeemed before ends what it has bought (RFC 6749 section 4.1.2): of two who have code and verifier
// one has stolen them, and may have been the first.
func (f *tokenFlow) rejectClaimed(err error) error {
	switch {
	case !errors.Is(err, replay.ErrClaimed):
		f.note(ClaimFailed, err)
	case f.gateway.families != nil && !errors.Is(err, errLoginOver) && f.useProof(f.request.Code) == nil:
		token, failed := f.endFamily(f.request.family)
		if failed == nil && token != "" {
			f.note(CodeReused, nil)
			f.revokeUnasked(&revokedToken{token: token, hint: hintRefreshToken})
		}
	}
	return claimError(err)
}

// refresh renews with a refresh token that the gateway has sealed.
func (f *tokenFlow) refresh() (Response, error) {
	refresh, err := open(f.flow, func(s sealer) (*refreshGrant, error) { return f.request.openRefreshGrant(f.policy, s) })
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
		refresh.lease, err = open(f.flow, func(s sealer) (*rotation.Lease, error) {
			lease, err := families.Take(f.r.Context(), s.Keys, *refresh.opened.Place)
			if err == nil {
				err = lease.CheckEnded(f.r.Context(), f.request.whose())
			}
			return lease, refreshError(err)
		})
		if err != nil {
			f.release(refresh.lease)
			f.revokeEnded(err)
			return Response{}, f.noteRefresh(err)
		}
		refresh.token = refresh.lease.Token()
		defer f.release(refresh.lease)
	}
	answer, err := f.renew(refresh)
	if answer.Outcome != upstream.Granted {
		return answer.Response, err
	}
	if err == nil {
		err = f.identifyAndExchange(nil, refresh, answer)
	}
	var response Response
	if err == nil {
		response, err = f.give(refresh, answer)
	}
	if err != nil && oauth.AsError(err).Code != oauth.InvalidGrant { // who logs in again needs nothing of this
		f.keep(refresh, answer)
	}
	f.revokeEnded(err)
	return response, err
}

// renew is what the IdP grants for a refresh. An access token that does not expire is what it is:
// the IdP is asked whose, and judges it, in [tokenFlow.identifyUser].
func (f *tokenFlow) renew(refresh *refreshGrant) (*upstream.TokenAnswer, error) {
	if !f.request.lasting {
		return f.requestTokens(nil, refresh)
	}
	answer := &upstream.TokenAnswer{
		Response: Response{Status: http.StatusOK, Header: make(http.Header)},
		Outcome:  upstream.Granted, Token: upstream.TokenResponse{AccessToken: refresh.token},
	}
	upstream.FilterHeader(answer.Header)
	return answer, f.request.takeGranted(f.policy, &answer.Token)
}

// requestTokens sends a token request to the IdP and checks its response. The response is
// for the client, unless there is an error. The answer is never nil.
func (f *tokenFlow) requestTokens(code *codeGrant, refresh *refreshGrant) (*upstream.TokenAnswer, error) {
	form, err := f.request.tokenCall(f.policy, code, refresh, f.r.Header.Get("Authorization"), f.gateway.parts.Now())
	if err != nil {
		f.note(NotSigned, err)
		return &upstream.TokenAnswer{Outcome: upstream.NotSent}, err
	}
	c := f.newCall(Token).WithForm(form)
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
	answer, err := f.policy.checkTokenResponse(response, code)
	if err == nil {
		err = upstream.CheckCredentials(&f.request.Auth, answer.Response)
	}
	if err == nil && answer.Outcome == upstream.Granted {
		err = f.request.takeGranted(f.policy, &answer.Token)
	}
	upstream.FilterHeader(response.Header)
	return &answer, err
}

// tokenCall is a token request to the IdP, with the authentication of the gateway, or else of the
// client, whose Authorization header is authorization. code and refresh are nil for those
// that were not sealed, and for the other grant.
func (r *tokenRequest) tokenCall(p *Policy, code *codeGrant, refresh *refreshGrant, authorization string, now time.Time) (upstream.Form, error) {
	a, err := p.idp.Authenticate(Token, &r.Auth, authorization, now)
	if err != nil {
		return upstream.Form{}, err
	}
	asked := upstream.TokenRequest{
		Grant: string(r.Grant), Code: r.Code, RedirectURI: cmp.Or(r.RedirectURI, r.onlyRedirectURI), Verifier: string(r.Verifier),
		RefreshToken: r.RefreshToken, Scope: r.scopeAtIdP, Audience: r.Audience, AuthorizationDetails: r.AuthorizationDetails, Resources: r.indicators,
	}
	if code != nil {
		asked.Code, asked.RedirectURI = code.login.Code, code.login.Callback
		asked.Verifier = cmp.Or(string(code.login.Verifier), asked.Verifier)
	}
	if refresh != nil {
		asked.RefreshToken = refresh.token
	}
	return a.TokenForm(&asked), nil
}

// checkTokenResponse checks the IdP's answer, to a code that was sealed against its login.
func (p *Policy) checkTokenResponse(r Response, code *codeGrant) (upstream.TokenAnswer, error) {
	if code == nil {
		return p.idp.CheckToken(r, nil, "")
	}
	return p.idp.CheckToken(r, &code.login.Login, code.idpClient)
}

// takeGranted holds a token that the IdP grants to what the client may have. With a resource,
// r gets the scope that the client is told of.
func (r *tokenRequest) takeGranted(p *Policy, token *upstream.TokenResponse) (err error) {
	r.granted, err = p.idp.CheckGranted(&upstream.Grantee{Party: r.Party, Resource: r.resource, Asked: r.asked, Refreshes: r.Grant == grants.Refresh}, token)
	return err
}

// complete is the response for a code that the IdP has granted tokens for, at the time of its answer.
func (f *tokenFlow) complete(code *codeGrant, answer *upstream.TokenAnswer, answered time.Time) (Response, error) {
	l := &code.login.Login
	if err := f.identifyAndExchange(l, nil, answer); err != nil {
		return Response{}, err
	}
	f.request.session = f.policy.session(l, code.idpClient, answer, answered)
	if err := f.checkLogin(l); err != nil {
		return Response{}, err
	}
	return f.give(nil, answer)
}

// identifyAndExchange holds what the IdP has granted to who has signed it, who may come in and what
// the resource needs: it asks the IdP who the user is, has it exchange the access token, and has
// it revoke what a new login may not keep. Of a code there is a login l, of a refresh its grant; the
// other one is nil.
func (f *tokenFlow) identifyAndExchange(l *login.Login, refresh *refreshGrant, answer *upstream.TokenAnswer) error {
	if err := f.verifyIDToken(answer); err != nil {
		return err
	}
	if f.needsUser() {
		if err := f.identifyUser(l, refresh, answer); err != nil {
			return err
		}
	}
	f.request.named = cmp.Or(f.request.named, answer.IDToken.SubjectText())
	err := f.exchangeForResource(refresh, answer)
	if err != nil && refresh == nil {
		f.withdraw(answer)
	}
	return err
}

// checkLogin rejects a login that has ended while it was under way. That the store can't tell of an
// ending needs no line of its own: it can't record the refresh token either, which is said.
func (f *tokenFlow) checkLogin(l *login.Login) error {
	families := f.gateway.families
	if families == nil {
		return nil
	}
	if err := f.endedError(families.CheckSessionRetrying(f.r.Context(), f.request.session)); err != nil {
		return err
	}
	err := families.CheckEnded(f.r.Context(), f.request.whose(), l.Began)
	if errors.Is(err, rotation.ErrStore) {
		return nil
	}
	return f.noteRefresh(refreshError(err))
}

// settle gives back the claims that redeeming did not use up, even for a client that
// has left. One that can't be released expires by itself.
func (f *tokenFlow) settle(claims *codeClaims, outcome upstream.Outcome) {
	if outcome == upstream.Granted {
		return // both are used up
	}
	ctx, cancel := replay.Detached(f.r.Context())
	defer cancel()
	if err := claims.settle(ctx, outcome); err != nil {
		f.note(ClaimKept, err)
	}
}
