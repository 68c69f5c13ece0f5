package seal_test

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

func FuzzOpenLasting(f *testing.F) {
	c := noon()
	keys := newKeys(f, c, masterA)
	f.Add(keys.SealLasting("refresh", "context", []byte("x")), "context")
	f.Add(keys.Seal("refresh", "context", []byte("x")), "context")
	f.Add("AgAA", "")
	f.Fuzz(func(t *testing.T, sealed, context string) {
		opened, _, err := keys.OpenLasting("refresh", context, sealed)
		if err == nil && (context != "context" || string(opened) != "x") {
			t.Fatalf("%q opens as %q", sealed, opened)
		}
	})
}

func TestALastingValueOpensYearsLaterAndTellsWhenItsMasterIsOnItsWayOut(t *testing.T) {
	c := noon()
	keys := newKeys(t, c, masterA)
	sealed := keys.SealLasting("refresh", "", []byte("x"))
	c.Time = c.AddDate(5, 0, 0)
	for _, tc := range []struct {
		keys    *seal.Keys
		current bool
		err     error
	}{{keys, true, nil}, {newKeys(t, c, masterB, masterA), false, nil}, {newKeys(t, c, masterB), false, seal.ErrUnknownKey}} {
		_, current, err := tc.keys.OpenLasting("refresh", "", sealed)
		require.ErrorIs(t, err, tc.err)
		require.Equal(t, tc.current, current)
	}
}

func TestValuesOfOtherVersionsAndKeys(t *testing.T) {
	for _, f := range formsOf(newKeys(t, noon(), masterA)) {
		raw := must.Have(base64.RawURLEncoding.DecodeString(f.seal("refresh", "", nil)))(t)
		open := func(raw []byte) error {
			_, err := f.open("refresh", "", base64.RawURLEncoding.EncodeToString(raw))
			return err
		}
		require.Len(t, raw, f.overhead, "the shortest one has no content")
		require.NoError(t, open(raw))
		raw[1]++ // another master's
		require.ErrorIs(t, open(raw), seal.ErrUnknownKey)
		for length := range f.overhead {
			require.ErrorIs(t, open(raw[:length]), seal.ErrInvalid, "what is too short has no key")
		}
		raw[0] = 3
		require.ErrorIs(t, open(raw), seal.ErrInvalid, "of another version nobody knows whose key it is")
	}
}

func TestAllOfASaltIsRandom(t *testing.T) {
	keys := newKeys(t, noon(), masterA)
	var seen [16]byte
	for range 40 {
		raw := must.Have(base64.RawURLEncoding.DecodeString(keys.SealLasting("refresh", "", nil)))(t)
		for i := range seen {
			seen[i] |= raw[4+i]
		}
	}
	require.NotContains(t, seen, byte(0), "forty bytes in a row are not zero")
}
