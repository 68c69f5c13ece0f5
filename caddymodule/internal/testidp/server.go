package testidp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// Server is a running identity provider on a loopback address. It logs users in
// without a password: who sits at the browser is said by a cookie
// ([Server.SignInURL]) or by the parameter user of the authorization request.
type Server struct {
	listeners [hostCount]net.Listener // nil for hosts that are the main one
	server    *http.Server
	stopped   sync.WaitGroup
	base      Provider // what no change of the behavior concerns

	mu       sync.Mutex
	provider *Provider // with the behavior in force
	issued   []Token
	requests []Request
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

// Start starts a server.
func Start(b Behavior) (*Server, error) {
	config := Config{}
	config.fill(defaults{})
	s := &Server{}
	s.base = Provider{
		config: config, logger: slog.New(slog.DiscardHandler), store: newStore(config.Now), key: sync.OnceValues(ecKey), issued: s.record,
	}
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	for _, host := range append([]Host{MainHost}, b.Hosts...) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.listeners[host] = listener
	}
	var err error
	if s.provider, err = s.with(b); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	for _, listener := range s.listeners {
		if listener != nil {
			s.stopped.Go(func() { _ = s.server.Serve(listener) }) // http.ErrServerClosed, always
		}
	}
	return s, nil
}

// with is the provider with another behavior.
func (s *Server) with(b Behavior) (*Provider, error) {
	p := s.base
	p.Behavior = b
	p.issuer = func(*http.Request) string {
		if b.Issuer != "" {
			return b.Issuer
		}
		return s.HostURL(IssuerHost) + b.IssuerPath
	}
	p.address = func(_ *http.Request, path string) string {
		for _, e := range b.endpoints() {
			if e.standsFor == path {
				return s.HostURL(e.host) + e.path
			}
		}
		return s.URL() + path
	}
	var err error
	p.clients, err = register(b.Clients)
	p.routes()
	return &p, err
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

// The hosts. All but the first are the same as that, unless [Behavior.Hosts] has them:
// then nothing else is there. IssuerHost is that of the metadata.
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
func (s *Server) IssuerURL() string { return s.HostURL(IssuerHost) + s.current().IssuerPath }

// SignInURL is a page that signs the browser in as a user until it is sent to
// another one. It answers 204.
func (s *Server) SignInURL(user string) string {
	return s.URL() + signInPath + "?user=" + url.QueryEscape(user)
}

// UserCookie is the cookie of a browser that is signed in.
func UserCookie(user string) *http.Cookie {
	return &http.Cookie{Name: userCookie, Value: url.QueryEscape(user), Path: "/", HttpOnly: true}
}

const signInPath = "/sign-in"

// current is the provider with the behavior in force.
func (s *Server) current() *Provider {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.provider
}

// Change changes the behavior from the next request on. It panics if the clients
// can't be registered.
func (s *Server) Change(change func(*Behavior)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.provider.Behavior
	b.Clients = slices.Clone(b.Clients) // requests under way keep what they have seen
	change(&b)
	changed, err := s.with(b)
	if err != nil {
		panic(err)
	}
	s.provider = changed
}

// Forget forgets all codes and refresh tokens, so that they are unknown, and what
// is on record.
func (s *Server) Forget() {
	s.base.store.forget()
	s.mu.Lock()
	defer s.mu.Unlock()
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

func (s *Server) record(token Token) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.issued = append(s.issued, token)
}

// Held is the number of requests that are waiting at the token endpoint, for an
// outage that holds or hangs.
func (s *Server) Held() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held
}

// Lookup returns what an access token of this server stands for.
func (s *Server) Lookup(accessToken string) (Token, bool) { return s.base.store.active(accessToken) }

// SignedAccessToken is an access token of a user that is a JWT (RFC 9068) for an
// audience. It stands for no login.
func (s *Server) SignedAccessToken(user, audience string) (string, error) {
	now := time.Now()
	return s.base.sign("at+jwt", map[string]any{
		"iss": s.IssuerURL(), "sub": user, "aud": audience, "client_id": audience, "jti": user,
		"iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
	})
}

// ServeHTTP serves all endpoints, and records.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	r.PostForm, _ = url.ParseQuery(string(body)) // what is malformed counts as absent
	request := Request{
		Method: r.Method, Path: r.URL.EscapedPath(), Host: r.Host, Query: r.URL.Query(), Form: r.PostForm, Header: r.Header.Clone(),
	}
	counted := &statusWriter{ResponseWriter: w}
	defer func() {
		request.Status = counted.status
		s.mu.Lock()
		defer s.mu.Unlock()
		s.requests = append(s.requests, request)
	}()
	s.serve(counted, r)
}

type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	p := s.current()
	w.Header().Set("Cache-Control", "no-store")
	if r.URL.Path == signInPath {
		http.SetCookie(w, UserCookie(r.URL.Query().Get("user")))
		w.WriteHeader(http.StatusNoContent)
		return
	}
	e, ok := p.endpointAt(r.URL.Path)
	switch {
	case len(p.Hosts) > 0 && r.Host != strings.TrimPrefix(s.HostURL(e.host), "http://"):
		w.WriteHeader(http.StatusMisdirectedRequest)
		return
	case !ok:
		w.WriteHeader(http.StatusNotFound)
		return
	}
	r.URL.Path, r.URL.RawPath = e.standsFor, ""
	switch {
	case e.standsFor == PathToken && r.Method == http.MethodPost:
		s.token(p, w, r)
	case e.standsFor == PathUserInfo && p.GitHub:
		p.gitHubUser(w, r)
	default:
		p.mux.ServeHTTP(w, r)
	}
}

