// Package protectmcp is the Caddyfile directive protect_mcp, which puts a server of the
// Model Context Protocol (MCP) behind an identity provider. It is a shorthand at adapt
// time, as php_fastcgi is: it stands for an identity_gateway and a require_token, which
// `caddy adapt` shows.
package protectmcp

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/requiretoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

func init() {
	httpcaddyfile.RegisterDirective("protect_mcp", parse)
	httpcaddyfile.RegisterDirectiveOrder("protect_mcp", httpcaddyfile.After, "encode")
}

// expansion is what the directive stands for. Words in capitals are filled in: by the
// arguments, and by options as they are written, so that errors name their lines. A line
// of one word is left out if the option of that name is given.
//
//go:embed expansion.caddyfile
var expansion []byte

// slots are the options by where they go; all others go to GATEWAY_OPTIONS.
var slots = map[string]string{
	"scope": "RESOURCE_OPTIONS", "default_scope": "RESOURCE_OPTIONS", "idp": "RESOURCE_OPTIONS", "introspection": "RESOURCE_OPTIONS",
	"metadata_documents": "CLIENT_OPTIONS", "registration": "CLIENT_OPTIONS", "allow": "CLIENT_OPTIONS",
	"tool": "TOKEN_OPTIONS", "header": "TOKEN_OPTIONS", "upstream_token": "TOKEN_OPTIONS", "public": "TOKEN_OPTIONS", "origin": "TOKEN_OPTIONS",
}

// parse sets up the handlers: protect_mcp <url> <auth_url> { … }, with the options of README.md.
func parse(h httpcaddyfile.Helper) (routes []httpcaddyfile.ConfigValue, err error) {
	segment := args.SegmentAt(h)
	defer func() {
		if err != nil {
			message := inExpansion.ReplaceAllString(err.Error(), "")
			if name := notKnown.FindStringSubmatch(message); name != nil {
				own := slices.Sorted(maps.Keys(slots))
				message = strings.Replace(message, name[0], name[1]+args.Suggest(name[2], own)+"; protect_mcp has client, "+strings.Join(own, ", ")+", and what identity_gateway has:", 1)
			}
			err = errors.New(message)
		}
		segment.Locate(&err)
	}()
	h.Next() // consume the directive's name
	d := h.Dispenser
	var resource, authURL string
	if !d.Args(&resource, &authURL) || d.NextArg() {
		return nil, d.Err("protect_mcp needs the URL of the MCP server as clients know it, and the identity provider's issuer, such as: " +
			"protect_mcp https://mcp.example.com/mcp https://accounts.google.com")
	}
	origin, err := originOf(resource)
	if err != nil {
		return nil, d.WrapErr(err)
	}
	options, err := readOptions(d)
	if err != nil {
		return nil, err
	}
	options.arguments["URL"], options.arguments["AUTH_URL"], options.arguments["ORIGIN"] = resource, authURL, origin
	tokens, err := options.expand()
	if err != nil {
		return nil, err
	}
	expanded := caddyfile.NewDispenser(tokens)
	gateway, guard := new(identity.Gateway), new(requiretoken.RequireToken)
	expanded.Next()
	if err := gateway.UnmarshalCaddyfile(expanded.NewFromNextSegment()); err != nil {
		return nil, err
	}
	expanded.Next()
	if err := guard.UnmarshalCaddyfile(expanded.NewFromNextSegment()); err != nil {
		return nil, err
	}
	if err := checkTools(guard, gateway.Resources[0]); err != nil {
		return nil, err
	}
	if slices.Contains(guard.Public, "/") && strings.TrimSuffix(resource, "/") == origin {
		return nil, d.Errf("public / is the path of the MCP server %s itself, and opens it to everybody", resource)
	}
	if err := gateway.CheckPolicy(); err != nil {
		return nil, err
	}
	segment.Of(gateway)
	segment.Of(guard)
	return append(h.NewRoute(nil, gateway), h.NewRoute(nil, guard)...), nil
}

