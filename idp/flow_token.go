package idp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// token exchanges a code or a refresh token at the IdP (RFC 6749 sections 4.1.3 and 6).
func (f *flow) token() (Response, error) {
	form, err := f.readBody()
	if err != nil {
		return Response{}, err
	}
	request, err := f.policy.ParseToken(f.r.URL.RawQuery, f.r.Header, form)
	if err != nil {
		f.result.Decision.ClientID = f.policy.Registered(request.ClientID)
		return Response{}, err
	}
	f.identify(request.ClientID)
	if err := f.policy.Reachable(Token); err != nil {
		return Response{}, err
	}
	switch {
	case f.policy.callback == nil:
		response, _, err := f.exchange(&request, nil, nil)
		return response, err
	case request.Grant == AuthorizationCode:
		return f.redeem(&request)
	}
	return f.refresh(&request)
}

// redeem exchanges a code that the gateway has sealed.
func (f *flow) redeem(request *TokenRequest) (Response, error) {
	redemption, err := open(f, func(s Sealing) (*Redemption, error) { return f.policy.OpenCode(s, request) })
	if err != nil {
		return Response{}, err
	}
	claims, err := f.policy.Claim(f.r.Context(), f.gateway.parts.Replay, redemption)
	if err != nil {
		if !errors.Is(err, replay.ErrClaimed) {
			f.note(ClaimFailed, err)
		}
		return Response{}, ClaimError(err)
	}
	response, outcome, err := f.exchange(request, redemption, nil)
	if err == nil && outcome == Granted {
		response, err = f.sealTokens(request, nil, response)
	}
	if err != nil && outcome == Granted {
		outcome = Unclear // the client gets no token
	}
	f.settle(claims, outcome)
	return response, err
}

// refresh renews with a refresh token that the gateway has sealed.
func (f *flow) refresh(request *TokenRequest) (Response, error) {
	renewal, err := open(f, func(s Sealing) (*Renewal, error) { return f.policy.OpenRefreshToken(s, request) })
	if err != nil {
		return Response{}, err
	}
	if f.policy.rotation != nil {
		if _, err := open(f, func(s Sealing) (*Renewal, error) {
			return renewal, f.policy.TakeTurn(f.r.Context(), f.gateway.states, s, renewal)
		}); err != nil {
			f.revokeEnded(request, renewal)
			return Response{}, f.noteRefresh(err)
		}
		defer f.endTurn(renewal)
	}
	response, outcome, err := f.exchange(request, nil, renewal)
	if err != nil || outcome != Granted {
		return response, err
	}
	return f.sealTokens(request, renewal, response)
}

// exchange sends a token request to the IdP and checks its response. The response is
// for the client, unless there is an error.
func (f *flow) exchange(request *TokenRequest, redemption *Redemption, renewal *Renewal) (Response, TokenOutcome, error) {
	form, err := f.policy.TokenCall(request, redemption, renewal, f.r.Header.Get("Authorization"), f.gateway.parts.Now())
	if err != nil {
		f.note(NotSigned, err)
		return Response{}, NotSent, err
	}
	c := f.newFormCall(Token, form)
	if f.policy.WantsOrigin(request) {
		if origin := f.policy.clientOrigins(request.ClientID).Of(f.r.Header); origin != "" {
			c.header.Set("Origin", origin)
		}
	}
	response, sent, err := f.send(c)
	switch {
	case err != nil && !sent:
		return Response{}, NotSent, err
	case err != nil:
		return Response{}, Unclear, err
	}
	StandardizeTokenResponse(&response)
	outcome, err := f.policy.CheckTokenResponse(response, redemption)
	if err == nil {
		err = request.CheckCredentials(response)
	}
	if err == nil {
		err = f.policy.CheckGranted(request, response)
	}
	FilterBackResponse(response.Header)
	return response, outcome, err
}

// sealTokens puts the client's refresh token into a token response.
func (f *flow) sealTokens(request *TokenRequest, renewal *Renewal, response Response) (Response, error) {
	s, err := f.sealing()
	if err != nil {
		return Response{}, err
	}
	response.Body, err = f.policy.SealTokens(context.WithoutCancel(f.r.Context()), f.gateway.states, s, request, renewal, response.Body)
	if errors.Is(err, ErrNotRecorded) {
		f.note(NotRecorded, errors.Unwrap(err))
		return response, nil
	}
	return response, f.noteRefresh(err)
}

// settle gives back the claims that an exchange did not use up, even for a client that
// has left. One that can't be released expires by itself.
func (f *flow) settle(claims *Claims, outcome TokenOutcome) {
	ctx, cancel := f.detached()
	defer cancel()
	if err := claims.Settle(ctx, outcome); err != nil {
		f.note(ClaimKept, err)
	}
}

// revokeTimeout bounds what a refusal waits for the IdP.
const revokeTimeout = 2 * time.Second

// revokeEnded has the IdP revoke the refresh token of a login that a request has ended,
// if it can. The login has ended here either way.
func (f *flow) revokeEnded(request *TokenRequest, renewal *Renewal) {
	form, ok, err := f.policy.EndedCall(request, renewal, f.r.Header.Get("Authorization"), f.gateway.parts.Now())
	if ok && err == nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(f.r.Context()), revokeTimeout)
		defer cancel()
		err = f.revokeAside(ctx, f.newFormCall(Revoke, form))
	}
	if err != nil {
		f.note(NotRevoked, err)
	}
}

func (f *flow) revokeAside(ctx context.Context, c call) error {
	response, _, err := f.roundTrip(ctx, c)
	if err == nil {
		_, err = CheckRevocationResponse(&response)
	}
	if err == nil && response.Status != http.StatusOK {
		err = fmt.Errorf("status %d", response.Status)
	}
	return err
}

// endTurn gives back the turn of a refresh that brought no token.
func (f *flow) endTurn(renewal *Renewal) {
	ctx, cancel := f.detached()
	defer cancel()
	if err := f.policy.EndTurn(ctx, f.gateway.states, renewal); err != nil {
		f.note(TurnKept, err)
	}
}

// noteRefresh notes what an operator wants to know of a refresh that was not to be: a
// sign of theft, and a store that failed.
func (f *flow) noteRefresh(err error) error {
	switch {
	case errors.Is(err, ErrReused):
		f.note(Reused, nil)
	case errors.Is(err, ErrRolledBack), errors.Is(err, ErrForeignState):
		f.note(StoreNotTrusted, errors.Unwrap(err))
	case errors.Is(err, ErrStore):
		f.note(RefreshFailed, errors.Unwrap(err))
	}
	return err
}
