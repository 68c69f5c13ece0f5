package idp

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// withMetadata is the policy with what the IdP says about itself where the
// configuration leaves it open: endpoints, issuer, the callback's response mode, the
// form of logouts, how a secret is sent, whether requests are pushed. p does not
// change: who holds it sees nothing of m, so that no request sees half of it. What p
// sealed, the new policy opens.
func (p *Policy) withMetadata(m *discovery.Metadata) *Policy {
	next := *p
	next.metadata = m
	addresses := map[Endpoint]*url.URL{
		Authorize: m.AuthorizationEndpoint, Token: m.TokenEndpoint, UserInfo: m.UserInfoEndpoint, Logout: m.EndSessionEndpoint,
		Revoke: m.RevocationEndpoint, PushedRequest: m.PushedAuthorizationRequestEndpoint,
	}
	if p.registry.ShowsCertificate() { // RFC 8705 section 5
		for endpoint, u := range map[Endpoint]*url.URL{
			Token: m.MTLSAliases.TokenEndpoint, UserInfo: m.MTLSAliases.UserInfoEndpoint, Revoke: m.MTLSAliases.RevocationEndpoint,
			PushedRequest: m.MTLSAliases.PushedAuthorizationRequestEndpoint,
		} {
			addresses[endpoint] = cmp.Or(u, addresses[endpoint])
		}
	}
	for endpoint, u := range addresses {
		if next.endpoints[endpoint].text == "" && u != nil {
			next.endpoints[endpoint] = newIdPEndpoint(u)
		}
	}
	if next.logoutProtocol == "" {
		next.discoverLogout(m)
	}
	if next.issuer == "" {
		next.issuer = m.Issuer
	}
	next.requireIssuer = m.SendsIssuer && next.issuer == m.Issuer
	next.secretPost = !accepts(m.TokenEndpointAuthMethods, AuthSecretBasic) && slices.Contains(m.TokenEndpointAuthMethods, AuthSecretPost)
	if p.callback != nil {
		c := *p.callback
		c.mode = QueryMode
		if slices.Contains(m.ResponseModes, string(FormPostMode)) {
			c.mode = FormPostMode
		}
		next.callback = &c
	}
	next.protectEndpoints()
	return &next
}

// discoverLogout fills in the form of logouts, and where they go.
func (p *Policy) discoverLogout(m *discovery.Metadata) {
	p.logoutProtocol = discoveredLogout(m)
	switch at := *p.authURL; {
	case p.logoutProtocol == NoLogout && p.endpoints[Logout].text != "":
		p.logoutProtocol = RPInitiatedLogout
	case p.logoutProtocol == Auth0Logout && p.endpoints[Logout].text == "":
		at.Path += Logout.Path()
		p.endpoints[Logout] = newIdPEndpoint(&at)
	}
}

// accepts reports whether a list of the metadata has a value, or is left out.
func accepts(list []string, value string) bool {
	return len(list) == 0 || slices.Contains(list, value)
}

// discoveredLogout is the form of logouts that follows from the metadata. Two
// vendors are known by their issuers, because their endpoints are none of RP-Initiated
// Logout 1.0, whatever the document calls them.
func discoveredLogout(m *discovery.Metadata) LogoutProtocol {
	host := ""
	if u, err := url.Parse(m.Issuer); err == nil {
		host = u.Hostname()
	}
	switch {
	case strings.HasPrefix(host, "cognito-idp.") && (strings.HasSuffix(host, ".amazonaws.com") || strings.HasSuffix(host, ".amazonaws.com.cn")):
		return CognitoLogout
	case m.EndSessionEndpoint != nil:
		return RPInitiatedLogout
	case strings.HasSuffix(host, ".auth0.com"):
		return Auth0Logout
	}
	return NoLogout
}

// knowsMetadata reports whether nothing remains to be discovered.
func (p *Policy) knowsMetadata() bool { return !p.discover || p.metadata != nil }

// Metadata is what the IdP says about itself, nil if it is not known or was not
// asked for.
func (p *Policy) Metadata() *discovery.Metadata { return p.metadata }

// reachable checks that the IdP's address of an endpoint is known.
func (p *Policy) reachable(endpoint Endpoint) error {
	if endpoint == Callback {
		endpoint = Authorize // what comes back has to be held to what is known of it
	}
	switch {
	case endpoint == Logout && p.logoutProtocol == NoLogout:
		return nil
	case endpoint == Logout && p.logoutProtocol == "",
		// What the IdP says of itself decides how a login is bound, also where its address
		// is configured: by a nonce of the gateway's own, by iss, by a pushed request.
		endpoint == Authorize && p.callback != nil && !p.knowsMetadata():
		return notDiscovered()
	case p.endpoints[endpoint].text != "":
		return nil
	case !p.knowsMetadata():
		return notDiscovered()
	}
	e := oauth.Reject(oauth.ServerError, "OpenID Connect Discovery 1.0 section 3", "the identity provider has no "+endpoint.String()+
		" endpoint; if it does, set its address at the gateway: endpoint "+endpoint.String())
	e.Status = http.StatusNotImplemented
	return e
}

// notDiscovered is the response while nothing is known of the IdP.
func notDiscovered() error {
	return oauth.Unavailable("the gateway could not ask the identity provider yet where its endpoints are; try again later", "5")
}
