package readiness

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/caddyserver/caddy/v2"
	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/spf13/cobra"
)

// Command asks a running Caddy on this machine whether its handlers are ready. It is
// the health check of containers, where there is nothing else that could ask.
func Command() *cobra.Command {
	var address, config, adapter string
	command := &cobra.Command{
		Use: "ready", Short: "Tells with its exit code whether the running gateway can serve", Args: cobra.NoArgs,
		Example: "  caddy identity-gateway ready --address unix//run/caddy/admin.sock",
		RunE: func(cmd *cobra.Command, _ []string) error {
			admin, err := caddycmd.DetermineAdminAPIAddress(address, nil, config, adapter)
			if err != nil {
				return fmt.Errorf("finding the admin endpoint: %w", err)
			}
			return ask(cmd.OutOrStdout(), admin)
		},
	}
	command.Flags().StringVar(&address, "address", "", "the address of the admin endpoint, if it is not "+caddy.DefaultAdminListen)
	command.Flags().StringVarP(&config, "config", "c", "", "the configuration that names that address")
	command.Flags().StringVarP(&adapter, "adapter", "a", "", "the name of its config adapter")
	return command
}

// ask prints what is checked, and returns what is not ready as an error.
func ask(out io.Writer, admin string) error {
	response, err := caddycmd.AdminAPIRequest(admin, http.MethodGet, Path, nil, nil)
	if err != nil {
		// A status of 400 or more is among them, with the body as text.
		if _, body, found := strings.Cut(err.Error(), fmt.Sprintf("HTTP %d: ", http.StatusServiceUnavailable)); found {
			return notReady([]byte(body))
		}
		return fmt.Errorf("asking at %s, the admin endpoint: %w", admin, err)
	}
	defer response.Body.Close()
	var report report
	if err := json.NewDecoder(response.Body).Decode(&report); err != nil {
		return fmt.Errorf("reading the response of %s: %w", admin, err)
	}
	for _, result := range report.Checks {
		fmt.Fprintln(out, "ready:", result.name())
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
