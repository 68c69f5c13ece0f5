package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

const (
	metadataIdP   = "development IdP"
	otherAudience = "https://other.example/"
)

// ByMetadata runs clients that know only the gateway's URL and their client id, and
// calls with their tokens what require_token protects. The provider has an issuer
// and keys of its own, which clients find through the gateway.
func ByMetadata(ctx context.Context) []Cell {
	clients := []Client{
		{Name: "go-oidc", run: runGoClientByMetadata},
		{Name: "oauth4webapi", run: nodeClient("metadata/oauth4webapi.mjs", false)},
		{Name: "openid-client", run: nodeClient("metadata/openid-client.mjs", false)},
		{Name: "@modelcontextprotocol/sdk", run: nodeClient("mcp/sdk.mjs", false)},
		{Name: "auth0-spa-js in Chromium", run: nodeClient("auth0-spa-js.mjs", true)},
	}
	registration := Registrations()[slices.IndexFunc(Registrations(), func(r Registration) bool { return r.secret != "" })]
	cells := Rows(ctx, IdP{Name: metadataIdP, start: startPublishingDevelopmentIdP}, []Registration{registration}, clients)
	for i := range cells {
		cells[i].Registration, cells[i].Lacks = "by metadata", nil
		cells[i].Steps = []string{"login", "protected API", "another audience"}
	}
	return cells
}

// ByURL runs clients that know only the URL of an MCP server behind protect_mcp: they
// register, and users approve them. The conformance tests of MCP for authorization
// servers are one more.
func ByURL(ctx context.Context) []Cell {
	clients := []Client{
		{Name: "@modelcontextprotocol/sdk", run: nodeClient("mcp/sdk.mjs", false)},
		{Name: "@modelcontextprotocol/client", run: nodeClient("mcp/client.mjs", false)},
		{Name: "mcp-remote", run: nodeClient("mcp/remote.mjs", false)},
		{Name: "go-sdk", run: runGoAgent},
		{Name: "mcp for Python", run: withTools(pythonClient("mcp/agent.py"))},
		{Name: "@modelcontextprotocol/inspector", run: withTools(inspectorClient)},
		{Name: "@modelcontextprotocol/conformance", run: nodeClient("mcp/conformance.mjs", false)},
	}
	cells := Rows(ctx, IdP{Name: metadataIdP, start: startProtectedServer}, []Registration{{Name: "by URL"}}, clients)
	for i := range cells {
		cells[i].Lacks, cells[i].Steps = nil, []string{"login", "protected API"}
	}
	cells[len(cells)-1].Steps = []string{"authorization-server-metadata-endpoint", "authorization-code-grant"}
	return cells
}

// startProtectedServer has the gateway as the only client of the development IdP.
func startProtectedServer(_ context.Context, e *environment) (*runningIdP, error) {
	idp := &runningIdP{username: "ada", mcp: e.gatewayURL() + "/mcp", lacks: []string{"another audience"}}
	idp.authURL = fmt.Sprintf("http://localhost:%d", e.idpPort)
	idp.recipe = fmt.Sprintf("protect_mcp %s %s {\n\t\tclient gateway only-the-gateway-knows-it\n\t\theader X-User sub\n\t}", idp.mcp, idp.authURL)
	idp.rest = fmt.Sprintf("reverse_proxy /mcp localhost:%d", e.spaPort)
	idp.sites = fmt.Sprintf(`
%s {
	bind localhost
	development_idp {
		client gateway {
			secret only-the-gateway-knows-it
			redirect_uri %s
		}
	}
}`, idp.authURL, e.callbackURL())
	return idp, nil
}

