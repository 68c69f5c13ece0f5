package identity

import (
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// serveCallback takes the IdP's response from the browser and sends the browser
// on to the client.
func (g *Gateway) serveCallback(w http.ResponseWriter, r *http.Request) error {
	format := negotiate(r.Header)
	body := ""
	if r.Method == http.MethodPost {
		var err error
		if body, err = g.readBody(w, r); err != nil {
			return g.rejectFront(w, idp.Callback, err, format)
		}
	}
	request, err := idp.ParseCallback(r.Method, r.URL.RawQuery, r.Header, body)
	if err != nil {
		return g.rejectFront(w, idp.Callback, err, format)
	}
	if err := g.policy.Reachable(idp.Callback); err != nil {
		return g.rejectFront(w, idp.Callback, err, format)
	}
	var response idp.CallbackResponse
	err = g.open(r, func(s idp.Sealing) error {
		var err error
		request.Browser = g.policy.Browser(s, r.Header)
		response, err = g.policy.Callback(s, request)
		return err
	})
	if err != nil {
		return g.rejectFront(w, idp.Callback, err, format)
	}
	if response.Err != nil {
		g.noteRejection(idp.Callback, idp.AsError(response.Err))
	} else {
		g.metrics.pass(idp.Callback)
	}
	return writePage(w, response.Page)
}
