package seal_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

func TestTextsThatAreLongerThanTheySay(t *testing.T) {
	for name, b := range map[string]string{
		"longer than the rest": "\x05abc", "longer than memory": "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "an endless length": strings.Repeat("\xff", 20), "nothing": "",
	} {
		r := seal.Reader{Rest: []byte(b)}
		require.Empty(t, r.Text(), name)
		require.True(t, r.Failed, name)
		require.Nil(t, r.Bytes(0), "what has failed stays so")
	}
	r := seal.Reader{Rest: []byte("\x03abcd")}
	require.Equal(t, "abc", r.Text())
	require.Equal(t, "d", string(r.Bytes(1)))
	require.False(t, r.Failed)
	require.Nil(t, r.Bytes(1))
	require.True(t, r.Failed)
}

func TestFieldsAreReadAsTheyWereWritten(t *testing.T) {
	at := time.Unix(1_800_000_000, 0)
	w := seal.NewWriter()
	for i := range 16 {
		require.Equal(t, i%3 == 0, w.Flag(i%3 == 0))
	}
	require.Panics(t, func() { w.Flag(true) }, "there is no room for a seventeenth")
	w.Time(at)
	w.Time(time.Time{})
	w.Text("text")
	r := seal.NewReader(w.B)
	for i := range 16 {
		require.Equal(t, i%3 == 0, r.Flag(), i)
	}
	require.False(t, r.Flag())
	require.Equal(t, at, r.Time())
	require.True(t, r.Time().IsZero())
	require.Equal(t, "text", r.Text())
	require.Zero(t, r.Time(), "there is no more")
	require.True(t, r.Failed)
	require.True(t, seal.NewReader([]byte{1}).Failed, "the flags are cut")
}
