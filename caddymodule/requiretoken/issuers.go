package requiretoken

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/caddyserver/caddy/v2"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/backchannel"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/issuers"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/readiness"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/users"
)

// Issuer is an issuer of access tokens, and which of its tokens are accepted.
type Issuer struct {
	// The issuer: what stands in `iss`, with or without a slash at the end. Its metadata (OpenID
	// Connect Discovery 1.0 or RFC 8414) says where its keys are, unless `jwks_uri` does. Required.
	Name string `json:"issuer,omitempty"`

	// What this resource server is called in tokens (`aud`), one of which must be
	// there. Required, unless there are clients.
	Audiences []string `json:"audiences,omitempty"`

	// The only clients whose tokens are accepted, for issuers whose tokens have no
	// audience, such as Cognito. Default: all.
	Clients []string `json:"clients,omitempty"`

	// The scopes that every token must have.
	Scopes []string `json:"scopes,omitempty"`

	// Claims by their paths, and the values of which each must have one. A list has a value as a member;
	// `email` is a verified address. Other tokens are 403.
	Claims []users.Claim `json:"claims,omitempty"`

	// What goes before `sub`: the same one of two issuers is two users. Beside others only
	// one issuer may be without.
	Prefix string `json:"prefix,omitempty"`

	// Whether JWTs are accepted, too, that say who somebody is and not what he may do: without scope or
	// client. Whoever the issuer knows gets one for any audience, so that it needs audiences and claims.
	IdentityTokens bool `json:"identity_tokens,omitempty"`

	// What may stand in the header of a JWT as `typ`. `at+jwt` alone is the strictest,
	// for issuers that implement RFC 9068. Default: `at+jwt`, `JWT`, or nothing.
	Types []string `json:"types,omitempty"`

	// The algorithms with which the issuer signs, such as `ES256`. Default: RS, PS and ES with
	// 256, 384 and 512, and EdDSA.
	Algorithms []string `json:"algorithms,omitempty"`

	// Where the issuer's metadata is, if not below the issuer, or if this server reaches the issuer by
	// another name than its tokens have: as in identity_gateway. Default: below the issuer.
	DiscoverAt string `json:"discover_at,omitempty"`

	// Where the issuer's keys are: a URL, or a file with a JWK Set, which is read again every
	// ten minutes. Default: what its metadata says. With it, the issuer can be any text.
	JWKSURI string `json:"jwks_uri,omitempty"`

	// How the issuer is reached: a transport of reverse_proxy, for its TLS options
	// and proxies. Default: directly, with the system's certificate authorities.
	TransportRaw json.RawMessage `json:"transport,omitempty" caddy:"namespace=http.reverse_proxy.transport inline_key=protocol"`
}

// Introspection is how the issuer is asked about opaque tokens (RFC 7662).
type Introspection struct {
	// The endpoint's URL. Default: what the issuer's metadata says.
	Endpoint string `json:"endpoint,omitempty"`
	// The client that asks, and its secret (client_secret_basic).
	ClientID     string `json:"client_id,omitempty"`
	ClientSecret string `json:"client_secret,omitempty"`
}

// all are the issuers.
func (h *RequireToken) all() []*Issuer {
	if len(h.Issuers) == 0 {
		return []*Issuer{&h.Issuer}
	}
	all := make([]*Issuer, len(h.Issuers))
	for n := range h.Issuers {
		all[n] = &h.Issuers[n]
	}
	return all
}

// checkIssuers names what stands at the wrong place.
func (h *RequireToken) checkIssuers() error {
	if h.Resource.Resource != "" && len(h.AuthorizationServers) == 0 && h.Tokens != idp.GatewayTokens {
		switch {
		case len(h.Issuers) > 0:
			return errors.New("resource needs the authorization server behind it beside issuer blocks, as clients take the first one that they are told of: resource <url> <authorization server>")
		case !args.HasPlaceholder(h.Name) && discovery.CheckIssuer(h.Name) != nil:
			return fmt.Errorf("resource needs the authorization server behind it (resource <url> <authorization server>): clients would look for the metadata of %s, which is not an https URL", h.Name)
		}
	}
	if len(h.Issuers) == 0 {
		return nil
	}
	option := h.given(map[string]bool{
		"issuer (as an argument of require_token)": h.Name != "",
		"client": len(h.Clients) > 0, "claim": len(h.Claims) > 0, "prefix": h.Prefix != "", "identity_tokens": h.IdentityTokens,
	})
	if option != "" {
		return fmt.Errorf("%s stands inside of issuer blocks where there are any: say for each issuer what its tokens need", option)
	}
	if h.Tokens == idp.GatewayTokens || h.Introspection != nil || len(h.SealingKeys) > 0 {
		return errors.New("issuer blocks are for tokens that are JWTs: tokens gateway, sealing_key and introspection need a require_token of their own")
	}
	return nil
}

