package seal_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

var (
	masterA = bytes.Repeat([]byte{'a'}, 32)
	masterB = bytes.Repeat([]byte{'b'}, 32)
)

// clock is a time that tests move.
type clock struct{ time.Time }

func (c *clock) now() time.Time { return c.Time }

func newKeys(t testing.TB, c *clock, masters ...[]byte) *seal.Keys {
	keys, err := seal.NewKeys(masters, c.now)
	require.NoError(t, err)
	return keys
}

func noon() *clock { return &clock{time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)} }

func TestWhatWasSealedOpens(t *testing.T) {
	keys := newKeys(t, noon(), masterA)
	for _, plaintext := range []string{"", "x", strings.Repeat("state ", 500)} {
		sealed := keys.Seal(nil, "state", "https://idp.example", []byte(plaintext))
		opened, err := keys.Open("state", "https://idp.example", string(sealed))
		require.NoError(t, err)
		require.Equal(t, plaintext, string(opened))
	}
}

func TestSealedValuesDifferEachTime(t *testing.T) {
	keys := newKeys(t, noon(), masterA)
	require.NotEqual(t, keys.Seal(nil, "state", "", []byte("x")), keys.Seal(nil, "state", "", []byte("x")))
}

func TestOtherPurposeOrContextDoesNotOpen(t *testing.T) {
	keys := newKeys(t, noon(), masterA)
	sealed := string(keys.Seal(nil, "state", "https://idp.example", []byte("x")))
	for _, tc := range []struct{ purpose, context string }{
		{"code", "https://idp.example"},
		{"state", "https://idp.example/"},
		{"state", ""},
		{"", "https://idp.example"},
	} {
		_, err := keys.Open(seal.Purpose(tc.purpose), tc.context, sealed)
		require.ErrorIs(t, err, seal.ErrInvalid, "%v", tc)
	}
}

func TestAnyAlteredCharacterDoesNotOpen(t *testing.T) {
	keys := newKeys(t, noon(), masterA)
	// Lengths with and without spare bits in the last character.
	for _, plaintext := range []string{"ab", "abc", "abcd"} {
		sealed := string(keys.Seal(nil, "state", "", []byte(plaintext)))
		for i := range sealed {
			for _, c := range "AQgw_-9=.\n\r +" {
				if altered := sealed[:i] + string(c) + sealed[i+1:]; altered != sealed {
					_, err := keys.Open("state", "", altered)
					require.Error(t, err, "%q at %d", c, i)
				}
			}
			_, err := keys.Open("state", "", sealed[:i])
			require.ErrorIs(t, err, seal.ErrInvalid, "cut at %d", i)
			_, err = keys.Open("state", "", sealed[:i]+"\n"+sealed[i:])
			require.ErrorIs(t, err, seal.ErrInvalid, "a line break at %d", i)
		}
		_, err := keys.Open("state", "", sealed+"A")
		require.ErrorIs(t, err, seal.ErrInvalid)
	}
}

func TestTheFirstMasterSealsAndAllOpen(t *testing.T) {
	c := noon()
	before, during, after := newKeys(t, c, masterA), newKeys(t, c, masterB, masterA), newKeys(t, c, masterB)
	old, fresh := string(before.Seal(nil, "code", "", []byte("x"))), string(during.Seal(nil, "code", "", []byte("x")))

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

func TestValuesOpenWithinTheirAgeAndTheSkewOfClocks(t *testing.T) {
	for name, tc := range map[string]struct {
		sealedAt, openedAt string
		err                error
	}{
		"at once":                         {"12:00", "12:00", nil},
		"in the next hour":                {"11:59", "12:01", nil},
		"two days later":                  {"12:00", "36h", nil},
		"three days later":                {"12:00", "72h", seal.ErrInvalid},
		"another node is a minute ahead":  {"13:00", "12:59", nil},
		"another node is an hour ahead":   {"14:00", "12:59", seal.ErrInvalid},
		"another node is a minute behind": {"12:59", "13:00", nil},
	} {
		at := func(s string) *clock {
			if ahead, err := time.ParseDuration(s); err == nil {
				return &clock{noon().Add(ahead)}
			}
			parsed, err := time.Parse("2006-01-02 15:04", "2026-05-04 "+s)
			require.NoError(t, err)
			return &clock{parsed}
		}
		sealed := newKeys(t, at(tc.sealedAt), masterA).Seal(nil, "state", "", []byte("x"))
		_, err := newKeys(t, at(tc.openedAt), masterA).Open("state", "", string(sealed))
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
	f.Add(string(keys.Seal(nil, "state", "", []byte("x"))))
	f.Add(string(keys.Seal(nil, "code", "", []byte("x"))))
	f.Add("")
	f.Add("AQAAAAAAAAA")
	genuine := string(keys.Seal(nil, "state", "", []byte("genuine")))
	f.Fuzz(func(t *testing.T, sealed string) {
		plaintext, err := keys.Open("state", "", sealed)
		if err == nil && sealed != genuine && string(plaintext) != "x" {
			t.Fatalf("%q opened", sealed)
		}
	})
}

func BenchmarkSeal(b *testing.B) {
	keys, plaintext := newKeys(b, noon(), masterA), make([]byte, 120)
	dst := make([]byte, 0, 512)
	b.ReportAllocs()
	for b.Loop() {
		dst = keys.Seal(dst[:0], "state", "https://idp.example", plaintext)
	}
}

func BenchmarkOpen(b *testing.B) {
	keys := newKeys(b, noon(), masterA)
	sealed := string(keys.Seal(nil, "state", "https://idp.example", make([]byte, 120)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := keys.Open("state", "https://idp.example", sealed); err != nil {
			b.Fatal(err)
		}
	}
}
