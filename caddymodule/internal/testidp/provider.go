// Package testidp is an OpenID provider for development and tests.
//
// [New] makes the one of `make run`: strict, laid out like an Auth0 tenant, with a login
// page and a list of users to choose from, without passwords. [Start] starts a server
// each check of which can be switched off while it runs ([Behavior]), and which records
// everything that reaches it and every token that it issues, so that a test can say what
// an attack achieved.
//
// It is not for production: everybody who reaches it can be anybody. That is why
// [Provider] serves only on the loopback interface. Keys and tokens live
// in memory, bounded in number, and are gone when the process ends.
package testidp

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
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
}

// Provider is an [http.Handler] that serves the paths of an Auth0 tenant and returns 404 for
// the rest. It is safe for concurrent use.
type Provider struct {
	Behavior
	autoLogin string
	users     []user // nil: anybody can be a user
	clients   map[string]Client
	store     *store
	key       func() (jose.JSONWebKey, error)
	issuer    func(*http.Request) string
	base      func(*http.Request, Host) string // the URL of a host
	issued    func(Token)                      // hears of each token
	held      *atomic.Int32                    // requests that wait for the end of an outage
	logger    *slog.Logger
}

//go:embed defaults.json
var defaultsJSON []byte

// New checks the configuration and makes a provider. It does not touch the
// network; the signing key is generated when the first token needs it.
func New(config Config) (*Provider, error) {
	var defaults struct {
		Users   []user   `json:"users"`
		Clients []Client `json:"clients"`
	}
	if err := json.Unmarshal(defaultsJSON, &defaults); err != nil {
		return nil, fmt.Errorf("decoding the embedded users and clients: %w", err)
	}
	if len(config.Clients) == 0 {
		config.Clients = defaults.Clients
	}
	p := &Provider{
		Behavior: development(config.Clients), autoLogin: config.AutoLogin, users: defaults.Users, logger: config.Logger,
		store: newStore(time.Now, capacity), key: sync.OnceValues(rsaKey), issued: func(Token) {}, held: new(atomic.Int32),
	}
	if p.logger == nil {
		p.logger = slog.New(slog.DiscardHandler)
	}
	var err error
	if p.clients, err = register(config.Clients); err != nil {
		return nil, err
	}
	for id, client := range p.clients {
		if len(client.RedirectURIs) == 0 {
			return nil, fmt.Errorf("client %q has no redirect URI", id)
		}
	}
	if _, known := p.userByName(p.autoLogin); p.autoLogin != "" && !known {
		var names []string
		for _, user := range p.users {
			names = append(names, user.Username)
		}
		return nil, fmt.Errorf("auto login names the user %q, known are: %s", p.autoLogin, strings.Join(names, ", "))
	}
	if p.issuer, err = issuerFor(config.Issuer); err != nil {
		return nil, err
	}
	p.base = func(r *http.Request, _ Host) string { return strings.TrimSuffix(p.issuer(r), "/") }
	return p, nil
}

// ServeHTTP implements [http.Handler]. A request that does not come over the
// loopback interface gets 403.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := checkLoopback(r); err != nil {
		p.logger.Warn("development identity provider rejected a request", "reason", err.Error())
		p.page(w, http.StatusForbidden, "error.html", map[string]any{"Heading": "This identity provider is for development.", "Detail": err.Error()})
		return
	}
	p.serve(w, r)
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
	u, err := parseAbsoluteURI(issuer)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" {
		return nil, errors.New("the issuer must be an http or https URL with a host and without query, fragment and userinfo, for example http://localhost:8080/")
	}
	return func(*http.Request) string { return issuer }, nil
}
