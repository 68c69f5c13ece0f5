package vendors_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/vendors"
)

func TestIdentityProvidersThatAreOpenToAll(t *testing.T) {
	for address, want := range map[string]bool{
		"https://accounts.google.com": true, "https://github.com/login/oauth": true, "https://appleid.apple.com": true,
		"https://login.microsoftonline.com/common/v2.0": true, "https://login.microsoftonline.com/0a1b/v2.0": false, "https://idp.example/common": false, "https://accounts.google.com.evil": false,
	} {
		u, err := url.Parse(address)
		require.NoError(t, err)
		require.Equal(t, want, vendors.IsPublic(u), address)
	}
}
