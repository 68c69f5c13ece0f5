package traffic_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/traffic"
)

func TestALoginAndARefusal(t *testing.T) {
	idp, err := testidp.Start(testidp.Behavior{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, idp.Close()) })
	gateway, err := testgateway.Start(testgateway.Config{Site: traffic.Directive(idp.URL(), "")})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, gateway.Stop()) })
	idp.Change(func(b *testidp.Behavior) { *b = traffic.Behavior(gateway.URL()) })

	client := traffic.NewClient(false)
	login := traffic.NewLogin(client, gateway.URL())
	token, err := login.Run(t.Context())
	require.NoError(t, err)
	require.NoError(t, traffic.UserInfo(t.Context(), client, gateway.URL(), token))

	_, err = login.Exchange(t.Context())
	var refusal *traffic.Refusal
	require.True(t, errors.As(err, &refusal), err)
	require.Equal(t, 400, refusal.Status)
	require.Equal(t, "invalid_grant", refusal.Code)
	require.Len(t, idp.Issued(), 1)
}
