package requiretoken

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// usedProofs has what remembers used proofs, which all rules and configurations share: none
// is good again after a reload, and no user has more than his part at any of them.
var usedProofs = caddy.NewUsagePool()

const (
	usedProofsKey = "proofs"
	// maxProofs is how many proofs are remembered, at about 200 bytes, and proofsOfAUser
	// how many of one user, with whatever keys: 4,300 and 270 requests a second, all the time.
	maxProofs     = 1 << 20
	proofsOfAUser = 1 << 16
)

// pooledProofs is what usedProofs has.
type pooledProofs struct{ *replay.Once }

func (pooledProofs) Destruct() error { return nil }

// provisionProofs sets up the checks of proofs. Their nonces are made by the gateway's keys, if
// there are any, so that all nodes take them.
func (h *RequireToken) provisionProofs(config *accesstoken.Config) {
	pooled, _, _ := usedProofs.LoadOrNew(usedProofsKey, func() (caddy.Destructor, error) {
		return pooledProofs{replay.NewOnce(replay.NewMemory(maxProofs, time.Now), proofsOfAUser, dpop.Remember, time.Now)}, nil
	})
	h.proofs = bearer.NewProofs(config.Gateway, pooled.(pooledProofs).Once, time.Now)
	config.DPoP, config.Proofs = h.DPoP, h.proofs
	if h.clients = h.Resource.Resource; h.clients == "" {
		h.clients = config.Audiences[0] // the resource of a gateway: see checkDPoP
	}
	if h.Tokens != idp.GatewayTokens {
		config.Gateway = nil // it opens no token
	}
}

// checkDPoP names what is missing.
func (h *RequireToken) checkDPoP() error {
	if err := h.DPoP.Check("dpop"); h.DPoP == oauth.Off || err != nil {
		return err
	}
	if h.Resource.Resource == "" && !(h.Tokens == idp.GatewayTokens && len(h.Audiences) == 1) {
		return errors.New("dpop needs resource: proofs name the URL under which clients reach what is protected, which must not follow from the request")
	}
	return nil
}

// clientURL is the URL of a request as its client knows it: below the resource's host, with
// the path that it had before this server rewrote it. Without a resource it is below the host that
// the client has asked for, which no page can have a browser name wrongly.
func (h *RequireToken) clientURL(request *http.Request) string {
	path := request.URL.EscapedPath()
	if original, ok := request.Context().Value(caddyhttp.OriginalRequestCtxKey).(http.Request); ok {
		path = original.URL.EscapedPath()
	}
	u, err := url.Parse(cmp.Or(h.clients, h.Resource.Resource))
	switch {
	case err != nil:
		return ""
	case u.Host != "":
		return u.Scheme + "://" + u.Host + path
	}
	if plain, secure := parseSecure("http://" + request.Host); secure && request.TLS == nil {
		return plain.String() + path
	}
	return "https://" + request.Host + path
}

// setNonce gives a client that sends proofs, or has to, the nonce for the next one.
func (h *RequireToken) setNonce(header http.Header, request *http.Request) {
	if h.proofs != nil && (h.DPoP == oauth.Required || len(request.Header["Dpop"]) > 0) {
		h.proofs.SetNonce(request.Context(), header)
	}
}
