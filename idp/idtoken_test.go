package idp

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestIDTokens(t *testing.T) {
	idToken := func(claims string) string {
		return `{"access_token":"a","token_type":"Bearer","id_token":"e30.` + base64.RawURLEncoding.EncodeToString([]byte(claims)) + `.c2ln"}`
	}
	secret := func(c *Config) { c.Clients[0].IdPClient = &IdPClientConfig{ID: "gateway", Secret: "s"} }
	without := `{"access_token":"a","token_type":"Bearer"}`
	invents := func(c *Config) { c.AllowUnrequestedNonce = true }
	requires := func(c *Config) { c.RequireNonce = true }
	for name, tc := range map[string]struct {
		nonce, body string
		with        func(*Config)
		says        string
	}{
		"the login's":                               {nonce: "n", body: idToken(`{"aud":"app","nonce":"n"}`)},
		"another login's":                           {nonce: "n", body: idToken(`{"aud":"app","nonce":"m"}`), says: "has not the nonce"},
		"none, where the login had one":             {nonce: "n", body: idToken(`{"aud":"app"}`), says: "has not the nonce"},
		"empty, where the login had one":            {nonce: "n", body: idToken(`{"aud":"app","nonce":""}`), says: "has not the nonce"},
		"one, where the login had none":             {body: idToken(`{"aud":"app","nonce":"n"}`), says: "the login had none"},
		"none, where the login had none":            {body: idToken(`{"aud":"app"}`)},
		"one that the IdP invents":                  {body: idToken(`{"aud":"app","nonce":"n"}`), with: invents},
		"another's, though IdPs invent":             {nonce: "n", body: idToken(`{"aud":"app","nonce":"m"}`), with: invents, says: "has not the nonce"},
		"twice":                                     {nonce: "n", body: idToken(`{"aud":"app","nonce":"m","nonce":"n"}`), says: "can't be read"},
		"a number":                                  {nonce: "1", body: idToken(`{"aud":"app","nonce":1}`), says: "can't be read"},
		"several audiences":                         {nonce: "n", body: idToken(`{"aud":["https://api.example","app"],"nonce":"n"}`)},
		"another client's":                          {nonce: "n", body: idToken(`{"aud":"other","nonce":"n"}`), says: "another client's"},
		"several other clients'":                    {nonce: "n", body: idToken(`{"aud":["other","App"],"nonce":"n"}`), says: "another client's"},
		"nobody's":                                  {nonce: "n", body: idToken(`{"nonce":"n"}`), says: "another client's"},
		"the gateway's own at the IdP":              {nonce: "n", body: idToken(`{"aud":"gateway","nonce":"n"}`), with: secret},
		"the client's, which the IdP does not know": {nonce: "n", body: idToken(`{"aud":"app","nonce":"n"}`), with: secret, says: "audience is not gateway"},
		"an audience that is a number":              {nonce: "n", body: idToken(`{"aud":1,"nonce":"n"}`), says: "can't be read"},
		"no ID token":                               {nonce: "n", body: without},
		"no ID token, though required":              {nonce: "n", body: without, with: requires, says: "sent no ID token"},
		"encrypted":                                 {nonce: "n", body: `{"access_token":"a","token_type":"Bearer","id_token":"a.b.c.d.e"}`, says: "encrypted"},
		"empty, where the login had none":           {body: idToken(`{"aud":"app","nonce":""}`)},
		"not base64url":                             {nonce: "n", body: `{"access_token":"a","token_type":"Bearer","id_token":"a.!.c"}`, says: "not a JWT"},
		"not a JWT":                                 {nonce: "n", body: `{"access_token":"a","token_type":"Bearer","id_token":"a.b"}`, says: "not a JWT"},
		"not a string":                              {nonce: "n", body: `{"access_token":"a","token_type":"Bearer","id_token":{}}`, says: "not a string"},
		"null":                                      {nonce: "n", body: `{"access_token":"a","token_type":"Bearer","id_token":null}`},
		"a name that hides behind escapes":          {nonce: "n", body: strings.Replace(idToken(`{"aud":"app","nonce":"m"}`), "id_token", `id\u005ftoken`, 1), says: "has not the nonce"},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.with == nil {
				tc.with = func(*Config) {}
			}
			g := newSealedGateway(t, tc.with)
			redemption, _, err := g.open(location(t, g.called(g.begin("nonce", tc.nonce).Get("state"), "c").Page).Query().Get("code"))
			require.NoError(t, err)
			outcome, err := g.CheckTokenResponse(Response{Status: 200, Header: http.Header{}, Body: []byte(tc.body)}, redemption)
			if tc.says == "" {
				require.NoError(t, err)
				require.Equal(t, Granted, outcome)
				return
			}
			require.ErrorContains(t, err, tc.says)
			require.Equal(t, Unclear, outcome, "the code stays claimed")
			require.Equal(t, http.StatusBadGateway, AsError(err).Status)
			require.Equal(t, "OpenID Connect Core 1.0 section 3.1.3.7", AsError(err).Source)
		})
	}
	_, err := newSealedGateway(t, requires).ParseAuthorize(strings.ReplaceAll(newSealedGateway(t).begin("nonce", "").Encode(), "oauth%2Fcallback", "x"))
	require.Error(t, err)
}
