package identity

import (
	"errors"
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	shared "github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/metrics"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// newDecision begins the record of what is decided about a request for an endpoint.
// The placeholders {http.identity_gateway.*} show it.
func newDecision(r *http.Request, endpoint idp.Endpoint) *decision.Decision {
	d := &decision.Decision{Server: shared.Server(r.Context()), Endpoint: endpoint.String()}
	d.SetPlaceholders(r, "http.identity_gateway.")
	return d
}

// pass notes that a request went on to the IdP.
func (g *Gateway) pass(d *decision.Decision) {
	d.Pass()
	g.metrics.count(d)
}

// refuse notes that a request is answered with e. Nothing of the response may be
// written yet.
func (g *Gateway) refuse(w http.ResponseWriter, r *http.Request, d *decision.Decision, e *idp.Error) {
	d.Refuse(e)
	d.SetHeader(w.Header())
	g.noteRefusal(r, d)
}

// noteRefusal counts and logs what d records.
func (g *Gateway) noteRefusal(r *http.Request, d *decision.Decision) {
	g.metrics.count(d)
	g.refusals.Refused(r, d.Line())
}

// reject responds with an error as JSON.
func (g *Gateway) reject(w http.ResponseWriter, r *http.Request, d *decision.Decision, err error) error {
	if errors.Is(err, errClientGone) {
		d.Leave()
		g.metrics.count(d)
		return nil
	}
	e := idp.AsError(err)
	g.refuse(w, r, d, e)
	return writeJSON(w, e)
}

func writeJSON(w http.ResponseWriter, e *idp.Error) error {
	e.SetHeader(w.Header())
	w.WriteHeader(e.Status)
	_, _ = w.Write(e.AppendJSON(nil)) // a client that left is not an error, and Caddy would log the URL
	return nil
}

// rejectRoute responds to a path or method that is not served.
func (g *Gateway) rejectRoute(w http.ResponseWriter, r *http.Request, endpoint idp.Endpoint, verdict idp.Verdict) error {
	d := newDecision(r, endpoint)
	e := idp.AsError(idp.RejectRoute(endpoint, verdict))
	switch verdict {
	case idp.WrongMethod:
		e.Allow = g.cors.allow(endpoint, e.Allow)
	case idp.Denied:
		d.Outcome = decision.DeniedPath
	default:
		d.Outcome = decision.PathConfusion
	}
	return g.rejectPath(w, r, d, e)
}

// rejectPath responds with an error about a path, as a page of the operator's if there
// is one.
func (g *Gateway) rejectPath(w http.ResponseWriter, r *http.Request, d *decision.Decision, e *idp.Error) error {
	g.refuse(w, r, d, e)
	if negotiate(r.Header).page && g.serveErrorRoutes(w, r, d) {
		return nil
	}
	return writeJSON(w, e)
}

// rejectFront responds with an error in the format of the client. Pages are for the
// operator to replace, with handle_errors.
func (g *Gateway) rejectFront(w http.ResponseWriter, r *http.Request, d *decision.Decision, err error, format format) error {
	if !format.page || errors.Is(err, errClientGone) {
		return g.reject(w, r, d, err)
	}
	e := idp.AsError(err)
	g.refuse(w, r, d, e)
	if g.serveErrorRoutes(w, r, d) {
		return nil
	}
	return writePage(w, idp.ErrorPage(e, d.Reference()))
}
