package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// startDex builds and runs the nested module in the folder dex. That version of
// Dex has no user info endpoint and no logout.
func startDex(ctx context.Context, e *environment) (*runningIdP, error) {
	folder := filepath.Join(e.clients, "..", "dex")
	inFolder := func(arguments ...string) (string, error) {
		command := exec.CommandContext(ctx, "go", arguments...)
		command.Dir = folder
		output, err := command.CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("go %s: %w: %s", arguments[0], err, tail(string(output), 400))
		}
		return strings.TrimSpace(string(output)), nil
	}
	if _, err := exec.LookPath("go"); err != nil {
		return nil, fmt.Errorf("%w: Dex is built with Go, which is not installed", ErrUnavailable)
	}
	binary := filepath.Join(e.dir, "dex")
	if _, err := inFolder("build", "-o", binary, "."); err != nil {
		return nil, err
	}
	module, err := inFolder("list", "-m", "-f", "{{.Dir}}", "github.com/dexidp/dex")
	if err != nil {
		return nil, err
	}
	clients, err := json.Marshal(e.clientsAtIdP("native", "spa"))
	if err != nil {
		return nil, err
	}
	listen := fmt.Sprintf("localhost:%d", e.idpPort)
	err = startProcess(ctx, e, "dex", nil, "http://"+listen+"/healthz", 30*time.Second, http.DefaultTransport, binary,
		"-listen", listen, "-issuer", e.gatewayURL()+"/", "-web", filepath.Join(module, "web"),
		"-clients", string(clients),
		"-email", "ada@example.com", "-password", "lovelace")
	if err != nil {
		return nil, err
	}
	return &runningIdP{
		issuer: e.gatewayURL() + "/", jwksURI: "http://" + listen + "/keys", authURL: "http://" + listen,
		gateway: `
parameters oauth
endpoint authorize /auth
endpoint token /token`,
		clientID: "native", spaID: "spa",
		scope: "openid profile email offline_access", username: "ada@example.com", password: "lovelace",
		lacks: []string{"userinfo", "logout"},
	}, nil
}
