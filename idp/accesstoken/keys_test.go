package accesstoken_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
)

// A key that was withdrawn is good for ten minutes more, and no longer.
func TestAKeyThatIsWithdrawn(t *testing.T) {
	k1, k2 := newES256(t, "k1"), newES256(t, "k2")
	i := newIssuer(t, k1)
	v := i.verifier(t, func(c *accesstoken.Config) { c.CacheTTL = time.Hour })
	token := i.token(t)
	accepted(t, v, token)
	i.rotate(k2)
	accepted(t, v, token)
	i.advance(10 * time.Minute)
	require.Eventually(t, func() bool {
		_, err := v.Verify(t.Context(), token)
		return err != nil
	}, 5*time.Second, 10*time.Millisecond, "the refresh in the background takes effect on what is remembered, too")
}

func TestTokensThatAreWrongOtherwiseFetchNothing(t *testing.T) {
	i := newIssuer(t)
	v := i.verifier(t, nil)
	for n := range 50 {
		key := newES256(t, fmt.Sprint("unknown-", n))
		for _, with := range [][]any{{"aud", "other"}, {"iss", "other"}, {"exp", 1}} {
			_, err := v.Verify(t.Context(), sign(t, key, i.claims(with...), nil))
			require.Error(t, err)
		}
	}
	require.Zero(t, i.fetches.Load())
}

func TestSignaturesThatAreNotTheIssuers(t *testing.T) {
	i := newIssuer(t)
	v := i.verifier(t, nil)
	accepted(t, v, i.token(t))
	rejected(t, v, sign(t, newES256(t, "k1"), i.claims(), nil), http.StatusUnauthorized, "the signature of the access token is wrong")
	rejected(t, v, sign(t, newES256(t, "k2"), i.claims(), nil), http.StatusUnauthorized, "does not publish")
	i.setDown(true)
	i.advance(24*time.Hour + time.Second)
	rejected(t, v, i.token(t), http.StatusServiceUnavailable, "keys of the issuer")
}
