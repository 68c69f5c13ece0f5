package requiretoken

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
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
	if err := h.checkTokens(); err != nil {
		return err
	}
	configs, err := h.configs()
	if err != nil {
		return err
	}
	config := &configs[0]
	h.bearer = bearer.Challenge{
		ResourceMetadata: h.url, DPoP: h.DPoP,
		ACRValues: strings.Join(config.Authentication.ACR, " "), MaxAge: config.Authentication.MaxAge,
	}
	if err := h.provisionKeyring(ctx, config); err != nil {
		return err
	}
	if h.DPoP != oauth.Off {
		h.provisionProofs(config)
	}
	for i := range configs {
		configs[i].DPoP, configs[i].Proofs = config.DPoP, config.Proofs
	}
	if h.Tokens == idp.GatewayTokens {
		return h.provisionGateway(ctx, *config)
	}
	return h.provisionIssuers(ctx, configs)
}

// resolve replaces the placeholders in the resource and compiles it.
func (r *Resource) resolve() (err error) {
	if r.Resource, err = args.Resolve("resource", r.Resource); err != nil {
		return err
	}
	if r.AuthorizationServers, err = args.ResolveAll("authorization_servers", r.AuthorizationServers); err != nil {
		return err
	}
	return r.compile()
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
	var known string
	if h.proofs != nil || h.TokenFrom.Cookie != "" { // what alone is held to it
		known = h.clientURL(request)
	}
	return h.verifier.VerifyRequest(request.Context(), request, known, passed)
}
