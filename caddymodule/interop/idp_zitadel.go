package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// startZitadel builds and runs the nested module in the folder zitadel, over TLS
// because the page's client takes no plain issuer but the gateway.
func startZitadel(ctx context.Context, e *environment) (*runningIdP, error) {
	binary, err := buildModule(ctx, e, "zitadel")
	if err != nil {
		return nil, err
	}
	clients, err := json.Marshal(e.clientsAtIdP("native", "spa"))
	if err != nil {
		return nil, err
	}
	listen := fmt.Sprintf("localhost:%d", e.idpPort)
	address := "https://" + listen
	err = startProcess(ctx, e, "zitadel-server", nil, address+"/healthz", 30*time.Second, e.authority.transport(), binary,
		"-listen", listen, "-issuer", address, "-certificate", e.authority.certFile, "-key", e.authority.keyFile,
		"-clients", string(clients), "-username", "ada", "-password", "lovelace")
	if err != nil {
		return nil, err
	}
	return &runningIdP{
		issuer: address, jwksURI: address + "/keys", authURL: address,
		gateway:  "discover\nparameters oauth" + trustCertificate(e),
		clientID: "native", spaID: "spa",
		scope: "openid profile email offline_access", username: "ada", password: "lovelace",
	}, nil
}
