package identity

import (
	"os"
	"testing"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/leaktest"
)

func TestMain(m *testing.M) {
	if os.Getenv(nodeConfig) != "" { // a whole Caddy, which ends with its process
		os.Exit(m.Run())
	}
	leaktest.Main(m)
}
