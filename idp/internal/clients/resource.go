package clients

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
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
	// The IdP's token for what lies behind the resource, in the place of the login's: it is
	// exchanged at the IdP whenever the gateway's is issued, and carried in it as
	// upstream_token carries the login's. Each client needs an idp_client with credentials.
	// Default: none.
	Exchange *ExchangeConfig `json:"exchange,omitempty"`
	// Lets a resource server elsewhere ask about its access tokens at
	// `/oauth/introspect` (RFC 7662).
	Introspection *IntrospectionConfig `json:"introspection,omitempty"`
}

// ExchangeConfig is what a user's token is exchanged for (RFC 8693), at Entra ID on behalf of
// the user.
type ExchangeConfig struct {
	// The audience, as the IdP calls it: an API that the resource server calls for the user. Required.
	Audience string `json:"audience"`
	// The scopes of the audience. Default: what the IdP gives by itself; at Entra ID, all that
	// have been consented to.
	Scopes []string `json:"scopes,omitempty"`
}

func (c *ExchangeConfig) check() error {
	if c.Audience == "" {
		return errors.New("exchange needs an audience: exchange <audience> [<scopes...>]")
	}
	for _, scope := range c.Scopes {
		if scope == "" || !syntax.ScopeChar.Holds(scope) {
			return fmt.Errorf("exchange: %s is not a scope name", scope)
		}
	}
	return nil
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

// Resource is a compiled ResourceConfig.
type Resource struct {
	URI          string
	Key          string // of [uris.Key]
	scopes       []ScopeConfig
	names        []string // of standardScopes and of scopes
	DefaultScope string
	indicator    IndicatorMode
	audience     string

	tokens        TokenIssuer
	UpstreamToken bool
	Exchange      *ExchangeConfig // nil: the login's token is the one for upstream_token
	Introspection *introspection
	// Sealed stands for it in what is sealed.
	Sealed login.Resource
}

// standardScopes are those of OpenID Connect Core 1.0 sections 5.4 and 11. They are of no
// resource.
var standardScopes = [...]string{"openid", "profile", "email", "address", "phone", "offline_access"}

func newResource(c ResourceConfig) (*Resource, error) {
	r := &Resource{
		URI: c.URI, indicator: cmp.Or(c.Indicator, DropIndicator), audience: cmp.Or(c.Audience, c.URI), DefaultScope: strings.Join(c.DefaultScopes, " "),
		tokens: cmp.Or(c.Tokens, GatewayTokens), UpstreamToken: c.UpstreamToken || c.Exchange != nil, Exchange: c.Exchange,
	}
	var err error
	if r.Key, err = uris.Key(c.URI); err != nil {
		return nil, fmt.Errorf("the URI %w; write it as clients do, such as https://mcp.example.com/mcp", err)
	}
	if err := cmp.Or(
		syntax.CheckOneOf("idp", c.Indicator, PassIndicator, DropIndicator, AudienceIndicator),
		syntax.CheckOneOf("tokens", c.Tokens, GatewayTokens, JWTTokens, IdPTokens),
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
	r.Sealed = login.NewResource(r.Key, fmt.Sprintf("%q %q %q %q %q %q", r.Key, r.scopes, r.DefaultScope, r.indicator, r.audience, r.tokens), r.names)
	return r, nil
}

func (r *Resource) addScopes(c ResourceConfig) error {
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

// KeyOf is its key, "" if there is no resource.
func (r *Resource) KeyOf() string {
	if r == nil {
		return ""
	}
	return r.Key
}

func (r *Resource) scope(name string) *ScopeConfig {
	for i := range r.scopes {
		if r.scopes[i].Name == name {
			return &r.scopes[i]
		}
	}
	return nil
}

// CheckScope checks each name that a client asks for. The client's own list counts
// besides: [Client.allowsScope].
func (r *Resource) CheckScope(scope string) error {
	for name := range strings.FieldsSeq(scope) {
		if !slices.Contains(r.names, name) {
			return oauth.Reject(oauth.InvalidScope, "RFC 6749 section 3.3", "scope names one that this resource does not have at the gateway")
		}
	}
	return nil
}

// ScopeNames are its own scopes, none of those of OpenID Connect.
func (r *Resource) ScopeNames() []string {
	var names []string
	for _, scope := range r.scopes {
		names = append(names, WithoutStandard(scope.Name)...)
	}
	return names
}

// WithoutStandard are the names of a scope, but those of OpenID Connect.
func WithoutStandard(scope string) []string {
	return slices.DeleteFunc(strings.Fields(scope), func(name string) bool { return slices.Contains(standardScopes[:], name) })
}

// WithoutLogin is what a client may have of a scope if no user logs in: the resource's own names
// that are in each of the lists that have any, and in the client's. What OpenID Connect calls a
// scope is about a login.
func (r *Resource) WithoutLogin(c *Client, scope string, lists ...[]string) string {
	return strings.Join(slices.DeleteFunc(r.ScopeNames(), func(name string) bool {
		return !params.HasScope(scope, name) || c.allowsScope(name) != nil ||
			slices.ContainsFunc(lists, func(list []string) bool { return len(list) > 0 && !slices.Contains(list, name) })
	}), " ")
}

// MayHave is what a client may have of a scope that it has not asked for by name now: the resource's
// names, without those that the client's list lacks. What OpenID Connect calls a scope stays.
func (r *Resource) MayHave(c *Client, scope string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(scope), func(name string) bool {
		return !slices.Contains(r.names, name) || c.allowsScope(name) != nil && !slices.Contains(standardScopes[:], name)
	}), " ")
}

// Indicators are the values of resource at the token endpoint of the IdP.
func (r *Resource) Indicators() []string {
	if r.indicator == PassIndicator {
		return []string{r.URI}
	}
	return nil
}

// AppendIndicator appends the resource to an authorization request of the IdP.
func (r *Resource) AppendIndicator(dst []byte) []byte {
	switch r.indicator {
	case PassIndicator:
		return params.Append(dst, "resource", r.URI)
	case AudienceIndicator:
		return params.Append(dst, "audience", r.audience)
	}
	return dst
}

// GrantableAudiences are those that an access token of a client may have; none stands for
// all.
func (r *Resource) GrantableAudiences(c *Client) []string {
	if r == nil || r.indicator == DropIndicator {
		return c.Audiences
	}
	return append([]string{r.URI, r.audience}, c.Audiences...)
}

// DropsIdPTokens reports whether nobody gets the IdP's access tokens of logins.
func (r *Resource) DropsIdPTokens() bool {
	return r.HasOwnTokens() && (!r.UpstreamToken || r.Exchange != nil)
}

func (r *Registry) addResources(c Config) error {
	for _, config := range c.Resources {
		compiled, err := newResource(config)
		if err != nil {
			return fmt.Errorf("resource %s: %w", config.URI, err)
		}
		if other := r.findResource(config.URI); other != nil {
			return fmt.Errorf("resource %s is the same as %s; put everything in one block", config.URI, other.URI)
		}
		if compiled.HasOwnTokens() && r.publicURL == "" {
			return fmt.Errorf("resource %s needs public_url, which is the issuer of its access tokens", config.URI)
		}
		if err := r.addIntrospection(compiled.Introspection); err != nil {
			return fmt.Errorf("resource %s: %w", config.URI, err)
		}
		r.Resources = append(r.Resources, compiled)
	}
	return nil
}

// addIntrospection makes sure that an id stands for one resource.
func (r *Registry) addIntrospection(added *introspection) error {
	if added == nil {
		return nil
	}
	for _, known := range r.Resources {
		if known.Introspection != nil && known.Introspection.ClientID == added.ClientID {
			return fmt.Errorf("introspection: %s is the id of %s, too; each resource server has its own", added.ClientID, known.URI)
		}
	}
	r.Introspects = true
	return nil
}

func (r *Registry) findResource(uri string) *Resource {
	key, err := uris.Key(uri)
	if err != nil {
		return nil
	}
	return r.ResourceOf(key)
}

// ResourceOf is the resource with a key, nil if there is none.
func (r *Registry) ResourceOf(key string) *Resource {
	for _, known := range r.Resources {
		if known.Key == key {
			return known
		}
	}
	return nil
}

// onlyResourceAt is the resource at an origin, by which some clients name it; nil unless there is
// exactly one. A token is for that resource, whatever its client calls it.
func (r *Registry) onlyResourceAt(origin string) *Resource {
	key, err := uris.Key(origin)
	if err != nil || strings.Count(key, "/") != 2 {
		return nil
	}
	var only *Resource
	for _, known := range r.Resources {
		if !strings.HasPrefix(known.Key, key+"/") {
			continue
		}
		if only != nil {
			return nil
		}
		only = known
	}
	return only
}

// namedResource is the resource that a request names, nil if it names none, or if none
// are configured.
func (r *Registry) namedResource(c *Client, q *params.Values) (*Resource, error) {
	if len(r.Resources) == 0 {
		return nil, nil
	}
	if q.Get("audience") != "" {
		return nil, oauth.Reject(oauth.InvalidTarget, "RFC 8707 section 2", "audience is not accepted by this gateway; name the resource in the parameter resource")
	}
	var named *Resource
	for _, uri := range q.All("resource") {
		found := cmp.Or(r.findResource(uri), r.onlyResourceAt(uri))
		switch {
		case found == nil || !c.AllowsResource(found):
			return nil, oauth.Reject(oauth.InvalidTarget, "RFC 8707 section 2", "resource is not one that this client may ask for at the gateway")
		case named != nil && found != named:
			return nil, oauth.Reject(oauth.InvalidTarget, "RFC 8707 section 2", "resource names more than one; log in once for each")
		}
		named = found
	}
	return named, nil
}

// Named are the resources of a list of URIs that are known, and that a client may have.
func (r *Registry) Named(c *Client, all []string) (named []*Resource) {
	for _, uri := range all {
		if found := r.findResource(uri); found != nil && c.AllowsResource(found) && !slices.Contains(named, found) {
			named = append(named, found)
		}
	}
	return named
}

// Offered are the scopes of a resource that clients are told of, and those that they ask for at
// first: the default, or else all. What OpenID Connect calls a scope is the client's own business.
func (r *Registry) Offered(uri string) (all, first []string) {
	found := r.findResource(uri)
	if found == nil {
		return nil, nil
	}
	all = found.ScopeNames()
	if first = WithoutStandard(found.DefaultScope); len(first) == 0 {
		first = all
	}
	return all, first
}

// DefaultResource is what a client gets that names none: the first that it may have.
func (r *Registry) DefaultResource(c *Client) *Resource {
	for _, known := range r.Resources {
		if c.AllowsResource(known) {
			return known
		}
	}
	return nil
}

// AllowsTarget checks what a request asks for. Scope is the part of it that counts. It
// returns what [Registry.namedResource] does.
func (r *Registry) AllowsTarget(c *Client, q *params.Values, scope string) (*Resource, error) {
	named, err := r.namedResource(c, q)
	if err == nil && len(r.Resources) == 0 {
		if err = c.allowsAudience(q.Get("audience")); err == nil {
			err = r.AllowsResources(c, q.All("resource"))
		}
	}
	if err == nil {
		err = c.allowsOnly(q)
	}
	if err == nil {
		err = c.allowsScope(scope)
	}
	return named, err
}

// AllowsResources checks each resource against the audiences that are configured: the
// client's, or else the default.
func (r *Registry) AllowsResources(c *Client, resources []string) error {
	switch {
	case c != nil && len(c.Audiences) > 0:
		for _, resource := range resources {
			if !slices.Contains(c.Audiences, resource) {
				return oauth.Reject(oauth.InvalidTarget, "RFC 8707 section 2",
					"resource is not one that is registered as an audience for this client at the gateway")
			}
		}
	case r.DefaultAudience != "":
		for _, resource := range resources {
			if resource != r.DefaultAudience {
				return oauth.Reject(oauth.InvalidTarget, "RFC 8707 section 2",
					"resource is not the audience that this gateway asks for (authorize_parameter audience); for another one, list both as audience in the client's block")
			}
		}
	}
	return nil
}

// GetsIdPTokens reports whether a client's logins can give it access tokens of the IdP.
func (r *Registry) GetsIdPTokens(c *Client) bool {
	if c != nil && !c.LogsUsersIn() {
		return false
	}
	allowed := false
	for _, known := range r.Resources {
		if c != nil && c.AllowsResource(known) {
			if allowed = true; !known.HasOwnTokens() {
				return true
			}
		}
	}
	return !allowed
}

// AtIdP is a scope that a client asks for, in the IdP's names. Of the standard ones the IdP
// has those that it supports, by its metadata, all if that does not say: others are left out
// (RFC 6749 section 3.3).
func (r *Resource) AtIdP(scope string, supported []string) string {
	var names []string
	for name := range strings.FieldsSeq(scope) {
		at := []string{name}
		if s := r.scope(name); s != nil {
			at = s.AtIdP
		} else if len(supported) > 0 && !slices.Contains(supported, name) {
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

// GrantableScopes are those that a client may be granted, in the IdP's names; none stands
// for all.
func (r *Resource) GrantableScopes(c *Client, supported []string) []string {
	if r == nil {
		return c.Scopes
	}
	names := slices.DeleteFunc(slices.Clone(r.names), func(name string) bool { return c.allowsScope(name) != nil })
	return strings.Fields(r.AtIdP(strings.Join(names, " "), supported))
}

// TokenIssuer says whose access tokens the clients of a resource get.
type TokenIssuer string

const (
	// GatewayTokens are the gateway's own ([gatewaytoken.Token]): for one resource and one agent,
	// whatever the IdP's are good for. It is the default.
	GatewayTokens TokenIssuer = "gateway"
	// JWTTokens are the same, as JWTs that the gateway signs (RFC 9068): for a resource server
	// elsewhere that knows nothing but the gateway's keys.
	JWTTokens TokenIssuer = "jwt"
	// IdPTokens are those of the IdP, where it gives them the resource as their audience.
	IdPTokens TokenIssuer = "idp"
)

// HasOwnTokens reports whether clients get the gateway's own access tokens for a resource.
func (r *Resource) HasOwnTokens() bool { return r != nil && r.tokens != IdPTokens }

// HasJWTs reports whether these are [JWTTokens].
func (r *Resource) HasJWTs() bool { return r != nil && r.tokens == JWTTokens }

func (r *Resource) checkTokens(c ResourceConfig) (err error) {
	switch {
	case r.tokens == IdPTokens && (c.UpstreamToken || c.Introspection != nil):
		return errors.New("tokens idp needs no upstream_token, and the identity provider answers introspection; leave them out")
	case r.tokens == IdPTokens && c.Exchange != nil:
		return errors.New("exchange needs tokens gateway, which carry the token that the identity provider gives for it")
	case r.tokens == JWTTokens && (c.UpstreamToken || c.Exchange != nil):
		return errors.New("tokens jwt can't have upstream_token or exchange, since a server elsewhere finds nothing of the identity provider's in them; use tokens gateway")
	}
	if c.Exchange != nil {
		err = c.Exchange.check()
	}
	if err == nil && c.Introspection != nil {
		r.Introspection, err = newIntrospection(*c.Introspection)
	}
	return err
}

// checkExchanges makes sure that the gateway can exchange tokens for a client: it does so as the
// client that it is at the IdP.
func (r *Registry) checkExchanges(c *Client) error {
	for _, known := range r.Resources {
		if known.Exchange != nil && c.AllowsResource(known) && c.Credentials == nil {
			return fmt.Errorf("exchange of resource %s needs an idp_client with a secret or key here: the gateway exchanges tokens as that client", known.URI)
		}
	}
	return nil
}
