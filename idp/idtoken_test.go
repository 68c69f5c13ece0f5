package idp

import (
	"cmp"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
)

func TestIDTokens(t *testing.T) {
	idToken := func(claims string) string {
		return `{"access_token":"a","token_type":"Bearer","id_token":"e30.` + base64.RawURLEncoding.EncodeToString([]byte(claims)) + `.c2ln"}`
	}
	secret := func(c *Config) { c.Clients[0].IdPClient = &IdPClientConfig{ID: "gateway", Secret: "s"} }
	without := `{"access_token":"a","token_type":"Bearer"}`
	requires := func(c *Config) { c.Nonce = NonceRequired }
	for name, tc := range map[string]struct {
		nonce, body string
		scope       string // "" stands for openid
		with        func(*Config)
		says        string
	}{
		"the login's":                               {nonce: "n", body: idToken(`{"aud":"app","nonce":"n"}`)},
		"another login's":                           {nonce: "n", body: idToken(`{"aud":"app","nonce":"m"}`), says: "nonce is not this login's"},
		"none, where the login had one":             {nonce: "n", body: idToken(`{"aud":"app"}`), says: "nonce is not this login's"},
		"empty, where the login had one":            {nonce: "n", body: idToken(`{"aud":"app","nonce":""}`), says: "nonce is not this login's"},
		"one, where the login had none":             {body: idToken(`{"aud":"app","nonce":"n"}`), says: "the login had none"},
		"none, where the login had none":            {body: idToken(`{"aud":"app"}`)},
		"twice":                                     {nonce: "n", body: idToken(`{"aud":"app","nonce":"m","nonce":"n"}`), says: "can't be read"},
		"a number":                                  {nonce: "1", body: idToken(`{"aud":"app","nonce":1}`), says: "can't be read"},
		"several audiences":                         {nonce: "n", body: idToken(`{"aud":["https://api.example","app"],"nonce":"n"}`)},
		"another client's":                          {nonce: "n", body: idToken(`{"aud":"other","nonce":"n"}`), says: "another client's"},
		"several other clients'":                    {nonce: "n", body: idToken(`{"aud":["other","App"],"nonce":"n"}`), says: "another client's"},
		"nobody's":                                  {nonce: "n", body: idToken(`{"nonce":"n"}`), says: "another client's"},
		"the gateway's own at the IdP":              {nonce: "n", body: idToken(`{"aud":"gateway","nonce":"n"}`), with: secret},
		"the client's, which the IdP does not know": {nonce: "n", body: idToken(`{"aud":"app","nonce":"n"}`), with: secret, says: "audience is not gateway"},
		"an audience that is a number":              {nonce: "n", body: idToken(`{"aud":1,"nonce":"n"}`), says: "can't be read"},
		"no ID token":                               {nonce: "n", body: without, says: "sent no ID token"},
		"no ID token, no nonce":                     {body: without, says: "sent no ID token"},
		"no ID token, a nonce only":                 {scope: "read", nonce: "n", body: without, says: "leave out the scope openid and nonce"},
		"no ID token, openid among others":          {scope: "read openid", body: without, says: "sent no ID token"},
		"no ID token, none asked for":               {scope: "read", body: without},
		"no ID token, openid in capitals":           {scope: "OpenID", body: without},
		"none asked for, but required":              {scope: "read", nonce: "n", body: without, with: requires, says: "parameters nonce asks for one"},
		"null, none asked for":                      {scope: "read", body: `{"access_token":"a","token_type":"Bearer","id_token":null}`},
		"an empty string, none asked for":           {scope: "read", body: `{"access_token":"a","token_type":"Bearer","id_token":""}`},
		"an empty string":                           {nonce: "n", body: `{"access_token":"a","token_type":"Bearer","id_token":""}`, says: "sent no ID token"},
		"not a string, none asked for":              {scope: "read", body: `{"access_token":"a","token_type":"Bearer","id_token":false}`, says: "not a string"},
		"another login's, none asked for":           {scope: "read", body: idToken(`{"aud":"app","nonce":"m"}`), says: "the login had none"},
		"no ID token, though required":              {nonce: "n", body: without, with: requires, says: "sent no ID token"},
		"encrypted":                                 {nonce: "n", body: `{"access_token":"a","token_type":"Bearer","id_token":"a.b.c.d.e"}`, says: "encrypted"},
		"empty, where the login had none":           {body: idToken(`{"aud":"app","nonce":""}`)},
		"not base64url":                             {nonce: "n", body: `{"access_token":"a","token_type":"Bearer","id_token":"a.!.c"}`, says: "not a JWT"},
		"not a JWT":                                 {nonce: "n", body: `{"access_token":"a","token_type":"Bearer","id_token":"a.b"}`, says: "not a JWT"},
		"not a string":                              {nonce: "n", body: `{"access_token":"a","token_type":"Bearer","id_token":{}}`, says: "not a string"},
		"null":                                      {nonce: "n", body: `{"access_token":"a","token_type":"Bearer","id_token":null}`, says: "sent no ID token"},
		"a name that hides behind escapes":          {nonce: "n", body: strings.Replace(idToken(`{"aud":"app","nonce":"m"}`), "id_token", `id\u005ftoken`, 1), says: "nonce is not this login's"},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.with == nil {
				tc.with = func(*Config) {}
			}
			g := newSealedGateway(t, tc.with)
			grant, _, err := g.open(location(t, g.called(g.begin("nonce", tc.nonce, "scope", cmp.Or(tc.scope, "openid")).Get("state"), "c").Response).Query().Get("code"))
			require.NoError(t, err)
			outcome, err := outcomeOf(g.checkTokenResponse(Response{Status: 200, Header: http.Header{}, Body: []byte(tc.body)}, grant))
			if tc.says == "" {
				require.NoError(t, err)
				require.Equal(t, upstream.Granted, outcome)
				return
			}
			require.ErrorContains(t, err, tc.says)
			require.Equal(t, upstream.Unclear, outcome, "the code stays claimed")
			require.Equal(t, http.StatusBadGateway, oauth.AsError(err).Status)
			require.Equal(t, "OpenID Connect Core 1.0 section 3.1.3.7", oauth.AsError(err).Source)
		})
	}
	_, err := newSealedGateway(t, requires).parseAuthorize(strings.ReplaceAll(newSealedGateway(t).begin("nonce", "").Encode(), "oauth%2Fcallback", "x"))
	require.Error(t, err)
}

