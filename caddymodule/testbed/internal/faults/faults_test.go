package faults_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/faults"
)

// TestFaults tries every fault on the requests that are proxied. `make faults`
// tries those that wait for metadata and keys, too.
func TestFaults(t *testing.T) {
	stage, err := faults.NewStage(time.Minute) // speed is for the command to measure
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, stage.Close()) })
	for _, group := range faults.Groups() {
		for _, fault := range group.Faults {
			t.Run(group.Title+"/"+fault.Name, func(t *testing.T) {
				result, err := stage.Try(group.Title, &fault)
				require.NoError(t, err)
				require.Empty(t, result.Violations)
			})
		}
	}
}
