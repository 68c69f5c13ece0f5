// Package interop logs published OAuth clients in at published identity providers
// through the gateway (`make interop`, -all): every pair logs in, reads the user info,
// refreshes and logs out, without callback and with it, where the gateway is once a
// confidential and once a public client of the provider. `make test` tries what needs
// no downloads besides npm's.
//
// Clients and providers are unmodified. make installs them in the folder clients.
package interop

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
)

var all = flag.Bool("all", false, "try what takes minutes or downloads, too")

func TestMain(m *testing.M) {
	testgateway.Main()
	os.Exit(m.Run())
}

// The development IdP needs nothing but this repository, so only missing clients skip.
// .ci/figures counts the others by the names of these tests.
func TestPublishedClients(t *testing.T) {
	for _, idp := range idps {
		t.Run(idp.name, func(t *testing.T) {
			if idp.all && !*all {
				t.Skip("make interop tries this")
			}
			e := newEnvironment(t)
			running := idp.start(t, e)
			for _, r := range registrations {
				t.Run(r.name, func(t *testing.T) {
					able := clients
					if running.standardOnly {
						able = standardClients()
					}
					e.try(t, running, r, able, e.session(running, r, "login", "userinfo", "refresh", "logout"))
				})
			}
		})
	}
}

func standardClients() (standard []client) {
	for _, c := range clients {
		if c.standard {
			standard = append(standard, c)
		}
	}
	return standard
}

// try starts the gateway, and runs clients, each in a browser of its own.
func (e *environment) try(t *testing.T, idp *runningIdP, r registration, clients []client, s session) {
	e.startGateway(t, idp, r)
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			e.browser.reset()
			c.run(t, e, s)
		})
	}
}

// The authorize call of the published client itself, which expects a
// ResultedPKCE and no redirect. The provider logs everybody in at once.
func TestThePublishedClientGetsItsResultedPKCE(t *testing.T) {
	e := newEnvironment(t)
	running := developmentIdP(e, "auto_login ada")
	for _, r := range registrations {
		t.Run(r.name, func(t *testing.T) {
			s := e.session(running, r, "authorize", "login", "userinfo", "refresh", "logout")
			s.Silent = true
			e.try(t, running, r, clients[2:3], s)
		})
	}
}

// Clients that know only the gateway's URL and their client id, and an API behind
// require_token that takes their tokens and none of another audience. The gateway is the issuer of
// their ID tokens. auth0-spa-js, which takes no issuer but an https address, has those of the
// provider, which has an issuer and keys of its own.
func TestPublishedClientsFindEverythingByMetadata(t *testing.T) {
	e := newEnvironment(t)
	running := developmentIdP(e, "")
	running.authURL = fmt.Sprintf("https://localhost:%d", e.idpPort)
	running.issuer, running.jwksURI = running.authURL+"/", ""
	running.sites = strings.NewReplacer(
		fmt.Sprintf("http://localhost:%d {", e.idpPort), fmt.Sprintf("https://localhost:%d {\n\ttls %s %s", e.idpPort, e.certFile, e.keyFile),
		fmt.Sprintf("development_idp http://localhost:%d/", e.gatewayPort), "development_idp "+running.issuer,
	).Replace(running.sites)
	running.gateway = fmt.Sprintf("discover\nparameters oauth\npublic_url %[1]s\nauthorize_parameter audience %[1]s/mcp\n%[2]s", e.gatewayURL(), e.trustCertificate())
	running.rest = strings.NewReplacer("{spa}", e.spaOrigin(), "{idp}", running.authURL, "{audience}", testAudience, "{self}", e.gatewayURL(), "{trust}", e.trustCertificate()).Replace(`
	header /api Access-Control-Allow-Origin {spa}
	header /api Access-Control-Allow-Headers Authorization
	require_token /api {idp} {audience} {
		{trust}
		origin {spa}
	}
	respond /api ` + "`{\"sub\":\"{http.auth.user.id}\"}`" + `
	require_token /mcp {idp} {self}/mcp {
		{trust}
		scope profile
		resource {self}/mcp {self}
		header X-User sub
	}
	reverse_proxy /mcp {spa}`)
	running.api, running.mcp = e.gatewayURL()+"/api", e.gatewayURL()+"/mcp"
	running.audience = testAudience + " " + otherAudience + " " + running.mcp // the resource that clients of MCP name
	running.frames = false
	s := e.session(running, confidential, "login", "protected API", "another audience")
	s.Lacks = []string{"userinfo", "refresh", "logout"} // the other test has them
	t.Run("ID tokens of the gateway's", func(t *testing.T) {
		s := s
		s.Issuer = e.gatewayURL()
		e.try(t, running, confidential, []client{
			{name: "go-oidc", run: runGoClientByMetadata},
			{name: "oauth4webapi", run: nodeClient("metadata/oauth4webapi.mjs")},
			{name: "openid-client", run: nodeClient("metadata/openid-client.mjs")},
			{name: "@modelcontextprotocol/sdk", run: nodeClient("mcp/sdk.mjs")},
		}, s)
	})
	t.Run("ID tokens of the IdP's", func(t *testing.T) {
		running.gateway += "\nid_tokens idp"
		e.try(t, running, confidential, []client{{name: "auth0-spa-js in Chromium", run: chromiumClient("auth0-spa-js.mjs")}}, s)
	})
}

