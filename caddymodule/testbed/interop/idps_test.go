package interop

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
)

type idp struct {
	name  string
	start func(*testing.T, *environment) *runningIdP
	all   bool // only with -all
}

var idps = []idp{
	{"development IdP", startDevelopmentIdP, false},
	{"development IdP, proxied", startProxiedDevelopmentIdP, false},
	{"oidc-provider", startOIDCProvider, true},
	{"Keycloak", startKeycloak, true},
	{"Spring Authorization Server", startSpring, true},
}

const scope = "openid profile email offline_access"

// runningIdP is a started provider, and how the gateway and clients use it.
type runningIdP struct {
	issuer   string
	authURL  string
	jwksURI  string
	gateway  string // further options of identity_gateway in the Caddyfile
	par      string // and those that have requests pushed to it, by a confidential client
	audience string // what its clients may ask for, "" for anything
	rest     string // what the gateway's site does with all other requests
	sites    string // further sites of the Caddyfile
	recipe   string // the whole directive, in the place of authURL and all options

	publicLacks  []string // steps that it has for confidential clients only
	frames       bool     // its cookies work in a hidden frame
	proxied      bool     // its front channel is the gateway's
	standardOnly bool     // a logout must have an ID token, which only standard clients can send
	api, mcp     string   // what require_token protects
}

const testAudience, otherAudience = "https://api.example/", "https://other.example/"

func (e *environment) session(idp *runningIdP, r registration, steps ...string) session {
	lacks := []string{}
	if r.secret == "" {
		lacks = append(lacks, idp.publicLacks...)
	}
	return session{
		Gateway: e.gatewayURL(), Issuer: idp.issuer, JWKSURI: idp.jwksURI,
		ClientID: "native" + r.suffix, SPAClientID: "spa" + r.suffix, Scope: scope, Audience: testAudience,
		RedirectURI: e.browser.redirectURI(), ReturnTo: e.browser.returnTo(), Browser: e.browser.base + "/walk",
		API: idp.api, MCP: idp.mcp, OtherAudience: otherAudience,
		SPAPort: e.spaPort, Username: username, Password: password,
		// The page's client checks that the response in the frame comes from the gateway.
		Frames: idp.frames && (idp.proxied || r.callback),
		Hints:  idp.standardOnly, Lacks: lacks, Chromium: chromium(), steps: steps,
	}
}

// startDevelopmentIdP needs no process: the provider is a site of the same Caddy.
func startDevelopmentIdP(_ *testing.T, e *environment) *runningIdP { return developmentIdP(e, "") }

// startProxiedDevelopmentIdP hands it the gateway's whole host, as with a custom
// domain. Without callback only so can a page renew its login in a hidden frame:
// that checks that the response comes from the origin it asked.
func startProxiedDevelopmentIdP(_ *testing.T, e *environment) *runningIdP {
	running := developmentIdP(e, "")
	running.gateway = "front_channel proxy"
	running.proxied = true
	running.rest = fmt.Sprintf("reverse_proxy localhost:%d", e.idpPort)
	return running
}

func developmentIdP(e *environment, options string) *runningIdP {
	var clients strings.Builder
	for _, c := range e.clientsAtIdP() {
		fmt.Fprintf(&clients, "client %s %s {\nredirect_uri %s\nreturn_to %s\n}\n", c.ID, c.Secret, c.RedirectURI, c.ReturnTo)
	}
	return &runningIdP{
		issuer:  e.gatewayURL() + "/",
		jwksURI: e.gatewayURL() + "/.well-known/jwks.json",
		authURL: fmt.Sprintf("http://localhost:%d", e.idpPort),
		rest:    fmt.Sprintf("reverse_proxy /.well-known/* localhost:%d", e.idpPort),
		sites: fmt.Sprintf(`
http://localhost:%[2]d {
	bind localhost
	development_idp http://localhost:%[1]d/ {
		%[3]s
		%[4]s
	}
}`, e.gatewayPort, e.idpPort, options, clients.String()),
		frames: true,
	}
}

// startOIDCProvider runs npm oidc-provider. Its issuer is the gateway, as with a
// custom domain.
func startOIDCProvider(t *testing.T, e *environment) *runningIdP {
	address := fmt.Sprintf("http://localhost:%d", e.idpPort)
	env := []string{fmt.Sprintf("PORT=%d", e.idpPort), "ISSUER=" + e.gatewayURL() + "/", "CLIENTS=" + asJSON(t, e.clientsAtIdP())}
	startServer(t, env, address+"/jwks", 30*time.Second, http.DefaultTransport, node(t), "idps/oidc-provider.mjs")
	return &runningIdP{
		issuer: e.gatewayURL() + "/", jwksURI: address + "/jwks", authURL: address,
		gateway: `
parameters oauth
endpoint authorize /auth
endpoint token /token
endpoint userinfo /me
endpoint logout /session/end rp_initiated`,
		par:    "endpoint par /request",
		frames: true,
	}
}

func asJSON(t *testing.T, value any) string {
	text := must.Have(json.Marshal(value))(t)
	return string(text)
}

