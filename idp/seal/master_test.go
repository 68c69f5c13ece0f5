package seal_test

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

func TestKeysThatCanBeGuessed(t *testing.T) {
	for _, text := range []string{
		strings.Repeat(" ", 40), strings.Repeat("a", 32), strings.Repeat("a", 1000), strings.Repeat("ab", 40), strings.Repeat("changeme-", 4), strings.Repeat("changeme", 6),
		strings.Repeat("password", 4), strings.Repeat("0", 64), strings.Repeat("0123456789", 4), strings.Repeat("0123456789abcdef", 2), strings.Repeat("deadbeef", 8),
		"abcdefghijklmnopqrstuvwxyz0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", strings.Repeat("Correct-Horse7", 3),
		base64.StdEncoding.EncodeToString(make([]byte, 32)), base64.StdEncoding.EncodeToString([]byte(strings.Repeat("changeme-", 4))),
		base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{0xff, 0}, 32)), strings.Repeat("changeme-", 4) + "\n", strings.Repeat("changeme\n", 8),
	} {
		_, _, err := seal.ParseMaster([]byte(text))
		require.ErrorContains(t, err, "can be guessed: it has about", text)
		require.NotContains(t, err.Error(), text[:8])
	}
	for _, text := range []string{"", "short", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p" /* 31 */} {
		_, _, err := seal.ParseMaster([]byte(text))
		require.ErrorContains(t, err, "it needs at least 32", text)
	}
}

// Nobody is refused a key that is random.
func TestRandomKeysAreAccepted(t *testing.T) {
	raw := make([]byte, seal.MinMaster)
	for i := range 2_000 {
		_, _ = rand.Read(raw)
		if i%10 == 0 {
			raw[31] = '\n'
		}
		for _, text := range [][]byte{raw, []byte(base64.StdEncoding.EncodeToString(raw)), []byte(base64.RawURLEncoding.EncodeToString(raw)), []byte(hex.EncodeToString(raw)), []byte(rand.Text() + rand.Text())} {
			_, _, err := seal.ParseMaster(text)
			require.NoError(t, err, "%q", text)
		}
	}
}

// What the gateway stores, and what openssl rand -base64 32 prints, is the key that it
// stands for.
func TestAKeyInBase64IsWhatItStandsFor(t *testing.T) {
	raw := make([]byte, 40)
	_, _ = rand.Read(raw)
	text := base64.StdEncoding.EncodeToString(raw)
	key, also, err := seal.ParseMaster([]byte(text + "\n"))
	require.NoError(t, err)
	require.Equal(t, raw, key)
	require.Equal(t, text, string(also))

	const other = "not+base64: 9f8A7c6X5v4B3n2M1q0W"
	key, also, err = seal.ParseMaster([]byte(other))
	require.NoError(t, err)
	require.Equal(t, other, string(key))
	require.Nil(t, also)
}
