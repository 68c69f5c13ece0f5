// Package idp is an identity gateway: what an OAuth client may send through it to an
// identity provider (IdP), and which responses of the IdP may reach the client.
//
// [NewPolicy] compiles a [Config] into the rules. [NewGateway] serves them with [Parts]: a
// transport to the IdP, sealing keys, a replay store. [Gateway.Handler] works with any
// HTTP server; a server that knows more of a request calls [Gateway.Serve].
//
// # A login with a callback
//
// The IdP redirects to the gateway, which binds each code to its login and remembers neither.
// What it would have to remember travels sealed (package internal/login):
//
//	client            browser                   gateway                         IdP
//	  |                  |                         |                             |
//	  |-- request ------>|------ /authorize ------>| check; seal the login       |
//	  |                  |<-- 302, state ----------| into state                  |
//	  |                  |------------------ state, challenge ------------------>|
//	  |                  |<----------------- state, the IdP's code --------------|
//	  |                  |------ callback -------->| open state; seal login and  |
//	  |<------ code -----|<-- 303, code -----------| the IdP's code into a code  |
//	  |------------------- code, verifier -------->| open; claim it once         |
//	  |                                            |-- the IdP's code, verifier->|
//	  |                                            |<- tokens, ID token ---------|
//	  |                                            | hold them to the login; who |
//	  |<-- access token, refresh token ------------| is the user; seal both      |
//	  |------------------- refresh token --------->| open; take the family       |
//	  |                                            |-- the IdP's refresh token ->|
//	  |<-- access token, refresh token ------------|<- tokens -------------------|
//
// Without a callback the IdP's codes and tokens pass to the client as they are. Requests pushed
// to [PushedRequest] travel sealed in their request_uri, and those that a user is asked about in
// the page of [ConsentForm].
//
// The paths [Authorize], [Token], [UserInfo] and [Logout] are always served, the other endpoints
// if the configuration has what they are for (package internal/endpoint says what), and with
// [Config.PublicURL] the documents of metadata.
//
// A request is classified by its path before anything else, and once more if it had to wait for the
// IdP's metadata. It is parsed once into the typed value of its endpoint. The request to the IdP is
// built from that value alone, and the IdP's response is checked before the client gets it: parse,
// open, claim, ask, check, give.
//
// Each rule stands in one place and names its source: OAuth 2.0 (RFC 6749), bearer tokens
// (RFC 6750), PKCE (RFC 7636), native apps (RFC 8252), the security best current practice
// (RFC 9700), OpenID Connect Core 1.0. [oauth.AsError] turns a rejection into an [*oauth.Error] with
// the protocol's error code, the HTTP status, and a description that says what to do and
// never contains a value that the client sent.
//
// # Files
//
// The gateway:
//
//	gateway.go: what a gateway is made of; which endpoint serves a request; logins that an operator ends
//	policy.go: what each option means, and its default; what the IdP's metadata changes
//	route.go: which paths and methods are the gateway's, those at /.well-known among them; deny_path; 404, 405 and 425
//	next_handler.go: what the next handler gets of other requests, and may answer to them
//	server_metadata.go: what is in the documents at /.well-known, and the gateway's keys there
//	decision.go: what logs and metrics are made from: outcomes, incidents, what was issued, fingerprints
//	limits.go: how big, how long, how many: all of this package's, and where those of others are
//
// The endpoints:
//
//	authorize.go: /authorize and the answer to the consent page, by steps; id_token_hint; where errors go
//	authorize_request.go: what an authorization request must be; prompt=none; iss of responses
//	authorize_upstream.go: which parameters the IdP gets, those of the gateway's own among them; PAR there
//	pushed.go: /oauth/par, and a request_uri of it at /authorize: whose it is, that it is used once
//	consent.go: what the consent page asks; for which browser, window and login an answer counts
//	silent_login.go: /authorize for API clients: the IdP's redirects followed, a code as JSON or a form
//	callback.go: the callback: which response of the IdP is taken, and the client's code or error for it
//	token.go: /oauth/token, by steps; the request to the IdP; codes and tokens passed through or sealed; what a failed refresh leaves good
//	token_request.go: what a token request must be; which resource, scope, key and certificate it has
//	code_grant.go: whose a code is; that code and login are redeemed once
//	refresh_grant.go: whose a refresh token is; what a login that has ended, was reused or is busy is told
//	direct_grant.go: tokens without a login: assertions of other issuers, workloads, client_credentials
//	token_response.go: what the client gets: access and refresh token, scope, lifetime; token exchange
//	user.go: whose a token is, who may come in, which claims tokens have; GitHub's lists
//	userinfo.go: /userinfo, for tokens of the IdP and of the gateway
//	introspection.go: /oauth/introspect; what is presented as an access token; the gateway's own: opened, their login still there
//	revocation.go: /oauth/revoke, and tokens that the gateway itself has the IdP revoke
//	logout.go: /v2/logout: where people return to, which login ends
//	backchannel_logout.go: /oauth/backchannel_logout; of which session at the IdP a login is
//
// What they share:
//
//	client.go: whose request it is: documents, registrations at /oauth/register; its assertions, used once
//	id_token.go: ID tokens of the gateway's own: for whom, their claims and lifetime; those that come back as hints
//	flow.go: how a request begins and ends: who gets a page, who JSON; that the IdP gets a token request once
//	sealer.go: the keys that seal and sign; opened once more with newer keys; what is sealed in any spelling
package idp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// Gateway serves the endpoints of a [Policy] in front of its identity provider (IdP).
// It is safe for concurrent use, and remembers nothing but what [Parts] hold.
type Gateway struct {
	configured *Policy
	parts      Parts
	idp        upstream.Transport
	families   *rotation.Families // nil unless refresh tokens rotate
	proofs     *bearer.Proofs     // nil without a callback
	// assertions remembers what is used once ([flow.useOnce]): client assertions, pushed requests and the
	// DPoP proofs of these, ID-JAGs; nil without a callback.
	assertions *replay.Once
	// logouts remembers logout tokens; nil without a callback.
	logouts *replay.Once

	// discovered is the policy with what the IdP last said of itself.
	discovered atomic.Pointer[Policy]
}

