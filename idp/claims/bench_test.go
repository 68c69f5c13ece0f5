package claims_test

import (
	"testing"

	"github.com/identity-gateway/caddy-identity-gateway/idp/claims"
)

// What rules by tool and header fields ask of each request's token.
func BenchmarkLookups(b *testing.B) {
	o := claims.Object(`{"iss":"https://mcp.example.com","sub":"auth0|507f1f77bcf86cd799439020","aud":"https://mcp.example.com/mcp",` +
		`"client_id":"dynamic:5f9YqR7o3sKq2Wb1","scope":"files.read files.write","jti":"AAAAAAAAAAAAAAAAAAAAAA","iat":1767225600,"exp":1767229200,` +
		`"email":"jane@example.com","email_verified":true,"groups":["staff","admins"]}`)
	for name, lookup := range map[string]func(){
		"text": func() { _ = o.Text("sub") }, "values": func() { _ = o.Values("groups") }, "verified": func() { _ = o.Text("email") }, "none": func() { _ = o.Has("dept.unit") },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				lookup()
			}
		})
	}
}
