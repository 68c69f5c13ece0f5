package identity

import (
	"crypto/x509"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert/clientcerttest"
)

func TestTheCallback(t *testing.T) {
	g, _ := discovering(t, registeredClient+"callback /login/done", "response_modes_supported", []string{"query", "form_post"})
	upstream := g.begin(verifier1, "response_mode", "fragment")
	require.Equal(t, g.URL+"/login/done", upstream.Get("redirect_uri"))
	require.Equal(t, "form_post", upstream.Get("response_mode"))
	form := url.Values{"code": {"code-1"}, "state": {upstream.Get("state")}, "session_state": {"x"}}

	a := g.post("/login/done", form.Encode(), "Origin", g.idp.URL)
	require.Equal(t, http.StatusSeeOther, a.StatusCode, a.body)
	require.Contains(t, a.Header.Get("Location"), "https://app.example/cb#code=")
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	require.Equal(t, "no-referrer", a.Header.Get("Referrer-Policy"))

	for name, tc := range map[string]struct {
		response *response
		status   int
	}{
		"another method":       {g.do(http.MethodPut, "/login/done?"+form.Encode(), ""), 405},
		"no state":             {g.get("/login/done?code=code-1", "Accept", "text/html"), 400},
		"another state":        {g.get("/login/done?code=code-1&state=s-1", "Accept", "text/html"), 400},
		"two codes":            {g.get("/login/done?"+form.Encode()+"&code=code-2", "Accept", "text/html"), 400},
		"another host":         {g.get("/login/done?"+form.Encode(), "Host", "other.example"), 400},
		"a path that is alike": {g.get("/login//done?" + form.Encode()), 404},
		"a large body":         {g.post("/login/done", strings.Repeat("a", 65<<10)), 413},
	} {
		require.Equal(t, tc.status, tc.response.StatusCode, name)
		require.Empty(t, tc.response.Header.Get("Location"), name)
	}
	require.Empty(t, onlyFor(g.idp.reached(), "/o/token"))
}

// Some register the gateway's callback for the app as well: the browser would come back
// with a code to where only the IdP's responses can go.
func TestNoAppIsAtTheCallback(t *testing.T) {
	g := newGateway(t, "parameters oauth\ncallback")
	a := g.get("/authorize?"+authorizeQuery(verifier1, "redirect_uri", g.URL+"/oauth/callback"), "Accept", "text/html")
	require.Equal(t, http.StatusBadRequest, a.StatusCode)
	require.Contains(t, a.body, "redirect_uri is the gateway&#39;s own callback")
	require.Empty(t, a.Header.Get("Location"))
	require.Equal(t, http.StatusFound, g.get("/authorize?"+authorizeQuery(verifier1, "redirect_uri", g.URL+"/cb")).StatusCode)
}

func TestTheGatewayAuthenticatesAtTheIdP(t *testing.T) {
	keyFile := filepath.Join(t.TempDir(), "key.pem")
	key := clientcerttest.SelfSigned(x509.Certificate{})
	_, content := clientcerttest.PEM(key)
	require.NoError(t, os.WriteFile(keyFile, content, 0o600))
	t.Setenv("TEST_IDENTITY_SECRET", "s3cret:+")

	for name, tc := range map[string]struct {
		option string
		check  func(header http.Header, form url.Values)
	}{
		"client_secret_basic": {"secret {env.TEST_IDENTITY_SECRET}", func(header http.Header, form url.Values) {
			id, secret, _ := (&http.Request{Header: header}).BasicAuth()
			require.Equal(t, [2]string{"gateway-client", url.QueryEscape("s3cret:+")}, [2]string{id, secret})
			require.NotContains(t, form, "client_id")
		}},
		"client_secret_post": {"secret {env.TEST_IDENTITY_SECRET} client_secret_post", func(header http.Header, form url.Values) {
			require.Empty(t, header.Get("Authorization"))
			require.Equal(t, "s3cret:+", form.Get("client_secret"))
			require.Equal(t, "gateway-client", form.Get("client_id"))
		}},
		"private_key_jwt": {"private_key_jwt " + keyFile + " key-1", func(_ http.Header, form url.Values) { // whose claims are those of package idp
			signed, err := jose.ParseSigned(form.Get("client_assertion"), []jose.SignatureAlgorithm{jose.ES256})
			require.NoError(t, err)
			require.Equal(t, "key-1", signed.Signatures[0].Header.KeyID)
			_, err = signed.Verify(key.Leaf.PublicKey)
			require.NoError(t, err)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGateway(t, "callback\nclient app {\nredirect_uri https://app.example/cb\nidp_client gateway-client {\n"+tc.option+"\n}\n}")
			require.Equal(t, "gateway-client", g.begin(verifier1).Get("client_id"))
			token, code := g.refreshToken(), g.logIn(verifier1, "code-1")
			for _, body := range []string{tokenBody(verifier1, code), refreshBody(token)} {
				a := g.post("/oauth/token", body)
				require.Equal(t, 200, a.StatusCode, a.body)
				reached, form := g.idp.form(t)
				tc.check(reached.header, form)
			}
		})
	}
}
