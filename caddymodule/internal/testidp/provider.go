// Package testidp is an OpenID provider for development and tests.
//
// [New] makes the one of `make run`: strict, laid out like an Auth0 tenant, with a login
// page and a list of users to choose from, without passwords. [Start] starts a server
// each check of which can be switched off while it runs ([Behavior]), and which records
// everything that reaches it and every token that it issues, so that a test can say what
// an attack achieved.
//
// It is not for production: everybody who reaches it can be anybody. That is why
// [Provider] serves only on the loopback interface. Keys, sessions and tokens live
// in memory, bounded in number, and are gone when the process ends.
package testidp

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// Config is what a [Provider] for development is made from. The zero value is a working one:
// the embedded users and clients, a login page, and the issuer taken from the
// request's host.
type Config struct {
	// Issuer is the `iss` of every token and the base of the endpoints that
	// discovery names, for example "http://localhost:8080/". Empty: scheme and
	// host of each request, with a trailing slash as Auth0 has it. Give it when
	// clients know the provider by another address, that of the gateway.
	Issuer string

	// AutoLogin is a username. When it is set, /authorize finishes as this user
	// without showing the page, also for prompt=none.
	AutoLogin string

	// Clients may start a login. Empty: the embedded ones, one native
	// application and one single-page application.
	Clients []Client

	// Logger receives rejected requests, without tokens and codes. Nil: none.
	Logger *slog.Logger

	// Now is the clock, for tests. Nil: [time.Now].
	Now func() time.Time
}

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

// Provider is an [http.Handler] that serves the paths above and returns 404 for
// the rest. It is safe for concurrent use.
type Provider struct {
	Behavior
	config  Config
	users   []user // nil: anybody can be a user
	clients map[string]*registration
	store   *store
	key     func() (jose.JSONWebKey, error)
	issuer  func(*http.Request) string
	address func(r *http.Request, path string) string // the URL of one of the paths
	issued  func(Token)                               // hears of each token
	mux     *http.ServeMux
	logger  *slog.Logger
}

//go:embed defaults.json
var defaultsJSON []byte

// defaults are the users, and the clients of a configuration that has none.
type defaults struct {
	Users   []user   `json:"users"`
	Clients []Client `json:"clients"`
}

// New checks the configuration and makes a provider. It does not touch the
// network; the signing key is generated when the first token needs it.
func New(config Config) (*Provider, error) {
	var defaults defaults
	if err := json.Unmarshal(defaultsJSON, &defaults); err != nil {
		return nil, fmt.Errorf("decoding the embedded users and clients: %w", err)
	}
	config.fill(defaults)
	p := &Provider{
		Behavior: development(config.Clients), config: config, users: defaults.Users, logger: config.Logger,
		store: newStore(config.Now), key: sync.OnceValues(rsaKey), issued: func(Token) {},
	}
	var err error
	if p.clients, err = register(config.Clients); err != nil {
		return nil, err
	}
	for id, client := range p.clients {
		if len(client.redirectURIs) == 0 {
			return nil, fmt.Errorf("client %q has no redirect URI", id)
		}
	}
	if err := p.checkAutoLogin(); err != nil {
		return nil, err
	}
	if p.issuer, err = issuerFor(config.Issuer); err != nil {
		return nil, err
	}
	p.address = func(r *http.Request, path string) string { return strings.TrimSuffix(p.issuer(r), "/") + path }
	p.routes()
	return p, nil
}

