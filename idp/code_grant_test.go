package idp

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// codeGrant is a code of the IdP in a login with a verifier, opened by its client.
func (g *sealedGateway) codeGrant(code string, verifier pkce.Verifier, with ...string) *codeGrant {
	g.t.Helper()
	state := g.begin(append([]string{"code_challenge", string(verifier.S256())}, with...)...).Get("state")
	grant, _ := g.opened(location(g.t, g.called(state, code).Response).Query().Get("code"), append([]string{"code_verifier", string(verifier)}, with...)...)
	return grant
}

func verifierOf(c string) pkce.Verifier { return pkce.Verifier(strings.Repeat(c, 43)) }

// One code and one login buy one token; what buys none is given back.
func TestOneLoginOneToken(t *testing.T) {
	const (
		login = "this login already has its token"
		code  = "this code was redeemed before"
	)
	single := []string{"client_id", "single", "redirect_uri", "https://single.example/cb?tenant=1"}
	for name, tc := range map[string]struct {
		outcome upstream.Outcome // of the first exchange, of "code" with the verifier "a"
		code    string           // of the second one
		again   string           // its verifier
		with    []string
		says    string
	}{
		"the same again":                         {upstream.Granted, "code", "a", nil, code},
		"another code of the same login":         {upstream.Granted, "code=", "a", nil, login},
		"the same code in another login":         {upstream.Granted, "code", "b", nil, code},
		"another code in another login":          {upstream.Granted, "other", "b", nil, ""},
		"another client with the same challenge": {upstream.Granted, "other", "a", single, ""},
		"the same code, another client":          {upstream.Granted, "code", "a", single, code},

		"the IdP rejected it: the same again":  {upstream.Rejected, "code", "a", nil, ""},
		"the IdP rejected it: another code":    {upstream.Rejected, "other", "a", nil, ""},
		"nobody knows: the same again":         {upstream.Unclear, "code", "a", nil, code},
		"nobody knows: the user goes back":     {upstream.Unclear, "other", "a", nil, ""},
		"nobody knows: the code elsewhere":     {upstream.Unclear, "code", "b", nil, code},
		"nobody knows: another code elsewhere": {upstream.Unclear, "other", "b", nil, ""},
	} {
		g := newSealedGateway(t)
		claims, err := g.claim(t.Context(), g.store, g.codeGrant("code", verifierOf("a")))
		require.NoError(t, err, name)
		_, err = g.claim(t.Context(), g.store, g.codeGrant("code", verifierOf("a")))
		require.ErrorContains(t, claimError(err), code, "%s: while the first one is under way", name)
		_, err = g.claim(t.Context(), g.store, g.codeGrant("code=", verifierOf("a")))
		require.ErrorContains(t, claimError(err), login, "%s: and another code", name)
		require.NoError(t, claims.settle(t.Context(), tc.outcome), name)

		before := g.store.Len()
		_, err = g.claim(t.Context(), g.store, g.codeGrant(tc.code, verifierOf(tc.again), tc.with...))
		if tc.says == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, claimError(err), tc.says, name)
		require.Equal(t, oauth.InvalidGrant, oauth.AsError(claimError(err)).Code, name)
		require.Equal(t, before, g.store.Len(), "%s: what failed holds nothing", name)
	}
}

// Nobody gets to claim a login without its verifier, and so nobody keeps its user out.
func TestOnlyTheVerifierClaimsALogin(t *testing.T) {
	g := newSealedGateway(t)
	state := g.begin().Get("state")
	mine := location(t, g.called(state, "of-the-attacker").Response).Query().Get("code")
	_, _, err := g.open(mine, "code_verifier", string(verifierOf("v")))
	require.ErrorContains(t, err, "code_verifier does not belong")
	require.Zero(t, g.store.Len())
}

func TestHowLongClaimsStay(t *testing.T) {
	g := newSealedGateway(t, func(c *Config) { c.Callback.LoginTimeout = 5 * time.Minute })
	store := &oddStore{Store: g.store}
	claims := must.Have(g.claim(t.Context(), store, g.codeGrant("code", verifierOf("a"))))(t)
	require.NoError(t, claims.settle(t.Context(), upstream.Granted))
	const want = 5*time.Minute + time.Minute + 2*time.Minute
	require.Equal(t, []time.Duration{want, want}, store.ttls)
}

