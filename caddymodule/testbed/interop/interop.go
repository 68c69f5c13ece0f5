package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/caddyserver/caddy/v2"
)

// Steps of every cell, in order.
var Steps = []string{"login", "userinfo", "refresh", "logout"}

// ErrUnavailable is wrapped by errors that say what is not installed here.
var ErrUnavailable = errors.New("not available here")

// IdP is an identity provider that can be started.
type IdP struct {
	Name  string
	start func(context.Context, *environment) (*runningIdP, error)
	// hinted: a logout must have an ID token, which only standard clients can send.
	hinted bool
}

// IdPs are all providers, in the order of the table.
func IdPs() []IdP {
	return []IdP{
		{"development IdP", startDevelopmentIdP, false},
		{"development IdP, proxied", startProxiedDevelopmentIdP, false},
		{"oidc-provider", startOIDCProvider, false},
		{"auth0-simulator", startSimulator, false},
		{"Keycloak", startKeycloak, false},
		{"Spring Authorization Server", startSpring, true},
	}
}

// Client is an application that can be run against a gateway.
type Client struct {
	Name string
	run  func(context.Context, *environment, session) ([]Result, error)
	// standard clients work at every provider of a recipe.
	standard bool
}

// Clients are all clients, in the order of the table.
func Clients() []Client {
	return []Client{
		{"x/oauth2 + go-oidc", runGoClient, true},
		{"openid-client", nodeClient("openid-client.mjs", false), true},
		{"pieces-os-client", nodeClient("pieces-os-client.cjs", false), false},
		{"auth0-spa-js in Chromium", nodeClient("auth0-spa-js.mjs", true), false},
	}
}

// Result is the outcome of one step.
type Result struct {
	Step   string `json:"step"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail,omitempty"` // what failed, or what is worth knowing
}

// Cell is one client against one provider.
type Cell struct {
	IdP, Registration, Client string

	Steps   []string // those to pass; nil stands for all of [Steps]
	Lacks   []string // steps that the provider has no endpoint for
	Results []Result
	Err     error // the client or the provider did not run at all
}

// NotRun says whether something that the cell needs is not installed here.
func (c Cell) NotRun() bool { return errors.Is(c.Err, ErrUnavailable) }

// Passed says whether every step that the provider offers was run and passed.
func (c Cell) Passed() bool {
	return c.Err == nil && len(c.Results) > 0 && len(c.failed()) == 0
}

// failed are the steps that did not pass, or that were not run though the provider offers them.
func (c Cell) failed() (failed []string) {
	done := slices.Clone(c.Lacks)
	for _, result := range c.Results {
		if done = append(done, result.Step); !result.OK {
			failed = append(failed, result.Step)
		}
	}
	steps := c.Steps
	if steps == nil {
		steps = Steps
	}
	return append(failed, slices.DeleteFunc(slices.Clone(steps), func(step string) bool { return slices.Contains(done, step) })...)
}

// runningIdP is a started provider, and how the gateway and clients use it.
type runningIdP struct {
	issuer   string
	authURL  string
	jwksURI  string
	gateway  string // further options of identity_gateway in the Caddyfile
	callback string // and those that it needs beside callback
	par      string // and those that have requests pushed to it, by a confidential client
	audience string // what its clients may ask for, "" for anything
	rest     string // what the gateway's site does with all other requests
	sites    string // further sites of the Caddyfile
	clientID string // of the native application, before the registration's suffix
	spaID    string // of the page
	// how the gateway sends its secret, "" for client_secret_basic
	secretMethod string
	scope        string
	username     string
	password     string
	lacks        []string    // steps that it has no endpoint for
	publicLacks  []string    // and those that it has for confidential clients only
	frames       bool        // its cookies work in a hidden frame
	proxied      bool        // its front channel is the gateway's
	silent       bool        // it finishes logins without a person
	logInPage    pageHandler // for login pages that need JavaScript

	recipe    string            // the whole directive, in the place of authURL and all options
	params    map[string]string // that its clients have to send to /authorize
	oauthOnly bool              // there are no ID tokens
	hints     bool              // a logout has an id_token_hint
	algorithm string            // of ID tokens, "" for RS256

	api, mcp string // what require_token protects
}

// lackedBy are the steps that it does not have for a registration, never nil.
func (idp *runningIdP) lackedBy(r Registration) []string {
	lacks := append([]string{}, idp.lacks...)
	if r.secret == "" {
		lacks = append(lacks, idp.publicLacks...)
	}
	return lacks
}

