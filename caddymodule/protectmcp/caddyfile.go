// Package protectmcp is the Caddyfile directive protect_mcp, which puts a server of the
// Model Context Protocol (MCP) behind an identity provider. It is a shorthand at adapt
// time, as php_fastcgi is: it stands for an identity_gateway and a require_token, which
// `caddy adapt` shows.
package protectmcp

import (
	"cmp"
	_ "embed"
	"net/url"
	"strings"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/requiretoken"
)

func init() {
	httpcaddyfile.RegisterDirective("protect_mcp", parse)
	httpcaddyfile.RegisterDirectiveOrder("protect_mcp", httpcaddyfile.After, "encode")
}

// expansion is what the directive stands for. Words in capitals are filled in: by the
// arguments, and by options as they are written, so that errors name their lines.
//
//go:embed expansion.caddyfile
var expansion []byte

// slots are the options by where they go; all others go to GATEWAY_OPTIONS.
var slots = map[string]string{
	"scope": "RESOURCE_OPTIONS", "default_scope": "RESOURCE_OPTIONS", "idp": "RESOURCE_OPTIONS",
	"metadata_documents": "CLIENT_OPTIONS", "registration": "CLIENT_OPTIONS", "allow": "CLIENT_OPTIONS",
	"public": "TOKEN_OPTIONS", "header": "TOKEN_OPTIONS", "origin": "TOKEN_OPTIONS", "tool": "TOKEN_OPTIONS", "upstream_token": "TOKEN_OPTIONS",
}

// parse sets up the handlers. Syntax:
//
//	protect_mcp <url> <auth_url> {
//	    client <id> [<secret>]
//
//	    scope         <name> [<scopes at the identity provider...>]
//	    default_scope <names...>
//	    idp           drop|pass|audience [<value>]
//
//	    metadata_documents [<hosts...>]
//	    registration       [<lifetime>]
//	    allow              <redirect URIs, schemes or names of clients...>
//
//	    tool           <name> scope <scopes...>
//	    header         <field> <claim>
//	    upstream_token <field>
//	    public         <paths...>
//	    origin         <origins...>
//
//	    <options of identity_gateway>
//	}
func parse(h httpcaddyfile.Helper) ([]httpcaddyfile.ConfigValue, error) {
	h.Next() // consume the directive's name
	d := h.Dispenser
	var resource, authURL string
	if !d.Args(&resource, &authURL) || d.NextArg() {
		return nil, d.Err("protect_mcp needs the URL of the MCP server as clients know it, and the identity provider's issuer, such as: " +
			"protect_mcp https://mcp.example.com/mcp https://accounts.google.com")
	}
	u, err := url.Parse(resource)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, d.Errf("%s is not the URL of an MCP server; write it as clients do, such as https://mcp.example.com/mcp", resource)
	}
	options, err := readOptions(d)
	if err != nil {
		return nil, err
	}
	tokens, err := expand(map[string]string{"URL": resource, "AUTH_URL": authURL, "ORIGIN": u.Scheme + "://" + u.Host}, options)
	if err != nil {
		return nil, err
	}
	expanded := caddyfile.NewDispenser(tokens)
	gateway, guard := new(identity.Gateway), new(requiretoken.RequireToken)
	if err := gateway.UnmarshalCaddyfile(expanded.NewFromNextSegment()); err != nil {
		return nil, err
	}
	expanded.Next()
	if err := guard.UnmarshalCaddyfile(expanded.NewFromNextSegment()); err != nil {
		return nil, err
	}
	return append(h.NewRoute(nil, gateway), h.NewRoute(nil, guard)...), nil
}

// readOptions are the options of the block, by where they go.
func readOptions(d *caddyfile.Dispenser) (map[string][]caddyfile.Token, error) {
	options := make(map[string][]caddyfile.Token)
	for nesting := d.Nesting(); d.NextBlock(nesting); {
		name := d.Val()
		slot := cmp.Or(slots[name], "GATEWAY_OPTIONS")
		segment := d.NextSegment()
		if name == "client" {
			if slot = "IDP_CLIENT"; options[slot] != nil {
				return nil, d.Err("client is given twice; it is what the gateway itself is at the identity provider, for all agents")
			}
			segment = idpClient(segment)
		}
		options[slot] = append(options[slot], segment...)
	}
	if options["IDP_CLIENT"] == nil {
		return nil, d.Err("protect_mcp needs what the gateway itself is at the identity provider: client <id> <secret>")
	}
	return options, nil
}

// idpClient is client <id> [<secret>], or with a block, as the option idp_client.
func idpClient(segment caddyfile.Segment) []caddyfile.Token {
	token := func(text string, lines int) caddyfile.Token {
		t := segment[0]
		t.Text, t.Line = text, t.Line+lines
		return t
	}
	segment[0].Text = "idp_client"
	if len(segment) != 3 || segment[2].Text == "{" {
		return segment
	}
	secret := segment[2]
	secret.Line = segment[0].Line + 1
	return append(segment[:2], token("{", 0), token("secret", 1), secret, token("}", 2))
}

// expand fills in the expansion.
func expand(arguments map[string]string, options map[string][]caddyfile.Token) ([]caddyfile.Token, error) {
	template, err := caddyfile.Tokenize(expansion, "protect_mcp")
	if err != nil {
		return nil, err
	}
	var tokens []caddyfile.Token
	for _, t := range template {
		argument, isArgument := arguments[t.Text]
		switch {
		case isArgument:
			t.Text = argument
			tokens = append(tokens, t)
		case t.Text == "{" || t.Text == "}" || t.Text != strings.ToUpper(t.Text):
			tokens = append(tokens, t)
		default:
			tokens = append(tokens, options[t.Text]...)
		}
	}
	return tokens, nil
}
