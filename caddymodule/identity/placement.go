package identity

import (
	"fmt"
	"net/http"
	"reflect"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/matcher"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// placement is where a gateway stands in a Caddyfile.
type placement struct {
	block   block
	file    string
	line    int
	matcher caddy.ModuleMap // nil: every request
	gateway *Gateway
}

// checkPlacement makes sure that a gateway sees what it has to check. What may be
// meant so is a warning.
func checkPlacement(h httpcaddyfile.Helper, p placement) error {
	logger := caddy.Log().Named(string(Gateway{}.CaddyModule().ID))
	if paths := p.unseen(); len(paths) > 0 {
		logger.Warn("the matcher leaves paths of the gateway to other handlers, which serve them unchecked; "+
			"remove it: the gateway passes on by itself what is not for it",
			zap.String("file", p.file), zap.Int("line", p.line), zap.Strings("paths", paths))
	}

	const key = "identity_gateway"
	others, _ := h.BlockState[key].([]placement)
	for _, other := range others {
		if other.block != p.block {
			continue
		}
		if path := p.callbackPath(); path != "" && path == other.callbackPath() && p.gateway.CallbackURL == other.gateway.CallbackURL &&
			reflect.DeepEqual(p.matcher["host"], other.matcher["host"]) {
			return fmt.Errorf("%s:%d: callback %s is that of the identity_gateway in line %d, too; give each its own", p.file, p.line, path, other.line)
		}
		if reflect.DeepEqual(p.matcher, other.matcher) {
			logger.Warn("this gateway is never reached: another one before it gets the same requests",
				zap.String("file", p.file), zap.Int("line", p.line), zap.Int("other_line", other.line))
		}
	}
	h.BlockState[key] = append(others[:len(others):len(others)], p)
	return nil
}

// callbackPath is "" if there is none, or none that is known before the
// configuration is loaded.
func (p *placement) callbackPath() string {
	g := p.gateway
	if g.Callback == "" && (g.CallbackURL == "" || args.HasPlaceholder(g.CallbackURL)) {
		return ""
	}
	return idp.CallbackConfig{Path: g.Callback, URL: g.CallbackURL}.ServedPath()
}

// unseen are the paths that the gateway would check, and that the matcher keeps
// from it.
func (p *placement) unseen() []string {
	matches := matcher.OfPaths(p.matcher)
	if matches == nil {
		return nil
	}
	var unseen []string
	probe := func(method, path string) {
		if !matches(method, path) {
			unseen = append(unseen, path)
		}
	}
	for _, endpoint := range idp.Endpoints {
		probe(endpoint.Method(), endpoint.Path())
	}
	if path := p.callbackPath(); path != "" {
		probe(http.MethodGet, path)
		probe(idp.Revoke.Method(), idp.Revoke.Path())
	}
	// A list of the paths is not enough: others can mean the same to a later handler.
	probe(http.MethodPost, idp.Token.Path()+".json")
	return unseen
}

// block identifies the block of a Caddyfile that a directive stands in.
type block struct{ site, state uintptr }

// blockOf tells blocks apart by the state that Caddy gives each. At the top level
// all sites share one, and the site itself is not exported.
func blockOf(h httpcaddyfile.Helper) block {
	b := block{state: reflect.ValueOf(h.BlockState).Pointer()}
	if site := reflect.ValueOf(h).FieldByName("parentBlock"); site.Kind() == reflect.Struct {
		if keys := site.FieldByName("Keys"); keys.Kind() == reflect.Slice {
			b.site = keys.Pointer()
		}
	}
	return b
}
