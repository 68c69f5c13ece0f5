package seal_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

var (
	masterA = bytes.Repeat([]byte{'a'}, 32)
	masterB = bytes.Repeat([]byte{'b'}, 32)
)

type clock struct{ time.Time }

func (c *clock) now() time.Time { return c.Time }

func newKeys(t testing.TB, c *clock, masters ...[]byte) *seal.Keys {
	return must.Have(seal.NewKeys(masters, c.now))(t)
}

func noon() *clock { return &clock{time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)} }

// form is one of the two of a sealed value.
type form struct {
	seal     func(purpose seal.Purpose, context string, plaintext []byte) string
	open     func(purpose seal.Purpose, context, sealed string) (string, error)
	overhead int
}

// formsOf are both: that of an hour, and one that lasts.
func formsOf(k *seal.Keys) [2]form {
	return [...]form{
		{k.Seal, func(purpose seal.Purpose, context, sealed string) (string, error) {
			opened, err := k.Open(purpose, context, sealed)
			return string(opened), err
		}, seal.Overhead},
		{k.SealLasting, func(purpose seal.Purpose, context, sealed string) (string, error) {
			opened, current, err := k.OpenLasting(purpose, context, sealed)
			if current != (err == nil) {
				return "", errors.New("it has one master")
			}
			return string(opened), err
		}, seal.LastingOverhead},
	}
}

func TestWhatWasSealedOpens(t *testing.T) {
	for _, f := range formsOf(newKeys(t, noon(), masterA)) {
		for _, plaintext := range []string{"", "x", strings.Repeat("state ", 500)} {
			value := f.seal("state", "https://idp.example", []byte(plaintext))
			require.Len(t, value, base64.RawURLEncoding.EncodedLen(len(plaintext)+f.overhead))
			require.True(t, seal.IsSealed(value))
			require.Equal(t, plaintext, must.Have(f.open("state", "https://idp.example", value))(t))
			require.NotEqual(t, value, f.seal("state", "https://idp.example", []byte(plaintext)), "each is another one")
		}
	}
}

func TestAValueOpensForItsPurposeContextAndFormOnly(t *testing.T) {
	forms := formsOf(newKeys(t, noon(), masterA))
	for i, f := range forms {
		sealed := f.seal("state", "https://idp.example", []byte("x"))
		for _, other := range []struct {
			purpose seal.Purpose
			context string
		}{{"code", "https://idp.example"}, {"state", "https://idp.example/"}, {"state", ""}, {"", "https://idp.example"}} {
			_, err := f.open(other.purpose, other.context, sealed)
			require.ErrorIs(t, err, seal.ErrInvalid, "%v", other)
		}
		_, err := forms[1-i].open("state", "https://idp.example", sealed)
		require.ErrorIs(t, err, seal.ErrInvalid)
	}
}

func TestAnyAlteredCharacterDoesNotOpen(t *testing.T) {
	for _, f := range formsOf(newKeys(t, noon(), masterA)) {
		for _, plaintext := range []string{"ab", "abc", "abcd"} { // with and without spare bits in the last character
			sealed := f.seal("state", "", []byte(plaintext))
			for i := range sealed {
				for _, c := range "AQgw_-9=.\n\r +" {
					if altered := sealed[:i] + string(c) + sealed[i+1:]; altered != sealed {
						_, err := f.open("state", "", altered)
						require.Error(t, err, "%q at %d", c, i)
					}
				}
				for _, altered := range []string{sealed[:i], sealed[:i] + "\n" + sealed[i:]} {
					_, err := f.open("state", "", altered)
					require.ErrorIs(t, err, seal.ErrInvalid, "cut, or a line break at %d", i)
				}
			}
			for _, end := range []string{"A", "=", "==", "*", "\n"} {
				_, err := f.open("state", "", sealed+end)
				require.ErrorIs(t, err, seal.ErrInvalid, "%q and %q", plaintext, end)
			}
			_, err := f.open("state", "", sealed[1:])
			require.ErrorIs(t, err, seal.ErrInvalid)
		}
	}
}

