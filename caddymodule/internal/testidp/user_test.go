package testidp

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInitials(t *testing.T) {
	for name, want := range map[string]string{
		"Ada Lovelace":      "AL",
		"Ada Byron King":    "AB",
		"ada":               "a",
		"Ludwig van Nistel": "L",
		"نور الدين":         "ن",
		"山田 太郎":             "山",
		"   ":               "",
	} {
		require.Equal(t, want, User{Username: "x", Name: name}.Initials(), name)
	}
	require.Equal(t, "x", User{Username: "x"}.Initials())
}
