package identity

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/caddyserver/caddy/v2"
	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/spf13/cobra"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity/check"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity/sealing"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/docs"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/envfile"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/routes"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/terminal"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/readiness"
)

func init() {
	caddycmd.RegisterCommand(caddycmd.Command{
		Name:  "identity-gateway",
		Usage: "check [URL] | check --mcp URL | end login|user|agent NAME | ready [--address ADDRESS] [--ignore CHECKS] | rotate-key [--forget DURATION]; each: [--config PATH] [--adapter NAME] [--envfile PATH]",
		Short: "Checks an identity provider, or the running gateway, or rolls its sealing key",
		Long: `
check tries an identity provider from this machine: DNS, TLS, the clock, its
metadata, its endpoints, PKCE support and keys. It prints what it found and a
Caddyfile for it, and exits with 1 and the cause if something keeps the gateway
from working with it.

The provider is the one at URL, its issuer or the address of its metadata, or
else each one that a configuration names: --config, or the Caddyfile in this
folder. Of a configuration it also says what a start would: everything of caddy
validate, and which requests do not reach their gateway, or get past require_token.
It asks each endpoint that the gateways will use, as they will, and tries their
secrets and keys there, with a code that nobody has issued, so that nothing comes
of it. For require_token it fetches the issuer's keys.

check --mcp does at a Model Context Protocol (MCP) server what clients do that know
its URL alone: it calls it without a token, follows its metadata, and finds out how
each published client would get a client id. It registers those that need to, with
their redirect URIs and a name that says so. The identity gateway keeps nothing of a
registration; other servers may. It exits with 1 and the cause if no client gets in;
one that is refused is a note.

ready asks the admin endpoint of the Caddy that runs on this machine whether its
handlers can serve, and exits with 1 and the causes if not. It finds the endpoint in
--config, in the Caddyfile in this folder, or in /etc/caddy/Caddyfile. It sends the
identity provider no secret: check tries that.

end ends logins at the running gateway, and at all nodes that share its replay store:
their refresh tokens at once, and within seconds their access tokens and the event
streams that use them.

--envfile loads the variables that a configuration needs, as for caddy run.

` + docs.Commands,
		CobraFunc: func(cmd *cobra.Command) {
			sub := &cobra.Command{
				Use: "check [URL] | check --mcp URL", Short: "Tries an identity provider, and prints a Caddyfile for it, or tries an MCP server", Args: cobra.MaximumNArgs(1),
				Example: "  caddy identity-gateway check https://accounts.google.com\n  caddy identity-gateway check --config /etc/caddy/Caddyfile --envfile /etc/caddy/gateway.env\n  caddy identity-gateway check --mcp https://mcp.example.com/mcp",
				RunE:    runCheck,

				ValidArgsFunction: cobra.NoFileCompletions,
			}
			sub.Flags().StringP("config", "c", "", "the configuration whose providers are tried")
			envfile.AddFlags(sub)
			sub.Flags().String("mcp", "", "the URL of an MCP server, at which clients are registered")
			_ = sub.RegisterFlagCompletionFunc("mcp", cobra.NoFileCompletions)
			sub.MarkFlagsMutuallyExclusive("mcp", "config")
			cmd.AddCommand(sub, readiness.Command(), sealing.Command(), endCommand())
			cmd.SuggestionsMinimumDistance = 2
			cmd.Args = func(cmd *cobra.Command, arguments []string) error {
				if len(arguments) == 0 {
					return nil
				}
				err := fmt.Errorf("%s has no command %q", cmd.CommandPath(), arguments[0])
				if nearest := cmd.SuggestionsFor(arguments[0]); len(nearest) > 0 {
					err = fmt.Errorf("%w; did you mean %s?", err, nearest[0])
				}
				return err
			}
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		},
	})
}

func runCheck(cmd *cobra.Command, arguments []string) error {
	if server, _ := cmd.Flags().GetString("mcp"); server != "" {
		if len(arguments) > 0 {
			return errors.New("give the URL of an identity provider, or --mcp and that of an MCP server")
		}
		if err := new(check.Checker).CheckMCP(cmd.Context(), cmd.OutOrStdout(), server); err != nil {
			return failure(server, err)
		}
		return nil
	}
	if len(arguments) == 1 {
		if err := new(check.Checker).Check(cmd.Context(), cmd.OutOrStdout(), check.Target{URL: arguments[0], NeedsMetadata: true}); err != nil {
			return failure(arguments[0], err)
		}
		return nil
	}
	config, err := envfile.Config(cmd)
	switch {
	case err != nil:
		return err
	case config == nil:
		return errors.New("nothing to check: give the provider's URL, or --config <path>")
	}
	gateways, issuers, err := checkConfiguration(config)
	failures := []error{err}
	for i, target := range targetsOf(gateways) {
		if i > 0 {
			fmt.Fprintln(cmd.OutOrStdout())
		}
		if err := new(check.Checker).Check(cmd.Context(), cmd.OutOrStdout(), target); err != nil {
			failures = append(failures, failure(target.URL, err))
		}
	}
	if err := check.Issuers(cmd.OutOrStdout(), issuers); err != nil {
		failures = append(failures, err)
	}
	return errors.Join(failures...)
}

// checkConfiguration logs and returns what a start would object to in a configuration, as caddy
// validate does, and also what is known only when all of it is provisioned, and the gateways in
// it, and what require_token needs of its issuers. It serves nothing.
func checkConfiguration(config []byte) ([]*Gateway, []readiness.Result, error) {
	parsed := new(caddy.Config)
	if err := json.Unmarshal(config, parsed); err != nil {
		return nil, nil, err
	}
	envfile.LogWarnings(parsed)
	ctx, err := caddy.ProvisionContext(parsed)
	if err != nil {
		return nil, nil, err
	}
	problem := routes.Run(ctx)
	if app, err := ctx.AppIfConfigured("identity_gateway"); err == nil {
		issuers, _ := readiness.Try(ctx, "issuer_keys")
		return app.(*App).gateways, issuers, problem
	}
	issuers, used := readiness.Try(ctx, "issuer_keys", "identity_provider") // the latter for introspection
	if !used {
		problem = errors.Join(problem, errors.New("the configuration has no identity_gateway and no require_token"))
	}
	return nil, issuers, problem
}

// failure is an error that Caddy prints.
func failure(address string, err error) error {
	return errors.New(terminal.Visible(fmt.Sprintf("%s: %v", address, err)))
}

// targetsOf are the identity providers of gateways, each once for each way to it.
func targetsOf(gateways []*Gateway) []check.Target {
	var targets []check.Target
	seen := make(map[string]int) // index in targets
	for _, g := range gateways {
		address := g.policy.AuthURL().String()
		key := address + "\x00" + g.way
		i, ok := seen[key]
		if !ok {
			i = len(targets)
			seen[key] = i
			targets = append(targets, check.Target{URL: address})
			if g.way != "" {
				targets[i].Transport = g.transport
			}
		}
		targets[i].DiscoverAt = cmp.Or(targets[i].DiscoverAt, g.discoverAt)
		targets[i].NeedsMetadata = targets[i].NeedsMetadata || g.discovers
		targets[i].Gateways = append(targets[i].Gateways, g.gateway)
	}
	return targets
}
