package identity

import (
	"errors"
	"io"
	"net/http"

	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/ledger"
)

// serveToken checks a token request, reserves its login and forwards it.
func (g *Gateway) serveToken(w http.ResponseWriter, r *http.Request) error {
	g.cors.setHeader(w, r, idp.Token, "")
	body, err := g.readBody(r)
	if err != nil {
		return g.reject(w, idp.Token, err)
	}
	request, err := g.policy.ParseToken(r.URL.RawQuery, r.Header, body)
	if err != nil {
		return g.reject(w, idp.Token, err)
	}
	g.cors.setHeader(w, r, idp.Token, request.ClientID)

	var reservation *ledger.Reservation
	if request.Grant == idp.AuthorizationCode && g.ledger != nil {
		if reservation, err = g.ledger.begin(r.Context(), request.Login(), request.Code); err != nil {
			return g.reject(w, idp.Token, g.ledgerError(err))
		}
		defer reservation.Release(r.Context())
	}
	c := g.newCall(idp.Token, r)
	c.header.Set("Accept", "application/json")
	c.header.Set("Content-Type", "application/x-www-form-urlencoded")
	if request.Basic {
		c.header["Authorization"] = r.Header["Authorization"]
	}
	c.body = request.AppendForm(nil)
	return g.forwardBack(w, r, c, func(response idp.Response) error {
		granted, err := idp.CheckTokenResponse(response)
		if err != nil || !granted || reservation == nil {
			return err
		}
		if err := reservation.Commit(r.Context()); err != nil {
			return g.ledgerError(err) // the token is withheld
		}
		return nil
	})
}

// readBody reads a request body to its end, within the limit.
func (g *Gateway) readBody(r *http.Request) (string, error) {
	if r.ContentLength > g.MaxRequestBody {
		return "", idp.TooLarge(g.MaxRequestBody)
	}
	body, err := readAll(io.LimitReader(r.Body, g.MaxRequestBody+1), r.ContentLength)
	if err != nil {
		var tooLarge *http.MaxBytesError // of Caddy's request_body directive
		if errors.As(err, &tooLarge) {
			return "", idp.TooLarge(tooLarge.Limit)
		}
		return "", idp.Unreadable()
	}
	if int64(len(body)) > g.MaxRequestBody {
		return "", idp.TooLarge(g.MaxRequestBody)
	}
	return string(body), nil
}

// ledgerError is the response to an error of the ledger. A failure of the ledger
// itself is logged and counted.
func (g *Gateway) ledgerError(err error) error {
	e := idp.LedgerError(err)
	if e.Code == idp.TemporarilyUnavailable {
		g.metrics.ledgerFailures.Inc()
		g.logger.Error("login rejected: the ledger failed", zap.Error(err))
	}
	return e
}
