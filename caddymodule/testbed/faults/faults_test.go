package faults

import (
	"flag"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
)

var (
	all   = flag.Bool("all", false, "try each fault on the requests that wait for metadata and keys, too")
	slack = flag.Duration("slack", time.Minute, "how much longer than promised an answer, or the recovery, may take on this machine")
)

// TestFaults tries every fault on the requests that are proxied, one fault at a time:
// it measures the process.
func TestFaults(t *testing.T) {
	tryAll(t, func(t *testing.T, s *env, f *fault) { s.try(t, f) })
}

// TestFaultsOfMetadataAndKeys tries those that wait for up to ten seconds.
func TestFaultsOfMetadataAndKeys(t *testing.T) {
	if !*all {
		t.Skip("make faults tries this")
	}
	tryAll(t, func(t *testing.T, s *env, f *fault) {
		t.Parallel()
		s.tryWaiting(t, f)
	})
}

func tryAll(t *testing.T, try func(*testing.T, *env, *fault)) {
	s, err := newEnv(t.TempDir(), *slack)
	require.NoError(t, err)
	for _, group := range groups() {
		for _, fault := range group.faults {
			t.Run(group.title+"/"+fault.name, func(t *testing.T) { try(t, s, &fault) })
		}
	}
}
