package lifecycle_test

import (
	"os"
	"testing"

	_ "github.com/caddyserver/caddy/v2/modules/standard"
	"github.com/stretchr/testify/require"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/lifecycle"
)

func TestMain(m *testing.M) {
	caddyprocess.Main()
	os.Exit(m.Run())
}

// TestLifecycle tries what is quick; `make lifecycle` tries everything.
func TestLifecycle(t *testing.T) {
	trier := &lifecycle.Trier{Reloads: 40}
	for _, group := range lifecycle.Groups() {
		for _, c := range group.Cases {
			if c.Long {
				continue
			}
			t.Run(group.Title+"/"+c.What, func(t *testing.T) {
				t.Parallel()
				result := trier.Try(t.Context(), c)
				if result.Skipped != "" {
					t.Skip(result.Skipped)
				}
				require.Empty(t, result.Violations)
			})
		}
	}
}
