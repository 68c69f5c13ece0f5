package interop

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/stretchr/testify/require"
	"github.com/zitadel/oidc/v3/pkg/client/rp"
	zitadel "github.com/zitadel/oidc/v3/pkg/oidc"
	"golang.org/x/oauth2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
)

// libraries are those that apps log their users in with. caddymodule/LIBRARIES.md has a row for each, with the lines
// of its file that tell it who issues tokens. Steps are those that it has.
var libraries = []struct {
	name, client, steps string
	run                 func(*testing.T, *environment, session)
	below               bool // it wants an issuer with a path, or JWTs as access tokens
}{
	{"go-oidc", "app", "login userinfo refresh", runGoOIDC, false},
	{"zitadel/oidc", "app", "login userinfo refresh", runZitadel, false},
	{"openidconnect for Rust", "app", "login userinfo refresh", rustClient("libraries/rust"), false},
	{"Spring Security", "web", "login userinfo logout", runSpringClient, false},
	{"@auth/express", "web", "login", nodeLibrary("auth-express.mjs"), false},
	{"next-auth", "web", "login", nodeLibrary("next-auth.mjs"), false},
	{"express-openid-connect", "web", "login userinfo refresh logout", nodeLibrary("express-openid-connect.mjs"), false},
	{"@azure/msal-node", "web", "login refresh", nodeLibrary("msal-node.mjs"), false},
	{"passport-openidconnect", "lenient", "login userinfo", nodeLibrary("passport-openidconnect.mjs"), false},
	{"passport-oauth2", "web", "login userinfo", nodeLibrary("passport-oauth2.mjs"), false},
	{"oauth4webapi", "app", "login userinfo refresh", nodeLibrary("oauth4webapi.mjs"), false},
	{"openid-client", "app", "login userinfo refresh logout", nodeLibrary("openid-client.mjs"), false},
	{"oidc-client-ts", "spa", "login userinfo refresh logout", pageLibrary("oidc-client-ts.js"), false},
	{"keycloak-js", "spa", "login userinfo logout", pageLibrary("keycloak-js.js"), true},
	{"@azure/msal-browser", "spa", "login refresh logout", pageLibrary("msal-browser.js"), false},
	{"@openid/appauth", "spa", "login userinfo refresh", pageLibrary("appauth.js"), false},
	{"Swagger UI", "spa", "login", chromiumClient("libraries/swagger-ui.mjs"), false},
	{"Authlib", "web", "login userinfo refresh", pythonClient("libraries/authlib_app.py"), false},
	{"requests-oauthlib", "app", "login userinfo refresh", pythonClient("libraries/requests_oauthlib_app.py"), false},
	{"google-auth-oauthlib", "app", "login refresh", pythonClient("libraries/google_auth_app.py"), false},
	{"MSAL for Python", "web", "login refresh", pythonClient("libraries/msal_app.py"), true},
	{"pyoidc", "lenient", "login userinfo", pythonClient("libraries/oic_app.py"), false},
}

// The libraries of apps, unmodified, given the gateway's URL and a client: its ID tokens are the gateway's own.
func TestPublishedLibraries(t *testing.T) {
	if !*all {
		t.Skip("make interop tries this")
	}
	e := newEnvironment(t)
	self := strings.Replace(e.gatewayURL(), "http:", "https:", 1)
	s := e.startGatewayOfLibraries(t, self)
	for _, l := range libraries {
		t.Run(l.name, func(t *testing.T) {
			e.browser.reset()
			s := s
			s.ClientID, s.SPAClientID, s.steps = l.client, l.client, strings.Fields(l.steps)
			if l.below {
				s.Gateway += "/id"
			}
			if l.client == "app" || l.client == "spa" {
				s.Secret = ""
			}
			l.run(t, e, s)
		})
	}
}

