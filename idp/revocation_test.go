package idp

import (
	"context"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// changing is a store in which a login changes in the moment in which it is ended. It
// does nothing for a client that has left.
type changing struct {
	replay.StateStore
	once func()
}

func (c *changing) Load(ctx context.Context, key replay.Key) ([]byte, time.Time, error) {
	if err := ctx.Err(); err != nil {
		return nil, time.Time{}, err
	}
	return c.StateStore.Load(ctx, key)
}

func (c *changing) CompareAndSwap(ctx context.Context, key replay.Key, old, replacement []byte, ttl time.Duration) (bool, error) {
	if c.once != nil {
		c.once()
		c.once = nil
		return false, ctx.Err()
	}
	return c.StateStore.CompareAndSwap(ctx, key, old, replacement, ttl)
}

// What the IdP has revoked ends here, too, whoever still waits for the answer.
func TestARevokedLoginEndsForAClientThatHasLeft(t *testing.T) {
	s := newServed(t, rotating, func(c *Config) { c.Endpoints = map[Endpoint]string{Revoke: "/revoke"} })
	s.respond(func(*http.Request) (*http.Response, error) {
		return idpResponse(200, `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-rt"}`), nil
	})
	token := s.sealed.granted("app", nil, `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-rt"}`)

	ctx, leave := context.WithCancel(t.Context())
	s.families = s.sealed.families(&changing{s.sealed.store, leave})
	s.respond(func(*http.Request) (*http.Response, error) { return idpResponse(200, ""), nil })
	r := s.request("POST", "/oauth/revoke", revocationForm("app", token))
	r.Request = r.WithContext(ctx)
	require.Empty(t, s.Serve(r).Incidents)
	_, _, err := s.sealed.refresh("app", token)
	require.ErrorContains(t, err, "log in again")
}

func TestWhatTheIdPSaysOfARevocation(t *testing.T) {
	secret := []string{"client_secret", "s"}
	for name, tt := range map[string]struct {
		status  int
		content string
		want    int
		ended   bool
		with    []string // which the client authenticates with at the IdP
	}{
		"revoked":                     {204, "", 200, true, nil},
		"not supported":               {400, `{"error":"unsupported_token_type"}`, 400, true, nil},
		"busy":                        {503, `{"error":"temporarily_unavailable"}`, 503, false, nil},
		"failed":                      {500, "", 502, false, nil},
		"no OAuth":                    {404, "<html>", 502, true, nil},
		"its secret is right":         {200, "", 200, true, secret},
		"its secret is wrong":         {401, `{"error":"invalid_client"}`, 401, false, secret},
		"its secret is wrong: a 400":  {400, `{"error":"invalid_client"}`, 400, false, secret},
		"its secret is wrong: a page": {401, "<html>", 502, false, secret},
		"a public client has none":    {401, `{"error":"invalid_client"}`, 401, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServed(t, rotating, revoking, func(c *Config) { c.Clients[0].AuthMethods = []string{AuthNone, AuthSecretPost} })
			token := s.sealed.granted("app", nil, `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-rt"}`)
			s.respond(func(r *http.Request) (*http.Response, error) { return idpResponse(tt.status, tt.content), nil })
			result := s.do("POST", "/oauth/revoke", revocationForm("app", token, tt.with...))
			require.Equal(t, tt.want, result.Status, string(result.Body))
			require.Equal(t, "idp-rt", s.sent[0].form.Get("token"))
			_, _, err := s.sealed.refresh("app", token)
			require.Equal(t, tt.ended, err != nil, err)
		})
	}
}

func revocationForm(clientID, token string, with ...string) string {
	return replaced(url.Values{"client_id": {clientID}, "token": {token}}, with)
}

func TestRevocationRequests(t *testing.T) {
	for name, tc := range map[string]struct {
		query, body, hint, says string
		header                  http.Header
		code                    oauth.Code // of the rejection, "" for none
		status                  int
	}{
		"a token":                  {body: revocationForm("app", "t")},
		"a refresh token":          {body: revocationForm("app", "t", "token_type_hint", "refresh_token"), hint: "refresh_token"},
		"an access token":          {body: revocationForm("app", "t", "token_type_hint", "access_token"), hint: "access_token"},
		"a hint that nobody knows": {body: revocationForm("app", "t", "token_type_hint", "cookie")},
		"with a secret":            {body: revocationForm("server", "t", "client_secret", "s")},
		"with Basic":               {header: formHeader("Authorization", serverBasic), body: "token=t"},
		"in the URL":               {query: "token=t", body: revocationForm("app", "t"), code: oauth.InvalidRequest, status: 400, says: "the revocation endpoint takes its parameters in the body"},
		"as JSON":                  {header: http.Header{"Content-Type": {"application/json"}}, body: "{}", code: oauth.InvalidRequest, status: 400, says: "application/x-www-form-urlencoded"},
		"twice":                    {body: revocationForm("app", "t") + "&token=u", code: oauth.InvalidRequest, status: 400, says: "token occurs more than once"},
		"no token":                 {body: "client_id=app", code: oauth.InvalidRequest, status: 400, says: "the required parameter token is missing"},
		"a token outside ASCII":    {body: revocationForm("app", "tökn"), code: oauth.InvalidRequest, status: 400, says: "printable ASCII"},
		"no client":                {body: "token=t", code: oauth.InvalidRequest, status: 400, says: "client_id is missing"},
		"an unregistered client":   {body: revocationForm("other", "t"), code: oauth.InvalidClient, status: 401, says: "not registered"},
		"a client without its own": {body: revocationForm("server", "t"), code: oauth.InvalidClient, status: 401, says: "authentication method none"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := testPolicy(t, registered).parseRevocation(tc.query, tc.header, tc.body)
			if tc.code != "" {
				requireRejected(t, err, tc.code, tc.status, tc.says)
				return
			}
			require.NoError(t, err)
			require.Equal(t, "t", r.Token.text)
			require.Equal(t, tc.hint, r.Hint)
		})
	}
}