// given is an option that is given, of these and of those that say how an issuer signs, and where its keys are; "" if
// none is.
func (i *Issuer) given(options map[string]bool) string {
	maps.Copy(options, map[string]bool{
		"typ": len(i.Types) > 0, "alg": len(i.Algorithms) > 0, "discover": i.DiscoverAt != "", "jwks_uri": i.JWKSURI != "", "transport": i.TransportRaw != nil,
	})
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if options[name] {
			return name
		}
	}
	return ""
}

// configs are the library's part of the configuration, for each issuer.
func (h *RequireToken) configs() (configs []accesstoken.Config, err error) {
	authentication := accesstoken.Authentication{MaxAge: time.Duration(h.MaxAge)}
	if authentication.ACR, err = args.ResolveAll("acr", h.ACR); err != nil {
		return nil, err
	}
	for _, of := range h.all() {
		config, err := of.config()
		if err != nil {
			return nil, err
		}
		if of != &h.Issuer {
			config.Scopes = slices.Concat(h.Scopes, config.Scopes)
			if len(config.Audiences) == 0 {
				if config.Audiences, err = args.ResolveAll("audience", h.Audiences); err != nil {
					return nil, err
				}
			}
		}
		config.Source, config.CacheTTL, config.Authentication = h.TokenFrom, time.Duration(h.CacheTTL), authentication
		configs = append(configs, config)
	}
	return configs, nil
}

