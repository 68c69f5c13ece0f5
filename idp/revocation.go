package idp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/header"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// revocationFlow is a request to the revocation endpoint on its way to its response.
type revocationFlow struct {
	*flow
	request revocationRequest
}

// serve revokes a token at the IdP, and ends its login here (RFC 7009).
func (f *revocationFlow) serve() (Response, error) {
	form, err := params.ReadForm(f.r.Request, f.header, "revocation", "RFC 7009 section 2.1")
	if err != nil {
		return Response{}, err
	}
	y, err := f.find(form.Get("client_id"))
	if err != nil {
		return Response{}, err
	}
	f.request, err = f.policy.newRevocationRequest(y, &form, f.r.Header)
	f.noteClient(f.request.Party)
	if err == nil {
		err = f.authenticateClient(&f.request.Auth)
	}
	if err != nil {
		return Response{}, err
	}
	revocation, err := f.policy.tokens.revoked(f.r.Context(), f)
	switch {
	case err != nil:
		return Response{}, f.noteRefresh(err)
	case revocation.isOver():
		return revoked(), nil
	}
	if err := f.policy.canRevoke(revocation); err != nil {
		return Response{}, err
	}
	response := revoked()
	if f.policy.idp.Has(Revoke) {
		decided := false
		if response, decided, err = f.revokeAtIdP(revocation); !decided {
			return response, err
		}
	}
	return response, errors.Join(f.endRevoked(revocation), err)
}

// revocationRequest is a checked revocation request (RFC 7009 section 2.1).
type revocationRequest struct {
	clients.Auth

	// Token is the client's, Hint the token_type_hint that came with it, if it is a
	// registered one.
	Token presented
	Hint  string

	loginID login.ID
}

// hintRefreshToken and hintAccessToken are the token_type_hint values of RFC 7009
// section 2.1.
const (
	hintRefreshToken = "refresh_token"
	hintAccessToken  = "access_token"
)

// newRevocationRequest checks the form of a request to the revocation endpoint. The client
// authenticates as at the token endpoint.
func (p *Policy) newRevocationRequest(y clients.Party, f *params.Values, header http.Header) (r revocationRequest, err error) {
	if r.Auth, err = p.registry.Authenticate(y, f, header); err != nil {
		return r, err
	}
	r.Token = p.present(f.Get("token"))
	switch {
	case r.Token.text == "":
		return r, params.Missing("token", "RFC 7009 section 2.1")
	case !syntax.VSChar.Holds(r.Token.text):
		return r, oauth.Reject(oauth.InvalidRequest, "RFC 6749 appendix A", "token must be printable ASCII, as the gateway gave it")
	}
	if hint := f.Get("token_type_hint"); hint == hintRefreshToken || hint == hintAccessToken {
		r.Hint = hint
	}
	return r, nil
}

// revokedToken is what is to be revoked at the IdP.
type revokedToken struct {
	// token is the IdP's; "" if there is nothing to revoke.
	token, hint string
	// family is what the store has of a rotating token's, nil for any other one.
	family *rotation.Known
}

func (passedTokens) revoked(_ context.Context, f *revocationFlow) (*revokedToken, error) {
	if f.request.Token.form != gatewaytoken.Foreign {
		return &revokedToken{}, nil // another gateway's
	}
	return &revokedToken{token: f.request.Token.text, hint: f.request.Hint}, nil
}

func (sealedTokens) revoked(ctx context.Context, f *revocationFlow) (*revokedToken, error) {
	if f.request.Token.form != gatewaytoken.Foreign {
		return f.openAccessRevocation(ctx)
	}
	found, err := open(f.flow, func(s sealer) (*revokedToken, error) {
		return f.request.openRevocation(f.policy, ctx, f.gateway.families, s)
	})
	f.trace(f.request.loginID)
	if (errors.Is(err, seal.ErrInvalid) || errors.Is(err, seal.ErrUnknownKey)) && !errors.Is(err, rotation.ErrForeign) {
		f.traceToken(f.request.Token.text)
		return f.unknownToken()
	}
	return found, err
}

