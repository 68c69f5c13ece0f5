package idp

import (
	"strings"
	"testing"
)

// The steps of a request without Caddy and without a network.
func BenchmarkSteps(b *testing.B) {
	p := testPolicy(b)
	header := formHeader()
	authorizeQuery, tokenForm := query(), form()
	jwt := strings.Repeat("eyJhbGciOi", 70)
	response := Response{Status: 200, Header: map[string][]string{}, Body: []byte(
		`{"access_token":"` + jwt + `","id_token":"` + jwt + `","scope":"openid profile","expires_in":86400,"token_type":"Bearer"}`)}
	for name, step := range map[string]func() bool{
		"route": func() bool { _, v := p.Route("GET", "/authorize"); return v == Match },
		"route another path": func() bool {
			_, v := p.Route("GET", "/assets/application.min.js")
			return v == PassThrough
		},
		"authorize": func() bool {
			r, err := p.ParseAuthorize(authorizeQuery)
			return err == nil && p.AuthorizeURL(&r, Sealing{}) != ""
		},
		"token": func() bool {
			r, err := p.ParseToken("", header, tokenForm)
			return err == nil && len(testCall(b, p, &r).Form) > 0
		},
		"token response": func() bool { outcome, _ := p.CheckTokenResponse(response, nil); return outcome == Granted },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				if !step() {
					b.Fatal("rejected")
				}
			}
		})
	}
}
