package interop

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
)

// One agent logs in to each of two servers of one host, knowing their URLs, at what the command
// protect-mcp stands for; a line is added to that, so that the servers are told who the user is.
func TestAnAgentAtSeveralServers(t *testing.T) {
	e := newEnvironment(t)
	idp := fmt.Sprintf("http://localhost:%d", e.idpPort)
	servers := []struct {
		path, scope string
		port        int
	}{{"/files/mcp", "files.read", e.spaPort}, {"/reports/mcp", "reports.read", e.mcpPort}}
	arguments := []string{"protect-mcp", "--print", "--idp", idp, "--client-id", "gateway"}
	for _, s := range servers {
		arguments = append(arguments, "--from", e.gatewayURL()+s.path, "--to", fmt.Sprintf("localhost:%d", s.port), "--scope", s.path+"="+s.scope)
	}
	executable := must.Have(os.Executable())(t)
	command := exec.Command(executable, arguments...)
	command.Env = append(os.Environ(), testgateway.ChildVariable+"=1", "HOME="+e.dir, "XDG_CONFIG_HOME="+e.dir, "XDG_DATA_HOME="+e.dir)
	printed, err := command.Output()
	require.NoError(t, err, string(printed))
	_, site, found := strings.Cut(string(printed), "\n}\n\n")
	require.True(t, found, string(printed))
	site = strings.NewReplacer("idp_client", "header X-User sub\n\t\tidp_client", "{env.CLIENT_SECRET}", "only-the-gateway-knows-it").Replace(site)
	e.startCaddy(t, testgateway.Caddyfile(e.dir, "", site+fmt.Sprintf(`
%s {
	bind localhost
	development_idp {
		client gateway only-the-gateway-knows-it {
			redirect_uri %s
		}
	}
}`, idp, e.callbackURL())))
	for _, s := range servers {
		t.Run(s.path, func(t *testing.T) {
			e.browser.reset()
			session := e.session(&runningIdP{mcp: e.gatewayURL() + s.path}, registration{})
			session.SPAPort = s.port
			withTools(runGoAgent)(t, e, session)
			var described struct {
				Resource string   `json:"resource"`
				Scopes   []string `json:"scopes_supported"`
			}
			require.Empty(t, fetchJSON(t, http.MethodGet, e.gatewayURL()+"/.well-known/oauth-protected-resource"+s.path, "", nil, &described))
			require.Equal(t, e.gatewayURL()+s.path, described.Resource)
			require.Equal(t, []string{s.scope}, described.Scopes)
		})
	}
}
