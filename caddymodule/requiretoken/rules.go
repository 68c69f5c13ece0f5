package requiretoken

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/backchannel"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/issuers"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/readiness"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// Introspection is how the issuer is asked about opaque tokens (RFC 7662).
type Introspection struct {
	// The endpoint's URL. Default: what the issuer's metadata says.
	Endpoint string `json:"endpoint,omitempty"`
	// The client that asks, and its secret (client_secret_basic).
	ClientID     string `json:"client_id,omitempty"`
	ClientSecret string `json:"client_secret,omitempty"`
}

// provision compiles the rules.
func (h *RequireToken) provision(ctx caddy.Context) error {
	h.logger = ctx.Logger()
	if err := h.resolve(); err != nil {
		return err
	}
	config, err := h.config()
	if err != nil {
		return err
	}
	if err := h.checkTokens(); err != nil {
		return err
	}
	h.bearer = bearer.Challenge{
		Scope: strings.Join(h.Scopes, " "), ResourceMetadata: h.url, DPoP: h.DPoP,
		ACRValues: strings.Join(config.Authentication.ACR, " "), MaxAge: config.Authentication.MaxAge,
	}
	if err := h.provisionKeyring(ctx, &config); err != nil {
		return err
	}
	if h.DPoP != oauth.Off {
		h.provisionProofs(&config)
	}
	if h.Tokens == idp.GatewayTokens {
		return h.provisionGateway(ctx, config)
	}
	return h.provisionIssuer(ctx, config)
}

// provisionIssuer sets up the keys of an issuer, and the way to ask it.
func (h *RequireToken) provisionIssuer(ctx caddy.Context, config accesstoken.Config) error {
	transport, trusts, err := backchannel.Load(ctx, h, h.TransportRaw, idp.DefaultTimeout)
	if err != nil {
		return err
	}
	if h.JWKSURI == "" || h.Introspection != nil && h.Introspection.Endpoint == "" {
		if h.metadata, err = issuers.Open(config.Issuer, issuers.Access{
			Storage: ctx.Storage(), Logger: h.logger, Transport: transport, Trusts: trusts, Metrics: ctx.GetMetricsRegistry(),
		}); err != nil {
			return err
		}
	}
	h.servers = &servers{listed: h.AuthorizationServers, issuer: config.Issuer, metadata: h.metadata}
	client := newClient(transport)
	if config.Keys, err = h.keys(config.Issuer, client, trusts); err != nil {
		return err
	}
	if config.Opaque, err = h.opaque(client); err != nil {
		return err
	}
	if h.verifier, err = accesstoken.New(config); err != nil {
		return err
	}
	return h.provisionReadiness(ctx, config)
}

// provisionReadiness adds what the rules need to the checks of the configuration. The
// issuer's keys are fetched for a check if no token has needed them yet.
func (h *RequireToken) provisionReadiness(ctx caddy.Context, config accesstoken.Config) error {
	var checks []readiness.Check
	if h.metadata != nil {
		checks = append(checks, h.metadata.Check())
	}
	if asked := config.Opaque; asked == nil {
		checks = append(checks, readiness.Check{Name: "issuer_keys", Of: config.Issuer, Probe: config.Keys.Ready})
	} else {
		checks = append(checks, readiness.IdentityProvider(config.Issuer, asked.Client.Transport, func(ctx context.Context) ([]*url.URL, error) {
			address, err := asked.Endpoint(ctx)
			if err != nil {
				return nil, err
			}
			u, err := url.Parse(address)
			return []*url.URL{u}, err
		}))
	}
	return readiness.Add(ctx, checks...)
}

// resolve replaces the placeholders in the resource and compiles it.
func (r *Resource) resolve() (err error) {
	if r.Resource, err = args.Resolve("resource", r.Resource); err != nil {
		return err
	}
	if r.AuthorizationServers, err = args.ResolveAll("authorization_server", r.AuthorizationServers); err != nil {
		return err
	}
	return r.compile()
}

// resolveIssuer replaces the placeholders of an issuer, and takes the address of
// its metadata for it.
func resolveIssuer(configured string) (string, error) {
	if configured == "" {
		return "", errors.New("the issuer of the access tokens is missing: require_token <issuer>")
	}
	issuer, err := args.Resolve("issuer", configured)
	if found, ok := discovery.IssuerOf(issuer); ok {
		issuer = found
	}
	return issuer, err
}

// config is the library's part of the configuration.
func (h *RequireToken) config() (accesstoken.Config, error) {
	config := accesstoken.Config{
		Scopes: h.Scopes, Types: h.Types, CacheTTL: time.Duration(h.CacheTTL),
	}
	var err error
	if config.Issuer, err = resolveIssuer(h.Issuer); err != nil {
		return config, err
	}
	if config.Audiences, err = args.ResolveAll("audience", h.Audiences); err != nil {
		return config, err
	}
	if config.Authentication.ACR, err = args.ResolveAll("acr", h.ACR); err != nil {
		return config, err
	}
	if config.Authentication.AMR, err = args.ResolveAll("amr", h.AMR); err != nil {
		return config, err
	}
	config.Authentication.MaxAge = time.Duration(h.MaxAge)
	config.Clients, err = args.ResolveAll("client", h.Clients)
	return config, err
}

