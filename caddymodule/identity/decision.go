package identity

import (
	"net/http"

	"go.uber.org/zap"

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
	refusal := d.Refusal
	if refusal == nil {
		return
	}
	g.refusals.Refused(r, d.Line())
	if calls := len(result.Calls); calls > 0 && result.Calls[calls-1].Err == nil && refusal.Status >= 500 {
		g.logger.Error("response of the identity provider not passed on", zap.String("reference", d.Reference()),
			zap.String("endpoint", d.Endpoint), zap.String("rule", refusal.Description))
	}
}

// noteIncident logs and counts what an operator wants to know besides.
func (g *Gateway) noteIncident(d *decision.Decision, incident idp.Incident) {
	log := func(write func(string, ...zap.Field), message string, more ...zap.Field) {
		fields := append([]zap.Field{zap.String("reference", d.Reference()), zap.String("endpoint", d.Endpoint)}, more...)
		if incident.Err != nil {
			fields = append(fields, zap.Error(incident.Err))
		}
		write(message, fields...)
	}
	switch incident.Kind {
	case idp.NoResponse:
		log(g.logger.Error, "no response from the identity provider", zap.Int("status", d.Refusal.Status))
	case idp.NotSigned:
		log(g.logger.Error, "the request to the identity provider could not be signed")
	case idp.ClaimFailed:
		g.metrics.replayFailures.Inc()
		log(g.logger.Error, "login rejected: the replay store failed")
	case idp.ClaimKept:
		g.metrics.replayFailures.Inc()
		log(g.logger.Warn, "the claim of a code or login that was not redeemed could not be released")
	case idp.RefreshFailed:
		g.metrics.replayFailures.Inc()
		log(g.logger.Error, "refresh rejected: the replay store failed")
	case idp.LeaseKept:
		g.metrics.replayFailures.Inc()
		log(g.logger.Warn, "the lease of a refresh could not be given back; the next one of this login waits")
	case idp.NotRecorded:
		g.metrics.replayFailures.Inc()
		log(g.logger.Error, "a login got no refresh token: the replay store failed")
	case idp.StoreNotTrusted:
		g.metrics.replayFailures.Inc()
		log(g.logger.Error, "a login has ended here: the replay store can't be trusted", zap.String("client", d.ClientID))
	case idp.NotRevoked:
		log(g.logger.Warn, "a login has ended here, and the identity provider could not be told to revoke its refresh token", zap.String("client", d.ClientID))
	case idp.Reused:
		g.metrics.refreshReuse.Inc()
		log(g.logger.Warn, "a refresh token was used again after it was replaced; the login has ended here", zap.String("client", d.ClientID))
	}
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
