package sealing

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
)

// The gateway may come after the resource server in the configuration.
func TestTheKeysOfAGatewayAreFoundByItsPublicURL(t *testing.T) {
	const master = "l7Hq0nX2uVd5yBz8eKc3RfTgW9sJmPaO4iUxYvNbLwE="
	a := new(Keyrings)
	opener, err := a.Opener("https://login.example.com/", nil, nil, nil)
	require.NoError(t, err)
	require.ErrorContains(t, a.Check(), "no identity_gateway with callback in this configuration has the public_url https://login.example.com;")
	_, err = opener.Current(t.Context())
	require.Error(t, err)

	keys, err := New([]string{master}, nil, zap.NewNop(), time.Now)
	require.NoError(t, err)
	a.Add(keys, "https://other.example.com")
	a.Add(keys, "")
	require.Error(t, a.Check())
	a.Add(keys, "https://login.example.com")
	require.NoError(t, a.Check())
	current, err := opener.Current(t.Context())
	require.NoError(t, err)
	require.Same(t, keys.inUse(), current)
	require.Nil(t, opener.Newer(t.Context(), current))

	opener, err = a.Opener("https://elsewhere.example.com", []string{master}, nil, nil)
	require.NoError(t, err)
	require.NoError(t, a.Check(), "it has its own keys")
	sealed := keys.inUse().Seal("p", "", []byte("x"))
	current, err = opener.Current(t.Context())
	require.NoError(t, err)
	_, err = current.Open("p", "", sealed)
	require.NoError(t, err)
	_, err = a.Opener("https://elsewhere.example.com", []string{"short"}, nil, nil)
	require.ErrorContains(t, err, "sealing_key")
}
