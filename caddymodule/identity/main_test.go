package identity

import (
	"fmt"
	"os"
	"testing"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

func TestMain(m *testing.M) {
	if file := os.Getenv(nodeConfig); file != "" { // a whole Caddy, which ends with its process
		if err := runNode(file); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	testgateway.MainWithoutLeaks(m)
}
