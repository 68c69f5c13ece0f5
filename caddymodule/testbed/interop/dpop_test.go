package interop

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
)

// The clients that know DPoP, private_key_jwt and pushed requests, in front of an IdP that does not: with access tokens of the
// gateway's own, which are bound to the client's key, and with the IdP's, which are not.
func TestPublishedClientsWithKeys(t *testing.T) {
	backend, jwks := dpoptest.NewKey(), filepath.Join(t.TempDir(), "jwks.json")
	set := must.Have(json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{backend.Public}}))(t)
	require.NoError(t, os.WriteFile(jwks, set, 0o600))
	for tokens, tokenType := range map[string]string{"gateway": "dpop", "idp": "bearer"} {
		t.Run(tokens, func(t *testing.T) {
			protect := `require_token /api {self} {self}/api {
				tokens gateway
				dpop required
			}`
			if tokens == "idp" {
				protect = ""
			}
			_, run := atGateway(t, `
				identity_gateway {idp} {
					discover
					callback
					public_url {self}
					rotate_refresh
					resource {self}/api {
						scope read profile
						default_scope read
						tokens `+tokens+`
					}
					client backend {
						redirect_uri http://127.0.0.1:4711/cb
						token_endpoint_auth private_key_jwt `+jwks+`
						par required
						idp_client gateway {
							secret s3cret
						}
					}
					client agent {
						redirect_uri http://127.0.0.1:4711/cb
						dpop required
						idp_client gateway {
							secret s3cret
						}
					}
				}
				`+protect+`
				reverse_proxy {app}`)
			run(t, "dpop.mjs", map[string]any{"token_type": tokenType, "private_key": jose.JSONWebKey{Key: backend.Private}})
		})
	}
}
