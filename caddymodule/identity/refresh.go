package identity

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/caddyserver/caddy/v2"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
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
func (g *Gateway) openRefreshToken(r *http.Request, request *idp.TokenRequest) (*idp.Renewal, error) {
	var renewal *idp.Renewal
	err := g.open(r, func(s idp.Sealing) (err error) {
		renewal, err = g.policy.OpenRefreshToken(s, request)
		return err
	})
	if idp.IsUnsealed(err) {
		if renewal, err = g.policy.UnsealedRefreshToken(time.Now(), request, err); err != nil {
			g.noteUnsealed()
		}
	}
	if err != nil || !g.policy.Rotates() {
		return renewal, err
	}
	err = g.open(r, func(s idp.Sealing) error { return g.policy.TakeTurn(r.Context(), g.states, s, renewal) })
	if err != nil {
		g.noteTurn(request.ClientID, err)
	}
	return renewal, err
}

// sealTokens puts the client's refresh token into a token response.
func (g *Gateway) sealTokens(r *http.Request, request *idp.TokenRequest, renewal *idp.Renewal, body []byte) ([]byte, error) {
	sealing, err := g.sealing(r)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), storeTimeout)
	defer cancel()
	sealed, err := g.policy.SealTokens(ctx, g.states, sealing, request, renewal, body)
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
	case errors.Is(err, idp.ErrStore):
		g.metrics.replayFailures.Inc()
		g.logger.Error("refresh rejected: the replay store failed", zap.Error(errors.Unwrap(err)))
	}
}

// noteUnsealed tells the operator once for each configuration: after an upgrade
// people would be logged out, one by one, and nobody would know why.
func (g *Gateway) noteUnsealed() {
	g.unsealedNoted.Do(func() {
		g.logger.Warn("a refresh token was rejected that this gateway has not sealed, or with a key that is no longer configured; "+
			"if clients have refresh tokens from before this version, let them in until a date with accept_unsealed_refresh_tokens",
			zap.String("example", "accept_unsealed_refresh_tokens "+time.Now().AddDate(0, 3, 0).Format(time.DateOnly)))
	})
}

// unsealedUntil is the end of the day up to which refresh tokens of the IdP are
// accepted, in UTC; zero if none are.
func (g *Gateway) unsealedUntil() (time.Time, error) {
	if g.AcceptUnsealedRefreshTokens == "" {
		return time.Time{}, nil
	}
	day, err := args.Resolve("accept_unsealed_refresh_tokens", g.AcceptUnsealedRefreshTokens)
	if err != nil {
		return time.Time{}, err
	}
	until, err := idp.ParseLastDay(day)
	if err != nil {
		return time.Time{}, err
	}
	if !time.Now().Before(until) {
		g.logger.Warn("accept_unsealed_refresh_tokens is over and does nothing; remove it", zap.String("until", day))
	}
	return until, nil
}
