package identity

import (
	"strconv"
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy"
	"github.com/dustin/go-humanize"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

func init() {
	httpcaddyfile.RegisterHandlerDirective("identity_gateway", parseGateway)
	httpcaddyfile.RegisterDirectiveOrder("identity_gateway", httpcaddyfile.After, "encode")
}

func parseGateway(h httpcaddyfile.Helper) (caddyhttp.MiddlewareHandler, error) {
	g := new(Gateway)
	if err := g.UnmarshalCaddyfile(h.Dispenser); err != nil {
		return nil, err
	}
	if g.Upstream != nil {
		if err := g.Upstream.FinalizeUnmarshalCaddyfile(h); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// UnmarshalCaddyfile sets up the handler from Caddyfile tokens. Syntax:
//
//	identity_gateway [<matcher>] <auth_url> {
//	    front_channel    redirect|proxy
//	    parameters       interface|oauth
//	    default_audience <audience>
//	    require_state
//
//	    client <id> {
//	        redirect_uri        <uris...>
//	        return_to           <uris...>
//	        origin              <origins...>
//	        grant_types         <types...>
//	        audience            <audiences...>
//	        scope               <scopes...>
//	        token_endpoint_auth <methods...>
//	    }
//
//	    endpoint authorize|token|userinfo|logout <path>
//	    logout_protocol auth0|rp_initiated
//
//	    ledger memory|storage|off {
//	        ttl      <duration>
//	        capacity <entries>
//	        storage  <module> { ... }
//	    }
//
//	    max_request_body <size>
//	    max_answer       <size>
//	    answer_timeout   <duration>
//
//	    upstream [<addresses...>] {
//	        # the subdirectives of reverse_proxy
//	    }
//	}
//
// client may be repeated, and so may its list options.
func (g *Gateway) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the directive's name
	if !d.NextArg() {
		return d.Err("the address of the identity provider is missing: identity_gateway <auth_url>")
	}
	g.AuthURL = d.Val()
	if !strings.Contains(g.AuthURL, "{") {
		if _, err := idp.ParseAuthURL(g.AuthURL); err != nil {
			return d.WrapErr(err)
		}
	}
	if d.NextArg() {
		return d.Errf("unexpected argument %s after the address of the identity provider", d.Val())
	}
	seen := make(map[string]bool)
	for d.NextBlock(0) {
		option := d.Val()
		if seen[option] && option != "client" && option != "endpoint" {
			return d.Errf("%s is given twice", option)
		}
		seen[option] = true
		if err := g.unmarshalOption(d, option); err != nil {
			return err
		}
	}
	return nil
}

func (g *Gateway) unmarshalOption(d *caddyfile.Dispenser, option string) (err error) {
	switch option {
	case "front_channel":
		g.FrontChannel, err = oneOf(d, "redirect", "proxy")
	case "parameters":
		g.Parameters, err = oneOf(d, string(idp.InterfaceParameters), string(idp.OAuthParameters))
	case "logout_protocol":
		g.LogoutProtocol, err = oneOf(d, string(idp.Auth0Logout), string(idp.RPInitiatedLogout))
	case "default_audience":
		g.DefaultAudience, err = oneArg(d)
	case "require_state":
		g.RequireState = true
		err = noArgs(d)
	case "client":
		err = g.unmarshalClient(d)
	case "endpoint":
		err = g.unmarshalEndpoint(d)
	case "ledger":
		err = g.unmarshalLedger(d)
	case "max_request_body":
		g.MaxRequestBody, err = size(d)
	case "max_answer":
		g.MaxAnswer, err = size(d)
	case "answer_timeout":
		g.AnswerTimeout, err = duration(d)
	case "upstream":
		g.Upstream = new(reverseproxy.Handler)
		err = g.Upstream.UnmarshalCaddyfile(d.NewFromNextSegment())
	default:
		err = d.Errf("unknown option %s of identity_gateway", option)
	}
	return err
}

func (g *Gateway) unmarshalClient(d *caddyfile.Dispenser) error {
	id, err := oneArg(d)
	if err != nil {
		return err
	}
	c := Client{ID: id}
	for nesting := d.Nesting(); d.NextBlock(nesting); {
		var list *[]string
		switch d.Val() {
		case "redirect_uri":
			list = &c.RedirectURIs
		case "return_to":
			list = &c.ReturnTo
		case "origin":
			list = &c.Origins
		case "grant_types":
			list = &c.GrantTypes
		case "audience":
			list = &c.Audiences
		case "scope":
			list = &c.Scopes
		case "token_endpoint_auth":
			list = &c.TokenEndpointAuth
		default:
			return d.Errf("unknown option %s of client", d.Val())
		}
		args := d.RemainingArgs()
		if len(args) == 0 {
			return d.ArgErr()
		}
		*list = append(*list, args...)
	}
	g.Clients = append(g.Clients, c)
	return nil
}

func (g *Gateway) unmarshalEndpoint(d *caddyfile.Dispenser) error {
	var name, path string
	if !d.Args(&name, &path) || d.NextArg() {
		return d.Err("write: endpoint authorize|token|userinfo|logout <path>")
	}
	if _, err := idp.EndpointNamed(name); err != nil {
		return d.WrapErr(err)
	}
	if g.Endpoints[name] != "" {
		return d.Errf("endpoint %s is given twice", name)
	}
	if g.Endpoints == nil {
		g.Endpoints = make(map[string]string)
	}
	g.Endpoints[name] = path
	return nil
}

func (g *Gateway) unmarshalLedger(d *caddyfile.Dispenser) (err error) {
	g.Ledger = new(Ledger)
	if g.Ledger.Mode, err = oneOf(d, "memory", "storage", "off"); err != nil {
		return err
	}
	for nesting := d.Nesting(); d.NextBlock(nesting); {
		switch d.Val() {
		case "ttl":
			g.Ledger.TTL, err = duration(d)
		case "capacity":
			var arg string
			if arg, err = oneArg(d); err == nil {
				if g.Ledger.Capacity, err = strconv.Atoi(arg); err != nil || g.Ledger.Capacity < 1 {
					err = d.Errf("capacity must be a positive number of entries, not %s", arg)
				}
			}
		case "storage":
			err = g.unmarshalStorage(d)
		default:
			err = d.Errf("unknown option %s of ledger", d.Val())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (g *Gateway) unmarshalStorage(d *caddyfile.Dispenser) error {
	if !d.NextArg() {
		return d.ArgErr()
	}
	name := d.Val()
	module, err := caddyfile.UnmarshalModule(d, "caddy.storage."+name)
	if err != nil {
		return err
	}
	storage, ok := module.(caddy.StorageConverter)
	if !ok {
		return d.Errf("module caddy.storage.%s is not a storage", name)
	}
	g.Ledger.StorageRaw = caddyconfig.JSONModuleObject(storage, "module", name, nil)
	return nil
}

// oneArg reads the one argument of an option.
func oneArg(d *caddyfile.Dispenser) (string, error) {
	option := d.Val()
	if !d.NextArg() {
		return "", d.Errf("%s needs an argument", option)
	}
	arg := d.Val()
	return arg, noArgs(d)
}

func noArgs(d *caddyfile.Dispenser) error {
	if d.NextArg() {
		return d.Errf("unexpected argument %s", d.Val())
	}
	return nil
}

// oneOf reads one of the given words.
func oneOf(d *caddyfile.Dispenser, words ...string) (string, error) {
	option := d.Val()
	arg, err := oneArg(d)
	if err != nil {
		return "", err
	}
	for _, word := range words {
		if arg == word {
			return arg, nil
		}
	}
	return "", d.Errf("%s %s is unknown; use one of: %s", option, arg, strings.Join(words, ", "))
}

func size(d *caddyfile.Dispenser) (int64, error) {
	option := d.Val()
	arg, err := oneArg(d)
	if err != nil {
		return 0, err
	}
	bytes, err := humanize.ParseBytes(arg)
	if err != nil || bytes == 0 || bytes > 1<<40 {
		return 0, d.Errf("%s must be a size such as 64KiB, not %s", option, arg)
	}
	return int64(bytes), nil
}

func duration(d *caddyfile.Dispenser) (caddy.Duration, error) {
	option := d.Val()
	arg, err := oneArg(d)
	if err != nil {
		return 0, err
	}
	parsed, err := caddy.ParseDuration(arg)
	if err != nil || parsed <= 0 {
		return 0, d.Errf("%s must be a positive duration such as 15m, not %s", option, arg)
	}
	return caddy.Duration(parsed), nil
}

// Interface guard
var _ caddyfile.Unmarshaler = (*Gateway)(nil)
