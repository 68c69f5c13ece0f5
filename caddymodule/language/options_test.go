package language

import (
	"context"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/admission"
)

// What is shared across reloads goes when the last configuration that uses it does.
func TestAConfigurationGivesBackWhatItAcquired(t *testing.T) {
	limits := admission.Limits{MaxBody: 1234}.WithDefaults()
	users := func() int {
		n, _ := gates.References(limits)
		return n
	}
	load := func(module, options string) (context.CancelFunc, error) {
		parent, err := caddy.ProvisionContext(&caddy.Config{
			Admin:      &caddy.AdminConfig{Disabled: true},
			StorageRaw: caddyconfig.JSON(map[string]string{"module": "file_system", "root": t.TempDir()}, nil),
		})
		require.NoError(t, err)
		ctx, cancel := caddy.NewContext(parent)
		_, err = ctx.LoadModuleByID(module, []byte(`{"max_body": 1234`+options+`}`))
		return cancel, err
	}
	for _, module := range []string{"http.handlers.text_segmentation", "http.handlers.personification"} {
		t.Run(module, func(t *testing.T) {
			before, err := load(module, "")
			require.NoError(t, err)
			reloaded, err := load(module, "")
			require.NoError(t, err)
			require.Equal(t, 2, users())
			before()
			require.Equal(t, 1, users())
			_, err = load(module, `, "origins": ["app.example"]`)
			require.ErrorContains(t, err, "origin ")
			require.Equal(t, 1, users(), "a configuration that can't be loaded")
			reloaded()
			require.Zero(t, users())
		})
	}
}
