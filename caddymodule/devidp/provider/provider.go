// Package provider is a small OpenID provider for development and tests, laid
// out like an Auth0 tenant: the same paths, the same parameters, the same
// shape of user. The protocol is github.com/zitadel/oidc; this package adds the
// people (a list of users to choose from, no passwords), the sessions and the
// response modes.
//
// It is not for production: everybody who reaches it can be anybody. That is
// why it serves only on the loopback interface. Keys, sessions and tokens live
// in memory, bounded in number, and are gone when the process ends.
package provider

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/rs/cors"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// Config is what a [Provider] is made from. The zero value is a working one:
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

	// Users can be chosen on the login page. Empty: the embedded ones.
	Users []User

	// Clients may start a login. Empty: the embedded ones, one native
	// application and one single-page application.
	Clients []Client

	// AccessTokenLifetime is also that of ID tokens. Zero: one hour.
	AccessTokenLifetime time.Duration

	// RefreshTokenLifetime counts from each rotation. Zero: 24 hours.
	RefreshTokenLifetime time.Duration

	// CodeLifetime limits the time from the login to the exchange. Zero: one minute.
	CodeLifetime time.Duration

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
	PathOIDCLogout  = "/oidc/logout"
	PathDiscovery   = "/.well-known/openid-configuration"
	PathOAuthServer = "/.well-known/oauth-authorization-server"
	PathKeys        = "/.well-known/jwks.json"
)

// Provider is an [http.Handler] that serves the paths above and returns 404 for
// the rest. It is safe for concurrent use.
type Provider struct {
	config  Config
	users   []User
	clients map[string]*registration
	store   *store
	op      *op.Provider
	issuer  op.IssuerFromRequest
	mux     *http.ServeMux
	handler http.Handler
	logger  *slog.Logger
}

// New checks the configuration and makes a provider. It does not touch the
// network; the signing key is generated when the first token needs it.
func New(config Config) (*Provider, error) {
	if err := config.fillDefaults(); err != nil {
		return nil, err
	}
	p := &Provider{config: config, users: config.Users, logger: config.Logger}

	var err error
	if p.clients, err = register(config.Clients, config.AccessTokenLifetime); err != nil {
		return nil, err
	}
	if err := checkUsers(config.Users, config.AutoLogin); err != nil {
		return nil, err
	}
	if p.issuer, err = issuerFor(config.Issuer); err != nil {
		return nil, err
	}
	p.store = newStore(config, p.clients)

	opConfig := &op.Config{CodeMethodS256: true, GrantTypeRefreshToken: true}
	rand.Read(opConfig.CryptoKey[:])
	p.op, err = op.NewProvider(opConfig, p.store,
		func(bool) (op.IssuerFromRequest, error) { return p.issuer, nil },
		op.WithAllowInsecure(), op.WithLogger(p.logger))
	if err != nil {
		return nil, fmt.Errorf("making the OpenID provider: %w", err)
	}

	p.mux = http.NewServeMux()
	p.routes()
	p.handler = op.NewIssuerInterceptor(p.issuer).Handler(p.mux)
	return p, nil
}

func (p *Provider) routes() {
	crossOrigin := cors.New(cors.Options{
		AllowOriginFunc: p.originAllowed,
		AllowedMethods:  []string{http.MethodGet, http.MethodPost},
		AllowedHeaders:  []string{"Authorization", "Content-Type", "Auth0-Client", "DPoP"},
	})
	api := func(pattern string, handler http.HandlerFunc) {
		method, path, _ := strings.Cut(pattern, " ")
		p.mux.Handle(method+" "+path, crossOrigin.Handler(handler))
		p.mux.Handle("OPTIONS "+path, crossOrigin.Handler(http.NotFoundHandler()))
	}
	api("POST "+PathToken, p.token)
	api("POST "+PathRevoke, p.revoke)
	p.mux.HandleFunc("POST "+PathPAR, p.push)
	api("GET "+PathUserInfo, p.userInfo)
	api("GET "+PathDiscovery, p.discovery)
	api("GET "+PathOAuthServer, p.discovery)
	api("GET "+PathKeys, func(w http.ResponseWriter, r *http.Request) { op.Keys(w, r, p.store) })

	p.mux.HandleFunc("GET /{$}", p.index)
	p.mux.HandleFunc("GET "+PathAuthorize, p.authorize)
	p.mux.HandleFunc("GET "+PathLogin, p.loginPage)
	p.mux.HandleFunc("POST "+PathLogin, p.login)
	p.mux.HandleFunc("GET "+PathLogout, p.logout)
	p.mux.HandleFunc("GET "+PathOIDCLogout, p.oidcLogout)
}

// Owns says whether the path is one of the provider's.
func (p *Provider) Owns(path string) bool {
	switch path {
	case PathIndex, PathAuthorize, PathLogin, PathToken, PathRevoke, PathPAR, PathUserInfo,
		PathLogout, PathOIDCLogout, PathDiscovery, PathOAuthServer, PathKeys:
		return true
	}
	return false
}

// ServeHTTP implements [http.Handler]. A request that does not come over the
// loopback interface gets 403.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := checkLoopback(r); err != nil {
		p.logger.Warn("development identity provider rejected a request", "reason", err.Error())
		p.errorPage(w, http.StatusForbidden, "This identity provider is for development.", err.Error())
		return
	}
	p.handler.ServeHTTP(w, r)
}

func (c *Config) fillDefaults() error {
	defaults, err := embeddedDefaults()
	if err != nil {
		return err
	}
	if len(c.Users) == 0 {
		c.Users = defaults.Users
	}
	if len(c.Clients) == 0 {
		c.Clients = defaults.Clients
	}
	for _, lifetime := range []struct {
		name  string
		value *time.Duration
		empty time.Duration
	}{
		{"access token", &c.AccessTokenLifetime, time.Hour},
		{"refresh token", &c.RefreshTokenLifetime, 24 * time.Hour},
		{"code", &c.CodeLifetime, time.Minute},
	} {
		if *lifetime.value == 0 {
			*lifetime.value = lifetime.empty
		}
		if *lifetime.value < 0 {
			return fmt.Errorf("the %s lifetime is negative: %s", lifetime.name, *lifetime.value)
		}
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return nil
}

func checkUsers(users []User, autoLogin string) error {
	var names []string
	for i, user := range users {
		if user.Username == "" {
			return fmt.Errorf("user %d has no username", i+1)
		}
		if slices.Contains(names, user.Username) {
			return fmt.Errorf("user %q is given twice", user.Username)
		}
		names = append(names, user.Username)
	}
	if autoLogin != "" && !slices.Contains(names, autoLogin) {
		return fmt.Errorf("auto login names the user %q, known are: %s", autoLogin, strings.Join(names, ", "))
	}
	return nil
}

// issuerFor returns the function that names the issuer of a request.
func issuerFor(issuer string) (op.IssuerFromRequest, error) {
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

func issuerOf(ctx context.Context) string { return op.IssuerFromContext(ctx) }

func endpointURL(ctx context.Context, path string) string {
	return strings.TrimSuffix(issuerOf(ctx), "/") + path
}
