package identity

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/body"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/issuers"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
)

// awaitMetadata is how long a request waits for the first answer of the IdP. It
// is worth waiting for after a start; while the IdP is down, nobody waits.
const awaitMetadata = 3 * time.Second

// discovered is what a gateway knows by discovery.
type discovered struct {
	handle *issuers.Handle
	latest atomic.Pointer[snapshot]
}

// snapshot is a gateway with the policy that follows from one document of the IdP.
type snapshot struct {
	metadata *discovery.Metadata
	gateway  *Gateway
}

// provisionDiscovery holds the metadata of the IdP, which is fetched when the
// configuration runs: through the operator's upstream, whose configuration trusts is,
// if there is one.
func (g *Gateway) provisionDiscovery(ctx caddy.Context, trusts string) error {
	if !g.discovers {
		return nil
	}
	access := issuers.Access{Storage: ctx.Storage(), Logger: g.logger, Metrics: ctx.GetMetricsRegistry(), Trusts: trusts}
	if trusts != "" {
		access.Transport = &proxyTransport{gateway: g}
	}
	handle, err := issuers.Open(g.policy.AuthURL().String(), access)
	if err != nil {
		return fmt.Errorf("discover: %w", err)
	}
	g.discovered = &discovered{handle: handle}
	app, err := ctx.App("identity_gateway")
	if err != nil {
		return err
	}
	app.(*App).whenStarted(handle.Start)
	return nil
}

// present is the gateway with what is known of the IdP now. A request is served
// by one from its beginning to its end, and so by one policy, whatever the IdP says
// meanwhile.
func (g *Gateway) present() *Gateway {
	if g.discovered == nil {
		return g
	}
	m := g.discovered.handle.Current()
	if m == nil {
		return g
	}
	if s := g.discovered.latest.Load(); s != nil && s.metadata == m {
		return s.gateway
	}
	next := *g
	next.policy = g.policy.WithMetadata(m)
	if g.discovered.latest.Swap(&snapshot{m, &next}) == nil {
		next.logBinding()
		next.logMissingPKCE()
	}
	return &next
}

// await is present, and waits for what the IdP is being asked.
func (g *Gateway) await(ctx context.Context) *Gateway {
	ctx, cancel := context.WithTimeout(ctx, awaitMetadata)
	defer cancel()
	_, _ = g.discovered.handle.Await(ctx) // the handle logs a failure
	return g.present()
}

// handsHostOver reports that other handlers may hand this whole host to the IdP,
// so that they get nothing while it is not known which of its paths are protected.
func (g *Gateway) handsHostOver() bool { return g.isProxied() || len(g.DenyPaths) > 0 }

// logMissingPKCE warns of an IdP that does not say that it checks PKCE.
func (g *Gateway) logMissingPKCE() {
	if m := g.policy.Metadata(); m != nil && !g.policy.HasCallback() && !slices.Contains(m.ChallengeMethods, "S256") {
		g.logger.Warn("the identity provider does not say that it checks PKCE (S256), and without callback nobody else binds codes to their logins",
			zap.String("issuer", m.Issuer))
	}
}

// proxyTransport reaches the IdP in the way that the block upstream says, so that
// its metadata takes the same way as everything else.
type proxyTransport struct{ gateway *Gateway }

// RoundTrip implements http.RoundTripper.
func (t *proxyTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	c := &call{endpoint: idp.NoEndpoint, decision: new(decision.Decision), target: r.URL, header: r.Header.Clone()}
	c.url.Path, c.url.RawPath, c.url.RawQuery = r.URL.Path, r.URL.RawPath, r.URL.RawQuery
	if t.gateway.asksForIdentity {
		c.header.Set("Accept-Encoding", "identity")
	}
	var result *http.Response
	c.modifyResponse = func(response *http.Response) error {
		content, err := readAll(body.OfResponse(response), response.ContentLength)
		if err != nil {
			return err
		}
		result = &http.Response{StatusCode: response.StatusCode, Header: response.Header}
		setResponse(result, response.StatusCode, response.Header, content)
		_ = response.Body.Close()
		setResponse(response, http.StatusNoContent, make(http.Header), nil)
		return nil
	}
	w := discardWriter{}
	prepared := caddyhttp.PrepareRequest(r.Clone(r.Context()), caddy.NewReplacer(), w, new(caddyhttp.Server))
	err := t.gateway.Upstream.ServeHTTP(w, c.request(prepared), noNext)
	switch {
	case err != nil:
		return nil, scrubbed{err}
	case c.outcome.err != nil:
		return nil, c.outcome.err
	case result == nil:
		return nil, context.Cause(r.Context())
	}
	return result, nil
}
