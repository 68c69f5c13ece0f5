package idp

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// ResourceConfig is a protected resource that access tokens are for (RFC 8707), such as
// an MCP server, with the scopes that it knows.
type ResourceConfig struct {
	// What clients name it by in the parameter `resource` (RFC 8707 section 2): an https
	// URL, or http on loopback, without a fragment. Scheme and host compare in any case, and
	// a slash at the end may differ. Required.
	URI string `json:"uri"`
	// The scopes that clients may ask for, besides those of OpenID Connect. Default: none.
	Scopes []ScopeConfig `json:"scopes,omitempty"`
	// The names of the scopes that a client gets that asks for none. Default: none.
	DefaultScopes []string `json:"default_scopes,omitempty"`
	// What the IdP gets of the parameter `resource`: `drop` (default) nothing; `pass` the
	// URI as `resource`; `audience` the audience below as `audience`, at `/authorize`.
	Indicator IndicatorMode `json:"idp,omitempty"`
	// The audience to ask the IdP for. Default: the URI.
	Audience string `json:"audience,omitempty"`
	// Whose access tokens clients get: `gateway` (default), which `require_token` with
	// `tokens gateway` opens, or the `idp`'s. The gateway's are for this resource and one
	// client, for at most an hour, and say who the user is, by the IdP's ID token or user
	// info. Needs public_url.
	Tokens TokenIssuer `json:"tokens,omitempty"`
	// Whether the gateway's access tokens carry the IdP's, sealed, for a `require_token`
	// with `upstream_token`. Default: the IdP's are dropped.
	UpstreamToken bool `json:"upstream_token,omitempty"`
	// Lets a resource server elsewhere ask about its access tokens at
	// `/oauth/introspect` (RFC 7662).
	Introspection *IntrospectionConfig `json:"introspection,omitempty"`
}

// ScopeConfig is a scope of a resource.
type ScopeConfig struct {
	// What clients call it. Required.
	Name string `json:"name"`
	// The scopes at the IdP that it stands for, all of them. Default: its name.
	AtIdP []string `json:"at_idp,omitempty"`
}

// IndicatorMode says what the IdP gets of a resource indicator (RFC 8707).
type IndicatorMode string

// The modes. Several IdPs reject the parameter resource, and most ignore it.
const (
	// DropIndicator sends nothing of it. It is the default.
	DropIndicator IndicatorMode = "drop"
	// PassIndicator sends it as resource, in the authorization request, in the exchange
	// of the code and in each refresh.
	PassIndicator IndicatorMode = "pass"
	// AudienceIndicator sends it as audience in the authorization request (Auth0).
	AudienceIndicator IndicatorMode = "audience"
)

// resource is a compiled ResourceConfig.
type resource struct {
	uri          string
	key          string // of [uris.Key]
	scopes       []ScopeConfig
	names        []string // of standardScopes and of scopes
	defaultScope string
	indicator    IndicatorMode
	audience     string

	tokens        TokenIssuer
	upstreamToken bool
	introspection *introspection
	// digest stands for it in what is sealed for long, terms for what it says now, too.
	digest, terms resourceDigest
}

type resourceDigest [8]byte

func digestOf(s string) resourceDigest {
	sum := sha256.Sum256([]byte(s))
	return resourceDigest(sum[:])
}

// standardScopes are those of OpenID Connect Core 1.0 sections 5.4 and 11. They are of no
// resource.
var standardScopes = [...]string{"openid", "profile", "email", "address", "phone", "offline_access"}

// compileResources reads [Config.Resources].
func (p *Policy) compileResources(c Config) error {
	switch {
	case len(c.Resources) == 0:
		return nil
	case c.Callback == nil:
		return errors.New("resource needs callback: without it no code is bound to the resource that it is for")
	case len(c.Clients) == 0 && c.DynamicClients == nil:
		return errors.New("resource needs client blocks, or dynamic_clients: without them nobody says who may ask for it")
	case c.Parameters == ContractParameters:
		return errors.New("resource and parameters contract: clients name a resource instead of an audience; leave out parameters")
	case c.DefaultAudience != "":
		return errors.New("resource and default_audience: each resource says which audience the identity provider is asked for; write idp audience " + c.DefaultAudience + " in its block")
	}
	p.oauth = true
	for _, config := range c.Resources {
		compiled, err := newResource(config)
		if err != nil {
			return fmt.Errorf("resource %s: %w", config.URI, err)
		}
		if other := p.findResource(config.URI); other != nil {
			return fmt.Errorf("resource %s is the same as %s; put everything in one block", config.URI, other.uri)
		}
		if compiled.hasOwnTokens() && p.public.url == "" {
			return fmt.Errorf("resource %s needs public_url, which is the issuer of its access tokens", config.URI)
		}
		if err := p.addIntrospection(compiled.introspection); err != nil {
			return fmt.Errorf("resource %s: %w", config.URI, err)
		}
		p.resources = append(p.resources, compiled)
	}
	return nil
}

