//go:build unix

// Package faults is an identity provider (IdP) whose network, TLS and HTTP can
// fail in every way that a listener can make them fail, and the check of what the
// gateway makes of it: for each fault and each kind of request one well-formed
// answer, or a visibly aborted one, in time, with nothing internal in it, the
// token request sent at most once, no goroutine left over, and requests served again within a second.
package faults

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
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
	"golang.org/x/oauth2"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

var (
	all   = flag.Bool("all", false, "try each fault on the requests that wait for metadata and keys, too")
	slack = flag.Duration("slack", time.Minute, "how much longer than promised an answer, or the recovery, may take on this machine")
)

func TestMain(m *testing.M) { testgateway.MainWithoutLeaks(m) }

// TestFaults tries every fault on the requests that are proxied, and on those after it, one
// fault at a time: it measures the process.
func TestFaults(t *testing.T) {
	eachFault(t, func(r *run) {
		if r.idp != nil {
			r.mustBeWell("before the fault")
		}
		runtime.GC()
		before := memory("VmRSS:")
		_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // the peak counts anew (Linux, proc_pid_clear_refs(5))
		r.begin()
		r.ask(proxied)
		if took := memory("VmHWM:") - before; took > maxMemory {
			r.t.Errorf("took %d MB of memory", took>>20)
		}
		if r.idp != nil {
			r.idp.begin(nil)
			time.Sleep(settle)
			r.mustBeWell("after the fault")
		}
	})
}

// TestFaultsOfMetadataAndKeys tries those that wait for up to ten seconds. Several may run at
// a time.
func TestFaultsOfMetadataAndKeys(t *testing.T) {
	if !*all {
		t.Skip("make faults tries this")
	}
	eachFault(t, func(r *run) {
		r.t.Parallel()
		r.begin()
		r.ask(waiting)
	})
}

func eachFault(t *testing.T, try func(*run)) {
	for title, faults := range kinds() {
		for _, f := range faults {
			t.Run(title+"/"+f.name, func(t *testing.T) { try(start(t, &f)) })
		}
	}
}

// operation is a kind of request to the gateway that makes it ask the IdP.
type operation struct {
	name string
	// path is what the IdP is asked for.
	path string
	// bound is how long an answer may take: that of a request, the time that one waits
	// for metadata, and that of a fetch of keys.
	bound time.Duration
	// gateway is the one that is asked: proxying, discovering, or requiring a token.
	gateway int
	// request is without the fields that all have.
	request func(token string) (line, fields, body string)
	// good is the answer of a healthy IdP.
	good string
}

// timeout is the gateway's response_timeout.
const timeout = time.Second

const (
	redirectURI = "http://127.0.0.1/cb"
	verifier    = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	state       = "state-of-the-client"
	audience    = "https://api.example"
)

// The operations. proxied are those that work again at once when the IdP does. The gateway
// asks for metadata and keys again later, so as not to flood an IdP in trouble.
var (
	token = operation{"token", "/oauth/token", timeout, 0, func(string) (line, fields, body string) {
		form := url.Values{"grant_type": {"authorization_code"}, "client_id": {"app"}, "redirect_uri": {redirectURI}, "code": {goodCode}, "code_verifier": {verifier}}.Encode()
		return "POST /oauth/token", fmt.Sprintf("Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n", len(form)), form
	}, goodToken}
	userInfo = operation{"user info", "/userinfo", timeout, 0, asksUserInfo, goodUserInfo}
	// A login without a user, whose redirects the gateway follows.
	silent = operation{"login without a user", "/authorize", timeout, 0, func(string) (line, fields, body string) {
		return "GET /authorize?" + url.Values{
			"response_type": {"code"}, "client_id": {"app"}, "redirect_uri": {redirectURI}, "state": {state}, "prompt": {"none"},
			"code_challenge_method": {"S256"}, "code_challenge": {oauth2.S256ChallengeFromVerifier(verifier)},
		}.Encode(), "Accept: application/json\r\n", ""
	}, `{"code":"` + goodCode + `","state":"` + state + `"}`}
	discovery = operation{"discovery", "/.well-known/openid-configuration", 3*time.Second + timeout, 1, asksUserInfo, goodUserInfo}
	keys      = operation{"keys", "/jwks", 10 * time.Second, 2, func(token string) (line, fields, body string) {
		return "GET /", "Authorization: Bearer " + token + "\r\n", ""
	}, "passed"}

	proxied = []operation{token, userInfo, silent}
	waiting = []operation{discovery, keys}
)

func asksUserInfo(string) (line, fields, body string) {
	return "GET /userinfo", "Authorization: Bearer a-token\r\n", ""
}

type run struct {
	t        *testing.T
	fault    *fault
	idp      *server // nil for an address where nobody answers
	address  string  // of the IdP
	token    string
	gateways [3]*testgateway.Gateway
}

