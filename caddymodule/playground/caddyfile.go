package playground

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
)

func init() {
	httpcaddyfile.RegisterDirective("playground", parse)
	httpcaddyfile.RegisterDirectiveOrder("playground", httpcaddyfile.After, "push") // and so after require_token
}

// parse takes a path after the directive's name for that of the page. For other
// directives it would be a matcher, which the page needs none of.
func parse(h httpcaddyfile.Helper) ([]httpcaddyfile.ConfigValue, error) {
	handler := new(Handler)
	h.Next()
	if h.NextArg() && strings.HasPrefix(h.Val(), "/") {
		h.Reset()
		if err := handler.UnmarshalCaddyfile(h.Dispenser); err != nil {
			return nil, err
		}
		return h.NewRoute(nil, handler), nil
	}
	h.Reset()
	return args.ParseHandler(h, handler, http.MethodGet, func() string { return cmp.Or(handler.Path, defaultPath) })
}

// UnmarshalCaddyfile sets up the handler from Caddyfile tokens: playground [<matcher>] [<path>] { … }, with
// the options of ../README.md. An argument that begins with a slash is the path of the page, not a matcher.
func (h *Handler) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the directive's name
	if d.NextArg() {
		h.Path = d.Val()
		if err := args.None(d); err != nil {
			return err
		}
	}
	err := args.Block(d, "playground", args.Options{
		"client": args.String(&h.Client),
		"mcp":    args.String(&h.MCP),
	})
	if err == nil && h.Path != "" {
		err = h.Validate()
	}
	return err
}
