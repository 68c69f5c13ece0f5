package faults

import (
	"bufio"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

// timeout is the gateway's response_timeout.
const timeout = time.Second

// operation is a kind of request to the gateway that makes it ask the IdP.
type operation int

// The operations.
const (
	Token     operation = iota // an exchange, proxied
	UserInfo                   // proxied
	Walk                       // a login without a user, whose redirects the gateway follows
	Discovery                  // a request that has to wait for the IdP's metadata
	Keys                       // one with an access token, for which keys are fetched
	operations
)

// String is the operation's column.
func (o operation) String() string {
	return [operations]string{"token", "user info", "login without a user", "discovery", "keys"}[o]
}

// path is what the IdP is asked for.
func (o operation) path() string {
	return [operations]string{"/oauth/token", "/userinfo", "/authorize", "/.well-known/openid-configuration", "/jwks"}[o]
}

// bound is how long an answer may take: that of a request, the time that one waits
// for metadata, and that of a fetch of keys.
func (o operation) bound() time.Duration {
	return [operations]time.Duration{timeout, timeout, timeout, 3*time.Second + timeout, 10 * time.Second}[o]
}

// answer is what a client got.
type answer struct {
	// status of the response; 0 if it was aborted.
	status int
	// code is the OAuth error code, if there is one.
	code string
	took time.Duration
}

// String is an entry of the table.
func (a answer) String() string {
	switch {
	case a.status == 0:
		return fmt.Sprintf("aborted after %s", a.took)
	case a.code != "":
		return fmt.Sprintf("%d %s after %s", a.status, a.code, a.took)
	}
	return fmt.Sprintf("%d after %s", a.status, a.took)
}

// env is what the faults are tried on.
type env struct {
	folder    string
	authority *authority
	slack     time.Duration
}

// newEnv prepares an environment in a folder. slack is what an answer, or the recovery from a
// fault, may take longer than promised, because the machine is busy. The process trusts the
// faults' certificate authority from then on, instead of the system's, unless it has
// made a TLS connection before.
func newEnv(folder string, slack time.Duration) (*env, error) {
	a, err := theAuthority()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, "authority.pem")
	if err := os.WriteFile(file, a.pem, 0o600); err != nil {
		return nil, err
	}
	return &env{folder, a, slack}, os.Setenv("SSL_CERT_FILE", file)
}

// run is one fault under trial.
type run struct {
	fault    *fault
	slack    time.Duration
	idp      *server // nil for an address where nobody answers
	issuer   *server // the healthy one whose keys the IdP has
	address  string  // of the IdP
	token    string
	gateways [3]*testgateway.Gateway // proxying, discovering, requiring a token
	t        *testing.T
}

// try tries a fault on the requests that are proxied, and on those after it. No
// other may run at that time: it measures the process.
func (s *env) try(t *testing.T, f *fault) {
	r := s.start(t, f)
	if r.idp != nil {
		r.mustBeWell("before the fault")
	}
	before := measure()
	resetPeak()
	r.begin(s)
	r.ask(proxied)
	if took := peak() - before.memory; took > maxMemory {
		t.Errorf("took %d MB of memory", took>>20)
	}
	if r.idp != nil {
		r.idp.begin(nil, nil)
		time.Sleep(settle)
		r.mustBeWell("after the fault")
	}
	r.mustHaveLeft(before)
}

// tryWaiting tries a fault on the requests that wait for metadata and keys, up to
// ten seconds. Several may run at a time.
func (s *env) tryWaiting(t *testing.T, f *fault) {
	r := s.start(t, f)
	r.begin(s)
	r.ask(waiting)
}

// begin lets the fault begin.
func (r *run) begin(s *env) {
	if r.idp == nil {
		return // where nobody answers, nobody ever did
	}
	var config *tls.Config
	if r.fault.tls != nil {
		config = r.fault.tls(s.authority)
	}
	r.idp.begin(r.fault, config)
	time.Sleep(settle)
}

const (
	// settle is how long both sides get to see that a connection was closed.
	settle = 30 * time.Millisecond
	// maxMemory is how much more memory a fault may take, in bytes.
	maxMemory = 64 << 20
	// moreThings is how many more goroutines and descriptors may be there for
	// connections that are kept for the next request.
	moreThings = 12
)

