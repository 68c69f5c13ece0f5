package idp

import (
	"context"
	"errors"
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// revoke revokes a token at the IdP, and ends its login here (RFC 7009).
func (f *flow) revoke() (Response, error) {
	form, err := f.readBody()
	if err != nil {
		return Response{}, err
	}
	if err := f.admit(form); err != nil {
		return Response{}, err
	}
	request, err := f.policy.parseRevocation(f.r.URL.RawQuery, f.r.Header, form)
	if err != nil {
		f.result.Decision.ClientID = f.policy.registered(request.ClientID)
		return Response{}, err
	}
	f.identify(request.ClientID)
	if err := f.authenticateClient(&request.clientAuth); err != nil {
		return Response{}, err
	}
	revocation, err := f.openRevocation(f.r.Context(), &request)
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
	if f.policy.revokesAtIdP() {
		decided := false
		if response, decided, err = f.revokeAtIdP(&request, revocation); !decided {
			return response, err
		}
	}
	return response, errors.Join(f.endRevoked(&request, revocation), err)
}

// revokeAtIdP asks the IdP, and reports whether it has decided.
func (f *flow) revokeAtIdP(request *revocationRequest, revocation *revokedToken) (response Response, decided bool, err error) {
	form, err := f.policy.revocationCall(request, revocation, f.r.Header.Get("Authorization"), f.gateway.parts.Now())
	if err != nil {
		f.note(NotSigned, err)
		return Response{}, false, err
	}
	response, _, err = f.send(f.newFormCall(Revoke, form))
	if err != nil {
		return Response{}, false, err
	}
	decided, err = checkRevocationResponse(&response)
	filterBackResponse(response.Header)
	return response, decided, err
}

// openAccessRevocation finds what a token is that has the form of an access token of the
// gateway's own. With it the login's refresh tokens end; itself it is good until it
// expires, wherever nobody asks [flow.introspect].
func (f *flow) openAccessRevocation(ctx context.Context, request *revocationRequest) (*revokedToken, error) {
	if f.policy.callback == nil {
		return &revokedToken{}, nil // another gateway's
	}
	token, err := OpenAccessToken(ctx, f.gateway.parts.Keys, f.policy.public.url, request.Token, f.gateway.parts.Now())
	switch {
	case err != nil && oauth.AsError(err).Code == oauth.InvalidToken:
		return &revokedToken{}, nil
	case err != nil:
		return nil, err
	}
	f.result.Decision.LoginID = token.LoginID
	switch {
	case token.ClientID != f.policy.agent(request.ClientID):
		return nil, oauth.Reject(oauth.InvalidGrant, "RFC 7009 section 2.1", "the token was issued to another client")
	case token.family == nil || f.policy.rotation == nil:
		return nil, oauth.Reject(oauth.UnsupportedTokenType, "RFC 7009 section 2.2.1",
			"this access token ends by itself, within an hour of its login or refresh; to end the login, revoke the refresh token")
	}
	return open(f, func(s sealer) (*revokedToken, error) {
		return revokedFamily(ctx, f.gateway.families, s, *token.family)
	})
}

// openRevocation finds what a token is. One that no key here has sealed is the IdP's.
func (f *flow) openRevocation(ctx context.Context, request *revocationRequest) (*revokedToken, error) {
	if isOwnAccessToken(request.Token) {
		return f.openAccessRevocation(ctx, request)
	}
	found, err := open(f, func(s sealer) (*revokedToken, error) {
		return f.policy.openRevocation(ctx, f.gateway.families, s, request)
	})
	f.trace(request.loginID)
	if (errors.Is(err, seal.ErrInvalid) || errors.Is(err, seal.ErrUnknownKey)) && !errors.Is(err, rotation.ErrForeign) {
		f.traceToken(request.Token)
		return unknownToken(request), nil
	}
	return found, err
}

// endRevoked ends a login here, however often it changes meanwhile.
func (f *flow) endRevoked(request *revocationRequest, revocation *revokedToken) error {
	ctx, cancel := f.detached()
	defer cancel()
	for {
		ended, err := revocation.end(ctx)
		if err == nil && !ended {
			revocation, err = f.openRevocation(ctx, request)
		}
		if err != nil {
			return f.noteRefresh(err)
		}
		if ended {
			return nil
		}
	}
}

// revoked responds that a token is not good any more (RFC 7009 section 2.2).
func revoked() Response {
	header := make(http.Header)
	setNoStore(header)
	return Response{Status: http.StatusOK, Header: header}
}
