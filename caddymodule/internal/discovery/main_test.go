package discovery

import (
	"testing"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/leaktest"
)

// Metadata is fetched in a goroutine of its own.
func TestMain(m *testing.M) { leaktest.Main(m) }