// Parts are what a [Gateway] works with.
type Parts struct {
	// Transport reaches the IdP. It must follow no redirects and try no request twice,
	// as an [http.Transport] does. One that speaks HTTP/2 should be configured by
	// golang.org/x/net/http2: that of Go 1.26 itself waits for ever once a server has
	// sent window updates beyond the limit of a stream. Required.
	Transport http.RoundTripper
	// Timeout bounds each request to the IdP, its whole response included. Zero:
	// [DefaultTimeout].
	Timeout time.Duration
	// Keys seal and open what travels through browsers. Required with
	// [Config.Callback].
	Keys seal.Keyring
	// Replay records which codes were redeemed, and with [Config.Rotation], for which
	// it has to be a [replay.StateStore], where refresh tokens stand. Required with
	// [Config.Callback].
	Replay replay.Store
	// Metadata is what the IdP says of itself. Required with [Config.Discover].
	Metadata MetadataSource
	// IdPKeys are those of the IdP's ID tokens. Required with [Config.BackchannelLogout], and
	// with [GatewayIDTokens].
	IdPKeys IdPKeySet
	// SigningKeys are those of the gateway's own ID tokens. Required with [GatewayIDTokens].
	SigningKeys SigningKeys
	// IssuerKeys are those of the issuers of [Config.Trust]: see [Policy.TrustedIssuers]. Required with these.
	IssuerKeys map[string]KeySet
	// Documents finds the metadata documents of clients. Required with
	// [DynamicClientsConfig].MetadataDocuments.
	Documents DocumentSource
	// Now is the clock. Nil: [time.Now].
	Now func() time.Time
}

// MetadataSource holds the metadata of the IdP.
type MetadataSource interface {
	// Current is what is known, nil if nothing is: the same pointer until the IdP says
	// something else. It never waits.
	Current() *discovery.Metadata
	// Await is Current, and waits for the attempt to get it that is under way.
	Await(ctx context.Context) (*discovery.Metadata, error)
}

// NewGateway puts a gateway together. Errors name the part that is missing.
func NewGateway(p *Policy, parts Parts) (*Gateway, error) {
	g := &Gateway{configured: p, parts: parts}
	g.parts.Timeout = cmp.Or(parts.Timeout, DefaultTimeout)
	g.idp = upstream.Transport{RoundTripper: parts.Transport, Timeout: g.parts.Timeout}
	if g.parts.Now == nil {
		g.parts.Now = time.Now
	}
	switch {
	case parts.Transport == nil:
		return nil, errors.New("a gateway needs a transport to the identity provider")
	case p.idp.Discovers() && parts.Metadata == nil:
		return nil, errors.New("discover needs a source of metadata")
	case p.registry.Dynamic != nil && p.registry.Dynamic.Documents && parts.Documents == nil:
		return nil, errors.New("metadata_documents needs what fetches them")
	case !p.grants.Trusted.HaveKeys(parts.IssuerKeys):
		return nil, errors.New("trust needs the keys of each issuer")
	case p.callback == nil:
		return g, nil
	case parts.Keys == nil || parts.Replay == nil:
		return nil, errors.New("callback needs sealing keys and a replay store")
	case p.signs && (parts.IdPKeys == nil || parts.SigningKeys == nil):
		return nil, errors.New("id_tokens gateway needs signing keys, and the keys of the identity provider")
	case p.served[BackchannelLogout] && parts.IdPKeys == nil:
		return nil, errors.New("backchannel_logout needs the keys of the identity provider: set discover")
	}
	g.proofs = bearer.NewProofs(parts.Keys, replay.NewOnce(parts.Replay, proofsOfAGrant, dpop.Remember, g.parts.Now), g.parts.Now)
	g.assertions = replay.NewOnce(parts.Replay, clients.AssertionsOfAClient, dpop.Remember, g.parts.Now)
	g.logouts = replay.NewOnce(parts.Replay, logoutsOfAUser, dpop.Remember, g.parts.Now)
	if p.rotation != nil {
		states, ok := parts.Replay.(replay.StateStore)
		if !ok {
			return nil, errors.New("rotate_refresh needs a replay store that keeps where refresh tokens stand; use redis")
		}
		g.families = p.families(states)
	}
	return g, nil
}