// openIDProvider is metadata as OpenID Connect Discovery 1.0 section 3 asks for it.
func openIDProvider() *discovery.Metadata {
	return &discovery.Metadata{Issuer: "https://idp.example", Scopes: []string{"openid", "read"}, IDTokenAlgorithms: []string{"RS256"}}
}

// A login that asks for no ID token gets one towards an OpenID Provider, with a nonce of
// the gateway's own.
func TestAnOpenIDProviderIsAskedForAnIDToken(t *testing.T) {
	for name, tc := range map[string]struct {
		metadata     *discovery.Metadata
		scope, nonce string
		with         func(*Config)
		asked        string // the scope that the IdP is asked for
		own          bool   // and a nonce of the gateway's own
	}{
		"a scope":                  {metadata: openIDProvider(), scope: "read", asked: "read openid", own: true},
		"several":                  {metadata: openIDProvider(), scope: "read write", asked: "read write openid", own: true},
		"one that only looks like": {metadata: openIDProvider(), scope: "openid2 OpenID", asked: "openid2 OpenID openid", own: true},
		"a nonce, without openid":  {metadata: openIDProvider(), scope: "read", nonce: "n", asked: "read openid", own: true},
		"openid, without a nonce":  {metadata: openIDProvider(), scope: "read openid", asked: "read openid"},
		"openid and a nonce":       {metadata: openIDProvider(), scope: "openid", nonce: "n", asked: "openid"},
		"no scope: the IdP's own":  {metadata: openIDProvider()},
		"a list that lacks openid": {metadata: openIDProvider(), scope: "read", with: func(c *Config) { c.Clients[0].Scopes = []string{"read"} }, asked: "read openid", own: true},
		"IDs of others": {metadata: openIDProvider(), scope: "read", asked: "read openid", own: true, with: func(c *Config) {
			for i := range c.Clients {
				c.Clients[i].IdPClient = &IdPClientConfig{ID: "gateway", Secret: "s"}
			}
		}},
		"no list of scopes":           {metadata: &discovery.Metadata{IDTokenAlgorithms: []string{"RS256"}}, scope: "read", asked: "read openid", own: true},
		"an IdP that has no openid":   {metadata: &discovery.Metadata{IDTokenAlgorithms: []string{"RS256"}, Scopes: []string{"read"}}, scope: "read", asked: "read"},
		"one that signs no ID tokens": {metadata: &discovery.Metadata{Scopes: []string{"openid"}}, scope: "read", asked: "read"},
		"one that says nothing":       {metadata: new(discovery.Metadata), scope: "read", asked: "read"},
		"no discovery":                {scope: "read", asked: "read"},
		"no discovery, but a nonce":   {scope: "read", nonce: "n", asked: "read"},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.with == nil {
				tc.with = func(*Config) {}
			}
			g := newSealedGateway(t, tc.with)
			if tc.metadata != nil {
				tc.metadata.AuthorizationEndpoint = &url.URL{Scheme: "https", Host: "idp.example", Path: "/authorize"}
				g.Policy = g.withMetadata(tc.metadata)
			}
			first, second := g.begin("scope", tc.scope, "nonce", tc.nonce), g.begin("scope", tc.scope, "nonce", tc.nonce)
			require.Equal(t, tc.asked, first.Get("scope"))
			require.LessOrEqual(t, len(first["nonce"]), 1)
			require.LessOrEqual(t, len(first.Get("state")), 300, "some IdPs bound the length of state")
			if !tc.own {
				require.Equal(t, tc.nonce, first.Get("nonce"))
				return
			}
			require.Regexp(t, `^identity-gateway\.[A-Z2-7]{26}$`, first.Get("nonce"))
			require.NotEqual(t, first.Get("nonce"), second.Get("nonce"))

			mine := `{"aud":"` + g.registry.Find("app").IDAtIdP() + `","nonce":"` + first.Get("nonce") + `"}`
			for response, says := range map[string]string{
				tokenWith(mine, ""): "",
				tokenWith(`{"aud":"`+g.registry.Find("app").IDAtIdP()+`","nonce":"`+second.Get("nonce")+`"}`, ""): "nonce is not this login's",
				tokenWith(`{"aud":"`+g.registry.Find("app").IDAtIdP()+`"}`, ""):                                   "nonce is not this login's",
				tokenWith(`{"aud":"other","nonce":"`+first.Get("nonce")+`"}`, ""):                                 "another client's",
				`{"access_token":"a","token_type":"Bearer"}`:                                                      "allow the client that scope there",
			} {
				grant, request, err := g.open(location(t, g.called(first.Get("state"), "c").Response).Query().Get("code"))
				require.NoError(t, err)
				require.True(t, request.ownOpenID)
				_, err = g.checkTokenResponse(Response{Status: 200, Header: http.Header{}, Body: []byte(response)}, grant)
				if says == "" {
					require.NoError(t, err)
				} else {
					require.ErrorContains(t, err, says)
				}
			}
		})
	}
}

