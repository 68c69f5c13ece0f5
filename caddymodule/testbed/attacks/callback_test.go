package attacks

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

func newTestEnv(t *testing.T, mode Mode, c setup) *env {
	e, err := newEnv(mode, c)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.close()) })
	return e
}

var confidential = Mode{Protection: WithCallback, Confidential: true}

// TestStateComesBackAsItWasSent sends states that a careless gateway would write
// into the response as they are.
func TestStateComesBackAsItWasSent(t *testing.T) {
	e := newTestEnv(t, confidential, setup{})
	for _, mode := range []string{"query", "fragment", "form_post"} {
		for _, state := range []string{
			"af0ifjsldkj", "a b+c%20", `"><script>alert(1)</script>`, "x&code=evil&error=evil", "x#fragment", "</form><form action=https://evil.example/>",
			"ä€𝄞", strings.Repeat("s", 2048),
		} {
			l := newLogin()
			l.state = state
			q := l.request()
			q.Set("response_mode", mode)
			v := e.visit(victim, at(e.base, authorizePath, q))
			last := v.last()
			require.Equal(t, appRedirect, last.String(), "%v", v.describe(mode))
			require.Equal(t, []string{state}, last.params["state"])
			require.Len(t, last.params["code"], 1)
			require.Empty(t, last.params["error"])
			require.Equal(t, mode == "form_post", last.form)
			tokens := e.finish(l, last.params)
			require.Equal(t, victim, e.owner(tokens).User)
		}
	}
}

func TestAStateThatIsTooLongIsRefusedClearly(t *testing.T) {
	e := newTestEnv(t, confidential, setup{})
	l := newLogin()
	l.state = strings.Repeat("s", 2049)
	v := e.visit(victim, e.authorizeURL(l))
	require.Empty(t, e.idp.Requests()[1:], "only the sign-in reached the IdP")
	text := v.last().params.Get("error_description")
	if v.page != nil {
		text = v.page.body
	}
	require.Contains(t, text, "state")
}

// TestLogsHoldNothingOfALogin runs honest and hostile requests with all logs on
// and looks for everything secret in what the gateway itself wrote.
func TestLogsHoldNothingOfALogin(t *testing.T) {
	e := newTestEnv(t, confidential, setup{})
	file := filepath.Join(t.TempDir(), "log")
	require.NoError(t, e.nodes[0].Stop())
	node := fail.Must(testgateway.Start(testgateway.Config{Site: e.site(), Address: e.nodes[0].Address(), Storage: e.storage, Log: file}))
	e.nodes[0] = node

	l := newLogin()
	v := e.visit(victim, e.authorizeURL(l))
	raw, params := fail.Must(v.withCode()), v.last().params
	sealed := params.Get("code")
	wrong := newLogin()
	e.exchange(e.exchangeForm(wrong, sealed))
	e.idp.Change(func(b *testidp.Behavior) { b.Nonce = func(string) string { return rand.Text() } })
	other := e.logIn(victim, wrong)
	refused := e.finish(wrong, other)
	require.Equal(t, http.StatusBadGateway, refused.status)
	tokens := e.finish(l, params)
	require.Equal(t, http.StatusBadGateway, tokens.status, "of another nonce, too")
	e.loadCallback(url.Values{"code": raw.params["code"], "state": {raw.params.Get("state") + "A"}})
	require.NoError(t, node.Stop())

	log := fail.Must(os.ReadFile(file))
	require.Contains(t, string(log), "handled request")
	secrets := []string{
		raw.params.Get("code"), raw.params.Get("state"), sealed, l.verifier, l.state, l.nonce, wrong.verifier, wrong.state, appSecret,
		other.Get("code"), url.QueryEscape(appSecret),
	}
	for _, token := range e.idp.Issued() {
		secrets = append(secrets, token.AccessToken)
	}
	for line := range strings.Lines(string(log)) {
		if !strings.Contains(line, "identity_gateway") {
			continue // Caddy's own access log repeats URLs; the format oauth_redact is for that
		}
		for _, secret := range secrets {
			require.NotContains(t, line, secret)
		}
	}
}
