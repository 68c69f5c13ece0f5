package protectmcp_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

// An IdP without metadata: with discover no login could begin there, ever.
func TestAnIdPWithoutMetadata(t *testing.T) {
	idp := testidp.Run(t, testidp.GitHub())
	for discover, status := range map[string]int{"discover off": http.StatusOK, "": http.StatusServiceUnavailable} {
		address := testgateway.NewAddress(t)
		g, err := testgateway.Start(testgateway.Config{Address: address, Site: "protect_mcp http://" + address + "/mcp " + idp.URL() + ` {
			idp_client gateway s3cret
			endpoint authorize /login/oauth/authorize
			endpoint token /login/oauth/access_token
			endpoint userinfo ` + idp.HostURL(testidp.UserInfoHost) + `/user
			endpoint logout none
			` + discover + `
		}
		respond /mcp 200`})
		require.NoError(t, err)
		response, err := http.Post(g.URL()+"/oauth/register", "application/json", strings.NewReader(`{"redirect_uris":["http://127.0.0.1/cb"]}`))
		require.NoError(t, err)
		var client struct {
			ID string `json:"client_id"`
		}
		require.NoError(t, json.NewDecoder(response.Body).Decode(&client))
		_ = response.Body.Close()
		response, err = http.Get(g.URL() + "/authorize?" + url.Values{
			"response_type": {"code"}, "client_id": {client.ID}, "redirect_uri": {"http://127.0.0.1:4711/cb"}, "state": {"s"},
			"code_challenge": {"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"}, "code_challenge_method": {"S256"},
		}.Encode())
		require.NoError(t, err)
		content, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		require.Equal(t, status, response.StatusCode, "%s %s", discover, content)
		require.NoError(t, g.Stop())
	}
}
