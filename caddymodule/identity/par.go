package identity

import (
	"net/http"
	"time"

	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/body"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// push sends an authorization request to the IdP over the back channel, if it has to go
// there (RFC 9126). result is for a client that wants the result itself.
func (g *Gateway) push(r *http.Request, d *decision.Decision, request *idp.AuthorizeRequest, sealing idp.Sealing, result bool) error {
	if !g.policy.Pushes(request) {
		return nil
	}
	if err := g.policy.CanPush(); err != nil {
		return err
	}
	push, err := g.policy.Push(request, sealing, time.Now(), baseURL(r), result)
	if err != nil {
		g.logger.Error("the pushed authorization request could not be signed", zap.Error(err))
		return err
	}
	c := g.newFormCall(idp.PushedRequest, d, r, push.Call)
	// The proxy gets an empty response, so that the request_uri reaches no log.
	c.modifyResponse = func(response *http.Response) error {
		content, err := readAll(body.OfResponse(response), response.ContentLength)
		if err != nil {
			return err
		}
		_ = response.Body.Close()
		taken := push.Take(idp.Response{Status: response.StatusCode, Header: response.Header, Body: content})
		setResponse(response, http.StatusNoContent, make(http.Header), nil)
		return taken
	}
	post := r.Clone(r.Context())
	post.Method = http.MethodPost
	if err := g.forward(discardWriter{}, post, c); err != nil {
		return err
	}
	if e := c.outcome.err; e != nil && idp.AsError(e).Status >= 500 {
		g.logger.Error("an authorization request could not be pushed to the identity provider", zap.String("reference", d.Reference()), zap.Error(e))
	}
	return c.outcome.err
}
