package identity

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"sync"

	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/docs"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// warn says what an operator may not have meant.
func (g *Gateway) warn(policy *idp.Policy) {
	for _, host := range policy.IdP().Unencrypted() {
		g.logger.Warn("tokens travel unencrypted: auth_url, or an endpoint, is http and not on loopback", zap.String("host", host))
	}
	if policy.IdP().NeedsDiscovery() {
		g.logger.Warn("this identity provider has no endpoint at "+policy.AuthURL().String()+idp.Authorize.Path()+": set discover, or endpoint authorize", zap.String("idp", policy.AuthURL().Host))
	}
	if at := policy.LetsInAnybody(); at != nil {
		g.logger.Warn("anybody can have an account at this identity provider, and gets in: say who may with users, such as users { domain example.com }",
			append(g.segment.Fields(""), zap.String("idp", at.Host), zap.String("help", docs.Users))...)
	}
	if !g.discovers {
		g.logBinding(policy)
	}
	g.logShared(policy)
}

// logBinding says at load what binds a code to its login.
func (g *Gateway) logBinding(policy *idp.Policy) {
	message := "codes are bound to their logins by this gateway"
	switch {
	case !policy.HasCallback():
		message = "codes are bound to their logins only by an identity provider that checks PKCE; to have the gateway do it, set callback"
	case !policy.Clients().KeepsSecrets():
		message += "; a code that is stolen before it reaches the callback can be redeemed at an identity provider that does not check PKCE, " +
			"unless the gateway is a confidential client there: set idp_client"
	}
	g.logger.Info(message, zap.String("idp", policy.AuthURL().Host))
}

// logAudiences warns of clients that reject their own ID tokens.
func (g *Gateway) logAudiences(clients []idp.ClientConfig) {
	for _, c := range clients {
		if c.IdPClient == nil || c.IdPClient.ID == c.ID || len(c.Scopes) > 0 && !slices.Contains(c.Scopes, "openid") {
			continue
		}
		message := "client " + c.ID + ": ID tokens are for its idp_client, " + c.IdPClient.ID + " (aud), and a standard client that asks for openid takes only those for itself; " +
			"give it that id, or list its scopes without openid"
		g.logger.Warn(message, g.segment.Fields(message)...)
	}
}

// logShared warns of clients that the IdP can't tell apart.
func (g *Gateway) logShared(policy *idp.Policy) {
	for _, shared := range policy.Clients().SharedRegistrations() {
		unasked := policy.Clients().WithoutConsent(shared)
		if len(unasked) == 0 {
			continue
		}
		g.logger.Warn("these clients are one client at the identity provider: a user who trusted one of them is asked nothing when another logs in, "+
			"and their access tokens are good for each other; give those that do not trust each other an idp_client each, or set consent",
			zap.String("idp_client", shared.IdPClient), zap.Strings("clients", shared.ClientIDs), zap.Strings("without_consent", unasked))
	}
}

// logMissingPKCE warns of an IdP that does not say that it checks PKCE.
func (g *Gateway) logMissingPKCE(policy *idp.Policy) {
	if m := policy.IdP().Metadata(); m != nil && !policy.HasCallback() && !slices.Contains(m.ChallengeMethods, "S256") {
		g.logger.Warn("the identity provider does not say that it checks PKCE (S256), and without callback nobody else binds codes to their logins",
			zap.String("issuer", m.Issuer))
	}
}

// maxNotedCallbacks bounds what requests, which may name any host, have logged.
const maxNotedCallbacks = 8

// notedCallbacks are the sites whose callback [Gateway.noteCallback] has logged.
type notedCallbacks struct {
	mu   sync.Mutex
	urls []string // of the sites
}

// add reports whether url is a new one.
func (n *notedCallbacks) add(url string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.urls) == maxNotedCallbacks || slices.Contains(n.urls, url) {
		return false
	}
	n.urls = append(n.urls, url)
	return true
}

// noteCallback says at the first login what has to be registered at the IdP: one that
// does not know the callback says so to the user alone.
func (g *Gateway) noteCallback(r *http.Request, d *decision.Decision, base string) {
	if g.keys == nil || d.Endpoint != idp.Authorize.String() || d.Refusal != nil {
		return
	}
	if !g.noted.add(cmp.Or(g.policy.PublicURL(), base)) {
		return
	}
	callback := g.policy.CallbackURL(base)
	log, help, message := g.logger.Info, docs.SealedCodes, "logins come back to this callback; at the identity provider it has to be registered as the redirect URI"
	if g.PublicURL == "" && strings.HasPrefix(callback, "http:") && strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") {
		log, help, message = g.logger.Warn, docs.BehindProxy, "logins come back to this callback by http, although a proxy in front of Caddy says that browsers use https; "+
			"name the proxy in trusted_proxies of the global option servers, or set public_url"
	}
	if prefix := r.Header.Get("X-Forwarded-Prefix"); g.PublicURL == "" && strings.HasPrefix(prefix, "/") && !strings.Contains(callback, prefix+"/") {
		log, help, message = g.logger.Warn, docs.BehindProxy, "logins come back to this callback, although a proxy in front of Caddy says that it removes "+prefix+" from paths; "+
			"set public_url to the address that browsers use, with that path"
	}
	log(message, zap.String("callback", callback), zap.String("idp", g.policy.AuthURL().Host), zap.String("help", help))
}
