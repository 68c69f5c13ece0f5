package testidp

import (
	"crypto/rand"
	"errors"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// Server is a running identity provider on a loopback address. It logs users in
// without a password: who sits at the browser is said by a cookie
// ([UserCookie]) or by the parameter user of the authorization request.
type Server struct {
	listeners [hostCount]net.Listener // nil for hosts that are the main one
	server    *http.Server
	stopped   sync.WaitGroup
	base      Provider     // what no change of the behavior concerns
	held      atomic.Int32 // requests that wait for the end of an outage

	mu       sync.Mutex
	provider *Provider // with the behavior in force
	issued   []Token
	requests []Request
}

// Request is one that reached the server.
type Request struct {
	Path   string
	Status int // of the response; 0 if there was none
}

// Start starts a server.
func Start(b Behavior) (*Server, error) {
	s := &Server{}
	s.base = Provider{logger: slog.New(slog.DiscardHandler), store: newStore(time.Now, capacity), key: sync.OnceValue(ecKey), server: s}
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	var err error
	if s.provider, err = s.with(b); err != nil {
		return nil, err
	}
	for _, host := range append([]Host{MainHost}, b.Hosts...) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.listeners[host] = listener
	}
	for _, listener := range s.listeners {
		if listener != nil {
			s.stopped.Go(func() { _ = s.server.Serve(listener) }) // http.ErrServerClosed, always
		}
	}
	return s, nil
}

// TB is what Run needs of a [testing.TB].
type TB interface {
	Helper()
	Fatal(...any)
	Cleanup(func())
}

// Run is Start for a test: the server is closed at its end.
func Run(t TB, b Behavior) *Server {
	t.Helper()
	s, err := Start(b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// with is the provider with another behavior. It has no page of its own, and its metadata
// in one place.
func (s *Server) with(b Behavior) (*Provider, error) {
	p := s.base
	p.Behavior = b
	if len(b.ResponseModes) == 0 {
		p.ResponseModes = []string{"query", "fragment", "form_post"}
	}
	p.Endpoints = map[string]string{PathIndex: "", PathOAuthServer: ""}
	maps.Copy(p.Endpoints, b.Endpoints)
	var err error
	p.clients, err = register(b.Clients)
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

// Forget forgets all codes and tokens, so that they are unknown.
func (s *Server) Forget() {
	s.base.store.mu.Lock()
	defer s.base.store.mu.Unlock()
	clear(s.base.store.entries)
}

// Requests returns what reached the server since the last call.
func (s *Server) Requests() []Request { return taken(s, &s.requests) }

// Issued returns the tokens that were issued since the last call.
func (s *Server) Issued() []Token { return taken(s, &s.issued) }

func taken[V any](s *Server, record *[]V) []V {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := *record
	*record = nil
	return taken
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

// Held is the number of requests that an outage keeps waiting at the token endpoint.
func (s *Server) Held() int { return int(s.held.Load()) }

// Lookup returns what an access token of this server stands for.
func (s *Server) Lookup(accessToken string) (Token, bool) {
	token, ok := s.base.store.active(accessToken)
	return token.Token, ok
}

// sign makes a token about a user for an audience, with more claims.
func (s *Server) sign(kind jose.ContentType, user, audience string, more ...map[string]any) string {
	now := time.Now()
	claims := map[string]any{
		"iss": s.IssuerURL(), "sub": user, "aud": audience, "jti": rand.Text(), "iat": now.Unix(), "exp": now.Add(accessTokenLifetime).Unix(),
	}
	for _, others := range more {
		maps.Copy(claims, others)
	}
	return s.base.sign(kind, claims)
}

// SignedAccessToken is an access token of a user that is a JWT (RFC 9068) for an
// audience. It stands for no login.
func (s *Server) SignedAccessToken(user, audience string) string {
	return s.sign("at+jwt", user, audience, map[string]any{"client_id": audience})
}

// LogoutToken is what the provider would send to a client whose user has logged out (OpenID Connect
// Back-Channel Logout 1.0 section 2.4). claims replace those of a good one.
func (s *Server) LogoutToken(clientID, user string, claims map[string]any) string {
	event := map[string]any{"http://schemas.openid.net/event/backchannel-logout": map[string]any{}}
	return s.sign("logout+jwt", user, clientID, map[string]any{"events": event}, claims)
}

// ServeHTTP serves all endpoints, and records.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, counted := r.URL.EscapedPath(), &statusWriter{ResponseWriter: w}
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.requests = append(s.requests, Request{path, counted.status})
	}()
	p := s.current()
	if e, _ := p.endpointAt(r.URL.Path); len(p.Hosts) > 0 && r.Host != strings.TrimPrefix(s.HostURL(e.host), "http://") {
		counted.WriteHeader(http.StatusMisdirectedRequest)
		return
	}
	p.serve(counted, r)
}

type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}
