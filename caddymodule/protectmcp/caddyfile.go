// Package protectmcp is the Caddyfile directive protect_mcp, which puts a server of the
// Model Context Protocol (MCP) behind an identity provider. It is a shorthand at adapt
// time, as php_fastcgi is: it stands for an identity_gateway and a require_token, which
// `caddy adapt` shows.
package protectmcp

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/requiretoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/paths"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
	"github.com/identity-gateway/caddy-identity-gateway/idp/users"
)

func init() {
	httpcaddyfile.RegisterDirective("protect_mcp", parse)
	httpcaddyfile.RegisterDirectiveOrder("protect_mcp", httpcaddyfile.After, "encode")
}

// parse sets up the handlers: protect_mcp <url> <auth_url> { … }, with the options of README.md,
// or protect_mcp <auth_url> { server <url> { … } … } for several servers.
func parse(h httpcaddyfile.Helper) (routes []httpcaddyfile.ConfigValue, err error) {
	segment := args.SegmentAt(h)
	defer func() {
		if err != nil {
			err = errors.New(ofDirective(err.Error()))
		}
		segment.Locate(&err)
	}()
	h.Next() // consume the directive's name
	s, err := readSite(h.Dispenser)
	if err != nil {
		return nil, err
	}
	if h.State[s.origin] != nil {
		return nil, fmt.Errorf("protect_mcp stands twice for %s, where one gateway logs in for all servers; write one, with a block for each: protect_mcp %s { server <url> { … } … }", s.origin, s.authURL)
	}
	h.State[s.origin] = true
	gateway, guards, err := s.handlers()
	if err != nil {
		return nil, err
	}
	segment.Of(gateway)
	for _, guard := range guards {
		segment.Of(guard)
	}
	return s.routes(h, gateway, guards, segment), nil
}

// ofDirective is a message of the directives that this one stands for, as one of its own.
func ofDirective(message string) string {
	message = inExpansion.ReplaceAllString(message, "")
	name := notKnown.FindStringSubmatch(message)
	if name == nil {
		return message
	}
	own := append(slices.Sorted(maps.Keys(slots)), "server")
	return strings.Replace(message, name[0], name[1]+args.Suggest(name[2], own)+"; protect_mcp has idp_client, "+strings.Join(own, ", ")+", and what identity_gateway has:", 1)
}

// directive is what one says.
type directive struct {
	authURL, origin string
	options         *options // of all servers
	servers         []server
	several         bool // each in a block of its own
}

// server is an MCP server of the site.
type server struct {
	url, path string
	options   *options
}

// readSite reads the directive.
func readSite(d *caddyfile.Dispenser) (*directive, error) {
	s := &directive{options: newOptions()}
	switch arguments := d.RemainingArgs(); len(arguments) {
	case 1:
		s.authURL, s.several = arguments[0], true
	case 2:
		s.servers, s.authURL = []server{{url: arguments[0], options: newOptions()}}, arguments[1]
	default:
		return nil, d.Err("protect_mcp needs the URL of the MCP server as clients know it, and the identity provider's issuer, such as: " +
			"protect_mcp https://mcp.example.com/mcp https://accounts.google.com; or, with server blocks, the issuer alone")
	}
	if err := s.readOptions(d); err != nil {
		return nil, err
	}
	if len(s.servers) == 0 {
		return nil, fmt.Errorf("protect_mcp %s has no MCP server: write its URL before the identity provider's, or server <url> { … } in the block for each", s.authURL)
	}
	for i := range s.servers {
		if err := s.place(&s.servers[i]); err != nil {
			return nil, err
		}
	}
	s.options.arguments["AUTH_URL"], s.options.arguments["ORIGIN"] = s.authURL, s.origin
	return s, nil
}