// oddStore notes what is claimed, and fails from the claim with number failing on.
type oddStore struct {
	replay.Store
	ttls    []time.Duration
	failing int
	with    error
}

func (s *oddStore) Claim(ctx context.Context, key replay.Key, ttl time.Duration) (replay.Claim, error) {
	s.ttls = append(s.ttls, ttl)
	if s.with != nil && len(s.ttls) >= s.failing {
		return nil, s.with
	}
	claim, err := s.Store.Claim(ctx, key, ttl)
	return oddClaim{claim}, err
}

// oddClaim is not released for who has left.
type oddClaim struct{ replay.Claim }

func (c oddClaim) Release(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return c.Claim.Release(ctx)
}

func TestAStoreThatFailsBetweenTheClaims(t *testing.T) {
	for _, with := range []error{replay.ErrFull, errors.New("no connection")} {
		for failing := 1; failing <= 2; failing++ {
			g := newSealedGateway(t)
			ctx, cancel := context.WithCancel(t.Context())
			cancel() // the client has left meanwhile
			_, err := g.claim(ctx, &oddStore{Store: g.store, failing: failing, with: with}, g.codeGrant("code", verifierOf("a")))
			require.ErrorIs(t, err, with)
			require.Equal(t, http.StatusServiceUnavailable, oauth.AsError(claimError(err)).Status)
			require.Zero(t, g.store.Len(), "what was claimed is given back")
		}
	}
}

func TestAClaimThatCannotBeReleased(t *testing.T) {
	g := newSealedGateway(t)
	claims := must.Have(g.claim(t.Context(), &oddStore{Store: g.store}, g.codeGrant("code", verifierOf("a"))))(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, claims.settle(ctx, upstream.Rejected), context.Canceled)
	require.Equal(t, 2, g.store.Len())
}

// Of exchanges at once, with codes of one login and one code in several logins, as many
// get through as there are both logins and codes, and nobody waits for anybody.
func TestClaimsAtOnce(t *testing.T) {
	g := newSealedGateway(t)
	var grants []*codeGrant
	for _, code := range []string{"1", "2", "3"} {
		for _, verifier := range []string{"a", "b"} {
			grants = append(grants, g.codeGrant(code, verifierOf(verifier)))
		}
	}
	for range 200 {
		store := replay.NewMemory(100, time.Now)
		var won atomic.Int32
		var group sync.WaitGroup
		for _, r := range slices.Concat(grants, grants) {
			group.Go(func() {
				if _, err := g.claim(context.Background(), store, r); err == nil {
					won.Add(1)
				}
			})
		}
		group.Wait()
		require.LessOrEqual(t, won.Load(), int32(2))
		require.Equal(t, int(2*won.Load()), store.Len())
		require.NotZero(t, won.Load())
	}
}

// claim claims a code in a store.
func (g *sealedGateway) claim(ctx context.Context, store replay.Store, r *codeGrant) (*codeClaims, error) {
	keys := g.codeKeys(r)
	return keys.claim(ctx, store)
}

// withoutPKCE is a provider whose client app authenticates, and may do without PKCE.
func withoutPKCE(t testing.TB, with ...func(*Config)) *provider {
	p := newProvider(t, append([]func(*Config){withSecret, func(c *Config) { c.Clients[0].PKCE = oauth.Optional }}, with...)...)
	p.metadata.now.SubjectTypes = nil
	return p
}

// begins is where the browser is sent for a login without PKCE; with replaces parameters.
func (p *provider) begins(with ...string) *url.URL {
	p.t.Helper()
	begun := p.authorize(append([]string{"code_challenge", "", "code_challenge_method", ""}, with...)...)
	return must.Have(url.Parse(begun.Header.Get("Location")))(p.t)
}

// ends is the client's code after a login without PKCE that began with a nonce.
func (p *provider) ends(nonce string) string {
	p.t.Helper()
	at := p.begins("nonce", nonce)
	p.nonce, p.code = at.Query().Get("nonce"), "idp-code-"+at.Query().Get("nonce")
	return p.calledBack(at.Query().Get("state"))
}

// redeems is the result of a token request of app, which authenticates and sends no code_verifier.
func (p *provider) redeems(code string, with ...string) *Result {
	return p.redeem(code, append([]string{"code_verifier", "", "client_secret", "app" + clientSecret}, with...)...)
}

