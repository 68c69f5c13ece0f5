package identity

import (
	"net/http"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// note counts and logs what came of a request.
func (g *Gateway) note(r *http.Request, d *decision.Decision, result *idp.Result) {
	for _, call := range result.Calls {
		g.metrics.observe(d.Server, call, result.Decision.Refusal)
	}
	for _, incident := range result.Incidents {
		g.noteIncident(d, incident)
	}
	if result.LeftOut != "" {
		g.noteLeftOut(d.ClientID, result.LeftOut)
	}
	if d.Endpoint == "" { // a document that is public, a preflight
		return
	}
	g.metrics.count(d)
	if result.Issued != nil {
		g.refusals.Issued(r, d, result.Issued)
	}
	d.AddToAccessLog(r)
	refusal := d.Refusal
	if refusal == nil {
		return
	}
	g.refusals.Refused(r, d.Line())
	if calls := len(result.Calls); calls > 0 && result.Calls[calls-1].Err == nil && refusal.Status >= 500 {
		g.logger.Error("response of the identity provider not passed on",
			append(d.Trace(), zap.String("endpoint", d.Endpoint), zap.String("rule", refusal.Description))...)
	}
}

// incidents are the lines that are logged of them.
var incidents = map[idp.IncidentKind]struct {
	level   zapcore.Level
	message string
	// ofStore: the replay store failed, or can't be trusted. withClient: whose login it is.
	ofStore, withClient bool
}{
	idp.NoResponse:    {level: zapcore.ErrorLevel, message: "no response from the identity provider"},
	idp.NotSigned:     {level: zapcore.ErrorLevel, message: "the request to the identity provider could not be signed"},
	idp.ClaimFailed:   {level: zapcore.ErrorLevel, message: "login rejected: the replay store failed", ofStore: true},
	idp.ClaimKept:     {level: zapcore.WarnLevel, message: "the claim of a code or login that was not redeemed could not be released", ofStore: true},
	idp.RefreshFailed: {level: zapcore.ErrorLevel, message: "refresh rejected: the replay store failed", ofStore: true},
	idp.LeaseKept:     {level: zapcore.WarnLevel, message: "the lease of a refresh could not be given back; the next one of this login waits", ofStore: true},
	idp.NotRecorded:   {level: zapcore.ErrorLevel, message: "a login got no refresh token: the replay store failed", ofStore: true},
	idp.StoreNotTrusted: {
		level: zapcore.ErrorLevel, message: "a login has ended here: the replay store can't be trusted", ofStore: true, withClient: true,
	},
	idp.NotRevoked: {
		level: zapcore.WarnLevel, message: "a login has ended here, and the identity provider could not be told to revoke its refresh token", withClient: true,
	},
	idp.Reused: {
		level: zapcore.WarnLevel, message: "a refresh token was used again after it was replaced; the login has ended here", withClient: true,
	},
	idp.CodeReused: {
		level: zapcore.WarnLevel, message: "a code was sent again after it was redeemed; the login has ended here", withClient: true,
	},
	idp.LogoutFailed: {level: zapcore.ErrorLevel, message: "a logout of the identity provider failed: its logins go on here"},
}

// noteIncident logs and counts what an operator wants to know besides.
func (g *Gateway) noteIncident(d *decision.Decision, incident idp.Incident) {
	line := incidents[incident.Kind]
	fields := append(d.Trace(), zap.String("endpoint", d.Endpoint))
	if line.ofStore {
		g.metrics.replayFailures.Inc()
	}
	if line.withClient {
		fields = append(fields, zap.String("client", d.ClientID))
	}
	switch incident.Kind {
	case idp.NoResponse:
		fields = append(fields, zap.Int("status", d.Refusal.Status))
	case idp.Reused:
		g.metrics.refreshReuse.Inc()
	}
	if incident.Err != nil {
		fields = append(fields, zap.Error(incident.Err))
	}
	g.logger.Log(line.level, line.message, fields...)
}

// noteLeftOut tells the operator once for each client and configuration that a parameter
// does not reach the IdP.
func (g *Gateway) noteLeftOut(clientID, parameter string) {
	if _, noted := g.leftOut.LoadOrStore(clientID, true); noted { // only a registered client has lists
		return
	}
	g.logger.Warn("a parameter of /authorize is not sent on, because this client has a list of audiences or scopes, which other names could go around; "+
		"if it is harmless, allow it in the client's block: parameter <names...>",
		zap.String("client", clientID), zap.String("parameter", parameter))
}