// revoke opens the revocation of a token by a client.
func (g *sealedGateway) revoke(clientID, token string) (*revocationRequest, *revokedToken, error) {
	g.t.Helper()
	r := must.Have(g.parseRevocation("", formHeader(), revocationForm(clientID, token)))(g.t)
	revocation, err := r.openRevocation(g.Policy, g.t.Context(), g.kept(), g.s)
	return &r, revocation, err
}

// revocationForm is the form of a revocation at the IdP.
func (g *sealedGateway) revocationForm(r *revocationRequest, revocation *revokedToken) url.Values {
	g.t.Helper()
	call := must.Have(r.revocationCall(g.Policy, revocation, "", g.now))(g.t)
	require.Empty(g.t, call.Authorization)
	return must.Have(url.ParseQuery(string(call.Body)))(g.t)
}

func revoking(c *Config) { c.Endpoints = map[Endpoint]string{Revoke: "/revoke"} }

func TestATokenThatWasNotSealedHereIsTheIdPs(t *testing.T) {
	g := newSealedGateway(t, revoking)
	r, _, err := g.revoke("app", "access-token-of-the-idp")
	require.ErrorIs(t, err, seal.ErrInvalid)
	revocation := &revokedToken{token: r.Token.text, hint: r.Hint}
	require.Equal(t, url.Values{"token": {"access-token-of-the-idp"}, "client_id": {"app"}}, g.revocationForm(r, revocation))

	plain := testPolicy(t, revoking)
	request := must.Have(plain.parseRevocation("", formHeader(), revocationForm("app", "x", "token_type_hint", "access_token")))(t)
	revocation, err = plain.tokens.revoked(t.Context(), &revocationFlow{request: request})
	require.NoError(t, err, "without a callback nothing is sealed")
	require.Equal(t, &revokedToken{token: "x", hint: "access_token"}, revocation)
}

func TestATokenOfAnotherRegistrationIsOver(t *testing.T) {
	token := newSealedGateway(t).granted("app", nil, grantedByIdP)
	moved := newSealedGateway(t, revoking, func(c *Config) { c.Clients[0].IdPClient = &IdPClientConfig{ID: "gateway", Secret: "s"} })
	_, revocation, err := moved.revoke("app", token)
	require.NoError(t, err)
	require.True(t, revocation.isOver(), "RFC 7009 section 2.2: an invalid token is a success")
}

func TestARevokedFamilyEnds(t *testing.T) {
	i := newRotatingIdP(t, revoking)
	first := i.logIn("app")
	i.g.pass(time.Hour)
	second := i.mustRefresh(first)
	r, revocation, err := i.g.revoke("app", first)
	require.NoError(t, err)
	require.Equal(t, "idp-2", i.g.revocationForm(r, revocation).Get("token"), "the one that the IdP knows now")
	ended := must.Have(revocation.end(t.Context()))(t)
	require.True(t, ended)
	_, err = i.refresh(second)
	require.ErrorContains(t, err, "replaced, revoked or not used for too long")
	_, revocation, err = i.g.revoke("app", second)
	require.NoError(t, err)
	require.True(t, revocation.isOver(), "a second time")
}

func TestARevocationThatTheStoreCantDecide(t *testing.T) {
	i := newRotatingIdP(t, revoking)
	token := i.logIn("app")
	r, _, err := i.g.revoke("app", token)
	require.NoError(t, err)
	_, err = r.openRevocation(i.g.Policy, t.Context(), i.g.families(failing{}), i.g.s)
	require.ErrorIs(t, err, rotation.ErrStore)
	require.Equal(t, 503, oauth.AsError(err).Status)
}

