package idp

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

func TestErrorsOfTheGatewayItself(t *testing.T) {
	for _, tc := range []struct {
		err        error
		status     int
		code       oauth.Code
		says       string
		retryAfter string
	}{
		{bodyTooLarge(65536), 413, oauth.InvalidRequest, "larger than 65536 bytes", ""},
		{unreadableBody(), 400, oauth.InvalidRequest, "could not be read to its end", ""},
		{upstream.Failed(context.DeadlineExceeded), 504, oauth.TemporarilyUnavailable, "did not respond in time", ""},
		{oauth.BadGateway("why"), 502, oauth.ServerError, "why", ""},
		{oauth.NoKeys(), 503, oauth.TemporarilyUnavailable, "no sealing keys", "5"},
		{claimError(fmt.Errorf("store: %w", replay.ErrClaimed)), 400, oauth.InvalidGrant, "redeemed before", ""},
		{claimError(fmt.Errorf("store: %w", replay.ErrFull)), 503, oauth.TemporarilyUnavailable, "too many logins", "60"},
		{claimError(errors.New("dial tcp 10.0.0.1: refused")), 503, oauth.TemporarilyUnavailable, "can't tell", "5"},
	} {
		e := oauth.AsError(tc.err)
		require.Equal(t, tc.status, e.Status, tc.says)
		require.Equal(t, tc.code, e.Code, tc.says)
		require.Contains(t, e.Description, tc.says)
		require.Equal(t, tc.retryAfter, e.RetryAfter, tc.says)
		requireWellFormed(t, e)
	}
}
