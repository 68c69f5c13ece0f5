package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/doctest"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// Two rows of the table are part of every test run: the development IdP needs
// nothing but this repository, so only missing clients skip.
func TestPublishedClientsThroughTheGateway(t *testing.T) {
	for _, idp := range IdPs()[:2] {
		t.Run(idp.Name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			for _, cell := range Rows(ctx, idp, Registrations(), Clients()) {
				t.Run(cell.Registration+"/"+cell.Client, func(t *testing.T) { requirePassed(t, cell) })
			}
		})
	}
}

// Each block of RECIPES.md logs in, as it stands there, and with lists of what its client
// asks for, at an identity provider
// that behaves as its vendor documents it.
func TestRecipes(t *testing.T) {
	for _, r := range recipes() {
		for name, lists := range map[string]bool{r.name: false, r.name + ", with lists": true} {
			t.Run(name, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
				defer cancel()
				for _, cell := range Rows(ctx, recipeIdP(r, lists), asRecipe(), Clients()[:2]) {
					t.Run(cell.Client, func(t *testing.T) { requirePassed(t, cell) })
				}
			})
		}
	}
}

// A recipe that no test runs would rot.
func TestEveryRecipeIsRun(t *testing.T) {
	document, err := doctest.ReadFile("../../RECIPES.md")
	require.NoError(t, err)
	var documented, run []string
	for _, b := range document.Blocks {
		if b.Language == "caddyfile" {
			documented = append(documented, b.Section)
		}
	}
	source, err := os.ReadFile("../../RECIPES.md")
	require.NoError(t, err)
	for _, row := range recipeRows.FindAllStringSubmatch(string(source), -1) {
		documented = append(documented, row[1])
	}
	for _, r := range recipes() {
		run = append(run, r.name)
	}
	require.ElementsMatch(t, run, documented)
}

// The authorize call of the published client itself, which expects a
// ResultedPKCE and no redirect.
func TestThePublishedClientGetsItsResultedPKCE(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	client := Client{Name: "pieces-os-client", run: nodeClient("pieces-os-client.cjs", false)}
	for _, cell := range Rows(ctx, silentDevelopmentIdP(), Registrations(), []Client{client}) {
		t.Run(cell.Registration, func(t *testing.T) {
			requirePassed(t, cell)
			require.Equal(t, "authorize", cell.Results[0].Step)
		})
	}
}

// Clients that know only the gateway's URL and their client id, and an API behind
// require_token that takes their tokens and none of another audience.
func TestPublishedClientsFindEverythingByMetadata(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	for _, cell := range ByMetadata(ctx) {
		t.Run(cell.Client, func(t *testing.T) { requirePassed(t, cell) })
	}
}

// Agents that are given the URL of an MCP server and nothing else, and the conformance
// tests for authorization servers of its protocol.
func TestPublishedClientsFindEverythingByURL(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	for _, cell := range ByURL(ctx) {
		t.Run(cell.Client, func(t *testing.T) { requirePassed(t, cell) })
	}
}

// The page of the directive playground, at the site of make run, used by a person
// and by people who mean harm.
func TestThePlaygroundInABrowser(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	results, err := Playground(ctx)
	if errors.Is(err, ErrUnavailable) {
		t.Skip(err)
	}
	for _, result := range results {
		t.Run(result.Step, func(t *testing.T) { require.True(t, result.OK, result.Detail) })
	}
	require.NoError(t, err)
	require.Len(t, results, 19)
}

func requirePassed(t *testing.T, cell Cell) {
	t.Helper()
	if errors.Is(cell.Err, ErrUnavailable) {
		t.Skip(cell.Err)
	}
	require.NoError(t, cell.Err)
	for _, result := range cell.Results {
		require.True(t, result.OK, "%s: %s", result.Step, result.Detail)
	}
	require.True(t, cell.Passed(), "every step must be run: %+v", cell.Results)
}

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
	e.whenClosed(func() { _ = caddy.Stop() })
	return runCaddy(ctx, e, content, file)
}

// silentDevelopmentIdP logs everybody in at once; it is not part of the table.
func silentDevelopmentIdP() IdP {
	return IdP{Name: "development IdP with auto_login", start: func(_ context.Context, e *environment) (*runningIdP, error) {
		idp := developmentIdP(e, "auto_login ada")
		idp.silent = true
		return idp, nil
	}}
}
