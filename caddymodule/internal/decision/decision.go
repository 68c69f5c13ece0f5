// Package decision records what a handler decided about a request. The log line, the
// labels of metrics, the placeholders, the header Gateway-Reference and the error page
// are all made from one [Decision], so that they can't disagree.
package decision

import (
	"cmp"
	"net/http"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// The outcomes, status and header field of [idp.Decision] that all handlers use.
const (
	Passed           = idp.Passed
	ClientGone       = idp.ClientGone
	StatusClientGone = idp.StatusClientGone
	ReferenceHeader  = idp.ReferenceHeader
)

// NewReference returns ten letters and digits, at random.
func NewReference() string { return idp.NewReference() }

// Decision is what was decided about one request, at which server.
type Decision struct {
	// Server is the name of the server that got the request, as in Caddy's metrics.
	Server string
	idp.Decision
}

// Trace are the fields by which the lines of a request, and those of its login, are found.
func (d *Decision) Trace() []zap.Field {
	fields := []zap.Field{zap.String("reference", d.Reference())}
	if d.LoginID != "" {
		fields = append(fields, zap.String("login_id", d.LoginID))
	}
	if id := d.TokenID(); id != "" {
		fields = append(fields, zap.String("token_id", id))
	}
	return fields
}

// AddToAccessLog adds Trace to the line of a request in its site's access log.
func (d *Decision) AddToAccessLog(r *http.Request) {
	addToAccessLog(r, zap.Field{Key: "identity_gateway", Type: zapcore.InlineMarshalerType, Interface: d})
}

// MarshalLogObject implements [zapcore.ObjectMarshaler]: the fields are made for a line that is written.
func (d *Decision) MarshalLogObject(line zapcore.ObjectEncoder) error {
	for _, field := range d.Trace() {
		field.AddTo(line)
	}
	return nil
}

// AddLogin has the access log show of which login a request is; id is "" if it is of none.
func AddLogin(r *http.Request, id string) {
	if id != "" {
		addToAccessLog(r, zap.String("login_id", id))
	}
}

// addToAccessLog adds a field, unless the server has no access log.
func addToAccessLog(r *http.Request, field zap.Field) {
	if server, ok := r.Context().Value(caddyhttp.ServerCtxKey).(*caddyhttp.Server); ok && server.Logs == nil {
		return
	}
	if line, ok := r.Context().Value(caddyhttp.ExtraLogFieldsCtxKey).(*caddyhttp.ExtraLogFields); ok {
		line.Set(field)
	}
}

// Line is the refusal as it is logged.
func (d *Decision) Line() Line {
	return Line{
		Reference: d.Reference(), Endpoint: d.Endpoint, Outcome: d.Outcome, Status: d.Refusal.Status, Rule: d.Refusal.Description,
		More: append(d.Trace()[1:], zap.String("source", d.Refusal.Source), zap.String("client_id", d.ClientID)),
	}
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
	case "login_id":
		return d.LoginID, true
	case "token_id":
		return d.TokenID(), true
	}
	e := cmp.Or(d.Refusal, new(oauth.Error))
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