// start starts the IdP, the issuer and the gateways.
func (s *env) start(t *testing.T, f *fault) *run {
	r := &run{fault: f, slack: s.slack, t: t}
	key, err := newKey()
	require.NoError(t, err)
	p := &provider{key: key}
	if f.address != nil {
		address, release, err := f.address()
		require.NoError(t, err)
		t.Cleanup(release)
		r.address = address
	} else {
		var healthy *tls.Config
		if f.tls != nil {
			healthy = s.authority.config(nil)
		}
		r.idp, err = newServer(p, healthy)
		require.NoError(t, err)
		t.Cleanup(r.idp.close)
		r.address = r.idp.url()
	}
	p.issuer = r.address
	issuer := &provider{key: key, keysAt: r.address + "/jwks"}
	// Keys of an https address are looked for by an https issuer only, or on loopback.
	r.issuer, err = newServer(issuer, nil)
	require.NoError(t, err)
	t.Cleanup(r.issuer.close)
	issuer.issuer = r.issuer.url()
	r.token, err = issuer.accessToken()
	require.NoError(t, err)
	gateway := func(options string) string {
		return fmt.Sprintf("identity_gateway %s {\nparameters oauth\nresponse_timeout %s\nclient app {\nredirect_uri %s\n}\n%s\n}", r.address, timeout, redirectURI, options)
	}
	for i, site := range []string{gateway(""), gateway("discover"), "require_token " + issuer.issuer + " " + audience + "\nrespond passed"} {
		folder, err := os.MkdirTemp(s.folder, "storage")
		require.NoError(t, err)
		r.gateways[i], err = testgateway.Start(testgateway.Config{Site: site, Storage: folder})
		require.NoError(t, err)
		t.Cleanup(func() { _ = r.gateways[i].Stop() })
	}
	return r
}

const (
	redirectURI = "http://127.0.0.1/cb"
	verifier    = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	state       = "state-of-the-client"
)

// ask makes the requests, all at once.
func (r *run) ask(operations []operation) {
	times := 1
	if r.fault.twice {
		times = 2
	}
	var group sync.WaitGroup
	for _, op := range operations {
		group.Go(func() {
			for range times {
				r.t.Logf("%s: %s", op, r.request(op))
			}
		})
	}
	group.Wait()
	if r.idp != nil {
		if sent := r.idp.requests(Token.path()); sent > times {
			r.t.Errorf("sent %d token requests to the IdP for %d of the client", sent, times)
		}
	}
}

// proxied are the operations that work again at once when the IdP does.
// The gateway asks for metadata and keys again later, so as not to flood an IdP in
// trouble.
var (
	proxied = []operation{Token, UserInfo, Walk}
	waiting = []operation{Discovery, Keys}
)

// recovery is how long requests may fail after a fault, whose connections may
// die with requests on them.
const recovery = time.Second

func (r *run) mustBeWell(when string) {
	for _, op := range proxied {
		deadline := time.Now().Add(recovery + r.slack)
		got := r.request(op)
		for got.status != http.StatusOK && time.Now().Before(deadline) {
			time.Sleep(settle)
			got = r.request(op)
		}
		if got.status != http.StatusOK {
			r.t.Errorf("%s: %s got %s", when, op, got)
		}
	}
}

// request makes a request and checks its answer.
func (r *run) request(op operation) answer {
	gateway, request := r.gateways[0], ""
	host := func() string { return "Host: " + gateway.Address() + "\r\nConnection: close\r\n" }
	switch op {
	case Token:
		form := url.Values{"grant_type": {"authorization_code"}, "client_id": {"app"}, "redirect_uri": {redirectURI}, "code": {goodCode}, "code_verifier": {verifier}}.Encode()
		request = fmt.Sprintf("POST /oauth/token HTTP/1.1\r\n%sContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", host(), len(form), form)
	case Discovery:
		gateway = r.gateways[1]
		fallthrough
	case UserInfo:
		request = "GET /userinfo HTTP/1.1\r\n" + host() + "Authorization: Bearer a-token\r\n\r\n"
	case Walk:
		challenge := sha256.Sum256([]byte(verifier))
		query := url.Values{
			"response_type": {"code"}, "client_id": {"app"}, "redirect_uri": {redirectURI}, "state": {state}, "prompt": {"none"},
			"code_challenge_method": {"S256"}, "code_challenge": {base64.RawURLEncoding.EncodeToString(challenge[:])},
		}.Encode()
		request = "GET /authorize?" + query + " HTTP/1.1\r\n" + host() + "Accept: application/json\r\n\r\n"
	case Keys:
		gateway = r.gateways[2]
		request = "GET / HTTP/1.1\r\n" + host() + "Authorization: Bearer " + r.token + "\r\n\r\n"
	}
	began := time.Now()
	bound := op.bound() + r.slack
	received, err := exchange(gateway.Address(), request, bound)
	got := answer{took: time.Since(began)}
	if err != nil {
		r.t.Errorf("%s: no answer within %s: %v", op, bound, err)
		return got
	}
	if err := r.check(op, received, &got); err != nil {
		r.t.Errorf("%s: %v", op, err)
	}
	return got
}

