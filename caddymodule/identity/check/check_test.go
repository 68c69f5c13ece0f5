package check_test

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	_ "github.com/caddyserver/caddy/v2/modules/standard"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity/check"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert/clientcerttest"
)

// run checks an IdP and returns what was printed.
func run(t *testing.T, c check.Checker, target check.Target) (string, error) {
	var out strings.Builder
	err := c.Check(t.Context(), &out, target)
	return out.String(), err
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
			s := testidp.Run(t, test.behavior)
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

// Without a scheme an address is one with TLS.
func TestAnAddressWithoutTLS(t *testing.T) {
	without := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(without.Close)
	address := strings.TrimPrefix(without.URL, "http://") + "/tenant"
	out, err := run(t, check.Checker{}, check.Target{URL: address})
	require.ErrorContains(t, err, "is it without TLS? Then write http://"+address, out)
	err = new(check.Checker).CheckMCP(t.Context(), io.Discard, address)
	require.ErrorContains(t, err, "is it without TLS? Then write http://"+address)
}

func TestACertificateThatEndsSoonIsNoted(t *testing.T) {
	authority, end := clientcerttest.NewAuthority("authority"), time.Now().Add(24*time.Hour)
	s := httptest.NewUnstartedServer(http.HandlerFunc(http.NotFound))
	s.TLS = &tls.Config{Certificates: []tls.Certificate{authority.Issue(x509.Certificate{
		NotAfter: end, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})}}
	s.StartTLS()
	t.Cleanup(s.Close)
	config := &tls.Config{RootCAs: authority.Pool()}
	out, err := run(t, check.Checker{Transport: &http.Transport{TLSClientConfig: config}, TLS: config}, check.Target{URL: s.URL})
	require.NoError(t, err, out)
	require.Contains(t, out, "note  TLS ")
	require.Contains(t, out, "the certificate is good until "+end.UTC().Format(time.DateOnly))
}

// What an IdP does without, and what it does in an odd way, keeps nobody from logging in.
func TestWhatIsFoundAtAnIdP(t *testing.T) {
	const (
		metadata = `{"issuer":"{idp}","authorization_endpoint":"{idp}/a","token_endpoint":"{idp}/t"`
		withKeys = metadata + `,"jwks_uri":"{idp}/keys"}`
		ofP256   = `"crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"`
	)
	for name, test := range map[string]struct {
		metadata string // "": there are none
		keys     string // "": the connection is cut off
		date     string // how far its clock is ahead, "" for no Date
		fails    string
		finds    string
	}{
		"no metadata":                      {"", "", "0s", "it answers 404", ""},
		"a page in its place":              {"<!doctype html>", "", "0s", "metadata: ", ""},
		"another issuer":                   {`{"issuer":"https://other.example"}`, "", "0s", "write the issuer exactly as the identity provider does", ""},
		"no token endpoint":                {`{"issuer":"{idp}"}`, "", "0s", "no user can log in", ""},
		"a clock that is wrong":            {metadata + "}", "", "1h", "clock: this machine is 1h0m0s behind the identity provider", ""},
		"no keys":                          {withKeys, `{"keys":[]}`, "0s", "keys: ", ""},
		"keys that are none":               {withKeys, "<html>", "0s", "/keys: it is not the JSON that is expected there", ""},
		"keys that are not to be had":      {withKeys, "403", "0s", "/keys: it answers 403", ""},
		"keys that are cut off":            {withKeys, "", "0s", "/keys: EOF", ""},
		"user info on a host that is down": {metadata + `,"userinfo_endpoint":"http://127.0.0.1:1/userinfo"}`, "", "0s", "connection: ", ""},

		"no keys at all":                  {metadata + "}", "", "0s", "", "note  keys            none: ID tokens and access tokens can't be verified"},
		"keys that name no algorithm":     {withKeys, `{"keys":[{"kty":"EC",` + ofP256 + `}]}`, "0s", "", "ok    keys            1 (ecdsa.PublicKey)"},
		"PKCE without S256":               {metadata + `,"code_challenge_methods_supported":["plain"]}`, "", "0s", "", "note  PKCE            only plain; with callback the gateway checks S256 itself"},
		"whose a response is":             {metadata + `,"authorization_response_iss_parameter_supported":true}`, "", "0s", "", "which the gateway requires (RFC 9207)"},
		"no Date":                         {metadata + "}", "", "", "", "note  clock           the identity provider does not say what time it is"},
		"a clock that is a minute behind": {metadata + "}", "", "-1m", "", "note  clock           this machine is 1m"},
		"an algorithm that would clear the screen": {
			withKeys, `{"keys":[{"kty":"oct","k":"AAAA","alg":"\u001b[2JHS256\u009b\r"}]}`, "0s", "", "ok    keys            1 (␛[2JHS256\ufffd␍)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var s *httptest.Server
			s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				ahead, err := time.ParseDuration(test.date)
				w.Header()["Date"] = nil
				if err == nil {
					w.Header().Set("Date", time.Now().Add(ahead).UTC().Format(http.TimeFormat))
				}
				body := test.metadata
				if r.URL.Path == "/keys" {
					if body = test.keys; body == "" {
						panic(http.ErrAbortHandler)
					}
				}
				status, _ := strconv.Atoi(cmp.Or(body, "404"))
				w.WriteHeader(cmp.Or(status, http.StatusOK))
				fmt.Fprint(w, strings.ReplaceAll(body, "{idp}", s.URL))
			}))
			t.Cleanup(s.Close)
			out, err := run(t, check.Checker{}, check.Target{URL: s.URL, NeedsMetadata: true})
			if test.fails != "" {
				require.ErrorContains(t, err, test.fails, out)
				require.Contains(t, out, "FAIL")
				require.NotContains(t, out, "identity_gateway http", "there is no block for what does not work")
				return
			}
			require.NoError(t, err, out)
			require.Contains(t, out, test.finds)
			require.Contains(t, out, "identity_gateway "+s.URL+" {")
		})
	}
}

