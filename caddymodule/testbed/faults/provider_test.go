// Package faults is an identity provider (IdP) whose network, TLS and HTTP can
// fail in every way that a listener can make them fail, and the check of what the
// gateway makes of it: for each fault and each kind of request one well-formed
// answer, or a visibly aborted one, in time, with nothing internal in it, the
// token request sent at most once, nothing left over, and requests served again within a second.
package faults

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// What the IdP says while it is well. Nothing else may reach a client with status 200.
const (
	goodToken    = `{"access_token":"at-1","token_type":"Bearer","expires_in":3600}`
	goodUserInfo = `{"sub":"user-1"}`
	goodCode     = "code-1"
)

// marker is in everything that a fault says which no client may see.
const marker = "internal-to-the-idp"

const (
	keyID    = "key-1"
	audience = "https://api.example"
)

// provider answers as a healthy IdP.
type provider struct {
	key    *ecdsa.PrivateKey
	issuer string
	// keysAt is the URL of the key set; "" stands for the provider's own.
	keysAt string
}

func newKey() (*ecdsa.PrivateKey, error) { return ecdsa.GenerateKey(elliptic.P256(), rand.Reader) }

// ServeHTTP implements http.Handler.
func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/oauth/token":
		writeJSON(w, goodToken)
	case "/userinfo":
		writeJSON(w, goodUserInfo)
	case "/authorize":
		query := r.URL.Query()
		back := query.Get("redirect_uri") + "?" + url.Values{"code": {goodCode}, "state": {query.Get("state")}}.Encode()
		http.Redirect(w, r, back, http.StatusFound)
	case "/.well-known/openid-configuration":
		writeJSON(w, p.metadata())
	case "/jwks":
		writeJSON(w, p.keys())
	default:
		http.NotFound(w, r)
	}
}

func writeJSON(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(body))
}

func (p *provider) metadata() string {
	keys := p.keysAt
	if keys == "" {
		keys = p.issuer + "/jwks"
	}
	return fmt.Sprintf(`{"issuer":%q,"authorization_endpoint":"%[1]s/authorize","token_endpoint":"%[1]s/oauth/token","userinfo_endpoint":"%[1]s/userinfo","jwks_uri":%[2]q,"response_types_supported":["code"],"subject_types_supported":["public"],"id_token_signing_alg_values_supported":["ES256"]}`, p.issuer, keys)
}

func (p *provider) keys() string {
	set, _ := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: p.key.Public(), KeyID: keyID, Algorithm: string(jose.ES256), Use: "sig"}}}) // public keys always marshal
	return string(set)
}

// accessToken is one that [provider.keys] verify.
func (p *provider) accessToken() (string, error) {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: p.key, KeyID: keyID}}, (&jose.SignerOptions{}).WithType("at+jwt"))
	if err != nil {
		return "", err
	}
	now := time.Now()
	return jwt.Signed(signer).Claims(jwt.Claims{
		Issuer: p.issuer, Subject: "user-1", Audience: jwt.Audience{audience}, ID: rand.Text(),
		IssuedAt: jwt.NewNumericDate(now), Expiry: jwt.NewNumericDate(now.Add(time.Hour)),
	}).Claims(map[string]any{"client_id": "app"}).Serialize()
}
