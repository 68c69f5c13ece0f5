package readiness

import (
	"testing"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }
