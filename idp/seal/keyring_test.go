package seal_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// ring is a node whose key was rolled by another one.
type ring struct{ current, newer *seal.Keys }

func (r ring) Current(context.Context) (*seal.Keys, error) {
	if r.current == nil {
		return nil, errors.New("the storage is away")
	}
	return r.current, nil
}

func (r ring) Newer(context.Context, *seal.Keys) *seal.Keys { return r.newer }

func TestWhatANewerKeyHasSealed(t *testing.T) {
	keysOf := func(master string) *seal.Keys {
		return must.Have(seal.NewKeys([][]byte{[]byte(strings.Repeat(master, 32))}, time.Now))(t)
	}
	old, newer := keysOf("o"), keysOf("n")
	sealed := newer.Seal("state", "context", []byte("text"))
	open := func(keys *seal.Keys) ([]byte, error) { return keys.Open("state", "context", sealed) }
	for name, tc := range map[string]struct {
		ring seal.Keyring
		want error
	}{
		"the same key":      {seal.Static(newer), nil},
		"a newer one":       {ring{old, newer}, nil},
		"none that is":      {ring{old, nil}, seal.ErrUnknownKey},
		"one that stays":    {seal.Static(old), seal.ErrUnknownKey},
		"a keyring without": {ring{}, seal.ErrNoKeys},
	} {
		opened, err := seal.With(t.Context(), tc.ring, open)
		require.ErrorIs(t, err, tc.want, name)
		if tc.want == nil {
			require.Equal(t, "text", string(opened), name)
		}
	}
}