// openRevocation finds what the token of a request is: one that was sealed here, for
// this client, or else one of the IdP. [seal.ErrUnknownKey] is in the chain of an
// error that newer keys may resolve; without newer ones, take
// [revocationFlow.unknownToken].
func (r *revocationRequest) openRevocation(p *Policy, ctx context.Context, families *rotation.Families, s sealer) (*revokedToken, error) {
	opened, _, err := p.codec.OpenRefreshToken(s.Keys, r.Token.text)
	r.loginID = opened.LoginID
	switch {
	case err != nil:
		return nil, err
	case opened.ClientID != r.Reference:
		return nil, oauth.Reject(oauth.InvalidGrant, "RFC 7009 section 2.1", "the token was issued to another client")
	case opened.IdPClient != r.IDAtIdP():
		return &revokedToken{}, nil // no token of the registration that the gateway has now
	case p.rotation == nil:
		return &revokedToken{token: opened.Token, hint: hintRefreshToken}, nil
	}
	return revokedFamily(ctx, families, s, opened.Place.Family)
}

// revokedFamily finds what is to be revoked of a family.
func revokedFamily(ctx context.Context, families *rotation.Families, s sealer, of rotation.Family) (*revokedToken, error) {
	family, err := families.Find(ctx, s.Keys, of)
	switch {
	case errors.Is(err, rotation.ErrOver):
		return &revokedToken{}, nil
	case err != nil:
		return nil, refreshError(err)
	}
	return &revokedToken{token: family.Token, hint: hintRefreshToken, family: family}, nil
}

// openAccessRevocation finds what a token is that has the form of an access token of the
// gateway's own. With it the login's refresh tokens end; itself it is good until it
// expires, wherever nobody asks [flow.introspect].
func (f *revocationFlow) openAccessRevocation(ctx context.Context) (*revokedToken, error) {
	token, err := f.openAccessToken(f.request.Token)
	switch {
	case err != nil && oauth.AsError(err).Code == oauth.InvalidToken:
		return &revokedToken{}, nil
	case err != nil:
		return nil, err
	}
	f.result.Decision.LoginID = token.LoginID
	switch {
	case token.ClientID != f.request.Agent():
		return nil, oauth.Reject(oauth.InvalidGrant, "RFC 7009 section 2.1", "the token was issued to another client")
	case token.Family == nil || f.policy.rotation == nil:
		return nil, oauth.Reject(oauth.UnsupportedTokenType, "RFC 7009 section 2.2.1",
			"this access token ends by itself, within an hour of its login or refresh; to end the login, revoke the refresh token")
	}
	return open(f.flow, func(s sealer) (*revokedToken, error) {
		return revokedFamily(ctx, f.gateway.families, s, *token.Family)
	})
}

// unknownToken is a token that no client has from the gateway. The IdP is asked about one that
// may be its own; any other is none, which is a success (RFC 7009 section 2.2), and nothing that
// a client can make up causes a request with the gateway's credentials.
func (f *revocationFlow) unknownToken() (*revokedToken, error) {
	sealed, err := f.isSealed(f.request.Token.text)
	if err != nil {
		return nil, err
	}
	if sealed || !f.policy.registry.GetsIdPTokens(f.request.Client) {
		return &revokedToken{}, nil
	}
	return &revokedToken{token: f.request.Token.text, hint: f.request.Hint}, nil
}

// isOver reports whether there is nothing left to revoke, which is a success (RFC 7009
// section 2.2).
func (r *revokedToken) isOver() bool { return r.token == "" }

// canRevoke checks that a revocation can come to something: at the IdP, or here, where
// a family ends.
func (p *Policy) canRevoke(r *revokedToken) error {
	if p.idp.Has(Revoke) || r.family != nil {
		return nil
	}
	if !p.idp.IsKnown() {
		return upstream.NotDiscovered()
	}
	return oauth.Reject(oauth.UnsupportedTokenType, "RFC 7009 section 2.2.1",
		"the gateway knows of no revocation endpoint at the identity provider; if there is one, set its address at the gateway: endpoint revoke")
}

