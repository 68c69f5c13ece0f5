package idp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
)

// An operator ends a login by each of its names: at the next refresh, at once for those who ask,
// and for resource servers.
func TestAnOperatorEndsLogins(t *testing.T) {
	for _, kind := range []rotation.Kind{rotation.OfLogin, rotation.OfUser, rotation.OfAgent} {
		t.Run(string(kind), func(t *testing.T) {
			a := newAgent(t, true, rotating)
			got := a.answer(a.redeem(a.logIn()))
			token := a.opened(got.AccessToken)
			require.False(t, a.Gateway.HasEnded(token))
			a.sealed.now = a.sealed.now.Add(time.Minute)
			name := map[rotation.Kind]string{rotation.OfLogin: token.LoginID, rotation.OfUser: token.Subject, rotation.OfAgent: token.ClientID}[kind]
			require.NotEmpty(t, name)
			require.NoError(t, a.Gateway.End(t.Context(), kind, name))

			require.True(t, a.Gateway.HasEnded(token))
			require.JSONEq(t, `{"active":false}`, string(a.ask("server-a", got.AccessToken).Body))
			a.refuses(a.renew(got.RefreshToken), oauth.InvalidGrant, "has ended")
			a.refuses(a.renew(got.RefreshToken), oauth.InvalidGrant, "")
		})
	}
}

// A code of a login that began before is no way past it.
func TestACodeFromBeforeAnEnding(t *testing.T) {
	a := newAgent(t, true, rotating)
	code := a.logIn()
	require.NoError(t, a.Gateway.End(t.Context(), rotation.OfUser, "user-1"))
	a.refuses(a.redeem(code), oauth.InvalidGrant, "has ended")
}

// An ending is of the logins so far: who logs in again is in.
func TestALoginAfterAnEnding(t *testing.T) {
	for _, kind := range []rotation.Kind{rotation.OfUser, rotation.OfAgent} {
		a := newAgent(t, true, rotating)
		require.NoError(t, a.Gateway.End(t.Context(), kind, map[rotation.Kind]string{rotation.OfUser: "user-1", rotation.OfAgent: "app"}[kind]))
		a.sealed.now = a.sealed.now.Add(time.Second)
		got := a.tokens()
		require.False(t, a.Gateway.HasEnded(a.opened(got.AccessToken)))
		a.answer(a.renew(got.RefreshToken))
	}
}

// Tokens that nobody has logged in for end by the names that the log has of them.
func TestAnOperatorEndsTokensWithoutALogin(t *testing.T) {
	for name, ask := range map[string]func(*agent) *Result{
		"a company's agent": func(a *agent) *Result { return a.present(a.signed(idJAGType, a.idJAG(nil)), "desk") },
		"a workload":        func(a *agent) *Result { return a.present(a.signed(nil, a.workload(nil)), "") },
		"a service": func(a *agent) *Result {
			return a.do("POST", "/oauth/token", "grant_type=client_credentials", "Authorization", basicHeader("reports", "reports"+clientSecret))
		},
	} {
		for kind, logged := range map[rotation.Kind]func(*Result) string{
			rotation.OfAgent: func(r *Result) string { return r.Decision.ClientID },
			rotation.OfLogin: func(r *Result) string { return r.Decision.LoginID },
		} {
			t.Run(name+" by "+string(kind), func(t *testing.T) {
				a := newAgent(t, false, withDirectGrants, rotating)
				result := ask(a)
				token := a.direct(result)
				require.False(t, a.Gateway.HasEnded(token))
				require.NoError(t, a.Gateway.End(t.Context(), kind, logged(result)))
				require.True(t, a.Gateway.HasEnded(token))
				a.sealed.now = a.sealed.now.Add(time.Second)
				require.False(t, a.Gateway.HasEnded(a.direct(ask(a))), "what comes later")
			})
		}
	}
}

func TestWhatCannotBeEnded(t *testing.T) {
	a := newAgent(t, true, rotating)
	require.ErrorContains(t, a.Gateway.End(t.Context(), "session", "x"), "use login, user or agent")
	require.ErrorContains(t, a.Gateway.End(t.Context(), rotation.OfUser, ""), "the user is missing")
	require.ErrorContains(t, a.Gateway.End(t.Context(), rotation.OfLogin, "ada"), "ten letters and digits")
	require.ErrorContains(t, newAgent(t, true).Gateway.End(t.Context(), rotation.OfUser, "x"), "set rotate_refresh")
	require.Equal(t, "claude.ai", clients.AgentName("https://claude.ai/oauth/client.json"))
	require.Equal(t, "dynamic:x", clients.AgentName("dynamic:x"))
}
