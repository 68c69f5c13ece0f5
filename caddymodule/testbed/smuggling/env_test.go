// Package smuggling sends requests to a gateway that two servers read differently
// (RFC 9112 section 11.2), and looks at every byte that the server behind it gets:
// exactly the requests that the gateway judged, in a form that all servers read in
// the same way.
package smuggling

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy" // what stands behind the gateway
	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

const (
	// patience is how long an answer may take on a busy machine.
	patience = 30 * time.Second
	// hesitation is how long the attacker waits for more before he ends his side of
	// the connection.
	hesitation = 250 * time.Millisecond
	audience   = "https://api.example"
	user       = "user-1"
)

// env is a gateway with the identity endpoints, segmentation, and a server behind
// require_token. It is for one attack at a time.
type env struct {
	t       *testing.T
	backend *recorder
	issuer  *httptest.Server
	gateway *testgateway.Gateway
	secure  *secureGateway // from the first attack over HTTP/3 on
	token   string
}

func newEnv(t *testing.T) *env {
	s := &env{t: t}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	s.issuer = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "k", Algorithm: string(jose.ES256), Use: "sig"}}})
	}))
	t.Cleanup(s.issuer.Close)
	s.token, err = accessToken(key, s.issuer.URL)
	require.NoError(t, err)
	s.backend, err = newRecorder()
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.backend.Close() })
	s.gateway, err = testgateway.Start(testgateway.Config{AnyHost: true, Servers: "protocols h1 h2c", Site: s.site()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.gateway.Stop()) })
	return s
}

// site is what stands in the gateway's block of the Caddyfile.
func (s *env) site() string {
	return fmt.Sprintf(`
@site host %[1]s
handle @site {
	identity_gateway http://%[2]s {
		parameters oauth
	}
	text_segmentation
	handle /api/* {
		require_token %[3]s %[4]s {
			jwks_uri %[3]s/keys
			header X-User sub
		}
		reverse_proxy %[2]s
	}
}`, site, s.backend.Addr(), s.issuer.URL, audience)
}

func accessToken(key *ecdsa.PrivateKey, issuer string) (string, error) {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: key, KeyID: "k"}}, (&jose.SignerOptions{}).WithType("at+jwt"))
	if err != nil {
		return "", err
	}
	now := time.Now()
	return jwt.Signed(signer).Claims(jwt.Claims{
		Issuer: issuer, Subject: user, Audience: jwt.Audience{audience}, ID: rand.Text(),
		IssuedAt: jwt.NewNumericDate(now), Expiry: jwt.NewNumericDate(now.Add(time.Hour)),
	}).Claims(map[string]any{"client_id": "app"}).Serialize()
}

// try tries an attack at each target that it is for.
func (s *env) try(a *attack) {
	for _, target := range targets() {
		if !a.onlyAPI || target.token {
			s.tryAt(a, &target)
		}
	}
}

