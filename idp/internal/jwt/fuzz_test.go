package jwt

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
)

// A token is routed by the iss that whoever verifies it reads, too.
func FuzzIssuer(f *testing.F) {
	for _, payload := range []string{
		`{"iss":"https://idp.example","sub":"u1"}`, `{"iss":"https://a.example","iss":"https://b.example"}`, `{"ISS":"https://a.example","iss":"https://b.example"}`,
		`{"iss":["https://a.example"]}`, `{"iss":{"a":"b"}}`, `{"iss":null}`, `{"iss":7}`, `{"iss":"\u0061"}`, `{"i\u0073s":"a"}`, `{"iss":"a","x":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`,
		`{"iss":"a"} {"iss":"b"}`, "{\"iss\":\"a\xff\"}", `[{"iss":"a"}]`, `{"iss":"a","exp":1e999}`,
	} {
		f.Add("eyJhbGciOiJFUzI1NiJ9." + base64.RawURLEncoding.EncodeToString([]byte(payload)) + ".c2ln")
	}
	f.Add("a.b")
	f.Add("..")
	f.Fuzz(func(t *testing.T, token string) {
		issuer, ok := Issuer(token)
		if ok != (issuer != "") {
			t.Fatalf("%q, %t", issuer, ok)
		}
		if !ok {
			return
		}
		payload, err := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[1])
		var claims map[string]json.RawMessage
		var read string
		if err != nil || json.Unmarshal(payload, &claims) != nil || json.Unmarshal(claims["iss"], &read) != nil || read != issuer {
			t.Fatalf("%q is read as from %q", payload, issuer)
		}
	})
}
