package accesstoken_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// An API accepts a token whose user may read, but not for writing.
func ExampleVerifier_Verify() {
	// An issuer, with one key.
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	issuer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: private.Public(), KeyID: "k1", Use: "sig"}}})
	}))
	defer issuer.Close()
	signer, err := jose.NewSigner(
		jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: private, KeyID: "k1"}},
		(&jose.SignerOptions{}).WithType("at+jwt"))
	if err != nil {
		log.Fatal(err)
	}
	raw, err := jwt.Signed(signer).Claims(map[string]any{
		"iss": "https://idp.example/", "aud": "https://api.example", "sub": "u1",
		"scope": "read", "exp": time.Now().Add(time.Hour).Unix(),
	}).Serialize()
	if err != nil {
		log.Fatal(err)
	}

	verify := func(scopes ...string) (*accesstoken.Token, error) {
		verifier, err := accesstoken.New(accesstoken.Config{
			Issuer:    "https://idp.example/",
			Audiences: []string{"https://api.example"},
			Scopes:    scopes,
			Keys:      jwks.New(jwks.At(issuer.URL), issuer.Client(), nil, nil),
		})
		if err != nil {
			return nil, err
		}
		return verifier.Verify(context.Background(), raw)
	}
	token, err := verify("read")
	fmt.Println(token.Subject, token.Scopes, err)
	_, err = verify("write")
	fmt.Println(oauth.AsError(err).Status, oauth.AsError(err).Code)
	// Output:
	// u1 [read] <nil>
	// 403 insufficient_scope
}
