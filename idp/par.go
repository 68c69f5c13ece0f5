package idp

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"

	"github.com/go-json-experiment/json"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// PARMode says whether authorization requests are pushed to the IdP (RFC 9126).
type PARMode string

const (
	// PAROn pushes every request. The gateway has to be a confidential client at the
	// IdP for each of its clients.
	PAROn PARMode = "on"
	// PAROff pushes none.
	PAROff PARMode = "off"
)

// checkPAR checks what [PAROn] needs.
func (p *Policy) checkPAR(Config) error {
	if p.par != PAROn {
		return nil
	}
	if p.registry.TakesAny() {
		return errors.New("par on needs client blocks with an idp_client: only a confidential client can push requests so that nobody else can (RFC 9126 section 2)")
	}
	for _, y := range p.registry.All() {
		if y.Client.Credentials == nil {
			return fmt.Errorf("par on: client %s has no idp_client, with which the gateway would authenticate when it pushes the request (RFC 9126 section 2); add one, or set par off", y.ClientID)
		}
	}
	if !p.discover && p.endpoints[PushedRequest].text == "" {
		return errors.New("par on needs the address to which requests are pushed: set discover, or endpoint par <path or URL>")
	}
	return nil
}

// pushes reports whether a request has to be pushed ([Policy.push]) before it is sent on:
// if the configuration says so, or else the IdP and the gateway is a confidential client
// there.
func (p *Policy) pushes(r *authorizeRequest) bool {
	c := r.Client
	switch {
	case c == nil || c.Credentials == nil:
		return false
	case p.par == "":
		return p.metadata != nil && p.metadata.RequiresPushedRequests && p.endpoints[PushedRequest].text != ""
	}
	return p.par == PAROn
}

// canPush checks that the address to which requests are pushed is known.
func (p *Policy) canPush() error {
	switch {
	case p.endpoints[PushedRequest].text != "":
		return nil
	case !p.knowsMetadata():
		return notDiscovered()
	}
	e := oauth.Reject(oauth.ServerError, "RFC 9126 section 5", "the identity provider has no pushed_authorization_request_endpoint in its metadata, "+
		"and this gateway is told to use it (par on); set endpoint par <path or URL> at the gateway, or par off")
	e.Status = http.StatusNotImplemented
	return e
}

// pushedCall is an authorization request on its way to the IdP over the back channel, where
// nobody can alter it. Send Call, then give the response to [pushedCall.take].
type pushedCall struct {
	Call formCall

	request *authorizeRequest
	sent    upstreamParams
}

// push prepares a checked request, whose login it seals, for the IdP's pushed
// authorization request endpoint (RFC 9126 section 2.1). With result, the response is
// for a [silentLogin]. base is the gateway's address as its client knows it.
func (p *Policy) push(r *authorizeRequest, s sealer, now time.Time, base string, result bool) (*pushedCall, error) {
	a, err := p.authenticateCall(PushedRequest, &clients.Auth{Party: r.Party, Credentials: r.Client.Credentials}, "", now)
	if err != nil {
		return nil, err
	}
	push := &pushedCall{request: r, sent: r.upstream(p, s)}
	if result {
		push.sent.mode = QueryMode
	}
	push.Call = a.call(p.appendAuthorizeQuery(nil, r, push.sent))
	if result {
		push.sent.page = p.ownAuthorizeURL(s, r, base)
	}
	return push, nil
}

// maxRequestURI is the longest request_uri that is taken, in bytes.
const maxRequestURI = 1 << 10

// take reads the IdP's response to a push (RFC 9126 section 2.2). From then on the
// request is sent on as a reference to what was pushed. An error is for the client.
func (push *pushedCall) take(response Response) error {
	if err := checkPushResponse(response); err != nil {
		return err
	}
	var pushed struct {
		RequestURI string `json:"request_uri"`
	}
	if json.Unmarshal(response.Body, &pushed) != nil || len(pushed.RequestURI) > maxRequestURI ||
		!syntax.URIChar.Holds(pushed.RequestURI) || !strings.Contains(pushed.RequestURI, ":") {
		return badPush("the identity provider's response to the pushed authorization request has no request_uri that can be used")
	}
	push.sent.requestURI = pushed.RequestURI
	push.request.pushed = &push.sent
	return nil
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
		return badPush("the identity provider does not accept the gateway's own credentials (invalid_client): " +
			"check the secret or key of idp_client, whether it has expired, and how it is sent")
	}
	return badPush("the identity provider rejected the pushed authorization request")
}

// badPush is the error of a push that the client can do nothing about.
func badPush(description string) *oauth.Error {
	e := oauth.BadGateway(description)
	e.Source = "RFC 9126 section 2"
	return e
}

// ownAuthorizeURL is a request as its client could make it in a browser, which may show
// a page.
func (p *Policy) ownAuthorizeURL(s sealer, r *authorizeRequest, base string) string {
	own := *r
	own.idpClient, own.ownOpenID, own.ownNonce, own.resource = "", false, "", nil
	u := upstreamParams{state: r.State, mode: r.ResponseMode, dropPrompt: r.Silent}
	if r.Named {
		u.redirectURI = r.RedirectURI
	}
	query := p.appendAuthorizeQuery(nil, &own, u)
	if r.key != (dpop.Thumbprint{}) {
		query = params.Append(query, "dpop_jkt", r.key.String())
	}
	return base + Authorize.Path() + "?" + p.ownQuery(s, r.uri.InBrowser(), r.ClientID, string(query))
}
