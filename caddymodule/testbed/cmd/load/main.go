// Command load prints what requests to a gateway cost (`make bench`): the CPU time that the
// server computes for one, user and system together, beside that of plain Caddy directives
// which do the same work without the gateway's checks, in the same process and to the same
// upstream. /authorize and the callback are compared with redir, /oauth/token, /userinfo
// and calls of tools with reverse_proxy, the language endpoints with respond. A whole login is
// the four requests from /authorize to /userinfo, added up. The ratio is the median over the
// rounds and, in parentheses, its quartiles.
//
// The server is this program in a process of its own; client and identity provider are another.
package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/standard"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

func main() {
	testgateway.Main()
	if err := bench(); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

// bench compares each request at the gateway with the same one at the plain directives.
//
// A refresh at the issuer of ID tokens is the same each time; the identity provider signs none for it anew.
// With callback, each /oauth/token request redeems a sealed code of its own. This
// program makes them with the gateway's key, so that no login has to begin over HTTP.
func bench() (err error) {
	defer fail.Catch(&err)
	if !testgateway.HasCPUTime {
		return errors.New("the CPU time of a process can be read on Linux only")
	}
	idp := fail.Must(startIdP())
	logins := fail.Must(newLogins(idp))
	provider := fail.Must(startOpenIDProvider())
	caddy, sites := startServer(idp, provider)
	defer caddy.Close()
	p := &plan{
		connections: 16, rounds: 21, round: 400 * time.Millisecond,
		cpuTime: func() (time.Duration, error) { return testgateway.CPUTime(caddy.PID()) },
	}
	fmt.Printf("%d connections, %d rounds of %v for each\n\n", p.connections, p.rounds, p.round)
	fmt.Printf("%-24s %10s %10s %s\n", "", "plain CPU", "gateway", "ratio")
	login := make(turns, p.rounds)
	for _, s := range []struct {
		name          string
		site          int // of the gateway
		request       func(dst []byte, connection, n int) []byte
		plain, status int // the status of the plain directive's answer and of the gateway's
	}{
		{"/authorize", withoutCallback, fixed(logins.authorize()), 302, 302},
		{"/authorize, callback", withCallback, fixed(logins.authorize()), 302, 302},
		{"/oauth/callback", withCallback, fixed(logins.callback()), 302, 303},
		{"/oauth/token", withoutCallback, logins.token, 200, 200},
		{"/oauth/token, callback", withCallback, logins.sealedToken, 200, 200},
		{"refresh, ID token RS256", asIssuer, fixed(fail.Must(refresh(sites[asIssuer], "RS256"))), 200, 200},
		{"refresh, ID token ES256", asIssuer, fixed(fail.Must(refresh(sites[asIssuer], "ES256"))), 200, 200},
		{"/userinfo", withCallback, fixed(userInfo()), 200, 200},
		{"call of a tool", withRules, fixed(toolCall("")), 200, 200},
		{"call, token inside", withTokenInside, fixed(toolCall(jwt())), 200, 200},
		{"segmentation, 0.2 KB", withCallback, fixed(segmentation(200)), 200, 200},
		{"segmentation, 2 KB", withCallback, fixed(segmentation(2_000)), 200, 200},
		{"segmentation, 20 KB", withCallback, fixed(segmentation(20_000)), 200, 200},
		{"personification", withCallback, fixed(personification()), 200, 200},
	} {
		reached, err := p.compare([2]target{{sites[plain], s.request, s.plain}, {sites[s.site], s.request, s.status}})
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		reached.print(s.name)
		if slices.Contains(steps, s.name) {
			login.add(reached)
		}
	}
	login.print("a whole login, callback")
	return nil
}

// steps are the requests of a login.
var steps = []string{"/authorize, callback", "/oauth/callback", "/oauth/token, callback", "/userinfo"}

// The sites of the server.
const (
	plain = iota
	withoutCallback
	withCallback // which has the language endpoints, too
	withRules    // a server whose tools are called
	withTokenInside
	asIssuer // of ID tokens of its own
	numSites
)

// startServer starts a Caddy with the sites at addresses of their own on loopback, in a process of
// its own that logs errors only.
func startServer(idp string, provider *openIDProvider) (*testgateway.Process, [numSites]string) {
	client := fmt.Sprintf("client %s {\n\t\tredirect_uri %s\n\t}", clientID, redirectURI)
	sites := [numSites]string{
		plain:           fmt.Sprintf("redir /authorize http://%[1]s{uri} 302\nredir /oauth/callback http://%[1]s{uri} 302\nrespond /machine_learning/* ok\nreverse_proxy %[1]s", idp),
		withoutCallback: fmt.Sprintf("identity_gateway http://%s {\n\t%s\n}", idp, client),
		withCallback: fmt.Sprintf("identity_gateway http://%s {\n\tcallback\n\treplay memory\n\tsealing_key %q\n\t%s\n}\ntext_segmentation\npersonification",
			idp, sealingKey, client),
		withRules:       guard("") + "reverse_proxy " + idp,
		withTokenInside: guard("upstream_token X-Upstream-Token") + "reverse_proxy " + idp,
		asIssuer:        provider.issuer(),
	}
	caddyfile := "{\n" + testgateway.AdminOption + "\nauto_https off\nlog {\n\tlevel ERROR\n}\n}\n"
	var addresses [numSites]string
	for i, site := range sites {
		addresses[i] = fail.Must(testgateway.FreeAddress())
		// Requests name localhost.
		caddyfile += fmt.Sprintf("http://:%s {\nbind 127.0.0.1\n%s\n}\n", strings.TrimPrefix(addresses[i], "127.0.0.1:"), site)
	}
	return fail.Must(testgateway.StartCaddy(caddyfile, "", os.Stderr)), addresses
}
