package idp

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

func basicHeader(id, secret string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(url.QueryEscape(id)+":"+url.QueryEscape(secret)))
}

// ask is what the gateway tells a resource server about a token.
func (a *agent) ask(server, token string) *Result {
	a.t.Helper()
	return a.do("POST", "/oauth/introspect", url.Values{"token": {token}, "token_type_hint": {"access_token"}}.Encode(),
		"Authorization", basicHeader(server, "hQ7vX2mK9pL4wN8rT5yB3zD6-"+server))
}

// failing is a store that can't be reached.
type failing struct{ replay.StateStore }

func (failing) Load(context.Context, replay.Key) ([]byte, time.Time, error) {
	return nil, time.Time{}, errors.New("away")
}

// RFC 6749 section 2.3.1 has the parts encoded; curl and Python's requests do not.
func TestSecretsOfResourceServers(t *testing.T) {
	const secret = "a+secret/of 32 %41 or more: hQ7vX2mK"
	p := newAgent(t, true, func(c *Config) { c.Resources[0].Introspection.ClientSecret = secret }).sealed.Policy
	for sent, good := range map[string]bool{
		url.QueryEscape(secret): true, secret: true, strings.ReplaceAll(url.QueryEscape(secret), "+", "%20"): true,
		"a secret/of 32 A or more: hQ7vX2mK": false, "a+secret/of+32+A+or+more:+hQ7vX2mK": false, url.QueryEscape(url.QueryEscape(secret)): false, "": false,
	} {
		_, err := p.introspected("", formHeader("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("server-a:"+sent))), "token=t")
		require.Equal(t, good, err == nil, sent)
	}
}

func TestIntrospectionRequests(t *testing.T) {
	p := newAgent(t, true).sealed.Policy
	good := basicHeader("server-a", "hQ7vX2mK9pL4wN8rT5yB3zD6-server-a")
	for name, tc := range map[string]struct {
		query, body, authorization, contentType string
		code                                    oauth.Code // "" if it is accepted
		status                                  int
	}{
		"a token":                        {body: "token=t", authorization: good},
		"a hint besides":                 {body: "token=t&token_type_hint=refresh_token&x=y", authorization: good},
		"a token of the gateway's":       {body: "token=igat_AQ", authorization: good},
		"no token":                       {body: "x=y", authorization: good, code: oauth.InvalidRequest, status: 400},
		"two tokens":                     {body: "token=t&token=u", authorization: good, code: oauth.InvalidRequest, status: 400},
		"a token in the URL":             {query: "token=t", body: "token=t", authorization: good, code: oauth.InvalidRequest, status: 400},
		"JSON":                           {body: `{"token":"t"}`, authorization: good, contentType: "application/json", code: oauth.InvalidRequest, status: 400},
		"nobody":                         {body: "token=t", code: oauth.InvalidClient, status: 401},
		"a wrong secret":                 {body: "token=t", authorization: basicHeader("server-a", "hQ7vX2mK9pL4wN8rT5yB3zD6-server-b"), code: oauth.InvalidClient, status: 401},
		"no secret":                      {body: "token=t", authorization: basicHeader("server-a", ""), code: oauth.InvalidClient, status: 401},
		"a part of the secret":           {body: "token=t", authorization: basicHeader("server-a", "hQ7vX2mK9pL4wN8rT5yB3zD6-server-"), code: oauth.InvalidClient, status: 401},
		"an unknown server":              {body: "token=t", authorization: basicHeader("server-c", "hQ7vX2mK9pL4wN8rT5yB3zD6-server-a"), code: oauth.InvalidClient, status: 401},
		"a client of the gateway's":      {body: "token=t&client_id=app", authorization: basicHeader("app", "s3cret"), code: oauth.InvalidClient, status: 401},
		"its token in place of a secret": {body: "token=t", authorization: "Bearer igat_AQ", code: oauth.InvalidClient, status: 401},
		"the secret in the body":         {body: "token=t&client_id=server-a&client_secret=hQ7vX2mK9pL4wN8rT5yB3zD6-server-a", code: oauth.InvalidClient, status: 401},
	} {
		t.Run(name, func(t *testing.T) {
			header := http.Header{"Content-Type": {cmp.Or(tc.contentType, "application/x-www-form-urlencoded")}}
			if tc.authorization != "" {
				header.Set("Authorization", tc.authorization)
			}
			r, err := p.introspected(tc.query, header, tc.body)
			if tc.code == "" {
				require.NoError(t, err)
				require.Equal(t, "server-a", r.ClientID)
				require.Equal(t, serverA, r.resource.URI)
				return
			}
			challenge := map[int]string{401: `Basic realm="introspection"`}[tc.status]
			require.Equal(t, challenge, requireRejected(t, err, tc.code, tc.status, "").Challenge)
			require.NotContains(t, err.Error(), "a-secret")
		})
	}
}

func TestWhatAResourceServerLearnsOfAToken(t *testing.T) {
	a := newAgent(t, true, rotating, func(c *Config) { c.Resources[0].UpstreamToken = true })
	token := a.tokens().AccessToken
	result := a.ask("server-a", token)
	require.Equal(t, 200, result.Status)
	require.Equal(t, "no-store", result.Header.Get("Cache-Control"))
	require.Equal(t, Decision{Endpoint: "introspect", Outcome: Passed, ClientID: "server-a", LoginID: a.opened(token).LoginID}, result.Decision)
	require.JSONEq(t, `{"active":true,"token_type":"Bearer","iss":"`+gatewayURL+`","sub":"user-1","aud":"`+serverA+`","client_id":"app",
		"scope":"read write","jti":"`+a.opened(token).ID+`","iat":1800000000,"exp":1800000600}`, string(result.Body))

	const inactive = `{"active":false}`
	require.JSONEq(t, inactive, string(a.ask("server-b", token).Body), "of a token for another server nobody learns anything")
	for _, other := range []string{"idp-access", "igat_", token[:len(token)-1], token + "A", a.logIn()} {
		result := a.ask("server-a", other)
		require.Equal(t, 200, result.Status)
		require.JSONEq(t, inactive, string(result.Body))
	}
	a.families = a.sealed.families(failing{a.sealed.store})
	require.Equal(t, 503, a.ask("server-a", token).Status, "who can't look does not say that it is good, nor that it is not")
	a.sealed.pass(10 * time.Minute)
	require.JSONEq(t, inactive, string(a.ask("server-a", token).Body))
	require.Len(t, a.sent, 1, "the IdP is never asked")
}

func TestIntrospectionIsServedWhereItIsConfigured(t *testing.T) {
	a := newAgent(t, true)
	require.Equal(t, 405, a.do("GET", "/oauth/introspect", "").Status)
	require.Equal(t, 404, a.do("POST", "/oauth/Introspect", "").Status)
	require.Empty(t, a.do("POST", "/oauth/introspect", "token=t", "Origin", "https://app.example").Header.Get("Access-Control-Allow-Origin"), "it is for servers")
	none := newAgent(t, true, func(c *Config) { c.Resources[0].Introspection, c.Resources[1].Introspection = nil, nil })
	require.Nil(t, none.do("POST", "/oauth/introspect", "token=t"))
}

// FuzzParseIntrospection: only who has the secret asks.
func FuzzParseIntrospection(f *testing.F) {
	p := newAgent(f, true).sealed.Policy
	good := basicHeader("server-a", "hQ7vX2mK9pL4wN8rT5yB3zD6-server-a")
	for _, seed := range [][2]string{
		{good, "token=t"}, {good, "token=t&token=u"}, {"Basic", "token=t"}, {"basic " + good[6:], "token=%69gat_"}, {"Basic Og==", "token=t"}, {"", ""},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, authorization, body string) {
		r, err := p.introspected("", http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Authorization": {authorization}}, body)
		if err != nil {
			return
		}
		id, secret, _ := clients.BasicCredentials([]string{authorization})
		if id != r.ClientID || secret != "hQ7vX2mK9pL4wN8rT5yB3zD6-"+id || r.Token == "" || r.resource == nil {
			t.Fatal("accepted without its credential")
		}
	})
}
