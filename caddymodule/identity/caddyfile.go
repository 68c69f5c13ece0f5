package identity

import (
	"cmp"
	"crypto/rand"
	"slices"
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity/sites"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/backchannel"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/signing"
)

func init() {
	httpcaddyfile.RegisterDirective("identity_gateway", parseGateway)
	httpcaddyfile.RegisterDirectiveOrder("identity_gateway", httpcaddyfile.After, "encode")
}

// parseGateway is what [httpcaddyfile.RegisterHandlerDirective] would do, and looks
// at the matcher.
func parseGateway(h httpcaddyfile.Helper) ([]httpcaddyfile.ConfigValue, error) {
	g := new(Gateway)
	set, segment, err := args.Unmarshal(h, g)
	if err != nil {
		return nil, err
	}
	sites.WarnOfUnseen(set, g.Callback, segment, caddy.Log().Named(string(g.CaddyModule().ID)))
	if err := g.CheckPolicy(); err != nil {
		segment.Locate(&err)
		return nil, err
	}
	return h.NewRoute(set, g), nil
}

// UnmarshalCaddyfile sets up the handler from Caddyfile tokens:
// identity_gateway [<matcher>] <auth_url> { … }, with the options of README.md.
func (g *Gateway) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the directive's name
	if !d.NextArg() {
		return d.Err("the address of the identity provider is missing: identity_gateway <auth_url>; " +
			"if it comes from an environment variable, such as AUTH_URL, set that")
	}
	g.AuthURL = d.Val()
	if !args.HasPlaceholder(g.AuthURL) {
		if _, err := idp.ParseAuthURL(g.AuthURL); err != nil {
			return d.WrapErr(err)
		}
	}
	return args.Alone(d, "identity_gateway", args.Options{
		"discover":            args.Once(g.unmarshalDiscover),
		"front_channel":       args.OneOf(&g.FrontChannel, idp.RedirectFrontChannel, idp.ProxyFrontChannel),
		"parameters":          args.Repeatable(g.unmarshalParameters),
		"client":              args.Repeatable(g.unmarshalClient),
		"dynamic_clients":     args.Once(g.unmarshalDynamicClients),
		"resource":            args.Repeatable(g.unmarshalResource),
		"authorize_parameter": args.Repeatable(g.unmarshalAuthorizeParameter),
		"endpoint":            args.Repeatable(g.unmarshalEndpoint),
		"deny_path":           args.Repeatable(g.unmarshalDenyPaths),
		"callback":            args.Once(g.unmarshalCallback),
		"login_timeout":       args.Duration(&g.LoginTimeout),
		"sealing_key":         args.Strings(&g.SealingKeys),
		"signing_key":         args.Strings(&g.SigningKeys),
		"replay":              args.Once(g.unmarshalReplay),
		"rotate_refresh": args.Once(func(d *caddyfile.Dispenser) error {
			g.RotateRefresh = new(RefreshRotation)
			return args.Alone(d, "rotate_refresh", args.Options{
				"grace": args.Duration(&g.RotateRefresh.Grace),
				"idle":  args.Duration(&g.RotateRefresh.Idle),
			})
		}),
		"backchannel_logout": args.Flag(&g.BackchannelLogout),
		"id_tokens":          args.OneOf(&g.IDTokens, idp.GatewayIDTokens, idp.IdPIDTokens),
		"step_up":            args.Flag(&g.StepUp),
		"users":              args.Repeatable(g.unmarshalUsers),
		"token_claims":       args.Repeatable(g.unmarshalTokenClaims),
		"trust":              args.Repeatable(g.unmarshalTrust),
		"issuer":             args.String(&g.Issuer),
		"public_url":         args.String(&g.PublicURL),
		"pages":              args.Once(g.unmarshalPages),
		"response_timeout":   args.Duration(&g.ResponseTimeout),
		"transport": args.Once(func(d *caddyfile.Dispenser) (err error) {
			g.TransportRaw, err = backchannel.Unmarshal(d)
			return err
		}),
	})
}

