package idp

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// sealedGateway is a policy with a callback, and its keys and clock.
type sealedGateway struct {
	*Policy
	t   testing.TB
	now time.Time
	s   sealer
	// store has the families, with rotation.
	store *replay.Memory
}

func newSealedGateway(t testing.TB, with ...func(*Config)) *sealedGateway {
	config := Config{
		AuthURL: "https://idp.example", Parameters: OAuthParameters, Callback: &CallbackConfig{},
		Clients: []ClientConfig{
			{ID: "app", RedirectURIs: []string{"https://app.example/cb", "http://127.0.0.1/cb", "com.example.app:/cb"}},
			{ID: "single", RedirectURIs: []string{"https://single.example/cb?tenant=1"}},
		},
	}
	for _, change := range with {
		change(&config)
	}
	p, err := NewPolicy(config)
	require.NoError(t, err)
	g := &sealedGateway{Policy: p, t: t, now: time.Unix(1_800_000_000, 0)}
	keys, err := seal.NewKeys([][]byte{[]byte(strings.Repeat("k", 32))}, func() time.Time { return g.now })
	require.NoError(t, err)
	g.s = sealer{Keys: keys, Now: g.now, Callback: p.CallbackURL("https://gateway.example")}
	g.store = replay.NewMemory(1000, func() time.Time { return g.now })
	return g
}

// pass lets time go by.
func (g *sealedGateway) pass(d time.Duration) {
	g.now = g.now.Add(d)
	g.s.Now = g.now
}

// begin is the query that the IdP gets for an authorization request; with
// replaces parameters, "" removes one.
func (g *sealedGateway) begin(with ...string) url.Values {
	g.t.Helper()
	q := url.Values{
		"response_type": {"code"}, "client_id": {"app"}, "redirect_uri": {"https://app.example/cb"},
		"code_challenge": {string(pkce.Verifier(testVerifier).S256())}, "code_challenge_method": {"S256"},
		"scope": {"openid"}, "state": {"client-state"}, "nonce": {"client-nonce"},
	}
	for i := 0; i < len(with); i += 2 {
		q.Del(with[i])
		if with[i+1] != "" {
			q.Set(with[i], with[i+1])
		}
	}
	r, err := g.parseAuthorize(q.Encode())
	require.NoError(g.t, err)
	u, err := url.Parse(r.authorizeURL(g.Policy, g.s))
	require.NoError(g.t, err)
	return u.Query()
}

// called is the callback's response to a code of the IdP.
func (g *sealedGateway) called(state, code string) callbackResponse {
	g.t.Helper()
	response, err := g.takeCallback(g.s, callbackRequest{Code: code, State: state})
	require.NoError(g.t, err)
	return response
}

// location is where a redirect of the callback goes.
func location(t testing.TB, page Response) *url.URL {
	t.Helper()
	require.Equal(t, http.StatusSeeOther, page.Status)
	u, err := url.Parse(page.Header.Get("Location"))
	require.NoError(t, err)
	return u
}

// open is openCodeGrant for a token request.
func (g *sealedGateway) open(code string, with ...string) (*codeGrant, *tokenRequest, error) {
	g.t.Helper()
	r, err := g.parseToken("", formHeader(), form(append([]string{"code", code}, with...)...))
	if err != nil {
		return nil, nil, err
	}
	grant, err := r.openCodeGrant(g.Policy, g.s)
	return grant, &r, err
}

func TestALoginThroughTheCallback(t *testing.T) {
	g := newSealedGateway(t)
	upstream := g.begin()
	require.Equal(t, "https://gateway.example/oauth/callback", upstream.Get("redirect_uri"))
	require.Equal(t, string(pkce.Verifier(testVerifier).S256()), upstream.Get("code_challenge"))
	require.Equal(t, "client-nonce", upstream.Get("nonce"))
	require.NotContains(t, upstream.Get("state"), "client-state")
	require.Less(t, len(upstream.Get("state")), 256, "some IdPs bound the length of state")

	response := g.called(upstream.Get("state"), "idp-code")
	require.NoError(t, response.Err)
	require.Equal(t, "app", response.ClientID)
	require.Equal(t, "no-store", response.Header.Get("Cache-Control"))
	require.Equal(t, "no-referrer", response.Header.Get("Referrer-Policy"))
	to := location(t, response.Response)
	require.Equal(t, "https://app.example/cb", to.Scheme+"://"+to.Host+to.Path)
	require.Equal(t, "client-state", to.Query().Get("state"))
	require.NotContains(t, to.Query().Get("code"), "idp-code")

	grant, request, err := g.open(to.Query().Get("code"))
	require.NoError(t, err)
	call, err := request.tokenCall(g.Policy, grant, nil, "", g.now)
	require.NoError(t, err)
	sent, err := url.ParseQuery(string(call.Body))
	require.NoError(t, err)
	require.Equal(t, url.Values{
		"grant_type": {"authorization_code"}, "client_id": {"app"}, "code": {"idp-code"},
		"redirect_uri": {"https://gateway.example/oauth/callback"}, "code_verifier": {testVerifier},
	}, sent)
}

