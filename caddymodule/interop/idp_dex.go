package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"time"
)

// startDex builds and runs the nested module in the folder dex. That version of
// Dex has no user info endpoint and no logout.
func startDex(ctx context.Context, e *environment) (*runningIdP, error) {
	binary, err := buildModule(ctx, e, "dex")
	if err != nil {
		return nil, err
	}
	module, err := goInModule(ctx, e, "dex", "list", "-m", "-f", "{{.Dir}}", "github.com/dexidp/dex")
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
