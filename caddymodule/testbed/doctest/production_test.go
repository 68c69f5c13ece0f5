//go:build unix

package doctest

import (
	"bytes"
	"context"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

// The steps of PRODUCTION.md, with its own commands and Caddyfile.example as it is, and
// then a client that knows OAuth and nothing of the gateway.
func TestProductionLogsSomebodyIn(t *testing.T) {
	port, err := testgateway.FreePorts(2)
	require.NoError(t, err)
	address, monitoring := "http://127.0.0.1:"+strconv.Itoa(port), "http://127.0.0.1:"+strconv.Itoa(port+1)

	// Steps 1 and 2.
	tenant := testidp.Auth0(testidp.Client{ID: "5f9YqR7o3sKq2Wb1", Secret: "of-the-gateway", RedirectURIs: []string{address + "/oauth/callback"}})
	tenant.ResponseModes = []string{"query"} // browse has no forms
	provider, err := testidp.Start(tenant)
	require.NoError(t, err)
	defer provider.Close()
	home, bin := t.TempDir(), t.TempDir()
	executable, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(executable, filepath.Join(bin, "caddy")))
	run := func(script string) *exec.Cmd {
		cmd := exec.Command("bash", "-euo", "pipefail", "-c", strings.NewReplacer(
			"GATEWAY_ADDRESS=login.example.com", "GATEWAY_ADDRESS="+address, "https://your-tenant.eu.auth0.com", provider.IssuerURL(),
			"CLIENT_SECRET=...", "CLIENT_SECRET=of-the-gateway").Replace(script))
		cmd.Dir = root
		cmd.Env = []string{
			"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + home, "XDG_DATA_HOME=" + home, "XDG_CONFIG_HOME=" + home,
			"GATEWAY_ADMIN_SOCKET=" + filepath.Join(home, "s"), "MONITORING_PORT=" + strconv.Itoa(port+1),
		}
		return cmd
	}
	output, err := run("caddy identity-gateway check https://your-tenant.eu.auth0.com").CombinedOutput()
	require.NoError(t, err, "%s", output)

	// Steps 3 to 5.
	source, err := os.ReadFile(filepath.Join(root, "caddymodule", "PRODUCTION.md"))
	require.NoError(t, err)
	validate := regexp.MustCompile(`(?s)( *export GATEWAY_ADDRESS.*?)( *caddy validate [^\n]*\n)`).FindStringSubmatch(string(source))
	require.NotNil(t, validate, "step 3 of PRODUCTION.md")
	output, err = run(validate[0]).CombinedOutput()
	require.NoError(t, err, "%s", output)
	var log bytes.Buffer
	caddy := run(validate[1] + "exec" + strings.Replace(validate[2], "caddy validate", "caddy run", 1))
	caddy.Stdout, caddy.Stderr = &log, &log
	require.NoError(t, caddy.Start())
	ready := func(arguments string) (string, error) {
		output, err := run("caddy identity-gateway ready --config Caddyfile.example " + arguments).CombinedOutput()
		return string(output), err
	}
	defer func() {
		_ = caddy.Process.Signal(syscall.SIGTERM)
		_ = caddy.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	}()
	require.Eventually(t, func() bool { _, err := ready(""); return err == nil }, time.Minute, 100*time.Millisecond)

	// The app.
	ctx := t.Context()
	app := oauth2.Config{
		ClientID: "5f9YqR7o3sKq2Wb1", RedirectURL: "https://app.example.com/callback", Scopes: []string{"openid"},
		Endpoint: oauth2.Endpoint{AuthURL: address + "/authorize", TokenURL: address + "/oauth/token"},
	}
	verifier := oauth2.GenerateVerifier()
	code := browse(t, provider, app.AuthCodeURL("state", oauth2.S256ChallengeOption(verifier)), app.RedirectURL)
	token, err := app.Exchange(ctx, code, oauth2.VerifierOption(verifier))
	require.NoError(t, err)
	require.Equal(t, 200, userInfo(t, ctx, address, token.AccessToken))

	// An identity provider that is away.
	require.NoError(t, provider.Close())
	require.Equal(t, 502, userInfo(t, ctx, address, token.AccessToken))
	printed, err := ready("")
	require.Error(t, err)
	require.Contains(t, printed, "not ready: identity_provider "+provider.IssuerURL())
	printed, err = ready("--ignore identity_provider")
	require.NoError(t, err, printed)
	for path, status := range map[string]int{"/live": 200, "/metrics": 200, "/identity_gateway/ready": 503, "/identity_gateway/ready?ignore=identity_provider": 200} {
		response, err := http.Get(monitoring + path)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, status, response.StatusCode, path)
	}
}

// browse is the code with which a browser comes to the app's redirect URI.
func browse(t *testing.T, provider *testidp.Server, authorize, redirect string) (code string) {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	browser := &http.Client{Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if strings.HasPrefix(r.URL.String(), redirect) {
			code = r.URL.Query().Get("code")
			require.NotEmpty(t, code, r.URL)
			return http.ErrUseLastResponse
		}
		return nil
	}}
	at, err := url.Parse(provider.URL())
	require.NoError(t, err)
	jar.SetCookies(at, []*http.Cookie{testidp.UserCookie("u1")})
	response, err := browser.Get(authorize)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.NotEmpty(t, code, "status %d of %s", response.StatusCode, response.Request.URL)
	return code
}

func userInfo(t *testing.T, ctx context.Context, address, token string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/userinfo", nil)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}
