package idp

import (
	"fmt"
	"slices"
)

// Endpoint is one of the gateway's four public paths.
type Endpoint uint8

// The endpoints. NoEndpoint is the zero value: none of them.
const (
	NoEndpoint Endpoint = iota
	Authorize
	Token
	UserInfo
	Logout
	// Callback is where the IdP sends browsers back to, if the configuration has one.
	Callback
)

// Endpoints lists the four, without [Callback], which is the gateway's own.
var Endpoints = [...]Endpoint{Authorize, Token, UserInfo, Logout}

// Path is the endpoint's public path, "" for [NoEndpoint].
func (e Endpoint) Path() string {
	switch e {
	case Authorize:
		return "/authorize"
	case Token:
		return "/oauth/token"
	case UserInfo:
		return "/userinfo"
	case Logout:
		return "/v2/logout"
	}
	return ""
}

// Method is the one method the endpoint takes.
func (e Endpoint) Method() string {
	if e == Token {
		return "POST"
	}
	return "GET"
}

// String is the endpoint's name in configuration, metrics and logs.
func (e Endpoint) String() string {
	switch e {
	case Authorize:
		return "authorize"
	case Token:
		return "token"
	case UserInfo:
		return "userinfo"
	case Logout:
		return "logout"
	case Callback:
		return "callback"
	}
	return "none"
}

// Verdict is how a request is handled.
type Verdict uint8

const (
	// PassThrough: a path that cannot be confused with an endpoint; the next
	// handler serves it.
	PassThrough Verdict = iota
	// Match: an endpoint's path and method.
	Match
	// WrongMethod: an endpoint's path, another method.
	WrongMethod
	// PathConfusion: not an endpoint's path, but a later server could normalize
	// it to one. The request must be rejected.
	PathConfusion
)

// route implements [Policy.Route]. guarded are canonical paths that must not be
// reached around the gateway: the IdP's own, where they differ from the public ones.
func route(method, escapedPath string, guarded []string) (Endpoint, Verdict) {
	endpoint := NoEndpoint
	switch escapedPath {
	case "/authorize":
		endpoint = Authorize
	case "/oauth/token":
		endpoint = Token
	case "/userinfo":
		endpoint = UserInfo
	case "/v2/logout":
		endpoint = Logout
	default:
		if isPlainPath(escapedPath) && !slices.Contains(guarded, escapedPath) {
			return NoEndpoint, PassThrough
		}
		return checkConfusion(escapedPath, guarded)
	}
	if method != endpoint.Method() {
		return endpoint, WrongMethod
	}
	return endpoint, Match
}

// EndpointNamed is the endpoint with this name in the configuration.
func EndpointNamed(name string) (Endpoint, error) {
	for _, endpoint := range Endpoints {
		if endpoint.String() == name {
			return endpoint, nil
		}
	}
	return NoEndpoint, fmt.Errorf("endpoint %s is unknown; use authorize, token, userinfo or logout", name)
}
