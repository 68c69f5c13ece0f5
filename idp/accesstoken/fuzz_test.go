package accesstoken_test

import (
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
)

// Nothing but what the issuer signed is accepted, whatever is sent.
func FuzzVerify(f *testing.F) {
	i := newIssuer(f)
	v := i.verifier(f, nil)
	good := i.token(f)
	parts := strings.Split(good, ".")
	for _, seed := range []string{
		good, good + "=", good + ".", "." + good, parts[0] + "." + parts[1] + ".", parts[0] + ".." + parts[2],
		"eyJhbGciOiJub25lIn0." + parts[1] + ".", "eyJhbGciOiJIUzI1NiJ9." + parts[1] + "." + parts[2],
		sign(f, newES256(f, "k2"), i.claims(), nil), sign(f, i.keys[0], i.claims("aud", "other"), nil),
		sign(f, i.keys[0], i.claims("nonce", "n"), map[jose.HeaderKey]any{"typ": "JWT"}),
		rawToken(f, i.keys[0], strings.Repeat("[", 3000)), "opaque", "", "eyJ..", "eyJ.a.b",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		token, err := v.Verify(t.Context(), raw)
		if (token == nil) == (err == nil) {
			t.Fatal("neither token nor error, or both")
		}
		if err == nil && strings.Join(strings.Split(raw, ".")[:2], ".") != strings.Join(parts[:2], ".") {
			t.Fatal("accepted what was not signed")
		}
	})
}

// Claims of any form are read or rejected, and paths into them find what there is.
func FuzzClaims(f *testing.F) {
	i := newIssuer(f)
	v := i.verifier(f, func(c *accesstoken.Config) { c.Audiences = []string{"api"} })
	for _, seed := range [][2]string{
		{`{"iss":"https://idp.example","exp":9e9,"aud":"api","scope":"","sub":"u1","realm_access":{"roles":["a","b"]}}`, "realm_access.roles"},
		{`{"https://example.com/roles":["a"],"x.y":{"z":1}}`, "https://example.com/roles"},
		{`{"a":{"b":{"c":null}}}`, "a.b.c"},
		{`{"exp":1e400}`, "exp"},
		{`{"iss":"https://idp.example","exp":9e9,"aud":"api","scope":"","groups":["x,admin,y",1,null]}`, "groups.admin"},
		{`{"iss":"https://idp.example","exp":9e9,"aud":"api","scope":"","email":"a@b.example","email_verified":"true"}`, "email.a@b.example"},
		{`{"aud":[[]]}`, "aud"},
		{`[]`, ""},
		{`{"scope":[1]}`, "scope"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, payload, path string) {
		token, err := v.Verify(t.Context(), rawToken(t, i.keys[0], payload))
		if err == nil {
			require.NotNil(t, token)
			if value := token.Claim(path); strings.TrimSpace(value) != value {
				t.Fatalf("%q is read as another value", value)
			}
		}
	})
}

// Whoever has the keys of one of several issuers, and writes what he likes, is nobody of the others.
func FuzzIssuers(f *testing.F) {
	staff, partners := newIssuer(f, newES256(f, "k1")), newIssuer(f, newES256(f, "k1"))
	v, err := accesstoken.New(staff.config(issuerURL, ""), partners.config(otherURL, "partners:"))
	require.NoError(f, err)
	for _, seed := range []string{
		`{"iss":"` + otherURL + `","exp":9e9,"aud":"` + audience + `","scope":"","sub":"u1"}`, `{"iss":"` + issuerURL + `","exp":9e9,"aud":"` + audience + `","scope":"","sub":"u1"}`,
		`{"iss":"` + otherURL + `/","exp":9e9,"aud":["` + audience + `"],"scope":["a"],"sub":"partners:u1"}`, `{"iss":"` + issuerURL + `","exp":9e9,"aud":"` + audience + `","scope":"","sub":"PARTNERS:u1"}`,
		`{"iss":"` + otherURL + `","iss":"` + issuerURL + `","exp":9e9,"aud":"` + audience + `","scope":""}`, `{"iss":["` + issuerURL + `"],"exp":9e9,"aud":"` + audience + `","scope":""}`,
		`{"iss":"` + otherURL + `","exp":9e9,"aud":{"a":"` + audience + `"},"scope":"","sub":{"a":"u1"}}`, `{"iss":"` + otherURL + `","exp":"9e9","aud":"` + audience + `","scope":7,"sub":7}`,
		`{"iss":"` + otherURL + `","exp":1e999,"aud":"` + audience + `","scope":"","sub":"u1","sub":"u2"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, payload string) {
		for _, by := range []*issuer{staff, partners} {
			token, err := v.Verify(t.Context(), rawToken(t, by.keys[0], payload))
			if err != nil {
				continue
			}
			of, other := otherURL, strings.HasPrefix(strings.ToLower(token.Subject), "partners:")
			if by == staff {
				of = issuerURL
			}
			if strings.TrimSuffix(token.Claim("iss"), "/") != of || token.Subject != "" && other != (by == partners) || token.Subject != token.Claims().Text("sub") && token.Claim("sub") != "" {
				t.Fatalf("%s is taken for %q of %q", payload, token.Subject, token.Claim("iss"))
			}
		}
	})
}
