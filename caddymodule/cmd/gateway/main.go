// Command gateway is what `make run` starts: Caddy with its standard modules,
// the plugin, and the development identity provider behind it, which listens on
// the next port; an MCP server has the one after that. At the provider the gateway
// is a confidential client, with a secret that lasts as long as the process unless
// CLIENT_SECRET is set. Production uses
// caddymodule/cmd/caddy, which has no development identity provider.
//
// It runs in the root of the repository, where its Caddyfile is.
package main

import (
	"cmp"
	"context"
	"crypto/rand"
	_ "embed"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"
	"time"

	caddycmd "github.com/caddyserver/caddy/v2/cmd"

	_ "github.com/caddyserver/caddy/v2/modules/standard"
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/devidp"
)

//go:embed hints.txt
var hints string

const defaultConfig = "caddymodule/devidp/Caddyfile"

func main() {
	address := flag.String("address", "http://localhost:8080", "`URL` of the gateway; the development IdP and an MCP server take the next two ports")
	config := flag.String("config", defaultConfig, "Caddyfile, which reads its variables from the environment: see setEnvironment")
	flag.Parse()

	site, err := parseAddress(*address)
	if flag.NArg() > 0 {
		err = fmt.Errorf("there is no command %s: this starts a server; those of Caddy, such as caddy segment, are in bin/caddy (make build)", flag.Arg(0))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gateway:", err)
		os.Exit(2)
	}
	if *config != defaultConfig {
		site.MCP = "" // examples have servers of their own
	}
	for _, prepare := range [...]func() error{site.checkPorts, site.setEnvironment} {
		if err := prepare(); err != nil {
			fmt.Fprintln(os.Stderr, "gateway:", err)
			os.Exit(1)
		}
	}
	go func() {
		switch {
		case site.waitUntilUp(context.Background()) != nil:
		case *config == defaultConfig:
			fmt.Print(site.hints())
		default:
			fmt.Printf("\n  %s is up at %s. Stop it with Ctrl-C.\n\n", *config, site.Gateway)
		}
	}()
	os.Args = []string{os.Args[0], "run", "--config", *config, "--adapter", "caddyfile"}
	caddycmd.Main()
}

// clientID is the client of `make demo` and of the playground.
const clientID = "dev-native"

// redirectURIs are those of `make demo`; their ports may differ. REDIRECT_URIS in
// the environment adds to them, and so does the playground's address. ORIGINS adds the web
// origins of pages elsewhere, such as Vite's http://localhost:5173.
const redirectURIs = "http://127.0.0.1/callback http://[::1]/callback http://localhost/callback"

// site says where the gateway, the development IdP and the MCP server listen. The
// addresses have no trailing slash.
type site struct{ Gateway, IdP, MCP string }

// port is that of the development IdP, which no other gateway of this machine has.
func (s site) port() string { return s.IdP[strings.LastIndexByte(s.IdP, ':')+1:] }

// Playground is the address of the page to try everything, also in the hints.
func (s site) Playground() string { return s.Gateway + "/playground" }

// parseAddress derives the other addresses from the gateway's.
func parseAddress(address string) (site, error) {
	u, err := url.Parse(strings.TrimSuffix(address, "/"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.Path != "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return site{}, fmt.Errorf("the address must be a URL such as http://localhost:8080, not %q", address)
	}
	port := map[string]int{"http": 80, "https": 443}[u.Scheme]
	if u.Port() != "" {
		if port, err = strconv.Atoi(u.Port()); err != nil || port < 1 || port > 65533 {
			return site{}, fmt.Errorf("the port must be between 1 and 65533, as the development IdP and the MCP server take the next two; the address is %q", address)
		}
	}
	return site{Gateway: u.String(), IdP: "http://localhost:" + strconv.Itoa(port+1), MCP: "http://localhost:" + strconv.Itoa(port+2)}, nil
}

// checkPorts returns who has one of the ports already, as far as is known. Caddy does not
// notice each: it may share a port, and another one may have it on another address of
// localhost, which clients then find first.
func (s site) checkPorts() error {
	for _, address := range [...]string{s.Gateway, s.IdP, s.MCP} {
		if address == "" {
			continue
		}
		u, err := url.Parse(address)
		if err != nil {
			return err
		}
		at := net.JoinHostPort("localhost", cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme]))
		connection, err := net.DialTimeout("tcp", at, time.Second)
		if err == nil {
			_ = connection.Close()
			return fmt.Errorf("another process listens on %s; end it, or take another port: make run ADDRESS=http://localhost:9080", at)
		}
		listener, err := net.Listen("tcp", at)
		if err != nil {
			return fmt.Errorf("%w; take another port: make run ADDRESS=http://localhost:9080", err)
		}
		_ = listener.Close()
	}
	return nil
}

// setEnvironment sets the variables that the Caddyfile reads.
func (s site) setEnvironment() error {
	for name, value := range map[string]string{
		"GATEWAY_ADDRESS": s.Gateway,
		"AUTH_URL":        s.IdP,
		"MCP_ADDRESS":     s.MCP,
		// Beside that of a gateway that this user runs in earnest.
		"GATEWAY_ADMIN_SOCKET": filepath.Join(cmp.Or(os.Getenv("HOME"), os.TempDir()), "caddy-admin-"+s.port()+".sock"),
		"CLIENT_ID":            clientID,
		"CLIENT_SECRET":        cmp.Or(os.Getenv("CLIENT_SECRET"), rand.Text()),
		"REDIRECT_URIS":        strings.Join([]string{redirectURIs, s.Playground(), os.Getenv("REDIRECT_URIS")}, " "),
		"ORIGINS":              strings.Join([]string{s.Gateway, os.Getenv("ORIGINS")}, " "),
	} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return nil
}

// waitUntilUp polls the discovery document, which the gateway fetches from the
// development IdP: once it answers, both are up.
func (s site) waitUntilUp(ctx context.Context) error {
	client := &http.Client{Timeout: time.Second}
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Gateway+"/.well-known/openid-configuration", nil)
		if err != nil {
			return err
		}
		response, err := client.Do(request)
		if err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// hints says what to try.
func (s site) hints() string {
	var text strings.Builder
	if err := template.Must(template.New("hints").Parse(hints)).Execute(&text, s); err != nil {
		panic(err) // the embedded template cannot fail on two strings
	}
	return text.String()
}