func (p *Provider) routes() {
	p.mux = http.NewServeMux()
	for pattern, handler := range map[string]http.HandlerFunc{
		"POST " + PathToken: p.token, "POST " + PathRevoke: p.revoke, "GET " + PathUserInfo: p.userInfo,
		"GET " + PathDiscovery: p.discovery, "GET " + PathOAuthServer: p.discovery, "GET " + PathKeys: p.keys,
	} {
		_, path, _ := strings.Cut(pattern, " ")
		p.mux.HandleFunc(pattern, p.crossOrigin(handler))
		p.mux.HandleFunc("OPTIONS "+path, p.crossOrigin(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	}
	p.mux.HandleFunc("POST "+PathPAR, p.push)
	p.mux.HandleFunc("GET /{$}", p.index)
	p.mux.HandleFunc("GET "+PathAuthorize, p.authorize)
	p.mux.HandleFunc("POST "+PathAuthorize, p.authorize)
	p.mux.HandleFunc("GET "+PathLogin, p.loginPage)
	p.mux.HandleFunc("POST "+PathLogin, p.login)
	p.mux.HandleFunc("GET "+PathLogout, p.logout)
}

// crossOrigin lets pages of registered origins call an endpoint (Fetch standard).
func (p *Provider) crossOrigin(endpoint http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Add("Vary", "Origin")
		if origin := r.Header.Get("Origin"); p.originAllowed(origin) {
			h.Set("Access-Control-Allow-Origin", origin)
			if r.Method == http.MethodOptions {
				h.Set("Access-Control-Allow-Methods", "GET, POST")
				h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Auth0-Client, DPoP")
			}
		}
		endpoint(w, r)
	}
}

// discovery is the provider's metadata (OpenID Connect Discovery 1.0, RFC 8414).
func (p *Provider) discovery(w http.ResponseWriter, r *http.Request) {
	key, err := p.key()
	if err != nil {
		p.oauthProblem(w, err)
		return
	}
	methods := []string{"none", string(ClientSecretBasic), string(ClientSecretPost)}
	metadata := map[string]any{
		"issuer":                                         p.issuer(r),
		"response_types_supported":                       []string{"code"},
		"grant_types_supported":                          []string{"authorization_code", "refresh_token"},
		"subject_types_supported":                        []string{"public"},
		"id_token_signing_alg_values_supported":          []string{key.Algorithm},
		"token_endpoint_auth_methods_supported":          methods,
		"authorization_response_iss_parameter_supported": p.SendsIssuer,
		"response_modes_supported":                       p.responseModes(),
		"require_pushed_authorization_requests":          p.PAR == RequiresPAR,
	}
	for name, path := range map[string]string{
		"authorization_endpoint": PathAuthorize, "token_endpoint": PathToken, "userinfo_endpoint": PathUserInfo,
		"revocation_endpoint": PathRevoke, "end_session_endpoint": PathLogout, "jwks_uri": PathKeys,
		"pushed_authorization_request_endpoint": PathPAR,
	} {
		metadata[name] = p.address(r, path)
	}
	if p.Logout == NoLogout {
		delete(metadata, "end_session_endpoint")
	}
	if p.PAR == NoPAR {
		delete(metadata, "pushed_authorization_request_endpoint")
	}
	if p.PKCE != IgnoresPKCE {
		metadata["code_challenge_methods_supported"] = []string{"S256"}
	}
	if len(p.Scopes) > 0 {
		metadata["scopes_supported"] = p.Scopes
	}
	maps.Copy(metadata, p.Metadata)
	maps.DeleteFunc(metadata, func(_ string, value any) bool { return value == nil })
	writeJSON(w, http.StatusOK, metadata)
}

// Owns says whether the path is one of the provider's.
func (p *Provider) Owns(path string) bool {
	return slices.Contains([]string{
		PathIndex, PathAuthorize, PathLogin, PathToken, PathRevoke, PathPAR, PathUserInfo, PathLogout, PathDiscovery, PathOAuthServer, PathKeys,
	}, path)
}

// ServeHTTP implements [http.Handler]. A request that does not come over the
// loopback interface gets 403.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := checkLoopback(r); err != nil {
		p.logger.Warn("development identity provider rejected a request", "reason", err.Error())
		p.errorPage(w, http.StatusForbidden, "This identity provider is for development.", err.Error())
		return
	}
	p.mux.ServeHTTP(w, r)
}

func (c *Config) fill(defaults defaults) {
	if len(c.Clients) == 0 {
		c.Clients = defaults.Clients
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
}

func (p *Provider) checkAutoLogin() error {
	var names []string
	for _, user := range p.users {
		names = append(names, user.Username)
	}
	if user := p.config.AutoLogin; user != "" && !slices.Contains(names, user) {
		return fmt.Errorf("auto login names the user %q, known are: %s", user, strings.Join(names, ", "))
	}
	return nil
}

// checkLoopback returns an error unless the peer, our own address and the Host
// all belong to this machine. The Host counts because a foreign web page can
// make a browser resolve its own name to 127.0.0.1 (DNS rebinding).
func checkLoopback(r *http.Request) error {
	if r.RemoteAddr != "@" && !isLoopback(r.RemoteAddr) { // "@" is a peer on a Unix socket
		return errors.New("the request comes from another machine; only requests over the loopback interface are served")
	}
	// A Unix socket is on no network.
	if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && local.Network() != "unix" && !isLoopback(local.String()) {
		return errors.New("the request arrived on a public address; bind the site to localhost")
	}
	if !isLoopback(r.Host) {
		return errors.New("the Host of the request is not localhost or a loopback address")
	}
	return nil
}

// isLoopback takes an address with or without a port.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.Trim(address, "[]")
	}
	return uris.IsLoopback(host)
}

// issuerFor returns the function that names the issuer of a request.
func issuerFor(issuer string) (func(*http.Request) string, error) {
	if issuer == "" {
		return func(r *http.Request) string {
			scheme := "http"
			if r.TLS != nil {
				scheme = "https"
			}
			return scheme + "://" + r.Host + "/"
		}, nil
	}
	u, err := url.Parse(issuer)
	if err != nil {
		return nil, fmt.Errorf("the issuer is not a URL: %w", err)
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return nil, errors.New("the issuer must be an http or https URL with a host and without query, fragment and userinfo, for example http://localhost:8080/")
	}
	return func(*http.Request) string { return issuer }, nil
}
