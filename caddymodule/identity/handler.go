package identity

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity/sealing"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity/sites"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/anonymous"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/backchannel"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/issuers"
	shared "github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/metrics"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/routes"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/readiness"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pages"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

func init() {
	caddy.RegisterModule(Gateway{})
}

// Gateway stands in front of an OAuth 2.0 / OpenID Connect identity provider (IdP)
// and accepts only logins with PKCE (S256). It serves four paths in any case, and passes what is not its own to the next handler:
//
// Path | Method | What happens
// -----|--------|-------------
// `/authorize` | GET, POST | checked and redirected to the IdP (or proxied)
// `/oauth/token` | POST | checked and proxied
// `/userinfo` | GET, POST | checked and proxied
// `/v2/logout` | GET, POST | checked and redirected to the IdP (or proxied)
//
// With `callback` it also serves that path, `/oauth/revoke`, and what other options bring,
// such as `/oauth/register`. The IdP then sends browsers to the callback, and
// the gateway sends them on to the client with a code that only the login that it
// was issued to can redeem, whether the IdP checks PKCE or not. The gateway
// remembers nothing while a user logs in.
//
// Paths that a later handler could normalize to one of these (other case,
// escapes, extra slashes) get a 404.
type Gateway struct {
	// The policy. Placeholders such as `{env.AUTH_URL}` are resolved when the configuration is
	// loaded. Metadata that `discover` has found is kept in Caddy's storage and refreshed every hour.
	idp.Config

	// Clients that the configuration does not name, such as those of the Model Context
	// Protocol. Needs callback, public_url and a resource, whose scopes are all that they
	// may ask for. Default: none.
	DynamicClients *DynamicClients `json:"dynamic_clients,omitempty"`

	// The path to which the IdP sends browsers back, such as `/oauth/callback`, below
	// public_url, or else below the scheme and host of the request and what a
	// `handle_path` around the gateway strips. Register its URL at the IdP, as the only
	// redirect URI. Without it the IdP sends its codes to the clients, and only an IdP
	// that checks PKCE binds them to their logins.
	Callback string `json:"callback,omitempty"`

	// How long a user may take to log in at the IdP. Default: `1h`.
	LoginTimeout caddy.Duration `json:"login_timeout,omitempty"`

	// The secrets from which the sealing keys are derived: at least 32 random bytes each,
	// in base64 or as they are. The first one seals, all of them open. Default: one that is
	// made once and kept in Caddy's storage.
	SealingKeys []string `json:"sealing_keys,omitempty"`

	// Files in PEM with the private keys of the gateway's own ID tokens, RSA of 2048 to 4096 bits, or
	// P-256 for `id_token_alg ES256`. The first of each kind signs, all are published. Required with
	// sealing_keys. Default: made once and kept in Caddy's storage.
	SigningKeys []string `json:"signing_keys,omitempty"`

	// Where it is recorded which codes were redeemed, and where refresh tokens that
	// rotate stand: a `file` of this machine (default), the `memory` of this process, or
	// a module that several nodes share, such as `redis`.
	ReplayRaw json.RawMessage `json:"replay,omitempty" caddy:"namespace=http.identity_gateway.replay inline_key=module"`

	// Has each refresh replace the client's refresh token. When one that was
	// replaced is used after its grace, somebody has a copy: its login ends here, and
	// the IdP is asked to revoke its own (RFC 9700 section 4.14.2). Default: refresh tokens stay.
	RotateRefresh *RefreshRotation `json:"rotate_refresh,omitempty"`

	// How the pages look that users see: consent, errors, logouts. They are in the user's language
	// in any case. Default: plain.
	Pages *pages.Config `json:"pages,omitempty"`

	// How long the IdP may take for a whole response. Default: `30s`.
	ResponseTimeout caddy.Duration `json:"response_timeout,omitempty"`

	// How the IdP is reached: a transport of `reverse_proxy`, for its TLS options,
	// timeouts or a proxy. A request to `/oauth/token` is sent once. Default: the
	// system's certificate authorities.
	TransportRaw json.RawMessage `json:"transport,omitempty" caddy:"namespace=http.reverse_proxy.transport inline_key=protocol"`

	// policy is the configured one; gateway has what the IdP says of itself, too.
	policy  *idp.Policy
	gateway *idp.Gateway
	// discovers: with Discover, or by the form of AuthURL. discovered is nil without.
	discovers  bool
	discoverAt string // with placeholders resolved
	discovered *discovered
	trusted    []*issuers.Handle // of Trust
	transport  http.RoundTripper
	keys       *sealing.Keyring     // nil without a callback
	signing    *sealing.SigningKeys // nil unless ID tokens are the gateway's own
	replay     replay.Store         // nil without a callback
	// leftOut are the ids of the clients of which [Gateway.note] has told.
	leftOut *sync.Map
	noted   *notedCallbacks

	segment  args.Segment
	metrics  *metrics
	logger   *zap.Logger
	way      string // the option transport, as it is configured
	refusals *decision.Log
}