// Agents that are given the URL of an MCP server behind protect_mcp and nothing else: they
// register, and users approve them. The conformance tests of their protocol for authorization
// servers are one more. The gateway is the only client of the development IdP.
func TestPublishedClientsFindEverythingByURL(t *testing.T) {
	e := newEnvironment(t)
	running := &runningIdP{mcp: e.gatewayURL() + "/mcp", authURL: fmt.Sprintf("http://localhost:%d", e.idpPort)}
	running.recipe = fmt.Sprintf("protect_mcp %s %s {\nidp_client gateway only-the-gateway-knows-it\nheader X-User sub\n}", running.mcp, running.authURL)
	running.rest = fmt.Sprintf("reverse_proxy /mcp localhost:%d", e.spaPort)
	running.sites = fmt.Sprintf(`
%s {
	bind localhost
	development_idp {
		client gateway only-the-gateway-knows-it {
			redirect_uri %s
		}
	}
}`, running.authURL, e.callbackURL())
	s := e.session(running, registration{}, "login", "protected API")
	s.ClientID, s.Lacks = "", []string{"another audience"}
	e.try(t, running, registration{}, []client{
		{name: "@modelcontextprotocol/sdk", run: nodeClient("mcp/sdk.mjs")},
		{name: "@modelcontextprotocol/client", run: nodeClient("mcp/client.mjs")},
		{name: "mcp-remote", run: nodeClient("mcp/remote.mjs")},
		{name: "go-sdk", run: withTools(runGoAgent)},
		{name: "mcp for Python", run: withTools(pythonClient("mcp/agent.py"))},
		{name: "@modelcontextprotocol/inspector", run: withTools(runInspector)},
		{name: "@modelcontextprotocol/conformance", run: runConformance},
	}, s)
}

// The page of the directive playground, at the site of `make run`, used by a person
// and by people who mean harm. The variables are those that caddymodule/cmd/gateway sets.
func TestThePlaygroundInABrowser(t *testing.T) {
	const client = "dev-native"
	e := newEnvironment(t)
	site := must.Have(os.ReadFile(root + "/caddymodule/devidp/Caddyfile"))(t)
	e.startCaddy(t, strings.NewReplacer(
		"{$GATEWAY_ADMIN_SOCKET}", "{$TESTGATEWAY_SOCKET}",
		"{$GATEWAY_ADDRESS}", e.gatewayURL(),
		"{$AUTH_URL}", fmt.Sprintf("http://localhost:%d", e.idpPort),
		"{$MCP_ADDRESS}", fmt.Sprintf("http://localhost:%d", e.mcpPort),
		"{$CLIENT_ID}", client,
		"{$CLIENT_SECRET}", "of-this-test-alone",
		"{$REDIRECT_URIS}", e.gatewayURL()+"/playground",
		"{$ORIGINS}", e.gatewayURL(),
	).Replace(string(site)))
	require.Eventually(t, func() bool { // as make run waits, until the identity provider beside it is up
		got, err := http.Get(e.gatewayURL() + "/.well-known/openid-configuration")
		return err == nil && got.Body.Close() == nil && got.StatusCode == http.StatusOK
	}, time.Minute, 100*time.Millisecond)
	chromiumClient("playground.mjs")(t, e, session{
		Gateway: e.gatewayURL(), ClientID: client, Audience: testAudience, Username: username, Chromium: chromium(), SPAPort: e.spaPort,
		Lacks: []string{}, steps: []string{"accessibility, phone, dark"},
	})
}

