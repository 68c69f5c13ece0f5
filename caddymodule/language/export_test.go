package language

import (
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/admission"
)

// Tighten has the handlers with this largest body have fewer processors, less memory and patience. Zero stands for the default.
func Tighten(t *testing.T, maxBody int64, maxConcurrent int, maxBuffered int64, maxWait time.Duration) {
	t.Helper()
	limits := admission.Limits{MaxBody: maxBody}.WithDefaults()
	tight := admission.Limits{MaxBody: maxBody, MaxConcurrent: maxConcurrent, MaxBuffered: maxBuffered, MaxWait: maxWait}.WithDefaults()
	_, shared, err := gates.LoadOrNew(limits, func() (caddy.Destructor, error) { return pooledGate{admission.NewGate(tight)}, nil })
	require.NoError(t, err)
	require.False(t, shared, "another handler with these limits is there")
	t.Cleanup(func() { _, _ = gates.Delete(limits) })
}