// Response is a response, of the IdP or of the gateway.
type Response = upstream.Response

// Request is a request as the server in front of the gateway has it.
type Request struct {
	*http.Request
	// BaseURL is the URL under which the client reaches the gateway: scheme, host, and
	// the prefix of the path that the server has removed.
	BaseURL string
	// ClientIP is the client's address, "" if the IdP is not to know it.
	ClientIP string
	// Certificate is that of the client's TLS connection, nil if it has shown none. A proxy's
	// connection is the proxy's.
	Certificate *clientcert.Certificate
	// OriginalPath is the escaped path before the server rewrote it, "" if it did not.
	OriginalPath string
}

// Result is what comes of a request.
type Result struct {
	Response
	Decision Decision
	// Page: the response is an error that a person sees, in place of which the server
	// may have a page of its own.
	Page bool
	// Next is set instead of the response if the next handler passes the request on to
	// the IdP ([ProxyFrontChannel]). Its response goes
	// through [FilterFront].
	Next *http.Request
	// LeftOut is the name of a parameter that was not sent on, because the client has lists and its
	// registration does not allow it; "" if there is none.
	LeftOut string
	// Issued is what the client was given, nil if it was no token.
	Issued *Issued
	// Calls are the requests that were made to the IdP.
	Calls []Call
	// Incidents are what an operator wants to know besides.
	Incidents []Incident
}

// Handler serves the gateway's paths, and has next serve all others. The address of
// clients and proxies in front are unknown to it: a server that knows them calls
// [Gateway.Serve].
func (g *Gateway) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		base := "http://" + strings.ToLower(r.Host)
		if r.TLS != nil {
			base = "https://" + strings.ToLower(r.Host)
		}
		ip, _, _ := net.SplitHostPort(r.RemoteAddr)
		switch result := g.Serve(Request{Request: r, BaseURL: base, ClientIP: ip, Certificate: clientcert.Of(r.TLS)}); {
		case result == nil:
			_ = ServeNext(w, r, func(w http.ResponseWriter) error { next.ServeHTTP(w, r); return nil })
		case result.Next != nil:
			next.ServeHTTP(FilterFront(w, r.Host), result.Next)
		default:
			result.ServeHTTP(w, r)
		}
	})
}

// ServeHTTP writes the response.
func (r *Result) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	header := w.Header()
	maps.Copy(header, r.Header)
	w.WriteHeader(r.Status)
	_, _ = w.Write(r.Body) // JSON, or a page of html/template; a client that has left is no error
}

// Serve serves a request for one of the gateway's own paths, and rejects one that a
// later handler could mistake for such. It returns nil for any other, which belongs
// to the next handler.
func (g *Gateway) Serve(r Request) *Result {
	f := &flow{gateway: g, policy: g.Policy(), r: r, header: make(http.Header)}
	path := r.URL.EscapedPath()
	if document := f.policy.metadataAt(path); document != noMetadata {
		return f.end(f.serveMetadata(document))
	}
	endpoint, verdict := f.policy.route(r.Method, path)
	if !f.policy.idp.IsKnown() && (verdict == match || f.policy.HandsHostOver()) {
		f.policy = g.await(r.Context())
		endpoint, verdict = f.policy.route(r.Method, path)
	}
	if verdict == passThrough || verdict == loginLookalike {
		return f.passOn(endpoint, verdict)
	}
	f.begin(endpoint)
	if verdict == match {
		return f.end(f.serve())
	}
	if script, ok := endpoint.Scripts(); ok && verdict == wrongMethod {
		if w := (recorder{header: f.header}); script.ServePreflight(&w, r.Request, f.policy.registry.Origins) {
			return &Result{Response: w.response()}
		}
	}
	return f.end(Response{}, f.rejectRoute(verdict))
}

