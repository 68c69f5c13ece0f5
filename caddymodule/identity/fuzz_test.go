package identity

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

// rawIdP answers every request with the same bytes.
type rawIdP struct {
	net.Listener
	mu       sync.Mutex
	answer   []byte
	received []recorded
}

func newRawIdP(t testing.TB) *rawIdP {
	r := new(rawIdP)
	var err error
	r.Listener, err = testgateway.Listen(r.serve)
	require.NoError(t, err)
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func (r *rawIdP) serve(c net.Conn) {
	request, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return
	}
	body, _ := io.ReadAll(request.Body)
	r.mu.Lock()
	r.received = append(r.received, recorded{method: request.Method, path: request.URL.EscapedPath(), query: request.URL.RawQuery, body: string(body), header: request.Header})
	answer := r.answer
	r.mu.Unlock()
	_, _ = c.Write(answer)
}

// answerWith sets the answer and returns what was received since the last call.
func (r *rawIdP) answerWith(answer []byte) []recorded {
	r.mu.Lock()
	defer r.mu.Unlock()
	received := r.received
	r.answer, r.received = answer, nil
	return received
}

// secret is in every value of the seeds that no log and no error may show.
const secret = "s3cr3t"

// FuzzGateway sends the bytes of a request to a gateway in front of an IdP that
// answers with other bytes. Whatever they are: the IdP gets no exchange without a
// verifier, nobody is redirected to where nobody is registered, status 200 has the
// JSON of a token or a user, and no log line or error shows a secret.
func FuzzGateway(f *testing.F) {
	rawServer := newRawIdP(f)
	issuer := "http://" + rawServer.Addr().String()
	g, cleanup, err := provision(f, "identity_gateway "+issuer+" {\nresponse_timeout 2s"+registeredClient+"}", f.TempDir())
	require.NoError(f, err)
	f.Cleanup(cleanup)
	var logged bytes.Buffer
	var writing sync.Mutex
	g.logger = zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()), zapcore.AddSync(&lockedWriter{&writing, &logged}), zapcore.DebugLevel))
	g.refusals = decision.NewLog(g.logger)
	server := new(caddyhttp.Server)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = caddyhttp.PrepareRequest(r, caddy.NewReplacer(), w, server)
		if err := g.ServeHTTP(w, r, teapot); err != nil {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	f.Cleanup(front.Close)
	address := strings.TrimPrefix(front.URL, "http://")

	verifier := strings.Repeat(secret, 8)
	form := tokenBody(verifier, secret+"-code")
	post := func(path, body string) string {
		return "POST " + path + " HTTP/1.1\r\nHost: gw\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
	}
	get := func(target string, header ...string) string {
		return "GET " + target + " HTTP/1.1\r\nHost: gw\r\n" + strings.Join(append(header, ""), "\r\n") + "\r\n"
	}
	ok := func(body string) string {
		return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
	}
	token := ok(`{"access_token":"` + secret + `","token_type":"Bearer","refresh_token":"` + secret + `"}`)
	for _, seed := range [][2]string{
		{post("/oauth/token", form), token},
		{post("/oauth/token", strings.Replace(form, "code_verifier", "x", 1)), token},
		{post("/oauth/token", "grant_type=refresh_token&client_id=app&refresh_token="+secret), token},
		{post("/oauth/token", form), "HTTP/1.1 400 Bad Request\r\nContent-Length: 25\r\n\r\n{\"error\":\"invalid_grant\"}\n"},
		{post("/oauth/token", form), "HTTP/1.1 302 Found\r\nLocation: https://evil.example/" + secret + "\r\n\r\n"},
		{post("/oauth/token", form), "junk"},
		{post("/oauth/revoke", "token="+secret+"&client_id=app"), ok("")},
		{get("/userinfo", "Authorization: Bearer "+secret), ok(`{"sub":"` + secret + `"}`)},
		{get("/userinfo?access_token=" + secret), ok("{}")},
		{get("/authorize?" + authorizeQuery(verifier, "state", secret)), ""},
		{get("/authorize?"+authorizeQuery(verifier, "prompt", "none", "state", secret), "Accept: application/json"), "HTTP/1.1 302 Found\r\nLocation: https://app.example/cb?code=" + secret + "&state=" + secret + "\r\n\r\n"},
		{get("/authorize?" + authorizeQuery(verifier, "redirect_uri", "https://evil.example/")), ""},
		{get("/v2/logout?client_id=app&returnTo=https%3A%2F%2Fapp.example%2Fbye"), ""},
		{get("//authorize?" + authorizeQuery(verifier)), ""},
		{"OPTIONS /oauth/token HTTP/1.1\r\nHost: gw\r\nOrigin: https://app.example\r\nAccess-Control-Request-Method: POST\r\n\r\n", ""},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	allowed := []string{issuer + "/authorize?", issuer + "/v2/logout?", "https://app.example/cb?", "https://app.example/bye"}
	f.Fuzz(func(t *testing.T, request, answer []byte) {
		rawServer.answerWith(answer)
		c, err := net.Dial("tcp", address)
		require.NoError(t, err)
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(10 * time.Second))
		_, _ = c.Write(request)
		_ = c.(*net.TCPConn).CloseWrite()
		responses := bufio.NewReader(c)
		for range 8 { // a request may have others behind it
			response, err := http.ReadResponse(responses, nil)
			if err != nil {
				break
			}
			body, err := io.ReadAll(response.Body)
			if location := response.Header.Get("Location"); location != "" {
				require.True(t, isRegistered(location, allowed), "redirected to %q", location)
			}
			if err != nil || response.StatusCode == http.StatusTeapot {
				continue
			}
			if response.StatusCode == http.StatusOK && len(body) > 0 && strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") {
				require.True(t, json.Valid(body), "%q", body)
			}
			if response.StatusCode >= 400 && response.StatusCode != http.StatusUnauthorized && !bytes.Contains(answer, []byte(secret)) {
				require.NotContains(t, string(body), secret)
			}
		}
		for _, r := range rawServer.answerWith(nil) {
			if r.path != "/oauth/token" {
				continue
			}
			sent, err := url.ParseQuery(r.body)
			require.NoError(t, err)
			if sent.Get("grant_type") == "authorization_code" {
				require.Len(t, sent["code_verifier"], 1)
				require.Regexp(t, `^[A-Za-z0-9._~-]{43,128}$`, sent.Get("code_verifier"))
			}
		}
		writing.Lock()
		defer writing.Unlock()
		require.NotContains(t, logged.String(), secret)
		logged.Reset()
	})
}

// teapot is the handler after the gateway.
var teapot = caddyhttp.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) error {
	w.WriteHeader(http.StatusTeapot)
	return nil
})

// isRegistered reports a URL that a response may redirect to.
func isRegistered(location string, prefixes []string) bool {
	if slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(location, prefix) }) {
		return true
	}
	u, err := url.Parse(location)
	return err == nil && u.Scheme == "http" && u.Hostname() == "127.0.0.1" && u.Path == "/cb" // at any port (RFC 8252)
}

// lockedWriter is a writer that several goroutines use.
type lockedWriter struct {
	mu *sync.Mutex
	io.Writer
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.Writer.Write(p)
}
