package doctest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// The Caddyfile in containers loads with the variables of the manifest and of the secret.
func TestTheCaddyfileInContainersLoads(t *testing.T) {
	const deploy = root + "/caddymodule/deploy/"
	manifest := must.Have(os.ReadFile(deploy + "kubernetes.yaml"))(t)
	variables := regexp.MustCompile(`\{name: ([A-Z_]+), value: "?([^"}]+)"?\}`).FindAllStringSubmatch(string(manifest), -1)
	require.Len(t, variables, 4)
	for _, variable := range variables {
		t.Setenv(variable[1], variable[2])
	}
	for name, value := range map[string]string{
		"PUBLIC_URL": "https://login.example.com", "AUTH_URL": "https://idp.example.com", "CLIENT_ID": "a", "CLIENT_SECRET": "b",
		"REDIRECT_URIS": "https://app.example.com/cb", "SEALING_KEY": "l7Hq0nX2uVd5yBz8eKc3RfTgW9sJmPaO4iUxYvNbLwE=",
	} {
		t.Setenv(name, value)
	}
	caddyfile := must.Have(os.ReadFile(deploy + "Caddyfile"))(t)
	adapted, warnings, err := caddyconfig.GetAdapter("caddyfile").Adapt(caddyfile, map[string]any{"filename": filepath.Join(deploy, "Caddyfile")})
	require.NoError(t, err)
	require.Empty(t, warnings)
	config := new(caddy.Config)
	require.NoError(t, json.Unmarshal(adapted, config))
	require.NoError(t, caddy.Validate(config))
}

// The Helm chart is the manifests, with what its values say in the place of what they have.
func TestTheChart(t *testing.T) {
	built := must.Have(filepath.Glob(filepath.Join(root, ".cache", "bin", "helm-*")))(t)
	if len(built) == 0 {
		t.Skip("Helm is not built: .ci/helm version")
	}
	helm := func(arguments ...string) string {
		output, err := exec.Command(built[0], arguments...).CombinedOutput()
		require.NoError(t, err, "%s", output)
		return string(output)
	}
	const deploy = root + "/caddymodule/deploy"
	helm("lint", "--strict", deploy)
	manifests := helm("template", "gateway", deploy)
	for _, kind := range []string{"Deployment", "Service", "PodDisruptionBudget", "ConfigMap"} {
		require.Contains(t, manifests, "kind: "+kind+"\n")
	}
	require.Contains(t, manifests, "identity_gateway {env.AUTH_URL}", "the Caddyfile")
	for value, becomes := range map[string][2]string{
		"image=example.com/gateway:1":   {`image: "caddy-identity-gateway"`, `image: "example.com/gateway:1"`},
		"replicas=3":                    {"replicas: 2", "replicas: 3"},
		"redis=rediss://store:6379":     {`"redis://redis:6379"`, `"rediss://store:6379"`},
		"app=mine:3000":                 {`"app:80"`, `"mine:3000"`},
		"trustedProxies=10.0.0.0/8":     {`"private_ranges"`, `"10.0.0.0/8"`},
		"caddyfile=http://localhost:81": {"identity_gateway {env.AUTH_URL}", `Caddyfile: "http://localhost:81"`},
	} {
		changed := helm("template", "gateway", deploy, "--set", value)
		require.Contains(t, manifests, becomes[0])
		require.NotContains(t, changed, becomes[0], value)
		require.Contains(t, changed, becomes[1])
	}
}

// Whoever kills a gateway waits for longer than it takes to stop, wherever we say so.
func TestNobodyKillsBeforeAStopEnds(t *testing.T) {
	seconds := func(pattern string, files ...string) (all []int) {
		for _, file := range files {
			source := must.Have(os.ReadFile(filepath.Join(root, file)))(t)
			found := regexp.MustCompile(pattern).FindAllStringSubmatch(string(source), -1)
			require.NotEmpty(t, found, "%s in %s", pattern, file)
			for _, match := range found {
				n := must.Have(strconv.Atoi(match[1]))(t)
				all = append(all, n)
			}
		}
		return all
	}
	const production, containers = "caddymodule/PRODUCTION.md", "caddymodule/deploy/Caddyfile"
	stops := seconds(`grace_period (\d+)s`, "Caddyfile.example", containers, "caddymodule/protectmcp/command.go")
	delay := seconds(`shutdown_delay (\d+)s`, containers)
	kills := slices.Concat(
		seconds(`TimeoutStopSec=(\d+)`, production, "caddymodule/deploy/caddy.service"),
		seconds(`stop_grace_period: (\d+)s`, "caddymodule/deploy/compose.yaml"),
		seconds(`terminationGracePeriodSeconds: (\d+)`, "caddymodule/deploy/kubernetes.yaml"),
	)
	require.Equal(t, idp.DefaultTimeout, time.Duration(slices.Min(stops))*time.Second, "an exchange at the IdP is not cut")
	require.Greater(t, slices.Min(kills), slices.Max(stops)+slices.Max(delay))
	require.Equal(t, slices.Min(kills), slices.Max(kills), "one number, explained once")
}
