package requiretoken

import (
	"errors"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/backchannel"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/mcp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/paths"
)

func init() {
	httpcaddyfile.RegisterDirective("require_token", parseRequireToken)
	// After identity_gateway, which follows encode: a client without a token has to
	// reach that to get one. Before everything that responds.
	httpcaddyfile.RegisterDirectiveOrder("require_token", httpcaddyfile.Before, "push")
}

// parseRequireToken is what [httpcaddyfile.RegisterHandlerDirective] would do. What
// the matcher leaves out of a resource's metadata gets a route of its own.
func parseRequireToken(h httpcaddyfile.Helper) ([]httpcaddyfile.ConfigValue, error) {
	handler := new(RequireToken)
	matcher, segment, err := args.Unmarshal(h, handler)
	if err != nil {
		return nil, err
	}
	routes := h.NewRoute(matcher, handler)
	if matcher == nil || handler.Resource.Resource == "" {
		return routes, nil
	}
	described := handler.Metadata()
	segment.Of(described)
	paths := caddy.ModuleMap{"path": caddyconfig.JSON([]string{wellKnown, wellKnown + "/*"}, nil)}
	return append(h.NewRoute(paths, described), routes...), nil
}

// Metadata serves the metadata of the resource where the matcher of the handler does not let it.
func (h *RequireToken) Metadata() *ResourceMetadata {
	return &ResourceMetadata{
		Resource: Resource{Resource: h.Resource.Resource, AuthorizationServers: h.AuthorizationServers},
		Issuer:   h.Issuer, Scopes: h.Scopes, DPoP: h.DPoP, TransportRaw: h.TransportRaw,
	}
}

// UnmarshalCaddyfile sets up the handler from Caddyfile tokens:
// require_token [<matcher>] <issuer> [<audiences...>] { … }, with the options of README.md.
// One audience or one client is required.
func (h *RequireToken) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the directive's name
	return h.Unmarshal(d)
}

// Unmarshal is [RequireToken.UnmarshalCaddyfile] as a subdirective of another one,
// on whose name d stands.
func (h *RequireToken) Unmarshal(d *caddyfile.Dispenser) error {
	arguments, err := args.List(d)
	if err != nil {
		return err
	}
	if len(arguments) == 0 {
		return d.Err("the issuer of the access tokens is missing: require_token <issuer> [<audiences...>]; if it comes from an environment variable, set that")
	}
	h.Issuer, h.Audiences = arguments[0], arguments[1:]
	if !args.HasPlaceholder(h.Issuer) {
		if err := discovery.CheckIssuer(h.Issuer); err != nil {
			return d.Errf("%s: %w; write it as it stands in tokens (iss), such as https://your-tenant.eu.auth0.com/", h.Issuer, err)
		}
	}
	if err := args.Block(d, "require_token", args.Options{
		"audience":      args.Strings(&h.Audiences),
		"client":        args.Strings(&h.Clients),
		"scope":         args.Strings(&h.Scopes),
		"acr":           args.Strings(&h.ACR),
		"amr":           args.Strings(&h.AMR),
		"max_age":       args.Duration(&h.MaxAge),
		"typ":           args.Strings(&h.Types),
		"cache":         args.Duration(&h.CacheTTL),
		"tokens":        args.OneOf(&h.Tokens, idp.GatewayTokens, idp.IdPTokens),
		"dpop":          args.OneOf(&h.DPoP, oauth.Optional, oauth.Required),
		"sealing_key":   args.Strings(&h.SealingKeys),
		"jwks_uri":      args.String(&h.JWKSURI),
		"introspection": args.Once(h.unmarshalIntrospection),
		"transport": args.Once(func(d *caddyfile.Dispenser) (err error) {
			h.TransportRaw, err = backchannel.Unmarshal(d)
			return err
		}),
		"resource":             args.String(&h.Resource.Resource),
		"authorization_server": args.Strings(&h.AuthorizationServers),
		"public":               args.Strings(&h.Public),
		"header":               args.Repeatable(h.unmarshalHeader),
		"upstream_token":       args.String(&h.UpstreamToken),
		"origin":               args.Strings(&h.Origins, cors.CheckOrigin),
		"tool":                 args.Repeatable(h.unmarshalTool),
	}); err != nil {
		return err
	}
	if len(h.Audiences) == 0 && len(h.Clients) == 0 {
		return errors.New("audience is missing in require_token: name what this resource server is called in tokens (aud), or in client which clients may ask")
	}
	public, err := paths.NewPublic(h.Public)
	if err != nil {
		return err
	}
	if _, err := h.foldHeaders(); err != nil {
		return err
	}
	h.needsUpstream = h.UpstreamToken != ""
	if err := h.checkTokens(); err != nil {
		return err
	}
	if h.Tokens == idp.GatewayTokens {
		h.describeResource()
	}
	if args.HasPlaceholder(h.Resource.Resource) {
		return nil // a placeholder
	}
	resource := h.Resource
	if err := resource.compile(); err != nil {
		return err
	}
	return resource.checkPublic(public)
}

// describeResource fills in what follows for tokens of a gateway's own.
func (h *RequireToken) describeResource() {
	if h.Resource.Resource == "" && len(h.Audiences) == 1 {
		h.Resource.Resource = h.Audiences[0]
	}
	if h.Resource.Resource != "" && len(h.AuthorizationServers) == 0 {
		h.AuthorizationServers = []string{h.Issuer}
	}
}

func (h *RequireToken) unmarshalIntrospection(d *caddyfile.Dispenser) error {
	h.Introspection = new(Introspection)
	if !d.Args(&h.Introspection.ClientID, &h.Introspection.ClientSecret) {
		return d.Err("introspection needs a client id and its secret, such as {env.INTROSPECTION_SECRET}")
	}
	if d.NextArg() {
		h.Introspection.Endpoint = d.Val()
	}
	return args.None(d)
}

func (h *RequireToken) unmarshalHeader(d *caddyfile.Dispenser) error {
	var field, claim string
	if !d.Args(&field, &claim) || d.NextArg() {
		return d.Err("header needs a field and a claim, such as: header X-User sub")
	}
	if h.Headers[field] != "" {
		return d.Errf("header %s is given twice", field)
	}
	if h.Headers == nil {
		h.Headers = make(map[string]string)
	}
	h.Headers[field] = claim
	return nil
}

func (h *RequireToken) unmarshalTool(d *caddyfile.Dispenser) error {
	var name, word string
	if !d.Args(&name, &word) || word != "scope" {
		return d.Err("tool needs a name and what its calls need, such as: tool delete_file scope files.write")
	}
	scopes := d.RemainingArgs()
	if len(scopes) == 0 {
		return d.Errf("tool %s needs at least one scope", name)
	}
	if h.Tools[name] != nil {
		return d.Errf("tool %s is given twice", name)
	}
	if h.Tools == nil {
		h.Tools = make(mcp.Policy)
	}
	h.Tools[name] = scopes
	return nil
}

// Interface guard
var _ caddyfile.Unmarshaler = (*RequireToken)(nil)
