package identity

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// The command itself is tested in package check: what it provisions goes with its process.
func TestEachProviderOfAConfigurationIsCheckedOnce(t *testing.T) {
	gateway := func(address string, discovers bool, transport string) *Gateway {
		policy, err := idp.NewPolicy(idp.Config{AuthURL: address})
		require.NoError(t, err)
		return &Gateway{policy: policy, discovers: discovers, way: transport}
	}
	targets := targetsOf([]*Gateway{
		gateway("https://a.example", false, ""), gateway("https://a.example/", true, ""), gateway("https://a.example", false, "{}"), gateway("https://b.example", false, ""),
	})
	require.Len(t, targets, 3)
	require.Equal(t, "https://a.example", targets[0].URL)
	require.True(t, targets[0].NeedsMetadata, "what one of the gateways needs is needed")
	require.Len(t, targets[0].Gateways, 2)
	require.Equal(t, "https://a.example", targets[1].URL, "another way to it")
	require.Equal(t, "https://b.example", targets[2].URL)
	require.False(t, targets[2].NeedsMetadata)
	require.EqualError(t, failure("\x1b[2J", errors.New("x")), "␛[2J: x")
}
