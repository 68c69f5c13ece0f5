package identity

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/caddyserver/caddy/v2"
	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/spf13/cobra"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity/check"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/docs"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/terminal"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/readiness"
	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
)

func init() {
	caddycmd.RegisterCommand(caddycmd.Command{
		Name:  "identity-gateway",
		Usage: "check [<url>] | check --mcp <url> | ready [--address <interface>] [--config <path>] [--adapter <name>] [--ignore <checks>] | rotate-key [--forget <duration>]",
		Short: "Checks an identity provider, or the running gateway, or rolls its sealing key",
		Long: `
ready asks the admin endpoint of the Caddy that runs on this machine whether its
handlers can serve, and exits with 1 and the causes if not. It finds the endpoint in
--config, in the Caddyfile in this folder, or in /etc/caddy/Caddyfile.

check tries an identity provider from this machine: DNS, TLS, the clock, its
metadata, its endpoints, PKCE support and keys. It prints what it found and a
Caddyfile for it, and exits with 1 and the cause if something keeps the gateway
from working with it.

The provider is the one at <url>, its issuer or the address of its metadata, or
else each one that a configuration names: --config, or the Caddyfile in this
folder. Of a configuration it also says what a start would: everything of caddy
validate, and which requests do not reach their gateway.

check --mcp does at a Model Context Protocol (MCP) server what clients do that know
its URL alone: it calls it without a token, follows its metadata, and finds out how
each published client would get a client id. It registers those that need to, with
their redirect URIs and a name that says so. The identity gateway keeps nothing of a
registration; other servers may. It exits with 1 and the cause if no client gets in;
one that is refused is a note.

` + docs.Commands,
		CobraFunc: func(cmd *cobra.Command) {
			sub := &cobra.Command{
				Use: "check [<url>] | check --mcp <url>", Short: "Tries an identity provider, and prints a Caddyfile for it, or tries an MCP server", Args: cobra.MaximumNArgs(1),
				Example: "  caddy identity-gateway check https://accounts.google.com\n  caddy identity-gateway check --config /etc/caddy/Caddyfile\n  caddy identity-gateway check --mcp https://mcp.example.com/mcp",
				RunE:    runCheck,
			}
			sub.Flags().StringP("config", "c", "", "the configuration whose providers are tried")
			sub.Flags().StringP("adapter", "a", "", "the name of its config adapter")
			sub.Flags().String("mcp", "", "the URL of an MCP server, at which clients are registered")
			sub.MarkFlagsMutuallyExclusive("mcp", "config")
			cmd.AddCommand(sub, readiness.Command(), rotateKeyCommand())
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
	var targets []check.Target
	var failures []error
	if len(arguments) == 1 {
		targets = []check.Target{{URL: arguments[0], NeedsMetadata: true}}
	} else {
		file, _ := cmd.Flags().GetString("config")
		adapter, _ := cmd.Flags().GetString("adapter")
		if file == "" {
			if _, err := os.Stat("Caddyfile"); err != nil {
				return errors.New("nothing to check: give the provider's URL, or --config <path>")
			}
			file = "Caddyfile"
		}
		config, _, _, err := caddycmd.LoadConfig(file, adapter)
		if err != nil {
			return err
		}
		if targets, err = configuredTargets(config); err != nil {
			return err
		}
		failures = append(failures, checkConfiguration(config))
	}
	for i, target := range targets {
		if i > 0 {
			fmt.Fprintln(cmd.OutOrStdout())
		}
		if err := new(check.Checker).Check(cmd.Context(), cmd.OutOrStdout(), target); err != nil {
			failures = append(failures, failure(target.URL, err))
		}
	}
	return errors.Join(failures...)
}

// checkConfiguration logs and returns what a start would say of a configuration, as caddy
// validate does, and also what is known only when all of it is provisioned. It serves nothing.
func checkConfiguration(config []byte) error {
	var parsed *caddy.Config
	if err := json.Unmarshal(config, &parsed); err != nil {
		return err
	}
	ctx, err := caddy.ProvisionContext(parsed)
	if err != nil {
		return err
	}
	app, err := ctx.AppIfConfigured("identity_gateway")
	if err != nil {
		return nil // no site has a gateway
	}
	return app.(*App).checkSites()
}

// failure is an error that Caddy prints.
func failure(address string, err error) error {
	return errors.New(terminal.Visible(fmt.Sprintf("%s: %v", address, err)))
}

// configuredTargets are the identity providers of a configuration, each once.
func configuredTargets(config []byte) ([]check.Target, error) {
	var root any
	if err := json.Unmarshal(config, &root); err != nil {
		return nil, err
	}
	var targets []check.Target
	seen := make(map[string]int) // index in targets
	var problem error
	for _, gateway := range gatewaysIn(root) {
		target, err := targetOf(gateway)
		if err != nil {
			problem = errors.Join(problem, err)
			continue
		}
		key := strings.TrimSuffix(target.URL, "/")
		if i, ok := seen[key]; ok { // what one of the gateways needs is needed
			targets[i].NeedsMetadata = targets[i].NeedsMetadata || target.NeedsMetadata
			targets[i].Note = cmp.Or(targets[i].Note, target.Note)
			continue
		}
		seen[key] = len(targets)
		targets = append(targets, target)
	}
	if problem == nil && len(targets) == 0 {
		problem = errors.New("the configuration has no identity_gateway")
	}
	return targets, problem
}

// gatewaysIn are the gateways in a part of a configuration, wherever they stand.
func gatewaysIn(node any) []map[string]any {
	var found []map[string]any
	switch node := node.(type) {
	case []any:
		for _, element := range node {
			found = append(found, gatewaysIn(element)...)
		}
	case map[string]any:
		if node["handler"] == "identity_gateway" {
			return []map[string]any{node}
		}
		for _, name := range slices.Sorted(maps.Keys(node)) {
			found = append(found, gatewaysIn(node[name])...)
		}
	}
	return found
}

// targetOf is the identity provider of a gateway, given as JSON.
func targetOf(gateway map[string]any) (check.Target, error) {
	address, _ := gateway["auth_url"].(string)
	resolved, err := args.Resolve("auth_url", address)
	if err != nil {
		return check.Target{}, err
	}
	_, isMetadata := discovery.IssuerOf(resolved)
	discovers, _ := gateway["discover"].(bool)
	target := check.Target{URL: resolved, NeedsMetadata: discovers || isMetadata}
	if gateway["transport"] != nil {
		target.Note = "the option transport is not tried: this asks the provider directly"
	}
	return target, nil
}
