package admission

import (
	"testing"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/leaktest"
)

// Requests wait in goroutines of their own.
func TestMain(m *testing.M) { leaktest.Main(m) }
