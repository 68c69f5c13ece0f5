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
//
// # Files
//
//	provider.go: what a provider for development is made from
//	endpoints.go: which paths there are, and what a request to one passes first; discovery
//	client.go: what a client is registered with
//	user.go: who can log in, and which claims they have
//	authorize.go: /authorize: what a request must be, login and session
//	pages.go: its pages of HTML
//	response.go: the response to the client's redirect URI
//	token.go: /oauth/token, user info, tokens and their claims, PAR
//	store.go: codes, tokens, sessions and pushed requests: how long each is good, used once or not
//	logout.go: /v2/logout and RP-initiated logout: where people return to
//	behavior.go: each check that can be switched off
//	profiles.go: how Google, Entra, Okta and others behave
//	github.go: what is GitHub's own: its token response, its API
//	server.go: a provider as a server for tests, and what it records
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
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// Config is what a [Provider] for development is made from. The zero value is a working one:
// the embedded users and clients, a login page, and the issuer taken from the
// request's host.
type Config struct {
	// The issuer of the tokens and the base of the endpoints in the discovery
	// document, for example `http://localhost:8080/`. Default: scheme and host
	// of the request. Set it to the gateway's address when clients log in there.
	Issuer string `json:"issuer,omitempty"`

	// A username. When it is given, every login finishes at once as this user,
	// without a page and also with `prompt=none`.
	AutoLogin string `json:"auto_login,omitempty"`

	// Which applications may use it. Default: `dev-native`, a native application
	// on any loopback port, and `dev-spa`, a page on any localhost port.
	Clients []Client `json:"clients,omitempty"`
}

// Provider is an [http.Handler] that serves the paths of an Auth0 tenant and returns 404 for
// the rest. It is safe for concurrent use.
type Provider struct {
	Behavior
	autoLogin string
	users     []user // nil: anybody can be a user
	clients   map[string]Client
	store     *store
	key       func() jose.JSONWebKey
	server    *Server // that it is the provider of; nil for one of [New]
	logger    *slog.Logger
}

//go:embed defaults.json
var defaultsJSON []byte

// New checks the configuration and makes a provider. It does not touch the
// network; the signing key is generated when the first token needs it. The logger
// receives rejected requests, without tokens and codes.
func New(config Config, logger *slog.Logger) (*Provider, error) {
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
	clients, err := register(config.Clients)
	if err != nil {
		return nil, err
	}
	for id, client := range clients {
		if len(client.RedirectURIs) == 0 {
			return nil, fmt.Errorf("client %q has no redirect URI", id)
		}
	}
	if u, err := uris.Parse(config.Issuer); config.Issuer != "" && (err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "") {
		return nil, errors.New("the issuer must be an http or https URL with a host and without query, fragment and userinfo, for example http://localhost:8080/")
	}
	p := &Provider{
		Behavior: development(config), autoLogin: config.AutoLogin, users: defaults.Users, clients: clients, logger: logger,
		store: newStore(time.Now, capacity), key: sync.OnceValue(rsaKey),
	}
	if _, known := p.userByName(p.autoLogin); p.autoLogin != "" && !known {
		var names []string
		for _, user := range p.users {
			names = append(names, user.Username)
		}
		return nil, fmt.Errorf("auto login names the user %q, known are: %s", p.autoLogin, strings.Join(names, ", "))
	}
	return p, nil
}

// issuer is `iss` of every token.
func (p *Provider) issuer(r *http.Request) string {
	switch {
	case p.Issuer != "":
		return p.Issuer
	case p.server != nil:
		return p.server.HostURL(IssuerHost) + p.IssuerPath
	case r.TLS != nil:
		return "https://" + r.Host + "/"
	}
	return "http://" + r.Host + "/" // with a slash, as Auth0 has it
}

// base is the URL of a host.
func (p *Provider) base(r *http.Request, host Host) string {
	if p.server == nil {
		return strings.TrimSuffix(p.issuer(r), "/")
	}
	return p.server.HostURL(host)
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