func tokenWith(claims, more string) string {
	return `{"access_token":"a","token_type":"Bearer","id_token":"e30.` + base64.RawURLEncoding.EncodeToString([]byte(claims)) + `.c2ln"` + more + `}`
}

// Whoever has read a nonce of the gateway's own begins no login with it.
func TestNoClientSendsANonceOfTheGatewaysOwn(t *testing.T) {
	g := newSealedGateway(t)
	g.Policy = g.withMetadata(openIDProvider())
	own := g.begin("scope", "read", "nonce", "").Get("nonce")
	for _, scope := range []string{"openid read", "read", ""} {
		for _, nonce := range []string{own, "identity-gateway.x", "identity-gateway."} {
			r, err := g.parseAuthorize(query("scope", scope, "nonce", nonce))
			require.ErrorContains(t, err, "which only the gateway's own do")
			requireWellFormed(t, err)
			_, toClient := r.redirectError(oauth.AsError(err))
			require.True(t, toClient)
		}
		_, err := g.parseAuthorize(query("scope", scope, "nonce", "of identity-gateway."))
		require.NoError(t, err)
	}
	direct := testPolicy(t, registered, oauthRules).withMetadata(openIDProvider())
	r, err := direct.parseAuthorize(query("scope", "profile", "nonce", own))
	require.NoError(t, err, "without callback there are none")
	require.False(t, r.ownOpenID)
}

