package identity

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

func init() {
	caddy.RegisterModule(Gateway{})
}

// Defaults of the identity gateway's bounds.
const (
	defaultMaxRequestBody = 64 << 10
	defaultAnswerTimeout  = 30 * time.Second
)

// Gateway stands in front of an OAuth 2.0 / OpenID Connect identity
// provider (IdP) and lets through only logins with PKCE that began here. It
// serves four paths and passes every other request to the next handler:
//
// Path | Method | What happens
// -----|--------|-------------
// `/authorize` | GET | checked, remembered and redirected to the IdP (or proxied)
// `/oauth/token` | POST | checked against what was remembered and proxied
// `/userinfo` | GET | checked and proxied
// `/v2/logout` | GET | checked and redirected to the IdP (or proxied)
//
// Paths that only look like these (other case, escapes, extra slashes) are
// answered with 404, so that no handler after this one can pass them on.
type Gateway struct {
	// The address of the IdP: a URL with an optional path, to which the paths
	// of the endpoints are appended. Placeholders such as `{env.AUTH_URL}` are
	// resolved when the configuration is loaded. Required.
	AuthURL string `json:"auth_url"`

	// How `/authorize` and `/v2/logout` reach the IdP: `redirect` (default)
	// sends the browser there; `proxy` proxies them, for deployments in which
	// this whole host is handed to the IdP (its custom domain).
	FrontChannel string `json:"front_channel,omitempty"`

	// Which parameters `/authorize` requires: `interface` (default) requires
	// audience, scope, response_type, client_id, code_challenge_method,
	// code_challenge and response_mode; `oauth` requires what RFC 6749 and
	// RFC 7636 require, for standard clients.
	Parameters string `json:"parameters,omitempty"`

	// The audience to send to the IdP when the client sends none.
	DefaultAudience string `json:"default_audience,omitempty"`

	// Whether `/authorize` requires the parameter state (RFC 6749 section
	// 10.12). Default: false.
	RequireState bool `json:"require_state,omitempty"`

	// The registered OAuth clients. If there are none, any client id passes and
	// redirect URIs are checked for their form only.
	Clients []Client `json:"clients,omitempty"`

	// The IdP's own paths, by endpoint (`authorize`, `token`, `userinfo`,
	// `logout`), where they differ from the public ones above.
	Endpoints map[string]string `json:"endpoints,omitempty"`

	// How the IdP wants to hear of a logout: `auth0` (default) with client_id,
	// returnTo and federated; `rp_initiated` with post_logout_redirect_uri
	// (OpenID Connect RP-Initiated Logout 1.0).
	LogoutProtocol string `json:"logout_protocol,omitempty"`

	// The memory of logins that token exchanges are held to.
	Ledger *Ledger `json:"ledger,omitempty"`

	// The largest request body that is read, in bytes. Default: 65536.
	MaxRequestBody int64 `json:"max_request_body,omitempty"`

	// The largest answer of the IdP that is passed on, in bytes. Default: 1048576.
	MaxAnswer int64 `json:"max_answer,omitempty"`

	// How long the IdP may take for a whole answer on the back channel.
	// Default: `30s`.
	AnswerTimeout caddy.Duration `json:"answer_timeout,omitempty"`

	// The reverse proxy to the IdP: its transport, TLS options, load
	// balancing, health checks and timeouts. Upstreams default to the host of
	// auth_url, with TLS if that is https. A request to `/oauth/token` is never
	// sent twice, whatever retries are configured here.
	Upstream *reverseproxy.Handler `json:"upstream,omitempty"`

	policy *idp.Policy
	ledger *ledgerKeeper
	// proxied reports that Upstream was provisioned and needs cleaning up.
	proxied bool
	// asksForIdentity tells the IdP not to compress its answers, which are judged
	// as they are, if the transport can't be kept from asking for compression.
	asksForIdentity bool

	metrics *metrics
	logger  *zap.Logger
}

// Client is an OAuth client as the gateway knows it.
type Client struct {
	// The client id. Required.
	ID string `json:"id"`
	// The redirect URIs, compared exactly; of http loopback URIs the port may
	// differ (RFC 8252). Required unless grant_types leaves out authorization_code.
	RedirectURIs []string `json:"redirect_uris,omitempty"`
	// The pages to return to after logout, compared exactly. Default: any that
	// is https or on loopback.
	ReturnTo []string `json:"return_to,omitempty"`
	// The web origins whose scripts may call `/oauth/token` and `/userinfo`.
	Origins []string `json:"origins,omitempty"`
	// The grant types. Default: `authorization_code` and `refresh_token`.
	GrantTypes []string `json:"grant_types,omitempty"`
	// The audiences it may ask for. Default: any.
	Audiences []string `json:"audiences,omitempty"`
	// The scopes it may ask for. Default: any.
	Scopes []string `json:"scopes,omitempty"`
	// How it may authenticate at `/oauth/token`: `none` (default, a public
	// client), `client_secret_basic`, `client_secret_post`, `private_key_jwt`.
	TokenEndpointAuth []string `json:"token_endpoint_auth,omitempty"`
}

// CaddyModule returns the Caddy module information.
func (Gateway) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{
		ID:  "http.handlers.identity_gateway",
		New: func() caddy.Module { return new(Gateway) },
	}
}

