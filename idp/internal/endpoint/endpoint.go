// Package endpoint names the gateway's endpoints, of which the IdP has some, too, and says which
// methods they take, and what scripts of other origins may send to them (scripts.go).
package endpoint

import (
	"fmt"

	"github.com/identity-gateway/caddy-identity-gateway/idp/paths"
)

// Endpoint is one of the gateway's public paths.
type Endpoint uint8

// The endpoints. None is the zero value: none of them.
const (
	None Endpoint = iota
	Authorize
	Token
	UserInfo
	Logout
	// Callback is where the IdP sends browsers back to, if the configuration has one.
	Callback
	// Revoke is where clients revoke tokens (RFC 7009), if there is a callback, or the
	// IdP is known to revoke.
	Revoke
	// Register is where clients that the gateway has never seen register (RFC 7591), if
	// the configuration lets them.
	Register
	// Consent is where the consent page sends the user's answer, if a client has one.
	Consent
	// PushedRequest is where the IdP takes authorization requests from the gateway on the
	// back channel (RFC 9126), and the gateway those of clients that have par.
	PushedRequest
	// Introspect is where resource servers ask about the gateway's own access tokens (RFC
	// 7662), if one has a credential for it.
	Introspect
	// BackchannelLogout is where the IdP says whom it has logged out (OpenID Connect
	// Back-Channel Logout 1.0), if the configuration lets it.
	BackchannelLogout
)

// Always are the four that there always are.
var Always = [...]Endpoint{Authorize, Token, UserInfo, Logout}

// table has each endpoint's name in configuration, metrics and logs, its public path
// ("" if the configuration places it) and the method that it takes.
var table = [...]struct{ name, path, method string }{
	None:              {"none", "", "GET"},
	Authorize:         {"authorize", paths.Authorize, "GET"},
	Token:             {"token", paths.Token, "POST"},
	UserInfo:          {"userinfo", paths.UserInfo, "GET"},
	Logout:            {"logout", paths.Logout, "GET"},
	Callback:          {"callback", "", "GET"},
	Revoke:            {"revoke", paths.Revoke, "POST"},
	Register:          {"register", "/oauth/register", "POST"},
	Consent:           {"consent", paths.Consent, "POST"},
	PushedRequest:     {"par", "/oauth/par", "POST"},
	Introspect:        {"introspect", "/oauth/introspect", "POST"},
	BackchannelLogout: {"backchannel_logout", "/oauth/backchannel_logout", "POST"},
}

// At is the endpoint with this public path, or [None].
func At(path string) Endpoint {
	for endpoint, row := range table {
		if row.path == path && path != "" {
			return Endpoint(endpoint)
		}
	}
	return None
}

// Path is the endpoint's public path, "" for [None] and [Callback], which the
// configuration places.
func (e Endpoint) Path() string { return table[e].path }

// Method is the method of the endpoint, or the first of two: see [Endpoint.TakesForm].
func (e Endpoint) Method() string { return table[e].method }

// TakesForm reports whether an endpoint for GET takes POST, too, with what would be in the
// query in a form: OpenID Connect Core 1.0 sections 3.1.2.1 and 5.3.1, RP-Initiated Logout
// 1.0 section 2, OAuth 2.0 Form Post Response Mode.
func (e Endpoint) TakesForm() bool {
	return e == Authorize || e == Callback || e == Logout || e == UserInfo
}

// Takes reports whether the endpoint takes a method.
func (e Endpoint) Takes(method string) bool {
	return method == table[e].method || method == "POST" && e.TakesForm()
}

// Methods are those that it takes, as the value of a field Allow.
func (e Endpoint) Methods() string {
	if e.TakesForm() {
		return table[e].method + ", POST"
	}
	return table[e].method
}

// String is the endpoint's name in configuration, metrics and logs.
func (e Endpoint) String() string { return table[e].name }

// Count is how many endpoints there are, [None] included.
const Count = len(table)

// IsFrontChannel reports whether browsers navigate to an endpoint.
func (e Endpoint) IsFrontChannel() bool {
	return e == Authorize || e == Callback || e == Consent || e == Logout
}

// MarshalText implements [encoding.TextMarshaler]: the name in the configuration.
func (e Endpoint) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler] for the endpoints that the IdP may
// have elsewhere.
func (e *Endpoint) UnmarshalText(name []byte) error {
	for _, endpoint := range append(Always[:], Revoke, PushedRequest) {
		if endpoint.String() == string(name) {
			*e = endpoint
			return nil
		}
	}
	return fmt.Errorf("endpoint %s is unknown; use authorize, token, userinfo, logout, revoke or par", name)
}