// exchange sends a request and returns everything that comes back.
func exchange(address, request string, bound time.Duration) (string, error) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return "", err
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(bound))
	if _, err := io.WriteString(c, request); err != nil {
		return "", err
	}
	received, err := io.ReadAll(c)
	var timedOut net.Error
	if errors.As(err, &timedOut) && timedOut.Timeout() {
		return "", err
	}
	return string(received), nil // a reset ends an aborted answer
}

// internals are what no answer may hold: words of the IdP's own, and of the
// libraries with which the gateway asks it.
var internals = []string{marker[:16], "goroutine", "dial ", "tcp", "EOF", "http2", "x509", "tls:", "json:", ".go:", "net/http", "malformed", "lookup "}

// reference is a header of random letters, which may spell anything.
var reference = regexp.MustCompile("(?m)^Gateway-Reference: .*$")

// check checks an answer, and fills in what it was.
func (r *run) check(op operation, received string, got *answer) error {
	header, body, _ := strings.Cut(received, "\r\n\r\n")
	said := reference.ReplaceAllString(header, "")
	if op != UserInfo || !strings.Contains(header, " 200 ") {
		said += body
	}
	for _, word := range internals {
		if strings.Contains(said, word) {
			return fmt.Errorf("the answer has %q in it: %q", word, received)
		}
	}
	// The client is told the IdP's address if it has to open it in a browser.
	if host := strings.TrimPrefix(strings.TrimPrefix(r.address, "http://"), "https://"); op != Walk && strings.Contains(received, host) {
		return fmt.Errorf("the answer has the IdP's address in it: %q", received)
	}
	reader := bufio.NewReader(strings.NewReader(received))
	response, err := http.ReadResponse(reader, nil)
	if err != nil {
		return nil // aborted before the header was complete
	}
	content, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if err != nil {
		return nil // aborted, as a client sees
	}
	if reader.Buffered() > 0 {
		return fmt.Errorf("there is more than one answer: %q", received)
	}
	got.status = response.StatusCode
	if response.StatusCode == http.StatusOK {
		return r.checkGood(op, strings.TrimSpace(string(content)))
	}
	if response.StatusCode < 400 {
		return fmt.Errorf("the answer has status %d", response.StatusCode)
	}
	var failure struct {
		Error string `json:"error"`
	}
	if err := json.Unmarshal(content, &failure); err != nil || failure.Error == "" {
		return fmt.Errorf("the answer is no OAuth error: %q", received)
	}
	got.code = failure.Error
	return nil
}

// checkGood checks an answer with status 200: it says what the healthy IdP says.
func (r *run) checkGood(op operation, body string) error {
	if op == UserInfo && strings.HasPrefix(body, "{") && json.Valid([]byte(body)) {
		return nil // what IdPs say of users differs; what they say is theirs
	}
	want := [operations]string{goodToken, goodUserInfo, `{"code":"` + goodCode + `","state":"` + state + `"}`, goodUserInfo, "passed"}[op]
	if body != want {
		return fmt.Errorf("status 200 with %q", body)
	}
	return nil
}

// things are what a process has.
type things struct {
	goroutines, descriptors int
	memory                  int64 // resident, in bytes
}

func measure() things {
	runtime.GC()
	return things{runtime.NumGoroutine(), descriptors(), resident()}
}

// mustHaveLeft waits until what the fault took is given back.
func (r *run) mustHaveLeft(before things) {
	deadline := time.Now().Add(patience)
	for {
		now := measure()
		if now.goroutines <= before.goroutines+moreThings && now.descriptors <= before.descriptors+moreThings {
			return
		}
		if time.Now().After(deadline) {
			r.t.Errorf("left %d goroutines and %d descriptors, before it were %d and %d", now.goroutines, now.descriptors, before.goroutines, before.descriptors)
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// descriptors is how many files and sockets are open, 0 where the system does not tell.
func descriptors() int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(entries)
}

// resetPeak lets [peak] count anew.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) } // Linux, see proc_pid_clear_refs(5)

func peak() int64     { return memory("VmHWM:") }
func resident() int64 { return memory("VmRSS:") }

// memory is an entry of /proc/self/status in bytes, 0 where there is none.
func memory(entry string) int64 {
	status, err := os.ReadFile(filepath.Join("/proc", "self", "status"))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), entry)
	var kilobytes int64
	_, _ = fmt.Sscan(rest, &kilobytes)
	return kilobytes << 10
}
