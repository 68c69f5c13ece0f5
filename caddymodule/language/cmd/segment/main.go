// Command segment splits messages into text and code, and names the language of
// the code.
//
//	go install github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/cmd/segment@latest
//	segment --classify message.txt
//
// A Caddy with the plugin has it as `caddy segment`.
package main

import (
	"context"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/segmentcommand"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	cmd := &cobra.Command{Use: "segment " + segmentcommand.Usage, Short: segmentcommand.Short, Long: segmentcommand.Long}
	segmentcommand.Setup(cmd, cmd.Name())
	if cmd.ExecuteContext(ctx) != nil {
		os.Exit(1)
	}
}
