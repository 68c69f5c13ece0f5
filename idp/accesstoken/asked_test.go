package accesstoken

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/claims"
)

// A request may find nothing remembered and begin its question when that of another
// one has just been answered.
func TestAQuestionThatWasJustAnswered(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	a := &Verifier{config: Config{Opaque: &Introspection{Endpoint: func(context.Context) (string, error) {
		t.Error("the issuer is asked once more")
		return "", errors.New("asked")
	}}}}
	hash := sha256.Sum256([]byte("opaque"))
	known := &Token{Subject: "ada"}
	a.accepted.put(hash, remembered{token: known, until: now.Add(time.Minute)}, now)
	token, err := a.answer(t.Context(), "opaque", hash, now)
	require.NoError(t, err)
	require.Same(t, known, token)

	rejection := bearer.BadToken("RFC 7662 section 2.2", "revoked")
	other := sha256.Sum256([]byte("other"))
	a.rejected.put(other, remembered{err: rejection, until: now.Add(time.Minute)}, now)
	token, err = a.answer(t.Context(), "other", other, now)
	require.Nil(t, token)
	require.Equal(t, rejection, err)
}

func TestWhatIsRememberedIsBounded(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	var c cache
	hash := func(n int) (h [sha256.Size]byte) { binary.BigEndian.PutUint64(h[:], uint64(n)); return h }
	big := func() remembered {
		return remembered{token: &Token{claims: claims.Object(make([]byte, 1<<20))}, until: now.Add(time.Minute)}
	}
	size := func() (entries, bytes int) {
		for _, generation := range []map[[sha256.Size]byte]remembered{c.young, c.old} {
			for _, entry := range generation {
				entries, bytes = entries+1, bytes+entry.size()
			}
		}
		return entries, bytes
	}
	for n := range 100 {
		c.put(hash(n), big(), now)
		_, bytes := size()
		require.LessOrEqual(t, bytes, maxRemembered)
		_, ok := c.get(hash(0), now)
		require.True(t, ok, "what is asked for stays")
	}
	_, ok := c.get(hash(1), now)
	require.False(t, ok)
	_, ok = c.get(hash(0), now.Add(time.Minute))
	require.False(t, ok, "it is over")

	c = cache{}
	for range 100 {
		c.put(hash(7), big(), now) // the same again and again takes no more room
	}
	entries, _ := size()
	require.Equal(t, 1, entries)
	require.Equal(t, c.size, 256+1<<20)
	c.put(hash(8), remembered{until: now}, now)
	_, ok = c.get(hash(8), now.Add(-time.Second))
	require.False(t, ok, "what is over already is not remembered")
	rejected := remembered{err: errors.New("no")}
	require.Equal(t, 256, rejected.size())

	c = cache{}
	quarter := func(bytes int) remembered {
		return remembered{token: &Token{claims: claims.Object(make([]byte, maxRemembered/8-256+bytes))}, until: now.Add(time.Minute)}
	}
	for n := range 4 {
		_, ok := c.get(hash(n), now)
		require.False(t, ok)
		require.Equal(t, n*maxRemembered/8, c.size, "what is asked for in vain takes no room")
		c.put(hash(n), quarter(0), now)
	}
	require.Len(t, c.young, 4, "four quarters of a generation fill it")
	require.Empty(t, c.old)
	c.put(hash(3), quarter(1), now)
	require.Len(t, c.young, 1, "one byte more begins another")
	require.Len(t, c.old, 4)
}

func TestDatesOfTokens(t *testing.T) {
	for date, want := range map[seconds]int64{-1: 0, 0: 0, 1.9: 1, 1_800_000_000: 1_800_000_000, 1e300: 253402300799} {
		require.Equal(t, want, date.time().Unix(), date)
	}
}
