package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	_ "github.com/caddyserver/caddy/v2/modules/standard" // the providers' Caddyfiles use reverse_proxy and its transports

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"        // the gateway
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/devidp" // the development IdP
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/readiness"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

const gatewayLog = "gateway.log"

// startGateway loads a configuration into this process's Caddy, in the place of
// the one before, until the environment is closed. Everything is logged, at the
// finest level and in the format oauth_redact, into one file.
func startGateway(ctx context.Context, e *environment, idp *runningIdP, r Registration) error {
	directive := idp.recipe
	if directive == "" {
		directive = fmt.Sprintf("identity_gateway %s {\n%s\n\t}", idp.authURL, indent(idp.gateway+"\n"+e.gatewayOptions(idp, r), "\t\t"))
	}
	config := fmt.Sprintf(`{
	admin off
	skip_install_trust
	auto_https disable_redirects
	storage file_system %[1]s
	log default {
		level DEBUG
		format oauth_redact
	}
}
http://localhost:%[2]d {
	bind localhost
	log
	%[3]s
	text_segmentation
	personification
	%[5]s
}
%[4]s
`, e.dir, e.gatewayPort, directive, idp.sites, idp.rest)
	if err := os.WriteFile(filepath.Join(e.dir, "Caddyfile"), []byte(config), 0o600); err != nil {
		return err
	}
	adapter := caddyfile.Adapter{ServerType: httpcaddyfile.ServerType{}}
	adapted, _, err := adapter.Adapt(caddyfile.Format([]byte(config)), map[string]any{"filename": "Caddyfile"})
	if err != nil {
		return err
	}
	return runCaddy(ctx, e, adapted)
}

// runCaddy has this process's Caddy run a configuration, which configures the default
// log, in the place of the one before, and waits until it can serve. There is no admin API, and everything is logged
// into one file: among the output of tests it would hide what failed.
func runCaddy(ctx context.Context, e *environment, adapted []byte) (err error) {
	defer fail.Catch(&err)
	var config caddy.Config
	fail.Check(json.Unmarshal(adapted, &config))
	config.Logging.Logs[caddy.DefaultLoggerName].WriterRaw, err = json.Marshal(map[string]string{
		"output": "file", "filename": filepath.Join(e.dir, gatewayLog), "mode": "0600",
	})
	if err != nil {
		return err
	}
	config.Admin = &caddy.AdminConfig{Disabled: true, Config: &caddy.ConfigSettings{Persist: new(bool)}}
	fail.Check(stopCaddy(ctx))
	fail.Check(os.Setenv("XDG_DATA_HOME", e.dir))
	fail.Check(caddy.Run(&config))
	return awaitReady(ctx)
}

// stopCaddy stops this process's Caddy and waits until nobody listens at its addresses
// any more: Caddy does not wait for that when one configuration replaces another, and
// resets connections that are made to the old listener meanwhile.
func stopCaddy(ctx context.Context) (err error) {
	defer fail.Catch(&err)
	var addresses []string
	if app, err := caddy.ActiveContext().AppIfConfigured("http"); err == nil {
		for _, server := range app.(*caddyhttp.App).Servers {
			addresses = append(addresses, server.Listen...)
		}
	}
	fail.Check(caddy.Stop())
	for _, address := range addresses {
		parsed := fail.Must(caddy.ParseNetworkAddress(address))
		fail.Check(awaitRefusal(ctx, parsed.JoinHostPort(0)))
	}
	return nil
}

func awaitRefusal(ctx context.Context, address string) error {
	for {
		connection, err := new(net.Dialer).DialContext(ctx, "tcp", address)
		switch {
		case errors.Is(err, syscall.ECONNREFUSED):
			return nil
		case ctx.Err() != nil:
			return fmt.Errorf("the gateway before still listens at %s: %w", address, ctx.Err())
		case err == nil:
			connection.Close()
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// awaitReady waits until this process's Caddy can serve all requests. A gateway that
// is loaded together with its IdP asks that too early, and has to ask again.
func awaitReady(ctx context.Context) error {
	app, err := caddy.ActiveContext().AppIfConfigured(new(readiness.App).CaddyModule().ID.Name())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		results := app.(*readiness.App).Run(ctx)
		i := slices.IndexFunc(results, func(r readiness.Result) bool { return !r.Ready })
		if i < 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the gateway is not ready: %s %s: %s", results[i].Check, results[i].Of, results[i].Reason)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func indent(text, by string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return by + strings.Join(lines, "\n"+by)
}

// waitFor polls a URL until it answers with anything but 503: not ready yet.
func waitFor(ctx context.Context, url string, patience time.Duration, transport http.RoundTripper) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	client := &http.Client{Transport: transport, Timeout: 5 * time.Second}
	for {
		response, err := client.Get(url)
		if err == nil {
			response.Body.Close()
			if response.StatusCode != http.StatusServiceUnavailable {
				return nil
			}
			err = errors.New(response.Status)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("nothing answers at %s after %s: %w", url, patience, err)
		case <-time.After(200 * time.Millisecond):
		}
	}
}