// Provision compiles the policy and sets up the proxy. It does not talk to the IdP.
func (g *Gateway) Provision(ctx caddy.Context) error {
	g.logger = ctx.Logger()
	config, err := g.policyConfig(caddy.NewReplacer())
	if err != nil {
		return err
	}
	if g.policy, err = idp.NewPolicy(config); err != nil {
		return err
	}
	switch g.FrontChannel {
	case "", "redirect", "proxy":
	default:
		return fmt.Errorf("front_channel %s is unknown; use redirect or proxy", g.FrontChannel)
	}
	if g.MaxRequestBody < 0 || g.MaxAnswer < 0 || g.AnswerTimeout < 0 {
		return errors.New("max_request_body, max_answer and answer_timeout must not be negative")
	}
	if g.MaxRequestBody == 0 {
		g.MaxRequestBody = defaultMaxRequestBody
	}
	if g.MaxAnswer == 0 {
		g.MaxAnswer = idp.DefaultMaxAnswer
	}
	if g.AnswerTimeout == 0 {
		g.AnswerTimeout = caddy.Duration(defaultAnswerTimeout)
	}
	if u := g.policy.AuthURL(); u.Scheme == "http" && !idp.IsLoopback(u.Hostname()) {
		g.logger.Warn("tokens travel unencrypted: auth_url is http and not on loopback", zap.String("host", u.Host))
	}
	if g.metrics, err = provisionMetrics(ctx.GetMetricsRegistry()); err != nil {
		return err
	}
	if err := g.provisionLedger(ctx); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	return g.provisionUpstream(ctx)
}

// policyConfig is the policy's part of the configuration with its placeholders resolved.
func (g *Gateway) policyConfig(repl *caddy.Replacer) (idp.Config, error) {
	config := idp.Config{
		Parameters:     idp.ParameterRules(g.Parameters),
		RequireState:   g.RequireState,
		LogoutProtocol: idp.LogoutProtocol(g.LogoutProtocol),
	}
	var err error
	resolve := func(field, value string) string {
		resolved, failure := repl.ReplaceOrErr(value, true, true)
		if failure != nil && err == nil {
			err = fmt.Errorf("%s: %w", field, failure)
		}
		return resolved
	}
	resolveAll := func(field string, values []string) []string {
		resolved := make([]string, len(values))
		for i, value := range values {
			resolved[i] = resolve(field, value)
		}
		return resolved
	}
	config.AuthURL = resolve("auth_url", g.AuthURL)
	config.DefaultAudience = resolve("default_audience", g.DefaultAudience)
	for _, c := range g.Clients {
		config.Clients = append(config.Clients, idp.ClientConfig{
			ID:           resolve("client id", c.ID),
			RedirectURIs: resolveAll("redirect_uri", c.RedirectURIs),
			ReturnTo:     resolveAll("return_to", c.ReturnTo),
			Origins:      resolveAll("origin", c.Origins),
			GrantTypes:   c.GrantTypes,
			Audiences:    resolveAll("audience", c.Audiences),
			Scopes:       c.Scopes,
			AuthMethods:  c.TokenEndpointAuth,
		})
	}
	for name, path := range g.Endpoints {
		endpoint, failure := idp.EndpointNamed(name)
		if failure != nil {
			return config, failure
		}
		if config.Paths == nil {
			config.Paths = make(map[idp.Endpoint]string)
		}
		config.Paths[endpoint] = resolve("endpoint "+name, path)
	}
	return config, err
}

// Cleanup gives back what Provision acquired.
func (g *Gateway) Cleanup() error {
	var proxyErr error
	if g.proxied {
		proxyErr = g.Upstream.Cleanup()
	}
	return errors.Join(proxyErr, g.ledger.close())
}

// ServeHTTP serves the gateway's own paths and passes on what is foreign.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request, next caddyhttp.Handler) error {
	endpoint, verdict := g.policy.Route(r.Method, r.URL.EscapedPath())
	switch verdict {
	case idp.Foreign:
		return next.ServeHTTP(w, r)
	case idp.Own:
	case idp.Preflight:
		w.WriteHeader(g.policy.AnswerPreflight(w.Header(), endpoint, r.Header["Origin"]))
		return nil
	default:
		return g.refuse(w, endpoint, g.policy.RefuseRoute(endpoint, verdict))
	}
	switch endpoint {
	case idp.Authorize:
		return g.serveAuthorize(w, r)
	case idp.Logout:
		return g.serveLogout(w, r)
	case idp.Token:
		return g.serveToken(w, r)
	default:
		return g.serveUserInfo(w, r)
	}
}

// refuse answers with an error as JSON.
func (g *Gateway) refuse(w http.ResponseWriter, endpoint idp.Endpoint, fault *idp.Error) error {
	g.noteRefusal(endpoint, fault)
	fault.SetHeader(w.Header())
	w.WriteHeader(fault.Status)
	_, err := w.Write(fault.AppendJSON(nil))
	return err
}

// noteRefusal counts a refusal and logs it for operators who look for its
// reason. An error holds nothing that a client sent.
func (g *Gateway) noteRefusal(endpoint idp.Endpoint, fault *idp.Error) {
	g.metrics.count(endpoint, fault.Code)
	if entry := g.logger.Check(zap.DebugLevel, "request refused"); entry != nil {
		entry.Write(zap.Stringer("endpoint", endpoint), zap.Int("status", fault.Status),
			zap.String("error", string(fault.Code)), zap.String("reason", fault.Description), zap.String("source", fault.Source))
	}
}

// isProxied reports whether the front channel is proxied.
func (g *Gateway) isProxied() bool { return g.FrontChannel == "proxy" }

// hostname is the name under which the client knows the gateway.
func hostname(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.Host); err == nil {
		return host
	}
	return r.Host
}

// Interface guards
var (
	_ caddy.Provisioner           = (*Gateway)(nil)
	_ caddy.CleanerUpper          = (*Gateway)(nil)
	_ caddyhttp.MiddlewareHandler = (*Gateway)(nil)
)
