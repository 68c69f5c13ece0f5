package idp

import (
	"maps"
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
)

func TestTheSchemeIsWrittenAsInRFC6750(t *testing.T) {
	r, err := testPolicy(t).parseUserInfo("", http.Header{"Authorization": {"bearer a.b"}}, false)
	require.NoError(t, err)
	require.Equal(t, "Bearer a.b", r.authorization())
}

// OpenID Connect Core 1.0 section 5.3.1: GET or POST, the token in the header. What a form says goes no further.
func TestUserInfoByPOST(t *testing.T) {
	for name, tt := range map[string]struct {
		form   string
		header []string
		status int
	}{
		"no body":             {"", []string{"Authorization", "Bearer at"}, 200},
		"a form":              {"schema=openid", []string{"Authorization", "Bearer at"}, 200},
		"a token in the form": {"access_token=at", nil, 400},
		"two tokens":          {"access_token=at", []string{"Authorization", "Bearer at"}, 400},
		"no token":            {"", nil, 401},
		"JSON":                {"{}", []string{"Authorization", "Bearer at", "Content-Type", "application/json"}, 400},
	} {
		t.Run(name, func(t *testing.T) {
			a := newServed(t)
			result := a.do("POST", "/userinfo", tt.form, tt.header...)
			require.Equal(t, tt.status, result.Status)
			if tt.status != 200 {
				require.Contains(t, result.Header.Get("WWW-Authenticate"), "Bearer")
				return
			}
			sent := a.sent[len(a.sent)-1]
			require.Equal(t, "GET", sent.Method)
			require.Zero(t, sent.ContentLength)
		})
	}
}

// OpenID Connect Core 1.0 section 5.3.2: an IdP may sign its user info. Clients get the JSON in it.
func TestUserInfoThatIsSigned(t *testing.T) {
	claims := func(with map[string]any) map[string]any {
		c := map[string]any{"iss": "https://idp.example", "aud": "gateway", "sub": "user-1", "groups": []string{"engineering"}}
		maps.Copy(c, with)
		return c
	}
	header := map[string]any{"typ": "JWT", "jwk": nil}
	for name, test := range map[string]struct {
		sign     func(p *provider) string
		anybodys bool // user info, of whichever client
		says     string
	}{
		"good":              {func(p *provider) string { return p.keys.Sign(claims(nil), header) + "\n" }, true, ""},
		"of another client": {func(p *provider) string { return p.keys.Sign(claims(map[string]any{"aud": "other"}), header) }, true, "another client"},
		"of another issuer": {func(p *provider) string {
			return p.keys.Sign(claims(map[string]any{"iss": "https://evil.example"}), header)
		}, false, "another issuer"},
		"of another user":    {func(p *provider) string { return p.keys.Sign(claims(map[string]any{"sub": "user-2"}), header) }, true, "another user"},
		"by a key of nobody": {func(*provider) string { return dpoptest.NewKey().Sign(claims(nil), header) }, false, "not signed with a key"},
		"not signed":         {func(*provider) string { return unsigned(claims(nil)) }, false, "encrypted, or signed by no key"},
		"encrypted":          {func(*provider) string { return "eyJhbGciOiJSU0EtT0FFUCJ9.a.b.c.d" }, false, "encrypted, or signed by no key"},
		"JSON in its name":   {func(*provider) string { return `{"sub":"user-1","groups":["engineering"]}` }, false, "encrypted, or signed by no key"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProvider(t, engineers)
			toTokens := p.idp
			p.respond(func(r *http.Request) (*http.Response, error) {
				if r.URL.Path != "/userinfo" {
					return toTokens(r)
				}
				response := idpResponse(200, test.sign(p))
				response.Header.Set("Content-Type", "application/jwt; charset=utf-8")
				response.Header.Set("Content-Length", "9999")
				return response, nil
			})
			p.claims = map[string]any{"email": nil, "groups": nil}
			result := p.redeem(p.logIn())
			require.Equal(t, test.says == "", result.Status == 200, string(result.Body))
			require.Contains(t, string(result.Body), test.says)

			passed := p.do("GET", "/userinfo", "", "Authorization", "Bearer idp-access")
			if !test.anybodys {
				require.Equal(t, 502, passed.Status, string(passed.Body))
				return
			}
			require.Equal(t, 200, passed.Status, string(passed.Body))
			require.Equal(t, "application/json", passed.Header.Get("Content-Type"))
			require.Equal(t, strconv.Itoa(len(passed.Body)), passed.Header.Get("Content-Length"))
			require.Contains(t, string(passed.Body), `"groups":["engineering"]`)
		})
	}
}
