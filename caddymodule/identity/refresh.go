package identity

import (
	"net/http"
	"time"

	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// openRefreshToken opens the refresh token of a request.
func (g *Gateway) openRefreshToken(r *http.Request, request *idp.TokenRequest) (*idp.Renewal, error) {
	var renewal *idp.Renewal
	err := g.open(r, func(s idp.Sealing) (err error) {
		renewal, err = g.policy.OpenRefreshToken(s, request)
		return err
	})
	if err != nil {
		if renewal, err = g.policy.UnsealedRefreshToken(time.Now(), request, err); err != nil && idp.IsUnsealed(err) {
			g.noteUnsealed()
		}
	}
	return renewal, err
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
