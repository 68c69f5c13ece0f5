package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

var all = flag.Bool("all", false, "try what takes minutes, too")

// The consent page, answered by people and by those who want them to answer unseen.
func TestTheConsentPageInABrowser(t *testing.T) {
	if !*all {
		t.Skip("make interop tries this")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	results, err := Consent(ctx)
	if errors.Is(err, ErrUnavailable) {
		t.Skip(err)
	}
	for _, result := range results {
		t.Run(result.Step, func(t *testing.T) { require.True(t, result.OK, result.Detail) })
	}
	require.NoError(t, err)
	require.Len(t, results, 21)
}

// Consent has people answer the consent page in Chromium, and attackers try to have
// them answer it without a look.
//
// The gateway shares its host with an app (/app). Of its clients, agent has no web
// origin, and spa has one.
func Consent(ctx context.Context) (results []Result, err error) {
	defer fail.Catch(&err)
	e := fail.Must(newEnvironment())
	defer e.close()
	address := fail.Must(testgateway.FreeAddress())
	base := "http://" + address
	var clients strings.Builder
	behavior := testidp.Behavior{Issuer: base + "/"}
	for id, options := range map[string]string{"agent": "", "spa": "origin " + e.spaOrigin()} {
		fmt.Fprintf(&clients, "client %s {\nconsent\nredirect_uri %s/\n%s\nidp_client %[1]s {\nsecret %[1]s-secret\n}\n}\n", id, e.spaOrigin(), options)
		behavior.Clients = append(behavior.Clients, testidp.Client{
			ID: id, RedirectURIs: []string{base + "/oauth/callback"}, Auth: testidp.ClientSecretBasic, Secret: id + "-secret",
		})
	}
	idp := fail.Must(testidp.Start(behavior))
	defer func() { err = errors.Join(err, idp.Close()) }()
	gateway, err := testgateway.Start(testgateway.Config{Address: address, Site: fmt.Sprintf(`
identity_gateway %s {
	parameters oauth
	callback
	%s
}
header /app Content-Type text/html
respond /app "<!doctype html><title>app</title>"`, idp.URL(), clients.String())})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, gateway.Stop()) }()
	return nodeClient("consent.mjs", true)(ctx, e, session{
		Gateway: base, Chromium: chromium(), SPAPort: e.spaPort, Username: "ada", Lacks: []string{},
	})
}
