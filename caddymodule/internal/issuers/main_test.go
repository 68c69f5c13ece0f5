package issuers

import (
	"testing"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

// Metadata is fetched in a goroutine of its own.
func TestMain(m *testing.M) { testgateway.MainWithoutLeaks(m) }