var (
	// inExpansion is a line that nobody has written.
	inExpansion = regexp.MustCompile(`, at protect_mcp:[0-9]+`)
	notKnown    = regexp.MustCompile(`(unrecognized subdirective (\S+)); identity_gateway has`)
)

// originOf is that of the URL of an MCP server.
func originOf(resource string) (string, error) {
	u, err := url.Parse(resource)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", fmt.Errorf("%s is not the URL of an MCP server; write it as clients do, such as https://mcp.example.com/mcp", resource)
	}
	if !uris.IsSecure(u) {
		return "", fmt.Errorf("%s must be https (http only on 127.0.0.1, [::1] or localhost): tokens travel there", resource)
	}
	return u.Scheme + "://" + u.Host, nil
}

// checkTools finds a tool that nobody could call.
func checkTools(guard *requiretoken.RequireToken, resource idp.ResourceConfig) error {
	for _, name := range slices.Sorted(maps.Keys(guard.Tools)) {
		for _, scope := range guard.Tools[name] {
			if !slices.ContainsFunc(resource.Scopes, func(s idp.ScopeConfig) bool { return s.Name == scope }) {
				return fmt.Errorf("tool %s needs the scope %s, which no client can ask for; add: scope %s", name, scope, scope)
			}
		}
	}
	return nil
}

// options are what the block says.
type options struct {
	arguments map[string]string
	slots     map[string][]caddyfile.Token
	given     map[string]bool
}

// readOptions puts each option where it goes.
func readOptions(d *caddyfile.Dispenser) (*options, error) {
	o := &options{make(map[string]string), make(map[string][]caddyfile.Token), make(map[string]bool)}
	for nesting := d.Nesting(); d.NextBlock(nesting); {
		name := d.Val()
		segment := d.NextSegment()
		switch {
		case name == "client" && o.given[name]:
			return nil, d.Err("client is given twice; it is what the gateway itself is at the identity provider, for all agents")
		case name == "client":
			if !o.setClient(segment) {
				return nil, d.Err("client needs an id and a secret, or a block with the options of idp_client, such as: client <id> {env.CLIENT_SECRET}")
			}
		case name == "upstream_token": // which is in the token only if the resource has it there
			o.slots["RESOURCE_OPTIONS"] = append(o.slots["RESOURCE_OPTIONS"], segment[0])
			fallthrough
		default:
			slot := cmp.Or(slots[name], "GATEWAY_OPTIONS")
			o.slots[slot] = append(o.slots[slot], segment...)
		}
		o.given[name] = true
	}
	if !o.given["client"] {
		return nil, d.Err("protect_mcp needs what the gateway itself is at the identity provider: client <id> <secret>")
	}
	return o, nil
}

// setClient takes client <id> <secret>, and client <id> with a block. It reports false
// of anything else.
func (o *options) setClient(segment caddyfile.Segment) bool {
	if len(segment) < 3 {
		return false
	}
	o.arguments["CLIENT_ID"] = segment[1].Text
	if segment[2].Text == "{" {
		o.slots["CREDENTIALS"] = segment[3 : len(segment)-1]
		return true
	}
	secret := segment[2]
	secret.Text = "secret"
	o.slots["CREDENTIALS"] = []caddyfile.Token{secret, segment[2]}
	return len(segment) == 3
}

// expand fills in the expansion.
func (o *options) expand() ([]caddyfile.Token, error) {
	template, err := caddyfile.Tokenize(expansion, "protect_mcp")
	if err != nil {
		return nil, err
	}
	var tokens []caddyfile.Token
	for _, t := range template {
		if argument, ok := o.arguments[t.Text]; ok {
			t.Text = argument
			tokens = append(tokens, t)
			continue
		}
		switch filled, ok := o.slots[t.Text]; {
		case ok:
			tokens = append(tokens, filled...)
		case !strings.HasSuffix(t.Text, "_OPTIONS") && !o.given[t.Text]:
			tokens = append(tokens, t)
		}
	}
	return tokens, nil
}