func (g *Gateway) unmarshalClient(d *caddyfile.Dispenser) error {
	ids, err := args.List(d)
	if err != nil {
		return err
	}
	if len(ids) != 1 {
		return d.Errf("client needs one id, not %d; each client has a block of its own, and if the id comes from an environment variable, set that", len(ids))
	}
	c := idp.ClientConfig{ID: ids[0]}
	if err := args.Block(d, "client", args.Options{
		"redirect_uri":        args.Strings(&c.RedirectURIs),
		"return_to":           args.Strings(&c.ReturnTo),
		"origin":              args.Strings(&c.Origins, cors.CheckOrigin),
		"audience":            args.Strings(&c.Audiences),
		"scope":               args.Strings(&c.Scopes),
		"parameter":           args.Strings(&c.Parameters),
		"token_endpoint_auth": args.Repeatable(func(d *caddyfile.Dispenser) error { return unmarshalAuth(d, &c) }),
		"certificate_bound":   args.Flag(&c.CertificateBound),
		"client_credentials":  args.Flag(&c.ClientCredentials),
		"consent": args.Once(func(d *caddyfile.Dispenser) error {
			c.Consent = true
			if d.NextArg() {
				c.Name = d.Val()
			}
			return args.None(d)
		}),
		"dpop":         args.OneOf(&c.DPoP, oauth.Optional, oauth.Required),
		"par":          args.OneOf(&c.Push, oauth.Optional, oauth.Required),
		"pkce":         args.OneOf(&c.PKCE, oauth.Optional, oauth.Required),
		"id_token_alg": args.OneOf(&c.IDTokenAlgorithm, signing.Algorithms()...),
		"idp_client":   idpClient(&c.IdPClient),
	}); err != nil {
		return err
	}
	g.Clients = append(g.Clients, c)
	return nil
}

// unmarshalAuth reads methods of client authentication, and behind the last one what the
// client shows here.
func unmarshalAuth(d *caddyfile.Dispenser, c *idp.ClientConfig) error {
	words, err := args.List(d)
	if err != nil {
		return err
	}
	methods := idp.AuthMethods()
	n := 0
	for n < len(words) && slices.Contains(methods, words[n]) {
		n++
	}
	unknown := ""
	if n < len(words) {
		unknown = args.Suggest(words[n], methods) // without the word: it may be a secret
	}
	if n == 0 || unknown != "" {
		return d.Err("token_endpoint_auth needs a method: " + strings.Join(methods, ", ") + unknown)
	}
	c.AuthMethods = append(c.AuthMethods, words[:n]...)
	shown := words[n:]
	if len(shown) == 0 {
		return nil
	}
	switch method := words[n-1]; {
	case method == idp.AuthSecretBasic || method == idp.AuthSecretPost:
		c.SecretHashes = append(c.SecretHashes, shown...)
	case method == idp.AuthSelfSignedTLS:
		c.CertificateHashes = append(c.CertificateHashes, shown...)
	case method == idp.AuthPrivateKeyJWT && len(shown) == 1 && c.JWKS == "":
		c.JWKS = shown[0]
	case method == idp.AuthTLS && len(shown) == 2 && c.CertificateName.Kind == "":
		c.CertificateName = idp.CertificateName{Kind: shown[0], Value: shown[1]}
	default:
		return d.Err("token_endpoint_auth: once private_key_jwt <file or URL>, once tls_client_auth subject_dn|san_dns|san_uri|san_ip|san_email <name>, " +
			"with a subject that has spaces in quotes, and none with nothing behind it; if it comes from an environment variable, set that")
	}
	return nil
}