func (s *env) tryAt(a *attack, t *target) {
	violates := func(format string, values ...any) {
		s.t.Errorf(a.name+": "+t.name+": "+format, values...)
	}
	unprotected := ""
	if !a.malformed {
		if unprotected = s.unprotected(a, t); unprotected == "" {
			violates("the attack succeeds nowhere, and so proves nothing")
		}
	}
	s.backend.take()
	address := s.gateway.Address()
	var answers []int
	var err error
	switch {
	case a.http3:
		if s.secure == nil {
			s.secure, err = startSecure(s.site())
			require.NoError(s.t, err)
			s.t.Cleanup(func() { require.NoError(s.t, s.secure.close()) })
		}
		r := a.fields(t, s.token)
		answers, err = one(sendHTTP3(s.secure.address, &r))
		address = s.secure.plain
	case a.fields != nil:
		var c net.Conn
		c, err = net.Dial("tcp", address)
		require.NoError(s.t, err)
		defer c.Close()
		r := a.fields(t, s.token)
		answers, err = one(sendHTTP2(c, &r))
	default:
		answers, err = s.tryHTTP1(a, t, violates)
	}
	require.NoError(s.t, err, a.name)
	// Whoever comes next gets his own answer, also over a connection that the attack
	// went through.
	const victim = "GET /api/victim HTTP/1.1\r\nHost: " + site + "\r\nConnection: close\r\nX-Id: victim\r\nAuthorization: Bearer "
	received, err := send(address, victim+s.token+"\r\n\r\n", patience)
	require.NoError(s.t, err, a.name)
	got, ids, err := read(received, http.MethodGet)
	if err != nil || !slices.Equal(got, []int{http.StatusOK}) || !slices.Equal(ids, []string{"victim"}) {
		violates("whoever comes next gets %q", received)
	}
	reached := s.checkReached(violates)
	s.t.Logf("%s: %s: answers %v; %d of his requests reach the server behind; without the gateway it succeeds between: %s", a.name, t.name, answers, reached, cmp.Or(unprotected, "-"))
}

// one is the status of an answer, if there was one.
func one(status int, err error) ([]int, error) {
	if status == 0 {
		return nil, err
	}
	return []int{status}, err
}

func (s *env) tryHTTP1(a *attack, t *target, violates func(string, ...any)) ([]int, error) {
	last := "GET /api/last HTTP/1.1\r\nHost: " + site + "\r\nConnection: close\r\nX-Id: last\r\nAuthorization: Bearer " + s.token + "\r\n\r\n"
	sent := a.bytes(t, s.token)
	received, err := send(s.gateway.Address(), sent+last, hesitation)
	if err != nil {
		return nil, err
	}
	method, _, _ := strings.Cut(sent, " ")
	answers, ids, err := read(received, method)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) { // broken off
		violates("what the attacker gets is no answer: %v: %q", err, received)
	}
	if want := []string{"attack", "last"}; len(ids) > len(want) || !slices.Equal(ids, want[:len(ids)]) && !slices.Equal(ids, want[1:]) {
		violates("answers of the server behind are in the order %v", ids)
	}
	return answers, nil
}

// checkReached checks what reached the server behind: all dialects read the same in
// it, and nothing that it may not see. It returns how many of the attacker's did.
func (s *env) checkReached(violates func(string, ...any)) (reached int) {
	for _, stream := range s.backend.take() {
		// An incomplete request is one that the gateway broke off.
		want, complete := (&dialects()[0]).read(stream)
		for _, r := range want {
			if !permitted(r, s.token, s.backend.Addr().String()) {
				violates("the server behind gets %s %s for host %q with %q: %q", r.method, r.target, r.host, r.body, stream)
			}
			if strings.HasPrefix(r.target, "/api/") && r.user != user {
				violates("the server behind is not told who the user is: %q", stream)
			}
			if r.target != "/api/victim" && r.target != "/api/last" {
				reached++
			}
		}
		for _, d := range dialects() {
			if d.broken {
				continue
			}
			if got, ended := d.read(stream); ended != complete || !slices.Equal(got, want) {
				violates("a server that %s reads something else: %q", d.name, stream)
			}
		}
	}
	if reached > 1 {
		violates("%d requests reach the server behind", reached)
	}
	return reached
}

