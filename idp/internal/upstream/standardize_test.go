package upstream

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/endpoint"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

func TestTokenResponsesThatAreNotStandard(t *testing.T) {
	for name, test := range map[string]struct {
		contentType, body string
		status            int
		want              string
	}{
		"GitHub's error": {
			"application/json; charset=utf-8", `{"error":"bad_verification_code","error_description":"The code passed is incorrect or expired.","error_uri":"https://docs.github.com/x"}`,
			400, `{"error":"invalid_grant","error_description":"The code passed is incorrect or expired.","error_uri":"https://docs.github.com/x"}`,
		},
		"GitHub's error as a form": {"application/x-www-form-urlencoded", "error=incorrect_client_credentials&error_description=a+b", 400, `{"error":"invalid_client","error_description":"a b"}`},
		"a code of its own":        {"application/json", `{"error":"made_up"}`, 400, `{"error":"made_up"}`},
		"a form": {
			"application/x-www-form-urlencoded; charset=utf-8", "access_token=gho_16C7&scope=repo%2Cgist&token_type=bearer&expires_in=28800&refresh_token=r1",
			200, `{"access_token":"gho_16C7","scope":"repo,gist","token_type":"bearer","expires_in":28800,"refresh_token":"r1"}`,
		},
		"a form whose time is none":        {"application/x-www-form-urlencoded", "access_token=a&token_type=bearer&expires_in=1e9", 200, `{"access_token":"a","token_type":"bearer","expires_in":"1e9"}`},
		"GitHub's code for refresh tokens": {"application/json", `{"error":"bad_refresh_token"}`, 400, `{"error":"invalid_grant"}`},
		"GitHub's code for redirect URIs":  {"application/json", `{"error":"redirect_uri_mismatch"}`, 400, `{"error":"invalid_grant"}`},
		"numbers of a form": {
			"application/x-www-form-urlencoded", "access_token=a&token_type=bearer&refresh_token_expires_in=99999999999&expires_in=999999999999&scope=1",
			200, `{"access_token":"a","token_type":"bearer","refresh_token_expires_in":99999999999,"expires_in":"999999999999","scope":"1"}`,
		},
		"a token that mentions \"error\"":  {"application/json", `{"access_token":"a","token_type":"Bearer","error":"none"}`, 200, `{"access_token":"a","token_type":"Bearer","error":"none"}`},
		"a token":                          {"application/json", `{"access_token":"a","token_type":"Bearer"}`, 200, `{"access_token":"a","token_type":"Bearer"}`},
		"a time in quotes, as Entra ID v1": {"application/json", `{"token_type":"Bearer","expires_in":"3599","x":{"a":"1"},"access_token":"a"}`, 200, `{"access_token":"a","token_type":"Bearer","expires_in":3599,"x":{"a":"1"}}`},
		"a time that is none":              {"application/json", `{"access_token":"a","token_type":"Bearer","expires_in":"1h"}`, 200, `{"access_token":"a","token_type":"Bearer","expires_in":"1h"}`},
		"scopes as a list, as Twitch":      {"application/json", `{"access_token":"a","token_type":"bearer","scope":["openid","user:read:email"]}`, 200, `{"access_token":"a","token_type":"bearer","scope":"openid user:read:email"}`},
		"a list of what are no scopes":     {"application/json", `{"access_token":"a","token_type":"bearer","scope":["a\"b"]}`, 200, `{"access_token":"a","token_type":"bearer","scope":["a\"b"]}`},
		"a token without a type":           {"application/json", `{"access_token":"a"}`, 200, `{"access_token":"a","token_type":"Bearer"}`},
		"a token without a type, but null": {"application/json", `{"access_token":"a","token_type":null}`, 200, `{"access_token":"a","token_type":"Bearer"}`},
		"a token with an empty type":       {"application/json", `{"access_token":"a","token_type":""}`, 200, `{"access_token":"a","token_type":""}`},
		"all of it":                        {"application/json", `{"expires_in":"60","scope":["a"],"access_token":"a","id_token":"x"}`, 200, `{"access_token":"a","id_token":"x","expires_in":60,"scope":"a","token_type":"Bearer"}`},
		"a name twice":                     {"application/json", `{"access_token":"a","expires_in":"60","expires_in":"61"}`, 200, `{"access_token":"a","expires_in":"60","expires_in":"61"}`},
		"an error that is no string":       {"application/json", `{"error":{"message":"x"}}`, 200, `{"error":{"message":"x"}}`},
	} {
		r := Response{Status: 200, Header: http.Header{"Content-Type": {test.contentType}}, Body: []byte(test.body)}
		StandardizeToken(&r)
		require.Equal(t, test.status, r.Status, name)
		require.JSONEq(t, test.want, string(r.Body), name)
	}
	for header, body := range map[string]string{"Content-Encoding": "access_token=a", "Content-Type": "access_token=a"} {
		r := Response{Status: 200, Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, Body: []byte(body)}
		r.Header.Set(header, map[string]string{"Content-Encoding": "gzip", "Content-Type": "application/x-www-form-urlencoded; ="}[header])
		StandardizeToken(&r)
		require.Equal(t, body, string(r.Body), header)
	}
	broken := Response{Status: 200, Header: http.Header{}, Body: []byte(`{"error":"x"`)}
	StandardizeToken(&broken)
	require.Equal(t, 200, broken.Status)
	for _, body := range []string{"a=b&a=c", "%", "<ü>"} {
		r := Response{Status: 200, Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, Body: []byte(body)}
		StandardizeToken(&r)
		require.Equal(t, body, string(r.Body))
		_, ok := ReadToken(r.Body)
		require.False(t, ok)
	}
}