func TestACodeIsRedeemedByItsLoginOnly(t *testing.T) {
	g := newSealedGateway(t)
	code := location(t, g.called(g.begin().Get("state"), "idp-code").Response).Query().Get("code")
	for name, tc := range map[string]struct {
		code string
		with []string
		says string
	}{
		"another verifier":              {code, []string{"code_verifier", strings.Repeat("v", 43)}, "code_verifier does not belong"},
		"another client":                {code, []string{"client_id", "single", "redirect_uri", "https://single.example/cb?tenant=1"}, "issued to another client"},
		"another redirect URI":          {code, []string{"redirect_uri", "http://127.0.0.1:9/cb"}, "redirect_uri is not that"},
		"no redirect URI":               {code, []string{"redirect_uri", "-"}, "redirect_uri is not that"},
		"the IdP's own code":            {"idp-code", nil, "did not issue the code"},
		"the state in the code's place": {g.begin().Get("state"), nil, "did not issue the code"},
	} {
		_, _, err := g.open(tc.code, tc.with...)
		require.ErrorContains(t, err, tc.says, name)
		require.Equal(t, oauth.InvalidGrant, oauth.AsError(err).Code, name)
		require.NotContains(t, err.Error(), code)
	}
	for i := range code {
		altered := []byte(code)
		altered[i] ^= 1
		_, _, err := g.open(string(altered))
		require.Error(t, err, "altered at %d", i)
	}
	_, _, err := g.open("idp-code")
	require.ErrorIs(t, err, seal.ErrInvalid, "newer keys would not help")
	g.pass(login.CodeLifetime)
	_, _, err = g.open(code)
	require.ErrorContains(t, err, "the code is older than 1m0s")
}

// A code is for a redirect URI that is registered still.
func TestACodeWhoseRedirectURIIsRegisteredNoMore(t *testing.T) {
	g := newSealedGateway(t)
	state := g.begin("client_id", "single", "redirect_uri", "").Get("state")
	code := location(t, g.called(state, "idp-code").Response).Query().Get("code")
	g.Policy = newSealedGateway(t, func(c *Config) { c.Clients[1].RedirectURIs = []string{"https://single.example/new"} }).Policy
	_, _, err := g.open(code, "client_id", "single", "redirect_uri", "-")
	require.ErrorContains(t, err, "this gateway did not issue the code")
}

func TestARedirectURIThatIsRegisteredTwice(t *testing.T) {
	g := newSealedGateway(t, func(c *Config) {
		c.Clients[0].RedirectURIs = append(c.Clients[0].RedirectURIs, c.Clients[0].RedirectURIs[0])
	})
	require.NoError(t, g.called(g.begin().Get("state"), "idp-code").Err)
}

