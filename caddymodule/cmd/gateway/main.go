// Command gateway is a Caddy with its standard modules, this project's three
// handlers and the development identity provider: what `make run` starts and
// what the tests run. The production binary is built by xcaddy (`make build`)
// and leaves the development identity provider out.
package main

import (
	caddycmd "github.com/caddyserver/caddy/v2/cmd"

	_ "github.com/caddyserver/caddy/v2/modules/standard"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/devidp"
)

func main() {
	caddycmd.Main()
}
