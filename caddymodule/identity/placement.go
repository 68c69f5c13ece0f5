package identity

import (
	"net/http"

	"github.com/caddyserver/caddy/v2"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// warnOfUnseen says which paths the matcher of a directive keeps from its gateway. It
// may be meant so.
func warnOfUnseen(set caddy.ModuleMap, g *Gateway, segment args.Segment) {
	matches := args.OfPaths(set)
	if matches == nil {
		return
	}
	var unseen []string
	for _, probe := range g.probes() {
		if !matches(probe.method, probe.path) {
			unseen = append(unseen, probe.path)
		}
	}
	if len(unseen) > 0 {
		caddy.Log().Named(string(g.CaddyModule().ID)).Warn("the matcher leaves paths of the gateway to other handlers, which serve them unchecked; "+
			"remove it: the gateway passes on by itself what is not for it",
			append(segment.Fields(""), zap.Strings("paths", unseen))...)
	}
}

type probe struct{ method, path string }

// probes are some that a gateway has to see. A list of its paths is not enough:
// others can mean the same to a later handler.
func (g *Gateway) probes() []probe {
	var probes []probe
	for _, endpoint := range idp.Endpoints {
		probes = append(probes, probe{endpoint.Method(), endpoint.Path()})
	}
	if path := g.Callback; path != "" {
		probes = append(probes, probe{http.MethodGet, path}, probe{idp.Revoke.Method(), idp.Revoke.Path()})
	}
	return append(probes, probe{http.MethodPost, idp.Token.Path() + ".json"})
}