// CaddyModule returns the Caddy module information.
func (Gateway) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{
		ID:  "http.handlers.identity_gateway",
		New: func() caddy.Module { return new(Gateway) },
	}
}

// Provision puts the gateway together. It does not talk to the IdP.
func (g *Gateway) Provision(ctx caddy.Context) (err error) {
	g.logger, g.segment = ctx.Logger(), args.SegmentOf(g)
	defer g.segment.Locate(&err)
	g.refusals = decision.NewLog(g.logger)
	app, err := ctx.App("identity_gateway") // which looks at the logs when it starts
	if err != nil {
		return err
	}
	g.noted, g.leftOut = new(notedCallbacks), new(sync.Map)
	config, err := g.PolicyConfig()
	if err != nil {
		return err
	}
	if config.Callback != nil {
		if config.Replay, err = g.loadReplay(ctx); err != nil {
			return err
		}
	}
	policy, err := idp.NewPolicy(config)
	if err != nil {
		return err
	}
	if g.ResponseTimeout, err = args.Limit("response_timeout", g.ResponseTimeout, caddy.Duration(idp.DefaultTimeout)); err != nil {
		return err
	}
	g.warn(policy)
	g.logAudiences(config.Clients)
	if g.metrics, err = provisionMetrics(ctx.GetMetricsRegistry()); err != nil {
		return err
	}
	parts := idp.Parts{Timeout: time.Duration(g.ResponseTimeout)}
	if err := g.provisionSealing(ctx, policy, &parts); err != nil {
		return err
	}
	if err := g.provisionTransport(ctx, policy, &parts); err != nil {
		return err
	}
	if err := g.provisionTrust(ctx, policy, &parts); err != nil {
		return err
	}
	g.provisionDocuments(&parts)
	g.policy = policy
	if g.gateway, err = idp.NewGateway(policy, parts); err != nil {
		return err
	}
	if err := g.provisionGauges(ctx.GetMetricsRegistry()); err != nil {
		return err
	}
	app.(*App).addGateway(g)
	return g.provisionReadiness(ctx)
}