// The consent page in Chromium, answered by people and by those who want them to answer
// unseen.
func TestTheConsentPageInABrowser(t *testing.T) {
	e, s := newConsentGateway(t, "")
	s.steps = []string{"auth0-spa-js logs in in a pop-up"}
	chromiumClient("consent.mjs")(t, e, s)
}

// The same where windows cover each other: without a window manager none does.
func TestTheConsentPageBeneathOtherWindows(t *testing.T) {
	e, s := newConsentGateway(t, "")
	for _, name := range []string{"Xvfb", "openbox", "xdotool"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(name + " is not installed; on Debian: apt-get install xvfb openbox xdotool")
		}
	}
	s.steps = []string{"a person by keyboard"}
	chromiumClient("consent-windows.mjs")(t, e, s)
}

// The pages that users see, in Chromium: the gateway's own, an operator's colors, and an operator's template.
func TestThePagesInABrowser(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"logo.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="120" height="40" rx="8" fill="#7b1fa2"/></svg>`,
		"page.html": `<!DOCTYPE html>
<html lang="{{.Lang}}" dir="{{.Dir}}">
<head>{{.Head}}<style nonce="{{.Nonce}}">header { border-bottom: 2px solid }</style></head>
<body><header><img src="{{.Logo}}" alt="{{.Name}}"></header>
{{.Content}}
<footer><a href="{{.Help}}">{{.Say "help"}}</a></footer>
</body>
</html>`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	theme := "name \"Example Inc.\"\nlogo " + folder + "/logo.svg\nhelp https://example.com/help\naccent 7b1fa2 ce93d8\nbackground fff8e1 0d1b2a\n"
	for look, options := range map[string]string{"plain": "", "theme": "pages {\n" + theme + "}", "template": "pages {\n" + theme + "templates " + folder + "\n}"} {
		t.Run(look, func(t *testing.T) {
			e, s := newConsentGateway(t, "endpoint logout none\n"+options)
			s.Look = look
			for _, page := range []string{"consent", "list", "error", "logout"} { // a process each: all of them take minutes on a busy machine
				s.steps = []string{page}
				s.Lacks = slices.DeleteFunc([]string{"consent", "list", "error", "logout"}, func(other string) bool { return other == page })
				chromiumClient("pages.mjs")(t, e, s)
			}
		})
	}
}

// newConsentGateway shares its host with an app (/app). Of its clients, agent has no web
// origin, and spa has one.
func newConsentGateway(t *testing.T, options string) (*environment, session) {
	if !*all {
		t.Skip("make interop tries this")
	}
	e := newEnvironment(t)
	address := testgateway.NewAddress(t)
	base := "http://" + address
	var clients strings.Builder
	behavior := testidp.Behavior{Issuer: base + "/"}
	for id, options := range map[string]string{"agent": "", "spa": "origin " + e.spaOrigin()} {
		fmt.Fprintf(&clients, "client %s {\nconsent\nredirect_uri %s/\n%s\nidp_client %[1]s {\nsecret %[1]s-secret\n}\n}\n", id, e.spaOrigin(), options)
		behavior.Clients = append(behavior.Clients, testidp.Client{
			ID: id, RedirectURIs: []string{base + "/oauth/callback"}, Auth: "client_secret_basic", Secret: id + "-secret",
		})
	}
	idp := testidp.Run(t, behavior)
	testgateway.Run(t, testgateway.Config{Address: address, Site: fmt.Sprintf(`
identity_gateway %s {
	parameters oauth
	callback
	%s
	%s
}
header /app Content-Type text/html
respond /app "<!doctype html><title>app</title>"`, idp.URL(), options, clients.String())})
	return e, session{Gateway: base, Chromium: chromium(), SPAPort: e.spaPort, Username: username, Lacks: []string{}}
}
