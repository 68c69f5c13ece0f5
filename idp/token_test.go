package idp

import (
	"cmp"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/grants"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// form is a complete authorization code exchange with replacements as in query.
func form(with ...string) string {
	q := url.Values{
		"grant_type": {"authorization_code"}, "client_id": {"app"}, "code": {"c0de"},
		"redirect_uri": {"https://app.example/cb"}, "code_verifier": {testVerifier},
	}
	return replaced(q, with)
}

func formHeader(with ...string) http.Header {
	h := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	for i := 0; i < len(with); i += 2 {
		if with[i+1] == "-" {
			h.Del(with[i])
		} else {
			h.Add(with[i], with[i+1])
		}
	}
	return h
}

const (
	serverBasic = "Basic c2VydmVyOnNlY3JldA==" // server:secret
	appBasic    = "Basic YXBwOnNlY3JldA=="     // app:secret
	emptyBasic  = "Basic YXBwOg=="             // app:
	serverEmpty = "Basic c2VydmVyOg=="         // server:
)

func TestTokenRejects(t *testing.T) {
	refresh := []string{"grant_type", "refresh_token", "code", "-", "code_verifier", "-", "redirect_uri", "-"}
	for name, tc := range map[string]struct {
		query, body, says string
		header            http.Header
		code              oauth.Code
		status            int
		with              func(*Config)
	}{
		"parameters in the URL":               {query: "code=x", body: form(), code: oauth.InvalidRequest, says: "never in the URL"},
		"OAuth's own names in other spelling": {query: "client-request-id=1&Client-Secret=s", body: form(), code: oauth.InvalidRequest, says: "never in the URL"},
		"OAuth's own names without a value":   {query: "code", body: form(), code: oauth.InvalidRequest, says: "never in the URL: code"},
		"a list in the URL":                   {query: "code[]=1", body: form(), code: oauth.InvalidRequest, says: "never in the URL"},
		"a list in the URL, escaped":          {query: "code%5B%5D=1", body: form(), code: oauth.InvalidRequest, says: "never in the URL"},
		"another method in the URL":           {query: "_method=GET", body: form(), code: oauth.InvalidRequest, says: "never in the URL: _method"},
		"JSON":                                {header: formHeader("Content-Type", "-", "Content-Type", "application/json"), body: "{}", code: oauth.InvalidRequest, says: "application/x-www-form-urlencoded"},
		"no content type":                     {header: http.Header{}, body: form(), code: oauth.InvalidRequest, says: "application/x-www-form-urlencoded"},
		"multipart":                           {header: http.Header{"Content-Type": {"multipart/form-data; boundary=x"}}, body: form(), code: oauth.InvalidRequest, says: "application/x-www-form-urlencoded"},
		"two content types":                   {header: formHeader("Content-Type", "application/json"), body: form(), code: oauth.InvalidRequest, says: "application/x-www-form-urlencoded"},
		"another charset":                     {header: http.Header{"Content-Type": {"application/x-www-form-urlencoded; charset=utf-16"}}, body: form(), code: oauth.InvalidRequest, says: "application/x-www-form-urlencoded"},
		"a compressed body":                   {header: formHeader("Content-Encoding", "gzip"), body: form(), code: oauth.InvalidRequest, says: "compressed"},
		"an empty body":                       {body: "", code: oauth.InvalidRequest, says: "client_id"},
		"a missing grant_type":                {body: form("grant_type", "-"), code: oauth.InvalidRequest, says: "grant_type"},
		"a missing client_id":                 {body: form("client_id", "-"), code: oauth.InvalidRequest, says: "client_id"},
		"a missing code":                      {body: form("code", "-"), code: oauth.InvalidRequest, says: "code is missing"},
		"a missing verifier":                  {body: form("code_verifier", "-"), code: oauth.InvalidRequest, says: "code_verifier is missing"},
		"a short verifier":                    {body: form("code_verifier", testVerifier[:42]), code: oauth.InvalidRequest, says: "shorter"},
		"a long verifier":                     {body: form("code_verifier", strings.Repeat("a", 129)), code: oauth.InvalidRequest, says: "longer"},
		"a verifier in another alphabet":      {body: form("code_verifier", testVerifier[:42]+"+"), code: oauth.InvalidRequest, says: "other than letters"},
		"a code outside ASCII":                {body: form("code", "cöde"), code: oauth.InvalidGrant, says: "ASCII"},
		"the password grant":                  {body: form("grant_type", "password"), code: oauth.UnsupportedGrantType, says: "must be authorization_code"},
		"the client credentials grant":        {body: form("grant_type", "client_credentials"), code: oauth.UnsupportedGrantType, says: "must be authorization_code"},
		"the device grant":                    {body: form("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), code: oauth.UnsupportedGrantType, says: "must be authorization_code"},
		"token exchange":                      {body: form("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"), code: oauth.UnsupportedGrantType, says: "must be authorization_code"},
		"a grant_type in capitals":            {body: form("grant_type", "AUTHORIZATION_CODE"), code: oauth.UnsupportedGrantType, says: "must be authorization_code"},
		"a missing refresh token":             {body: form(refresh...), code: oauth.InvalidRequest, says: "refresh_token"},
		"a malformed scope of a refresh":      {body: form(append(refresh, "refresh_token", "r", "scope", "a  b")...), code: oauth.InvalidScope, says: "space"},
		"a repeated parameter":                {body: form() + "&code=other", code: oauth.InvalidRequest, says: "code occurs more than once"},
		"a repetition hidden by escapes":      {body: form() + "&c%6fde=other", code: oauth.InvalidRequest, says: "code occurs more than once"},
		"a semicolon":                         {body: form() + ";code=other", code: oauth.InvalidRequest, says: "semicolon"},
		"a broken escape":                     {body: form() + "&a=%", code: oauth.InvalidRequest, says: "percent"},
		"invalid UTF-8":                       {body: form() + "&a=%fe", code: oauth.InvalidRequest, says: "UTF-8"},
		"a line break":                        {body: form() + "\r\n", code: oauth.InvalidRequest, says: "percent-encoded"},
		"a malformed redirect URI":            {body: form("redirect_uri", "http://app.example/cb"), code: oauth.InvalidRequest, says: "redirect_uri must be https"},
		"Basic of an unregistered client":     {header: formHeader("Authorization", appBasic), body: form(), code: oauth.InvalidClient, status: 401, says: "client_secret_basic"},
		"Basic not registered":                {header: formHeader("Authorization", appBasic), body: form(), code: oauth.InvalidClient, status: 401, says: "client_secret_basic", with: registered},
		"a secret besides the gateway's": {
			body: form("client_secret", "s"), code: oauth.InvalidClient, status: 401, says: "this client needs no secret: the gateway has one (idp_client); send client_id and code_verifier without client_secret_post",
			with: func(c *Config) {
				c.Clients = []ClientConfig{{ID: "app", RedirectURIs: []string{"https://app.example/cb"}, IdPClient: &IdPClientConfig{ID: "app", Secret: "s"}}}
			},
		},
		"a bearer token":                         {header: formHeader("Authorization", "Bearer x"), body: form(), code: oauth.InvalidClient, status: 401, says: "Basic scheme"},
		"two Authorization headers":              {header: formHeader("Authorization", serverBasic, "Authorization", serverBasic), body: form(), code: oauth.InvalidClient, status: 401, says: "one header"},
		"a confidential client's empty Basic":    {header: formHeader("Authorization", serverEmpty), body: form("client_id", "-", "redirect_uri", "https://server.example/cb"), code: oauth.InvalidClient, status: 401, says: "authentication method none", with: registered},
		"empty Basic of another client":          {header: formHeader("Authorization", emptyBasic), body: form("client_id", "server"), code: oauth.InvalidRequest, says: "different clients", with: registered},
		"Basic that is not base64":               {header: formHeader("Authorization", "Basic !"), body: form(), code: oauth.InvalidClient, status: 401, says: "Basic"},
		"Basic of another client":                {header: formHeader("Authorization", serverBasic), body: form(), code: oauth.InvalidRequest, says: "different clients", with: registered},
		"both forms of authentication":           {header: formHeader("Authorization", serverBasic), body: form("client_id", "server", "client_secret", "s"), code: oauth.InvalidRequest, says: "more than one form", with: registered},
		"a secret and an assertion":              {body: form("client_secret", "s", "client_assertion", "a", "client_assertion_type", clients.AssertionTypeJWT), code: oauth.InvalidRequest, says: "more than one form"},
		"an assertion without its type":          {body: form("client_assertion", "a"), code: oauth.InvalidRequest, says: "client_assertion_type"},
		"an assertion of an unknown type":        {body: form("client_assertion", "a", "client_assertion_type", "saml"), code: oauth.InvalidRequest, says: "client_assertion_type"},
		"a secret of a public client":            {body: form("client_secret", "s"), code: oauth.InvalidClient, status: 401, says: "client_secret_post", with: registered},
		"no secret of a confidential one":        {body: form("client_id", "server", "redirect_uri", "https://server.example/cb"), code: oauth.InvalidClient, status: 401, says: "none", with: registered},
		"an unregistered client":                 {body: form("client_id", "other"), code: oauth.InvalidClient, status: 401, says: "not registered", with: registered},
		"an unregistered redirect URI":           {body: form("redirect_uri", "https://app.example/other"), code: oauth.InvalidGrant, says: "redirect_uri", with: registered},
		"an audience that is not":                {body: form("audience", "https://other.example"), code: oauth.InvalidRequest, says: "audience", with: registered},
		"a refresh scope that is not":            {body: form(append(refresh, "refresh_token", "r", "scope", "admin")...), code: oauth.InvalidScope, says: "scope", with: registered},
		"a resource that is not":                 {body: form("resource", "https://other.example"), code: oauth.InvalidTarget, says: "resource", with: registered},
		"one resource of two that is not":        {body: form("resource", "https://api.example") + "&resource=https://other.example", code: oauth.InvalidTarget, says: "resource", with: registered},
		"a resource beside the default audience": {body: form("resource", "https://other.example"), code: oauth.InvalidTarget, says: "authorize_parameter audience", with: withDefaultAudience},
		"the same at a refresh":                  {body: form(append(refresh, "refresh_token", "r", "resource", "https://other.example")...), code: oauth.InvalidTarget, says: "authorize_parameter audience", with: withDefaultAudience},
		"a refresh resource that is not":         {body: form(append(refresh, "refresh_token", "r", "resource", "https://other.example")...), code: oauth.InvalidTarget, says: "resource", with: registered},
		"a refresh audience that is not":         {body: form(append(refresh, "refresh_token", "r", "audience", "https://other.example")...), code: oauth.InvalidRequest, says: "audience", with: registered},
		"authorization_details":                  {body: form("authorization_details", "[]"), code: oauth.InvalidAuthorizationDetails, says: "authorization_details", with: registered},
		"authorization_details of a refresh":     {body: form(append(refresh, "refresh_token", "r", "authorization_details", "[]")...), code: oauth.InvalidAuthorizationDetails, says: "authorization_details", with: registered},
		"claims":                                 {body: form("claims", "{}"), code: oauth.InvalidRequest, says: "claims", with: registered},
		"claims of a refresh":                    {body: form(append(refresh, "refresh_token", "r", "claims", "{}")...), code: oauth.InvalidRequest, says: "claims", with: registered},
		"a DPoP proof":                           {header: formHeader("DPoP", "a.b.c"), body: form(), code: oauth.InvalidRequest, says: "DPoP is not supported"},
		"a DPoP proof of a refresh":              {header: formHeader("DPoP", "a.b.c"), body: form(append(refresh, "refresh_token", "r")...), code: oauth.InvalidRequest, says: "DPoP is not supported"},
		"a DPoP key":                             {body: form("dpop_jkt", "a"), code: oauth.InvalidRequest, says: "DPoP is not supported"},
		"a secret of an unregistered client":     {body: form("client_secret", "s"), code: oauth.InvalidClient, status: 401, says: "client_secret_post"},
		"an assertion of an unregistered client": {body: form("client_assertion", "a.b.c", "client_assertion_type", clients.AssertionTypeJWT), code: oauth.InvalidClient, status: 401, says: "private_key_jwt"},
		"a refresh token with control code":      {body: form(append(refresh, "refresh_token", "a\tb")...), code: oauth.InvalidRequest, says: "control"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := testPolicy(t, tc.with).parseToken(tc.query, tc.header, tc.body)
			rejection := requireRejected(t, err, tc.code, cmp.Or(tc.status, 400), tc.says)
			if _, basic := tc.header["Authorization"]; basic && tc.status == 401 {
				require.Contains(t, rejection.Challenge, "Basic ")
			}
		})
	}
}

func TestTokenForwardsKnownFieldsOnly(t *testing.T) {
	for name, tc := range map[string]struct {
		query, body string
		header      http.Header
		want        url.Values
		with        func(*Config)
	}{
		"a code": {
			body: form("audience", "https://api.example", "schema", `{"migration":0}`, "scope", "openid", "refresh_token", "r", "x", "y"),
			want: url.Values{
				"grant_type": {"authorization_code"}, "client_id": {"app"}, "code": {"c0de"},
				"redirect_uri": {"https://app.example/cb"}, "code_verifier": {testVerifier}, "audience": {"https://api.example"},
			},
		},
		"what MSAL adds to the URL": {
			query: "client-request-id=7f4b1c1e-2f0d-4c39-9d7c-0f3f2a1b5c6d&x-client-SKU=msal.js.browser",
			body:  form("redirect_uri", "-"),
			want:  url.Values{"grant_type": {"authorization_code"}, "client_id": {"app"}, "code": {"c0de"}, "code_verifier": {testVerifier}},
		},
		"an unreadable schema": {
			body: form("schema", "[object Blob]", "redirect_uri", ""),
			want: url.Values{"grant_type": {"authorization_code"}, "client_id": {"app"}, "code": {"c0de"}, "code_verifier": {testVerifier}},
		},
		"a refresh": {
			body: "grant_type=refresh_token&client_id=app&refresh_token=r%2F1&scope=openid+profile&code=x&code_verifier=y",
			want: url.Values{"grant_type": {"refresh_token"}, "client_id": {"app"}, "refresh_token": {"r/1"}, "scope": {"openid profile"}},
		},
		"an empty secret, which is none (RFC 6749 section 2.3.1)": {
			body: form("redirect_uri", "-", "client_secret", "", "client_assertion", "", "client_assertion_type", ""),
			want: url.Values{"grant_type": {"authorization_code"}, "client_id": {"app"}, "code": {"c0de"}, "code_verifier": {testVerifier}},
		},
		"an empty Basic secret, which is none, without a client_id": {
			header: formHeader("Authorization", emptyBasic),
			body:   form("client_id", "-"),
			with:   registered,
			want: url.Values{
				"grant_type": {"authorization_code"}, "client_id": {"app"}, "code": {"c0de"},
				"redirect_uri": {"https://app.example/cb"}, "code_verifier": {testVerifier},
			},
		},
		"a client secret": {
			body: form("client_id", "server", "redirect_uri", "-", "client_secret", "s+ %&"),
			with: registered,
			want: url.Values{
				"grant_type": {"authorization_code"}, "client_id": {"server"}, "code": {"c0de"},
				"redirect_uri": {"https://server.example/cb"}, "code_verifier": {testVerifier}, "client_secret": {"s+ %&"},
			},
		},
		"a client assertion": {
			body: form("client_id", "server", "redirect_uri", "https://server.example/cb", "client_assertion", "a.b.c", "client_assertion_type", clients.AssertionTypeJWT),
			with: registered,
			want: url.Values{
				"grant_type": {"authorization_code"}, "client_id": {"server"}, "code": {"c0de"},
				"redirect_uri": {"https://server.example/cb"}, "code_verifier": {testVerifier},
				"client_assertion": {"a.b.c"}, "client_assertion_type": {clients.AssertionTypeJWT},
			},
		},
		"Basic without a client_id": {
			header: formHeader("Authorization", serverBasic),
			body:   form("client_id", "-", "redirect_uri", "https://server.example/cb"),
			with:   registered,
			want: url.Values{
				"grant_type": {"authorization_code"}, "client_id": {"server"}, "code": {"c0de"},
				"redirect_uri": {"https://server.example/cb"}, "code_verifier": {testVerifier},
			},
		},
		"two resources and authorization_details": {
			body: form("redirect_uri", "-", "resource", "https://a.example", "authorization_details", `[{"type":"x"}]`, "claims", "{}") + "&resource=https%3A%2F%2Fb.example",
			want: url.Values{
				"grant_type": {"authorization_code"}, "client_id": {"app"}, "code": {"c0de"}, "code_verifier": {testVerifier},
				"resource": {"https://a.example", "https://b.example"}, "authorization_details": {`[{"type":"x"}]`},
			},
		},
		"a form with a charset": {
			header: http.Header{"Content-Type": {"application/x-www-form-urlencoded;charset=UTF-8"}},
			body:   form("redirect_uri", "-"),
			want:   url.Values{"grant_type": {"authorization_code"}, "client_id": {"app"}, "code": {"c0de"}, "code_verifier": {testVerifier}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := testPolicy(t, tc.with)
			r := must.Have(p.parseToken(tc.query, tc.header, tc.body))(t)
			got := must.Have(url.ParseQuery(string(testCall(t, p, &r).Body)))(t)
			require.Equal(t, tc.want, got)
		})
	}
}

// FuzzToken holds what is sent on to Go's own parser.
func FuzzToken(f *testing.F) {
	f.Add(form(), "")
	f.Add(form("schema", "[object Blob]"), "")
	f.Add(form("client_id", "server"), serverBasic)
	f.Add(form("client_id", "server", "redirect_uri", "-"), serverBasic)
	f.Add("grant_type=refresh_token&client_id=app&refresh_token=r", "")
	f.Add(form()+"&c%6fde=2;x", "Basic !")
	f.Add(form("resource", "https://api.example")+"&resource=https://b.example", "")
	f.Add("grant_type=refresh_token&client_id=app&refresh_token=r&scope=mcp.read&resource=https://MCP.example.com/mcp/&resource=https://other.example.com", "")
	policies := []*Policy{testPolicy(f), testPolicy(f, registered)}
	protecting := newSealedGateway(f, resources())
	f.Fuzz(func(t *testing.T, body, authorization string) {
		if r, err := protecting.parseToken("", formHeader(), body); err != nil {
			requireWellFormed(t, err)
		} else if r.Audience != "" || r.resource == nil && len(r.Resources) > 0 {
			t.Fatalf("%q asks for %q, %q", body, r.Audience, r.Resources)
		}
		header := formHeader()
		if authorization != "" {
			header.Set("Authorization", authorization)
		}
		for _, p := range policies {
			r, err := p.parseToken("", header, body)
			if err != nil {
				requireWellFormed(t, err)
				continue
			}
			want, err := url.ParseQuery(body)
			if err != nil {
				t.Fatalf("accepted what url.ParseQuery refuses: %q: %v", body, err)
			}
			got, err := url.ParseQuery(string(testCall(t, p, &r).Body))
			if err != nil {
				t.Fatal(err)
			}
			for name, values := range got {
				if name == "client_id" && r.Basic || name == "redirect_uri" && r.RedirectURI == "" {
					continue // from the header, and the only one that is registered
				}
				sent := slices.DeleteFunc(want[name], func(value string) bool { return value == "" })
				if !slices.Equal(values, sent) || len(values) != 1 && name != "resource" {
					t.Fatalf("%s became %q from %q", name, values, want[name])
				}
			}
			if r.Grant == grants.Code && (len(r.Verifier) < 43 || r.Code == "") {
				t.Fatal("an exchange without code or verifier passed")
			}
		}
	})
}

func TestUserInfoTakesOneBearerHeader(t *testing.T) {
	for name, tc := range map[string]struct {
		query, challenge string
		header           http.Header
		hasBody          bool
		status           int
	}{
		"no credentials":       {header: http.Header{}, status: 401, challenge: `Bearer realm="userinfo"`},
		"two headers":          {header: http.Header{"Authorization": {"Bearer a", "Bearer b"}}, status: 400, challenge: `error="invalid_request"`},
		"a token in the query": {query: "access_token=a", header: http.Header{"Authorization": {"Bearer a"}}, status: 400, challenge: `error="invalid_request"`},
		"only in the query":    {query: "access_token=a", header: http.Header{}, status: 400, challenge: `error="invalid_request"`},
		"a broken query":       {query: "%", header: http.Header{"Authorization": {"Bearer a"}}, status: 400, challenge: `error="invalid_request"`},
		"a DPoP token":         {header: http.Header{"Authorization": {"DPoP a"}}, status: 401, challenge: `Bearer realm="userinfo"`},
		"a DPoP proof":         {header: http.Header{"Authorization": {"Bearer a"}, "Dpop": {"a.b.c"}}, status: 400, challenge: `error="invalid_request"`},
		"a body":               {hasBody: true, header: http.Header{"Authorization": {"Bearer a"}}, status: 400, challenge: `error="invalid_request"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := testPolicy(t).parseUserInfo(tc.query, tc.header, tc.hasBody)
			require.Error(t, err)
			rejection := oauth.AsError(err)
			require.Equal(t, tc.status, rejection.Status, rejection.Description)
			require.Contains(t, rejection.Challenge, tc.challenge)
			if !strings.Contains(tc.challenge, "error") {
				require.NotContains(t, rejection.Challenge, "error", "RFC 6750 section 3.1")
			}
			requireWellFormed(t, err)
		})
	}
	for _, value := range []string{"Bearer a.b-c_d~e+f/g==", "bearer x", "BEARER x"} {
		r := must.Have(testPolicy(t).parseUserInfo("", http.Header{"Authorization": {value}}, false))(t)
		require.Equal(t, "Bearer "+value[len("Bearer "):], r.authorization(), "the scheme as in RFC 6750")
	}
}

func FuzzBearer(f *testing.F) {
	for _, seed := range []string{"Bearer a.b.c", "bearer x==", "Bearer a b", "Basic x", "Bearer \x00", "Bearer"} {
		f.Add(seed)
	}
	p := testPolicy(f)
	f.Fuzz(func(t *testing.T, value string) {
		r, err := p.parseUserInfo("", http.Header{"Authorization": {value}}, false)
		if err != nil {
			requireWellFormed(t, err)
			if oauth.AsError(err).Challenge == "" {
				t.Fatal("RFC 6750 section 3: the challenge is missing")
			}
			return
		}
		if r.text == "" || strings.ContainsAny(r.text, " \t\r\n\",;\x00") || !strings.HasSuffix(value, r.text) {
			t.Fatalf("accepted %q", value)
		}
	})
}

func TestLogout(t *testing.T) {
	for name, tc := range map[string]struct {
		query, want, says string
		with              func(*Config)
	}{
		"nothing":                         {query: "", want: "https://idp.example/v2/logout"},
		"clientId":                        {query: "clientId=app", want: "https://idp.example/v2/logout?client_id=app"},
		"client_id":                       {query: "client_id=app", want: "https://idp.example/v2/logout?client_id=app"},
		"both, equal":                     {query: "client_id=app&clientId=app", want: "https://idp.example/v2/logout?client_id=app"},
		"both, different":                 {query: "client_id=app&clientId=b", says: "differ"},
		"repeated":                        {query: "client_id=app&client_id=app", says: "more than once"},
		"a page to return to":             {query: "returnTo=https%3A%2F%2Fa.example", want: "https://idp.example/v2/logout?returnTo=https%3A%2F%2Fa.example"},
		"a loopback page":                 {query: "returnTo=http://localhost:3000/", want: "https://idp.example/v2/logout?returnTo=http%3A%2F%2Flocalhost%3A3000%2F"},
		"a relative page":                 {query: "returnTo=/bye", says: "absolute"},
		"a page without a scheme":         {query: "returnTo=//evil.example", says: "absolute"},
		"a page with plain http":          {query: "returnTo=http://a.example", says: "https"},
		"a private scheme":                {query: "returnTo=com.example.app:/bye", says: "host"},
		"federated":                       {query: "federated", want: "https://idp.example/v2/logout?federated"},
		"federated with a value":          {query: "federated=1&client_id=app", want: "https://idp.example/v2/logout?client_id=app&federated"},
		"another name for returnTo":       {query: "redirect_uri=https://evil.example&ReturnTo=https://evil.example", want: "https://idp.example/v2/logout"},
		"an id_token_hint":                {query: "id_token_hint=a.b.c&state=s", want: "https://idp.example/v2/logout?id_token_hint=a.b.c&state=s"},
		"a registered page":               {query: "client_id=app&returnTo=https://app.example/bye", want: "https://idp.example/v2/logout?client_id=app&returnTo=https%3A%2F%2Fapp.example%2Fbye", with: registered},
		"an unregistered page":            {query: "client_id=app&returnTo=https://app.example/", says: "not one that is registered", with: registered},
		"an unregistered page, no client": {query: "returnTo=https://evil.example/", says: "not one that is registered", with: registered},
		"an unregistered client":          {query: "client_id=other", says: "not registered", with: registered},
		"the standard name, unregistered": {query: "client_id=app&post_logout_redirect_uri=https://evil.example/", says: "not one that is registered", with: registered},
		"RP-initiated": {
			query: "client_id=app&returnTo=https://a.example",
			want:  "https://idp.example/session/end?client_id=app&post_logout_redirect_uri=https%3A%2F%2Fa.example",
			with: func(c *Config) {
				c.LogoutProtocol = RPInitiatedLogout
				c.Endpoints = map[Endpoint]string{Logout: "/session/end"}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := testPolicy(t, tc.with)
			r, err := p.parseLogout(tc.query)
			if tc.says != "" {
				require.Error(t, err)
				rejection := oauth.AsError(err)
				require.Contains(t, rejection.Description, tc.says)
				requireWellFormed(t, err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tc.want, r.logoutURL(p))
		})
	}
}

// A single-page application at Entra ID redeems codes for its own origin alone (AADSTS9002327).
func TestTheOriginOfATokenRequestAtEntra(t *testing.T) {
	for origin, sent := range map[string]string{"https://app.example": "https://app.example", "https://evil.example": "", "": ""} {
		s := newServed(t, publicly, func(c *Config) {
			c.Endpoints = map[Endpoint]string{Token: "https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/oauth2/v2.0/token"}
			c.Clients[0].Origins = []string{"https://app.example"}
		})
		s.do("POST", "/oauth/token", form("code", "c"), "Origin", origin)
		require.Equal(t, sent, s.sent[0].Header.Get("Origin"), origin)
	}
}

// testCall is the call to the IdP for a request whose code is not sealed.
func testCall(t testing.TB, p *Policy, r *tokenRequest) upstream.Form {
	return must.Have(r.tokenCall(p, nil, nil, "", time.Now()))(t)
}

func TestTokenRequestsOutsideASCII(t *testing.T) {
	p := testPolicy(t)
	_, err := p.parseToken("", formHeader(), form("client_id", "äpp"))
	require.ErrorContains(t, err, "client_id must be printable ASCII")
	for _, credentials := range []string{"Basic YXBw", "Basic OnNlY3JldA==", "Basic YTphCg==", "Basic JXp6OmE=", "Basic"} {
		_, _, ok := clients.BasicCredentials([]string{credentials})
		require.False(t, ok, credentials)
	}
	_, err = p.parseToken("", formHeader(), refreshForm("app", "tökn"))
	require.ErrorContains(t, err, "refresh_token must be printable ASCII")
}

// RFC 6749 section 2.3.1, RFC 7617.
func TestCredentialsOfTheBasicScheme(t *testing.T) {
	for credentials, want := range map[string]string{
		"Basic " + base64.StdEncoding.EncodeToString([]byte("app:secret")):      "app",
		"BASIC " + base64.StdEncoding.EncodeToString([]byte("a%3Ap+p:secret")):  "a:p p",
		"Bearer " + base64.StdEncoding.EncodeToString([]byte("app:secret")):     "",
		"Basic " + base64.StdEncoding.EncodeToString([]byte("app:secre")) + "!": "",
		"Basic " + base64.StdEncoding.EncodeToString([]byte("a%0Ab:secret")):    "",
		"Basic " + base64.StdEncoding.EncodeToString([]byte("a%zzb:secret")):    "",
	} {
		id, _, ok := clients.BasicCredentials([]string{credentials})
		require.Equal(t, want != "", ok, credentials)
		if ok {
			require.Equal(t, want, id)
		}
	}
	p := testPolicy(t, registered)
	_, err := p.parseToken("", formHeader(), form("client_id", "server"))
	require.Equal(t, 401, oauth.AsError(err).Status)
	require.Empty(t, oauth.AsError(err).Challenge, "RFC 6749 section 5.2: only for who used the header")
	_, err = p.parseToken("", formHeader(), form("client_id", "server", "redirect_uri", "https://server.example/cb", "client_assertion_type", clients.AssertionTypeJWT))
	require.ErrorContains(t, err, "client_assertion needs client_assertion_type")
}

// A refresh that brings no token gives its lease back, so that the next one does not
// wait, and a token that was replaced ends its login, here and at the IdP.
func TestRefreshesThroughTheGateway(t *testing.T) {
	s := newServed(t, rotating, func(c *Config) { c.Endpoints = map[Endpoint]string{Revoke: "/revoke"} })
	refresh := func(token string) *Result {
		return s.do("POST", "/oauth/token", form("grant_type", "refresh_token", "refresh_token", token, "code", "", "code_verifier", "", "redirect_uri", ""))
	}
	first := s.sealed.granted("app", nil, `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-1"}`)
	s.sealed.pass(time.Hour)

	s.respond(func(*http.Request) (*http.Response, error) { return idpResponse(503, ""), nil })
	require.Equal(t, http.StatusServiceUnavailable, refresh(first).Status)
	s.respond(func(*http.Request) (*http.Response, error) {
		return idpResponse(200, `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-2"}`), nil
	})
	result := refresh(first)
	require.Equal(t, http.StatusOK, result.Status, string(result.Body))
	require.NotContains(t, string(result.Body), "idp-2")
	require.Empty(t, result.Incidents)

	s.sealed.pass(time.Hour)
	s.sent = nil
	s.respond(func(*http.Request) (*http.Response, error) { return nil, errors.New("down") })
	result = refresh(first)
	require.Equal(t, http.StatusBadRequest, result.Status)
	require.Len(t, s.sent, 1)
	require.Equal(t, "https://idp.example/revoke idp-2", s.sent[0].URL.String()+" "+s.sent[0].form.Get("token"))
	require.Equal(t, []Endpoint{Revoke}, []Endpoint{result.Calls[0].Endpoint}, "for the metrics of the IdP")
	require.Equal(t, []IncidentKind{NotRevoked, Reused}, []IncidentKind{result.Incidents[0].Kind, result.Incidents[1].Kind})
}

// A code that its client redeems once more ends what it has bought (RFC 6749 section 4.1.2): the
// refresh tokens of the login, here and at the IdP, and access tokens of the gateway's own. A code that
// only looks like it ends nothing, and neither does one in a login that goes on.
func TestACodeThatComesAgain(t *testing.T) {
	for name, tt := range map[string]struct {
		with   []func(*Config)
		again  func(a *agent, code string) *Result
		before func(a *agent, g granted) granted // what has happened to the tokens meanwhile
		ends   bool
	}{
		"from its client": {again: func(a *agent, code string) *Result { return a.redeem(code) }, ends: true},
		"from its client, with tokens of the IdP": {
			with: []func(*Config){passedThrough}, again: func(a *agent, code string) *Result { return a.redeem(code) }, ends: true,
		},
		"after a refresh": {
			before: func(a *agent, g granted) granted { return a.given(a.renew(g.RefreshToken)) },
			again:  func(a *agent, code string) *Result { return a.redeem(code) }, ends: true,
		},
		"from another client": {again: func(a *agent, code string) *Result {
			return a.do("POST", "/oauth/token", form("code", code, "client_id", "single", "redirect_uri", "https://single.example/cb?tenant=1"))
		}},
		"without its verifier": {again: func(a *agent, code string) *Result {
			return a.do("POST", "/oauth/token", form("code", code, "code_verifier", string(verifierOf("x"))))
		}},
		"too late": {again: func(a *agent, code string) *Result {
			a.sealed.pass(2 * time.Minute)
			return a.redeem(code)
		}},
		// Whoever has seen the IdP's code in a URL ends nobody's login with one of his own.
		"the IdP's, in the login of a thief": {again: func(a *agent, _ string) *Result {
			own := a.logIn("code_challenge", string(verifierOf("t").S256()))
			return a.do("POST", "/oauth/token", form("code", own, "code_verifier", string(verifierOf("t"))))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAgent(t, true, append([]func(*Config){rotating, func(c *Config) { c.Endpoints = map[Endpoint]string{Revoke: "/oauth/revoke"} }}, tt.with...)...)
			code := a.logIn()
			g := a.given(a.redeem(code))
			a.claims = nil
			if tt.before != nil {
				g = tt.before(a, g)
			}
			a.claims = map[string]any{}
			result := tt.again(a, code)
			a.claims = nil
			a.refuses(result, oauth.InvalidGrant, "")
			own := len(tt.with) == 0
			if own {
				require.Equal(t, !tt.ends, strings.Contains(string(a.ask("server-a", g.AccessToken).Body), `"active":true`), "the access token")
			}
			renewed := a.renew(g.RefreshToken)
			if !tt.ends {
				a.given(renewed)
				require.Empty(t, a.revoked())
				return
			}
			a.refuses(renewed, oauth.InvalidGrant, "log in again")
			require.Equal(t, []string{"idp-refresh"}, a.revoked())
			require.Equal(t, []IncidentKind{CodeReused}, []IncidentKind{result.Incidents[0].Kind})
		})
	}
}

// Without a family in the store there is nothing to end, and a code that is being redeemed has
// bought nothing yet: who sends it twice at a time keeps what the first has bought.
func TestACodeThatComesTwiceAtATime(t *testing.T) {
	a := newAgent(t, true, rotating)
	code, twice := a.logIn(), (*Result)(nil)
	respond := a.idp
	a.respond(func(r *http.Request) (*http.Response, error) {
		if twice == nil {
			twice = a.redeem(code)
		}
		return respond(r)
	})
	g := a.given(a.redeem(code))
	a.refuses(twice, oauth.InvalidGrant, "redeemed before")
	a.claims = nil
	a.given(a.renew(g.RefreshToken))
}
