package seal_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

func TestALastingValueOpensYearsLater(t *testing.T) {
	c := noon()
	keys := newKeys(t, c, masterA)
	for _, plaintext := range []string{"", "x", strings.Repeat("token ", 2000)} {
		sealed := string(keys.SealLasting(nil, "refresh", "https://idp.example", []byte(plaintext)))
		require.Equal(t, base64.RawURLEncoding.EncodedLen(len(plaintext)+seal.LastingOverhead), len(sealed))
		c.Time = c.AddDate(5, 0, 0)
		opened, current, err := keys.OpenLasting("refresh", "https://idp.example", sealed)
		require.NoError(t, err)
		require.True(t, current)
		require.Equal(t, plaintext, string(opened))
	}
}

func TestALastingValueOpensForItsPurposeAndContextOnly(t *testing.T) {
	keys := newKeys(t, noon(), masterA)
	sealed := string(keys.SealLasting(nil, "refresh", "https://idp.example", []byte("x")))
	for _, tc := range []struct{ purpose, context string }{
		{"code", "https://idp.example"}, {"refresh", "https://idp.example/"}, {"refresh", ""}, {"", "https://idp.example"},
	} {
		_, _, err := keys.OpenLasting(seal.Purpose(tc.purpose), tc.context, sealed)
		require.ErrorIs(t, err, seal.ErrInvalid, "%v", tc)
	}
	_, err := keys.Open("refresh", "https://idp.example", sealed)
	require.ErrorIs(t, err, seal.ErrInvalid, "a lasting value is not one of an hour")
	_, _, err = keys.OpenLasting("refresh", "https://idp.example", string(keys.Seal(nil, "refresh", "https://idp.example", []byte("x"))))
	require.ErrorIs(t, err, seal.ErrInvalid, "nor the other way round")
}

func TestAnyAlteredCharacterOfALastingValueDoesNotOpen(t *testing.T) {
	keys := newKeys(t, noon(), masterA)
	sealed := string(keys.SealLasting(nil, "refresh", "", []byte("x")))
	for i := range sealed {
		for _, c := range []byte{'A', 'B', '_', '\n'} {
			altered := sealed[:i] + string(c) + sealed[i+1:]
			if altered != sealed {
				_, _, err := keys.OpenLasting("refresh", "", altered)
				require.Error(t, err, "%d %q", i, c)
			}
		}
	}
	for _, altered := range []string{sealed + "A", sealed + "=", sealed[1:], "", sealed + "\n"} {
		_, _, err := keys.OpenLasting("refresh", "", altered)
		require.ErrorIs(t, err, seal.ErrInvalid)
	}
}

func TestALastingValueTellsWhenItsMasterIsOnItsWayOut(t *testing.T) {
	c := noon()
	sealed := string(newKeys(t, c, masterA).SealLasting(nil, "refresh", "", []byte("x")))
	c.Time = c.Add(90 * 24 * time.Hour)
	_, current, err := newKeys(t, c, masterB, masterA).OpenLasting("refresh", "", sealed)
	require.NoError(t, err)
	require.False(t, current)
	_, _, err = newKeys(t, c, masterB).OpenLasting("refresh", "", sealed)
	require.ErrorIs(t, err, seal.ErrUnknownKey)
}

func FuzzOpenLasting(f *testing.F) {
	c := noon()
	keys := newKeys(f, c, masterA)
	f.Add(string(keys.SealLasting(nil, "refresh", "context", []byte("x"))), "context")
	f.Add(string(keys.Seal(nil, "refresh", "context", []byte("x"))), "context")
	f.Add("AgAA", "")
	f.Fuzz(func(t *testing.T, sealed, context string) {
		opened, _, err := keys.OpenLasting("refresh", context, sealed)
		if err == nil && (context != "context" || string(opened) != "x") {
			t.Fatalf("%q opens as %q", sealed, opened)
		}
	})
}

func TestOtherVersionsOfALastingValue(t *testing.T) {
	keys := newKeys(t, noon(), masterA)
	raw := must.Have(base64.RawURLEncoding.DecodeString(string(keys.SealLasting(nil, "refresh", "", nil))))(t)
	require.Len(t, raw, seal.LastingOverhead, "the shortest one has no content")
	_, _, err := keys.OpenLasting("refresh", "", base64.RawURLEncoding.EncodeToString(raw))
	require.NoError(t, err)
	raw[1]++
	_, _, err = keys.OpenLasting("refresh", "", base64.RawURLEncoding.EncodeToString(raw))
	require.ErrorIs(t, err, seal.ErrUnknownKey)
	for length := range seal.LastingOverhead {
		_, _, err = keys.OpenLasting("refresh", "", base64.RawURLEncoding.EncodeToString(raw[:length]))
		require.ErrorIs(t, err, seal.ErrInvalid, "what is too short has no key")
	}
	raw[0] = 3
	_, _, err = keys.OpenLasting("refresh", "", base64.RawURLEncoding.EncodeToString(raw))
	require.ErrorIs(t, err, seal.ErrInvalid, "of another version nobody knows whose key it is")
	_, err = keys.Open("refresh", "", base64.RawURLEncoding.EncodeToString(raw))
	require.ErrorIs(t, err, seal.ErrInvalid)
}

// Of the lengths of a value, each third one fills its last character.
func TestALastingValueHasOneForm(t *testing.T) {
	keys := newKeys(t, noon(), masterA)
	for _, plaintext := range []string{"", "x", "xy"} {
		sealed := string(keys.SealLasting(nil, "refresh", "", []byte(plaintext)))
		for _, end := range []string{"=", "==", "A", "*", "\n"} {
			_, _, err := keys.OpenLasting("refresh", "", sealed+end)
			require.ErrorIs(t, err, seal.ErrInvalid, "%q and %q", plaintext, end)
		}
	}
}

func TestAllOfASaltIsRandom(t *testing.T) {
	keys := newKeys(t, noon(), masterA)
	var seen [16]byte
	for range 40 {
		raw := must.Have(base64.RawURLEncoding.DecodeString(string(keys.SealLasting(nil, "refresh", "", nil))))(t)
		for i := range seen {
			seen[i] |= raw[4+i]
		}
	}
	require.NotContains(t, seen, byte(0), "forty bytes in a row are not zero")
}

func TestAValueOfAnotherVersionHasNoKey(t *testing.T) {
	keys := newKeys(t, noon(), masterA)
	raw := must.Have(base64.RawURLEncoding.DecodeString(string(keys.Seal(nil, "state", "", nil))))(t)
	raw[1]++ // another master's
	_, err := keys.Open("state", "", base64.RawURLEncoding.EncodeToString(raw))
	require.ErrorIs(t, err, seal.ErrUnknownKey)
	_, err = keys.Open("state", "", base64.RawURLEncoding.EncodeToString(raw[:seal.Overhead-1]))
	require.ErrorIs(t, err, seal.ErrInvalid)
	raw[0]++
	_, err = keys.Open("state", "", base64.RawURLEncoding.EncodeToString(raw))
	require.ErrorIs(t, err, seal.ErrInvalid)
}
