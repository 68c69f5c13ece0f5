package bearer

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
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

// rolled is a node that learns of a newer key.
type rolled struct{ current, newer *seal.Keys }

func (r rolled) Current(context.Context) (*seal.Keys, error) {
	if r.current == nil {
		return nil, errors.New("no keys")
	}
	return r.current, nil
}

func (r rolled) Newer(context.Context, *seal.Keys) *seal.Keys { return r.newer }

// failing is a store that can't claim.
type failing struct {
	replay.Store
	with error
}

func (f failing) Claim(context.Context, replay.Key, time.Duration) (replay.Claim, error) {
	return nil, f.with
}

func TestProofs(t *testing.T) {
	const url = "https://api.example/orders"
	now := time.Unix(1_800_000_000, 0)
	clock := func() time.Time { return now }
	keysOf := func(master string) *seal.Keys {
		keys, err := seal.NewKeys([][]byte{[]byte(strings.Repeat(master, 32))}, clock)
		require.NoError(t, err)
		return keys
	}
	store, key, keys, newer := replay.NewMemory(10, clock), dpoptest.NewKey(), keysOf("k"), keysOf("n")
	proofs := func(ring seal.Keyring, store replay.Store) *Proofs {
		return NewProofs(ring, replay.NewOnce(store, 10, dpop.Remember, clock), clock)
	}
	header := func(nonce string) http.Header {
		return http.Header{"Dpop": {key.Proof(http.MethodGet, url, now, "at", nonce)}}
	}
	check := func(p *Proofs, h http.Header) (*dpop.Proof, error) {
		return p.Check(t.Context(), h, http.MethodGet, url, "at")
	}

	p := proofs(rolled{keys, newer}, store)
	response := make(http.Header)
	p.SetNonce(t.Context(), response)
	proof, err := check(p, header(response.Get(NonceHeader)))
	require.NoError(t, err)
	require.NoError(t, p.Use(t.Context(), proof, "somebody"))
	err = p.Use(t.Context(), proof, "somebody")
	require.Equal(t, oauth.InvalidDPoPProof, oauth.AsError(err).Code)
	require.ErrorContains(t, err, "used before")
	_, err = check(p, header(dpop.Nonce(newer, now)))
	require.NoError(t, err, "a nonce of a node that has rolled its key")
	_, err = check(p, header("old"))
	require.Equal(t, oauth.UseDPoPNonce, oauth.AsError(err).Code)
	_, err = check(p, http.Header{"Dpop": {"a.b.c"}})
	require.Equal(t, oauth.InvalidDPoPProof, oauth.AsError(err).Code)

	none := proofs(rolled{}, store)
	response = make(http.Header)
	none.SetNonce(t.Context(), response)
	require.Empty(t, response)
	_, err = check(none, header("n"))
	require.Equal(t, http.StatusServiceUnavailable, oauth.AsError(err).Status)

	byTime := proofs(nil, store)
	byTime.SetNonce(t.Context(), response)
	require.Empty(t, response, "their own time counts")
	_, err = check(byTime, header(""))
	require.NoError(t, err)

	for with, retryAfter := range map[error]string{replay.ErrFull: "60", errors.New("refused"): "5"} {
		err := proofs(nil, failing{with: with}).Use(t.Context(), proof, "somebody")
		require.Equal(t, retryAfter, oauth.AsError(err).RetryAfter)
	}
}
