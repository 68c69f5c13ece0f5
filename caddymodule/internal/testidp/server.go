// Package testidp is an identity provider for tests whose every check can be
// switched off, also while it runs. It logs users in without a password: who
// sits at the browser is said by a cookie ([Server.SignInURL]) or by the
// parameter user of the authorization request.
//
// It records everything that reaches it and every token that it issues, so that
// a test can say what an attack achieved.
package testidp

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// Server is a running identity provider on a loopback address.
type Server struct {
	listeners [hostCount]net.Listener // nil for hosts that are the main one
	server    *http.Server
	stopped   sync.WaitGroup
	key       *ecdsa.PrivateKey

	mu       sync.Mutex
	behavior Behavior
	codes    map[string]*grant
	refresh  map[string]*grant
	pushed   map[string]url.Values  // by request_uri
	tokens   map[string]issuedToken // by access token
	issued   []Token
	requests []Request
	jtis     map[string]bool
	held     int
}

// Request is one that reached the server, and what came of it.
type Request struct {
	Method, Path string
	Host         string
	Query, Form  url.Values
	Header       http.Header
	// Status of the response; 0 if there was none.
	Status int
}

// maxRequests are on record at least, and twice as many at most; the oldest are dropped.
const maxRequests = 10_000

// Token is a token that was issued.
type Token struct {
	AccessToken string
	// User is whose it is.
	User string
	// ClientID is the client of the login.
	ClientID string
	// Code is the one that it was exchanged for, "" after a refresh.
	Code     string
	Scope    string
	Audience string
	Resource string
	// ACR is what the login's acr_values asked for.
	ACR string
}

// issuedToken is a token and when it was issued.
type issuedToken struct {
	Token
	at time.Time
}

// Start starts a server.
func Start(b Behavior) (*Server, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	s := &Server{
		key: key, behavior: b,
		codes: make(map[string]*grant), refresh: make(map[string]*grant), pushed: make(map[string]url.Values),
		tokens: make(map[string]issuedToken), jtis: make(map[string]bool),
	}
	listen := b.Listen
	if listen == nil {
		listen = func() (net.Listener, error) { return net.Listen("tcp", "127.0.0.1:0") }
	}
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	for host, separate := range [hostCount]bool{MainHost: true, TokenHost: b.Hosts.Token, UserInfoHost: b.Hosts.UserInfo, KeysHost: b.Hosts.Keys, IssuerHost: b.Hosts.Issuer} {
		if !separate {
			continue
		}
		listener, err := listen()
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.listeners[host] = listener
		s.stopped.Go(func() { _ = s.server.Serve(listener) }) // http.ErrServerClosed, always
	}
	return s, nil
}

// Close stops the server at once.
func (s *Server) Close() error {
	err := s.server.Close()
	s.stopped.Wait()
	return err
}

// URL is the server's address, without a trailing slash.
func (s *Server) URL() string { return s.HostURL(MainHost) }

// Host is one of the addresses of a server.
type Host int

// The hosts. All but the first are the same as that, unless [Behavior.Hosts] says
// otherwise.
const (
	MainHost Host = iota
	TokenHost
	UserInfoHost
	KeysHost
	IssuerHost
	hostCount
)

// HostURL is the address of a host, without a trailing slash.
func (s *Server) HostURL(host Host) string {
	listener := s.listeners[host]
	if listener == nil {
		listener = s.listeners[MainHost]
	}
	return "http://" + listener.Addr().String()
}

// IssuerURL is the issuer identifier, unless [Behavior.Issuer] replaces it.
func (s *Server) IssuerURL() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.HostURL(IssuerHost) + s.behavior.IssuerPath
}

// SignInURL is a page that signs the browser in as a user until it is sent to
// another one. It answers 204.
func (s *Server) SignInURL(user string) string {
	return s.URL() + signInPath + "?user=" + url.QueryEscape(user)
}

// UserCookie is the cookie of a browser that is signed in.
func UserCookie(user string) *http.Cookie {
	return &http.Cookie{Name: userCookie, Value: url.QueryEscape(user), Path: "/", HttpOnly: true}
}

const (
	signInPath = "/sign-in"
	userCookie = "testidp_user"
)

