package requiretoken

import (
	"errors"
	"slices"

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
		Issuer:   h.Name, Scopes: h.Scopes, DPoP: h.DPoP, DiscoverAt: h.DiscoverAt, TransportRaw: h.TransportRaw,
	}
}

// UnmarshalCaddyfile sets up the handler from Caddyfile tokens:
// require_token [<matcher>] [<issuer> [<audiences...>]] { … }, with the options of README.md.
// The issuer, or blocks of issuers, and for each one audience or one client are required.
func (h *RequireToken) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the directive's name
	arguments, err := args.List(d)
	if err != nil {
		return err
	}
	notIssuer := d.Err("the issuer of the access tokens is missing: require_token <issuer> [<audiences...>], or blocks: issuer <issuer> { … }; " +
		"if it comes from an environment variable, set that")
	if len(arguments) > 0 {
		h.Name, h.Audiences = arguments[0], arguments[1:]
		notIssuer = checkIssuer(d, h.Name)
	}
	if err := args.Block(d, "require_token", h.options(args.Options{
		"issuer":         args.Repeatable(h.unmarshalIssuer),
		"acr":            args.Strings(&h.ACR),
		"max_age":        args.Duration(&h.MaxAge),
		"cache":          args.Duration(&h.CacheTTL),
		"tokens":         args.OneOf(&h.Tokens, idp.GatewayTokens, idp.IdPTokens),
		"token_from":     args.Repeatable(h.unmarshalTokenFrom),
		"dpop":           args.OneOf(&h.DPoP, oauth.Optional, oauth.Required),
		"sealing_key":    args.Strings(&h.SealingKeys),
		"introspection":  args.Once(h.unmarshalIntrospection),
		"resource":       args.Once(h.unmarshalResource),
		"public":         args.Strings(&h.Public),
		"header":         args.Repeatable(h.unmarshalHeader),
		"upstream_token": args.String(&h.UpstreamToken),
		"origin":         args.Strings(&h.Origins, cors.CheckOrigin),
		"tool":           args.Repeatable(h.unmarshalTool),
	})); err != nil {
		return err
	}
	if h.JWKSURI == "" && len(h.Issuers) == 0 && notIssuer != nil {
		return notIssuer
	}
	if slices.ContainsFunc(h.all(), func(i *Issuer) bool { return len(h.Audiences)+len(i.Audiences)+len(i.Clients) == 0 }) {
		return errors.New("audience is missing in require_token: give the name of this resource server in tokens (aud), or the clients that may ask (client)")
	}
	public, err := paths.NewPublic(h.Public)
	if err != nil {
		return err
	}
	if _, err := h.foldHeaders(); err != nil {
		return err
	}
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
		h.AuthorizationServers = []string{h.Name}
	}
}

// checkIssuer is for an issuer whose metadata has to be found.
func checkIssuer(d *caddyfile.Dispenser, issuer string) error {
	if args.HasPlaceholder(issuer) {
		return nil
	}
	if err := discovery.CheckIssuer(issuer); err != nil {
		return d.Errf("%s: %w; write it as it stands in tokens (iss), such as https://your-tenant.eu.auth0.com/; one that is not an https URL needs jwks_uri", issuer, err)
	}
	return nil
}

func (h *RequireToken) unmarshalIssuer(d *caddyfile.Dispenser) error {
	i := new(Issuer)
	var err error
	if i.Name, err = args.One(d); err != nil {
		return err
	}
	notIssuer := checkIssuer(d, i.Name)
	if err := args.Block(d, "issuer", i.options(args.Options{
		"prefix":          args.String(&i.Prefix),
		"identity_tokens": args.Flag(&i.IdentityTokens),
	})); err != nil {
		return err
	}
	if i.JWKSURI == "" && notIssuer != nil {
		return notIssuer
	}
	h.Issuers = append(h.Issuers, *i)
	return nil
}

// options are those of an issuer, the only one or one of several in blocks, and more.
func (i *Issuer) options(more args.Options) args.Options {
	more["audience"] = args.Strings(&i.Audiences)
	more["client"] = args.Strings(&i.Clients)
	more["scope"] = args.Strings(&i.Scopes)
	more["claim"] = args.Claims(&i.Claims)
	more["typ"] = args.Strings(&i.Types)
	more["alg"] = args.Strings(&i.Algorithms)
	more["discover"] = args.String(&i.DiscoverAt)
	more["jwks_uri"] = args.String(&i.JWKSURI)
	more["transport"] = args.Once(i.unmarshalTransport)
	return more
}

func (i *Issuer) unmarshalTransport(d *caddyfile.Dispenser) (err error) {
	i.TransportRaw, err = backchannel.Unmarshal(d)
	return err
}

func (h *RequireToken) unmarshalTokenFrom(d *caddyfile.Dispenser) error {
	var kind, name string
	target := map[string]*string{"cookie": &h.TokenFrom.Cookie, "header": &h.TokenFrom.Header}
	if !d.Args(&kind, &name) || d.NextArg() || target[kind] == nil {
		return d.Err("token_from needs cookie or header, and a name, such as: token_from cookie __Host-token")
	}
	if *target[kind] != "" {
		return d.Errf("token_from %s is given twice", kind)
	}
	*target[kind] = name
	if err := h.TokenFrom.Check(); err != nil {
		return d.WrapErr(err)
	}
	return nil
}

// unmarshalResource reads resource <url> [<authorization servers...>].
func (h *RequireToken) unmarshalResource(d *caddyfile.Dispenser) error {
	words, err := args.List(d)
	if err != nil {
		return err
	}
	if len(words) == 0 {
		return d.Err("resource needs the URL under which clients reach what is protected: resource <url> [<authorization servers...>]; " +
			"if it comes from an environment variable, set that")
	}
	h.Resource.Resource, h.AuthorizationServers = words[0], words[1:]
	return nil
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
	if !d.Args(&name) || d.Args(&word) && word != "scope" {
		return d.Err("tool needs a name and what its calls need, such as: tool delete_file scope files.write; or a block with scope and claim")
	}
	if _, twice := h.Tools[name]; twice {
		return d.Errf("tool %s is given twice", name)
	}
	var rule mcp.Rule
	if rule.Scopes = d.RemainingArgs(); word != "" && len(rule.Scopes) == 0 {
		return d.Errf("tool %s needs at least one scope", name)
	}
	if err := args.Block(d, "tool", args.Options{"scope": args.Strings(&rule.Scopes), "claim": args.Claims(&rule.Claims)}); err != nil {
		return err
	}
	if len(rule.Scopes)+len(rule.Claims) == 0 {
		return d.Errf("tool %s needs a scope or a claim: tool %s { scope <scopes...>; claim <name> <values...> }", name, name)
	}
	if h.Tools == nil {
		h.Tools = make(mcp.Policy)
	}
	h.Tools[name] = rule
	return nil
}

// Interface guard
var _ caddyfile.Unmarshaler = (*RequireToken)(nil)
