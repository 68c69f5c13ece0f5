// Command caddy is the production server: Caddy's standard modules and this plugin.
package main

import (
	caddycmd "github.com/caddyserver/caddy/v2/cmd"

	_ "github.com/caddyserver/caddy/v2/modules/standard"
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
)

func main() {
	caddycmd.Main()
}