// Policy is the policy with what is known of the IdP now. A request is served by one
// from its beginning to its end, whatever the IdP says meanwhile.
func (g *Gateway) Policy() *Policy {
	if g.parts.Metadata == nil {
		return g.configured
	}
	m := g.parts.Metadata.Current()
	if m == nil {
		return g.configured
	}
	if p := g.discovered.Load(); p != nil && p.idp.Metadata() == m {
		return p
	}
	p := g.configured.withMetadata(m)
	g.discovered.Store(p)
	return p
}

func (g *Gateway) await(ctx context.Context) *Policy {
	ctx, cancel := context.WithTimeout(ctx, awaitMetadata)
	defer cancel()
	_, _ = g.parts.Metadata.Await(ctx) // whoever fetches it reports a failure
	return g.Policy()
}

// serveMetadata is what clients find the gateway by, which is public.
func (f *flow) serveMetadata(document metadataDocument) (Response, error) {
	w := recorder{header: f.header, status: http.StatusOK}
	if cors.OpenToAll(&w, f.r.Request) {
		return w.response(), nil
	}
	if !f.policy.idp.IsKnown() {
		f.policy = f.gateway.await(f.r.Context())
	}
	content, err := f.metadata(document)
	if err != nil {
		f.begin(NoEndpoint)
		return Response{}, err
	}
	return Response{Status: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}, "Cache-Control": {"max-age=300"}}, Body: content}, nil
}

// recorder is a response that is written as to a server.
type recorder struct {
	header http.Header
	status int
	body   []byte
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) { w.status = status }

func (w *recorder) Write(b []byte) (int, error) {
	w.body = append(w.body, b...)
	return len(b), nil
}

func (w *recorder) response() Response {
	return Response{Status: w.status, Header: w.header, Body: w.body}
}

// serve is the response of the endpoint. An error is the response instead.
func (f *flow) serve() (Response, error) {
	if err := checkEarlyData(f.r.Request); err != nil {
		return Response{}, err
	}
	switch f.endpoint {
	case Authorize:
		return (&authorizeFlow{flow: f}).serve()
	case Callback:
		return f.callback()
	case ConsentForm:
		return (&authorizeFlow{flow: f}).serveConsent()
	case Token:
		return (&tokenFlow{flow: f}).serve()
	case UserInfo:
		return f.userInfo()
	case Revoke:
		return (&revocationFlow{flow: f}).serve()
	case Register:
		return f.register()
	case PushedRequest:
		return (&pushFlow{flow: f}).serve()
	case Introspect:
		return f.introspect()
	case BackchannelLogout:
		return f.backchannelLogout()
	default:
		return f.logout()
	}
}

// Trial is what came of asking an endpoint of the IdP, without a login.
type Trial = upstream.Trial

// Try asks the endpoints of the IdP that the gateway will use, and tries its credentials. m is what
// the IdP says of itself, nil if it says nothing.
func (g *Gateway) Try(ctx context.Context, m *discovery.Metadata) []Trial {
	p := g.configured
	if p.idp.Discovers() && m != nil {
		p = p.withMetadata(m)
	}
	base := cmp.Or(p.public.url, "https://gateway.invalid")
	t := upstream.Trier{Upstream: p.idp, Transport: &g.idp, RedirectURI: cmp.Or(p.CallbackURL(base), base), Now: g.parts.Now()}
	return t.Try(ctx, p.registry)
}

// End ends logins so far: one by its id, or all of a user or an agent. It says so to all nodes
// that share the replay store.
func (g *Gateway) End(ctx context.Context, kind rotation.Kind, name string) error {
	if g.families == nil {
		return errors.New("the gateway does not know its logins: set rotate_refresh")
	}
	switch kind {
	case rotation.OfUser:
	case rotation.OfLogin:
		if name = login.ParseID(name).String(); name == "" {
			return errors.New("this is not the login_id of a login, ten letters and digits, as logs have it")
		}
	case rotation.OfAgent:
		name = clients.AgentName(name)
	default:
		return fmt.Errorf("%s is not what can be ended; use %s, %s or %s", kind, rotation.OfLogin, rotation.OfUser, rotation.OfAgent)
	}
	if name == "" {
		return fmt.Errorf("the %s is missing", kind)
	}
	return g.families.End(ctx, kind, name, g.parts.Now())
}

// HasEnded reports whether the login of an access token of its own was ended by [Gateway.End].
func (g *Gateway) HasEnded(t *gatewaytoken.Token) bool {
	return g.families != nil && g.families.Endings.Has(whoseToken(t), t.Issued)
}
