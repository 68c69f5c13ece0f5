//go:build unix

package doctest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
)

// The steps of PRODUCTION.md, with its own commands and Caddyfile.example as it is. .ci/smoke
// logs in through a release in the same way.
func TestTheStepsOfProduction(t *testing.T) {
	port := must.Have(testgateway.FreePorts(2))(t)
	address := "http://127.0.0.1:" + strconv.Itoa(port)

	// Steps 1 and 2.
	provider, err := testidp.Start(testidp.Auth0(testidp.Client{ID: "5f9YqR7o3sKq2Wb1", Secret: "of-the-gateway", RedirectURIs: []string{address + "/oauth/callback"}}))
	require.NoError(t, err)
	defer provider.Close()
	home, bin := t.TempDir(), t.TempDir()
	executable := must.Have(os.Executable())(t)
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
	source := must.Have(os.ReadFile(filepath.Join(root, "caddymodule", "PRODUCTION.md")))(t)
	validate := regexp.MustCompile(`(?s)( *export GATEWAY_ADDRESS.*?)( *caddy validate [^\n]*\n)`).FindStringSubmatch(string(source))
	require.NotNil(t, validate, "step 3 of PRODUCTION.md")
	output, err = run(validate[0]).CombinedOutput()
	require.NoError(t, err, "%s", output)
	start := func() (stop func()) {
		var log bytes.Buffer
		caddy := run(validate[1] + "exec" + strings.Replace(validate[2], "caddy validate", "caddy run", 1))
		caddy.Stdout, caddy.Stderr = &log, &log
		require.NoError(t, caddy.Start())
		stop = sync.OnceFunc(func() {
			_ = caddy.Process.Signal(syscall.SIGTERM)
			_ = caddy.Wait()
			if t.Failed() {
				t.Log(log.String())
			}
		})
		t.Cleanup(stop)
		require.Eventually(t, func() bool {
			return run("caddy identity-gateway ready --config Caddyfile.example").Run() == nil
		}, time.Minute, 100*time.Millisecond)
		return stop
	}
	stop := start()

	// The backup, and the loss of the disk.
	archive := filepath.Join(t.TempDir(), "caddy.tar")
	tar := func(mode string) {
		command := regexp.MustCompile("tar --" + mode + ` --file caddy\.tar [^\n&]*`).FindString(string(source))
		require.NotEmpty(t, command)
		output, err := run(strings.NewReplacer("caddy.tar", archive, "/var/lib/caddy", home).Replace(command)).CombinedOutput()
		require.NoError(t, err, "%s", output)
	}
	folder := filepath.Join(home, "caddy", "identity_gateway")
	keys := func() (all []string) {
		files := must.Have(filepath.Glob(filepath.Join(folder, "keys", "*")))(t)
		for _, file := range files {
			content := must.Have(os.ReadFile(file))(t)
			all = append(all, filepath.Base(file), string(content))
		}
		return all
	}
	made := keys()
	require.Len(t, made, 2)
	require.DirExists(t, filepath.Join(folder, "replay"))
	tar("create")
	stop()
	require.NoError(t, os.RemoveAll(folder))
	tar("extract")
	require.Equal(t, made, keys())
	require.NoDirExists(t, filepath.Join(folder, "replay"))
	start()
	require.Equal(t, made, keys(), "no other key is made")
}