// An IdP that is reached and does not answer says nothing about the clock.
func TestAnIdPThatHangsUp(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	t.Cleanup(s.Close)
	address := strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
	out, err := run(t, check.Checker{}, check.Target{URL: address, NeedsMetadata: true})
	require.ErrorContains(t, err, "metadata: ")
	require.ErrorContains(t, err, "if it publishes none, write its endpoints")
	require.Contains(t, out, "ok    DNS             localhost is ")
	require.Contains(t, out, "ok    connection")
	require.NotContains(t, out, "clock")
}

func TestTheCommand(t *testing.T) {
	s := testidp.Run(t, testidp.Okta())
	out, err := command(t, s.IssuerURL())
	require.NoError(t, err, out)
	require.Contains(t, out, "login.example.com {")

	none := httptest.NewServer(http.HandlerFunc(http.NotFound))
	t.Cleanup(none.Close)
	t.Setenv("TEST_IDP", s.IssuerURL())
	t.Setenv("TEST_EMPTY", "")
	for name, test := range map[string]struct {
		caddyfile string
		finds     []string // in the output
		err       []string // none: no error
	}{
		"the providers of all sites": {
			"http://a.example {\nidentity_gateway " + s.IssuerURL() + " {\ndiscover\n}\n}\nhttp://b.example {\nroute {\nidentity_gateway http://127.0.0.1:1\n}\n}",
			[]string{s.IssuerURL(), "http://127.0.0.1:1"},
			[]string{"http://127.0.0.1:1: connection: "},
		},
		"from the environment":      {"http://a.example {\nidentity_gateway {env.TEST_IDP} {\ndiscover\n}\n}", []string{s.IssuerURL()}, nil},
		"an environment that lacks": {"http://a.example {\nidentity_gateway {env.TEST_EMPTY}\n}", nil, []string{"auth_url: ", "the environment variable TEST_EMPTY is not set, or empty"}},
		"none of the plugin":        {"http://a.example {\nrespond ok\n}", nil, []string{"the configuration has no identity_gateway and no require_token"}},
		"require_token alone":       {"http://a.example {\nrequire_token " + s.IssuerURL() + " api\nrespond ok\n}", []string{s.IssuerURL() + ", for require_token", "ok    issuer_keys     there"}, nil},
		"require_token, and nobody": {"http://a.example {\nrequire_token " + none.URL + " api\nrespond ok\n}", []string{"FAIL  issuer_keys"}, []string{none.URL + ": issuer_keys: "}},
		"a mistake":                 {"http://a.example {\nidentity_gateway {\n}", nil, []string{"Caddyfile"}},
		"a proxy on the way":        {"http://a.example {\nidentity_gateway " + none.URL + " {\ntransport http {\ndial_timeout 2s\n}\n}\n}", []string{"is reached as the option transport says"}, []string{"there is no such endpoint"}},
		"a site that goes around it": {
			"http://a.example {\nroute {\nreverse_proxy " + none.URL + "\nidentity_gateway " + none.URL + "\n}\n}",
			[]string{none.URL},
			[]string{"reach the identity provider by reverse_proxy, unchecked", "Caddyfile:4"},
		},
		"no metadata, and no need":   {"http://a.example {\nidentity_gateway " + none.URL + "\n}", []string{"note  metadata        none, so that discover can't be used"}, []string{"authorize: there is no such endpoint: it answers 404"}},
		"the second site needs them": {"http://a.example {\nidentity_gateway " + none.URL + "\n}\nhttp://b.example {\nidentity_gateway " + none.URL + "/ {\ndiscover\n}\n}", []string{"FAIL  metadata"}, []string{"metadata: "}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			require.NoError(t, os.WriteFile("Caddyfile", []byte(test.caddyfile+"\n"), 0o600))
			for _, arguments := range [][]string{nil, {"--config", "Caddyfile"}, {"--config", "Caddyfile", "--adapter", "caddyfile"}} {
				out, err := command(t, arguments...)
				if test.err == nil {
					require.NoError(t, err, out)
				}
				for _, part := range test.err {
					require.ErrorContains(t, err, part, out)
				}
				for _, found := range test.finds {
					require.Contains(t, out, found)
				}
			}
		})
	}

	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("config.json", []byte(`{"apps":`), 0o600))
	for want, arguments := range map[string][]string{
		"nothing to check: give the provider's URL, or --config <path>": nil,
		"Caddyfile":                                          {"--config", "Caddyfile"}, // there is none
		"unexpected end of JSON input":                       {"--config", "config.json"},
		"pigeon":                                             {"--config", "config.json", "--adapter", "pigeon"},
		"accepts at most 1 arg(s)":                           {s.IssuerURL(), none.URL},
		"unknown flag: --insecure":                           {"--insecure", s.IssuerURL()},
		"ftp://idp.example: ":                                {"ftp://idp.example"},
		"no-such-host.invalid: DNS: ":                        {"no-such-host.invalid"},
		"127.0.0.1:1: connection: dial":                      {"http://127.0.0.1:1"},
		"ftp://idp.example/␛[2J: ":                           {"ftp://idp.example/\x1b[2J"},
		"give the URL of an identity provider, or --mcp":     {"--mcp", "https://mcp.example", "https://idp.example"},
		"none of the others can be":                          {"--mcp", "https://mcp.example", "--config", "Caddyfile"},
		`"ftp://mcp.example/" is not a URL such as https://`: {"--mcp", "ftp://mcp.example/"},
		"http://127.0.0.1:1: connection: dial":               {"--mcp", "http://127.0.0.1:1"},
	} {
		_, err := command(t, arguments...)
		require.ErrorContains(t, err, want)
	}
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