// provisionTransport sets up the way to the IdP, and what discovers its metadata.
func (g *Gateway) provisionTransport(ctx caddy.Context, policy *idp.Policy, parts *idp.Parts) error {
	g.way = string(g.TransportRaw) // which is nil once it is loaded
	transport, trusts, err := backchannel.Load(ctx, g, g.TransportRaw, parts.Timeout)
	if err != nil {
		return err
	}
	if g.transport = backchannel.New(parts.Timeout); transport != nil {
		g.transport = backchannel.For(policy.AuthURL(), transport, parts.Timeout)
	}
	if policy.Clients().ShowsCertificate() {
		if !backchannel.ShowsCertificate(transport) {
			return errors.New("idp_client: tls_client_auth needs the certificate with which the gateway connects to the identity provider: " +
				"transport http { tls_client_auth <certificate file> <key file> }")
		}
		g.transport = transport // also at endpoints of other hosts, which ask for it, too
	}
	parts.Transport = g.transport
	if !g.discovers {
		return nil
	}
	if err := g.provisionDiscovery(ctx, policy, issuers.Access{
		Storage: ctx.Storage(), Logger: g.logger, Transport: transport, Trusts: trusts, Metrics: ctx.GetMetricsRegistry(),
	}); err != nil {
		return err
	}
	parts.Metadata = g.discovered.handle
	if g.BackchannelLogout || policy.SignsIDTokens() {
		parts.IdPKeys = g.idpKeys()
	}
	return nil
}

// provisionReadiness adds what the gateway needs to the checks of its configuration.
func (g *Gateway) provisionReadiness(ctx caddy.Context) error {
	var checks []readiness.Check
	address := g.policy.AuthURL().String()
	if g.keys != nil {
		checks = append(checks, readiness.Check{Name: "sealing_keys", Of: address, Probe: func(ctx context.Context) error {
			_, err := g.keys.Current(ctx)
			return err
		}})
	}
	if g.signing != nil {
		checks = append(checks, readiness.Check{Name: "signing_keys", Of: address, Probe: func(ctx context.Context) error {
			_, err := g.signing.Current(ctx)
			return err
		}})
	}
	if pinger, ok := g.replay.(replay.Pinger); ok {
		checks = append(checks, readiness.Check{Name: "replay_store", Of: address, Probe: pinger.Ping})
	}
	if g.discovered != nil {
		checks = append(checks, g.discovered.handle.Check())
	}
	checks = append(checks, readiness.IdentityProvider(address, g.transport, func(context.Context) ([]*url.URL, error) {
		return g.gateway.Policy().IdP().BackChannel(), nil
	}))
	return readiness.Add(ctx, checks...)
}

// PolicyConfig is what the library needs to know of the configuration, with its placeholders
// resolved.
func (g *Gateway) PolicyConfig() (idp.Config, error) {
	r, err := g.resolved()
	if err != nil {
		return idp.Config{}, err
	}
	config := r.Config
	config.Rotation = g.rotationConfig()
	if issuer, isMetadata := discovery.IssuerOf(r.AuthURL); isMetadata {
		config.AuthURL, config.Discover = issuer, true
	}
	config.Discover = config.Discover || config.DiscoverAt != ""
	g.discovers, g.discoverAt = config.Discover, config.DiscoverAt
	if config.Callback, err = g.callbackConfig(); err != nil {
		return config, err
	}
	for i := range config.Clients {
		c := &config.Clients[i]
		if c.Keys, err = clientKeys(c, g.logger); err != nil {
			return config, err
		}
		if err := readSecrets(c.IdPClient); err != nil {
			return config, err
		}
	}
	for _, resource := range config.Resources {
		if i := resource.Introspection; i != nil {
			i.ClientSecret = strings.TrimSpace(i.ClientSecret)
		}
	}
	if r.Pages != nil {
		if config.Pages, err = pages.New(*r.Pages); err != nil {
			return config, err
		}
	}
	config.DynamicClients, err = r.DynamicClients.config()
	return config, err
}

// resolved is a copy whose placeholders are resolved, but for those of modules and sealing
// keys, which they resolve themselves.
func (g *Gateway) resolved() (*Gateway, error) {
	configured, resolved := *g, new(Gateway)
	configured.ReplayRaw, configured.TransportRaw, configured.SealingKeys, configured.SigningKeys = nil, nil, nil, nil
	return resolved, args.MapStrings(&configured, resolved, args.ResolveAt)
}

// Serves implements [routes.Server].
func (g *Gateway) Serves(method, path string) bool { return g.policy.Serves(method, path) }