func TestRedirectURIs(t *testing.T) {
	t.Run("any port on loopback", func(t *testing.T) {
		g := newSealedGateway(t)
		to := location(t, g.called(g.begin("redirect_uri", "http://127.0.0.1:54321/cb").Get("state"), "c").Response)
		require.Equal(t, "127.0.0.1:54321", to.Host)
		_, _, err := g.open(to.Query().Get("code"), "redirect_uri", "http://127.0.0.1:54321/cb")
		require.NoError(t, err)
		_, _, err = g.open(to.Query().Get("code"), "redirect_uri", "http://127.0.0.1:54322/cb")
		require.ErrorContains(t, err, "redirect_uri is not that")
	})
	t.Run("the only one, not named", func(t *testing.T) {
		g := newSealedGateway(t)
		to := location(t, g.called(g.begin("client_id", "single", "redirect_uri", "").Get("state"), "c").Response)
		require.Equal(t, "single.example", to.Host)
		require.Equal(t, "1", to.Query().Get("tenant"))
		_, _, err := g.open(to.Query().Get("code"), "client_id", "single", "redirect_uri", "-")
		require.NoError(t, err)
	})
	t.Run("no clients: loopback only", func(t *testing.T) {
		g := newSealedGateway(t, func(c *Config) { c.Clients = nil })
		to := location(t, g.called(g.begin("client_id", "any client", "redirect_uri", "http://localhost:3000/cb").Get("state"), "c").Response)
		require.Equal(t, "localhost:3000", to.Host)
		grant, _, err := g.open(to.Query().Get("code"), "client_id", "any client", "redirect_uri", "http://localhost:3000/cb")
		require.NoError(t, err)
		require.NotNil(t, grant)
		for _, uri := range []string{"https://app.example/cb", "com.example.app:/cb", ""} {
			q := url.Values{
				"response_type": {"code"}, "client_id": {"any"}, "code_challenge_method": {"S256"},
				"code_challenge": {string(pkce.Verifier(testVerifier).S256())},
			}
			if uri != "" {
				q.Set("redirect_uri", uri)
			}
			_, err := g.parseAuthorize(q.Encode())
			require.ErrorContains(t, err, "redirect_uri must be registered", uri)
		}
	})
	t.Run("none of a login before there were clients", func(t *testing.T) {
		before := newSealedGateway(t, func(c *Config) { c.Clients = nil })
		state := before.begin("redirect_uri", "http://localhost:3000/cb").Get("state")
		after := newSealedGateway(t)
		_, err := after.takeCallback(after.s, callbackRequest{Code: "c", State: state})
		require.Error(t, err)
	})
}

func TestNoLoginEndsAtTheCallback(t *testing.T) {
	s := sealer{Callback: "https://gateway.example/oauth/callback"}
	for uri, own := range map[string]bool{s.Callback: true, "https://app.example/oauth/callback": false, "": false} {
		err := s.checkCallback(&authorizeRequest{RedirectURI: uri})
		require.Equal(t, own, err != nil, uri)
	}
	require.NoError(t, sealer{}.checkCallback(&authorizeRequest{}), "without callback and redirect_uri")
}

func FuzzOpenCode(f *testing.F) {
	g := newSealedGateway(f)
	genuine := location(f, g.called(g.begin().Get("state"), "idp-code").Response).Query().Get("code")
	f.Add(genuine)
	f.Add(g.begin().Get("state"))
	f.Add("idp-code")
	f.Add("")
	f.Fuzz(func(t *testing.T, code string) {
		r := tokenRequest{Auth: clients.Auth{Party: g.registry.Find("app")}, tokenForm: tokenForm{Code: code, RedirectURI: "https://app.example/cb", Verifier: testVerifier}}
		if grant, err := r.openCodeGrant(g.Policy, g.s); err == nil && grant.login.Code != "idp-code" {
			t.Fatalf("opened %q", code)
		} else if err != nil {
			requireWellFormed(t, err)
		}
	})
}

func TestWhatALoginMustHave(t *testing.T) {
	g := newSealedGateway(t, func(c *Config) { c.Nonce = NonceRequired })
	parse := func(with ...string) error {
		_, err := g.parseAuthorize(query(append([]string{"nonce", "n"}, with...)...))
		return err
	}
	require.NoError(t, parse())
	require.ErrorContains(t, parse("nonce", ""), "nonce is missing or empty")
	require.NoError(t, parse("state", strings.Repeat("s", 2048)))
	require.ErrorContains(t, parse("state", strings.Repeat("s", 2049)), "state is longer than 2048 bytes")
	require.ErrorContains(t, parse("prompt", "login none"), "prompt none can't be combined")
	_, err := newSealedGateway(t, asking).parseAuthorize(consentQuery("app", "https://app.example/cb", "prompt", "none"))
	require.Equal(t, oauth.ConsentRequired, oauth.AsError(err).Code)
	plain := testPolicy(t)
	_, err = plain.parseAuthorize(query("state", strings.Repeat("s", 2049)))
	require.NoError(t, err, "without a callback it is not sealed")
}

func testKeys(t testing.TB, now func() time.Time, masters ...string) *seal.Keys {
	var raw [][]byte
	for _, master := range masters {
		raw = append(raw, []byte(strings.Repeat(master, 32)))
	}
	keys, err := seal.NewKeys(raw, now)
	require.NoError(t, err)
	return keys
}
