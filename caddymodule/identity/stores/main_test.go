package stores

import (
	"testing"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

func TestMain(m *testing.M) { testgateway.MainWithoutLeaks(m) }
