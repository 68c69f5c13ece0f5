package requiretoken

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/backchannel"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/issuers"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/paths"
)

func init() {
	caddy.RegisterModule(ResourceMetadata{})
}

// wellKnown is where the metadata of a resource is (RFC 9728 section 3).
const wellKnown = "/.well-known/oauth-protected-resource"

// Resource is what clients are told of a protected resource (RFC 9728), so that
// they find the authorization server by themselves.
type Resource struct {
	// The resource identifier: the URL under which clients reach what is protected,
	// such as `https://api.example.com/mcp`. It is never taken from a request.
	// Without it there is no metadata.
	Resource string `json:"resource,omitempty"`

	// The issuers of the authorization servers, such as the public URL of an
	// identity_gateway. Default: the issuer.
	AuthorizationServers []string `json:"authorization_servers,omitempty"`

	path, url string // of the metadata
}

// compile checks the resource and finds the address of its metadata.
func (r *Resource) compile() error {
	if r.Resource == "" {
		if len(r.AuthorizationServers) > 0 {
			return fmt.Errorf("authorization_servers needs resource: the URL under which clients reach what is protected")
		}
		return nil
	}
	u, secure := parseSecure(r.Resource)
	switch {
	case !secure:
		return fmt.Errorf("resource must be an https URL (http only on 127.0.0.1, [::1] or localhost), such as https://api.example.com/mcp")
	case u.User != nil || u.RawQuery != "" || u.ForceQuery || strings.Contains(r.Resource, "#"):
		return fmt.Errorf("resource must have no user information, query or fragment")
	}
	r.path = wellKnown + strings.TrimSuffix(u.Path, "/")
	r.url = u.Scheme + "://" + u.Host + wellKnown + strings.TrimSuffix(u.EscapedPath(), "/")
	return nil
}

// checkPublic makes sure that the resource is not public itself. At the root it may be meant:
// a page, and an API below.
func (r *Resource) checkPublic(public paths.Public) error {
	path := strings.TrimPrefix(r.path, wellKnown)
	if path != "" && (public.Has(path, path, nil) || public.Has(path+"/x/y", path+"/x/y", nil)) {
		return fmt.Errorf("public opens all of the resource %s to everybody; name paths that are beside %s", r.Resource, path)
	}
	return nil
}

// servers are the authorization servers of a resource.
type servers struct {
	listed   []string
	issuer   string          // if none are listed
	metadata *issuers.Handle // of the issuer, if it is looked up
}

// list has the issuer as it writes itself, if that is known: clients compare.
func (s *servers) list() []string {
	if len(s.listed) > 0 {
		return s.listed
	}
	if s.metadata != nil {
		if m := s.metadata.Current(); m != nil {
			return []string{m.Issuer}
		}
	}
	return []string{s.issuer}
}

// serve responds with the metadata, which is public, if that is what is asked for.
func (r *Resource) serve(w http.ResponseWriter, request *http.Request, servers *servers, of func() scopes, mode oauth.Mode) bool {
	if r.path == "" || request.URL.Path != r.path {
		return false
	}
	if cors.OpenToAll(w, request) {
		return true
	}
	described := map[string]any{
		"resource":                 r.Resource,
		"authorization_servers":    servers.list(),
		"bearer_methods_supported": []string{"header"},
	}
	if scopes := of().all; len(scopes) > 0 { // from an empty list clients conclude to ask for none
		described["scopes_supported"] = scopes
	}
	if mode != oauth.Off {
		described["dpop_signing_alg_values_supported"] = dpop.Algorithms()
		described["dpop_bound_access_tokens_required"] = mode == oauth.Required
	}
	document, _ := json.Marshal(described) // of strings and booleans only
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "max-age=300")
	_, _ = w.Write(document)
	return true
}

