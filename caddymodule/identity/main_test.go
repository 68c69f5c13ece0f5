package identity

import (
	"testing"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

func TestMain(m *testing.M) {
	testgateway.Main()
	testgateway.MainWithoutLeaks(m)
}
