package protectmcp

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/spf13/cobra"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/docs"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

func init() {
	caddycmd.RegisterCommand(caddycmd.Command{
		Name:  "protect-mcp",
		Usage: "--idp ISSUER --client-id ID --from ADDRESS --to UPSTREAM [--scope NAME...] [--allow CLIENT...] [--allow-domain DOMAIN...] [--allow-email ADDRESS...] [--print]",
		Short: "Puts MCP servers behind an identity provider",
		Long: `
Serves a server of the Model Context Protocol (MCP) under a name, with TLS, to the
users of an identity provider. Agents need nothing but the URL.

The gateway is one client of the identity provider, with the redirect URI
/oauth/callback at the host of --from. Its secret comes from the environment
variable CLIENT_SECRET.

--from is the server's address as clients know it, with the path at which the
server answers: mcp.example.com/mcp. With several servers at one host, give --from and
--to once for each, in the same order; then --scope /files/mcp=files.read is a scope of the one
at that path, and --scope read one of each. --allow-domain and --allow-email say whose accounts
get in: without them, whoever has one at the identity provider. --print prints the Caddyfile that the command
stands for, as a start for your own.

` + docs.Agents,
		CobraFunc: func(cmd *cobra.Command) {
			addFlags(cmd)
			cmd.Example = "  CLIENT_SECRET=… " + exampleCommand
			cmd.Args = cobra.NoArgs
			cmd.ValidArgsFunction = cobra.NoFileCompletions
			cmd.RunE = run // Caddy's own wrapper logs errors, as JSON
		},
	})
}

func addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.String("idp", "", "the identity provider's issuer, such as https://accounts.google.com")
	flags.String("client-id", "", "the id of the gateway at the identity provider")
	flags.StringSliceP("from", "f", nil, "the address as clients know it, such as mcp.example.com/mcp")
	flags.StringSliceP("to", "t", nil, "the MCP server, such as localhost:3000")
	flags.StringSlice("scope", nil, "a scope that clients may ask for; of several servers, that of one by its path: /mcp=read")
	flags.StringSlice("allow", nil, "a published client, redirect URI or scheme besides loopback, such as claude")
	flags.StringSlice("allow-domain", nil, "let in the accounts of this company, such as example.com")
	flags.StringSlice("allow-email", nil, "let in the account of this person, such as ada@example.org")
	flags.Bool("print", false, "print the Caddyfile instead of running it")
	for _, name := range [...]string{"idp", "client-id", "from", "to", "scope", "allow-domain", "allow-email"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
	_ = cmd.RegisterFlagCompletionFunc("allow", cobra.FixedCompletions(uris.Published(), cobra.ShellCompDirectiveNoFileComp))
}

func run(cmd *cobra.Command, _ []string) error {
	site, err := newSite(caddycmd.Flags{FlagSet: cmd.Flags()})
	if err != nil {
		return err
	}
	config, err := site.adapt()
	if err != nil {
		return err
	}
	if show, _ := cmd.Flags().GetBool("print"); show {
		_, err := fmt.Fprint(cmd.OutOrStdout(), site.caddyfile())
		return err
	}
	if os.Getenv("CLIENT_SECRET") == "" {
		return fmt.Errorf("the environment variable CLIENT_SECRET is not set: the secret of %s at the identity provider", site.clientID)
	}
	caddy.TrapSignals()
	if err := caddy.Load(config, true); err != nil {
		return err
	}
	for _, server := range site.servers {
		fmt.Fprintf(os.Stderr, "Agents connect to %s\n", server.url)
	}
	fmt.Fprintf(os.Stderr, "Register at %s, for %s: %s/oauth/callback\n", site.idp, site.clientID, site.origin())
	select {}
}

// site is the configuration that the flags ask for.
type site struct {
	idp, clientID   string
	servers         []upstream
	scopes, allowed []string // scopes of each server
	domains, emails []string // whose accounts get in
}

// upstream is an MCP server of the site.
type upstream struct {
	url    *url.URL // as clients know it
	to     string
	scopes []string // of its own
}

const exampleCommand = "caddy protect-mcp --idp https://accounts.google.com --client-id <id> --from mcp.example.com/mcp --to localhost:3000"

