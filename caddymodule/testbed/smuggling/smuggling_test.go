package smuggling

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	_ "github.com/caddyserver/caddy/v2/modules/standard"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/caddyprocess"
)

func TestMain(m *testing.M) {
	caddyprocess.Main()
	os.Exit(m.Run())
}

func TestNoRequestIsSmuggled(t *testing.T) {
	for _, group := range Attacks() {
		t.Run(group.Title, func(t *testing.T) {
			stage, err := NewStage()
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, stage.Close()) })
			t.Parallel()
			for _, attack := range group.Attacks {
				results, err := stage.Try(&attack)
				require.NoError(t, err)
				for _, result := range results {
					t.Logf("%s: %s: %s: %s", attack.Name, result.Target, &result, result.Unprotected)
					assert.Empty(t, result.Violations, "%s: %s: %s", attack.Name, result.Target, &result)
				}
			}
		})
	}
}
