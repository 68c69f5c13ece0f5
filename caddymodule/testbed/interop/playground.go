package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// Playground has a person use the page of the directive playground in Chromium, at
// the site that `make run` starts.
func Playground(ctx context.Context) (_ []Result, err error) {
	defer fail.Catch(&err)
	e := fail.Must(newEnvironment())
	defer e.close()
	fail.Check(startSiteOfMakeRun(ctx, e))
	return nodeClient("playground.mjs", true)(ctx, e, session{
		Gateway: e.gatewayURL(), ClientID: playgroundClient, Audience: testAudience, Username: "ada", Chromium: chromium(), SPAPort: e.spaPort, Lacks: []string{},
	})
}

// playgroundClient is the client of `make run`.
const playgroundClient = "dev-native"

// startSiteOfMakeRun loads the Caddyfile of `make run`, with the variables that
// caddymodule/cmd/gateway sets.
func startSiteOfMakeRun(ctx context.Context, e *environment) (err error) {
	defer fail.Catch(&err)
	for name, value := range map[string]string{
		"GATEWAY_ADDRESS":      e.gatewayURL(),
		"AUTH_URL":             fmt.Sprintf("http://localhost:%d", e.idpPort),
		"CLIENT_ID":            playgroundClient,
		"CLIENT_SECRET":        "of-this-test-alone",
		"REDIRECT_URIS":        e.gatewayURL() + "/playground",
		"ORIGINS":              e.gatewayURL(),
		"GATEWAY_ADMIN_SOCKET": filepath.Join(e.dir, "admin.sock"),
		"XDG_DATA_HOME":        e.dir,
		"XDG_CONFIG_HOME":      e.dir,
	} {
		before, was := os.LookupEnv(name)
		fail.Check(os.Setenv(name, value))
		e.whenClosed(func() {
			if _ = os.Unsetenv(name); was {
				_ = os.Setenv(name, before)
			}
		})
	}
	file := filepath.Join(e.clients, "..", "..", "..", "devidp", "Caddyfile")
	content := fail.Must(os.ReadFile(file))
	adapted, _, err := caddyfile.Adapter{ServerType: httpcaddyfile.ServerType{}}.Adapt(content, map[string]any{"filename": file})
	if err != nil {
		return err
	}
	e.whenClosed(func() { _ = caddy.Stop() })
	return runCaddy(ctx, e, adapted)
}