// startGatewayOfLibraries is a gateway with a public client for apps that the browser's server stands for, one of a page,
// and two with a secret, of which one may do without PKCE. A second one, below a path, gives JWTs as access tokens.
func (e *environment) startGatewayOfLibraries(t *testing.T, self string) session {
	secret := rand.Text()
	hash := sha256.Sum256([]byte(secret))
	e.startCaddy(t, testgateway.Caddyfile(e.dir, "log default {\nlevel DEBUG\nformat oauth_redact\n}", strings.NewReplacer(
		"{self}", self, "{idp}", fmt.Sprintf("http://localhost:%d", e.idpPort), "{cert}", e.certFile, "{key}", e.keyFile, "{app}", e.spaOrigin(),
		"{redirect}", e.browser.redirectURI(), "{return}", e.browser.returnTo(), "{hash}", hex.EncodeToString(hash[:]),
	).Replace(`
{self} {
	bind localhost
	tls {cert} {key}
	log
	identity_gateway {idp} {
		discover
		callback
		public_url {self}
		client app {
			redirect_uri {redirect}
			return_to {return}
			idp_client gateway {
				secret only-the-gateway-knows-it
			}
		}
		client spa {
			redirect_uri {app}/
			redirect_uri {app}/oauth2-redirect.html
			return_to {app}/
			origin {app}
			idp_client gateway {
				secret only-the-gateway-knows-it
			}
		}
		client web {
			redirect_uri {redirect}
			redirect_uri {app}/callback
			redirect_uri {app}/auth/callback/gateway
			redirect_uri {app}/api/auth/callback/gateway
			redirect_uri {app}/login/oauth2/code/gateway
			return_to {app}
			return_to {app}/
			token_endpoint_auth client_secret_basic {hash}
			token_endpoint_auth client_secret_post {hash}
			idp_client gateway {
				secret only-the-gateway-knows-it
			}
		}
		client lenient {
			redirect_uri {redirect}
			redirect_uri {app}/callback
			return_to {app}/
			token_endpoint_auth client_secret_basic {hash}
			token_endpoint_auth client_secret_post {hash}
			pkce optional
			idp_client gateway {
				secret only-the-gateway-knows-it
			}
		}
	}
	handle_path /id/* {
		identity_gateway {idp} {
			discover
			callback
			public_url {self}/id
			resource {self}/api {
				tokens jwt
			}
			client spa {
				redirect_uri {app}/
				return_to {app}/
				origin {app}
				idp_client gateway {
					secret only-the-gateway-knows-it
				}
			}
			client web {
				redirect_uri {redirect}
				return_to {return}
				token_endpoint_auth client_secret_basic {hash}
				token_endpoint_auth client_secret_post {hash}
				idp_client gateway {
					secret only-the-gateway-knows-it
				}
			}
		}
	}
}
{idp} {
	bind localhost
	development_idp {
		client gateway only-the-gateway-knows-it {
			redirect_uri {self}/oauth/callback
			redirect_uri {self}/id/oauth/callback
			return_to {return}
			return_to {app}
			return_to {app}/
		}
	}
}`)))
	return session{
		Gateway: self, Issuer: self, JWKSURI: self + "/.well-known/jwks.json", Secret: secret, Scope: scope,
		RedirectURI: e.browser.redirectURI(), ReturnTo: e.browser.returnTo(), Browser: e.browser.base + "/walk",
		SPAPort: e.spaPort, Username: username, Password: password, Chromium: chromium(), Lacks: []string{},
	}
}

// nodeLibrary is a nodeClient with the libraries' packages.
func nodeLibrary(script string) func(*testing.T, *environment, session) {
	return func(t *testing.T, e *environment, s session) {
		installed(t, "libraries/node_modules")
		nodeClient("libraries/"+script)(t, e, s)
	}
}

// pageLibrary is a library in a page, which page.mjs bundles and drives.
func pageLibrary(script string) func(*testing.T, *environment, session) {
	return func(t *testing.T, e *environment, s session) {
		installed(t, "libraries/node_modules")
		s.Page = script
		chromiumClient("libraries/page.mjs")(t, e, s)
	}
}

// login is what a person does at a URL, and the response that the app then gets.
func (e *environment) login(ctx context.Context, t *testing.T, authorize string) url.Values {
	t.Helper()
	arrived := must.Have(e.browser.current.visit(ctx, authorize))(t)
	response := must.Have(url.ParseQuery(arrived.Params))(t)
	require.NotEmpty(t, response.Get("code"), arrived)
	return response
}

func runGoOIDC(t *testing.T, e *environment, s session) {
	ctx := oidc.ClientContext(t.Context(), &http.Client{Transport: e.transport, Timeout: time.Minute})
	issuer, clientID, clientSecret, redirectURL := s.Gateway, s.ClientID, s.Secret, s.RedirectURI
	provider := must.Have(oidc.NewProvider(ctx, issuer))(t)
	config := &oauth2.Config{ClientID: clientID, ClientSecret: clientSecret, Endpoint: provider.Endpoint(), RedirectURL: redirectURL, Scopes: []string{oidc.ScopeOpenID, oidc.ScopeOfflineAccess, "email"}}
	token, subject := goLogin(ctx, t, e, s, provider, config)
	user := must.Have(provider.UserInfo(ctx, oauth2.StaticTokenSource(token)))(t)
	require.Equal(t, subject, user.Subject)
	require.NotEmpty(t, user.Email)
	fresh := must.Have(config.TokenSource(ctx, &oauth2.Token{RefreshToken: token.RefreshToken}).Token())(t)
	require.NotEqual(t, token.AccessToken, fresh.AccessToken)
}

