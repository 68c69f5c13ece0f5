package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

// startIdP serves canned answers from this process.
func startIdP() (address string, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	answer := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Cache-Control", "no-store")
			w.Header().Set("Content-Length", fmt.Sprint(len(body)))
			_, _ = io.WriteString(w, body)
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/oauth/token", answer(`{"access_token":"`+jwt()+`","id_token":"`+jwt()+
		`","scope":"openid profile email","expires_in":86400,"token_type":"Bearer"}`))
	mux.Handle("/userinfo", answer(`{"sub":"auth0|507f1f77bcf86cd799439020","name":"Jane Doe","nickname":"jane","email":"jane@example.com",`+
		`"email_verified":true,"picture":"https://cdn.example.com/jane.png","updated_at":"2026-01-01T00:00:00.000Z"}`))
	go func() { _ = http.Serve(listener, mux) }() // until the process ends
	return listener.Addr().String(), nil
}

// caddyProcess is a Caddy with three sites: the gateway, the gateway with its
// callback, and the plain directives.
type caddyProcess struct {
	*caddyprocess.Process
	gateway, callback, plain string // addresses
}

func startCaddy(idp string) (*caddyProcess, error) {
	var sites [3]string
	for i := range sites {
		var err error
		if sites[i], err = testgateway.FreeAddress(); err != nil {
			return nil, err
		}
	}
	c := &caddyProcess{gateway: sites[0], callback: sites[1], plain: sites[2]}
	var err error
	c.Process, err = caddyprocess.Start(caddyprocess.Config{Caddyfile: fmt.Sprintf(`{
		%[8]s
		log {
			level ERROR
		}
	}
	(client) {
		client %[5]s {
			redirect_uri %[6]s
		}
	}
	http://localhost:%[1]s {
		bind 127.0.0.1
		identity_gateway http://%[4]s {
			import client
		}
	}
	http://localhost:%[2]s {
		bind 127.0.0.1
		identity_gateway http://%[4]s {
			callback
			replay memory
			sealing_key "%[7]s"
			import client
		}
	}
	http://localhost:%[3]s {
		bind 127.0.0.1
		redir /authorize http://%[4]s{uri} 302
		redir /oauth/callback http://%[4]s{uri} 302
		reverse_proxy %[4]s
	}`, port(c.gateway), port(c.callback), port(c.plain), idp, clientID, redirectURI, sealingKey, caddyprocess.AdminOption), Stderr: os.Stderr})
	return c, err
}

func port(address string) string { return address[strings.LastIndexByte(address, ':')+1:] }

// startServer starts a Caddy with one site at an address of its own on loopback, in a
// process of its own that logs errors only, with an admin API. servers is what stands in the global
// option servers, such as "protocols h1 h2c"; "" leaves it as Caddy has it.
func startServer(servers, site string) (*caddyprocess.Process, string, error) {
	address, err := testgateway.FreeAddress()
	if err != nil {
		return nil, "", err
	}
	block := func(name, content string) string {
		return name + " {\n\t" + strings.ReplaceAll(strings.TrimSpace(content), "\n", "\n\t") + "\n}"
	}
	global := caddyprocess.AdminOption + "\nauto_https off\nlog {\n\tlevel ERROR\n}"
	if servers != "" {
		global += "\n" + block("servers", servers)
	}
	process, err := caddyprocess.Start(caddyprocess.Config{
		Caddyfile: fmt.Sprintf("%s\n%s\n", block("", global), block("http://"+address, site)), Stderr: os.Stderr,
	})
	return process, address, err
}
