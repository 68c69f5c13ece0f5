// Package caddymodule adapts the idp, segment and persona libraries to Caddy.
//
// It registers six HTTP handlers, each with a Caddyfile directive of the same
// name: identity_gateway, require_token, text_segmentation, personification,
// gateway_openapi, and gateway_playground, whose directive is playground; the directive and
// command protect_mcp, a shorthand for the first two; and the log format oauth_redact. The rules they apply stand in the libraries; this package only
// translates between Caddy's configuration and requests and the libraries' typed
// values.
package caddymodule

import (
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity"     // identity_gateway
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/language"     // text_segmentation, personification
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/oauthredact"  // format oauth_redact
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/openapi"      // gateway_openapi
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/playground"   // playground
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/protectmcp"   // protect_mcp
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/requiretoken" // require_token
)
