package identity

import (
	"context"
	"errors"
	"net/http"
	"time"

	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/body"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/unread"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// serveToken checks a token request, claims its code and forwards it.
func (g *Gateway) serveToken(w http.ResponseWriter, r *http.Request, d *decision.Decision) error {
	g.cors.setHeader(w, r, idp.Token, "")
	form, err := g.readBody(w, r)
	if err != nil {
		return g.reject(w, r, d, err)
	}
	request, err := g.policy.ParseToken(r.URL.RawQuery, r.Header, form)
	d.ClientID = g.policy.Registered(request.ClientID)
	if err != nil {
		return g.reject(w, r, d, err)
	}
	g.cors.setHeader(w, r, idp.Token, request.ClientID)

	if err := g.policy.Reachable(idp.Token); err != nil {
		return g.reject(w, r, d, err)
	}

	var redemption *idp.Redemption
	if request.Grant == idp.AuthorizationCode && g.policy.HasCallback() {
		if err := g.open(r, func(s idp.Sealing) error {
			redemption, err = g.policy.OpenCode(s, &request)
			return err
		}); err != nil {
			return g.reject(w, r, d, err)
		}
	}
	var renewal *idp.Renewal
	if request.Grant == idp.RefreshToken && g.policy.HasCallback() {
		if renewal, err = g.openRefreshToken(r, d, &request); err != nil {
			return g.reject(w, r, d, err)
		}
		defer g.endTurn(r.Context(), renewal)
	}
	upstream, err := g.policy.TokenCall(&request, redemption, renewal, r.Header.Get("Authorization"), time.Now())
	if err != nil {
		g.logger.Error("the token request could not be signed", zap.Error(err))
		return g.reject(w, r, d, err)
	}
	c := g.newFormCall(idp.Token, d, r, upstream)
	if g.policy.WantsOrigin(&request) {
		if origin := g.cors.byClient[request.ClientID].Of(r.Header); origin != "" {
			c.header.Set("Origin", origin)
		}
	}

	outcome := idp.Unclear
	if redemption != nil {
		claims, err := g.policy.Claim(r.Context(), g.replay, redemption)
		if err != nil {
			return g.reject(w, r, d, g.claimError(err))
		}
		defer func() {
			if !c.outcome.sent {
				outcome = idp.Rejected
			}
			g.settle(r.Context(), claims, outcome)
		}()
	}
	return g.forwardBack(w, r, c, func(response *idp.Response) error {
		idp.StandardizeTokenResponse(response)
		var err error
		if outcome, err = g.policy.CheckTokenResponse(*response, redemption); err == nil {
			err = request.CheckCredentials(*response)
		}
		if err == nil {
			err = g.policy.CheckGranted(&request, *response)
		}
		if err == nil && outcome == idp.Granted && g.policy.HasCallback() {
			response.Body, err = g.sealTokens(r, &request, renewal, response.Body)
		}
		if err != nil && outcome == idp.Granted {
			outcome = idp.Unclear // the client gets no token
		}
		return err
	})
}

// settle gives claims back that an exchange did not use up, even for a client that has
// left. One that can't be released expires by itself.
func (g *Gateway) settle(ctx context.Context, claims *idp.Claims, outcome idp.TokenOutcome) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	if err := claims.Settle(ctx, outcome); err != nil {
		g.metrics.replayFailures.Inc()
		g.logger.Warn("the claim of a code or login that was not redeemed could not be released", zap.Error(err))
	}
}

// readBody reads a request body to its end, within the limit.
func (g *Gateway) readBody(w http.ResponseWriter, r *http.Request) (string, error) {
	content, err := readAll(body.OfRequest(r, g.MaxRequestBody), r.ContentLength)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return "", idp.TooLarge(tooLarge.Limit)
	case errors.Is(err, body.ErrClientGone):
		w.WriteHeader(decision.StatusClientGone)
		return "", errClientGone
	case err != nil:
		return "", idp.Unreadable()
	}
	unread.KeepConnection(w)
	return string(content), nil
}

// claimError is the response to an error of the replay store. A failure of the
// store itself is logged and counted.
func (g *Gateway) claimError(err error) error {
	if !errors.Is(err, replay.ErrClaimed) {
		g.metrics.replayFailures.Inc()
		g.logger.Error("login rejected: the replay store failed", zap.Error(err))
	}
	return idp.ClaimError(err)
}
