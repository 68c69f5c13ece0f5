// Package sites looks at where gateways stand in a configuration: whether they see what they
// have to check, whatever stands around them, and are what their sites say. It follows requests
// through the routes by package routes. What hands an identity provider over unchecked is an
// error, what may be meant so a warning.
package sites

import (
	"net/http"
	"net/url"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/docs"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// Gateway is an identity_gateway as far as its place matters.
type Gateway struct {
	AuthURL *url.URL // of the identity provider
	// HandsHostOver: the handlers behind proxy all of the identity provider's host.
	HandsHostOver bool
	PublicURL     string // with its placeholders; "" without
	Callback      string // its path; "" without
	// Discovered: clients look for its metadata, which know its URL alone.
	Discovered bool
	Clients    []idp.ClientConfig
	Segment    args.Segment
}

// Handler is one that is a gateway.
type Handler interface {
	caddyhttp.MiddlewareHandler
	Site() *Gateway
}

// Checker looks at the gateways of a configuration.
type Checker struct {
	ctx    caddy.Context
	logger *zap.Logger
}

// NewChecker makes one that logs what may be meant so.
func NewChecker(ctx caddy.Context, logger *zap.Logger) *Checker { return &Checker{ctx, logger} }

// Check implements [routes.Check].
func (c *Checker) Check(servers []*caddyhttp.Server) error {
	logged := false
	for _, server := range servers {
		if err := c.checkReach(server); err != nil {
			return err
		}
		logged = logged || server.Logs != nil && len(placesOf(server)) > 0
	}
	if logged { // what the logs look like is not for a module to see
		c.logger.Info("access logs have the URLs of logins, with codes and states, unless each `log` block has `format oauth_redact`", zap.String("help", docs.Logs))
	}
	return nil
}

// WarnOfUnseen says which paths the matcher of a directive keeps from its gateway. It
// may be meant so.
func WarnOfUnseen(set caddy.ModuleMap, callback string, segment args.Segment, logger *zap.Logger) {
	matches := args.OfPaths(set)
	if matches == nil {
		return
	}
	var unseen []string
	for _, probe := range probes(callback) {
		if !matches(probe.method, probe.path) {
			unseen = append(unseen, probe.path)
		}
	}
	if len(unseen) > 0 {
		logger.Warn("the matcher leaves paths of the gateway to other handlers, which serve them unchecked; "+
			"remove it: the gateway passes on by itself what is not for it",
			append(segment.Fields(""), zap.Strings("paths", unseen))...)
	}
}

type probe struct{ method, path string }

// probes are some that a gateway has to see. A list of its paths is not enough:
// others can mean the same to a later handler.
func probes(callback string) []probe {
	var probes []probe
	for _, endpoint := range idp.Endpoints {
		probes = append(probes, probe{endpoint.Method(), endpoint.Path()})
	}
	if callback != "" {
		probes = append(probes, probe{http.MethodGet, callback}, probe{idp.Revoke.Method(), idp.Revoke.Path()})
	}
	return append(probes, probe{http.MethodPost, idp.Token.Path() + ".json"})
}
