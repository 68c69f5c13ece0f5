package upstream

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/endpoint"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// ReadRequestURI reads the IdP's response to a pushed authorization request (RFC 9126 section
// 2.2). An error is for the client.
func ReadRequestURI(response Response) (string, error) {
	if err := checkPushResponse(response); err != nil {
		return "", err
	}
	var pushed struct {
		RequestURI string `json:"request_uri"`
	}
	if json.Unmarshal(response.Body, &pushed) != nil || len(pushed.RequestURI) > maxRequestURI ||
		!syntax.URIChar.Holds(pushed.RequestURI) || !strings.Contains(pushed.RequestURI, ":") {
		return "", badPush("the identity provider's response to the pushed authorization request has no request_uri that can be used")
	}
	return pushed.RequestURI, nil
}

// checkPushResponse is nil for a response that may have a request_uri.
func checkPushResponse(r Response) error {
	switch {
	case isCompressed(r):
		return badPush("the identity provider's response is compressed although the request did not accept that")
	case r.Status == http.StatusCreated, r.Status == http.StatusOK:
		return nil
	case isBusy(r.Status):
		return oauth.Unavailable("the identity provider is busy; try again later", retryAfter(r.Header))
	}
	var object struct {
		Error oauth.Code `json:"error"`
	}
	if r.Status < 400 || r.Status >= 500 || json.Unmarshal(r.Body, &object) != nil {
		return badPush("the identity provider did not take the pushed authorization request, and its response is none of RFC 9126, status " + strconv.Itoa(r.Status))
	}
	switch object.Error {
	case oauth.InvalidRequest, oauth.InvalidScope, oauth.InvalidTarget, oauth.UnauthorizedClient, oauth.UnsupportedResponseType, oauth.AccessDenied, oauth.TemporarilyUnavailable:
		return oauth.Reject(object.Error, "RFC 9126 section 2.3", "the identity provider rejected the pushed authorization request")
	case oauth.InvalidClient:
		return badPush(notAccepted)
	}
	return badPush("the identity provider rejected the pushed authorization request")
}

// badPush is the error of a push that the client can do nothing about.
func badPush(description string) *oauth.Error { return badGateway("RFC 9126 section 2", description) }

// PARMode says whether authorization requests are pushed to the IdP (RFC 9126).
type PARMode string

const (
	// PAROn pushes every request. The gateway has to be a confidential client at the
	// IdP for each of its clients.
	PAROn PARMode = "on"
	// PAROff pushes none.
	PAROff PARMode = "off"
)

// Pushes reports whether requests are pushed for a client for which the gateway is a confidential
// client at the IdP: if the configuration says so, or else the IdP.
func (u *Upstream) Pushes() bool {
	if u.par == "" {
		return u.metadata != nil && u.metadata.RequiresPushedRequests && u.Has(endpoint.PushedRequest)
	}
	return u.par == PAROn
}

// CheckPush checks that the address to which requests are pushed is known.
func (u *Upstream) CheckPush() error {
	switch {
	case u.Has(endpoint.PushedRequest):
		return nil
	case !u.IsKnown():
		return NotDiscovered()
	}
	e := oauth.Reject(oauth.ServerError, "RFC 9126 section 5", "the identity provider has no pushed_authorization_request_endpoint in its metadata, "+
		"and this gateway is told to use it (endpoint par); set its address at the gateway: endpoint par <path or URL>")
	e.Status = http.StatusNotImplemented
	return e
}
