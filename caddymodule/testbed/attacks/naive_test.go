package attacks

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/hmac"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net/http"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// naiveRelyingParty takes every token that one of the known keys has signed, or the key that the token
// brings, by the algorithm that it names, and that has not expired; an API finds it in a cookie or
// in Authorization. It is what one writes first.
type naiveRelyingParty struct {
	keys   map[string]jose.JSONWebKey
	secret []byte // the PEM file that it verifies by
}

func (n *naiveRelyingParty) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if cookie, err := r.Cookie("token"); err == nil {
		token = cookie.Value
	}
	user, ok := n.user(token)
	if !ok {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	_, _ = io.WriteString(w, user)
}

// user is whose a token is.
func (n *naiveRelyingParty) user(token string) (string, bool) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return "", false
	}
	var header struct {
		Algorithm string           `json:"alg"`
		KeyID     string           `json:"kid"`
		Key       *jose.JSONWebKey `json:"jwk"`
		At        string           `json:"jku"`
		Chain     string           `json:"x5u"`
	}
	var claims struct {
		Subject string `json:"sub"`
		Expiry  int64  `json:"exp"`
	}
	signature, _ := base64.RawURLEncoding.DecodeString(parts[2])
	for part, into := range map[string]any{parts[0]: &header, parts[1]: &claims} {
		decoded, err := base64.RawURLEncoding.DecodeString(part)
		if err != nil || json.Unmarshal(decoded, into) != nil {
			return "", false
		}
	}
	signed, good := parts[0]+"."+parts[1], false
	switch {
	case strings.EqualFold(header.Algorithm, "none"):
		good = true
	case header.Algorithm == "HS256":
		mac := hmac.New(sha256.New, n.secret)
		mac.Write([]byte(signed))
		good = hmac.Equal(mac.Sum(nil), signature)
	case header.Key != nil:
		good = verifies(header.Key.Key, signed, signature)
	case header.At != "":
		var set jose.JSONWebKeySet
		body, _ := fetched(header.At)
		good = json.Unmarshal(body, &set) == nil && len(set.Keys) == 1 && verifies(set.Keys[0].Key, signed, signature)
	case header.Chain != "":
		body, _ := fetched(header.Chain)
		block, _ := pem.Decode(body)
		if block != nil {
			if certificate, err := x509.ParseCertificate(block.Bytes); err == nil {
				good = verifies(certificate.PublicKey, signed, signature)
			}
		}
	default:
		for _, key := range n.keys {
			good = good || verifies(key.Key, signed, signature)
		}
	}
	return claims.Subject, good && time.Unix(claims.Expiry, 0).After(time.Now())
}

// verifies looks at the kind of the key, whatever the token says.
func verifies(key crypto.PublicKey, signed string, signature []byte) bool {
	sum := sha256.Sum256([]byte(signed))
	switch key := key.(type) {
	case *rsa.PublicKey:
		return rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], signature) == nil
	case *ecdsa.PublicKey:
		number := func(b []byte) *big.Int { return new(big.Int).SetBytes(b) }
		return len(signature) == 64 && ecdsa.Verify(key, sum[:], number(signature[:32]), number(signature[32:]))
	}
	return false
}

func fetched(address string) ([]byte, error) {
	response, err := http.Get(address)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return io.ReadAll(response.Body)
}