// Change changes the behavior from the next request on.
func (s *Server) Change(change func(*Behavior)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// Requests under way keep what they have seen.
	s.behavior.Clients = slices.Clone(s.behavior.Clients)
	change(&s.behavior)
}

// Forget forgets all codes and refresh tokens, so that they are unknown, and what
// is on record.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.codes)
	clear(s.refresh)
	clear(s.pushed)
	s.requests, s.issued = nil, nil
}

// ForgetBefore forgets the codes, refresh tokens and access tokens that were issued
// before a time, and what is on record, so that a server that works for hours does
// not grow.
func (s *Server) ForgetBefore(t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	isOld := func(_ string, g *grant) bool { return g.issued.Before(t) }
	maps.DeleteFunc(s.codes, isOld)
	maps.DeleteFunc(s.refresh, isOld)
	maps.DeleteFunc(s.tokens, func(_ string, token issuedToken) bool { return token.at.Before(t) })
	s.requests, s.issued = nil, nil
}

// Requests returns what reached the server since the last call.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	requests := s.requests
	s.requests = nil
	return requests
}

// Issued returns the tokens that were issued since the last call.
func (s *Server) Issued() []Token {
	s.mu.Lock()
	defer s.mu.Unlock()
	issued := s.issued
	s.issued = nil
	return issued
}

// IssuedCount is how many tokens the next call of [Server.Issued] returns.
func (s *Server) IssuedCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.issued)
}

// Held is the number of requests that are waiting at the token endpoint, for an
// outage that holds or hangs.
func (s *Server) Held() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held
}

// Lookup returns what an access token of this server stands for.
func (s *Server) Lookup(accessToken string) (Token, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	token, ok := s.tokens[accessToken]
	return token.Token, ok
}

// ServeHTTP serves all endpoints, and records.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	form, _ := url.ParseQuery(string(body)) // what is malformed counts as absent
	x := &exchange{Server: s, w: &statusWriter{ResponseWriter: w}, r: r, query: r.URL.Query(), form: form}
	s.mu.Lock()
	x.Behavior = s.behavior
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.requests = append(s.requests, Request{
			Method: r.Method, Path: r.URL.EscapedPath(), Host: r.Host,
			Query: x.query, Form: form, Header: r.Header.Clone(), Status: x.w.status,
		})
		if len(s.requests) == 2*maxRequests { // half of them at once: one by one costs a copy of all for each request
			s.requests = slices.Clone(s.requests[maxRequests:])
		}
	}()
	x.route()
}

// exchange is one request with the behavior that was in force when it arrived.
type exchange struct {
	*Server
	Behavior
	w           *statusWriter
	r           *http.Request
	query, form url.Values
}

type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func (x *exchange) route() {
	endpoints, path := x.endpoints(), x.r.URL.Path
	if x.LenientPaths {
		path = resembled(path, endpoints)
	}
	x.w.Header().Set("Cache-Control", "no-store")
	metadataPath := x.IssuerPath + "/.well-known/openid-configuration"
	if x.r.Host != strings.TrimPrefix(x.HostURL(x.hostOf(path, endpoints, metadataPath)), "http://") && x.anyHosts() {
		x.w.WriteHeader(http.StatusMisdirectedRequest)
		return
	}
	switch {
	case (path == endpoints.Authorize || x.Connectors && strings.HasPrefix(path, "/auth/")) && (x.r.Method == http.MethodGet || x.r.Method == http.MethodPost):
		x.authorize()
	case path == endpoints.Token && x.r.Method == http.MethodPost:
		x.token()
	case path == endpoints.PAR && x.PAR != NoPAR && x.r.Method == http.MethodPost:
		x.push()
	case path == endpoints.Revoke && x.r.Method == http.MethodPost:
		x.revoke()
	case path == endpoints.UserInfo:
		x.userInfo()
	case path == endpoints.Logout && x.Behavior.Logout != NoLogout:
		x.logout()
	case path == endpoints.JWKS:
		x.keys()
	case path == metadataPath && !x.NoDiscovery:
		x.discovery()
	case path == signInPath:
		http.SetCookie(x.w, UserCookie(x.query.Get("user")))
		x.w.WriteHeader(http.StatusNoContent)
	default:
		x.w.WriteHeader(http.StatusNotFound)
	}
}

