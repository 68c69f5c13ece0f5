package identity

import (
	"time"

	"github.com/caddyserver/caddy/v2"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
)

// RefreshRotation has each refresh replace the refresh token, and a second use of
// one that was replaced end the login.
type RefreshRotation struct {
	// How long the refresh token before the current one is good, too: for processes
	// that share it, and for retries. Default: `30s`.
	Grace caddy.Duration `json:"grace,omitempty"`
	// How long a login lives without a refresh. Default: `30d`.
	Idle caddy.Duration `json:"idle,omitempty"`
}

// rotationConfig is the policy's part of rotate_refresh, nil without.
func (g *Gateway) rotationConfig() *rotation.Config {
	if g.RotateRefresh == nil {
		return nil
	}
	wait := time.Duration(g.ResponseTimeout)
	if wait == 0 {
		wait = idp.DefaultTimeout
	}
	return &rotation.Config{
		Grace: time.Duration(g.RotateRefresh.Grace), Idle: time.Duration(g.RotateRefresh.Idle), Lease: wait + replay.WriteTimeout,
	}
}
