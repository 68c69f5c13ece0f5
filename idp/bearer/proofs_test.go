package bearer

import (
	"context"
	"errors"
	"net/http"
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
