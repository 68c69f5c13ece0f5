package upstream

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/endpoint"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/grants"
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

// Trier asks the endpoints of the IdP without a login.
type Trier struct {
	*Upstream
	Transport *Transport
	// RedirectURI is that of the gateway.
	RedirectURI string
	Now         time.Time
}

// Try asks the endpoints that the gateway uses, by the transport that it uses, and tries its
// credentials at the token endpoint with a code that nobody has issued.
func (t *Trier) Try(ctx context.Context, registry *clients.Registry) []Trial {
	credentials := t.credentials(registry)
	var trials []Trial
	for _, at := range [...]endpoint.Endpoint{endpoint.Authorize, endpoint.UserInfo, endpoint.Logout, endpoint.Revoke, endpoint.PushedRequest} {
		if t.At(at) != nil && (at != endpoint.PushedRequest || t.par == PAROn) && (at != endpoint.Logout || t.Logout() != NoLogout) {
			trials = append(trials, t.tryEndpoint(ctx, at, credentials))
		}
	}
	if t.At(endpoint.Token) == nil {
		return append(trials, Trial{Step: endpoint.Token.String(), Err: errors.New("no address of it is known")})
	}
	for _, c := range credentials {
		trials = append(trials, t.tryCredentials(ctx, c))
	}
	if len(credentials) == 0 { // the clients have their own
		trials = append(trials, t.tryEndpoint(ctx, endpoint.Token, nil))
	}
	return trials
}

// credentials are those that the gateway has at the IdP, each once.
func (t *Trier) credentials(registry *clients.Registry) (all []*clients.Credentials) {
	for _, y := range registry.All() {
		c := y.Client.Credentials
		if c != nil && !slices.ContainsFunc(all, func(other *clients.Credentials) bool {
			return other.ClientID == c.ClientID && other.Secret == c.Secret && t.AuthMethod(other) == t.AuthMethod(c)
		}) {
			all = append(all, c)
		}
	}
	return all
}

func (t *Trier) call(at endpoint.Endpoint) Call {
	return Call{Endpoint: at, URL: *t.At(at), Header: http.Header{"User-Agent": {""}, "Accept": {"application/json"}, "Accept-Encoding": {"identity"}}}
}

// tryEndpoint asks an endpoint for something that it refuses: what counts is that there is one.
func (t *Trier) tryEndpoint(ctx context.Context, at endpoint.Endpoint, credentials []*clients.Credentials) Trial {
	trial := Trial{Step: at.String()}
	c := t.call(at)
	switch at {
	case endpoint.Token, endpoint.Revoke, endpoint.PushedRequest:
		c.Form = []byte{}
		c.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	case endpoint.Authorize:
		c.Header.Set("Accept", "text/html")
		if len(credentials) > 0 { // some know no page without a client
			query := c.URL.Query()
			query.Set("client_id", credentials[0].ClientID)
			query.Set("response_type", "code")
			c.URL.RawQuery = query.Encode()
		}
	}
	response, _, err := t.Transport.Send(ctx, c)
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
func (t *Trier) tryCredentials(ctx context.Context, c *clients.Credentials) Trial {
	trial := Trial{Step: "credentials"}
	a, err := t.Authenticate(endpoint.Token, &clients.Auth{Credentials: c}, "", t.Now)
	if err != nil {
		trial.Err = fmt.Errorf("of %s: %w", c.ClientID, err)
		return trial
	}
	form := a.TokenForm(&TokenRequest{Grant: string(grants.Code), Code: rand.Text(), RedirectURI: t.RedirectURI, Verifier: rand.Text() + rand.Text()})
	call := t.call(endpoint.Token)
	call.Form = form.Body
	call.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if form.Authorization != "" {
		call.Header.Set("Authorization", form.Authorization)
	}
	response, _, err := t.Transport.Send(ctx, call)
	if _, err := describeTrial(response, err); err != nil {
		return Trial{Step: endpoint.Token.String(), Err: err}
	}
	StandardizeToken(&response)
	code := errorCode(response.Body)
	said := fmt.Sprintf("%d", response.Status)
	if code.IsStandard() {
		said += " " + string(code)
	}
	of := fmt.Sprintf("client %s, by %s", c.ClientID, t.AuthMethod(c))
	switch {
	case code == oauth.InvalidGrant && response.Status < 500:
		trial.Detail = of + ": accepted"
	case code == oauth.UnauthorizedClient:
		trial.Err = fmt.Errorf("%s: refused (%s): the client may not redeem codes there, or its secret or key is wrong", of, said)
	case code == oauth.InvalidClient, code == oauth.AccessDenied, response.Status == http.StatusUnauthorized:
		trial.Err = fmt.Errorf("%s: refused (%s): check the secret or key of idp_client, whether it has expired, and how it is sent", of, said)
	default:
		trial.Detail, trial.Unsure = of+": can't be told: a code that does not exist should be invalid_grant, and it answers "+said, true
	}
	return trial
}