// start starts the IdP, the issuer of access tokens, whose keys the IdP has, and the gateways.
func start(t *testing.T, f *fault) *run {
	r := &run{t: t, fault: f}
	issuer := testidp.Run(t, testidp.Behavior{})
	if f.address != nil {
		address, release, err := f.address()
		require.NoError(t, err)
		t.Cleanup(release)
		r.address = address
	} else {
		r.idp = startServer(t, issuer, f)
		r.address = r.idp.url()
	}
	// Keys of an https address are looked for by an https issuer only, or on loopback.
	issuer.Change(func(b *testidp.Behavior) { b.Metadata = map[string]any{"jwks_uri": r.address + "/jwks"} })
	r.token = issuer.SignedAccessToken("user-1", audience)
	trust := ""
	if f.tls != nil {
		file := filepath.Join(t.TempDir(), "authority.pem")
		require.NoError(t, os.WriteFile(file, authority.PEM(), 0o600))
		trust = "\ntransport http {\ntls_trust_pool file " + file + "\n}"
	}
	gateway := fmt.Sprintf("identity_gateway %s {\nparameters oauth\nresponse_timeout %s\nclient app {\nredirect_uri %s\n}%s\n", r.address, timeout, redirectURI, trust)
	token := fmt.Sprintf("require_token %s %s {%s\n}\nrespond passed", issuer.IssuerURL(), audience, trust)
	for i, site := range []string{gateway + "}", gateway + "discover\n}", token} {
		var err error
		r.gateways[i], err = testgateway.Start(testgateway.Config{Site: site})
		require.NoError(t, err)
		t.Cleanup(func() { _ = r.gateways[i].Stop() })
	}
	return r
}

func (r *run) begin() {
	if r.idp != nil { // where nobody answers, nobody ever did
		r.idp.begin(r.fault)
		time.Sleep(settle)
	}
}

const (
	// settle is how long both sides get to see that a connection was closed.
	settle = 30 * time.Millisecond
	// recovery is how long requests may fail after a fault, whose connections may
	// die with requests on them.
	recovery = time.Second
	// maxMemory is how much more memory a fault may take, in bytes.
	maxMemory = 64 << 20
)

func (r *run) ask(operations []operation) {
	times := 1
	if r.fault.twice {
		times = 2
	}
	var group sync.WaitGroup
	for _, op := range operations {
		group.Go(func() {
			for range times {
				status, said := r.request(op)
				r.t.Logf("%s: %d %s", op.name, status, said)
			}
		})
	}
	group.Wait()
	if r.idp != nil {
		if sent := r.idp.requests(token.path); sent > times {
			r.t.Errorf("sent %d token requests to the IdP for %d of the client", sent, times)
		}
	}
}

func (r *run) mustBeWell(when string) {
	for _, op := range proxied {
		deadline := time.Now().Add(recovery + *slack)
		status, said := r.request(op)
		for status != http.StatusOK && time.Now().Before(deadline) {
			time.Sleep(settle)
			status, said = r.request(op)
		}
		if status != http.StatusOK {
			r.t.Errorf("%s: %s got %d %s", when, op.name, status, said)
		}
	}
}

// request makes a request and checks its answer. status is 0 if it was aborted.
func (r *run) request(op operation) (status int, said string) {
	address := r.gateways[op.gateway].Address()
	line, fields, body := op.request(r.token)
	bound := op.bound + *slack
	received, err := testgateway.Exchange(address, fmt.Sprintf("%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%s\r\n%s", line, address, fields, body), bound, bound)
	if err == nil {
		status, said, err = r.check(op, received)
	}
	if err != nil {
		r.t.Errorf("%s: %v", op.name, err)
	}
	return status, said
}

// internals are what no answer may hold: words of the IdP's own, and of the
// libraries with which the gateway asks it.
var internals = []string{marker[:16], "goroutine", "dial ", "tcp", "EOF", "http2", "x509", "tls:", "json:", ".go:", "net/http", "malformed", "lookup "}

// reference is a header of random letters, which may spell anything.
var reference = regexp.MustCompile("(?m)^Gateway-Reference: .*$")

// check checks an answer, and returns its status and OAuth error code.
func (r *run) check(op operation, received string) (status int, code string, err error) {
	header, body, _ := strings.Cut(received, "\r\n\r\n")
	said := reference.ReplaceAllString(header, "")
	if op.name != userInfo.name || !strings.Contains(header, " 200 ") {
		said += body
	}
	for _, word := range internals {
		if strings.Contains(said, word) {
			return 0, "", fmt.Errorf("the answer has %q in it: %q", word, received)
		}
	}
	// The client is told the IdP's address if it has to open it in a browser.
	_, host, _ := strings.Cut(r.address, "://")
	if op.name != silent.name && strings.Contains(received, host) {
		return 0, "", fmt.Errorf("the answer has the IdP's address in it: %q", received)
	}
	reader := bufio.NewReader(strings.NewReader(received))
	response, err := http.ReadResponse(reader, nil)
	if err != nil {
		return 0, "aborted", nil // before the header was complete
	}
	content, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	switch {
	case err != nil:
		return 0, "aborted", nil // as a client sees
	case reader.Buffered() > 0:
		return 0, "", fmt.Errorf("there is more than one answer: %q", received)
	case response.StatusCode == http.StatusOK:
		return http.StatusOK, "", op.checkGood(strings.TrimSpace(string(content)))
	case response.StatusCode < http.StatusBadRequest:
		return 0, "", fmt.Errorf("the answer has status %d", response.StatusCode)
	}
	var failure struct {
		Error string `json:"error"`
	}
	if err := json.Unmarshal(content, &failure); err != nil || failure.Error == "" {
		return 0, "", fmt.Errorf("the answer is no OAuth error: %q", received)
	}
	return response.StatusCode, failure.Error, nil
}

// checkGood checks an answer with status 200: it says what the healthy IdP says.
func (op *operation) checkGood(body string) error {
	if op.name == userInfo.name && strings.HasPrefix(body, "{") && json.Valid([]byte(body)) {
		return nil // what IdPs say of users differs; what they say is theirs
	}
	if body != op.good {
		return fmt.Errorf("status 200 with %q", body)
	}
	return nil
}

// memory is an entry of /proc/self/status in bytes, 0 where there is none.
func memory(entry string) int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), entry)
	var kilobytes int64
	_, _ = fmt.Sscan(rest, &kilobytes)
	return kilobytes << 10
}