// keys are the issuer's. The pool's key names the transport's configuration, too, since
// it is a part of whom to believe.
func (h *RequireToken) keys(issuer string, client *http.Client, trusts string) (*jwks.Keys, error) {
	uri, err := args.Resolve("jwks_uri", h.JWKSURI)
	if err != nil {
		return nil, err
	}
	location, err := h.location("jwks_uri", uri, func(m *discovery.Metadata) *url.URL { return m.JWKSURI })
	if err != nil {
		return nil, err
	}
	name := strings.Join([]string{issuer, uri, trusts}, "\n")
	value, _, _ := issuerKeys.LoadOrNew(name, func() (caddy.Destructor, error) {
		keys := new(pooledKeys)
		keys.Keys = jwks.New(location, &http.Client{Transport: keys}, time.Now, func(err error) {
			// Of the configuration that is in force, not of the one that began.
			caddy.Log().Named("http.handlers.require_token").Error("the keys of the issuer can't be had", zap.String("issuer", issuer), zap.Error(err))
		})
		return keys, nil
	})
	keys := value.(*pooledKeys)
	keys.add(client)
	h.closeKeys = func() {
		keys.remove(client)
		_, _ = issuerKeys.Delete(name) // whose Destruct returns none
	}
	return keys.Keys, nil
}

// opaque is how the issuer is asked about opaque tokens, nil if it is not.
func (h *RequireToken) opaque(client *http.Client) (*accesstoken.Introspection, error) {
	if h.Introspection == nil {
		return nil, nil
	}
	values := [...]string{h.Introspection.Endpoint, h.Introspection.ClientID, h.Introspection.ClientSecret}
	for i := range values {
		var err error
		if values[i], err = args.Resolve("introspection", values[i]); err != nil {
			return nil, err
		}
	}
	values[2] = strings.TrimSpace(values[2]) // files end with a line break
	if values[1] == "" || values[2] == "" {
		return nil, errors.New("introspection: the client id or its secret is missing: the issuer answers only to a client that it knows (introspection <client id> <secret>)")
	}
	location, err := h.location("introspection", values[0], func(m *discovery.Metadata) *url.URL { return m.IntrospectionEndpoint })
	failures := decision.NewLog(h.logger)
	return &accesstoken.Introspection{
		Endpoint: location, ClientID: values[1], Secret: values[2], Client: client,
		Failed: func(err error) { // of any stranger's token
			failures.Limited(zap.ErrorLevel, "the issuer can't be asked about an access token", "", zap.String("issuer", h.servers.issuer), zap.Error(err))
		},
	}, err
}

// parseSecure parses a URL with a host, and reports whether nobody on the way can
// alter what comes from there: https, or http on loopback.
func parseSecure(address string) (*url.URL, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return nil, false
	}
	return u, uris.IsSecure(u)
}

// location is a configured URL, or else one of the metadata.
func (h *RequireToken) location(option, configured string, find func(*discovery.Metadata) *url.URL) (jwks.Location, error) {
	if configured != "" {
		if _, secure := parseSecure(configured); !secure {
			return nil, fmt.Errorf("%s must be an https URL (http only on 127.0.0.1, [::1] or localhost): who can alter the response decides which tokens are good", option)
		}
		return jwks.At(configured), nil
	}
	handle := h.metadata
	return func(ctx context.Context) (string, error) {
		m, err := handle.Await(ctx)
		if err != nil {
			return "", err
		}
		if u := find(m); u != nil {
			return u.String(), nil
		}
		return "", fmt.Errorf("the issuer's metadata does not say; set %s", option)
	}, nil
}

func parseOrigins(configured []string) (cors.Origins, error) {
	resolved, err := args.ResolveAll("origin", configured)
	if err != nil {
		return cors.Origins{}, err
	}
	return cors.ParseOrigins(resolved)
}

// check reads and checks the token of a request.
func (h *RequireToken) check(request *http.Request) (*accesstoken.Token, error) {
	if err := bearer.RejectQuery(request.URL.RawQuery); err != nil {
		return nil, err
	}
	passed, _ := caddyhttp.GetVar(request.Context(), userVar).(*accesstoken.Token)
	return h.verifier.VerifyRequest(request.Context(), request, h.clientURL(request), passed)
}

// ServeMetadata serves the resource's metadata, if that is what is asked for.
func (h *RequireToken) ServeMetadata(w http.ResponseWriter, request *http.Request) bool {
	return h.serve(w, request, h.servers, h.Scopes, h.DPoP)
}
