package idp

import (
	"encoding/base64"
	"testing"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
)

// The steps of a request without Caddy and without a network.
func BenchmarkSteps(b *testing.B) {
	p := testPolicy(b)
	header := formHeader()
	authorizeQuery, tokenForm := query(), form()
	jwt := "eyJhbGciOiJSUzI1NiJ9." + base64.RawURLEncoding.EncodeToString([]byte(`{"iss":"https://idp.example/","sub":"auth0|507f1f77bcf86cd799439020",`+
		`"aud":"app","exp":1767312000,"nonce":"client-nonce","name":"Jane Doe"}`)) + "." + base64.RawURLEncoding.EncodeToString(make([]byte, 256))
	response := Response{Status: 200, Header: map[string][]string{}, Body: []byte(
		`{"access_token":"` + jwt + `","id_token":"` + jwt + `","scope":"openid profile","expires_in":86400,"token_type":"Bearer"}`)}

	g := newSealedGateway(b)
	state := g.begin().Get("state")
	code := location(b, g.called(state, "idp-code").Response).Query().Get("code")
	grant, _, err := g.open(code)
	if err != nil {
		b.Fatal(err)
	}
	sealedForm := form("code", code)

	for name, step := range map[string]func() bool{
		"route": func() bool { _, v := p.route("GET", "/authorize"); return v == match },
		"route another path": func() bool {
			_, v := p.route("GET", "/assets/application.min.js")
			return v == passThrough
		},
		"authorize": func() bool {
			r, err := p.parseAuthorize(authorizeQuery)
			return err == nil && r.authorizeURL(p, sealer{}) != ""
		},
		"token": func() bool {
			r, err := p.parseToken("", header, tokenForm)
			return err == nil && len(testCall(b, p, &r).Body) > 0
		},
		"token response": func() bool {
			outcome, _ := outcomeOf(p.checkTokenResponse(response, nil))
			return outcome == upstream.Granted
		},

		"callback, authorize": func() bool {
			r, err := g.parseAuthorize(authorizeQuery)
			return err == nil && r.authorizeURL(g.Policy, g.s) != ""
		},
		"callback": func() bool {
			r, err := g.takeCallback(g.s, callbackRequest{Code: "idp-code", State: state})
			return err == nil && r.Err == nil
		},
		"callback, token": func() bool {
			r, err := g.parseToken("", header, sealedForm)
			if err != nil {
				return false
			}
			opened, err := r.openCodeGrant(g.Policy, g.s)
			if err != nil {
				return false
			}
			call, err := r.tokenCall(g.Policy, opened, nil, "", g.now)
			return err == nil && len(call.Body) > 0
		},
		"callback, token response": func() bool {
			outcome, _ := outcomeOf(g.checkTokenResponse(response, grant))
			return outcome == upstream.Granted
		},
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