func newResource(c ResourceConfig) (*resource, error) {
	r := &resource{
		uri: c.URI, indicator: cmp.Or(c.Indicator, DropIndicator), audience: cmp.Or(c.Audience, c.URI), defaultScope: strings.Join(c.DefaultScopes, " "),
		tokens: cmp.Or(c.Tokens, GatewayTokens), upstreamToken: c.UpstreamToken,
	}
	var err error
	if r.key, err = uris.Key(c.URI); err != nil {
		return nil, fmt.Errorf("the URI %w; write it as clients do, such as https://mcp.example.com/mcp", err)
	}
	if err := cmp.Or(
		checkOneOf("idp", c.Indicator, PassIndicator, DropIndicator, AudienceIndicator),
		checkOneOf("tokens", c.Tokens, GatewayTokens, IdPTokens),
	); err != nil {
		return nil, err
	}
	if c.Audience != "" && r.indicator != AudienceIndicator {
		return nil, fmt.Errorf("idp %s takes no value", r.indicator)
	}
	if err := r.checkTokens(c); err != nil {
		return nil, err
	}
	if err := r.addScopes(c); err != nil {
		return nil, err
	}
	r.digest = digestOf(r.key)
	r.terms = digestOf(fmt.Sprintf("%q %q %q %q %q %q", r.key, r.scopes, r.defaultScope, r.indicator, r.audience, r.tokens))
	return r, nil
}

// addScopes reads the scopes of a configuration.
func (r *resource) addScopes(c ResourceConfig) error {
	r.names = slices.Clone(standardScopes[:])
	for _, scope := range c.Scopes {
		if r.scope(scope.Name) != nil {
			return fmt.Errorf("scope %s is given twice", scope.Name)
		}
		if len(scope.AtIdP) == 0 {
			scope.AtIdP = []string{scope.Name}
		}
		for _, name := range append([]string{scope.Name}, scope.AtIdP...) {
			if name == "" || !syntax.ScopeChar.Holds(name) {
				return fmt.Errorf("scope %s is not a scope name", name)
			}
		}
		r.scopes = append(r.scopes, scope)
		if !slices.Contains(r.names, scope.Name) {
			r.names = append(r.names, scope.Name)
		}
	}
	for _, name := range c.DefaultScopes {
		switch {
		case name == "openid":
			return errors.New("default_scope can't have openid: a client that does not ask for it expects no ID token")
		case !slices.Contains(r.names, name):
			return fmt.Errorf("default_scope %s is not one of its scopes; add scope %s", name, name)
		}
	}
	return nil
}

// findResource is the resource that a client names, nil if there is none.
func (p *Policy) findResource(uri string) *resource {
	key, err := uris.Key(uri)
	if err != nil {
		return nil
	}
	for _, r := range p.resources {
		if r.key == key {
			return r
		}
	}
	return nil
}

// namedResource is the resource that a request names, nil if it names none, or if none
// are configured.
func (p *Policy) namedResource(c *client, q *params.Values) (*resource, error) {
	if len(p.resources) == 0 {
		return nil, nil
	}
	if q.Get("audience") != "" {
		return nil, oauth.Reject(oauth.InvalidTarget, "RFC 8707 section 2", "audience is not accepted by this gateway; name the resource in the parameter resource")
	}
	var named *resource
	for _, uri := range q.All("resource") {
		found := p.findResource(uri)
		switch {
		case found == nil || !c.allowsResource(found):
			return nil, oauth.Reject(oauth.InvalidTarget, "RFC 8707 section 2", "resource is not one that this client may ask for at the gateway")
		case named != nil && found != named:
			return nil, oauth.Reject(oauth.InvalidTarget, "RFC 8707 section 2", "resource names more than one; log in once for each")
		}
		named = found
	}
	return named, nil
}

// defaultResource is what a client gets that names none: the first that it may have.
func (p *Policy) defaultResource(c *client) *resource {
	for _, r := range p.resources {
		if c.allowsResource(r) {
			return r
		}
	}
	return nil
}

// allowsResource reports whether a resource is among the client's audiences, if it has some.
func (c *client) allowsResource(r *resource) bool {
	return len(c.audiences) == 0 || slices.ContainsFunc(c.audiences, func(audience string) bool {
		key, err := uris.Key(audience)
		return err == nil && key == r.key
	})
}

// scope is the scope of this name, nil if there is none.
func (r *resource) scope(name string) *ScopeConfig {
	for i := range r.scopes {
		if r.scopes[i].Name == name {
			return &r.scopes[i]
		}
	}
	return nil
}

// checkScope checks each name that a client asks for. The client's own list counts
// besides: [client.allowsScope].
func (r *resource) checkScope(scope string) error {
	for name := range strings.FieldsSeq(scope) {
		if !slices.Contains(r.names, name) {
			return oauth.Reject(oauth.InvalidScope, "RFC 6749 section 3.3", "scope names one that this resource does not have at the gateway")
		}
	}
	return nil
}

