// Package decision records what a handler decided about a request. The log line, the
// labels of metrics, the placeholders, the header Gateway-Reference and the error page
// are all made from one [Decision], so that they can't disagree.
package decision

import (
	"crypto/rand"
	"net/http"

	"github.com/caddyserver/caddy/v2"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// The outcomes that are not OAuth error codes.
const (
	// Passed: the request went on, to the identity provider or to the next handler.
	Passed = "passed"
	// ClientGone: the client left before there was a response.
	ClientGone = "client_gone"
	// PathConfusion: a path that a later server could take for a protected one.
	PathConfusion = "path_confusion"
	// DeniedPath: a path that the configuration denies.
	DeniedPath = "denied_path"
	// Other stands for the error codes that only an identity provider knows.
	Other = "other"
)

// StatusClientGone is what Caddy's access log shows for a client that left.
const StatusClientGone = 499

// Decision is what was decided about one request. No field holds anything that a
// client could choose freely.
type Decision struct {
	// Server is the name of the server that got the request, as in Caddy's metrics.
	Server string
	// Endpoint is the name of an endpoint: one of a fixed set.
	Endpoint string
	// Outcome is one of the constants above, or a standard OAuth error code: one of a
	// fixed set. "" while nothing is decided.
	Outcome string
	// ClientID is the client, if it is registered, else "".
	ClientID string
	// Refusal is the response, nil if the request passed or the client left.
	Refusal *idp.Error

	reference string
}

// Pass records that the request went on.
func (d *Decision) Pass() { d.Outcome = Passed }

// Leave records that the client left.
func (d *Decision) Leave() { d.Outcome = ClientGone }

// Refuse records that the request is answered with e. An outcome that says more than
// the code of e is recorded before.
func (d *Decision) Refuse(e *idp.Error) {
	d.Refusal = e
	switch {
	case d.Outcome == PathConfusion || d.Outcome == DeniedPath:
	case e.Code.IsStandard():
		d.Outcome = string(e.Code)
	default:
		d.Outcome = Other
	}
}

// ReferenceHeader shows the reference to clients, and to people who look at a
// response in their browser's tools.
const ReferenceHeader = "Gateway-Reference"

// Line is the refusal as it is logged.
func (d *Decision) Line() Line {
	return Line{
		Reference: d.Reference(), Endpoint: d.Endpoint, Outcome: d.Outcome, Status: d.Refusal.Status, Rule: d.Refusal.Description,
		More: []zap.Field{zap.String("source", d.Refusal.Source), zap.String("client_id", d.ClientID)},
	}
}

// SetHeader shows the reference in the header of a refusal.
func (d *Decision) SetHeader(header http.Header) { header.Set(ReferenceHeader, d.Reference()) }

// NewReference returns ten letters and digits, at random.
func NewReference() string { return rand.Text()[:10] }

// Reference finds the request in the log.
func (d *Decision) Reference() string {
	if d.reference == "" {
		d.reference = NewReference()
	}
	return d.reference
}

// SetPlaceholders has the placeholders of the request show d, under a prefix such as
// "http.identity_gateway.". They are empty where there is nothing to show.
func (d *Decision) SetPlaceholders(r *http.Request, prefix string) {
	replacer, ok := r.Context().Value(caddy.ReplacerCtxKey).(*caddy.Replacer)
	if !ok {
		return
	}
	replacer.Map(func(key string) (any, bool) {
		if len(key) <= len(prefix) || key[:len(prefix)] != prefix {
			return nil, false
		}
		return d.placeholder(key[len(prefix):])
	})
}

func (d *Decision) placeholder(name string) (any, bool) {
	switch name {
	case "endpoint":
		return d.Endpoint, true
	case "outcome":
		return d.Outcome, true
	case "client_id":
		return d.ClientID, true
	case "reference":
		return d.Reference(), true
	}
	e := d.Refusal
	if e == nil {
		e = new(idp.Error)
	}
	switch name {
	case "status":
		if e.Status == 0 {
			return "", true
		}
		return e.Status, true
	case "rule":
		return e.Description, true
	case "source":
		return e.Source, true
	}
	return nil, false
}
