// Command caddy is the production server, and what releases contain: Caddy's
// standard modules, this plugin, and the replay store for several gateways. The
// latter is why it is a Go module of its own.
package main

import (
	"github.com/caddyserver/caddy/v2"
	caddycmd "github.com/caddyserver/caddy/v2/cmd"

	_ "github.com/caddyserver/caddy/v2/modules/standard"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/metrics"
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/replay/redis"
)

func main() {
	caddy.CustomVersion = "caddy-identity-gateway " + metrics.Version() + ", Caddy" // Caddy's own version follows
	caddycmd.Main()
}
