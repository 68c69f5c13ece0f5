package idp

import (
	"errors"
	"fmt"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
)

// checkPAR checks what [PAROn] needs.
func (p *Policy) checkPAR(c Config) error {
	if c.PAR != PAROn {
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
	if !c.Discover && !p.idp.Has(PushedRequest) {
		return errors.New("par on needs the address to which requests are pushed: set discover, or endpoint par <path or URL>")
	}
	return nil
}

// pushes reports whether a request has to be pushed ([authorizeRequest.push]) before it is sent on:
// if the configuration says so, or else the IdP and the gateway is a confidential client
// there.
func (r *authorizeRequest) pushes(p *Policy) bool {
	return r.Client != nil && r.Client.Credentials != nil && p.idp.Pushes()
}

// pushedCall is an authorization request on its way to the IdP over the back channel, where
// nobody can alter it. Send Call, then give the response to [pushedCall.take].
type pushedCall struct {
	Call upstream.Form

	request *authorizeRequest
	sent    upstreamParams
}

// push prepares a checked request, whose login it seals, for the IdP's pushed
// authorization request endpoint (RFC 9126 section 2.1). With result, the response is
// for a [silentLogin]. base is the gateway's address as its client knows it.
func (r *authorizeRequest) push(p *Policy, s sealer, now time.Time, base string, result bool) (*pushedCall, error) {
	a, err := p.idp.Authenticate(PushedRequest, &clients.Auth{Party: r.Party, Credentials: r.Client.Credentials}, "", now)
	if err != nil {
		return nil, err
	}
	push := &pushedCall{request: r, sent: r.upstream(p, s)}
	if result {
		push.sent.mode = QueryMode
	}
	push.Call = a.Form(r.appendAuthorizeQuery(p, nil, push.sent))
	if result {
		push.sent.page = r.ownAuthorizeURL(p, s, base)
	}
	return push, nil
}

// take reads the IdP's response to a push. From then on the
// request is sent on as a reference to what was pushed. An error is for the client.
func (push *pushedCall) take(response Response) (err error) {
	if push.sent.requestURI, err = upstream.ReadRequestURI(response); err == nil {
		push.request.pushed = &push.sent
	}
	return err
}

// ownAuthorizeURL is a request as its client could make it in a browser, which may show
// a page.
func (r *authorizeRequest) ownAuthorizeURL(p *Policy, s sealer, base string) string {
	own := *r
	own.idpClient, own.ownOpenID, own.ownNonce, own.resource = "", false, "", nil
	u := upstreamParams{state: r.State, mode: r.ResponseMode, dropPrompt: r.Silent}
	if r.Named {
		u.redirectURI = r.RedirectURI
	}
	query := own.appendAuthorizeQuery(p, nil, u)
	if r.key != (dpop.Thumbprint{}) {
		query = params.Append(query, "dpop_jkt", r.key.String())
	}
	return base + Authorize.Path() + "?" + p.ownQuery(s, r.uri.InBrowser(), r.ClientID, string(query))
}
