package args

import (
	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"go.uber.org/zap"
)

// Handler is a handler while its Caddyfile is read.
type Handler interface {
	caddy.Module
	caddyfile.Unmarshaler
	caddyhttp.MiddlewareHandler
}

// ParseHandler is what [httpcaddyfile.RegisterHandlerDirective] would do, and looks at the
// matcher: if that keeps the handler's path from it, for requests with the given method,
// it is logged as a warning. The path is asked for after the directive has been read.
func ParseHandler(h httpcaddyfile.Helper, handler Handler, method string, path func() string) ([]httpcaddyfile.ConfigValue, error) {
	set, segment, err := Unmarshal(h, handler)
	if err != nil {
		return nil, err
	}
	if matches := OfPaths(set); matches != nil && !matches(method, path()) {
		caddy.Log().Named(string(handler.CaddyModule().ID)).Warn(
			"the matcher lets no request of "+segment[0].Text+" through, so it never responds; remove the matcher",
			append(segment.Fields(""), zap.String("path", path()))...)
	}
	return h.NewRoute(set, handler), nil
}
