package bearer

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

func TestTokensInTheURLOfAResource(t *testing.T) {
	for _, query := range []string{
		"access_token=a", "x=1&access_token=a", "ACCESS_TOKEN=a", "access%5ftoken=a", "access_token", "access_token[]=a", "access_token%5B0%5D=a",
		"access.token=a", "access+token=a", "x=1;access_token=a", "%20access_token=a", "access_token%20=a", "%61ccess_token=", "access_token[%]=a",
		"access[token=a", "access%5Btoken=a", "access_token%00x=a", "access_token%00%5Bx%5D=a", // as PHP reads them
	} {
		err := RejectQuery(query)
		require.ErrorContains(t, err, "access_token in the URL is not accepted", query)
		require.Equal(t, 400, oauth.AsError(err).Status)
	}
	for _, query := range []string{"", "&&;", "token=a", "access_token2=a", "my_access_token=a", "x=access_token", "accesstoken=a", "access_token%zz=a", "access[token]=a", "%00access_token=a"} {
		require.NoError(t, RejectQuery(query), query)
	}
}

func TestTheChallengeOfAResource(t *testing.T) {
	_, missing := Token(http.Header{})
	require.ErrorIs(t, missing, ErrNone)
	whole := Challenge{Realm: "api", Scope: "a b", ResourceMetadata: "https://api.example/.well-known/oauth-protected-resource"}
	require.Equal(t, `Bearer realm="api", scope="a b", resource_metadata="https://api.example/.well-known/oauth-protected-resource"`,
		whole.With(oauth.AsError(missing)).Challenge, "RFC 6750 section 3.1: no error code for a request without a token")
	bad := BadToken("RFC 6750 section 2.1", `no "good"`)
	require.Equal(t, `Bearer error="invalid_token", error_description="no ?good?"`, Challenge{}.With(bad).Challenge)
	require.Empty(t, bad.Challenge, "it is a copy")
	require.Equal(t, 401, bad.Status)
}

func TestWhatAResourceSaysOfDPoP(t *testing.T) {
	_, err := Token(http.Header{"Authorization": {"DPoP a"}})
	require.ErrorContains(t, err, "DPoP is not supported by this gateway; send Authorization: Bearer")
	require.ErrorIs(t, err, ErrNone)
}

// RFC 9470 section 3: what a login has to be is said where one was not enough, in each scheme.
func TestTheChallengeOfALoginThatIsNotEnough(t *testing.T) {
	weak := InsufficientAuthentication("too weak")
	said := `error="insufficient_user_authentication", error_description="too weak", acr_values="phr phrh", max_age="600"`
	for mode, want := range map[oauth.Mode][2]string{
		oauth.Off:      {"Bearer " + said, ""},
		oauth.Optional: {"Bearer " + said, "DPoP " + said + `, algs="` + strings.Join(dpop.Algorithms(), " ") + `"`},
		oauth.Required: {"DPoP " + said + `, algs="` + strings.Join(dpop.Algorithms(), " ") + `"`, ""},
	} {
		c := Challenge{ACRValues: "phr phrh", MaxAge: 10 * time.Minute, DPoP: mode}
		challenged := c.With(weak)
		require.Equal(t, want, [2]string{challenged.Challenge, challenged.AlsoChallenge})
		require.NotContains(t, c.With(BadToken("", "bad")).Challenge, "acr_values")
	}
}

// FuzzQueryToken: a query in which Go's parser finds an access token is rejected.
func FuzzQueryToken(f *testing.F) {
	for _, seed := range []string{"access_token=a", "a=1&access%5ftoken=", "ACCESS_TOKEN=a", "access_token[]=a", "a;access_token=b", "token=a", "access[token=a", "access_token%00=a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if RejectQuery(raw) != nil {
			return
		}
		q, _ := url.ParseQuery(raw)
		for name := range q {
			if strings.EqualFold(strings.TrimSpace(name), "access_token") {
				t.Fatalf("%q passes with %q", raw, name)
			}
		}
	})
}

func TestTokensInAHeader(t *testing.T) {
	for value, want := range map[string]string{
		"Bearer a.b-c_~+/==": "", "bearer a": "", "Bearer": "malformed", "Bearer  a": "malformed", "Bearer a b": "malformed", "Bearer =": "malformed",
		"Basic YTpi": "must be the word Bearer", "": "must be the word Bearer",
	} {
		_, err := Token(http.Header{"Authorization": {value}})
		if want == "" {
			require.NoError(t, err, value)
			continue
		}
		require.ErrorContains(t, err, want, value)
	}
	_, err := Token(http.Header{"Authorization": {"Bearer a", "Bearer b"}})
	require.ErrorContains(t, err, "more than one")
	_, err = Token(http.Header{"Authorization": {"Bearer a"}, "Dpop": {"a.b.c"}})
	require.ErrorContains(t, err, "leave out the proof")
	token, bound, err := Presented(http.Header{"Authorization": {"dpop a"}})
	require.NoError(t, err)
	require.True(t, bound)
	require.Equal(t, "a", token)
	require.Equal(t, http.StatusForbidden, InsufficientScopes().Status)
	require.Equal(t, http.StatusUnauthorized, Challenge{}.With(BadProof("no")).Status, "RFC 9449 section 7.1")
}
