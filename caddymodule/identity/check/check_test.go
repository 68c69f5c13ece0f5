package check_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2/caddyconfig"
	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	_ "github.com/caddyserver/caddy/v2/modules/standard"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity/check"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
)

// run checks an IdP and returns what was printed.
func run(t *testing.T, c check.Checker, target check.Target) (string, error) {
	var out strings.Builder
	err := c.Check(t.Context(), &out, target)
	return out.String(), err
}

func start(t *testing.T, b testidp.Behavior) *testidp.Server {
	s, err := testidp.Start(b)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func TestWhatIsFoundAtVendors(t *testing.T) {
	for name, test := range map[string]struct {
		behavior testidp.Behavior
		finds    []string
	}{
		"Google":  {testidp.Google(), []string{"note  logout", "ok    PKCE            S256", "form_post", "ok    keys            1 (ES256)", "client_secret_post"}},
		"Entra":   {testidp.Entra(), []string{"note  PKCE", "/oidc/userinfo", "ok    logout"}},
		"Okta":    {testidp.Okta(), []string{"/oauth2/default/v1/authorize", "ok    clock"}},
		"Cognito": {testidp.Cognito(), []string{"ok    response mode   query", "/logout"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, test.behavior)
			for _, address := range []string{s.IssuerURL(), s.IssuerURL() + "/.well-known/openid-configuration"} {
				out, err := run(t, check.Checker{}, check.Target{URL: address, NeedsMetadata: true})
				require.NoError(t, err, out)
				for _, found := range test.finds {
					require.Contains(t, out, found)
				}
				_, block, ok := strings.Cut(out, "from the environment:\n\n")
				require.True(t, ok, out)
				requireAdapts(t, block)
				require.Contains(t, block, "identity_gateway "+s.IssuerURL()+" {")
			}
		})
	}
}

func requireAdapts(t *testing.T, block string) {
	adapted, warnings, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(block), map[string]any{"filename": "Caddyfile"})
	require.NoError(t, err, block)
	require.Contains(t, string(adapted), `"discover":true`)
	for _, warning := range warnings {
		require.NotContains(t, warning.Message, "not formatted", block)
	}
}

func TestTheBlockFollowsFromTheMetadata(t *testing.T) {
	for methods, want := range map[string]string{
		``: "secret {env.CLIENT_SECRET}",
		`,"token_endpoint_auth_methods_supported":["client_secret_post"]`:     "secret {env.CLIENT_SECRET}",
		`,"token_endpoint_auth_methods_supported":["private_key_jwt","none"]`: "private_key_jwt {env.CLIENT_KEY_FILE}",
		`,"token_endpoint_auth_methods_supported":["none"]`:                   "return_to https://app.example.com/\n\t\t}",
	} {
		m, err := discovery.Parse("https://idp.example", []byte(`{"issuer":"https://idp.example"`+methods+`}`))
		require.NoError(t, err)
		block := check.Block("https://idp.example", m)
		require.Contains(t, block, want)
		requireAdapts(t, block)
	}
}

