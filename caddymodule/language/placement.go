package language

import (
	"net/http"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/matcher"
)

// handler is a handler of this package while its Caddyfile is read.
type handler interface {
	caddy.Module
	caddyfile.Unmarshaler
	caddyhttp.MiddlewareHandler
}

// parse is what [httpcaddyfile.RegisterHandlerDirective] would do, and looks at the
// matcher: a handler that it keeps all of its paths from is a warning. They are
// asked for after the directive has been read.
func parse(h httpcaddyfile.Helper, handler handler, paths func() []string) ([]httpcaddyfile.ConfigValue, error) {
	h.Next()
	file, line, directive := h.File(), h.Line(), h.Val()
	set, err := h.ExtractMatcherSet()
	if err != nil {
		return nil, err
	}
	if err := handler.UnmarshalCaddyfile(h.Dispenser); err != nil {
		return nil, err
	}
	if matches := matcher.OfPaths(set); matches != nil {
		reached := false
		for _, path := range paths() {
			reached = reached || matches(http.MethodPost, path)
		}
		if !reached {
			caddy.Log().Named(string(handler.CaddyModule().ID)).Warn(
				"the matcher lets no request of "+directive+" through, so it never responds; remove the matcher, or serve the path that it names with the option path",
				zap.String("file", file), zap.Int("line", line), zap.Strings("paths", paths()))
		}
	}
	return h.NewRoute(set, handler), nil
}