// anyHosts reports that there is more than one host.
func (x *exchange) anyHosts() bool { return x.Hosts != Hosts{} }

// hostOf is where a path belongs.
func (x *exchange) hostOf(path string, e Endpoints, metadataPath string) Host {
	switch path {
	case e.Token:
		return TokenHost
	case e.UserInfo:
		return UserInfoHost
	case e.JWKS:
		return KeysHost
	case metadataPath:
		return IssuerHost
	}
	return MainHost
}

func (x *exchange) endpoints() Endpoints {
	e, defaults := x.Endpoints, DefaultEndpoints()
	for _, path := range []struct{ set, fallback *string }{
		{&e.Authorize, &defaults.Authorize},
		{&e.Token, &defaults.Token},
		{&e.UserInfo, &defaults.UserInfo},
		{&e.Logout, &defaults.Logout},
		{&e.JWKS, &defaults.JWKS},
		{&e.Revoke, &defaults.Revoke},
		{&e.PAR, &defaults.PAR},
	} {
		if *path.set == "" {
			*path.set = *path.fallback
		}
	}
	return e
}

// resembled is the endpoint that a path resembles, in the ways in which web
// frameworks, Unicode case folding and front controllers are generous.
func resembled(path string, e Endpoints) string {
	folded := strings.ToLower(strings.ReplaceAll(path, "ı", "i"))
	folded = strings.TrimPrefix(folded, "/index.php")
	for strings.Contains(folded, "//") {
		folded = strings.ReplaceAll(folded, "//", "/")
	}
	folded, _, _ = strings.Cut(folded, ";")
	folded = strings.TrimRight(folded, "/,. ")
	folded = strings.TrimSuffix(folded, ".json")
	for _, endpoint := range []string{e.Authorize, e.Token, e.UserInfo, e.Logout} {
		if folded == endpoint {
			return endpoint
		}
	}
	return path
}

func (x *exchange) issuer() string {
	if x.Issuer != "" {
		return x.Issuer
	}
	return x.HostURL(IssuerHost) + x.IssuerPath
}

func (b *Behavior) client(id string) *Client {
	for i := range b.Clients {
		if b.Clients[i].ID == id {
			return &b.Clients[i]
		}
	}
	return nil
}

func (x *exchange) json(status int, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		panic(err) // only of types that no caller passes
	}
	x.w.Header().Set("Content-Type", "application/json")
	x.w.WriteHeader(status)
	_, _ = x.w.Write(body)
}

// oauthError is an error response (RFC 6749 section 5.2).
type oauthError struct {
	Code        string `json:"error"`
	Description string `json:"error_description,omitempty"`
	status      int
}

func (x *exchange) fail(e *oauthError) { x.json(e.status, e) }

// answer sends a response of the token endpoint.
func (x *exchange) answer(status int, value any) {
	asForm := x.FormAnswers == AlwaysForms || x.FormAnswers == UnlessJSON && !strings.Contains(x.r.Header.Get("Accept"), "json")
	if !asForm {
		x.json(status, value)
		return
	}
	body, err := json.Marshal(value)
	if err != nil {
		panic(err) // only of types that no caller passes
	}
	var fields map[string]any
	if err := json.Unmarshal(body, &fields); err != nil {
		panic(err)
	}
	form := make(url.Values)
	for name, value := range fields {
		form.Set(name, fmt.Sprint(value))
	}
	x.w.Header().Set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
	x.w.WriteHeader(status)
	_, _ = io.WriteString(x.w, form.Encode())
}

// gitHubCodes are GitHub's error codes for the standard's.
var gitHubCodes = map[string]string{"invalid_grant": "bad_verification_code", "invalid_client": "incorrect_client_credentials"}

// failExchange sends an error of the token endpoint.
func (x *exchange) failExchange(e *oauthError) {
	if !x.ErrorsWith200 {
		x.fail(e)
		return
	}
	vendors := *e
	if code, ok := gitHubCodes[e.Code]; ok {
		vendors.Code = code
	}
	x.answer(http.StatusOK, vendors)
}

// hang waits until the other side gives up.
func (x *exchange) hang() {
	defer x.wait()()
	<-x.r.Context().Done()
	panic(http.ErrAbortHandler)
}

var errBadAssertion = errors.New("the client assertion does not verify")
