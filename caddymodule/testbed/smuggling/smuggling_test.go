// Package smuggling sends requests to a gateway that another server could read differently
// (RFC 9112 section 11.2), and looks at every byte that the server behind it gets: exactly
// the requests that the gateway judged, in a form that all servers read in the same way.
//
// How a request is framed Caddy reads before any handler. What is here is about what the
// gateway's handlers pass on.
package smuggling

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/standard"
	"github.com/stretchr/testify/require"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

func TestMain(m *testing.M) {
	testgateway.Main()
	os.Exit(m.Run())
}

const (
	site     = "site.example"     // what the gateway serves
	internal = "internal.example" // what it does not
	// smuggled is what the attacker wants a server behind the gateway to see: it has
	// no token.
	smuggled = "GET /api/smuggled HTTP/1.1\r\nHost: " + site + "\r\n\r\n"

	// patience is how long an answer may take on a busy machine.
	patience = 30 * time.Second
	// hesitation is how long the attacker waits for more before he ends his side of
	// the connection.
	hesitation = 250 * time.Millisecond
	audience   = "https://api.example"
	user       = "user-1"
	verifier   = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
)

func TestNoRequestIsSmuggled(t *testing.T) {
	s := newEnv(t)
	for _, a := range attacks() {
		for _, target := range targets() {
			if !a.onlyAPI || target.token {
				s.try(&a, &target)
			}
		}
	}
}

// target is what the attacker has access to.
type target struct {
	name, path, contentType string
	token                   bool // it takes one
	body                    string
}

func targets() []target {
	return []target{
		{name: "require_token, then reverse_proxy", path: "/api/upload", contentType: "text/plain", token: true, body: "an upload"},
		{
			name: "/oauth/token", path: "/oauth/token", contentType: "application/x-www-form-urlencoded",
			body: "grant_type=authorization_code&client_id=app&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcb&code=c&code_verifier=" + verifier,
		},
		{
			name: "segmentation", path: "/machine_learning/text/technical_language/parsers/segmentation", contentType: "application/json",
			body: `{"value":"Please look at main.go"}`,
		},
	}
}

// env is a gateway with the identity endpoints, segmentation, and a server behind
// require_token. It is for one attack at a time.
type env struct {
	t       *testing.T
	behind  *recorder
	address string // of the gateway
	token   string
}

func newEnv(t *testing.T) *env {
	idp := testidp.Run(t, testidp.Behavior{})
	s := &env{t: t, behind: newRecorder(t)}
	s.token = idp.SignedAccessToken(user, audience)
	site := fmt.Sprintf(`
@site host %[1]s
handle @site {
	identity_gateway http://%[2]s {
		parameters oauth
	}
	text_segmentation
	handle /api/* {
		require_token %[3]s %[4]s {
			header X-User sub
		}
		reverse_proxy %[2]s
	}
}`, site, s.behind.Addr(), idp.IssuerURL(), audience)
	g := testgateway.Run(t, testgateway.Config{AnyHost: true, Site: site})
	s.address = g.Address()
	return s
}

func (s *env) try(a *attack, t *target) {
	violates := func(format string, values ...any) {
		s.t.Errorf(a.name+": "+t.name+": "+format, values...)
	}
	s.behind.take()
	answers, err := s.send(a, t, violates)
	require.NoError(s.t, err, a.name)
	// Whoever comes next gets his own answer, also over a connection that the attack
	// went through.
	received, err := testgateway.Exchange(s.address, "GET /api/victim HTTP/1.1\r\nHost: "+site+"\r\nConnection: close\r\nX-Id: victim\r\nAuthorization: Bearer "+s.token+"\r\n\r\n", patience, patience)
	require.NoError(s.t, err, a.name)
	got, ids, err := read(received, http.MethodGet)
	if err != nil || !slices.Equal(got, []int{http.StatusOK}) || !slices.Equal(ids, []string{"victim"}) {
		violates("whoever comes next gets %q", received)
	}
	reached := 0
	for _, stream := range s.behind.take() {
		reached += s.check(stream, violates)
	}
	if reached > 1 {
		violates("%d requests reach the server behind", reached)
	}
	s.t.Logf("%s: %s: answers %v; %d of his requests reach the server behind", a.name, t.name, answers, reached)
}

