package testidp

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// Paths of the provider: those of an Auth0 tenant.
const (
	PathIndex       = "/"
	PathAuthorize   = "/authorize"
	PathLogin       = "/u/login"
	PathToken       = "/oauth/token"
	PathRevoke      = "/oauth/revoke"
	PathPAR         = "/oauth/par"
	PathUserInfo    = "/userinfo"
	PathLogout      = "/v2/logout"
	PathDiscovery   = "/.well-known/openid-configuration"
	PathOAuthServer = "/.well-known/oauth-authorization-server"
	PathKeys        = "/.well-known/jwks.json"
)

// endpoint is what is served at one of the paths.
type endpoint struct {
	methods string
	serve   http.HandlerFunc
	host    Host
	member  string // that names it in the metadata
	scripts bool   // of pages of other origins may call it
}

func (p *Provider) endpoints() map[string]endpoint {
	return map[string]endpoint{
		PathIndex:       {methods: "GET", serve: p.index},
		PathAuthorize:   {methods: "GET POST", serve: p.authorize, member: "authorization_endpoint"},
		PathLogin:       {methods: "GET POST", serve: p.login},
		PathLogout:      {methods: "GET", serve: p.logout, member: "end_session_endpoint"},
		PathPAR:         {methods: "POST", serve: p.push, member: "pushed_authorization_request_endpoint"},
		PathToken:       {methods: "POST", serve: p.token, member: "token_endpoint", host: TokenHost, scripts: true},
		PathRevoke:      {methods: "POST", serve: p.revoke, member: "revocation_endpoint", scripts: true},
		PathUserInfo:    {methods: "GET", serve: p.userInfo, member: "userinfo_endpoint", host: UserInfoHost, scripts: true},
		PathKeys:        {methods: "GET", serve: p.keys, member: "jwks_uri", host: KeysHost, scripts: true},
		PathDiscovery:   {methods: "GET", serve: p.discovery, host: IssuerHost, scripts: true},
		PathOAuthServer: {methods: "GET", serve: p.discovery, host: IssuerHost, scripts: true},
	}
}

// Path is where the provider has what an Auth0 tenant has at a path, "" if it has no such thing.
func (b *Behavior) Path(standard string) string {
	path, moved := b.Endpoints[standard]
	switch {
	case moved:
		return path
	case standard == PathPAR && !b.OffersPAR && !b.RequiresPAR:
		return ""
	case standard == PathDiscovery:
		return b.IssuerPath + standard
	}
	return standard
}

// address is the URL of what an Auth0 tenant has at a path, "" if there is no such thing.
func (p *Provider) address(r *http.Request, standard string) string {
	if path := p.Path(standard); path != "" {
		return p.base(r, p.endpoints()[standard].host) + path
	}
	return ""
}

// endpointAt finds what is served at a path.
func (p *Provider) endpointAt(path string) (endpoint, bool) {
	if p.Routes != nil {
		path = p.Routes(path)
	}
	for standard, e := range p.endpoints() {
		at := p.Path(standard)
		if at != "" && path == at || p.GitHub && standard == PathUserInfo && strings.HasPrefix(path, at+"/") {
			return e, true
		}
	}
	return endpoint{}, false
}

// Owns says whether the path is one of the provider's.
func (p *Provider) Owns(path string) bool {
	_, ok := p.endpointAt(path)
	return ok
}

// serve serves one of the paths, and lets pages of clients call some (Fetch standard).
func (p *Provider) serve(w http.ResponseWriter, r *http.Request) {
	e, ok := p.endpointAt(r.URL.Path)
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	if e.scripts {
		h.Add("Vary", "Origin")
		origin := r.Header.Get("Origin")
		if slices.ContainsFunc(p.Clients, func(c Client) bool { return c.isOfPage(origin) }) {
			h.Set("Access-Control-Allow-Origin", origin)
			h.Set("Access-Control-Allow-Methods", "GET, POST")
			h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Auth0-Client, DPoP")
		}
		if r.Method == http.MethodOptions {
			w.WriteHeader(http.StatusNoContent)
			return
		}
	}
	if !slices.Contains(strings.Fields(e.methods), strings.Replace(r.Method, "HEAD", "GET", 1)) {
		h.Set("Allow", strings.ReplaceAll(e.methods, " ", ", "))
		http.Error(w, "the method is not allowed", http.StatusMethodNotAllowed)
		return
	}
	e.serve(w, r)
}

// discovery is the provider's metadata (OpenID Connect Discovery 1.0, RFC 8414).
func (p *Provider) discovery(w http.ResponseWriter, r *http.Request) {
	metadata := map[string]any{
		"issuer":                                         p.issuer(r),
		"response_types_supported":                       []string{"code"},
		"grant_types_supported":                          []string{"authorization_code", "refresh_token"},
		"subject_types_supported":                        []string{"public"},
		"id_token_signing_alg_values_supported":          []string{p.key().Algorithm},
		"token_endpoint_auth_methods_supported":          []string{"none", "client_secret_basic", "client_secret_post"},
		"authorization_response_iss_parameter_supported": p.SendsIssuer,
		"response_modes_supported":                       p.ResponseModes,
		"require_pushed_authorization_requests":          p.RequiresPAR,
	}
	for standard, e := range p.endpoints() {
		if address := p.address(r, standard); e.member != "" && address != "" {
			metadata[e.member] = address
		}
	}
	if p.VerifiesPKCE {
		metadata["code_challenge_methods_supported"] = []string{"S256"}
	}
	if len(p.Scopes) > 0 {
		metadata["scopes_supported"] = p.Scopes
	}
	maps.Copy(metadata, p.Metadata)
	maps.DeleteFunc(metadata, func(_ string, value any) bool { return value == nil })
	writeJSON(w, http.StatusOK, metadata)
}
