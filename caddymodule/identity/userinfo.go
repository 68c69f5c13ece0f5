package identity

import (
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/body"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// serveUserInfo checks a userinfo request and forwards it.
func (g *Gateway) serveUserInfo(w http.ResponseWriter, r *http.Request, d *decision.Decision) error {
	g.cors.setHeader(w, r, idp.UserInfo, "")
	request, err := g.policy.ParseUserInfo(r.URL.RawQuery, r.Header, !body.IsEmpty(r))
	if err != nil {
		return g.reject(w, r, d, err)
	}
	if err := g.policy.Reachable(idp.UserInfo); err != nil {
		return g.reject(w, r, d, err)
	}
	c := g.newCall(idp.UserInfo, d, r)
	c.header.Set("Accept", "application/json")
	c.header.Set("Authorization", request.Authorization())
	return g.forwardBack(w, r, c, func(response *idp.Response) error {
		return idp.CheckUserInfoResponse(*response)
	})
}