// readOptions puts each option where it goes.
func (s *directive) readOptions(d *caddyfile.Dispenser) error {
	for nesting := d.Nesting(); d.NextBlock(nesting); {
		name := d.Val()
		segment := d.NextSegment()
		switch {
		case name == "server" && !s.several:
			return d.Err("server is for protect_mcp with the identity provider's issuer alone: give each server a block, the first one, too")
		case name == "server":
			if err := s.readServer(caddyfile.NewDispenser(segment)); err != nil {
				return err
			}
		case name == "client" && !isAgent(segment):
			return d.Err("client is an agent that is registered here, in a block with its redirect_uri, as in identity_gateway; " +
				"what the gateway itself is at the identity provider is idp_client: idp_client <id> {env.CLIENT_SECRET}")
		case name != "idp_client":
			s.options.add(name, segment)
		case s.options.given[name]:
			return d.Err("idp_client is given twice; it is what the gateway itself is at the identity provider, for all agents")
		case !s.options.setIdPClient(segment):
			return d.Err("idp_client needs an id and a secret, or a block, such as: idp_client <id> {env.CLIENT_SECRET}")
		}
	}
	if !s.options.given["idp_client"] {
		return d.Err("protect_mcp needs what the gateway itself is at the identity provider: idp_client <id> <secret>")
	}
	return nil
}

// isAgent reports whether a client is what it is in identity_gateway, and not what the gateway is
// at the identity provider.
func isAgent(segment caddyfile.Segment) bool {
	return (len(segment) < 3 || segment[2].Text == "{") && !slices.ContainsFunc(segment, func(t caddyfile.Token) bool { return t.Text == "secret" && !t.Quoted() }) ||
		slices.ContainsFunc(segment, func(t caddyfile.Token) bool { return t.Text == "idp_client" })
}

// readServer reads server <url> { … }.
func (s *directive) readServer(d *caddyfile.Dispenser) error {
	d.Next()
	added := server{options: newOptions()}
	if !d.Args(&added.url) || d.NextArg() {
		return d.Err("server needs the URL of an MCP server as clients know it, such as: server https://mcp.example.com/files/mcp { … }")
	}
	for nesting := d.Nesting(); d.NextBlock(nesting); {
		name := d.Val()
		if !isOfServer(name) {
			return d.Errf("unrecognized subdirective %s; server has %s: what is for the whole gateway stands beside the servers", name, strings.Join(slices.DeleteFunc(slices.Sorted(maps.Keys(slots)), func(name string) bool { return !isOfServer(name) }), ", "))
		}
		added.options.add(name, d.NextSegment())
	}
	s.servers = append(s.servers, added)
	return nil
}

// place checks where a server is. Those of a site have one gateway, and so one origin.
func (s *directive) place(added *server) error {
	u, err := parseServer(added.url)
	if err != nil {
		return err
	}
	origin := u.Scheme + "://" + u.Host
	if s.origin != "" && origin != s.origin {
		return fmt.Errorf("server %s is not at %s, as the first one is; write protect_mcp once for each host", added.url, s.origin)
	}
	s.origin, added.path = origin, strings.TrimSuffix(u.EscapedPath(), "/")
	added.options.arguments["URL"] = added.url
	if !s.several {
		return nil
	}
	if _, err := paths.NewPublic([]string{added.path}); err != nil || added.path == "" || strings.Contains(added.path, "*") {
		return fmt.Errorf("server %s needs a path of its own, of letters, digits, dots, - and _ between slashes, that all read alike", added.url)
	}
	for i := range s.servers {
		other := &s.servers[i]
		if other == added {
			break
		}
		if strings.HasPrefix(added.path+"/", other.path+"/") || strings.HasPrefix(other.path+"/", added.path+"/") {
			return fmt.Errorf("server %s and server %s are one, or one is below the other; give each a path of its own", other.url, added.url)
		}
	}
	return nil
}

// handlers are the gateway, and a require_token for each server.
func (s *directive) handlers() (*identity.Gateway, []*requiretoken.RequireToken, error) {
	var guards []*requiretoken.RequireToken
	for _, of := range s.servers {
		all := s.options.with(of.options)
		resource, err := all.expand(ofResource)
		if err != nil {
			return nil, nil, err
		}
		s.options.slots["RESOURCES"] = append(s.options.slots["RESOURCES"], resource...)
		guard := new(requiretoken.RequireToken)
		if err := all.unmarshal(ofGuard, guard); err != nil {
			return nil, nil, err
		}
		if slices.Contains(guard.Public, "/") && of.path == "" {
			return nil, nil, fmt.Errorf("public / is the path of the MCP server %s itself, and opens it to everybody", of.url)
		}
		if s.several {
			guard.Paths = []string{of.path, of.path + "/*"}
		}
		guards = append(guards, guard)
	}
	gateway := new(identity.Gateway)
	if err := s.options.unmarshal(ofGateway, gateway); err != nil {
		return nil, nil, err
	}
	for i, guard := range guards {
		if err := checkTools(guard, gateway.Resources[i]); err != nil {
			return nil, nil, fmt.Errorf("server %s: %w", s.servers[i].url, err)
		}
		giveClaims(gateway, guard)
	}
	return gateway, guards, gateway.CheckPolicy()
}