func (g *Gateway) unmarshalResource(d *caddyfile.Dispenser) error {
	uri, err := args.One(d)
	if err != nil {
		return err
	}
	r := idp.ResourceConfig{URI: uri}
	if err := args.Block(d, "resource", args.Options{
		"scope": args.Repeatable(func(d *caddyfile.Dispenser) error {
			names, err := args.List(d)
			if err != nil {
				return err
			}
			if len(names) == 0 {
				return d.Err("scope needs a name: scope <name> [<names at the identity provider...>]")
			}
			r.Scopes = append(r.Scopes, idp.ScopeConfig{Name: names[0], AtIdP: names[1:]})
			return nil
		}),
		"default_scope": args.Strings(&r.DefaultScopes),
		"idp": args.Once(func(d *caddyfile.Dispenser) error {
			return args.Unquoted(d, d.Val(), d.RemainingArgs(), (*string)(&r.Indicator), &r.Audience)
		}),
		"tokens":         args.OneOf(&r.Tokens, idp.GatewayTokens, idp.JWTTokens, idp.IdPTokens),
		"upstream_token": args.Flag(&r.UpstreamToken),
		"exchange": args.Once(func(d *caddyfile.Dispenser) error {
			words, err := args.List(d)
			if err != nil {
				return err
			}
			if len(words) == 0 {
				return d.Err("exchange needs an audience: exchange <audience> [<scopes...>]")
			}
			r.Exchange = &idp.ExchangeConfig{Audience: words[0], Scopes: words[1:]}
			return nil
		}),
		"introspection": args.Once(func(d *caddyfile.Dispenser) error {
			r.Introspection = new(idp.IntrospectionConfig)
			if !d.Args(&r.Introspection.ClientID, &r.Introspection.ClientSecret) {
				return d.Err("introspection needs an id and a secret, such as {env.INTROSPECTION_SECRET}")
			}
			return args.None(d)
		}),
	}); err != nil {
		return err
	}
	g.Resources = append(g.Resources, r)
	return nil
}

func (g *Gateway) unmarshalAuthorizeParameter(d *caddyfile.Dispenser) error {
	var name, value string
	if !d.Args(&name, &value) || d.NextArg() {
		return d.Err("authorize_parameter needs a name and a value: authorize_parameter <name> <value>; a value with spaces is in quotes")
	}
	if _, twice := g.AuthorizeParameters[name]; twice || name == "audience" && g.DefaultAudience != "" {
		return d.Errf("authorize_parameter %s is given twice", name)
	}
	if name == "audience" { // which clients may choose
		g.DefaultAudience = value
		return nil
	}
	if g.AuthorizeParameters == nil {
		g.AuthorizeParameters = make(map[string]string)
	}
	g.AuthorizeParameters[name] = value
	return nil
}

// unmarshalParameters reads contract or oauth, nonce, or both.
func (g *Gateway) unmarshalParameters(d *caddyfile.Dispenser) error {
	words, err := args.List(d)
	if err != nil {
		return err
	}
	known := []string{string(idp.ContractParameters), string(idp.OAuthParameters), "nonce"}
	for _, word := range words {
		switch {
		case !slices.Contains(known, word):
			return d.Errf("parameters must be contract or oauth, with nonce or without, not %q%s", word, args.Suggest(word, known))
		case word == "nonce":
			g.Nonce = idp.NonceRequired
		case g.Parameters != "":
			return d.Errf("parameters %s is given twice, or with another one of contract and oauth", word)
		default:
			g.Parameters = idp.ParameterRules(word)
		}
	}
	if len(words) == 0 {
		return d.Err("parameters needs contract or oauth, or nonce, or both, such as: parameters oauth nonce")
	}
	return nil
}