// Some servers compress what they were not asked to (RFC 9110 section 12.5.3 lets them), or
// begin with a byte order mark, which RFC 8259 section 8.1 lets a reader overlook.
func TestBodiesAreUnpacked(t *testing.T) {
	pack := func(content string) string {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, _ = z.Write([]byte(content))
		require.NoError(t, z.Close())
		return packed.String()
	}
	for name, tt := range map[string]struct{ coding, content, want, left string }{
		"as it is":          {"", "{}", "{}", ""},
		"gzip":              {"GZIP", pack("{}"), "{}", ""},
		"a byte order mark": {"", "\xef\xbb\xbf{}", "{}", ""},
		"both":              {"gzip", pack("\xef\xbb\xbf{}"), "{}", ""},
		"gzip in gzip":      {"gzip", pack(pack("{}")), pack("{}"), ""},
		"no gzip":           {"gzip", "{}", "{}", "gzip"},
		"half of it":        {"gzip", pack("{}")[:15], pack("{}")[:15], "gzip"},
		"another coding":    {"br", "{}", "{}", "br"},
		"two codings":       {"gzip, gzip", "{}", "{}", "gzip, gzip"},
		"nothing":           {"gzip", "", "", "gzip"},
	} {
		header := http.Header{}
		if tt.coding != "" {
			header.Set("Content-Encoding", tt.coding)
		}
		got, err := unpacked(header, []byte(tt.content))
		require.NoError(t, err, name)
		require.Equal(t, tt.want, string(got), name)
		require.Equal(t, tt.left, header.Get("Content-Encoding"), name)
	}
	_, err := unpacked(http.Header{"Content-Encoding": {"gzip"}}, []byte(pack(strings.Repeat(" ", MaxResponse+1))))
	require.ErrorContains(t, err, "too large")
}

func FuzzStandardizeTokenResponse(f *testing.F) {
	f.Add("application/json", `{"error":"bad_verification_code"}`)
	f.Add("application/x-www-form-urlencoded", "access_token=gho_16C7&scope=repo%2Cgist&token_type=bearer&expires_in=28800")
	f.Fuzz(func(t *testing.T, contentType, body string) {
		r := Response{Status: 200, Header: http.Header{"Content-Type": {contentType}}, Body: []byte(body)}
		StandardizeToken(&r)
		token, ok := ReadToken(r.Body)
		if ok && string(r.Body) != body {
			var object struct {
				AccessToken string `json:"access_token"`
			}
			if json.Unmarshal([]byte(body), &object) != nil {
				sent := must.Have(url.ParseQuery(body))(t)
				object.AccessToken = sent.Get("access_token")
			}
			require.Equal(t, object.AccessToken, token.AccessToken, "a token is the one that the IdP sent")
		}
		if r.Status != 200 {
			require.False(t, ok, "what is an error now has no token")
		}
	})
}

