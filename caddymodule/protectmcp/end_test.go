package protectmcp_test

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// An operator ends a user by the command: his streams break off, also those from before a reload, and
// his tokens are 401, while others go on.
func TestTheCommandEndsAUser(t *testing.T) {
	behind := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range 200 { // until somebody ends it
			_, _ = io.WriteString(w, "data: x\n\n")
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	}))
	t.Cleanup(behind.Close)
	address := testgateway.NewAddress(t)
	home, url := t.TempDir(), "http://"+address
	configuration := testgateway.Caddyfile(home, "", url+` {
		protect_mcp `+url+`/mcp https://idp.example {
			idp_client gateway s3cret
			sealing_key `+sealingKey+`
			id_tokens idp
		}
		reverse_proxy `+behind.URL+`
	}`)
	p, err := testgateway.StartCaddy(configuration, home, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Stop()) })
	key, _, err := seal.ParseMaster([]byte(sealingKey))
	require.NoError(t, err)
	keys, err := seal.NewKeys([][]byte{key}, time.Now)
	require.NoError(t, err)
	open := func(user, login string) *http.Response {
		token := gatewaytoken.Token{
			Issuer: url, Resource: url + "/mcp", Subject: user, ClientID: "https://agent.example/client.json", LoginID: login,
			Issued: time.Now().Add(-time.Minute), Expires: time.Now().Add(time.Hour),
		}
		r, err := http.NewRequest(http.MethodGet, url+"/mcp", nil)
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer "+token.Seal(keys))
		response, err := http.DefaultTransport.RoundTrip(r)
		require.NoError(t, err)
		t.Cleanup(func() { _ = response.Body.Close() })
		return response
	}
	end := func(arguments ...string) (string, error) {
		executable, err := os.Executable()
		require.NoError(t, err)
		command := exec.Command(executable, append([]string{"identity-gateway", "end", "--address", p.Admin()}, arguments...)...)
		command.Env = append(os.Environ(), testgateway.ChildVariable+"=1", "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home)
		output, err := command.CombinedOutput()
		return string(output), err
	}
	// ends reports that a stream ends soon.
	ends := func(r *http.Response) bool {
		deadline := time.Now().Add(10 * time.Second)
		for lines := bufio.NewScanner(r.Body); time.Now().Before(deadline); {
			if !lines.Scan() {
				return true
			}
		}
		return false
	}
	ada, eve, other := open("ada", "AAAAAAAAAA"), open("eve", "BBBBBBBBBA"), open("eve", "CCCCCCCCCA")
	for _, stream := range []*http.Response{ada, eve, other} {
		require.Equal(t, http.StatusOK, stream.StatusCode)
	}
	require.NoError(t, p.Reload(configuration, true), "streams of the configuration before end, too")
	output, err := end("user", "ada")
	require.NoError(t, err, output)
	require.Contains(t, output, "ended: user ada\nWhether there was one is not checked: the name has to be the user's sub")
	require.True(t, ends(ada), "it went on")
	refused := open("ada", "DDDDDDDDDA")
	require.Equal(t, http.StatusUnauthorized, refused.StatusCode)
	require.Contains(t, refused.Header.Get("WWW-Authenticate"), "has ended; log in again")

	output, err = end("login", "BBBBBBBBBA")
	require.NoError(t, err, output)
	require.True(t, ends(eve))
	require.Equal(t, http.StatusOK, open("eve", "CCCCCCCCCA").StatusCode)
	output, err = end("agent", "https://agent.example/client.json")
	require.NoError(t, err, output)
	require.True(t, ends(other))
	require.Equal(t, http.StatusUnauthorized, open("eve", "CCCCCCCCCA").StatusCode)

	for says, arguments := range map[string][]string{
		"use login, user or agent": {"session", "x"},
		"accepts 2 arg":            {"user"},
		"the user is missing":      {"user", ""},
		"not the login_id":         {"login", "ada"},
	} {
		output, err := end(arguments...)
		require.Error(t, err)
		require.Contains(t, strings.ReplaceAll(output, `\"`, `"`), says)
	}
}