// scopeAtIdP is a scope that a client asks for, in the IdP's names. The standard ones
// that the IdP does not have, by its metadata, are left out (RFC 6749 section 3.3).
func (p *Policy) scopeAtIdP(r *resource, scope string) string {
	var names []string
	for name := range strings.FieldsSeq(scope) {
		at := []string{name}
		if s := r.scope(name); s != nil {
			at = s.AtIdP
		} else if p.metadata != nil && !accepts(p.metadata.Scopes, name) {
			continue
		}
		for _, each := range at {
			if !slices.Contains(names, each) {
				names = append(names, each)
			}
		}
	}
	return strings.Join(names, " ")
}

// indicators are the values of resource at the token endpoint of the IdP.
func (r *resource) indicators() []string {
	if r.indicator == PassIndicator {
		return []string{r.uri}
	}
	return nil
}

// appendIndicator appends the resource to an authorization request of the IdP.
func (r *resource) appendIndicator(dst []byte) []byte {
	switch r.indicator {
	case PassIndicator:
		return params.Append(dst, "resource", r.uri)
	case AudienceIndicator:
		return params.Append(dst, "audience", r.audience)
	}
	return dst
}

// bind holds a token request to the resource and scope of its login, nil and "" if no
// resources are configured.
func (p *Policy) bind(r *tokenRequest, to *resource, scope string) error {
	if to == nil {
		return nil
	}
	if r.resource != nil && r.resource != to {
		return oauth.Reject(oauth.InvalidTarget, "RFC 8707 section 2.2", "resource is not the one of the login; log in once for each")
	}
	if r.client.isDynamic() { // who may send what was asked for, in the place of what was granted
		r.Scope = strings.Join(slices.DeleteFunc(strings.Fields(r.Scope), func(name string) bool { return !hasScope(scope, name) }), " ")
	}
	if r.Scope != "" {
		if err := to.checkScope(r.Scope); err != nil {
			return err
		}
		for name := range strings.FieldsSeq(r.Scope) {
			if !hasScope(scope, name) {
				return oauth.Reject(oauth.InvalidScope, "RFC 6749 section 6", "scope names one that was not granted in the login")
			}
		}
		scope = r.Scope
	}
	r.resource, r.asked = to, scope
	r.Resources, r.Scope = to.indicators(), p.scopeAtIdP(to, r.Scope)
	return nil
}

// appendScopes appends a bit for each of names, set for those that scope has.
func (r *resource) appendScopes(dst []byte, scope string) []byte {
	bits := make([]byte, (len(r.names)+7)/8)
	for i, name := range r.names {
		if hasScope(scope, name) {
			bits[i/8] |= 1 << (i % 8)
		}
	}
	return append(dst, bits...)
}

// readScopes reads what appendScopes wrote.
func (r *resource) readScopes(from *seal.Reader) string {
	bits := from.Bytes((len(r.names) + 7) / 8)
	if from.Failed {
		return ""
	}
	var names []string
	for i, name := range r.names {
		if bits[i/8]>>(i%8)&1 != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// sealedResource reads the digest of a resource that is configured now, nil if there is
// none.
func (p *Policy) sealedResource(from *seal.Reader, of func(*resource) resourceDigest) *resource {
	b := from.Bytes(len(resourceDigest{}))
	for _, r := range p.resources {
		if !from.Failed && of(r) == resourceDigest(b) {
			return r
		}
	}
	return nil
}

// grantableScopes are those that a client may be granted, in the IdP's names; none stands
// for all.
func (p *Policy) grantableScopes(c *client, r *resource) []string {
	if r == nil {
		return c.scopes
	}
	names := slices.DeleteFunc(slices.Clone(r.names), func(name string) bool { return c.allowsScope(name) != nil })
	return strings.Fields(p.scopeAtIdP(r, strings.Join(names, " ")))
}

// grantableAudiences are those that an access token of a client may have; none stands for
// all.
func (r *resource) grantableAudiences(c *client) []string {
	if r == nil || r.indicator == DropIndicator {
		return c.audiences
	}
	return append([]string{r.uri, r.audience}, c.audiences...)
}

// dropsIdPTokens reports whether nobody gets the IdP's access tokens.
func (r *resource) dropsIdPTokens() bool { return r.hasOwnTokens() && !r.upstreamToken }

// publicScope is the part of a scope that was asked for of which the IdP has granted
// everything, in the names that the client knows. Of offline_access the refresh token
// tells: Entra ID does not name it.
func (p *Policy) publicScope(r *resource, asked string, granted []string) string {
	for _, name := range granted { // GitHub separates several by commas
		granted = append(granted, strings.Split(name, ",")...)
	}
	isMissing := func(name string) bool {
		return !slices.ContainsFunc(granted, func(each string) bool { return p.isScope(name, each) })
	}
	names := slices.DeleteFunc(strings.Fields(asked), func(name string) bool {
		sent := strings.Fields(p.scopeAtIdP(r, name))
		return len(sent) == 0 || name != "offline_access" && slices.ContainsFunc(sent, isMissing)
	})
	return strings.Join(names, " ")
}
