package language

import (
	"net/http"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/requiretoken"
)

// provisionToken sets up the access tokens of an operation. Scripts that may call the
// operation may read why they may not.
func (o *Options) provisionToken(ctx caddy.Context) error {
	if o.RequireToken == nil {
		return nil
	}
	if len(o.RequireToken.Origins) == 0 {
		o.RequireToken.Origins = o.Origins
	}
	return o.RequireToken.Provision(ctx)
}

// servesMetadata serves what says how to get a token, if that is what is asked for.
func (o *Options) servesMetadata(w http.ResponseWriter, r *http.Request) bool {
	return o.RequireToken != nil && o.RequireToken.ServeMetadata(w, r)
}

// protect serves a request of the operation that has the token it needs.
func (o *Options) protect(w http.ResponseWriter, r *http.Request, serve caddyhttp.HandlerFunc) error {
	if o.RequireToken == nil {
		return serve(w, r)
	}
	return o.RequireToken.ServeHTTP(w, r, serve)
}

func (o *Options) unmarshalRequireToken(d *caddyfile.Dispenser) error {
	o.RequireToken = new(requiretoken.RequireToken)
	return o.RequireToken.Unmarshal(d)
}
