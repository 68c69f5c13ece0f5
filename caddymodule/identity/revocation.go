package identity

import (
	"context"
	"errors"
	"net/http"
	"time"

	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// serveRevocation checks a revocation request, forwards it, and ends the login here.
func (g *Gateway) serveRevocation(w http.ResponseWriter, r *http.Request, d *decision.Decision) error {
	g.cors.setHeader(w, r, idp.Revoke, "")
	form, err := g.readBody(w, r)
	if err != nil {
		return g.reject(w, r, d, err)
	}
	request, err := g.policy.ParseRevocation(r.URL.RawQuery, r.Header, form)
	d.ClientID = g.policy.Registered(request.ClientID)
	if err != nil {
		return g.reject(w, r, d, err)
	}
	g.cors.setHeader(w, r, idp.Revoke, request.ClientID)
	revocation, err := g.openRevocation(r, &request)
	if err == nil && !revocation.IsOver() {
		err = g.policy.CanRevoke(revocation)
	}
	switch {
	case err != nil:
		g.noteTurn(request.ClientID, err)
		return g.reject(w, r, d, err)
	case revocation.IsOver():
		return g.revoked(w, d)
	case !g.policy.RevokesAtIdP():
		if err := g.endRevoked(r, &request, revocation); err != nil {
			return g.reject(w, r, d, err)
		}
		return g.revoked(w, d)
	}
	upstream, err := g.policy.RevocationCall(&request, revocation, r.Header.Get("Authorization"), time.Now())
	if err != nil {
		g.logger.Error("the revocation request could not be signed", zap.Error(err))
		return g.reject(w, r, d, err)
	}
	c := g.newFormCall(idp.Revoke, d, r, upstream)
	return g.forwardBack(w, r, c, func(response *idp.Response) error {
		decided, err := idp.CheckRevocationResponse(response)
		if decided {
			err = errors.Join(g.endRevoked(r, &request, revocation), err)
		}
		return err
	})
}

// openRevocation finds what a token is. One that no key here has sealed is the IdP's.
func (g *Gateway) openRevocation(r *http.Request, request *idp.RevocationRequest) (*idp.Revocation, error) {
	var revocation *idp.Revocation
	err := g.open(r, func(s idp.Sealing) (err error) {
		revocation, err = g.policy.OpenRevocation(r.Context(), g.states, s, request)
		return err
	})
	if (errors.Is(err, seal.ErrInvalid) || errors.Is(err, seal.ErrUnknownKey)) && !errors.Is(err, idp.ErrForeignState) {
		return idp.UnknownToken(request), nil
	}
	return revocation, err
}

// endRevoked ends a login here, however often it changes meanwhile.
func (g *Gateway) endRevoked(r *http.Request, request *idp.RevocationRequest, revocation *idp.Revocation) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), storeTimeout)
	defer cancel()
	r = r.WithContext(ctx)
	for {
		ended, err := g.policy.EndRevoked(ctx, g.states, revocation)
		if err == nil && !ended {
			revocation, err = g.openRevocation(r, request)
		}
		if err != nil {
			g.noteTurn(request.ClientID, err)
			return err
		}
		if ended {
			return nil
		}
	}
}

// revoked responds that a token is not good any more (RFC 7009 section 2.2).
func (g *Gateway) revoked(w http.ResponseWriter, d *decision.Decision) error {
	g.pass(d)
	idp.SetNoStore(w.Header())
	w.WriteHeader(http.StatusOK)
	return nil
}
