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
)

// startOIDCProvider runs npm oidc-provider. Its issuer is the gateway, as with a
// custom domain.
func startOIDCProvider(ctx context.Context, e *environment) (*runningIdP, error) {
	path, err := node(e)
	if err != nil {
		return nil, err
	}
	address := fmt.Sprintf("http://localhost:%d", e.idpPort)
	clients, err := json.Marshal(e.clientsAtIdP("native", "spa"))
	if err != nil {
		return nil, err
	}
	env := []string{fmt.Sprintf("PORT=%d", e.idpPort), "ISSUER=" + e.gatewayURL() + "/", "CLIENTS=" + string(clients)}
	if err := startProcess(ctx, e, "oidc-provider", env, address+"/jwks", 30*time.Second, http.DefaultTransport, path, "idps/oidc-provider.mjs"); err != nil {
		return nil, err
	}
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
func startSimulator(ctx context.Context, e *environment) (*runningIdP, error) {
	path, err := node(e)
	if err != nil {
		return nil, err
	}
	home := filepath.Join(e.dir, "simulator-home")
	certificates := filepath.Join(home, ".simulacrum", "certs")
	if err := os.MkdirAll(certificates, 0o700); err != nil {
		return nil, err
	}
	for from, to := range map[string]string{e.authority.certFile: "localhost.pem", e.authority.keyFile: "localhost-key.pem"} {
		content, err := os.ReadFile(from)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(certificates, to), content, 0o600); err != nil {
			return nil, err
		}
	}
	address := fmt.Sprintf("https://localhost:%d", e.idpPort)
	env := []string{fmt.Sprintf("PORT=%d", e.idpPort), "HOME=" + home, "AUDIENCE=" + testAudience}
	if err := startProcess(ctx, e, "auth0-simulator", env, address+"/heartbeat", 30*time.Second, e.authority.transport(), path, "idps/auth0-simulator.cjs"); err != nil {
		return nil, err
	}
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
func logInAtSimulator(ctx context.Context, client *http.Client, page *url.URL, idp *runningIdP) (*http.Request, error) {
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
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/usernamepassword/login", strings.NewReader(login.Encode()))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return nil, err
	}
	form, err := readForm(body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK || form == nil {
		return nil, fmt.Errorf("the simulator rejected the login: %s: %.300s", response.Status, body)
	}
	return form.submit(ctx, page, idp.username, idp.password)
}