const testAudience = "https://api.example/"

// session is what a client needs to know. Scripts get it as JSON.
type session struct {
	Gateway     string `json:"gateway"`
	Issuer      string `json:"issuer"`
	JWKSURI     string `json:"jwks_uri"`
	ClientID    string `json:"client_id"`
	SPAClientID string `json:"spa_client_id"`
	Scope       string `json:"scope"`
	Audience    string `json:"audience"`
	RedirectURI string `json:"redirect_uri"`
	ReturnTo    string `json:"return_to"`
	Browser     string `json:"browser"` // POST {"url": ...}: where a person's browser ends up
	SPAPort     int    `json:"spa_port"`
	Username    string `json:"username"`
	Password    string `json:"password"`
	Frames      bool   `json:"frames"` // pages can also renew their login in a hidden frame
	Silent      bool   `json:"silent"` // a login needs no person

	AuthParams map[string]string `json:"auth_params"` // more for /authorize
	OAuthOnly  bool              `json:"oauth_only"`  // there are no ID tokens
	Hints      bool              `json:"hints"`       // a logout has an id_token_hint
	// IDTokenAlgorithm signs ID tokens, if it is not RS256.
	IDTokenAlgorithm string `json:"id_token_algorithm,omitempty"`

	// What require_token protects, in the row by metadata: an API that says who
	// calls it, and a server of the Model Context Protocol, which is the script's own
	// on SPAPort.
	API           string `json:"api,omitempty"`
	MCP           string `json:"mcp,omitempty"`
	OtherAudience string `json:"other_audience,omitempty"`

	// Steps that the provider has no endpoint for. Clients leave them out.
	Lacks    []string `json:"lacks"`
	Chromium string   `json:"chromium"`
}

// Rows starts one provider, and for each registration the gateway in front of it,
// and runs the clients. At most one Rows runs at a time in a process: there is
// one Caddy.
func Rows(ctx context.Context, idp IdP, registrations []Registration, clients []Client) []Cell {
	var cells []Cell
	for _, registration := range registrations {
		for _, client := range clients {
			cells = append(cells, Cell{IdP: idp.Name, Registration: registration.Name, Client: client.Name})
		}
	}
	e, running, err := start(ctx, idp)
	if err != nil {
		for i := range cells {
			cells[i].Err = err
		}
		return cells
	}
	defer e.close()
	for i, registration := range registrations {
		row := cells[i*len(clients) : (i+1)*len(clients)]
		err := startGateway(ctx, e, running, registration)
		for j, client := range clients {
			if row[j].Err = err; err != nil {
				continue
			}
			row[j].Lacks = running.lackedBy(registration)
			e.browser.reset()
			clientCtx, done := context.WithTimeout(ctx, 2*time.Minute)
			row[j].Results, row[j].Err = client.run(clientCtx, e, e.session(running, registration))
			done()
		}
	}
	return cells
}

// start brings up a provider.
func start(ctx context.Context, idp IdP) (*environment, *runningIdP, error) {
	e, err := newEnvironment()
	if err != nil {
		return nil, nil, err
	}
	running, err := idp.start(ctx, e)
	if err != nil {
		e.close()
		return nil, nil, fmt.Errorf("starting %s: %w", idp.Name, err)
	}
	e.browser.idp = running
	e.whenClosed(func() { caddy.Stop() })
	return e, running, nil
}

func (e *environment) session(idp *runningIdP, r Registration) session {
	return session{
		Gateway: e.gatewayURL(), Issuer: idp.issuer, JWKSURI: idp.jwksURI,
		ClientID: idp.clientID + r.suffix, SPAClientID: idp.spaID + r.suffix, Scope: idp.scope, Audience: testAudience,
		RedirectURI: e.browser.redirectURI(), ReturnTo: e.browser.returnTo(), Browser: e.browser.walkURL(),
		API: idp.api, MCP: idp.mcp, OtherAudience: otherAudience,
		SPAPort: e.spaPort, Username: idp.username, Password: idp.password,
		// The page's client checks that the response in the frame comes from the gateway.
		Frames:     idp.frames && (idp.proxied || r.callback),
		AuthParams: idp.params, OAuthOnly: idp.oauthOnly, Hints: idp.hints, IDTokenAlgorithm: idp.algorithm,
		Silent: idp.silent, Lacks: idp.lackedBy(r), Chromium: chromium(),
	}
}
