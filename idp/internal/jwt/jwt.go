// Package jwt reads what signed tokens say, wherever they come from. It verifies nothing.
package jwt

import (
	"encoding/base64"
	"strings"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jsonobject"
)

// Type is what kind of JWT one says that it is, without application/ and in lower case; "" if
// it does not say (RFC 8725 section 3.11).
func Type(header jose.Header) string {
	typ, _ := header.ExtraHeaders[jose.HeaderType].(string)
	return strings.TrimPrefix(strings.ToLower(typ), "application/")
}

// Issuer is the claim iss of a JWT in compact serialization, by which it is routed to the keys that
// verify it. It is false for what is no JWT, has no iss, or has one claim twice.
func Issuer(token string) (string, bool) {
	var claims struct {
		Issuer string `json:"iss"`
	}
	payload := Claims(token)
	if payload == nil || json.Unmarshal(payload, &claims) != nil {
		return "", false
	}
	return claims.Issuer, claims.Issuer != ""
}

// Claims are those of a JWT in compact serialization, nil for what is none.
func Claims(token string) []byte {
	_, rest, _ := strings.Cut(token, ".")
	payload, _, ok := strings.Cut(rest, ".")
	if !ok {
		return nil
	}
	decoded, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil {
		return nil
	}
	return decoded
}

// List is a string or several, as the claim aud (RFC 7519 section 4.1.3).
type List []string

// UnmarshalJSON implements [json.Unmarshaler].
func (l *List) UnmarshalJSON(b []byte) error {
	if one, ok := jsonobject.Text(b); ok {
		*l = List{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(l))
}

// Authentication is how a user has logged in (OpenID Connect Core 1.0 section 2, RFC 9068
// section 2.2.1). Fields are zero if the claims do not say, or nothing that can be read.
type Authentication struct {
	ACR string
	AMR []string
	// Time is auth_time, in Unix seconds.
	Time float64
}

// ReadAuthentication reads the claims acr, amr and auth_time.
func ReadAuthentication(claims []byte) (a Authentication) {
	var c struct {
		ACR  jsontext.Value `json:"acr"`
		AMR  jsontext.Value `json:"amr"`
		Time jsontext.Value `json:"auth_time"`
	}
	_ = json.Unmarshal(claims, &c) // what can't be read says nothing
	if c.ACR.Kind() != '"' || json.Unmarshal(c.ACR, &a.ACR) != nil {
		a.ACR = ""
	}
	if json.Unmarshal(c.AMR, &a.AMR) != nil {
		a.AMR = nil
	}
	if c.Time.Kind() != '0' || json.Unmarshal(c.Time, &a.Time) != nil {
		a.Time = 0
	}
	return a
}