// installed is what make has installed in the clients folder.
func installed(t *testing.T, pattern string) string {
	t.Helper()
	found := must.Have(filepath.Glob(filepath.Join("clients", pattern)))(t)
	if len(found) == 0 {
		t.Skip(pattern + " is missing; run: make interop")
	}
	return must.Have(filepath.Abs(found[0]))(t)
}

// startKeycloak runs the server distribution, over TLS because its issuer, which
// the page's client compares, must be an https one when it is not the gateway.
func startKeycloak(t *testing.T, e *environment) *runningIdP {
	script := installed(t, ".keycloak/*/bin/kc.sh")
	writeRealm(t, e, filepath.Join(script, "..", "..", "data", "import"))
	address := fmt.Sprintf("https://localhost:%d", e.idpPort)
	realm := address + "/realms/gateway"
	// Measured on two busy cores: one to two minutes to start.
	startServer(t, []string{"JAVA_OPTS_KC_HEAP=-Xms128m -Xmx768m"}, realm+"/.well-known/openid-configuration", 6*time.Minute, e.transport,
		script, "start", "--optimized", "--import-realm", "--http-host=localhost", "--http-enabled=false",
		fmt.Sprintf("--https-port=%d", e.idpPort), "--hostname="+address, "--cache=local",
		"--https-certificate-file="+e.certFile, "--https-certificate-key-file="+e.keyFile)
	const path = "/realms/gateway/protocol/openid-connect"
	// Without frames: https on localhost is another site than the http of the page
	// and the gateway, so its cookies do not reach a frame.
	return &runningIdP{
		issuer: realm, jwksURI: address + path + "/certs", authURL: address,
		gateway: strings.ReplaceAll(`
parameters oauth
endpoint authorize {path}/auth
endpoint token {path}/token
endpoint userinfo {path}/userinfo
endpoint logout {path}/logout rp_initiated`, "{path}", path) + e.trustCertificate(),
	}
}

// What exchanges tokens at Keycloak, and for what.
const exchangingClient, exchangeAPI = "exchanging-gateway", "ledger"

// writeRealm describes one user and the clients, for --import-realm.
func writeRealm(t *testing.T, e *environment, folder string) {
	type object = map[string]any
	var clients []object
	for _, c := range e.clientsAtIdP() {
		clients = append(clients, object{
			"clientId": c.ID, "publicClient": c.Secret == "", "secret": c.Secret,
			"standardFlowEnabled": true, "directAccessGrantsEnabled": false,
			"redirectUris": []string{c.RedirectURI},
			"attributes":   object{"pkce.code.challenge.method": "S256", "post.logout.redirect.uris": c.ReturnTo},
		})
	}
	// A gateway whose server calls an API, and that API: see TestATokenExchangeAtKeycloak.
	clients = append(clients, object{"clientId": exchangeAPI, "secret": rand.Text()}, object{
		"clientId": exchangingClient, "secret": exchangingClient, "redirectUris": []string{e.gatewayURL() + "/oauth/callback"},
		"attributes": object{"standard.token.exchange.enabled": "true"},
		"protocolMappers": []object{{
			"name": exchangeAPI, "protocol": "openid-connect", "protocolMapper": "oidc-audience-mapper",
			"config": object{"included.client.audience": exchangeAPI, "access.token.claim": "true"},
		}},
	})
	realm := asJSON(t, object{
		"realm": "gateway", "enabled": true,
		"clients": clients,
		"users": []object{{
			"username": username, "enabled": true, "email": "ada@example.com", "emailVerified": true,
			"firstName": "Ada", "lastName": "Lovelace",
			"credentials": []object{{"type": "password", "value": password}},
			"realmRoles":  []string{"default-roles-gateway"},
		}},
	})
	require.NoError(t, os.MkdirAll(folder, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "gateway-realm.json"), []byte(realm), 0o600))
}

// startSpring runs the class in the folder spring. A logout there must have an ID token, and
// public clients get no refresh token.
func startSpring(t *testing.T, e *environment) *runningIdP {
	classes := installed(t, ".spring/classes") + string(os.PathListSeparator) + filepath.Join(installed(t, ".spring/lib"), "*")
	address := fmt.Sprintf("https://localhost:%d", e.idpPort)
	startServer(t, []string{"CLIENTS=" + asJSON(t, e.clientsAtIdP())}, address+"/oauth2/jwks", 2*time.Minute, e.transport,
		"java", "-Xmx384m", "-cp", classes, "interop.Application",
		fmt.Sprintf("--server.port=%d", e.idpPort), "--server.address=localhost",
		"--server.ssl.certificate="+e.certFile, "--server.ssl.certificate-private-key="+e.keyFile,
		"--spring.security.oauth2.authorizationserver.issuer="+address,
		"--spring.security.user.name="+username, "--spring.security.user.password="+password)
	return &runningIdP{
		issuer: address, jwksURI: address + "/oauth2/jwks", authURL: address,
		gateway:     "discover\nparameters oauth" + e.trustCertificate(),
		publicLacks: []string{"refresh"}, standardOnly: true,
	}
}
