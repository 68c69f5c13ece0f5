package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// startIdP serves canned answers from this process.
func startIdP() (address string, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	mux := http.NewServeMux()
	for path, body := range map[string]string{
		tokenPath: `{"access_token":"` + jwt() + `","id_token":"` + jwt() + `","scope":"openid profile email","expires_in":86400,"token_type":"Bearer"}`,
		"/userinfo": `{"sub":"auth0|507f1f77bcf86cd799439020","name":"Jane Doe","nickname":"jane","email":"jane@example.com",` +
			`"email_verified":true,"picture":"https://cdn.example.com/jane.png","updated_at":"2026-01-01T00:00:00.000Z"}`,
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Cache-Control", "no-store")
			w.Header().Set("Content-Length", fmt.Sprint(len(body)))
			_, _ = io.WriteString(w, body)
		})
	}
	go func() { _ = http.Serve(listener, mux) }() // until the process ends
	return listener.Addr().String(), nil
}

// startIdentity starts a Caddy with three sites: the gateway, the gateway with its
// callback, and the plain directives.
func startIdentity(idp string) (*testgateway.Process, []string) {
	client := fmt.Sprintf("client %s {\n\tredirect_uri %s\n}", clientID, redirectURI)
	return startServer("",
		fmt.Sprintf("identity_gateway http://%s {\n\t%s\n}", idp, client),
		fmt.Sprintf("identity_gateway http://%s {\n\tcallback\n\treplay memory\n\tsealing_key %q\n\t%s\n}", idp, sealingKey, client),
		fmt.Sprintf("redir /authorize http://%[1]s{uri} 302\nredir /oauth/callback http://%[1]s{uri} 302\nreverse_proxy %[1]s", idp))
}

// startServer starts a Caddy with sites at addresses of their own on loopback, in a
// process of its own that logs errors only. servers is what stands in the global
// option servers, such as "timeouts ..."; "" leaves it as Caddy has it.
func startServer(servers string, sites ...string) (process *testgateway.Process, addresses []string) {
	block := func(name, content string) string {
		return name + " {\n\t" + strings.ReplaceAll(strings.TrimSpace(content), "\n", "\n\t") + "\n}\n"
	}
	global := testgateway.AdminOption + "\nauto_https off\nlog {\n\tlevel ERROR\n}"
	if servers != "" {
		global += "\n" + block("servers", servers)
	}
	text := block("", global)
	for _, site := range sites {
		address := fail.Must(testgateway.FreeAddress())
		addresses = append(addresses, address)
		// Requests name localhost.
		text += block("http://:"+address[strings.LastIndexByte(address, ':')+1:], "bind 127.0.0.1\n"+site)
	}
	return fail.Must(testgateway.StartCaddy(text, "", os.Stderr)), addresses
}
