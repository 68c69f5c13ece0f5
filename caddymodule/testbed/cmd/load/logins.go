package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// The client that logs in, and what its logins have in common.
const (
	clientID    = "5f9YqR7o3sKq2Wb1"
	redirectURI = "https://app.example.com/callback"
	nonce       = "bm9uY2Utb2YtdGhlLWxvZ2lu"
	verifier    = pkce.Verifier("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
	sealingKey  = "a key that only this benchmark uses" // the gateway's
	tokenPath   = "/oauth/token"
)

// logins makes the requests of logins, with codes sealed as the gateway seals them.
type logins struct {
	gateway *idp.Gateway // of the same configuration
	state   string       // of a login that is under way
}

// newLogins begins a login at a gateway in front of an identity provider.
func newLogins(idpAddress string) (l *logins, err error) {
	defer fail.Catch(&err)
	policy := fail.Must(idp.NewPolicy(idp.Config{
		AuthURL: "http://" + idpAddress, Callback: new(idp.CallbackConfig), Replay: "memory",
		Clients: []idp.ClientConfig{{ID: clientID, RedirectURIs: []string{redirectURI}}},
	}))
	keys := fail.Must(seal.NewKeys([][]byte{[]byte(sealingKey)}, time.Now))
	l = &logins{gateway: fail.Must(idp.NewGateway(policy, idp.Parts{
		Transport: http.DefaultTransport, Keys: seal.Static(keys), Replay: replay.NewMemory(1, time.Now),
	}))}
	l.state, err = l.begin(verifier)
	return l, err
}

// begin is the state that the identity provider gets for a login.
func (l *logins) begin(verifier pkce.Verifier) (string, error) {
	return l.sentTo("/authorize?"+authorizeQuery(verifier), "state")
}

// sentTo is a parameter of the address to which a browser is sent.
func (l *logins) sentTo(target, parameter string) (string, error) {
	result := l.gateway.Serve(idp.Request{Request: httptest.NewRequest(http.MethodGet, target, nil), BaseURL: "http://localhost"})
	if result.Decision.Refusal != nil {
		return "", result.Decision.Refusal
	}
	location, err := url.Parse(result.Header.Get("Location"))
	return location.Query().Get(parameter), err
}

func authorizeQuery(verifier pkce.Verifier) string {
	return "audience=https%3A%2F%2Fapi.example.com&scope=openid%20profile%20email&response_type=code&client_id=" + clientID +
		"&code_challenge_method=S256&code_challenge=" + string(verifier.S256()) +
		"&response_mode=query&state=Zm9vYmFyYmF6&nonce=" + nonce + "&redirect_uri=" + url.QueryEscape(redirectURI)
}

func (l *logins) authorize() []byte {
	return get("/authorize?"+authorizeQuery(verifier), "text/html", "")
}

func (l *logins) callback() []byte {
	return get("/oauth/callback?code="+idpCode(0, 0)+"&state="+l.state, "text/html", "")
}

// token redeems a code of the identity provider.
func (l *logins) token(dst []byte, connection, n int) []byte {
	return appendTokenRequest(dst, idpCode(connection, n), verifier)
}

// sealedToken redeems a sealed code, of a login of its own.
func (l *logins) sealedToken(dst []byte, connection, n int) []byte {
	verifier := pkce.Verifier(fmt.Sprintf("%021d-%021d", connection, n))
	code, err := l.begin(verifier)
	if err == nil {
		code, err = l.sentTo("/oauth/callback?code="+idpCode(connection, n)+"&state="+code, "code")
	}
	if err != nil {
		code = err.Error() // and so refused by the gateway, which ends the run
	}
	return appendTokenRequest(dst, code, verifier)
}

func userInfo() []byte {
	return get("/userinfo", "application/json", "Authorization: Bearer "+jwt()+"\r\n")
}

// idpCode is another one for each request.
func idpCode(connection, n int) string {
	return fmt.Sprintf("SplxlOBeZQQYbYS6WxSbIA-%d-%d", connection, n)
}

func get(target, accept, header string) []byte {
	return fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: %s\r\n%s\r\n", target, accept, header)
}

func appendTokenRequest(dst []byte, code string, verifier pkce.Verifier) []byte {
	body := "grant_type=authorization_code&client_id=" + clientID + "&code=" + code + "&code_verifier=" + string(verifier) +
		"&redirect_uri=" + url.QueryEscape(redirectURI)
	return fmt.Appendf(dst, "POST "+tokenPath+" HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: application/json\r\n"+
		"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// jwt is a token of the usual size, with the nonce of the logins.
func jwt() string {
	encode := base64.RawURLEncoding.EncodeToString
	return encode([]byte(`{"alg":"RS256","typ":"JWT","kid":"7Nq1bX0uHc3sT9v"}`)) + "." +
		encode([]byte(`{"iss":"https://idp.example/","sub":"auth0|507f1f77bcf86cd799439020","aud":"`+clientID+`","iat":1767225600,"exp":1767312000,`+
			`"sid":"iU2vSx1uQO7w3Yb1","nonce":"`+nonce+`","name":"Jane Doe","email":"jane@example.com"}`)) + "." +
		encode(make([]byte, 256)) // as long as the signature of an RSA key of 2,048 bits
}

// startIdP serves canned answers from this process.
func startIdP() (address string, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	mux := http.NewServeMux()
	for path, body := range map[string]string{
		tokenPath: `{"access_token":"` + jwt() + `","id_token":"` + jwt() + `","scope":"openid profile email","expires_in":86400,"token_type":"Bearer"}`,
		"/userinfo": `{"sub":"auth0|507f1f77bcf86cd799439020","name":"Jane Doe","nickname":"jane","email":"jane@example.com",` +
			`"email_verified":true,"picture":"https://cdn.example.com/jane.png","updated_at":"2026-01-01T00:00:00.000Z"}`,
		toolsPath: `{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"deleted"}]}}`,
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Cache-Control", "no-store")
			w.Header().Set("Content-Length", fmt.Sprint(len(body)))
			_, _ = io.WriteString(w, body)
		})
	}
	go func() { _ = http.Serve(listener, mux) }() // until the process ends
	return listener.Addr().String(), nil
}
