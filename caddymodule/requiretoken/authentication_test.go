package requiretoken_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// RFC 9470: a token of a login that is too weak or too old is answered with what is needed.
func TestALoginThatIsNotEnough(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, `
		require_token {issuer} https://api.example {
			acr phr phrh
			claim amr hwk
			max_age 10m
		}
		reverse_proxy {app}`)
	now := time.Now()
	status := func(with ...any) (int, string) {
		r := get(t, g.URL(), "Authorization", "Bearer "+i.token(t, with...))
		return r.StatusCode, r.Header.Get("WWW-Authenticate")
	}
	code, challenge := status("acr", "phrh", "amr", []string{"hwk", "pwd"}, "auth_time", now.Unix())
	require.Equal(t, 200, code, challenge)
	for name, with := range map[string][]any{
		"weak": {"acr", "0", "amr", []string{"hwk"}, "auth_time", now.Unix()},
		"old":  {"acr", "phr", "amr", []string{"hwk"}, "auth_time", now.Add(-time.Hour).Unix()},
		"mute": nil,
	} {
		code, challenge := status(with...)
		require.Equal(t, 401, code, name)
		require.Contains(t, challenge, `Bearer error="insufficient_user_authentication"`, name)
		require.Contains(t, challenge, `acr_values="phr phrh", max_age="600"`, name)
	}
	code, _ = status("acr", "phr", "amr", []string{"pwd"}, "auth_time", now.Unix())
	require.Equal(t, 403, code, "other methods")
	require.NotContains(t, get(t, g.URL()).Header.Get("WWW-Authenticate"), "acr_values", "of a request without a token")
}
