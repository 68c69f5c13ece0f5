package oauth_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

func TestModes(t *testing.T) {
	for _, mode := range []oauth.Mode{oauth.Off, oauth.Optional, oauth.Required} {
		require.NoError(t, mode.Check("dpop"))
	}
	require.EqualError(t, oauth.Mode("on").Check("dpop"), "dpop on is unknown; use optional or required")
}
