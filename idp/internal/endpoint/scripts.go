package endpoint

import (
	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/header"
)

// Scripts is what scripts of other origins may do at an endpoint. It is false for the front
// channel, and for what is for servers.
func (e Endpoint) Scripts() (cors.Endpoint, bool) {
	if e == None || e == Introspect || e == BackchannelLogout || e.IsFrontChannel() {
		return cors.Endpoint{}, false
	}
	return cors.Endpoint{Method: e.Methods(), RequestHeaders: scriptsSend, ResponseHeaders: scriptsRead}, true
}

// What scripts send and read: scriptsSend are the fields of the libraries of single-page apps,
// X-Requested-With of Swagger UI, and the last four of what traces requests.
var (
	scriptsSend = []string{
		"Authorization", "Content-Type", "Auth0-Client", "X-Application-ID", "DPoP", "X-Requested-With", "Traceparent", "Tracestate", "Baggage", "Sentry-Trace",
	}
	scriptsRead = []string{"WWW-Authenticate", "Retry-After", bearer.NonceHeader, header.Reference}
)