func TestWhoRevokes(t *testing.T) {
	sealed := newSealedGateway(t)
	require.False(t, sealed.idp.Has(Revoke))
	_, revocation, err := sealed.revoke("app", sealed.granted("app", nil, grantedByIdP))
	require.NoError(t, err)
	err = sealed.canRevoke(revocation)
	require.Equal(t, oauth.UnsupportedTokenType, oauth.AsError(err).Code)
	require.ErrorContains(t, err, "endpoint revoke")

	discovering := newSealedGateway(t, func(c *Config) { c.Discover = true })
	require.Equal(t, upstream.NotDiscovered(), discovering.canRevoke(&revokedToken{token: "x"}))
	m := must.Have(discovery.Parse("https://idp.example", []byte(`{"issuer":"https://idp.example","revocation_endpoint":"https://idp.example/r"}`)))(t)
	require.NoError(t, discovering.withMetadata(m).canRevoke(&revokedToken{token: "x"}))

	i := newRotatingIdP(t)
	_, revocation, err = i.g.revoke("app", i.logIn("app"))
	require.NoError(t, err)
	require.NoError(t, i.g.canRevoke(revocation), "the family ends here, whatever the IdP can do")
}

func TestTheGatewayAuthenticatesAtRevocation(t *testing.T) {
	g := newSealedGateway(t, revoking, func(c *Config) {
		c.Clients[0].IdPClient = &IdPClientConfig{ID: "gateway", Secret: "s&", AuthMethod: AuthSecretPost}
	})
	r, revocation, err := g.revoke("app", g.granted("app", nil, grantedByIdP))
	require.NoError(t, err)
	require.Equal(t, url.Values{
		"token": {"idp-refresh"}, "token_type_hint": {"refresh_token"}, "client_id": {"gateway"}, "client_secret": {"s&"},
	}, g.revocationForm(r, revocation))
}

func TestResponsesOfTheRevocationEndpoint(t *testing.T) {
	for name, tc := range map[string]struct {
		response Response
		revoked  bool
		status   int // of the replacement, 0 for none
	}{
		"done":                     {response: Response{Status: 200, Body: []byte("OK, Ada")}, revoked: true},
		"done without a body":      {response: Response{Status: 204}, revoked: true},
		"the last of the 2xx":      {response: Response{Status: 299}, revoked: true},
		"an OAuth error":           {response: Response{Status: 400, Body: []byte(`{"error":"unsupported_token_type"}`)}, revoked: true},
		"an error page":            {response: Response{Status: 400, Body: []byte(`<html>`)}, revoked: true, status: 502},
		"busy":                     {response: Response{Status: 503, Header: http.Header{"Retry-After": {"7"}}}, status: 503},
		"busy, with an error code": {response: Response{Status: 503, Body: []byte(`{"error":"temporarily_unavailable"}`)}},
		"a redirect":               {response: Response{Status: 302}, status: 502},
		"the first of the 3xx":     {response: Response{Status: 300}, status: 502},
		"early hints":              {response: Response{Status: 199}, status: 502},
		"a server error":           {response: Response{Status: 500}, status: 502},
	} {
		revoked, err := upstream.CheckRevocation(&clients.Auth{}, &tc.response)
		require.Equal(t, tc.revoked, revoked, name)
		if tc.status != 0 {
			require.Equal(t, tc.status, oauth.AsError(err).Status, name)
			continue
		}
		require.NoError(t, err, name)
		if tc.response.Status < 300 {
			require.Equal(t, 200, tc.response.Status, name)
			require.Empty(t, tc.response.Body, "the client gets nothing of the IdP's: %s", name)
		}
	}
}

func FuzzRevocation(f *testing.F) {
	g := newSealedGateway(f, rotating, revoking)
	genuine := g.granted("app", nil, grantedByIdP)
	f.Add(revocationForm("app", genuine, "token_type_hint", "refresh_token"), "")
	f.Add(revocationForm("single", genuine), "")
	f.Add("token=a&token=b&client_id=app", "")
	f.Add("token=t", appBasic)
	f.Fuzz(func(t *testing.T, body, authorization string) {
		header := formHeader()
		if authorization != "" {
			header.Set("Authorization", authorization)
		}
		r, err := g.parseRevocation("", header, body)
		if err != nil {
			requireWellFormed(t, err)
			return
		}
		sent, err := url.ParseQuery(body)
		if err != nil || sent.Get("token") != r.Token.text {
			t.Fatalf("%q is read as the token %q", body, r.Token.text)
		}
		revocation, err := r.openRevocation(g.Policy, t.Context(), g.kept(), g.s)
		if err == nil && !revocation.isOver() && (r.ClientID != "app" || revocation.token != "idp-refresh") {
			t.Fatalf("client %q revokes %q", r.ClientID, revocation.token)
		}
	})
}

// A family that the store has forgotten is over, and nothing is written for it.
func TestARevocationOfAFamilyThatIsGone(t *testing.T) {
	i := newRotatingIdP(t, revoking)
	token := i.logIn("app")
	i.g.pass(26 * time.Hour)
	_, revocation, err := i.g.revoke("app", token)
	require.NoError(t, err)
	require.True(t, revocation.isOver())
	require.Nil(t, revocation.family)
}
