package main

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/doctest"
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
func TestEveryBlockOfTheRecipesIsRun(t *testing.T) {
	document, err := doctest.ReadFile("../../RECIPES.md")
	require.NoError(t, err)
	var sections []string
	for _, b := range document.Blocks {
		if b.Language == "caddyfile" {
			sections = append(sections, b.Section)
		}
	}
	var names []string
	for _, r := range recipes() {
		names = append(names, r.name)
	}
	require.Equal(t, names, sections)
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
