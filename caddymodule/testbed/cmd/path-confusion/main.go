// Command path-confusion asks for a private path of real servers behind a gateway, in
// every spelling that some server takes for it and without a token, and prints how
// many of the spellings get it: from Go's ServeMux and FileServer, Caddy's
// file_server, PHP's own server, Express, Tomcat, nginx and Apache httpd, as far as
// the machine has them. Express and Tomcat are fetched with npm and Maven. It fails if
// one gets it past require_token or deny_paths.
//
//	go run ./cmd/path-confusion [-v]
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/caddyhttp/fileserver"
	_ "github.com/caddyserver/caddy/v2/modules/caddyhttp/standard"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/pathconfusion"
)

func main() {
	verbose := flag.Bool("v", false, "print the spellings that get the private page")
	flag.Parse()
	if err := run(*verbose); err != nil {
		fmt.Fprintln(os.Stderr, "path-confusion:", err)
		os.Exit(1)
	}
}

// front is what stands in front of a server.
type front struct {
	name, site string
	// holds: nothing may pass.
	holds bool
}

func fronts() []front {
	const token = "https://idp.example https://api.example"
	return []front{
		{"nothing", "", false},
		{"`path /admin /admin/*`", "@private path /admin /admin/*\nrequire_token @private " + token, false},
		{"`not path /public/*`", "@private not path /public/*\nrequire_token @private " + token, false},
		{"`public /public/*`", "require_token " + token + " {\npublic /public/*\n}", true},
		{"no matcher", "require_token " + token, true},
		{"`deny_paths /admin/*`", "identity_gateway https://idp.example {\ndeny_paths /admin/*\n}", true},
	}
}

const (
	privatePage = "this page is private"
	publicPage  = "this page is public"
)

func run(verbose bool) error {
	folder, err := os.MkdirTemp("", "path-confusion")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	fmt.Printf("| Behind the gateway |")
	for _, f := range fronts() {
		fmt.Printf(" %s |", f.name)
	}
	fmt.Printf("\n|---%s|\n", strings.Repeat("|---:", len(fronts())))
	passed := 0
	for _, kind := range kinds() {
		server, err := kind.start(folder)
		if errors.Is(err, errMissing) {
			fmt.Printf("| %s | not on this machine: %v |\n", kind.name, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
		fmt.Printf("| %s |", kind.name)
		for _, f := range fronts() {
			got, err := try(f, server.site)
			if err != nil {
				server.stop()
				return fmt.Errorf("%s, %s: %w", kind.name, f.name, err)
			}
			fmt.Printf(" %d |", len(got))
			if f.holds {
				passed += len(got)
			}
			if verbose || f.holds && len(got) > 0 {
				fmt.Fprintf(os.Stderr, "%s, %s: %s\n", kind.name, f.name, strings.Join(got, " "))
			}
		}
		fmt.Println()
		server.stop()
	}
	fmt.Printf("\n%d spellings\n", len(pathconfusion.Secret.Spellings()))
	if passed > 0 {
		return fmt.Errorf("%d times a spelling got past the gateway", passed)
	}
	return nil
}

// try returns the spellings that get the private page.
func try(f front, site string) (got []string, err error) {
	gateway, err := testgateway.Start(testgateway.Config{AnyHost: true, Site: f.site + "\n" + site})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, gateway.Stop()) }()
	// Without a token require_token lets nothing through, so that the page that proves
	// the server to be there can't be had.
	if page, err := get(gateway, "/public/hello.txt"); f.name != "no matcher" && (err != nil || !strings.Contains(page, publicPage)) {
		return nil, fmt.Errorf("the public page is not there: %q, %w", page, err)
	}
	for _, spelling := range pathconfusion.Secret.Spellings() {
		page, err := get(gateway, spelling)
		if err != nil {
			return nil, err
		}
		if strings.Contains(page, privatePage) {
			got = append(got, spelling)
		}
	}
	return got, nil
}

// get asks for a target as it is.
func get(gateway *testgateway.Gateway, target string) (string, error) {
	c, err := net.Dial("tcp", gateway.Address())
	if err != nil {
		return "", err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		return "", err
	}
	if _, err := fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", target); err != nil {
		return "", err
	}
	page, err := io.ReadAll(bufio.NewReader(c))
	return string(page), err
}