func (i *Issuer) config() (config accesstoken.Config, err error) {
	config = accesstoken.Config{Scopes: i.Scopes, Types: i.Types, Algorithms: i.Algorithms, IdentityTokens: i.IdentityTokens}
	if config.Issuer, err = resolveIssuer(i.Name); err != nil {
		return config, err
	}
	if config.Audiences, err = args.ResolveAll("audience", i.Audiences); err != nil {
		return config, err
	}
	if config.Prefix, err = args.Resolve("prefix", i.Prefix); err != nil {
		return config, err
	}
	for _, claim := range i.Claims {
		if claim.Values, err = args.ResolveAll("claim", claim.Values); err != nil {
			return config, err
		}
		config.Claims = append(config.Claims, claim)
	}
	config.Clients, err = args.ResolveAll("client", i.Clients)
	return config, err
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

// provisionIssuers sets up the keys of issuers, and the way to ask the only one.
func (h *RequireToken) provisionIssuers(ctx caddy.Context, configs []accesstoken.Config) (err error) {
	h.servers = &servers{listed: h.AuthorizationServers, issuer: configs[0].Issuer}
	var checks []readiness.Check
	for i, of := range h.all() {
		needed, err := h.provisionIssuer(ctx, of, &configs[i])
		if err != nil {
			return err
		}
		checks = append(checks, needed...)
	}
	if h.verifier, err = accesstoken.New(configs...); err != nil {
		return err
	}
	return readiness.Add(ctx, checks...)
}

// provisionIssuer sets up the keys of an issuer, and returns what it needs to be ready: they are
// fetched for a check if no token has needed them yet.
func (h *RequireToken) provisionIssuer(ctx caddy.Context, of *Issuer, config *accesstoken.Config) (checks []readiness.Check, err error) {
	transport, trusts, err := backchannel.Load(ctx, of, of.TransportRaw, idp.DefaultTimeout)
	if err != nil {
		return nil, err
	}
	access := issuers.Access{Storage: ctx.Storage(), Logger: h.logger, Transport: transport, Trusts: trusts, Metrics: ctx.GetMetricsRegistry()}
	if access.At, err = args.Resolve("discover", of.DiscoverAt); err != nil {
		return nil, err
	}
	var metadata *issuers.Handle // nil if nothing is looked up there
	switch {
	case of.JWKSURI == "" || h.Introspection != nil && h.Introspection.Endpoint == "":
		if metadata, err = issuers.Open(config.Issuer, access); err != nil {
			return nil, err
		}
		h.closing = append(h.closing, metadata.Close)
		h.servers.metadata = metadata
		checks = append(checks, metadata.Check())
	case access.At != "":
		return nil, errors.New("discover is of no use beside jwks_uri, as only the keys are looked up in the metadata; leave one out")
	}
	client := newClient(transport)
	if config.Keys, err = h.keys(of, config.Issuer, metadata, client, strings.Join([]string{access.At, trusts}, "\n")); err != nil {
		return nil, err
	}
	if config.Opaque, err = h.opaque(config.Issuer, metadata, client); err != nil {
		return nil, err
	}
	if asked := config.Opaque; asked != nil {
		return append(checks, readiness.IdentityProvider(config.Issuer, asked.Client.Transport, func(ctx context.Context) ([]*url.URL, error) {
			address, err := asked.Endpoint(ctx)
			if err != nil {
				return nil, err
			}
			u, err := url.Parse(address)
			return []*url.URL{u}, err
		})), nil
	}
	return append(checks, readiness.Check{Name: "issuer_keys", Of: config.Issuer, Probe: config.Keys.Ready}), nil
}

// keys are the issuer's. The pool's key names trusts, too: where the metadata is, and the
// transport's configuration are a part of whom to believe.
func (h *RequireToken) keys(of *Issuer, issuer string, metadata *issuers.Handle, client *http.Client, trusts string) (*jwks.Keys, error) {
	uri, err := args.Resolve("jwks_uri", of.JWKSURI)
	if err != nil {
		return nil, err
	}
	failed := func(err error) {
		// Of the configuration that is in force, not of the one that began.
		caddy.Log().Named("http.handlers.require_token").Error("the keys of the issuer can't be fetched", zap.String("issuer", issuer), zap.Error(err))
	}
	if uri != "" && !strings.Contains(uri, "://") {
		keys, err := jwks.InFile(uri, time.Now, failed)
		if err != nil {
			return nil, fmt.Errorf("jwks_uri: %w; write an https URL, or a file with the issuer's JWK Set", err)
		}
		return keys, nil
	}
	location, err := location(metadata, "jwks_uri", uri, func(m *discovery.Metadata) *url.URL { return m.JWKSURI })
	if err != nil {
		return nil, err
	}
	name := strings.Join([]string{issuer, uri, trusts}, "\n")
	value, _, _ := issuerKeys.LoadOrNew(name, func() (caddy.Destructor, error) {
		keys := new(pooledKeys)
		keys.Keys = jwks.New(location, &http.Client{Transport: keys}, time.Now, failed)
		return keys, nil
	})
	keys := value.(*pooledKeys)
	remove := keys.clients.Add(client)
	h.closing = append(h.closing, func() error {
		remove()
		_, err := issuerKeys.Delete(name)
		return err
	})
	return keys.Keys, nil
}

// opaque is how the issuer is asked about opaque tokens, nil if it is not.
func (h *RequireToken) opaque(issuer string, metadata *issuers.Handle, client *http.Client) (*accesstoken.Introspection, error) {
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
	location, err := location(metadata, "introspection", values[0], func(m *discovery.Metadata) *url.URL { return m.IntrospectionEndpoint })
	failures := decision.NewLog(h.logger)
	return &accesstoken.Introspection{
		Endpoint: location, ClientID: values[1], Secret: values[2], Client: client,
		Failed: func(err error) { // of any stranger's token
			failures.Limited(zap.ErrorLevel, "the issuer can't be asked about an access token", "", zap.String("issuer", issuer), zap.Error(err))
		},
	}, err
}

// location is a configured URL, or else one of the metadata.
func location(metadata *issuers.Handle, option, configured string, find func(*discovery.Metadata) *url.URL) (jwks.Location, error) {
	if configured != "" {
		if _, secure := parseSecure(configured); !secure {
			return nil, fmt.Errorf("%s must be an https URL (http only on 127.0.0.1, [::1] or localhost): whoever can alter the response decides which tokens are good", option)
		}
		return jwks.At(configured), nil
	}
	return func(ctx context.Context) (string, error) {
		m, err := metadata.Await(ctx)
		if err != nil {
			return "", err
		}
		if u := find(m); u != nil {
			return u.String(), nil
		}
		return "", fmt.Errorf("the issuer's metadata does not say; set %s", option)
	}, nil
}

// issuerKeys are the keys of issuers, which configurations share across reloads: a
// reload while the issuer is down loses none.
var issuerKeys = caddy.NewUsagePool()

// pooledKeys are keys in issuerKeys, and the clients of the configurations that use
// them. They are fetched by the newest one, whose transport has read its certificates
// last.
type pooledKeys struct {
	*jwks.Keys
	clients issuers.Newest[http.Client]
}

func (*pooledKeys) Destruct() error { return nil }

func (k *pooledKeys) RoundTrip(r *http.Request) (*http.Response, error) {
	client := k.clients.Get()
	if client == nil {
		return nil, errors.New("no configuration needs them any longer")
	}
	return client.Transport.RoundTrip(r)
}

// newClient reaches the issuer by a transport, or directly if that is nil.
func newClient(transport http.RoundTripper) *http.Client {
	if transport == nil {
		transport = issuers.NewTransport(16)
	}
	return &http.Client{Transport: transport}
}
