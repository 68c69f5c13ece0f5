package protectmcp

import (
	"fmt"
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
		Short: "Puts an MCP server behind an identity provider",
		Long: `
Serves a server of the Model Context Protocol (MCP) under a name, with TLS, to the
users of an identity provider. Agents need nothing but the URL.

The gateway is one client of the identity provider, with the redirect URI
/oauth/callback at the host of --from. Its secret comes from the environment
variable CLIENT_SECRET.

--from is the server's address as clients know it, with the path at which the
server answers: mcp.example.com/mcp. --allow-domain and --allow-email say whose accounts
get in: without them, whoever has one at the identity provider. --print shows the Caddyfile that the command
stands for, to go on from.

` + docs.Agents,
		CobraFunc: func(cmd *cobra.Command) {
			addFlags(cmd)
			cmd.Example = "  CLIENT_SECRET=… caddy protect-mcp --idp https://accounts.google.com --client-id <id> --from mcp.example.com/mcp --to localhost:3000"
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
	flags.StringP("from", "f", "", "the address as clients know it, such as mcp.example.com/mcp")
	flags.StringP("to", "t", "", "the MCP server, such as localhost:3000")
	flags.StringSlice("scope", nil, "a scope that clients may ask for")
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
	if show, _ := cmd.Flags().GetBool("print"); show {
		_, err := fmt.Fprint(cmd.OutOrStdout(), site.caddyfile())
		return err
	}
	if os.Getenv("CLIENT_SECRET") == "" {
		return fmt.Errorf("the environment variable CLIENT_SECRET is not set: the secret of %s at the identity provider", site.clientID)
	}
	config, _, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(site.caddyfile()), map[string]any{"filename": "protect-mcp"})
	if err != nil {
		return err
	}
	caddy.TrapSignals()
	if err := caddy.Load(config, true); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "Agents connect to %s\nRegister at %s, for %s: %s/oauth/callback\n", site.url, site.idp, site.clientID, site.origin())
	select {}
}

// site is the configuration that the flags ask for.
type site struct {
	url               *url.URL // of the MCP server
	idp, clientID, to string
	scopes, allowed   []string
	domains, emails   []string // whose accounts get in
}

func newSite(flags caddycmd.Flags) (*site, error) {
	s := &site{idp: flags.String("idp"), clientID: flags.String("client-id"), to: flags.String("to")}
	s.scopes, _ = flags.GetStringSlice("scope")
	s.allowed, _ = flags.GetStringSlice("allow")
	s.domains, _ = flags.GetStringSlice("allow-domain")
	s.emails, _ = flags.GetStringSlice("allow-email")
	from := flags.String("from")
	for _, flag := range [...]struct{ name, value string }{{"idp", s.idp}, {"client-id", s.clientID}, {"from", from}, {"to", s.to}} {
		if flag.value == "" {
			return nil, fmt.Errorf("--%s is required; an example: caddy protect-mcp --idp https://accounts.google.com --client-id <id> --from mcp.example.com/mcp --to localhost:3000", flag.name)
		}
	}
	for _, value := range slices.Concat([]string{s.idp, s.clientID, from, s.to}, s.scopes, s.allowed, s.domains, s.emails) {
		if strings.ContainsAny(value, " \t\n\r\"`{}#") {
			return nil, fmt.Errorf("%q has a character that no address, id or scope has", value)
		}
	}
	if !strings.Contains(from, "://") {
		from = "https://" + from
	}
	var err error
	if s.url, err = url.Parse(from); err != nil || s.url.Host == "" || s.url.RawQuery != "" || s.url.User != nil {
		return nil, fmt.Errorf("--from %s is not an address such as mcp.example.com/mcp", from)
	}
	return s, nil
}

func (s *site) origin() string { return s.url.Scheme + "://" + s.url.Host }

// caddyfile is the configuration as one would write it.
func (s *site) caddyfile() string {
	var b strings.Builder
	fmt.Fprintf(&b, "{\n\tgrace_period 30s\n}\n\n%s {\n\tprotect_mcp %s %s {\n\t\tidp_client %s {env.CLIENT_SECRET}\n", s.origin(), s.url, s.idp, s.clientID)
	for _, scope := range s.scopes {
		fmt.Fprintf(&b, "\t\tscope %s\n", scope)
	}
	if len(s.allowed) > 0 {
		fmt.Fprintf(&b, "\t\tallow %s\n", strings.Join(s.allowed, " "))
	}
	for _, rule := range [...]struct {
		option string
		values []string
	}{{"domain", s.domains}, {"email", s.emails}} {
		if len(rule.values) > 0 {
			fmt.Fprintf(&b, "\t\tusers {\n\t\t\t%s %s\n\t\t}\n", rule.option, strings.Join(rule.values, " "))
		}
	}
	fmt.Fprintf(&b, "\t}\n\treverse_proxy %s\n}\n", s.to)
	return b.String()
}
