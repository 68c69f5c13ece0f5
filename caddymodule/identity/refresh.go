package identity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/caddyserver/caddy/v2"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/body"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// RefreshRotation has each refresh replace the refresh token, and a second use of
// one that was replaced end the login.
type RefreshRotation struct {
	// How long the refresh token before the current one is good, too: for processes
	// that share it, and for retries. Default: `30s`.
	Grace caddy.Duration `json:"grace,omitempty"`
	// How long a login lives without a refresh. Default: `30d`.
	Idle caddy.Duration `json:"idle,omitempty"`
}

// rotationConfig is the policy's part of rotate_refresh, nil without.
func (g *Gateway) rotationConfig() *idp.RotationConfig {
	if g.RotateRefresh == nil {
		return nil
	}
	turn := time.Duration(g.ResponseTimeout)
	if turn == 0 {
		turn = time.Duration(defaultResponseTimeout)
	}
	return &idp.RotationConfig{
		Grace: time.Duration(g.RotateRefresh.Grace), Idle: time.Duration(g.RotateRefresh.Idle), Turn: turn + storeTimeout,
	}
}

// openRefreshToken opens the refresh token of a request, and waits for its turn if
// it rotates.
func (g *Gateway) openRefreshToken(r *http.Request, d *decision.Decision, request *idp.TokenRequest) (*idp.Renewal, error) {
	var renewal *idp.Renewal
	err := g.open(r, func(s idp.Sealing) (err error) {
		renewal, err = g.policy.OpenRefreshToken(s, request)
		return err
	})
	if err != nil || !g.policy.Rotates() {
		return renewal, err
	}
	err = g.open(r, func(s idp.Sealing) error { return g.policy.TakeTurn(r.Context(), g.states, s, renewal) })
	if err != nil {
		g.noteTurn(request.ClientID, err)
		g.revokeEnded(r, d, request, renewal)
	}
	return renewal, err
}

// revokeTimeout bounds what a refusal waits for the IdP.
const revokeTimeout = 2 * time.Second

// revokeEnded has the IdP revoke the refresh token of a login that a request has ended,
// if it can. The login has ended here either way.
func (g *Gateway) revokeEnded(r *http.Request, d *decision.Decision, request *idp.TokenRequest, renewal *idp.Renewal) {
	upstream, ok, err := g.policy.EndedCall(request, renewal, r.Header.Get("Authorization"), time.Now())
	if !ok && err == nil {
		return
	}
	if err == nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), revokeTimeout)
		defer cancel()
		err = g.revokeAtIdP(r.WithContext(ctx), d, upstream)
	}
	if err != nil {
		g.logger.Warn("a login has ended here, and the identity provider could not be told to revoke its refresh token",
			zap.String("client", request.ClientID), zap.Error(err))
	}
}

// revokeAtIdP makes a call to the revocation endpoint whose response goes nowhere.
func (g *Gateway) revokeAtIdP(r *http.Request, d *decision.Decision, upstream idp.TokenCall) error {
	aside := *d // it is not the client's request that is decided
	c := g.newFormCall(idp.Revoke, &aside, r, upstream)
	var failure error
	c.modifyResponse = func(response *http.Response) error {
		content, err := readAll(body.OfResponse(response), response.ContentLength)
		_ = response.Body.Close()
		checked := idp.Response{Status: response.StatusCode, Header: response.Header, Body: content}
		if err == nil {
			_, err = idp.CheckRevocationResponse(&checked)
		}
		if err == nil && checked.Status != http.StatusOK {
			err = fmt.Errorf("status %d", checked.Status)
		}
		failure = err
		setResponse(response, http.StatusNoContent, make(http.Header), nil)
		return nil
	}
	if err := g.forward(discardWriter{}, r, c); err != nil {
		return err
	}
	return cmp.Or(failure, c.outcome.err)
}

// sealTokens puts the client's refresh token into a token response.
func (g *Gateway) sealTokens(r *http.Request, request *idp.TokenRequest, renewal *idp.Renewal, body []byte) ([]byte, error) {
	sealing, err := g.sealing(r)
	if err != nil {
		return nil, err
	}
	sealed, err := g.policy.SealTokens(context.WithoutCancel(r.Context()), g.states, sealing, request, renewal, body)
	if errors.Is(err, idp.ErrNotRecorded) {
		g.metrics.replayFailures.Inc()
		g.logger.Error("a login got no refresh token: the replay store failed", zap.Error(errors.Unwrap(err)))
		return sealed, nil
	}
	if err != nil {
		g.noteTurn(request.ClientID, err)
	}
	return sealed, err
}

// endTurn gives back the turn of a refresh that brought no token.
func (g *Gateway) endTurn(ctx context.Context, renewal *idp.Renewal) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	if err := g.policy.EndTurn(ctx, g.states, renewal); err != nil {
		g.metrics.replayFailures.Inc()
		g.logger.Warn("the turn of a refresh could not be given back; the next one of this login waits", zap.Error(err))
	}
}

// noteTurn logs and counts what an operator wants to know of a refresh that was
// not to be: a sign of theft, and a store that failed.
func (g *Gateway) noteTurn(clientID string, err error) {
	switch {
	case errors.Is(err, idp.ErrReused):
		g.metrics.refreshReuse.Inc()
		g.logger.Warn("a refresh token was used again after it was replaced; the login has ended here", zap.String("client", clientID))
	case errors.Is(err, idp.ErrRolledBack), errors.Is(err, idp.ErrForeignState):
		g.metrics.replayFailures.Inc()
		g.logger.Error("a login has ended here: the replay store can't be trusted", zap.String("client", clientID), zap.Error(errors.Unwrap(err)))
	case errors.Is(err, idp.ErrStore):
		g.metrics.replayFailures.Inc()
		g.logger.Error("refresh rejected: the replay store failed", zap.Error(errors.Unwrap(err)))
	}
}