func TestCausesAreNamed(t *testing.T) {
	document := func(s *httptest.Server, with string) string {
		return fmt.Sprintf(`{"issuer":%q,"authorization_endpoint":"%[1]s/a","token_endpoint":"%[1]s/t","jwks_uri":"%[1]s/keys"%s}`, s.URL, with)
	}
	for name, test := range map[string]struct {
		serve func(s *httptest.Server, w http.ResponseWriter, r *http.Request)
		cause string
	}{
		"no metadata":         {func(_ *httptest.Server, w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }, "it answers 404"},
		"a page in its place": {func(_ *httptest.Server, w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<!doctype html>") }, "metadata: "},
		"another issuer": {func(_ *httptest.Server, w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"issuer":"https://other.example"}`)
		}, "write the issuer exactly as the identity provider does"},
		"no token endpoint": {func(s *httptest.Server, w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"issuer":%q}`, s.URL)
		}, "no user can log in"},
		"a clock that is wrong": {func(s *httptest.Server, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Date", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat))
			if r.URL.Path == "/keys" {
				fmt.Fprint(w, `{"keys":[{"kty":"oct","k":"AAAA","alg":"HS256"}]}`)
				return
			}
			fmt.Fprint(w, document(s, ""))
		}, "clock: this machine is 1h0m0s behind the identity provider"},
		"no keys": {func(s *httptest.Server, w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/keys" {
				fmt.Fprint(w, `{"keys":[]}`)
				return
			}
			fmt.Fprint(w, document(s, ""))
		}, "keys: "},
		"keys that are none": {func(s *httptest.Server, w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/keys" {
				fmt.Fprint(w, `<html>`)
				return
			}
			fmt.Fprint(w, document(s, ""))
		}, "not a JSON Web Key Set"},
		"user info on a host that is down": {func(s *httptest.Server, w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, document(s, `,"userinfo_endpoint":"http://127.0.0.1:1/userinfo"`))
		}, "connection: "},
	} {
		t.Run(name, func(t *testing.T) {
			var s *httptest.Server
			s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { test.serve(s, w, r) }))
			t.Cleanup(s.Close)
			out, err := run(t, check.Checker{}, check.Target{URL: s.URL, NeedsMetadata: true})
			require.ErrorContains(t, err, test.cause, out)
			require.Contains(t, out, "FAIL")
			require.NotContains(t, out, "identity_gateway http", "there is no block for what does not work")
		})
	}
}

func TestAnAddressThatIsNone(t *testing.T) {
	_, err := run(t, check.Checker{}, check.Target{URL: "ftp://idp.example"})
	require.Error(t, err)
	out, err := run(t, check.Checker{}, check.Target{URL: "no-such-host.invalid", NeedsMetadata: true})
	require.ErrorContains(t, err, "DNS: ", out)
	out, err = run(t, check.Checker{}, check.Target{URL: "http://127.0.0.1:1", NeedsMetadata: true})
	require.ErrorContains(t, err, "connection: ", out)
}

func TestCertificates(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }))
	t.Cleanup(s.Close)
	out, err := run(t, check.Checker{}, check.Target{URL: s.URL, NeedsMetadata: true})
	require.ErrorContains(t, err, "TLS: ", out)
	require.ErrorContains(t, err, "tls_trust_pool")
	trusting := check.Checker{Transport: s.Client().Transport, TLS: s.Client().Transport.(*http.Transport).TLSClientConfig}
	out, err = run(t, trusting, check.Target{URL: s.URL})
	require.NoError(t, err, "endpoints may be configured")
	require.Contains(t, out, "TLS 1.3")
	require.Contains(t, out, "note  metadata")
}

func TestTheCommand(t *testing.T) {
	s := start(t, testidp.Okta())
	folder := t.TempDir()
	file := filepath.Join(folder, "Caddyfile")
	require.NoError(t, os.WriteFile(file, []byte(`
http://a.example {
	identity_gateway `+s.IssuerURL()+` {
		discover
	}
}
http://b.example {
	route {
		identity_gateway http://127.0.0.1:1
	}
}
`), 0o600))
	out, err := command(t, "--config", file)
	require.ErrorContains(t, err, "127.0.0.1:1")
	require.NotContains(t, err.Error(), s.IssuerURL())
	require.Contains(t, out, s.IssuerURL())
	out, err = command(t, s.IssuerURL())
	require.NoError(t, err, out)
	require.Contains(t, out, "login.example.com {")
	t.Chdir(t.TempDir())
	_, err = command(t)
	require.ErrorContains(t, err, "give the provider's URL")
	require.NoError(t, os.WriteFile(file, []byte("http://a.example {\nrespond ok\n}\n"), 0o600))
	_, err = command(t, "--config", file)
	require.ErrorContains(t, err, "no identity_gateway")
}

// command runs caddy identity-gateway check.
func command(t *testing.T, arguments ...string) (string, error) {
	registered, ok := caddycmd.Commands()["identity-gateway"]
	require.True(t, ok)
	root := &cobra.Command{Use: "identity-gateway", SilenceUsage: true, SilenceErrors: true}
	registered.CobraFunc(root)
	var out strings.Builder
	root.SetOut(&out)
	root.SetErr(&out)
	root.SetArgs(append([]string{"check"}, arguments...))
	err := root.ExecuteContext(context.Background())
	return out.String(), err
}