func newSite(flags caddycmd.Flags) (*site, error) {
	s := &site{idp: flags.String("idp"), clientID: flags.String("client-id")}
	lists := make(map[string][]string)
	for _, name := range [...]string{"from", "to", "scope", "allow", "allow-domain", "allow-email"} {
		lists[name], _ = flags.GetStringSlice(name)
	}
	s.allowed, s.domains, s.emails = lists["allow"], lists["allow-domain"], lists["allow-email"]
	lists["idp"], lists["client-id"] = []string{s.idp}, []string{s.clientID}
	for _, name := range [...]string{"idp", "client-id", "from", "to"} {
		if len(lists[name]) == 0 || slices.Contains(lists[name], "") {
			return nil, fmt.Errorf("--%s is required; an example: %s", name, exampleCommand)
		}
	}
	for _, value := range slices.Concat(slices.Collect(maps.Values(lists))...) {
		if strings.ContainsAny(value, " \t\n\r\"`{}#") {
			return nil, fmt.Errorf("%q has a character that no address, id or scope has", value)
		}
	}
	from, to := lists["from"], lists["to"]
	if len(from) != len(to) {
		return nil, fmt.Errorf("there are %d --from and %d --to: give each address the server behind it, in the same order", len(from), len(to))
	}
	for i := range from {
		if err := s.add(from[i], to[i]); err != nil {
			return nil, err
		}
	}
	return s, s.addScopes(lists["scope"])
}

// add adds a server at an address.
func (s *site) add(from, to string) error {
	address := from
	if !strings.Contains(from, "://") {
		address = "https://" + from
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.User != nil {
		return fmt.Errorf("--from %s is not an address such as mcp.example.com/mcp", address)
	}
	s.servers = append(s.servers, upstream{url: u, to: to})
	if origin := u.Scheme + "://" + u.Host; origin != s.origin() {
		return fmt.Errorf("--from %s is not at %s, as the first one is; the servers of one command have one host, and paths of their own", from, s.origin())
	}
	return nil
}

// addScopes adds the scopes of each server, and, behind a path, those of one.
func (s *site) addScopes(scopes []string) error {
	for _, scope := range scopes {
		path, name, ofOne := strings.Cut(scope, "=")
		if !ofOne || !strings.HasPrefix(path, "/") {
			s.scopes = append(s.scopes, scope)
			continue
		}
		i := slices.IndexFunc(s.servers, func(u upstream) bool { return u.path() == strings.TrimSuffix(path, "/") })
		if i < 0 || name == "" {
			return fmt.Errorf("--scope %s: write the path of a --from before the scope, such as %s=%s", scope, cmp.Or(s.servers[0].path(), "/"), cmp.Or(name, "read"))
		}
		s.servers[i].scopes = append(s.servers[i].scopes, name)
	}
	return nil
}

func (u *upstream) path() string { return strings.TrimSuffix(u.url.Path, "/") }

func (s *site) origin() string { return s.servers[0].url.Scheme + "://" + s.servers[0].url.Host }

// adapt is the configuration as Caddy has it.
func (s *site) adapt() ([]byte, error) {
	config, _, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(s.caddyfile()), map[string]any{"filename": "protect-mcp"})
	return config, err
}

// caddyfile is the configuration as one would write it.
func (s *site) caddyfile() string {
	var b strings.Builder
	only, scopes := "", s.scopes
	if len(s.servers) == 1 {
		only, scopes = s.servers[0].url.String()+" ", slices.Concat(scopes, s.servers[0].scopes)
	}
	fmt.Fprintf(&b, "{\n\tgrace_period 30s\n}\n\n%s {\n\tprotect_mcp %s%s {\n\t\tidp_client %s {env.CLIENT_SECRET}\n", s.origin(), only, s.idp, s.clientID)
	for _, scope := range scopes {
		fmt.Fprintf(&b, "\t\tscope %s\n", scope)
	}
	if len(s.allowed) > 0 {
		fmt.Fprintf(&b, "\t\tallow %s\n", strings.Join(s.allowed, " "))
	}
	for i, values := range [...][]string{s.domains, s.emails} {
		if len(values) > 0 {
			fmt.Fprintf(&b, "\t\tusers {\n\t\t\t%s %s\n\t\t}\n", [...]string{"domain", "email"}[i], strings.Join(values, " "))
		}
	}
	if only != "" {
		fmt.Fprintf(&b, "\t}\n\treverse_proxy %s\n}\n", s.servers[0].to)
		return b.String()
	}
	s.writeServers(&b)
	return b.String()
}

// writeServers writes the blocks of several servers, and the way to each.
func (s *site) writeServers(b *strings.Builder) {
	for _, server := range s.servers {
		fmt.Fprintf(b, "\t\tserver %s", server.url)
		if len(server.scopes) > 0 {
			fmt.Fprintf(b, " {\n\t\t\tscope %s\n\t\t}", strings.Join(server.scopes, "\n\t\t\tscope "))
		}
		fmt.Fprint(b, "\n")
	}
	fmt.Fprint(b, "\t}\n")
	for _, server := range s.servers {
		fmt.Fprintf(b, "\treverse_proxy %s* %s\n", server.path(), server.to)
	}
	fmt.Fprint(b, "}\n")
}