// ResourceMetadata serves the metadata of a protected resource (RFC 9728) at
// `/.well-known/oauth-protected-resource`, followed by the resource's path. A
// require_token whose requests include that path serves it by itself; the directive
// adds this handler if it has a matcher.
type ResourceMetadata struct {
	Resource

	// The issuer of the access tokens, which is the authorization server if there are no others.
	Issuer string `json:"issuer,omitempty"`

	// The scopes that the resource asks for.
	Scopes []string `json:"scopes,omitempty"`

	// Whether access tokens may or must be bound to a key: as in require_token.
	DPoP oauth.Mode `json:"dpop,omitempty"`

	// Where the issuer's metadata is: as in require_token.
	DiscoverAt string `json:"discover_at,omitempty"`

	// How the issuer is reached: as in require_token.
	TransportRaw json.RawMessage `json:"transport,omitempty" caddy:"namespace=http.reverse_proxy.transport inline_key=protocol"`

	servers *servers
	scopes  func() scopes
}

// CaddyModule returns the Caddy module information.
func (ResourceMetadata) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{
		ID:  "http.handlers.protected_resource_metadata",
		New: func() caddy.Module { return new(ResourceMetadata) },
	}
}

// Provision checks the resource.
func (m *ResourceMetadata) Provision(ctx caddy.Context) (err error) {
	defer args.SegmentOf(m).Locate(&err)
	if m.Resource.Resource == "" {
		return fmt.Errorf("resource is missing")
	}
	if err := m.resolve(); err != nil {
		return err
	}
	m.scopes = offered(ctx, m.Issuer, m.Resource.Resource, m.Scopes, nil)
	if len(m.AuthorizationServers) > 0 {
		m.servers = &servers{listed: m.AuthorizationServers}
		return nil
	}
	issuer, err := resolveIssuer(m.Issuer)
	if err != nil {
		return err
	}
	transport, trusts, err := backchannel.Load(ctx, m, m.TransportRaw, idp.DefaultTimeout)
	if err != nil {
		return err
	}
	at, err := args.Resolve("discover", m.DiscoverAt)
	if err != nil {
		return err
	}
	handle, err := issuers.Open(issuer, issuers.Access{Storage: ctx.Storage(), Logger: ctx.Logger(), Transport: transport, Trusts: trusts, At: at})
	m.servers = &servers{issuer: issuer, metadata: handle}
	return err
}

// Cleanup gives back what Provision acquired.
func (m *ResourceMetadata) Cleanup() error {
	if m.servers == nil || m.servers.metadata == nil {
		return nil
	}
	return m.servers.metadata.Close()
}

// ServeHTTP serves the document, and passes every other request on.
func (m *ResourceMetadata) ServeHTTP(w http.ResponseWriter, r *http.Request, next caddyhttp.Handler) error {
	if m.serve(w, r, m.servers, m.scopes, m.DPoP) {
		return nil
	}
	return next.ServeHTTP(w, r)
}

// Interface guards
var (
	_ caddy.Provisioner           = (*ResourceMetadata)(nil)
	_ caddy.CleanerUpper          = (*ResourceMetadata)(nil)
	_ caddyhttp.MiddlewareHandler = (*ResourceMetadata)(nil)
)

// scopes are what clients are told of those that they can ask for.
type scopes struct {
	all   []string // scopes_supported of the metadata
	first []string // scope of a challenge: what a client asks for at first
}

// offerers know the scopes of the resources of the gateways in a configuration: the app
// identity_gateway.
type offerers interface {
	Offered(publicURL, resource string) (all, first []string)
}

// offered are the scopes that requests need, those that rules by tool name, and those that the
// gateway of this issuer has for the resource, if it is in the same configuration. They are
// looked up once, by the first request: then all gateways are there.
func offered(ctx caddy.Context, issuer, resource string, required []string, rules []string) func() scopes {
	return sync.OnceValue(func() scopes {
		s := scopes{all: union(required, rules), first: required}
		if app, err := ctx.AppIfConfigured("identity_gateway"); err == nil {
			all, first := app.(offerers).Offered(strings.TrimSuffix(issuer, "/"), resource)
			s.all, s.first = union(s.all, all), union(s.first, first)
		}
		return s
	})
}

func union(names, more []string) []string {
	names = slices.Clone(names)
	for _, name := range more {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