// A wrong secret is found before the first login, and never shown.
func TestASecretOfAConfigurationIsTried(t *testing.T) {
	var s *httptest.Server
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, secret, _ := r.BasicAuth()
		w.Header().Set("Content-Type", "application/json")
		switch {
		case strings.HasPrefix(r.URL.Path, "/.well-known/"):
			fmt.Fprintf(w, `{"issuer":%q,"authorization_endpoint":"%[1]s/a","token_endpoint":"%[1]s/t"}`, s.URL)
		case r.URL.Path == "/t" && secret == "right-secret":
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error":"invalid_grant"}`)
		case r.URL.Path == "/t":
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, `{"error":"invalid_client"}`)
		}
	}))
	t.Cleanup(s.Close)
	t.Chdir(t.TempDir())
	t.Setenv("TEST_CHECK_SECRET", "") // which is put back
	caddyfile := "http://a.example {\nidentity_gateway {env.TEST_CHECK_IDP} {\ndiscover\nclient {env.TEST_CHECK_ID} {\nredirect_uri https://app.example/cb\n" +
		"idp_client {env.TEST_CHECK_ID} {\nsecret {env.TEST_CHECK_SECRET}\n}\n}\n}\n}\n"
	require.NoError(t, os.WriteFile("Caddyfile", []byte(caddyfile), 0o600))
	for secret, says := range map[string]string{
		"right-secret": "", "wrong-secret": "credentials: client gateway, by client_secret_basic: refused (401 invalid_client)",
	} {
		for _, name := range []string{"TEST_CHECK_IDP", "TEST_CHECK_ID", "TEST_CHECK_SECRET"} {
			os.Unsetenv(name)
		}
		require.NoError(t, os.WriteFile("gateway.env", []byte("TEST_CHECK_IDP="+s.URL+"\nTEST_CHECK_ID=gateway\nTEST_CHECK_SECRET="+secret+"\n"), 0o600))
		out, err := command(t, "--config", "Caddyfile", "--envfile", "gateway.env")
		require.NotContains(t, out+fmt.Sprint(err), secret)
		require.NotContains(t, out, "A Caddyfile for it", "there is one")
		if says == "" {
			require.NoError(t, err, out)
			require.Contains(t, out, "ok    credentials     client gateway, by client_secret_basic: accepted")
			require.Contains(t, out, "ok    authorize       it answers (200)")
		} else {
			require.ErrorContains(t, err, says, out)
		}
	}
	_, err := command(t, "--config", "Caddyfile", "--envfile", "none.env")
	require.ErrorContains(t, err, "--envfile: open none.env")
}