func TestTheFirstMasterSealsAndAllOpen(t *testing.T) {
	c := noon()
	before, during, after := newKeys(t, c, masterA), newKeys(t, c, masterB, masterA), newKeys(t, c, masterB)
	old, fresh := before.Seal("code", "", []byte("x")), during.Seal("code", "", []byte("x"))

	for name, tc := range map[string]struct {
		keys   *seal.Keys
		sealed string
		err    error
	}{
		"old, before the roll":   {before, old, nil},
		"fresh, before the roll": {before, fresh, seal.ErrUnknownKey},
		"old, during the roll":   {during, old, nil},
		"fresh, during the roll": {during, fresh, nil},
		"old, after the roll":    {after, old, seal.ErrUnknownKey},
		"fresh, after the roll":  {after, fresh, nil},
	} {
		_, err := tc.keys.Open("code", "", tc.sealed)
		require.ErrorIs(t, err, tc.err, name)
	}
}

func TestBadMasters(t *testing.T) {
	for name, tc := range map[string]struct {
		masters [][]byte
		message string
	}{
		"none":      {nil, "no master key"},
		"too short": {[][]byte{masterA, masterA[:31]}, "master key 2 has 31 bytes; it needs at least 32"},
		"twice":     {[][]byte{masterA, masterA}, "master keys 1 and 2 have the same id; leave one out"},
	} {
		_, err := seal.NewKeys(tc.masters, time.Now)
		require.EqualError(t, err, tc.message, name)
	}
}

func FuzzOpen(f *testing.F) {
	c := noon()
	keys := newKeys(f, c, masterA)
	f.Add(keys.Seal("state", "", []byte("x")))
	f.Add(keys.Seal("code", "", []byte("x")))
	f.Add("")
	f.Add("AQAAAAAAAAA")
	genuine := keys.Seal("state", "", []byte("genuine"))
	f.Fuzz(func(t *testing.T, sealed string) {
		plaintext, err := keys.Open("state", "", sealed)
		if err == nil && sealed != genuine && string(plaintext) != "x" {
			t.Fatalf("%q opened", sealed)
		}
	})
}

func TestTheAgeOfAValueIsCountedInHours(t *testing.T) {
	at := func(clock *clock, d time.Duration) *clock { clock.Time = clock.Add(d); return clock }
	sealed := newKeys(t, noon(), masterA).Seal("state", "", []byte("x"))
	for after, want := range map[time.Duration]error{
		-seal.Skew: nil, -seal.Skew - time.Second: seal.ErrInvalid, -time.Hour: seal.ErrInvalid,
		seal.MaxAge: nil, seal.MaxAge + 59*time.Minute: nil, seal.MaxAge + time.Hour: seal.ErrInvalid,
	} {
		_, err := newKeys(t, at(noon(), after), masterA).Open("state", "", sealed)
		require.ErrorIs(t, err, want, after)
	}
}

// TestKeysOfOldHoursAreForgotten opens a value of each hour of a week. What is kept in
// memory is bounded by what can still be opened.
func TestKeysOfOldHoursAreForgotten(t *testing.T) {
	c := noon()
	keys := newKeys(t, c, masterA)
	for range 7 * 24 {
		sealed := keys.Seal("state", "", []byte("x"))
		must.Have(keys.Open("state", "", sealed))(t)
		c.Time = c.Add(time.Hour)
	}
	require.LessOrEqual(t, seal.Derived(keys), 50)
	require.Greater(t, seal.Derived(keys), 40, "and no earlier")
}

// TestAValueIsWhatItsDocumentationSays opens values by hand.
func TestAValueIsWhatItsDocumentationSays(t *testing.T) {
	c := noon()
	keys := newKeys(t, c, masterA)
	derived := func(salt []byte, info string, length int) []byte {
		return must.Have(hkdf.Key(sha256.New, masterA, salt, info, length))(t)
	}
	opened := func(key, sealed, header []byte) string {
		gcm := must.Have(cipher.NewGCM(must.Have(aes.NewCipher(key))(t)))(t)
		body := sealed[len(header):]
		return string(must.Have(gcm.Open(nil, body[:12], body[12:], append(bytes.Clone(header), "context"...)))(t))
	}
	id := derived(nil, "identity gateway key id", 3)
	sealed := must.Have(base64.RawURLEncoding.DecodeString(keys.Seal("state", "context", []byte("plain"))))(t)
	header := binary.BigEndian.AppendUint32(append([]byte{1}, id...), uint32(c.Unix()/3600))
	require.Equal(t, header, sealed[:8])
	require.Equal(t, "plain", opened(derived(nil, "identity gateway seal state "+string(header[4:]), 32), sealed, header))

	lasting := must.Have(base64.RawURLEncoding.DecodeString(keys.SealLasting("refresh token", "context", []byte("plain"))))(t)
	require.Equal(t, append([]byte{2}, id...), lasting[:4])
	require.Equal(t, "plain", opened(derived(lasting[4:20], "identity gateway seal lasting refresh token", 32), lasting, lasting[:20]))
}

