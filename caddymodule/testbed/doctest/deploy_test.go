package doctest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

const deploy = root + "/caddymodule/deploy/"

// Each manifest has the fields of its type in the Kubernetes API, and no other.
func TestTheManifestsAreOfTheirTypes(t *testing.T) {
	source, err := os.ReadFile(deploy + "kubernetes.yaml")
	require.NoError(t, err)
	var deployment appsv1.Deployment
	var service corev1.Service
	var budget policyv1.PodDisruptionBudget
	documents := bytes.Split(source, []byte("\n---\n"))
	require.Len(t, documents, 3)
	for i, into := range []any{&deployment, &service, &budget} {
		require.NoError(t, yaml.UnmarshalStrict(documents[i], into))
	}
	pod := deployment.Spec.Template
	for _, selector := range []map[string]string{deployment.Spec.Selector.MatchLabels, service.Spec.Selector, budget.Spec.Selector.MatchLabels} {
		require.Equal(t, pod.Labels, selector)
	}
	container := pod.Spec.Containers[0]
	ports := map[string]int32{}
	for _, port := range container.Ports {
		ports[port.Name] = port.ContainerPort
	}
	require.Equal(t, map[string]int32{"http": 8080, "monitoring": 9180}, ports)
	require.Equal(t, "http", service.Spec.Ports[0].TargetPort.StrVal)
	require.Equal(t, "/live", container.LivenessProbe.HTTPGet.Path, "it depends on nothing: no outage of an identity provider ends a pod")
	require.Contains(t, container.ReadinessProbe.HTTPGet.Path, "ignore=identity_provider")
	for _, mount := range container.VolumeMounts {
		found := false
		for _, volume := range pod.Spec.Volumes {
			found = found || volume.Name == mount.Name
		}
		require.True(t, found, mount.Name)
	}

	// What the containers run.
	for name, value := range map[string]string{"GATEWAY_ADDRESS": "", "APP": "", "TRUSTED_PROXIES": "", "REDIS_URL": ""} {
		for _, variable := range container.Env {
			if variable.Name == name {
				value = variable.Value
			}
		}
		require.NotEmpty(t, value, name)
		t.Setenv(name, value)
	}
	for name, value := range map[string]string{
		"PUBLIC_URL": "https://login.example.com", "AUTH_URL": "https://idp.example.com", "CLIENT_ID": "a", "CLIENT_SECRET": "b",
		"REDIRECT_URIS": "https://app.example.com/cb", "SEALING_KEY": "l7Hq0nX2uVd5yBz8eKc3RfTgW9sJmPaO4iUxYvNbLwE=",
	} {
		t.Setenv(name, value)
	}
	caddyfile, err := os.ReadFile(deploy + "Caddyfile")
	require.NoError(t, err)
	adapted, warnings, err := caddyconfig.GetAdapter("caddyfile").Adapt(caddyfile, map[string]any{"filename": filepath.Join(deploy, "Caddyfile")})
	require.NoError(t, err)
	require.Empty(t, warnings)
	config := new(caddy.Config)
	require.NoError(t, json.Unmarshal(adapted, config))
	require.NoError(t, caddy.Validate(config))
}

func TestTheManifestsAreBuilt(t *testing.T) {
	kubectl, err := exec.LookPath("kubectl")
	if err != nil {
		t.Skip("kubectl is missing")
	}
	output, err := exec.Command(kubectl, "kustomize", deploy).CombinedOutput()
	require.NoError(t, err, "%s", output)
	require.Contains(t, string(output), "image: registry.example.com/caddy-identity-gateway:latest")
	require.Regexp(t, `configMap:\n\s+name: gateway-\w+\n`, string(output))
}
