package modelfile

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

type header struct {
	Version int    `json:"version"`
	Name    string `json:"name"`
}

var magic = Magic([]byte("segment/test\x00\x00\x00\x00"))

func encoded(t *testing.T) []byte {
	t.Helper()
	file, err := magic.Encode(header{Version: 3, Name: "x"}, func(b []byte) []byte { return append(b, 1, 2, 3) })
	require.NoError(t, err)
	return file
}

func TestAFileDecodesToWhatWasWritten(t *testing.T) {
	var h header
	parameters, err := magic.Decode(encoded(t), 3, &h)
	require.NoError(t, err)
	require.Equal(t, []byte{1, 2, 3}, parameters)
	require.Equal(t, header{Version: 3, Name: "x"}, h)
}

func TestAnythingElseIsRefused(t *testing.T) {
	file := encoded(t)
	for name, damaged := range map[string][]byte{
		"empty":         {},
		"another kind":  append([]byte("segment/best"), file[12:]...),
		"magic only":    file[:len(magic)],
		"truncated":     file[:len(file)-1],
		"bytes at end":  append(slices.Clone(file), 0),
		"one bit":       append(append(slices.Clone(file[:30]), file[30]^1), file[31:]...),
		"header length": append(append(slices.Clone(file[:len(magic)+3]), 0xff), file[len(magic)+4:]...),
	} {
		_, err := magic.Decode(damaged, 3, new(header))
		require.Error(t, err, name)
	}
	_, err := magic.Decode(file, 4, new(header))
	require.ErrorContains(t, err, "version 3, this program reads version 4")
	_, err = magic.Encode(make(chan int), nil)
	require.Error(t, err)
}

func TestALengthBeyondTheFileIsRefused(t *testing.T) {
	file, err := magic.Encode(header{Version: 3}, func(b []byte) []byte {
		b[len(magic)+3] = 0xff // before the checksum is made
		return b
	})
	require.NoError(t, err)
	_, err = magic.Decode(file, 3, new(header))
	require.ErrorContains(t, err, "truncated")
}