// TestWhatLooksSealed matters to what is taken out of logs.
func TestWhatLooksSealed(t *testing.T) {
	value := func(version byte, hour uint32, length int) string {
		b := binary.BigEndian.AppendUint32([]byte{version, 'a', 'b', 'c'}, hour)
		return base64.RawURLEncoding.EncodeToString(append(b, make([]byte, length-len(b))...))
	}
	const year = 365 * 24
	for name, tc := range map[string]struct {
		s    string
		want bool
	}{
		"the shortest":               {value(1, 56*year, seal.Overhead), true},
		"shorter":                    {value(1, 56*year, seal.Overhead-1), false},
		"another version":            {value(3, 56*year, 100), false},
		"of the last century":        {value(1, 50*year, 100), false},
		"of the first hour":          {value(1, 50*year+1, 100), true},
		"of the last hour":           {value(1, 130*year-1, 100), true},
		"of the next century":        {value(1, 130*year, 100), false},
		"the shortest lasting value": {value(2, 0, seal.LastingOverhead), true},
		"an access token":            {seal.AccessTokenPrefix + value(1, 56*year, seal.Overhead), true},
		"a prefix alone":             {seal.AccessTokenPrefix, false},
		"a shorter lasting value":    {value(2, 0, seal.LastingOverhead-1), false},
		"nothing":                    {"", false},
		"a word":                     {strings.Repeat("word", 20), false},
		"other characters":           {value(2, 0, seal.LastingOverhead) + ".", false},
		"a line break inside":        {value(2, 0, seal.LastingOverhead)[:10] + "\n" + value(2, 0, seal.LastingOverhead)[10:], false},
	} {
		require.Equal(t, tc.want, seal.IsSealed(tc.s), name)
	}
}

// A lasting value of nobody's is told from one that was sealed here; one for hours is sure anyway.
func TestWhatTheseKeysHaveSealed(t *testing.T) {
	keys, others := newKeys(t, noon(), masterA), newKeys(t, noon(), masterB)
	lasting, short := keys.SealLasting("refresh", "", []byte("x")), keys.Seal("code", "", []byte("x"))
	for _, known := range []string{lasting, lasting[:len(lasting)-4] + "AAAA", short, seal.AccessTokenPrefix + short, "IGAT_" + short} {
		require.NoError(t, keys.Sealed(known), known)
	}
	require.NoError(t, newKeys(t, noon(), masterB, masterA).Sealed(lasting), "an older key")
	require.ErrorIs(t, others.Sealed(lasting), seal.ErrUnknownKey)
	require.NoError(t, others.Sealed(short))
	require.ErrorIs(t, keys.Sealed("an-access-token"), seal.ErrInvalid)
}

func TestTheKeyOfAValueIsDerivedOnce(t *testing.T) {
	keys := newKeys(t, noon(), masterA)
	for range 3 {
		keys.Seal("state", "", []byte("x"))
	}
	require.Equal(t, 1, seal.Derived(keys))
	keys.Seal("code", "", []byte("x"))
	require.Equal(t, 2, seal.Derived(keys))
}

// A fingerprint is the same for the same text and purpose, and without the key nobody finds the text.
func TestAFingerprintStandsForAText(t *testing.T) {
	keys := newKeys(t, noon(), masterA)
	of := keys.Fingerprint("subject in logs", "ada@example.com")
	require.Regexp(t, "^[A-Z2-7]{16}$", of)
	require.Equal(t, of, newKeys(t, noon(), masterA, masterB).Fingerprint("subject in logs", "ada@example.com"))
	require.NotEqual(t, of, keys.Fingerprint("another purpose", "ada@example.com"))
	require.NotEqual(t, of, keys.Fingerprint("subject in logs", "bob@example.com"))
	require.NotEqual(t, of, newKeys(t, noon(), masterB).Fingerprint("subject in logs", "ada@example.com"))
}

func TestAnAccessTokenInAnySpelling(t *testing.T) {
	for token, want := range map[string]bool{"igat_AQ": true, "IGAT_AQ": true, "iGat_": true, "igat": false, "xigat_AQ": false, "": false} {
		require.Equal(t, want, seal.IsAccessToken(token), token)
	}
}
