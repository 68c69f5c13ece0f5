package openapi

import (
	"net/http"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
)

func init() {
	httpcaddyfile.RegisterDirective("gateway_openapi", parse)
	httpcaddyfile.RegisterDirectiveOrder("gateway_openapi", httpcaddyfile.After, "push") // and so after require_token
}

func parse(h httpcaddyfile.Helper) ([]httpcaddyfile.ConfigValue, error) {
	handler := new(Handler)
	return args.ParseHandler(h, handler, http.MethodGet, func() string { return servedPath })
}

// UnmarshalCaddyfile sets up the handler from Caddyfile tokens. Syntax:
//
//	gateway_openapi [<matcher>]
func (h *Handler) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the directive's name
	return args.Alone(d, "gateway_openapi", nil)
}
