package main

import (
	"archive/zip"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

const (
	keycloakVersion  = "26.4.0"
	keycloakArtifact = "org.keycloak:keycloak-quarkus-dist:" + keycloakVersion + ":zip"
	keycloakRealm    = "gateway"

	// Measured on two busy cores: one minute to prepare, one to two to start.
	keycloakPatience = 6 * time.Minute
)

// startKeycloak runs the server distribution, over TLS because its issuer, which
// the page's client compares, must be an https one when it is not the gateway.
func startKeycloak(ctx context.Context, e *environment) (_ *runningIdP, err error) {
	defer fail.Catch(&err)
	home := fail.Must(keycloakHome(ctx))
	script := filepath.Join(home, "bin", "kc.sh")
	fail.Check(writeRealm(e, home))
	address := fmt.Sprintf("https://localhost:%d", e.idpPort)
	realm := address + "/realms/" + keycloakRealm
	env := []string{"JAVA_OPTS_KC_HEAP=-Xms128m -Xmx768m"}
	err = startProcess(ctx, e, env, realm+"/.well-known/openid-configuration", keycloakPatience, e.authority.transport(),
		script, "start", "--optimized", "--import-realm", "--http-host=localhost", "--http-enabled=false",
		fmt.Sprintf("--https-port=%d", e.idpPort), "--hostname="+address, "--cache=local",
		"--https-certificate-file="+e.authority.certFile, "--https-certificate-key-file="+e.authority.keyFile)
	if err != nil {
		return nil, err
	}
	path := "/realms/" + keycloakRealm + "/protocol/openid-connect"
	// Without frames: https on localhost is another site than the http of the page
	// and the gateway, so its cookies do not reach a frame.
	return &runningIdP{
		issuer: realm, jwksURI: address + path + "/certs", authURL: address,
		gateway: fmt.Sprintf(`
parameters oauth
endpoint authorize %[1]s/auth
endpoint token %[1]s/token
endpoint userinfo %[1]s/userinfo
endpoint logout %[1]s/logout
logout_protocol rp_initiated`, path) + trustCertificate(e),
		clientID: "native", spaID: "spa",
		scope: "openid profile email offline_access", username: "ada", password: "lovelace",
	}, nil
}

// keycloakHome is an unpacked and prepared distribution: KEYCLOAK_HOME, or the
// Maven artifact in the cache of the user.
func keycloakHome(ctx context.Context) (_ string, err error) {
	defer fail.Catch(&err)
	if _, err := exec.LookPath("java"); err != nil {
		return "", fmt.Errorf("%w: Keycloak needs Java 17 or newer", ErrUnavailable)
	}
	if home := os.Getenv("KEYCLOAK_HOME"); home != "" {
		return home, nil
	}
	cache := fail.Must(os.UserCacheDir())
	cache = filepath.Join(cache, "identity-gateway-interop")
	home := filepath.Join(cache, "keycloak-"+keycloakVersion)
	prepared := filepath.Join(home, "prepared")
	if _, err := os.Stat(prepared); err == nil {
		return home, nil
	}
	if _, err := exec.LookPath("mvn"); err != nil {
		return "", fmt.Errorf("%w: Keycloak is fetched with Maven (mvn), or KEYCLOAK_HOME names an installation", ErrUnavailable)
	}
	fail.Check(os.MkdirAll(cache, 0o755))
	archive := filepath.Join(cache, "keycloak-quarkus-dist-"+keycloakVersion+".zip")
	fetch := exec.CommandContext(ctx, "mvn", "--batch-mode", "--quiet", "dependency:copy", "-Dartifact="+keycloakArtifact, "-DoutputDirectory="+cache)
	fetch.Dir = cache
	if output, err := fetch.CombinedOutput(); err != nil {
		return "", fmt.Errorf("fetching %s: %w: %s", keycloakArtifact, err, tail(string(output), 400))
	}
	fail.Check(unzip(archive, cache))
	prepare := exec.CommandContext(ctx, filepath.Join(home, "bin", "kc.sh"), "build", "--db=dev-mem")
	if output, err := prepare.CombinedOutput(); err != nil {
		return "", fmt.Errorf("preparing Keycloak: %w: %s", err, tail(string(output), 400))
	}
	return home, os.WriteFile(prepared, nil, 0o644)
}

func unzip(archive, into string) error {
	reader, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer reader.Close()
	return os.CopyFS(into, reader)
}

// writeRealm describes one user and the clients, for --import-realm.
func writeRealm(e *environment, home string) error {
	type object = map[string]any
	var clients []object
	for _, c := range e.clientsAtIdP("native", "spa") {
		clients = append(clients, object{
			"clientId": c.ID, "publicClient": c.Secret == "", "secret": c.Secret,
			"standardFlowEnabled": true, "directAccessGrantsEnabled": false,
			"redirectUris": []string{c.RedirectURI},
			"attributes":   object{"pkce.code.challenge.method": "S256", "post.logout.redirect.uris": c.ReturnTo},
		})
	}
	realm, err := json.Marshal(object{
		"realm": keycloakRealm, "enabled": true,
		"clients": clients,
		"users": []object{{
			"username": "ada", "enabled": true, "email": "ada@example.com", "emailVerified": true,
			"firstName": "Ada", "lastName": "Lovelace",
			"credentials": []object{{"type": "password", "value": "lovelace"}},
			"realmRoles":  []string{"default-roles-" + keycloakRealm},
		}},
	})
	if err != nil {
		return err
	}
	folder := filepath.Join(home, "data", "import")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, keycloakRealm+"-realm.json"), realm, 0o600)
}