// startPublishingDevelopmentIdP gives the development IdP an https address of its
// own: auth0-spa-js takes no other issuer.
func startPublishingDevelopmentIdP(_ context.Context, e *environment) (_ *runningIdP, err error) {
	defer fail.Catch(&err)
	idp := developmentIdP(e, "")
	idp.authURL = fmt.Sprintf("https://localhost:%d", e.idpPort)
	idp.issuer, idp.jwksURI = idp.authURL+"/", ""
	plain := fmt.Sprintf("http://localhost:%d", fail.Must(testgateway.FreePorts(1)))
	idp.sites = strings.NewReplacer(
		fmt.Sprintf("http://localhost:%d {", e.idpPort), plain+" {",
		fmt.Sprintf("issuer http://localhost:%d/", e.gatewayPort), "issuer "+idp.issuer,
	).Replace(idp.sites)
	fail.Check(terminateTLS(e, plain))
	idp.gateway = fmt.Sprintf("discover\nparameters oauth\npublic_url %[1]s\ndefault_audience %[1]s/mcp\n%[2]s", e.gatewayURL(), trustCertificate(e))
	idp.rest = fmt.Sprintf(`
	header /api Access-Control-Allow-Origin %[1]s
	header /api Access-Control-Allow-Headers Authorization
	require_token /api %[2]s %[3]s {
		transport http {
			tls_trust_pool file %[4]s
		}
		origin %[1]s
	}
	respond /api %[5]s
	require_token /mcp %[2]s %[6]s/mcp {
		transport http {
			tls_trust_pool file %[4]s
		}
		scope profile
		resource %[6]s/mcp
		authorization_server %[6]s
		header X-User sub
	}
	reverse_proxy /mcp localhost:%[7]d`,
		e.spaOrigin(), idp.authURL, testAudience, e.authority.certFile, "`{\"sub\":\"{http.auth.user.id}\"}`", e.gatewayURL(), e.spaPort)
	idp.api, idp.mcp = e.gatewayURL()+"/api", e.gatewayURL()+"/mcp"
	idp.audience = testAudience + " " + otherAudience + " " + idp.mcp // the resource that clients of MCP name
	idp.lacks = []string{"userinfo", "refresh", "logout"}             // the other rows have them
	idp.frames = false
	return idp, nil
}

// terminateTLS serves at the IdP's port what is at another address. Caddy itself would have
// to: a gateway that asks an IdP of the same process while that still starts has its handshake
// race with the start of Caddy's TLS app.
func terminateTLS(e *environment, plain string) (err error) {
	defer fail.Catch(&err)
	certificate := fail.Must(tls.LoadX509KeyPair(e.authority.certFile, e.authority.keyFile))
	listener := fail.Must(tls.Listen("tcp", fmt.Sprintf("localhost:%d", e.idpPort), &tls.Config{Certificates: []tls.Certificate{certificate}}))
	server := &http.Server{Handler: httputil.NewSingleHostReverseProxy(fail.Must(url.Parse(plain))), ReadHeaderTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0)}
	e.whenClosed(func() { _ = server.Close() })
	go func() { _ = server.Serve(listener) }()
	return nil
}

// runGoClientByMetadata is go-oidc with what its documentation has for a provider
// whose issuer is not its address.
func runGoClientByMetadata(ctx context.Context, e *environment, s session) ([]Result, error) {
	ctx = oidc.ClientContext(ctx, &http.Client{Transport: e.authority.transport(), Timeout: 30 * time.Second})
	var results []Result
	var provider *oidc.Provider
	logIn := func(audience string) string {
		config := &oauth2.Config{ClientID: s.ClientID, Endpoint: provider.Endpoint(), RedirectURL: s.RedirectURI, Scopes: strings.Fields(s.Scope)}
		s.Audience = audience
		token, _ := goLogin(ctx, e, s, provider, config)
		return token.AccessToken
	}
	var accessToken string
	if !step(&results, "login", func() {
		if _, err := oidc.NewProvider(ctx, s.Gateway); err == nil {
			fail.Now("it takes the issuer of the IdP for that of the gateway")
		}
		provider = fail.Must(oidc.NewProvider(oidc.InsecureIssuerURLContext(ctx, s.Issuer), s.Gateway))
		accessToken = logIn(testAudience)
	}) {
		return results, nil
	}
	step(&results, "protected API", func() {
		if status, user := callAPI(ctx, s.API, accessToken); status != http.StatusOK || user == "" {
			fail.Now("the status is %d, the user %q", status, user)
		}
	})
	step(&results, "another audience", func() {
		if status, _ := callAPI(ctx, s.API, logIn(s.OtherAudience)); status != http.StatusUnauthorized {
			fail.Now("the status is %d", status)
		}
	})
	return results, nil
}

func callAPI(ctx context.Context, api, accessToken string) (status int, user string) {
	request := fail.Must(http.NewRequestWithContext(ctx, http.MethodGet, api+"?x=1", nil))
	request.Header.Set("Authorization", "Bearer "+accessToken)
	response := fail.Must(http.DefaultClient.Do(request))
	defer response.Body.Close()
	var body struct{ Sub string }
	_ = json.NewDecoder(response.Body).Decode(&body) // an error has none
	return response.StatusCode, body.Sub
}