// unmarshalEndpoint reads endpoint <which> <path or URL>. The form of logouts follows that of
// logout, and whoever names par has requests pushed; with discover these two need no address.
func (g *Gateway) unmarshalEndpoint(d *caddyfile.Dispenser) error {
	words, err := args.List(d)
	if err != nil || len(words) == 0 {
		return cmp.Or(err, errEndpoint(d))
	}
	var endpoint idp.Endpoint
	if err := endpoint.UnmarshalText([]byte(words[0])); err != nil {
		return d.WrapErr(err)
	}
	at := words[1:]
	last := len(at) - 1
	alone := endpoint == idp.PushedRequest
	switch {
	case alone:
		g.PAR = idp.PAROn
	case endpoint == idp.Logout && last >= 0 && slices.Contains(logoutProtocols, idp.LogoutProtocol(at[last])):
		if g.LogoutProtocol != "" {
			return d.Errf("the form of endpoint logout is given twice: %s and %s", g.LogoutProtocol, at[last])
		}
		g.LogoutProtocol, at, alone = idp.LogoutProtocol(at[last]), at[:last], true
	case endpoint == idp.Logout && last >= 0 && !strings.ContainsAny(at[last], "/{"):
		return args.NotOneOf(d, "the form of endpoint logout", at[last], logoutProtocols)
	}
	switch {
	case len(at) == 0 && alone:
		return nil
	case len(at) != 1:
		return errEndpoint(d)
	case g.Endpoints[endpoint] != "":
		return d.Errf("endpoint %s is given twice", words[0])
	case g.Endpoints == nil:
		g.Endpoints = make(map[idp.Endpoint]string)
	}
	g.Endpoints[endpoint] = at[0]
	return nil
}

var logoutProtocols = []idp.LogoutProtocol{idp.Auth0Logout, idp.RPInitiatedLogout, idp.CognitoLogout, idp.NoLogout}

func errEndpoint(d *caddyfile.Dispenser) error {
	return d.Err("endpoint needs a name and a path or URL: endpoint authorize|token|userinfo|revoke <path or URL>, " +
		"endpoint logout [<path or URL>] [auth0|rp_initiated|cognito|none], endpoint par [<path or URL>]")
}

func (g *Gateway) unmarshalDenyPaths(d *caddyfile.Dispenser) error {
	entries, err := args.List(d)
	if err != nil {
		return err
	}
	if len(entries) == 0 {
		return d.Err("deny_path needs at least one argument")
	}
	for _, entry := range entries {
		if err := idp.CheckDenyPath(entry); err != nil {
			return d.WrapErr(err)
		}
	}
	g.DenyPaths = append(g.DenyPaths, entries...)
	return nil
}

// idpClient is the option of that name.
func idpClient(target **idp.IdPClientConfig) args.Option {
	return args.Once(func(d *caddyfile.Dispenser) error {
		id, err := args.One(d)
		if err != nil {
			return err
		}
		c := &idp.IdPClientConfig{ID: id}
		*target = c
		return args.Block(d, "idp_client", args.Options{
			"secret": args.Once(func(d *caddyfile.Dispenser) error {
				return args.Unquoted(d, d.Val(), d.RemainingArgs(), &c.Secret, &c.AuthMethod)
			}),
			"private_key_jwt": args.Once(func(d *caddyfile.Dispenser) error { return unmarshalPrivateKey(d, c) }),
			"tls_client_auth": args.Once(func(d *caddyfile.Dispenser) error {
				c.AuthMethod = idp.AuthTLS
				return args.None(d)
			}),
		})
	})
}

// unmarshalPrivateKey reads private_key_jwt <file> [<kid>] [issuer|endpoint].
func unmarshalPrivateKey(d *caddyfile.Dispenser, c *idp.IdPClientConfig) error {
	name, values := d.Val(), d.RemainingArgs()
	if last := len(values) - 1; last > 0 && (values[last] == idp.IssuerAudience || values[last] == idp.EndpointAudience) {
		c.Audience, values = values[last], values[:last]
	}
	return args.Unquoted(d, name, values, &c.PrivateKeyFile, &c.KeyID)
}

