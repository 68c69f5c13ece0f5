package loadtest

import (
	"fmt"
	"os"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/caddyprocess"
)

// StartServer starts a Caddy with one site at an address of its own on loopback, in a
// process of its own that logs errors only, with an admin API. servers is what stands in the global
// option servers, such as "protocols h1 h2c"; "" leaves it as Caddy has it.
func StartServer(servers, site string) (*caddyprocess.Process, string, error) {
	address, err := testgateway.FreeAddress()
	if err != nil {
		return nil, "", err
	}
	block := func(name, content string) string {
		return name + " {\n\t" + strings.ReplaceAll(strings.TrimSpace(content), "\n", "\n\t") + "\n}"
	}
	global := caddyprocess.AdminOption("{$HOME}") + "\nauto_https off\nlog {\n\tlevel ERROR\n}"
	if servers != "" {
		global += "\n" + block("servers", servers)
	}
	process, err := caddyprocess.Start(caddyprocess.Config{
		Caddyfile: fmt.Sprintf("%s\n%s\n", block("", global), block("http://"+address, site)), Address: address, Stderr: os.Stderr,
	})
	return process, address, err
}