// RFC 9700 section 2.1.1: a confidential OpenID client may rely on its nonce. The gateway itself does
// not: the IdP gets a challenge, and the verifier of it.
func TestALoginWithoutPKCE(t *testing.T) {
	p := withoutPKCE(t)
	at := p.begins()
	require.Equal(t, "S256", at.Query().Get("code_challenge_method"))
	challenge := pkce.Challenge(at.Query().Get("code_challenge"))
	require.NotEqual(t, challenge, pkce.Challenge(p.begins().Query().Get("code_challenge")), "one for each login")

	_, claims := p.granted(p.redeems(p.ends("n-1")))
	require.Equal(t, "n-1", claims["nonce"])
	sent := p.sent[len(p.sent)-1]
	_, err := pkce.ParseVerifier(sent.form.Get("code_verifier"))
	require.NoError(t, err, "the gateway's own")

	_, claims = p.granted(p.redeem(p.logIn(), "client_secret", "app"+clientSecret))
	require.Equal(t, "client-nonce", claims["nonce"], "with PKCE as ever")

	code := p.ends("n-2")
	p.sealed.pass(login.CodeLifetime)
	p.refuses(p.redeems(code), oauth.InvalidGrant, "the code is older than 1m0s")
}

// An attacker who has the code of a victim brings it to the client in a session of his own, which
// redeems it there (RFC 9700 section 4.5). Without PKCE the gateway can't tell; the client can, by the
// nonce of the victim's login in the ID token, in each login in which it gets a token.
func TestACodeInTheSessionOfAThief(t *testing.T) {
	p := withoutPKCE(t)
	victims := p.ends("of-the-victim")
	_, claims := p.granted(p.redeems(victims))
	require.Equal(t, "of-the-victim", claims["nonce"], "the client, whose session has another one, drops the tokens")

	for name, with := range map[string][]string{
		"no nonce, with which nobody could tell":  {"nonce", ""},
		"no openid, so that there is no ID token": {"scope", "email"},
	} {
		at := p.begins(with...)
		require.Equal(t, "app.example", at.Host, name)
		require.Contains(t, at.Query().Get("error_description"), "PKCE", name)
	}
	p.claims["nonce"] = "of-another-login"
	p.refuses(p.redeems(p.ends("mine")), oauth.ServerError, "the code is another login's")
	p.claims["nonce"] = nil
	p.refuses(p.redeems(p.ends("mine")), oauth.ServerError, "the code is another login's")
	p.claims = nil
	p.refuses(p.redeems(p.ends("mine")), oauth.ServerError, "sent no ID token")
}

// Somebody takes the challenge out of the request of a client that does have PKCE (RFC 9700 section
// 4.8.2), or the verifier out of its token request. Clients that are not asked may not do without.
func TestPKCEIsNotTakenAway(t *testing.T) {
	p := withoutPKCE(t)
	p.refuses(p.redeem(p.ends("n"), "client_secret", "app"+clientSecret), oauth.InvalidGrant, "the authorization request had no code_challenge")
	p.refuses(p.redeems(p.logIn()), oauth.InvalidGrant, "code_verifier does not belong")
	p.refuses(p.redeem(p.ends("n"), "code_verifier", ""), oauth.InvalidClient, "")
	other := p.begins("client_id", "single", "redirect_uri", "https://single.example/cb?tenant=1")
	require.Contains(t, other.Query().Get("error_description"), "PKCE is required")

	code := p.ends("n")
	p.sealed.Policy = newProvider(t, withSecret).sealed.Policy
	p.configured = p.sealed.Policy
	p.discovered.Store(nil)
	p.refuses(p.redeem(code, "client_secret", "app"+clientSecret), oauth.InvalidGrant, "had no code_challenge")
	p.refuses(p.redeems(code), oauth.InvalidRequest, "code_verifier is missing")
}

func TestWhoMayDoWithoutPKCE(t *testing.T) {
	requireMistakes(t, map[string]func(*Config){
		"": func(*Config) {},
		"pkce optional is for clients that authenticate here": func(c *Config) { c.Clients[0].SecretHashes, c.Clients[0].AuthMethods = nil, nil },
		"pkce optional needs ID tokens":                       func(c *Config) { c.IDTokens = IdPIDTokens },
		"pkce plain is unknown":                               func(c *Config) { c.Clients[0].PKCE = "plain" },
	}, issuing, withSecret, func(c *Config) { c.Clients[0].PKCE = oauth.Optional })
}
