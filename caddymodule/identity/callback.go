package identity

import (
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// serveCallback takes the IdP's response from the browser and sends the browser
// on to the client.
func (g *Gateway) serveCallback(w http.ResponseWriter, r *http.Request, d *decision.Decision) error {
	format := negotiate(r.Header)
	body := ""
	if r.Method == http.MethodPost {
		var err error
		if body, err = g.readBody(w, r); err != nil {
			return g.rejectFront(w, r, d, err, format)
		}
	}
	request, err := idp.ParseCallback(r.Method, r.URL.RawQuery, r.Header, body)
	if err != nil {
		return g.rejectFront(w, r, d, err, format)
	}
	if err := g.policy.Reachable(idp.Callback); err != nil {
		return g.rejectFront(w, r, d, err, format)
	}
	var response idp.CallbackResponse
	err = g.open(r, func(s idp.Sealing) error {
		var err error
		request.Browser = g.policy.Browser(s, r.Header)
		response, err = g.policy.Callback(s, request)
		return err
	})
	if err != nil {
		return g.rejectFront(w, r, d, err, format)
	}
	d.ClientID = g.policy.Registered(response.ClientID)
	if response.Err != nil {
		g.refuse(w, r, d, idp.AsError(response.Err))
	} else {
		g.pass(d)
	}
	return writePage(w, response.Page)
}
