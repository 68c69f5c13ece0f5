package idp

import (
	"context"
	"errors"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// tokens is how the IdP's codes and tokens get to clients: as they are ([passedTokens]), or with
// a callback sealed, so that they are good here and nowhere else ([sealedTokens]).
type tokens interface {
	// loginID is that of the login that begins with a challenge.
	loginID(c pkce.Challenge) login.ID
	// code is the client's code for the IdP's, at the end of a silent login.
	code(w *silentLogin, c callbackRequest) (string, error)
	// exchange asks the IdP for tokens, and gives the client its own.
	exchange(f *tokenFlow) (Response, error)
	// revoked is what a token that is to be revoked stands for.
	revoked(ctx context.Context, f *revocationFlow) (*revokedToken, error)
}

// passedTokens passes on what the IdP gives. Of a login nothing is known here but its challenge.
type passedTokens struct{}

func (passedTokens) loginID(c pkce.Challenge) login.ID { return login.IDOf(c) }

func (passedTokens) code(_ *silentLogin, c callbackRequest) (string, error) { return c.Code, nil }

func (passedTokens) exchange(f *tokenFlow) (Response, error) {
	if f.request.Grant == codeGrantType {
		f.trace(login.IDOf(f.request.Verifier.S256()))
	}
	answer, err := f.exchange(nil, nil)
	if err == nil && answer.Outcome == upstream.Granted {
		given := givenAsIs(answer)
		f.issue(answer, &given)
	}
	return answer.Response, err
}

func (passedTokens) revoked(_ context.Context, f *revocationFlow) (*revokedToken, error) {
	if seal.IsAccessToken(f.request.Token) {
		return &revokedToken{}, nil // another gateway's
	}
	return unknownToken(&f.request), nil
}

// sealedTokens has clients get codes and refresh tokens of the gateway's own, and what the IdP
// gives in them.
type sealedTokens struct{}

func (sealedTokens) loginID(pkce.Challenge) login.ID { return login.NewID() }

// code ends the login as a browser's does, at the callback.
func (sealedTokens) code(w *silentLogin, c callbackRequest) (string, error) {
	return w.policy.completeLogin(w.sealing, &login.Pending{Login: w.request.login(w.policy, w.sealing)}, c)
}

func (sealedTokens) exchange(f *tokenFlow) (Response, error) {
	if f.request.Grant == codeGrantType {
		return f.redeem()
	}
	return f.refresh()
}

func (sealedTokens) revoked(ctx context.Context, f *revocationFlow) (*revokedToken, error) {
	if seal.IsAccessToken(f.request.Token) {
		return f.openAccessRevocation(ctx)
	}
	found, err := open(f.flow, func(s sealer) (*revokedToken, error) {
		return f.request.openRevocation(f.policy, ctx, f.gateway.families, s)
	})
	f.trace(f.request.loginID)
	if (errors.Is(err, seal.ErrInvalid) || errors.Is(err, seal.ErrUnknownKey)) && !errors.Is(err, rotation.ErrForeign) {
		f.traceToken(f.request.Token)
		return f.unknownToken()
	}
	return found, err
}
