package requiretoken

import (
	"context"
	"encoding/json"
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

// Rules say which access tokens are accepted. Placeholders such as `{env.AUDIENCE}`
// are resolved when the configuration is loaded.
type Rules struct {
	// The issuer of the tokens: what stands in `iss`, with or without a slash at
	// the end. Its metadata (OpenID Connect Discovery 1.0 or RFC 8414) says where its keys are. Required.
	Issuer string `json:"issuer,omitempty"`

	// What this resource server is called in tokens (`aud`), one of which must be
	// there. Required, unless there are clients.
	Audiences []string `json:"audiences,omitempty"`

	// The only clients whose tokens are accepted, for issuers whose tokens have no
	// audience, such as Cognito. Default: all.
	Clients []string `json:"clients,omitempty"`

	// The scopes that every token must have.
	Scopes []string `json:"scopes,omitempty"`

	// The authentication contexts (`acr`) of which the user's login has to be one, the preferred
	// one first. Other tokens are 401 with a challenge on which clients log in anew (RFC 9470).
	ACR []string `json:"acr,omitempty"`

	// The methods that the user has to have logged in with, all of them (`amr`).
	AMR []string `json:"amr,omitempty"`

	// How long ago the user may have logged in (`auth_time`). Default: any time.
	MaxAge caddy.Duration `json:"max_age,omitempty"`

	// What may stand in the header of a JWT as `typ`. `at+jwt` alone is the strictest,
	// for issuers that implement RFC 9068. Default: `at+jwt`, `JWT`, or nothing.
	Types []string `json:"types,omitempty"`

	// Whose tokens are accepted: the `idp`'s (default), or the own ones of the `gateway`
	// whose public_url the issuer is, for one of its resources, which are the audiences.
	// Nobody is asked about these: the gateway's keys open them.
	Tokens idp.TokenIssuer `json:"tokens,omitempty"`

	// The gateway's sealing keys, as it has them, for `tokens gateway`. Default: those of
	// the identity_gateway with this public_url in the same configuration.
	SealingKeys []string `json:"sealing_keys,omitempty"`

	// Whether tokens may (`optional`) or must (`required`) be bound to a key (DPoP, RFC
	// 9449): a request with one then needs a proof of that key, and plain bearer tokens of
	// others are good with `optional` only. It needs resource, whose scheme and host proofs
	// name, with the path of the request. Default: bound tokens are rejected.
	DPoP oauth.Mode `json:"dpop,omitempty"`

	// How long the check of a token is remembered. Default: `1m`.
	CacheTTL caddy.Duration `json:"cache_ttl,omitempty"`

	// Where the issuer's keys are. Default: what its metadata says.
	JWKSURI string `json:"jwks_uri,omitempty"`

	// Asks the issuer about tokens that are no JWTs (RFC 7662).
	Introspection *Introspection `json:"introspection,omitempty"`

	Resource

	// How the issuer is reached: a transport of reverse_proxy, for its TLS options
	// and proxies. Default: directly, with the system's certificate authorities.
	TransportRaw json.RawMessage `json:"transport,omitempty" caddy:"namespace=http.reverse_proxy.transport inline_key=protocol"`

	// needsUpstream: a token has to have the IdP's inside.
	needsUpstream bool
	segment       args.Segment

	verifier  *accesstoken.Verifier
	bearer    bearer.Challenge
	proofs    *bearer.Proofs // nil without dpop
	clients   string         // a URL with the scheme and host that clients know, with dpop
	logger    *zap.Logger
	servers   *servers
	metadata  *issuers.Handle // nil if nothing is looked up there
	closeKeys func()          // nil if there are none
}

// Introspection is how the issuer is asked about opaque tokens (RFC 7662).
type Introspection struct {
	// The endpoint's URL. Default: what the issuer's metadata says.
	Endpoint string `json:"endpoint,omitempty"`
	// The client that asks, and its secret (client_secret_basic).
	ClientID     string `json:"client_id,omitempty"`
	ClientSecret string `json:"client_secret,omitempty"`
}

// provision compiles the rules.
func (r *Rules) provision(ctx caddy.Context) error {
	r.logger = ctx.Logger()
	if err := r.resolve(); err != nil {
		return err
	}
	config, err := r.config()
	if err != nil {
		return err
	}
	if err := r.checkTokens(); err != nil {
		return err
	}
	r.bearer = bearer.Challenge{
		Scope: strings.Join(r.Scopes, " "), ResourceMetadata: r.url, DPoP: r.DPoP,
		ACRValues: strings.Join(config.Authentication.ACR, " "), MaxAge: config.Authentication.MaxAge,
	}
	if err := r.provisionKeyring(ctx, &config); err != nil {
		return err
	}
	if r.DPoP != oauth.Off {
		r.provisionProofs(&config)
	}
	if r.Tokens == idp.GatewayTokens {
		return r.provisionGateway(config)
	}
	return r.provisionIssuer(ctx, config)
}

// provisionIssuer sets up the keys of an issuer, and the way to ask it.
func (r *Rules) provisionIssuer(ctx caddy.Context, config accesstoken.Config) error {
	transport, trusts, err := backchannel.Load(ctx, r, r.TransportRaw, idp.DefaultTimeout)
	if err != nil {
		return err
	}
	if r.JWKSURI == "" || r.Introspection != nil && r.Introspection.Endpoint == "" {
		if r.metadata, err = issuers.Open(config.Issuer, issuers.Access{
			Storage: ctx.Storage(), Logger: r.logger, Transport: transport, Trusts: trusts, Metrics: ctx.GetMetricsRegistry(),
		}); err != nil {
			return err
		}
	}
	r.servers = &servers{listed: r.AuthorizationServers, issuer: config.Issuer, metadata: r.metadata}
	client := newClient(transport)
	if config.Keys, err = r.keys(config.Issuer, client, trusts); err != nil {
		return err
	}
	if config.Opaque, err = r.opaque(client); err != nil {
		return err
	}
	if r.verifier, err = accesstoken.New(config); err != nil {
		return err
	}
	return r.provisionReadiness(ctx, config)
}

// provisionReadiness adds what the rules need to the checks of the configuration. The
// issuer's keys are fetched for a check if no token has needed them yet.
func (r *Rules) provisionReadiness(ctx caddy.Context, config accesstoken.Config) error {
	var checks []readiness.Check
	if r.metadata != nil {
		checks = append(checks, r.metadata.Check())
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
func (r *Rules) config() (accesstoken.Config, error) {
	config := accesstoken.Config{
		Scopes: r.Scopes, Types: r.Types, CacheTTL: time.Duration(r.CacheTTL),
	}
	var err error
	if config.Issuer, err = resolveIssuer(r.Issuer); err != nil {
		return config, err
	}
	if config.Audiences, err = args.ResolveAll("audience", r.Audiences); err != nil {
		return config, err
	}
	if config.Authentication.ACR, err = args.ResolveAll("acr", r.ACR); err != nil {
		return config, err
	}
	if config.Authentication.AMR, err = args.ResolveAll("amr", r.AMR); err != nil {
		return config, err
	}
	config.Authentication.MaxAge = time.Duration(r.MaxAge)
	config.Clients, err = args.ResolveAll("client", r.Clients)
	return config, err
}

// keys are the issuer's. The pool's key names the transport's configuration, too, since
// it is a part of whom to believe.
func (r *Rules) keys(issuer string, client *http.Client, trusts string) (*jwks.Keys, error) {
	uri, err := args.Resolve("jwks_uri", r.JWKSURI)
	if err != nil {
		return nil, err
	}
	location, err := r.location("jwks_uri", uri, func(m *discovery.Metadata) *url.URL { return m.JWKSURI })
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
	r.closeKeys = func() {
		keys.remove(client)
		_, _ = issuerKeys.Delete(name) // whose Destruct returns none
	}
	return keys.Keys, nil
}

// opaque is how the issuer is asked about opaque tokens, nil if it is not.
func (r *Rules) opaque(client *http.Client) (*accesstoken.Introspection, error) {
	if r.Introspection == nil {
		return nil, nil
	}
	values := [...]string{r.Introspection.Endpoint, r.Introspection.ClientID, r.Introspection.ClientSecret}
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
	location, err := r.location("introspection", values[0], func(m *discovery.Metadata) *url.URL { return m.IntrospectionEndpoint })
	failures := decision.NewLog(r.logger)
	return &accesstoken.Introspection{
		Endpoint: location, ClientID: values[1], Secret: values[2], Client: client,
		Failed: func(err error) { // of any stranger's token
			failures.Limited(zap.ErrorLevel, "the issuer can't be asked about an access token", "", zap.String("issuer", r.servers.issuer), zap.Error(err))
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
func (r *Rules) location(option, configured string, find func(*discovery.Metadata) *url.URL) (jwks.Location, error) {
	if configured != "" {
		if _, secure := parseSecure(configured); !secure {
			return nil, fmt.Errorf("%s must be an https URL (http only on 127.0.0.1, [::1] or localhost): who can alter the response decides which tokens are good", option)
		}
		return jwks.At(configured), nil
	}
	handle := r.metadata
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

// Cleanup gives back what Provision acquired.
func (r *Rules) Cleanup() error {
	if r.closeKeys != nil {
		r.closeKeys()
	}
	if r.proofs != nil {
		_, _ = usedProofs.Delete(usedProofsKey) // whose Destruct returns none
	}
	if r.metadata != nil {
		return r.metadata.Close()
	}
	return nil
}

// check reads and checks the token of a request.
func (r *Rules) check(request *http.Request) (*accesstoken.Token, error) {
	if err := bearer.RejectQuery(request.URL.RawQuery); err != nil {
		return nil, err
	}
	passed, _ := caddyhttp.GetVar(request.Context(), userVar).(*accesstoken.Token)
	return r.verifier.VerifyRequest(request.Context(), request, r.clientURL(request), passed)
}

// ServeMetadata serves the resource's metadata, if that is what is asked for.
func (r *Rules) ServeMetadata(w http.ResponseWriter, request *http.Request) bool {
	return r.serve(w, request, r.servers, r.Scopes, r.DPoP)
}