// What the gateway has asked for on its own does not reach the client, also after refreshes.
func TestTheGatewaysOwnIDTokenStaysHere(t *testing.T) {
	for _, rotates := range []bool{false, true} {
		g := newSealedGateway(t, func(c *Config) {
			if rotates {
				c.Rotation = &rotation.Config{}
			}
		})
		g.Policy = g.withMetadata(openIDProvider())
		sealed := func(r *tokenRequest, grant *refreshGrant, body string) string {
			b, err := g.sealBody(t.Context(), g.kept(), g.s, r, grant, []byte(body))
			require.NoError(t, err)
			return string(b)
		}
		own := func(scope string) *tokenRequest {
			_, request, err := g.open(location(t, g.called(g.begin("scope", scope, "nonce", "").Get("state"), "c").Response).Query().Get("code"))
			require.NoError(t, err)
			request.family = newFamily()
			return request
		}
		for scope, want := range map[string]string{
			`"read openid"`:       `,"scope":"read"`,
			`"openid read write"`: `,"scope":"read write"`,
			`"read openid2"`:      `,"scope":"read openid2"`,
			`"openid"`:            `,"scope":"openid"`, // nothing else was granted, which the client is to know
			`["read","openid"]`:   `,"scope":"read"`,
			`null`:                `,"scope":null`,
			`"read \u006fpenid"`:  `,"scope":"read"`,
		} {
			require.Equal(t, `{"access_token":"a","token_type":"Bearer"`+want+`}`, sealed(own("read"), nil, tokenWith("{}", `,"scope":`+scope)))
		}
		require.Equal(t, `{"access_token":"a","token_type":"Bearer"}`, sealed(own("read"), nil, tokenWith("{}", "")))
		whole := tokenWith("{}", `,"scope":"openid read"`)
		require.Equal(t, whole, sealed(own("openid read"), nil, whole), "the client's own")

		const refreshable = `,"scope":"read openid","refresh_token":"of the IdP"`
		for _, scope := range []string{"read", "openid read"} {
			answer := sealed(own(scope), nil, tokenWith("{}", refreshable))
			for range 3 {
				require.Equal(t, scope != "read", strings.Contains(answer, "id_token"), answer)
				require.Equal(t, scope != "read", strings.Contains(answer, "openid"), answer)
				read, ok := upstream.ReadToken([]byte(answer))
				require.True(t, ok)
				token, err := read.RefreshTokenText()
				require.NoError(t, err)
				g.pass(time.Hour)
				r := &tokenRequest{Auth: clients.Auth{Party: g.registry.Find("app")}, tokenForm: tokenForm{RefreshToken: token}}
				grant, err := r.openRefreshGrant(g.Policy, g.s)
				require.NoError(t, err)
				if rotates {
					grant.lease, err = g.kept().Take(t.Context(), g.s.Keys, *grant.opened.Place)
					require.NoError(t, err)
				}
				answer = sealed(r, grant, tokenWith("{}", refreshable))
			}
		}
	}
}

// An API client's walk is held to the same nonce.
func TestAWalkWithANonceOfTheGatewaysOwn(t *testing.T) {
	g := newSealedGateway(t)
	m := openIDProvider()
	m.AuthorizationEndpoint = &url.URL{Scheme: "https", Host: "idp.example", Path: "/authorize"}
	g.Policy = g.withMetadata(m)
	r, err := g.parseAuthorize(query("scope", "read", "nonce", "", "prompt", "none"))
	require.NoError(t, err)
	w := r.newSilentLogin(g.Policy, g.s)
	sent := w.url().Query()
	require.Equal(t, "read openid", sent.Get("scope"))
	result, err := w.next(http.StatusFound, http.Header{"Location": {g.s.Callback + "?code=c&state=" + url.QueryEscape(sent.Get("state"))}})
	require.NoError(t, err)
	grant, _, err := g.open(result.Code)
	require.NoError(t, err)
	_, err = g.checkTokenResponse(Response{Status: 200, Header: http.Header{}, Body: []byte(tokenWith(`{"aud":"app","nonce":"`+sent.Get("nonce")+`"}`, ""))}, grant)
	require.NoError(t, err)
	_, err = g.checkTokenResponse(Response{Status: 200, Header: http.Header{}, Body: []byte(tokenWith(`{"aud":"app","nonce":"other"}`, ""))}, grant)
	require.ErrorContains(t, err, "nonce is not this login's")
}