// revokeAtIdP asks the IdP, and reports whether it has decided.
func (f *revocationFlow) revokeAtIdP(revocation *revokedToken) (response Response, decided bool, err error) {
	form, err := f.request.revocationCall(f.policy, revocation, f.r.Header.Get("Authorization"), f.gateway.parts.Now())
	if err != nil {
		f.note(NotSigned, err)
		return Response{}, false, err
	}
	response, _, err = f.send(f.newCall(Revoke).WithForm(form))
	if err != nil {
		return Response{}, false, err
	}
	decided, err = upstream.CheckRevocation(&f.request.Auth, &response)
	upstream.FilterHeader(response.Header)
	return response, decided, err
}

// revocationCall builds the request to the IdP, with the authentication of the
// gateway or of the client, as [tokenRequest.tokenCall] does.
func (r *revocationRequest) revocationCall(p *Policy, revocation *revokedToken, authorization string, now time.Time) (upstream.Form, error) {
	a, err := p.idp.Authenticate(Revoke, &r.Auth, authorization, now)
	if err != nil {
		return upstream.Form{}, err
	}
	return a.RevocationForm(revocation.token, revocation.hint), nil
}

// endRevoked ends a login here, however often it changes meanwhile.
func (f *revocationFlow) endRevoked(revocation *revokedToken) error {
	ctx, cancel := replay.Detached(f.r.Context())
	defer cancel()
	for {
		ended, err := revocation.end(ctx)
		if err == nil && !ended {
			revocation, err = f.policy.tokens.revoked(ctx, f)
		}
		if err != nil {
			return f.noteRefresh(err)
		}
		if ended {
			return nil
		}
	}
}

// end ends the family of a revoked token. It reports false if that has changed meanwhile, and
// has to be opened again.
func (r *revokedToken) end(ctx context.Context) (bool, error) {
	if r.family == nil {
		return true, nil
	}
	ended, err := r.family.End(ctx)
	return ended, refreshError(err)
}

// revoked responds that a token is not good any more (RFC 7009 section 2.2).
func revoked() Response {
	response := Response{Status: http.StatusOK, Header: make(http.Header)}
	header.SetNoStore(response.Header)
	return response
}

// endFamily ends refresh tokens, and is that of the IdP with them, "" if they had ended before.
func (f *flow) endFamily(of rotation.Family) (string, error) {
	ctx, cancel := replay.Detached(f.r.Context())
	defer cancel()
	for {
		known, err := open(f, func(s sealer) (*revokedToken, error) { return revokedFamily(ctx, f.gateway.families, s, of) })
		if err != nil {
			return "", f.noteRefresh(err)
		}
		if ended, err := known.end(ctx); ended || err != nil {
			return known.token, f.noteRefresh(err)
		}
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

// withdraw asks the IdP to revoke what it has granted and no client gets: the user may not come in, or
// the exchange for the resource failed.
func (f *tokenFlow) withdraw(answer *upstream.TokenAnswer) {
	token, hint := answer.Token.AccessToken, hintAccessToken
	if refresh, err := answer.Token.RefreshTokenText(); err == nil && refresh != "" {
		token, hint = refresh, hintRefreshToken // with it go the access tokens (RFC 7009 section 2.1)
	}
	f.revokeUnasked(&revokedToken{token: token, hint: hint})
}

// revokeUnasked revokes a token at the IdP that no client has asked to.
func (f *tokenFlow) revokeUnasked(token *revokedToken) {
	if !f.policy.idp.Has(Revoke) {
		return
	}
	form, err := (&revocationRequest{Auth: f.request.Auth}).revocationCall(f.policy, token, f.r.Header.Get("Authorization"), f.gateway.parts.Now())
	if err == nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(f.r.Context()), revokeTimeout)
		defer cancel()
		err = f.revokeAside(ctx, f.newCall(Revoke).WithForm(form))
	}
	if err != nil {
		f.note(NotRevoked, err)
	}
}

func (f *tokenFlow) revokeAside(ctx context.Context, c upstream.Call) error {
	response, _, err := f.roundTrip(ctx, c)
	if err == nil {
		_, err = upstream.CheckRevocation(&f.request.Auth, &response)
	}
	if err == nil && response.Status != http.StatusOK {
		err = fmt.Errorf("status %d", response.Status)
	}
	return err
}
