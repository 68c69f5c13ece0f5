package main

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
)

// openIDProvider signs ID tokens, whose nonce is the code of the login.
type openIDProvider struct {
	url     string
	key     jose.JSONWebKey
	renewed []byte // the answer to each refresh
}

// startOpenIDProvider serves one from this process.
func startOpenIDProvider() (p *openIDProvider, err error) {
	defer fail.Catch(&err)
	listener := fail.Must(net.Listen("tcp", "127.0.0.1:0"))
	key := fail.Must(rsa.GenerateKey(rand.Reader, 2048))
	p = &openIDProvider{url: "http://" + listener.Addr().String(), key: jose.JSONWebKey{Key: key, KeyID: "k1", Algorithm: string(jose.RS256), Use: "sig"}}
	p.renewed = p.answer("")
	go func() { _ = http.Serve(listener, p) }() // until the process ends
	return p, nil
}

// answer is a token response.
func (p *openIDProvider) answer(nonce string) []byte {
	signer := fail.Must(jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: p.key}, new(jose.SignerOptions).WithType("JWT")))
	claims := map[string]any{
		"iss": p.url, "sub": "auth0|507f1f77bcf86cd799439020", "aud": "gateway", "exp": time.Now().Add(24 * time.Hour).Unix(), "iat": time.Now().Unix(),
		"sid": "iU2vSx1uQO7w3Yb1", "name": "Jane Doe", "email": "jane@example.com", "email_verified": true,
	}
	if nonce != "" {
		claims["nonce"] = nonce
	}
	signed := fail.Must(signer.Sign(fail.Must(json.Marshal(claims))))
	return fail.Must(json.Marshal(map[string]any{
		"access_token": "an-access-token-that-is-opaque", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "a-refresh-token",
		"id_token": fail.Must(signed.CompactSerialize()),
	}))
}

func (p *openIDProvider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	var document any
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		document = map[string]any{
			"issuer": p.url, "authorization_endpoint": p.url + "/authorize", "token_endpoint": p.url + tokenPath, "jwks_uri": p.url + "/keys",
			"response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"}, "id_token_signing_alg_values_supported": []string{"RS256"},
			"code_challenge_methods_supported": []string{"S256"},
		}
	case "/keys":
		document = jose.JSONWebKeySet{Keys: []jose.JSONWebKey{p.key.Public()}}
	case tokenPath:
		answer := p.renewed
		if code := r.PostFormValue("code"); code != "" {
			answer = p.answer(code)
		}
		_, _ = w.Write(answer)
		return
	}
	_ = json.NewEncoder(w).Encode(document)
}

// issuer is a site whose gateway signs ID tokens of its own, for a client by each algorithm.
func (p *openIDProvider) issuer() string {
	site := fmt.Sprintf("identity_gateway %s {\n\tparameters oauth\n\tdiscover\n\tcallback\n\tpublic_url http://localhost\n\treplay memory\n", p.url)
	for _, algorithm := range []string{"RS256", "ES256"} {
		site += fmt.Sprintf("\tclient %s {\n\t\tredirect_uri %s\n\t\tid_token_alg %[1]s\n\t\tidp_client gateway {\n\t\t\tsecret s3cret\n\t\t}\n\t}\n", algorithm, redirectURI)
	}
	return site + "}"
}

// refresh logs a user in at that site, and is the request that renews his tokens, as often as it is sent.
func refresh(address, client string) (request []byte, err error) {
	defer fail.Catch(&err)
	at, verifier := "http://"+address, pkce.Verifier(strings.Repeat(client, 9))
	to := sentTo(at + "/authorize?" + url.Values{
		"response_type": {"code"}, "client_id": {client}, "redirect_uri": {redirectURI}, "scope": {"openid"}, "state": {"s"}, "nonce": {nonce},
		"code_challenge": {string(verifier.S256())}, "code_challenge_method": {"S256"},
	}.Encode())
	to = sentTo(at + "/oauth/callback?" + url.Values{"code": {to.Get("nonce")}, "state": {to.Get("state")}}.Encode())
	response := fail.Must(http.PostForm(at+tokenPath, url.Values{
		"grant_type": {"authorization_code"}, "client_id": {client}, "redirect_uri": {redirectURI}, "code": {to.Get("code")}, "code_verifier": {string(verifier)},
	}))
	defer response.Body.Close()
	var tokens struct {
		RefreshToken string `json:"refresh_token"`
		IDToken      string `json:"id_token"`
	}
	fail.Check(json.NewDecoder(response.Body).Decode(&tokens))
	if tokens.IDToken == "" || tokens.RefreshToken == "" {
		fail.Now("no tokens after a login: status %d", response.StatusCode)
	}
	body := url.Values{"grant_type": {"refresh_token"}, "client_id": {client}, "refresh_token": {tokens.RefreshToken}}.Encode()
	return bytes.Join([][]byte{
		fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: application/json", tokenPath),
		fmt.Appendf(nil, "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", len(body), body),
	}, []byte("\r\n")), nil
}

// sentTo is the query of the address to which a browser is sent.
func sentTo(address string) url.Values {
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response := fail.Must(client.Get(address))
	_ = response.Body.Close()
	location := fail.Must(url.Parse(response.Header.Get("Location")))
	if location.Query().Has("error") || !strings.Contains(location.RawQuery, "state=") {
		fail.Now("a login ends with status %d at %s", response.StatusCode, location.Redacted())
	}
	return location.Query()
}