func (g *Gateway) unmarshalCallback(d *caddyfile.Dispenser) error {
	g.Callback = idp.DefaultCallback
	if d.NextArg() {
		g.Callback = d.Val()
	}
	return args.None(d)
}

// CheckPolicy finds what the policy rejects while there is a line to name. Whatever
// depends on placeholders, or on files, which may be on another machine, is found when the
// configuration is loaded.
func (g *Gateway) CheckPolicy() error {
	known := new(Gateway)
	if err := args.MapStrings(g, known, withoutPlaceholders); err != nil {
		return err
	}
	if unknown := func(r idp.ResourceConfig) bool { return args.HasPlaceholder(r.URI) }; slices.ContainsFunc(g.Resources, unknown) {
		known.forgetAudiences()
	}
	if args.HasPlaceholder(g.DefaultAudience) {
		known.DefaultAudience = ""
	}
	for i, c := range g.Clients {
		if slices.ContainsFunc(c.Audiences, args.HasPlaceholder) {
			known.forgetAudiences()
		}
		forgetSecrets(&known.Clients[i], c)
	}
	for i, r := range g.Resources {
		if r.Introspection != nil && args.HasPlaceholder(r.Introspection.ClientSecret) {
			known.Resources[i].Introspection.ClientSecret = rand.Text() + rand.Text()
		}
	}
	if known.DynamicClients != nil {
		forgetKey(known.DynamicClients.IdPClient)
	}
	forgetPages(known.Pages, g.Pages)
	config, err := known.PolicyConfig()
	if err != nil {
		return err
	}
	_, err = idp.NewPolicy(config)
	return err
}

// withoutPlaceholders is an address that passes wherever a value has a placeholder (RFC
// 2606 section 2).
func withoutPlaceholders(at args.Place, value string) (string, error) {
	if !args.HasPlaceholder(value) {
		return value, nil
	}
	switch at.Key {
	case "id": // a name, which errors show
		return strings.NewReplacer("{", "", "}", "").Replace(value), nil
	case "email": // of users
		return "placeholder@placeholder.invalid", nil
	case "domain":
		return "placeholder.invalid", nil
	}
	notInHost := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }
	return "https://" + strings.Join(strings.FieldsFunc(strings.ToLower(value), notInHost), "-") + ".invalid", nil
}

// forgetAudiences is for those of which it is not known whether they are the default, or
// resources.
func (g *Gateway) forgetAudiences() {
	g.DefaultAudience = ""
	for i := range g.Clients {
		g.Clients[i].Audiences = nil
	}
}

// forgetSecrets has something that passes in the place of the secrets that the original has
// in files and placeholders.
func forgetSecrets(c *idp.ClientConfig, original idp.ClientConfig) {
	forgetKey(c.IdPClient)
	for i, hash := range original.SecretHashes {
		if args.HasPlaceholder(hash) {
			c.SecretHashes[i] = strings.Repeat("0", 64)
		}
	}
	for i, hash := range original.CertificateHashes {
		if args.HasPlaceholder(hash) {
			c.CertificateHashes[i] = strings.Repeat("0", 64)
		}
	}
	if args.HasPlaceholder(original.CertificateName.Value) {
		c.CertificateName = idp.CertificateName{Kind: clientcert.SANDNS, Value: "placeholder.invalid"}
	}
	if c.JWKS != "" && (args.HasPlaceholder(original.JWKS) || !strings.Contains(c.JWKS, "://")) {
		c.JWKS = "https://placeholder.invalid"
	}
}

// forgetKey has a secret in the place of a private key.
func forgetKey(c *idp.IdPClientConfig) {
	if c != nil && c.PrivateKeyFile != "" && c.Secret == "" {
		c.PrivateKeyFile, c.KeyID, c.Audience, c.Secret = "", "", "", "of a private key"
	}
}

// Interface guard
var _ caddyfile.Unmarshaler = (*Gateway)(nil)