// send makes an attack, and a good request behind it. It returns the statuses of the answers.
func (s *env) send(a *attack, t *target, violates func(string, ...any)) ([]int, error) {
	last := "GET /api/last HTTP/1.1\r\nHost: " + site + "\r\nConnection: close\r\nX-Id: last\r\nAuthorization: Bearer " + s.token + "\r\n\r\n"
	sent := a.bytes(t, s.token)
	received, err := testgateway.Exchange(s.address, sent+last, hesitation, patience)
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

// canonical is the beginning of a request that no server reads in another way: no control
// characters, no folded lines, no spaces around names.
var canonical = regexp.MustCompile(`\A[A-Z]+ /[!-~]* HTTP/1\.1\r\n(?:[A-Za-z0-9-]+: [ -~\x80-\xff]*\r\n)+\r\n`)

// check checks what reached the server behind over one connection: requests that it may see,
// in canonical form. It returns how many of them are the attacker's.
func (s *env) check(stream string, violates func(string, ...any)) (attackers int) {
	for stream != "" {
		if !canonical.MatchString(stream) {
			if strings.Contains(stream, "\r\n\r\n") { // else the gateway has broken it off
				violates("what the server behind gets can be read in several ways: %q", stream)
			}
			return attackers
		}
		source := strings.NewReader(stream)
		reader := bufio.NewReader(source)
		r, err := http.ReadRequest(reader)
		if err != nil {
			violates("what the server behind gets is no request: %v: %q", err, stream)
			return attackers
		}
		framing := len(r.Header["Content-Length"]) + len(r.TransferEncoding)
		if framing > 1 || r.Header["Upgrade"] != nil || r.Trailer != nil {
			violates("the server behind gets a body of two lengths, an upgrade or a trailer: %q", stream)
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return attackers // broken off, too
		}
		if !s.permitted(r, string(body)) {
			violates("the server behind gets %s %s for host %q: %q", r.Method, r.URL, r.Host, stream)
		}
		if r.URL.Path != "/api/victim" && r.URL.Path != "/api/last" {
			attackers++
		}
		stream = stream[len(stream)-source.Len()-reader.Buffered():]
	}
	return attackers
}

// permitted reports a request that a server behind the gateway may see. The identity
// provider's host is its own.
func (s *env) permitted(r *http.Request, body string) bool {
	path, _, _ := strings.Cut(r.URL.EscapedPath(), "%") // one target, which the gateway has escaped
	switch path {
	case "/api/upload", "/api/last", "/api/victim":
		return r.Host == site && slices.Equal(r.Header["Authorization"], []string{"Bearer " + s.token}) && slices.Equal(r.Header["X-User"], []string{user})
	case "/oauth/token":
		return r.Host == s.behind.Addr().String() && strings.Contains(body, "code_verifier="+verifier)
	}
	return false
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
	streams []*bytes.Buffer // one for each connection
}

func newRecorder(t *testing.T) *recorder {
	r := new(recorder)
	var err error
	r.Listener, err = testgateway.Listen(r.serve)
	require.NoError(t, err)
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// take returns what came since it was called last, by connection.
func (r *recorder) take() (streams []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, stream := range r.streams {
		streams = append(streams, stream.String())
		stream.Reset()
	}
	return streams
}

func (r *recorder) serve(c net.Conn) {
	stream := new(bytes.Buffer)
	r.mu.Lock()
	r.streams = append(r.streams, stream)
	r.mu.Unlock()
	reader := bufio.NewReader(io.TeeReader(c, writer(func(p []byte) (int, error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		return stream.Write(p)
	})))
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

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }
