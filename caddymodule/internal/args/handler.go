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
// matcher: if that keeps all of the handler's paths from it, for requests with the
// given method, it is logged as a warning. The paths are asked for after the
// directive has been read.
func ParseHandler(h httpcaddyfile.Helper, handler Handler, method string, paths func() []string) ([]httpcaddyfile.ConfigValue, error) {
	set, segment, err := Unmarshal(h, handler)
	if err != nil {
		return nil, err
	}
	if matches := OfPaths(set); matches != nil {
		reached := false
		for _, path := range paths() {
			reached = reached || matches(method, path)
		}
		if !reached {
			caddy.Log().Named(string(handler.CaddyModule().ID)).Warn(
				"the matcher lets no request of "+segment[0].Text+" through, so it never responds; remove the matcher, or serve the path that it names with the option path",
				append(segment.Fields(""), zap.Strings("paths", paths()))...)
		}
	}
	return h.NewRoute(set, handler), nil
}
