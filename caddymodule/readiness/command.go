package readiness

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/spf13/cobra"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/envfile"
)

// Command asks a running Caddy on this machine whether its handlers are ready. It is
// the health check of containers, where there is nothing else that could ask.
func Command() *cobra.Command {
	var ignored []string
	command := &cobra.Command{
		Use: "ready", Short: "Tells with its exit code whether the running gateway can serve", Args: cobra.NoArgs,
		Example: "  caddy identity-gateway ready\n  caddy identity-gateway ready --address unix//run/caddy/admin.sock",
		RunE: func(cmd *cobra.Command, _ []string) error {
			admin, from, err := Endpoint(cmd)
			if err != nil {
				return err
			}
			return ask(cmd.OutOrStdout(), admin, from, ignored)
		},
	}
	AddFlags(command)
	command.Flags().StringSliceVar(&ignored, "ignore", nil, "checks that do not count, such as identity_provider")
	_ = command.RegisterFlagCompletionFunc("ignore", cobra.FixedCompletions(
		[]string{"discovery", "identity_provider", "issuer_keys", "models", "replay_store", "sealing_keys", "signing_keys"}, cobra.ShellCompDirectiveNoFileComp))
	command.ValidArgsFunction = cobra.NoFileCompletions
	return command
}

// AddFlags adds those by which [Endpoint] finds the admin endpoint.
func AddFlags(cmd *cobra.Command) {
	cmd.Flags().String("address", "", "the address of the admin endpoint, if no configuration says it")
	cmd.Flags().StringP("config", "c", "", "the configuration that names that address; else the Caddyfile in this folder, or "+installed)
	envfile.AddFlags(cmd)
	_ = cmd.RegisterFlagCompletionFunc("address", cobra.NoFileCompletions)
}

// Endpoint is the address of the admin endpoint of the Caddy on this machine, and what says so.
func Endpoint(cmd *cobra.Command) (address, from string, err error) {
	if err := envfile.Load(cmd); err != nil {
		return "", "", err
	}
	if address, _ = cmd.Flags().GetString("address"); address != "" {
		return address, "--address", nil
	}
	config, _ := cmd.Flags().GetString("config")
	adapter, _ := cmd.Flags().GetString("adapter")
	if address, from, err = adminAddress(config, adapter); err != nil {
		err = fmt.Errorf("finding the admin endpoint: %w; or name it: --address unix//run/caddy/admin.sock", err)
	}
	return address, from, err
}

// installed is where Caddy's packages and image have their configuration.
const installed = "/etc/caddy/Caddyfile"

// adminAddress is that of the admin endpoint, and what says so. Of a Caddyfile the global
// options are read alone: the variables of its sites may be set for the service only.
func adminAddress(file, adapter string) (address, from string, err error) {
	for _, usual := range [...]string{"Caddyfile", installed} {
		if _, err := os.Stat(usual); file == "" && err == nil {
			file = usual
		}
	}
	switch {
	case file == "":
		return caddy.DefaultAdminListen, "Caddy's default, as there is no Caddyfile here, and no " + installed, nil
	case cmp.Or(adapter, "caddyfile") != "caddyfile" || strings.HasSuffix(file, ".json"):
		address, err = caddycmd.DetermineAdminAPIAddress("", nil, file, adapter)
		return address, file, err
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return "", "", err
	}
	blocks, err := caddyfile.Parse(file, content)
	if err != nil {
		return "", "", err
	}
	if address = adminOption(blocks); address == "off" {
		return "", "", fmt.Errorf("%s has admin off, so that nobody can ask", file)
	}
	return address, file, nil
}

// adminOption is the address of the global option admin, or Caddy's default.
func adminOption(blocks []caddyfile.ServerBlock) string {
	if len(blocks) > 0 && len(blocks[0].Keys) == 0 {
		for _, option := range blocks[0].Segments {
			if option.Directive() == "admin" && len(option) > 1 && option[1].Text != "{" {
				return option[1].Text
			}
		}
	}
	return caddy.DefaultAdminListen
}

// ask prints what is checked, and returns what is not ready as an error. from is what
// names the address of the admin endpoint.
func ask(out io.Writer, admin, from string, ignored []string) error {
	response, err := caddycmd.AdminAPIRequest(admin, http.MethodGet, Path+"?"+url.Values{"ignore": ignored}.Encode(), nil, nil)
	if err != nil {
		// A status of 400 or more is among them, with the body as text.
		hint := "start Caddy (its log says why it has ended), or name what it runs with: --config <path>, --address unix//run/caddy/admin.sock"
		switch _, body, found := strings.Cut(err.Error(), fmt.Sprintf("HTTP %d: ", http.StatusServiceUnavailable)); {
		case found:
			return notReady([]byte(body))
		case strings.Contains(err.Error(), "HTTP "):
			hint = "is that Caddy one with this plugin?"
		case strings.Contains(err.Error(), "permission denied"):
			hint = "ask as the user who runs Caddy, or as root"
		}
		return fmt.Errorf("asking at %s, the admin endpoint by %s: %w; %s", admin, from, err, hint)
	}
	defer response.Body.Close()
	var report report
	if err := json.NewDecoder(response.Body).Decode(&report); err != nil {
		return fmt.Errorf("reading the response of %s: %w", admin, err)
	}
	for _, result := range report.Checks {
		if result.Ready {
			fmt.Fprintln(out, "ready:", result.name())
		} else {
			fmt.Fprintf(out, "not ready, ignored: %s: %s\n", result.name(), result.Reason)
		}
	}
	return nil
}

// notReady is what the report says against serving.
func notReady(body []byte) error {
	var report report
	if err := json.Unmarshal(body, &report); err != nil {
		return errors.New("not ready: " + strings.TrimSpace(string(body)))
	}
	var reasons []error
	if report.Reason != "" {
		reasons = append(reasons, errors.New("not ready: "+report.Reason))
	}
	for _, result := range report.Checks {
		if !result.Ready {
			reasons = append(reasons, fmt.Errorf("not ready: %s: %s", result.name(), result.Reason))
		}
	}
	return errors.Join(reasons...)
}

func (r Result) name() string { return strings.TrimSpace(r.Check + " " + r.Of) }
