package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/form"
)

// startOIDCProvider runs npm oidc-provider. Its issuer is the gateway, as with a
// custom domain.
func startOIDCProvider(ctx context.Context, e *environment) (_ *runningIdP, err error) {
	defer fail.Catch(&err)
	path := fail.Must(node(e))
	address := fmt.Sprintf("http://localhost:%d", e.idpPort)
	clients := fail.Must(json.Marshal(e.clientsAtIdP("native", "spa")))
	env := []string{fmt.Sprintf("PORT=%d", e.idpPort), "ISSUER=" + e.gatewayURL() + "/", "CLIENTS=" + string(clients)}
	fail.Check(startProcess(ctx, e, env, address+"/jwks", 30*time.Second, http.DefaultTransport, path, "idps/oidc-provider.mjs"))
	return &runningIdP{
		issuer: e.gatewayURL() + "/", jwksURI: address + "/jwks", authURL: address,
		gateway: `
parameters oauth
endpoint authorize /auth
endpoint token /token
endpoint userinfo /me
endpoint logout /session/end
logout_protocol rp_initiated`,
		par:      "par on\nendpoint par /request",
		frames:   true,
		clientID: "native", spaID: "spa",
		scope: "openid profile email offline_access", username: "ada", password: "lovelace",
	}, nil
}

// startSimulator runs npm @simulacrum/auth0-simulator, which insists on TLS with
// a certificate in its user's home folder.
func startSimulator(ctx context.Context, e *environment) (_ *runningIdP, err error) {
	defer fail.Catch(&err)
	path := fail.Must(node(e))
	home := filepath.Join(e.dir, "simulator-home")
	certificates := filepath.Join(home, ".simulacrum", "certs")
	fail.Check(os.MkdirAll(certificates, 0o700))
	for from, to := range map[string]string{e.authority.certFile: "localhost.pem", e.authority.keyFile: "localhost-key.pem"} {
		content := fail.Must(os.ReadFile(from))
		fail.Check(os.WriteFile(filepath.Join(certificates, to), content, 0o600))
	}
	address := fmt.Sprintf("https://localhost:%d", e.idpPort)
	env := []string{fmt.Sprintf("PORT=%d", e.idpPort), "HOME=" + home, "AUDIENCE=" + testAudience}
	fail.Check(startProcess(ctx, e, env, address+"/heartbeat", 30*time.Second, e.authority.transport(), path, "idps/auth0-simulator.cjs"))
	return &runningIdP{
		issuer: address + "/", jwksURI: address + "/.well-known/jwks.json", authURL: address,
		gateway:  "discover" + trustCertificate(e),
		callback: "nonce any", secretMethod: "client_secret_post",
		clientID: "native", spaID: "spa",
		scope: "openid profile email offline_access", username: "ada@example.com", password: "lovelace",
		logInPage: logInAtSimulator,
	}, nil
}

// trustCertificate makes the back channel accept this command's own certificate.
func trustCertificate(e *environment) string {
	return fmt.Sprintf(`
transport http {
	tls_trust_pool file %s
}`, e.authority.certFile)
}

// logInAtSimulator does what auth0.js does on the simulator's login page. The
// page loads that script from a content delivery network.
func logInAtSimulator(ctx context.Context, client *http.Client, page *url.URL, idp *runningIdP) (_ *http.Request, err error) {
	defer fail.Catch(&err)
	if page.Path != "/login" {
		return nil, nil
	}
	asked := page.Query()
	nonce := asked.Get("nonce")
	if nonce == "" {
		nonce = rand.Text() // the simulator's codes are made of the nonce
	}
	base := page.Scheme + "://" + page.Host
	login := url.Values{
		"username": {idp.username}, "password": {idp.password}, "nonce": {nonce},
		"state": {asked.Get("state")}, "redirect_uri": {asked.Get("redirect_uri")}, "client_id": {asked.Get("client")},
		"response_type": {"code"}, "scope": {asked.Get("scope")}, "audience": {asked.Get("audience")},
		"tenant": {"localhost"}, "connection": {"Username-Password-Authentication"},
	}
	request := fail.Must(http.NewRequestWithContext(ctx, http.MethodPost, base+"/usernamepassword/login", strings.NewReader(login.Encode())))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response := fail.Must(client.Do(request))
	defer response.Body.Close()
	body := fail.Must(io.ReadAll(io.LimitReader(response.Body, 1<<20)))
	answer := fail.Must(form.Read(body))
	if response.StatusCode != http.StatusOK || answer == nil {
		return nil, fmt.Errorf("the simulator rejected the login: %s: %.300s", response.Status, body)
	}
	return answer.Submit(ctx, page, idp.username, idp.password)
}