// routes are those of the handlers. Of several servers each has the path of its own; the first
// also gets what is of none, and what some server could read as another's path, and refuses it.
func (s *directive) routes(h httpcaddyfile.Helper, gateway *identity.Gateway, guards []*requiretoken.RequireToken, segment args.Segment) []httpcaddyfile.ConfigValue {
	own := h.NewRoute(nil, guards[0])
	if !s.several {
		return append(h.NewRoute(nil, gateway), own...)
	}
	all := h.NewRoute(nil, gateway)
	var others []httpcaddyfile.ConfigValue
	for _, guard := range guards[1:] {
		metadata := guard.Metadata()
		segment.Of(metadata)
		all = append(all, h.NewRoute(nil, metadata)...)
		others = append(others, h.NewRoute(caddy.ModuleMap{"path": h.JSON(guard.Paths)}, guard)...)
	}
	others = append(others, own...)
	h.GroupRoutes(others)
	subroute := new(caddyhttp.Subroute)
	for _, value := range append(all, others...) {
		subroute.Routes = append(subroute.Routes, value.Value.(caddyhttp.Route))
	}
	return h.NewRoute(nil, subroute)
}

var (
	// inExpansion is a line that nobody has written.
	inExpansion = regexp.MustCompile(`, at protect_mcp/[^ ]*:[0-9]+`)
	notKnown    = regexp.MustCompile(`(unrecognized subdirective (\S+)); identity_gateway has`)
)

// parseServer parses the URL of an MCP server.
func parseServer(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%s is not the URL of an MCP server; write it as clients do, such as https://mcp.example.com/mcp", address)
	}
	if !uris.IsSecure(u) {
		return nil, fmt.Errorf("%s must be https (http only on 127.0.0.1, [::1] or localhost): tokens travel there", address)
	}
	return u, nil
}

// checkTools finds a tool that nobody could call.
func checkTools(guard *requiretoken.RequireToken, resource idp.ResourceConfig) error {
	for _, name := range slices.Sorted(maps.Keys(guard.Tools)) {
		for _, scope := range guard.Tools[name].Scopes {
			if !slices.ContainsFunc(resource.Scopes, func(s idp.ScopeConfig) bool { return s.Name == scope }) {
				return fmt.Errorf("tool %s needs the scope %s, which no client can ask for; add: scope %s", name, scope, scope)
			}
		}
	}
	return nil
}

// giveClaims has the gateway's tokens say what the rules by tool look at.
func giveClaims(gateway *identity.Gateway, guard *requiretoken.RequireToken) {
	for _, name := range slices.Sorted(maps.Keys(guard.Tools)) {
		for _, c := range guard.Tools[name].Claims {
			given := users.GivenClaim{Path: c.Path, Values: slices.Clone(c.Values)}
			i := slices.IndexFunc(gateway.TokenClaims, func(other users.GivenClaim) bool { return other.Path == c.Path })
			switch {
			case guard.Tokens != idp.GatewayTokens || users.CheckGiven([]users.GivenClaim{given}) != nil: // every token has it
			case i < 0:
				gateway.TokenClaims = append(gateway.TokenClaims, given)
			case gateway.TokenClaims[i].Values != nil:
				values := append(gateway.TokenClaims[i].Values, given.Values...)
				slices.Sort(values)
				gateway.TokenClaims[i].Values = slices.Compact(values)
			}
		}
	}
}

// setIdPClient takes idp_client <id> <secret>, and idp_client <id> with a block. It reports false
// of anything else.
func (o *options) setIdPClient(segment caddyfile.Segment) bool {
	o.given["idp_client"] = true
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

// unmarshal reads a template into what it stands for.
func (o *options) unmarshal(template []byte, into caddyfile.Unmarshaler) error {
	tokens, err := o.expand(template)
	if err != nil {
		return err
	}
	return into.UnmarshalCaddyfile(caddyfile.NewDispenser(tokens))
}