// unprotected names two servers between which the attack succeeds: the one in front
// reads nothing but what the one behind may see, and passes on the bytes; the one
// behind reads something else in them.
func (s *env) unprotected(a *attack, t *target) string {
	var stream string
	if a.fields != nil {
		r := a.fields(t, s.token)
		stream = r.asHTTP1()
	} else {
		stream = a.bytes(t, s.token)
	}
	isPermitted := func(r request) bool { return permitted(r, s.token, s.backend.Addr().String()) }
	for _, front := range dialects() {
		if a.fields != nil {
			// In front is the same server for all of these: one that writes HTTP/2 as HTTP/1.1.
			front.name = "writes HTTP/2 as HTTP/1.1"
			if a.http3 {
				front.name = "writes HTTP/3 as HTTP/1.1"
			}
		} else if read, complete := front.read(stream); !complete || len(read) == 0 || slices.ContainsFunc(read, func(r request) bool { return !isPermitted(r) }) {
			continue
		}
		for _, behind := range dialects() {
			if read, _ := behind.read(stream); slices.ContainsFunc(read, func(r request) bool { return !isPermitted(r) }) {
				return fmt.Sprintf("a server that %s, before one that %s", front.name, behind.name)
			}
		}
	}
	return ""
}

// send sends bytes over one connection and returns all that comes back. After a while
// without an end it closes its half of the connection.
func send(address, stream string, while time.Duration) (string, error) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return "", err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		return "", err
	}
	written := make(chan struct{})
	go func() { // the gateway may answer, and close, before it has read all
		defer close(written)
		_, _ = io.WriteString(c, stream)
	}()
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		<-written
		select {
		case <-ended:
		case <-time.After(while): // the gateway waits for more than there is
			_ = c.(*net.TCPConn).CloseWrite()
		}
	}()
	received, err := io.ReadAll(c)
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return "", fmt.Errorf("the gateway keeps the connection for more than %s: %q", patience, stream)
	}
	return string(received), nil // a reset ends it as well
}

// read reads answers, the first of which is for a request with the given method:
// their statuses, and whose request the server behind answered.
func read(received, method string) (statuses []int, ids []string, err error) {
	reader := bufio.NewReader(strings.NewReader(received))
	for {
		if _, err := reader.Peek(1); err != nil {
			return statuses, ids, nil
		}
		answer, err := http.ReadResponse(reader, &http.Request{Method: method})
		if err != nil {
			return statuses, ids, err
		}
		if answer.StatusCode < http.StatusOK {
			continue
		}
		if _, err := io.ReadAll(answer.Body); err != nil {
			return statuses, ids, err
		}
		_ = answer.Body.Close()
		method = http.MethodGet
		statuses = append(statuses, answer.StatusCode)
		if id := answer.Header.Get("X-Id"); id != "" {
			ids = append(ids, id)
		}
	}
}

// recorder is the server behind. It keeps every byte that it gets.
type recorder struct {
	net.Listener
	mu      sync.Mutex
	streams map[net.Conn]*bytes.Buffer
}

func newRecorder() (*recorder, error) {
	r := &recorder{streams: make(map[net.Conn]*bytes.Buffer)}
	listener, err := testgateway.Listen(r.serve)
	if err != nil {
		return nil, err
	}
	r.Listener = listener
	return r, nil
}

// take returns what came since it was called last, by connection.
func (r *recorder) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var streams []string
	for _, stream := range r.streams {
		if stream.Len() > 0 {
			streams = append(streams, stream.String())
			stream.Reset()
		}
	}
	return streams
}

// Write to a connection's stream.
type stream struct {
	*recorder
	net.Conn
}

func (s stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := s.streams[s.Conn]
	if kept == nil {
		kept = new(bytes.Buffer)
		s.streams[s.Conn] = kept
	}
	return kept.Write(p)
}

func (r *recorder) serve(c net.Conn) {
	reader := bufio.NewReader(io.TeeReader(c, stream{r, c}))
	for {
		request, err := http.ReadRequest(reader)
		if err != nil {
			return
		}
		if _, err := io.ReadAll(request.Body); err != nil {
			return
		}
		body := `{"access_token":"a","token_type":"Bearer"}`
		answer := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Id: %s\r\nContent-Length: %d\r\n\r\n", request.Header.Get("X-Id"), len(body))
		if request.Method != http.MethodHead {
			answer += body
		}
		if _, err := io.WriteString(c, answer); err != nil {
			return
		}
	}
}
