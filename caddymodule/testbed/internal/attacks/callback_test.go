package attacks

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

func newTestStage(t *testing.T, c setup) *stage {
	s, err := newStage(Mode{Protection: WithCallback, Confidential: true}, c)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.close()) })
	return s
}

// TestStateComesBackAsItWasSent sends states that a careless gateway would write
// into the response as they are.
func TestStateComesBackAsItWasSent(t *testing.T) {
	ctx := context.Background()
	s := newTestStage(t, setup{})
	for _, mode := range []string{"query", "fragment", "form_post"} {
		for _, state := range []string{
			"af0ifjsldkj", "a b+c%20", `"><script>alert(1)</script>`, "x&code=evil&error=evil", "x#fragment", "</form><form action=https://evil.example/>",
			"ä€𝄞", strings.Repeat("s", 2048),
		} {
			l := newLogin()
			l.state = state
			q := l.request()
			q.Set("response_mode", mode)
			b, err := s.browser(ctx, victim)
			require.NoError(t, err)
			v, err := b.visit(ctx, at(s.base, authorizePath, q))
			require.NoError(t, err)
			last := v.last()
			require.Equal(t, appRedirect, last.String(), "%v", v.describe(mode))
			require.Equal(t, []string{state}, last.params["state"])
			require.Len(t, last.params["code"], 1)
			require.Empty(t, last.params["error"])
			require.Equal(t, mode == "form_post", last.form)
			tokens, err := s.finish(ctx, l, last.params)
			require.NoError(t, err)
			require.Equal(t, victim, s.owner(tokens).User)
		}
	}
}

func TestAStateThatIsTooLongIsRefusedClearly(t *testing.T) {
	s := newTestStage(t, setup{})
	ctx := context.Background()
	l := newLogin()
	l.state = strings.Repeat("s", 2049)
	b, err := s.browser(ctx, victim)
	require.NoError(t, err)
	v, err := b.visit(ctx, s.authorizeURL(l))
	require.NoError(t, err)
	require.Empty(t, s.idp.Requests()[1:], "only the sign-in reached the IdP")
	text := v.last().params.Get("error_description")
	if v.page != nil {
		text = v.page.body
	}
	require.Contains(t, text, "state")
}

// TestNothingOfTheCallbackIsKept looks at the headers that keep codes out of
// caches, histories and Referers.
func TestNothingOfTheCallbackIsKept(t *testing.T) {
	s := newTestStage(t, setup{})
	ctx := context.Background()
	h, err := s.logInUntilCode(ctx, victim, newLogin())
	require.NoError(t, err)
	for name, tc := range map[string]struct {
		params url.Values
		status int
	}{
		"a response": {h.params, http.StatusSeeOther},
		"an error":   {url.Values{"error": {"access_denied"}, "state": h.params["state"]}, http.StatusSeeOther},
		"junk":       {url.Values{"code": {"c"}, "state": {"junk"}}, http.StatusBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := http.NewRequest(http.MethodGet, at(s.base, callbackPath, tc.params), nil)
			require.NoError(t, err)
			r.Header.Set("Accept", "text/html")
			got, err := s.do(r)
			require.NoError(t, err)
			require.Equal(t, tc.status, got.status, got.body)
			require.Equal(t, "no-store", got.header.Get("Cache-Control"))
			require.Equal(t, "no-referrer", got.header.Get("Referrer-Policy"))
			require.NotContains(t, got.body, h.params.Get("code"))
		})
	}
}

// TestTypicalStatesAreShort holds state to what IdPs that bound it take.
func TestTypicalStatesAreShort(t *testing.T) {
	s := newTestStage(t, setup{})
	begun, err := s.begin(context.Background(), newLogin())
	require.NoError(t, err)
	require.Less(t, len(begun.params.Get("state")), 256)
}

// TestLogsHoldNothingOfALogin runs honest and hostile requests with all logs on
// and looks for everything secret in what the gateway itself wrote.
func TestLogsHoldNothingOfALogin(t *testing.T) {
	ctx := context.Background()
	s := newTestStage(t, setup{})
	file := filepath.Join(t.TempDir(), "log")
	require.NoError(t, s.nodes[0].Stop())
	node, err := testgateway.Start(testgateway.Config{Site: s.site(), Address: s.nodes[0].Address(), Storage: s.storage, Log: file})
	require.NoError(t, err)
	s.nodes[0] = node

	l := newLogin()
	v, err := s.logIn(ctx, victim, l)
	require.NoError(t, err)
	raw, err := v.withCode()
	require.NoError(t, err)
	sealed := v.last().params.Get("code")
	wrong := newLogin()
	_, err = s.exchange(ctx, s.exchangeForm(wrong, sealed))
	require.NoError(t, err)
	s.idp.Change(func(b *testidp.Behavior) { b.Nonce = testidp.ReplacesNonce })
	other, err := s.logIn(ctx, victim, wrong)
	require.NoError(t, err)
	refused, err := s.finish(ctx, wrong, other.last().params)
	require.NoError(t, err)
	require.Equal(t, http.StatusBadGateway, refused.status)
	tokens, err := s.finish(ctx, l, v.last().params)
	require.NoError(t, err)
	require.Equal(t, http.StatusBadGateway, tokens.status, "of another nonce, too")
	_, err = s.loadCallback(ctx, url.Values{"code": raw.params["code"], "state": {raw.params.Get("state") + "A"}})
	require.NoError(t, err)
	require.NoError(t, node.Stop())

	log, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(log), "handled request")
	secrets := []string{
		raw.params.Get("code"), raw.params.Get("state"), sealed, l.verifier, l.state, l.nonce, wrong.verifier, wrong.state, appSecret,
		other.last().params.Get("code"), url.QueryEscape(appSecret),
	}
	for _, token := range s.idp.Issued() {
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