// endpoint is a path that stands for one of the provider's.
type endpoint struct {
	path, standsFor string
	host            Host
}

// endpoints are those of the behavior.
func (b *Behavior) endpoints() []endpoint {
	endpoints := []endpoint{
		{b.Endpoints.Authorize, PathAuthorize, MainHost},
		{b.Endpoints.Token, PathToken, TokenHost},
		{b.Endpoints.UserInfo, PathUserInfo, UserInfoHost},
		{b.Endpoints.Revoke, PathRevoke, MainHost},
		{b.Endpoints.JWKS, PathKeys, KeysHost},
		{PathLogin, PathLogin, MainHost},
	}
	if b.Logout != NoLogout {
		endpoints = append(endpoints, endpoint{b.Endpoints.Logout, PathLogout, MainHost})
	}
	if b.PAR != NoPAR {
		endpoints = append(endpoints, endpoint{b.Endpoints.PAR, PathPAR, MainHost})
	}
	if !b.NoDiscovery {
		endpoints = append(endpoints, endpoint{b.IssuerPath + PathDiscovery, PathDiscovery, IssuerHost})
	}
	for i, e := range endpoints {
		if e.path == "" {
			endpoints[i].path = e.standsFor
		}
	}
	return endpoints
}

func (b *Behavior) endpointAt(path string) (endpoint, bool) {
	if b.Connectors && strings.HasPrefix(path, "/auth/") {
		return endpoint{path, PathAuthorize, MainHost}, true
	}
	endpoints := b.endpoints()
	i := slices.IndexFunc(endpoints, func(e endpoint) bool { return path == e.path || b.LenientPaths && resembles(path, e.path) })
	if i < 0 {
		return endpoint{}, false
	}
	return endpoints[i], true
}

// resembles reports that a path is an endpoint's in the ways in which web frameworks,
// Unicode case folding and front controllers are generous.
func resembles(path, endpoint string) bool {
	folded := strings.ToLower(strings.ReplaceAll(path, "ı", "i"))
	folded = strings.TrimPrefix(folded, "/index.php")
	for strings.Contains(folded, "//") {
		folded = strings.ReplaceAll(folded, "//", "/")
	}
	folded, _, _ = strings.Cut(folded, ";")
	folded = strings.TrimRight(folded, "/,. ")
	return strings.TrimSuffix(folded, ".json") == endpoint
}

// token is the token endpoint with its outage and the vendor's form of responses.
func (s *Server) token(p *Provider, w http.ResponseWriter, r *http.Request) {
	outage := p.TokenOutage
	if outage.Hold != nil {
		s.wait(outage.Hold)
	}
	response := &recorder{header: w.Header()}
	if !outage.fails() || outage.AfterIssuing {
		p.mux.ServeHTTP(response, r)
	}
	switch {
	case !outage.fails() || response.status >= http.StatusBadRequest:
		p.answer(w, r, response)
	case outage.Hang:
		s.wait(r.Context().Done())
		panic(http.ErrAbortHandler)
	case outage.Close:
		panic(http.ErrAbortHandler)
	default:
		writeJSON(w, outage.Status, &oauthError{Code: "temporarily_unavailable"})
	}
}

// wait counts a request among those that wait.
func (s *Server) wait(until <-chan struct{}) {
	count := func(n int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.held += n
	}
	count(1)
	defer count(-1)
	<-until
}

// recorder keeps a response.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header            { return r.header }
func (r *recorder) WriteHeader(status int)         { r.status = status }
func (r *recorder) Write(body []byte) (int, error) { return r.body.Write(body) }

// answer sends a response of the token endpoint, as GitHub would if it is GitHub's.
func (p *Provider) answer(w http.ResponseWriter, r *http.Request, response *recorder) {
	if !p.GitHub {
		w.WriteHeader(response.status)
		_, _ = w.Write(response.body.Bytes())
		return
	}
	var fields map[string]any
	if err := json.Unmarshal(response.body.Bytes(), &fields); err != nil {
		panic(err) // it is the provider's own
	}
	if code, ok := gitHubCodes[fields["error"]]; ok {
		fields["error"] = code
	}
	if strings.Contains(r.Header.Get("Accept"), "json") {
		writeJSON(w, http.StatusOK, fields)
		return
	}
	form := make(url.Values)
	for name, value := range fields {
		form.Set(name, fmt.Sprint(value))
	}
	w.Header().Set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
	_, _ = io.WriteString(w, form.Encode())
}

// gitHubCodes are GitHub's error codes for the standard's.
var gitHubCodes = map[any]string{"invalid_grant": "bad_verification_code", "invalid_client": "incorrect_client_credentials"}

// gitHubUser is GitHub's user info.
func (p *Provider) gitHubUser(w http.ResponseWriter, r *http.Request) {
	accessToken, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	token, ok := p.store.active(accessToken)
	switch {
	case r.UserAgent() == "":
		http.Error(w, "Request forbidden by administrative rules. Please make sure your request has a User-Agent header", http.StatusForbidden)
	case !ok:
		writeJSON(w, http.StatusUnauthorized, map[string]string{"message": "Bad credentials"})
	default:
		writeJSON(w, http.StatusOK, map[string]any{"login": token.User, "id": 583231, "type": "User"})
	}
}