func TestWhoseCredentialsTheIdPRejects(t *testing.T) {
	own := clients.Auth{Credentials: new(clients.Credentials)}
	for name, test := range map[string]struct {
		request  clients.Auth
		response Response
		rejected bool
	}{
		"the gateway's":           {own, Response{Status: 401, Body: []byte(`{"error":"invalid_client","error_description":"AADSTS7000215: Invalid client secret provided"}`)}, true},
		"the gateway's, with 400": {own, Response{Status: 400, Body: []byte(`{"error":"invalid_client"}`)}, true},
		"the client's":            {clients.Auth{}, Response{Status: 401, Body: []byte(`{"error":"invalid_client"}`)}, false},
		"another error":           {own, Response{Status: 400, Body: []byte(`{"error":"invalid_grant"}`)}, false},
		"a server error":          {own, Response{Status: 500, Body: []byte(`{"error":"invalid_client"}`)}, false},
		"the last client error":   {own, Response{Status: 499, Body: []byte(`{"error":"invalid_client"}`)}, true},
		"a success":               {own, Response{Status: 399, Body: []byte(`{"error":"invalid_client"}`)}, false},
		"no JSON":                 {own, Response{Status: 400, Body: []byte(`{"error":"invalid_client"`)}, false},
		"a token":                 {own, Response{Status: 200, Body: []byte(`{"access_token":"a"}`)}, false},
	} {
		err := CheckCredentials(&test.request, test.response)
		require.Equal(t, test.rejected, err != nil, name)
		if err != nil {
			require.Equal(t, 502, oauth.AsError(err).Status)
			require.NotContains(t, oauth.AsError(err).Description, "AADSTS")
			require.True(t, syntax.ErrorChar.Holds(oauth.AsError(err).Description))
		}
	}
}

func TestWhoGetsAnOrigin(t *testing.T) {
	const entra = "https://login.microsoftonline.com/t/oauth2/v2.0"
	for name, test := range map[string]struct {
		config  Config
		request clients.Auth
		want    bool
	}{
		"a page at Entra":                       {Config{AuthURL: entra}, clients.Auth{}, true},
		"a page at a customers' tenant":         {Config{AuthURL: "https://contoso.ciamlogin.com/t"}, clients.Auth{}, true},
		"a page elsewhere":                      {Config{AuthURL: "https://idp.example"}, clients.Auth{}, false},
		"a host that only ends like Entra's":    {Config{AuthURL: "https://evil-login.microsoftonline.com.example"}, clients.Auth{}, false},
		"a page of the US government's cloud":   {Config{AuthURL: "https://login.microsoftonline.us/t"}, clients.Auth{}, true},
		"a page of the Chinese cloud":           {Config{AuthURL: "https://login.partner.microsoftonline.cn/t"}, clients.Auth{}, true},
		"a page at B2C":                         {Config{AuthURL: "https://contoso.b2clogin.com/t"}, clients.Auth{}, true},
		"a page whose users are elsewhere":      {Config{AuthURL: entra, Endpoints: map[endpoint.Endpoint]string{endpoint.UserInfo: "https://graph.microsoft.com/oidc/userinfo"}}, clients.Auth{}, true},
		"a client with an assertion":            {Config{AuthURL: entra}, clients.Auth{Assertion: "a"}, false},
		"with a callback":                       {Config{AuthURL: entra, BindsLogins: true}, clients.Auth{}, false},
		"a confidential client (AADSTS9002326)": {Config{AuthURL: entra}, clients.Auth{ClientSecret: "s"}, false},
		"a confidential client by Basic":        {Config{AuthURL: entra}, clients.Auth{Basic: true, Method: clients.AuthSecretBasic}, false},
		"a client that the gateway vouches for": {Config{AuthURL: entra}, clients.Auth{Credentials: new(clients.Credentials)}, false},
	} {
		p := must.Have(New(test.config))(t)
		require.Equal(t, test.want, p.WantsOrigin(&test.request), name)
	}
}
