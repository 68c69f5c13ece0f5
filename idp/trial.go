package idp

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/grants"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// Trial is what came of asking an endpoint of the IdP, without a login. Nothing in it is a secret.
type Trial struct {
	// Step is the endpoint, or "credentials".
	Step string
	// Detail is what was found.
	Detail string
	// Err is what will keep logins from working; Unsure: it can't be told whether something will.
	Err    error
	Unsure bool
}

// Try asks the endpoints that the gateway will use, by the transport that it will use, and tries
// its credentials at the token endpoint with a code that nobody has issued. m is what the IdP
// says of itself, nil if it says nothing.
func (g *Gateway) Try(ctx context.Context, m *discovery.Metadata) []Trial {
	p := g.configured
	if p.idp.Discovers() && m != nil {
		p = p.withMetadata(m)
	}
	credentials := p.credentials()
	f := &flow{gateway: g, policy: p, r: Request{Request: (&http.Request{Header: http.Header{}}).WithContext(ctx)}}
	var trials []Trial
	for _, endpoint := range [...]Endpoint{Authorize, UserInfo, Logout, Revoke, PushedRequest} {
		if p.idp.At(endpoint) != nil && (endpoint != PushedRequest || p.idp.PAR() == PAROn) && (endpoint != Logout || p.idp.Logout() != NoLogout) {
			trials = append(trials, f.tryEndpoint(endpoint, credentials))
		}
	}
	if p.idp.At(Token) == nil {
		return append(trials, Trial{Step: Token.String(), Err: errors.New("no address of it is known")})
	}
	for _, c := range credentials {
		trials = append(trials, f.tryCredentials(c))
	}
	if len(credentials) == 0 { // the clients have their own
		trials = append(trials, f.tryEndpoint(Token, nil))
	}
	return trials
}

// credentials are those that the gateway has at the IdP, each once.
func (p *Policy) credentials() []*clients.Credentials {
	var all []*clients.Credentials
	add := func(c *clients.Client) {
		if c.Credentials == nil {
			return
		}
		known := func(other *clients.Credentials) bool {
			return other.ClientID == c.Credentials.ClientID && other.Secret == c.Credentials.Secret && p.idp.AuthMethod(other) == p.idp.AuthMethod(c.Credentials)
		}
		if !slices.ContainsFunc(all, known) {
			all = append(all, c.Credentials)
		}
	}
	for _, y := range p.registry.All() {
		add(y.Client)
	}
	return all
}

// tryEndpoint asks an endpoint for something that it refuses: what counts is that there is one.
func (f *flow) tryEndpoint(endpoint Endpoint, credentials []*clients.Credentials) Trial {
	trial := Trial{Step: endpoint.String()}
	c := f.newCall(endpoint)
	switch endpoint {
	case Token, Revoke, PushedRequest:
		c.Form = []byte{}
		c.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	case Authorize:
		c.Header.Set("Accept", "text/html")
		if len(credentials) > 0 { // some know no page without a client
			query := c.URL.Query()
			query.Set("client_id", credentials[0].ClientID)
			query.Set("response_type", "code")
			c.URL.RawQuery = query.Encode()
		}
	}
	response, _, err := f.gateway.idp.Send(f.r.Context(), c)
	trial.Detail, trial.Err = describeTrial(response, err)
	return trial
}

func describeTrial(response Response, err error) (string, error) {
	var e *oauth.Error
	switch {
	case errors.As(err, &e):
		return "", errors.New(e.Description)
	case err != nil:
		return "", err
	}
	switch response.Status {
	case http.StatusNotFound, http.StatusGone:
		return "", fmt.Errorf("there is no such endpoint: it answers %d", response.Status)
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return "", fmt.Errorf("it is down: it answers %d", response.Status)
	}
	return fmt.Sprintf("it answers (%d)", response.Status), nil
}

// tryCredentials redeems a code that nobody has issued: whoever is not believed gets
// invalid_client, others invalid_grant (RFC 6749 section 5.2).
func (f *flow) tryCredentials(c *clients.Credentials) Trial {
	p := f.policy
	trial := Trial{Step: "credentials"}
	a, err := p.idp.Authenticate(Token, &clients.Auth{Credentials: c}, "", f.gateway.parts.Now())
	if err != nil {
		trial.Err = fmt.Errorf("of %s: %w", c.ClientID, err)
		return trial
	}
	redirectURI := cmp.Or(p.public.url, "https://gateway.invalid")
	if p.callback != nil {
		redirectURI = p.CallbackURL(redirectURI)
	}
	call := f.newFormCall(Token, a.Form(nil, []params.Param{
		{Name: "grant_type", Value: string(grants.Code)}, {Name: "client_id", Value: a.ClientID}, {Name: "code", Value: rand.Text()}, {Name: "redirect_uri", Value: redirectURI}, {Name: "code_verifier", Value: rand.Text() + rand.Text()},
	}...))
	response, _, err := f.gateway.idp.Send(f.r.Context(), call)
	if _, err := describeTrial(response, err); err != nil {
		return Trial{Step: Token.String(), Err: err}
	}
	upstream.StandardizeToken(&response)
	var object struct {
		Error oauth.Code `json:"error"`
	}
	_ = json.Unmarshal(response.Body, &object) // what is no error says nothing
	said := fmt.Sprintf("%d", response.Status)
	if object.Error.IsStandard() {
		said += " " + string(object.Error)
	}
	of := fmt.Sprintf("client %s, by %s", c.ClientID, p.idp.AuthMethod(c))
	switch {
	case object.Error == oauth.InvalidGrant && response.Status < 500:
		trial.Detail = of + ": accepted"
	case object.Error == oauth.UnauthorizedClient:
		trial.Err = fmt.Errorf("%s: refused (%s): the client may not redeem codes there, or its secret or key is wrong", of, said)
	case object.Error == oauth.InvalidClient, object.Error == oauth.AccessDenied, response.Status == http.StatusUnauthorized:
		trial.Err = fmt.Errorf("%s: refused (%s): check the secret or key of idp_client, whether it has expired, and how it is sent", of, said)
	default:
		trial.Detail, trial.Unsure = of+": can't be told: a code that does not exist should be invalid_grant, and it answers "+said, true
	}
	return trial
}