// Site implements [sites.Handler].
func (g *Gateway) Site() *sites.Gateway {
	return &sites.Gateway{
		AuthURL: g.policy.AuthURL(), HandsHostOver: g.policy.HandsHostOver(),
		PublicURL: g.PublicURL, Callback: g.Callback, Discovered: g.DynamicClients != nil || len(g.Resources) > 0 || g.policy.SignsIDTokens(),
		Clients: g.Clients, Segment: g.segment,
	}
}

// Cleanup gives back what Provision acquired.
func (g *Gateway) Cleanup() error {
	var errs []error
	if g.keys != nil {
		errs = append(errs, g.keys.Forget())
	}
	if g.signing != nil {
		errs = append(errs, g.signing.Forget())
	}
	if g.discovered != nil {
		errs = append(errs, g.discovered.handle.Close())
	}
	for _, handle := range g.trusted {
		errs = append(errs, handle.Close())
	}
	if g.transport != nil {
		(&http.Client{Transport: g.transport}).CloseIdleConnections()
	}
	return errors.Join(errs...)
}

// ServeHTTP serves the gateway's own paths.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request, next caddyhttp.Handler) error {
	ip, _ := caddyhttp.GetVar(r.Context(), caddyhttp.ClientIPVarKey).(string) // by Caddy's trusted_proxies
	original := originalPath(r)
	request := idp.Request{Request: r, BaseURL: baseURL(r, original), ClientIP: ip, Certificate: clientcert.Of(r.TLS), OriginalPath: original}
	result := g.gateway.Serve(request)
	g.noteDiscovered()
	if result == nil {
		return idp.ServeNext(w, r, func(w http.ResponseWriter) error { return next.ServeHTTP(w, r) })
	}
	d := &decision.Decision{Server: shared.Server(r.Context()), Decision: result.Decision}
	d.SetPlaceholders(r, "http.identity_gateway.")
	g.noteCallback(r, d, request.BaseURL)
	g.note(r, d, result)
	switch {
	case result.Next != nil:
		return proxyFront(w, r, result.Next, next)
	case result.Page && g.serveErrorRoutes(w, r, result, d):
		return nil
	}
	result.ServeHTTP(w, r)
	return nil
}

// proxyFront has next send a checked request to the IdP, in the place of r. If it can't, error
// routes get r once more: without what only the IdP needs.
func proxyFront(w http.ResponseWriter, r, checked *http.Request, next caddyhttp.Handler) error {
	sent := *r
	*r = *checked // placeholders read r: none shows what was not checked
	err := next.ServeHTTP(idp.FilterFront(w, r.Host), r)
	if err != nil {
		anonymous.RemoveFields(r)
		anonymous.RemoveFields(&sent) // whose header another handler may have, in a copy
		anonymous.RemoveQuery(r)
	}
	return err
}

// Interface guards
var (
	_ caddy.Provisioner  = (*Gateway)(nil)
	_ caddy.CleanerUpper = (*Gateway)(nil)
	_ sites.Handler      = (*Gateway)(nil)
	_ routes.Server      = (*Gateway)(nil)
)

// originalPath is the escaped path before the server rewrote it, "" if it did not.
func originalPath(r *http.Request) string {
	original, ok := r.Context().Value(caddyhttp.OriginalRequestCtxKey).(http.Request)
	if !ok || original.URL.Path == r.URL.Path {
		return ""
	}
	return original.URL.EscapedPath()
}

// baseURL is the URL under which the browser reaches the gateway.
func baseURL(r *http.Request, original string) string {
	scheme := "http"
	trusted, _ := caddyhttp.GetVar(r.Context(), caddyhttp.TrustedProxyVarKey).(bool)
	if r.TLS != nil || trusted && strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") {
		scheme = "https"
	}
	stripped, _ := strings.CutSuffix(original, r.URL.EscapedPath()) // by handle_path
	return scheme + "://" + strings.ToLower(r.Host) + stripped
}