func runZitadel(t *testing.T, e *environment, s session) {
	ctx, client := t.Context(), &http.Client{Transport: e.transport, Timeout: time.Minute}
	issuer, clientID, clientSecret, redirectURI, scopes := s.Gateway, s.ClientID, s.Secret, s.RedirectURI, strings.Fields(s.Scope)
	provider := must.Have(rp.NewRelyingPartyOIDC(ctx, issuer, clientID, clientSecret, redirectURI, scopes, rp.WithHTTPClient(client)))(t)
	state, verifier := rand.Text(), oauth2.GenerateVerifier()
	response := e.login(ctx, t, rp.AuthURL(state, provider, rp.WithCodeChallenge(zitadel.NewSHACodeChallenge(verifier))))
	require.Equal(t, state, response.Get("state"))
	tokens := must.Have(rp.CodeExchange[*zitadel.IDTokenClaims](ctx, response.Get("code"), provider, rp.WithCodeVerifier(verifier)))(t)
	user := must.Have(rp.Userinfo[*zitadel.UserInfo](ctx, tokens.AccessToken, tokens.TokenType, tokens.IDTokenClaims.Subject, provider))(t)
	require.NotEmpty(t, user.Email)
	fresh := must.Have(rp.RefreshTokens[*zitadel.IDTokenClaims](ctx, provider, tokens.RefreshToken, "", ""))(t)
	require.NotEqual(t, tokens.AccessToken, fresh.AccessToken)
}

// rustClient runs a program that make has built.
func rustClient(folder string) func(*testing.T, *environment, session) {
	return func(t *testing.T, e *environment, s session) {
		runScript(t, e, s, installed(t, folder+"/target/release/login"), "")
	}
}

// startSpringApp runs the class in the folder libraries/spring.
func (e *environment) startSpringApp(t *testing.T, env map[string]string) (base string) {
	t.Helper()
	needs(t, "java", "keytool")
	target := installed(t, "libraries/spring/target/classes")
	store := filepath.Join(t.TempDir(), "trusted.p12")
	output, err := exec.Command("keytool", "-importcert", "-noprompt", "-file", e.certFile, "-keystore", store, "-storepass", "changeit").CombinedOutput()
	require.NoError(t, err, "%s", output)
	var variables []string
	for name, value := range env {
		variables = append(variables, name+"="+value)
	}
	base = e.spaOrigin()
	startServer(t, variables, base+"/", 4*time.Minute, http.DefaultTransport, "java", "-Xmx256m", "-Djavax.net.ssl.trustStore="+store, "-Djavax.net.ssl.trustStorePassword=changeit",
		"-cp", target+string(os.PathListSeparator)+filepath.Join(target, "..", "lib", "*"), "interop.App",
		fmt.Sprintf("--server.port=%d", e.spaPort), "--server.address=localhost")
	return base
}

// runSpringClient is Spring Boot's app, where somebody logs in and out.
func runSpringClient(t *testing.T, e *environment, s session) {
	base := e.startSpringApp(t, map[string]string{"ISSUER": s.Gateway, "CLIENT_ID": s.ClientID, "CLIENT_SECRET": s.Secret})
	var user struct {
		Sub, Email string
		Info       bool
	}
	open := func(path string) {
		arrived := must.Have(e.browser.current.visit(t.Context(), base+path))(t)
		require.NoError(t, json.Unmarshal([]byte(arrived.Page), &user), "%s shows %s", arrived.URL, arrived.Page)
	}
	open("/oauth2/authorization/gateway")
	require.NotEmpty(t, user.Sub)
	require.NotEmpty(t, user.Email)
	require.True(t, user.Info, "the user info was not asked")
	user.Sub = ""
	open("/logout")
	require.Empty(t, user.Sub, "still logged in")
}

// Each row of caddymodule/LIBRARIES.md has lines of what ran, its version, and its steps.
func TestLibrariesAreUsedAsDocumented(t *testing.T) {
	page := must.Have(os.ReadFile(root + "/caddymodule/LIBRARIES.md"))(t)
	var manifests string
	for _, name := range []string{"../go.mod", "clients/package.json", "clients/requirements.txt", "clients/libraries/package.json", "clients/libraries/rust/Cargo.toml", "clients/libraries/spring/pom.xml"} {
		manifests += oneLine(t, name)
	}
	row := regexp.MustCompile(`(?m)^\| \[(.+?)\]\((.+?)\) ?(.*?) \| (.+?) \| (yes|no).*? \| .+? \|(.*)\|$`)
	code := regexp.MustCompile("`` ?(.+?) ?``|`(.+?)`")
	documented := make(map[string]string)
	for _, cells := range row.FindAllStringSubmatch(string(page), -1) {
		name, program := cells[1], oneLine(t, root+"/caddymodule/"+cells[2])
		for _, line := range code.FindAllStringSubmatch(cells[4], -1) {
			require.Contains(t, program, line[1]+line[2], name)
		}
		for _, version := range regexp.MustCompile(`\d+\.\d+\.\d+`).FindAllString(cells[3], -1) {
			require.Contains(t, manifests, version, name)
		}
		if _, resourceServer := documented[name]; !resourceServer {
			documented[name] = strings.Join(strings.Fields("login "+cells[6]), " ")
		}
	}
	for _, l := range libraries {
		require.Equal(t, l.steps, documented[l.name], l.name)
	}
	require.Len(t, documented, len(libraries)+1, "and jose, a resource server")
}

// oneLine is a file, whose lines are of any length.
func oneLine(t *testing.T, name string) string {
	text := must.Have(os.ReadFile(name))(t)
	return strings.Join(strings.Fields(string(text)), " ")
}
