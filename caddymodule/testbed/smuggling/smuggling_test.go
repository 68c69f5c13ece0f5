package smuggling

import (
	"os"
	"testing"

	_ "github.com/caddyserver/caddy/v2/modules/standard"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

func TestMain(m *testing.M) {
	testgateway.Main()
	os.Exit(m.Run())
}

func TestNoRequestIsSmuggled(t *testing.T) {
	for _, group := range attackGroups() {
		t.Run(group.title, func(t *testing.T) {
			s := newEnv(t)
			t.Parallel()
			for _, attack := range group.attacks {
				s.try(&attack)
			}
		})
	}
}
