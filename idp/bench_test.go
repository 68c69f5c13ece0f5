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
	answer := Answer{Status: 200, Header: map[string][]string{}, Body: []byte(
		`{"access_token":"` + jwt + `","id_token":"` + jwt + `","scope":"openid profile","expires_in":86400,"token_type":"Bearer"}`)}
	for name, step := range map[string]func() bool{
		"route": func() bool { _, v := p.Route("GET", "/authorize"); return v == Own },
		"route a foreign path": func() bool {
			_, v := p.Route("GET", "/assets/application.min.js")
			return v == Foreign
		},
		"authorize": func() bool {
			r, fault := p.ParseAuthorize(authorizeQuery)
			return fault == nil && p.AuthorizeURL(&r) != ""
		},
		"token": func() bool {
			r, fault := p.ParseToken("", header, tokenForm)
			return fault == nil && len(r.AppendForm(nil)) > 0
		},
		"token answer": func() bool { granted, _ := CheckTokenAnswer(answer); return granted },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				if !step() {
					b.Fatal("refused")
				}
			}
		})
	}
}
