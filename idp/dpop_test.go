package idp

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

const tokenURL = gatewayURL + "/oauth/token"

// proving has the clients use DPoP.
func proving(mode oauth.Mode) func(*Config) {
	return func(c *Config) {
		c.PublicURL = gatewayURL
		for i := range c.Clients {
			c.Clients[i].DPoP = mode
		}
	}
}

// dpopNonce is one for the next proof.
func (a *agent) dpopNonce() string { return dpop.Nonce(a.sealed.s.Keys, a.sealed.now) }

// proof is a good one for a token request.
func (a *agent) proof(key *dpoptest.Key) string {
	return key.Proof(http.MethodPost, tokenURL, a.sealed.now, "", a.dpopNonce())
}

// send is the response to a token request, with proofs.
func (a *agent) send(content string, proofs ...string) *Result {
	a.t.Helper()
	var header []string
	for _, proof := range proofs {
		header = append(header, "DPoP", proof)
	}
	return a.do("POST", "/oauth/token", content, header...)
}

func (a *agent) requireRejected(result *Result, code oauth.Code, says string) {
	a.t.Helper()
	require.Equal(a.t, string(code), result.Decision.Outcome, string(result.Body))
	require.Contains(a.t, string(result.Body), says)
}

// A client gets its nonce with the first response, and then tokens of its key.
func TestALoginWithDPoP(t *testing.T) {
	for _, mode := range []oauth.Mode{oauth.Optional, oauth.Required} {
		a, key := newAgent(t, true, proving(mode)), dpoptest.NewKey()
		code := form("code", a.logIn("dpop_jkt", key.Thumbprint()))
		first := a.send(code, key.Proof("POST", tokenURL, a.sealed.now, "", ""))
		a.requireRejected(first, oauth.UseDPoPNonce, "make another proof")
		require.Equal(t, 400, first.Status)
		require.Empty(t, a.sent)

		second := a.send(code, key.Proof("POST", tokenURL, a.sealed.now, "", first.Header.Get("DPoP-Nonce")))
		granted := a.answer(second)
		require.NotEmpty(t, second.Header.Get("DPoP-Nonce"))
		require.Equal(t, "DPoP", granted.TokenType)
		require.Equal(t, key.Thumbprint(), a.opened(granted.AccessToken).Key.String())
		require.Empty(t, a.sent[0].Header.Get("DPoP"), "the IdP would not take the proof, which names the gateway")

		said := decoded[map[string]any](t, a.ask("server-a", granted.AccessToken).Body)
		require.Equal(t, "DPoP", said["token_type"])
		require.Equal(t, map[string]any{"jkt": key.Thumbprint()}, said["cnf"])

		renewed := a.answer(a.send(refreshForm("app", granted.RefreshToken), a.proof(key)))
		require.Equal(t, key.Thumbprint(), a.opened(renewed.AccessToken).Key.String())
	}
}

// Optional is as before for those who send no proof.
func TestALoginWithoutAProof(t *testing.T) {
	a := newAgent(t, true, proving(oauth.Optional))
	granted := a.tokens()
	require.Equal(t, "Bearer", granted.TokenType)
	require.Equal(t, "Bearer", a.answer(a.renew(granted.RefreshToken)).TokenType)

	key := dpoptest.NewKey()
	bound := a.answer(a.send(refreshForm("app", granted.RefreshToken), a.proof(key)))
	require.Equal(t, "DPoP", bound.TokenType, "who has a key later is bound from then on")
	a.requireRejected(a.renew(bound.RefreshToken), oauth.InvalidDPoPProof, "bound to a key")
	a.token["refresh_token"] = nil
	bound = a.answer(a.send(refreshForm("app", granted.RefreshToken), a.proof(key)))
	a.requireRejected(a.renew(bound.RefreshToken), oauth.InvalidDPoPProof, "bound to a key") // of an IdP that gives no new one, too
	require.Empty(t, a.answer(a.send(refreshForm("app", bound.RefreshToken), a.proof(key))).RefreshToken)

	required := newAgent(t, true, proving(oauth.Required))
	required.requireRejected(required.redeem(required.logIn()), oauth.InvalidDPoPProof, "send a DPoP proof")
	off := newAgent(t, true, func(c *Config) { c.PublicURL = gatewayURL })
	off.requireRejected(off.send(form("code", off.logIn()), off.proof(key)), oauth.InvalidRequest, "DPoP is not supported")
	require.Empty(t, off.sent)
}

// A thief has the refresh token, by itself or with a request of its owner. Where nothing is
// bound he gets in.
func TestAStolenRefreshToken(t *testing.T) {
	for name, with := range map[string][]func(*Config){
		"that stays": nil, "that rotates": {rotating},
		"with tokens of the IdP": {passedThrough},
	} {
		t.Run(name, func(t *testing.T) {
			unbound := newAgent(t, true, with...)
			stolen := unbound.given(unbound.redeem(unbound.logIn())).RefreshToken
			require.Equal(t, 200, unbound.renew(stolen).Status, "the thief gets in")

			a, owner, thief := newAgent(t, true, append(with, proving(oauth.Optional))...), dpoptest.NewKey(), dpoptest.NewKey()
			stolen = a.given(a.send(form("code", a.logIn()), a.proof(owner))).RefreshToken
			seen := a.proof(owner) // with the request of which it was
			newer := cmp.Or(a.given(a.send(refreshForm("app", stolen), seen)).RefreshToken, stolen)
			calls := len(a.sent)
			for _, attack := range []struct {
				proofs []string
				code   oauth.Code
				says   string
			}{
				{nil, oauth.InvalidDPoPProof, "send a DPoP proof"},
				{[]string{a.proof(thief)}, oauth.InvalidGrant, "another key"},
				{[]string{seen}, oauth.InvalidDPoPProof, "was used before"},
				{[]string{seen, a.proof(thief)}, oauth.InvalidDPoPProof, "more than one DPoP header"},
				{[]string{owner.Proof("POST", serverA, a.sealed.now, "access", a.dpopNonce())}, oauth.InvalidDPoPProof, "htu"},
				{[]string{owner.Proof("POST", gatewayURL+"/oauth/revoke", a.sealed.now, "", a.dpopNonce())}, oauth.InvalidDPoPProof, "htu"},
				{[]string{owner.Proof("GET", tokenURL, a.sealed.now, "", a.dpopNonce())}, oauth.InvalidDPoPProof, "htm"},
			} {
				a.requireRejected(a.send(refreshForm("app", stolen), attack.proofs...), attack.code, attack.says)
				require.Equal(t, 400, a.send(refreshForm("single", stolen), attack.proofs...).Status)
			}
			require.Len(t, a.sent, calls, "the IdP hears nothing of it")
			a.sealed.pass(time.Hour)
			a.requireRejected(a.send(refreshForm("app", stolen)), oauth.InvalidDPoPProof, "send a DPoP proof")
			require.Equal(t, 200, a.send(refreshForm("app", newer), a.proof(owner)).Status, "and its owner goes on, also after the grace")
		})
	}
}

// A thief has the code and its verifier. What dpop_jkt adds to PKCE is that he needs the key.
func TestAStolenCode(t *testing.T) {
	a, owner, thief := newAgent(t, true, proving(oauth.Optional)), dpoptest.NewKey(), dpoptest.NewKey()
	require.Equal(t, 200, a.send(form("code", a.logIn()), a.proof(thief)).Status, "without dpop_jkt the thief gets in")

	a = newAgent(t, true, proving(oauth.Optional))
	stolen := form("code", a.logIn("dpop_jkt", owner.Thumbprint()))
	a.requireRejected(a.send(stolen, a.proof(thief)), oauth.InvalidGrant, "another key")
	a.requireRejected(a.send(stolen), oauth.InvalidDPoPProof, "send a DPoP proof")
	a.requireRejected(a.send(stolen, owner.Proof("POST", gatewayURL+":8443/oauth/token", a.sealed.now, "", a.dpopNonce())), oauth.InvalidDPoPProof, "htu")
	require.Empty(t, a.sent)

	require.Equal(t, 200, a.send(stolen, a.proof(owner)).Status, "for its owner it is still good")
}

// A proof that was used redeems no other code, which is not spent by that.
func TestAProofOfAnotherCode(t *testing.T) {
	a, owner := newAgent(t, true, proving(oauth.Required)), dpoptest.NewKey()
	seen := a.proof(owner)
	tokens := a.answer(a.send(form("code", a.logIn()), seen))
	a.requireRejected(a.send(refreshForm("app", tokens.RefreshToken), seen), oauth.InvalidDPoPProof, "was used before")

	another := newAgent(t, true, proving(oauth.Required))
	another.Gateway.proofs = a.Gateway.proofs // nodes that share a store
	code := form("code", another.logIn())
	another.requireRejected(another.send(code, seen), oauth.InvalidDPoPProof, "was used before")
	require.Empty(t, another.sent)
	require.Equal(t, 200, another.send(code, another.proof(owner)).Status)
}

// Spellings of the token endpoint's address that are the same are taken, and no others
// (RFC 9449 section 4.3).
func TestSpellingsOfTheTokenEndpoint(t *testing.T) {
	key := dpoptest.NewKey()
	a := newAgent(t, true, proving(oauth.Required))
	refresh := refreshForm("app", a.answer(a.send(form("code", a.logIn()), a.proof(key))).RefreshToken)
	for htu, good := range map[string]bool{
		tokenURL: true, "HTTPS://LOGIN.example.com:443/oauth/token?x=y#z": true,
		tokenURL + "/": false, "https://login.example.com/OAUTH/token": false, "https://login.example.com//oauth/token": false,
		"http://login.example.com/oauth/token": false, "https://login.example.com:444/oauth/token": false,
		"https://gateway.example/oauth/token": false, // where this request went, which nobody but its sender says
	} {
		result := a.send(refresh, key.Proof("POST", htu, a.sealed.now, "", a.dpopNonce()))
		require.Equal(t, good, result.Status == 200, "%s: %s", htu, result.Body)
	}
}

// Nonces are of any client, at any node with the same keys, and for two minutes.
func TestNoncesOfTheTokenEndpoint(t *testing.T) {
	key := dpoptest.NewKey()
	a := newAgent(t, true, proving(oauth.Required))
	refresh := refreshForm("app", a.answer(a.send(form("code", a.logIn()), a.proof(key))).RefreshToken)
	with := func(nonce string) *Result {
		return a.send(refresh, key.Proof("POST", tokenURL, a.sealed.now.Add(-24*time.Hour), "", nonce))
	}
	nonce := a.dpopNonce()
	for range 3 {
		require.Equal(t, 200, with(nonce).Status, "with a clock that is a day behind, and one nonce for several proofs")
	}
	a.sealed.pass(dpop.NonceLifetime)
	stale := with(nonce)
	a.requireRejected(stale, oauth.UseDPoPNonce, "")
	require.Equal(t, 200, with(stale.Header.Get("DPoP-Nonce")).Status)

	newer := must.Have(seal.NewKeys([][]byte{[]byte(strings.Repeat("n", 32)), []byte(strings.Repeat("k", 32))}, func() time.Time { return a.sealed.now }))(t)
	ofAnotherNode := dpop.Nonce(newer, a.sealed.now)
	a.requireRejected(with(ofAnotherNode), oauth.UseDPoPNonce, "")
	a.proofs = bearer.NewProofs(rolled{a.sealed.s.Keys, newer}, replay.NewOnce(a.parts.Replay, proofsOfAGrant, dpop.Remember, a.parts.Now), a.parts.Now)
	require.Equal(t, 200, with(ofAnotherNode).Status, "a node that has rolled its key already")
}

// rolled are keys of which another node has newer ones.
type rolled struct{ current, newer *seal.Keys }

func (r rolled) Current(context.Context) (*seal.Keys, error)  { return r.current, nil }
func (r rolled) Newer(context.Context, *seal.Keys) *seal.Keys { return r.newer }

type noKeyring struct{}

func (noKeyring) Current(context.Context) (*seal.Keys, error)  { return nil, errors.New("away") }
func (noKeyring) Newer(context.Context, *seal.Keys) *seal.Keys { return nil }

func TestProofsWithoutKeys(t *testing.T) {
	a := newAgent(t, true, proving(oauth.Required))
	a.proofs = bearer.NewProofs(noKeyring{}, replay.NewOnce(a.parts.Replay, proofsOfAGrant, dpop.Remember, a.parts.Now), a.parts.Now)
	result := a.send(form("code", a.logIn()), a.proof(dpoptest.NewKey()))
	require.Equal(t, 503, result.Status)
	require.Empty(t, result.Header.Get("DPoP-Nonce"))
}

// Tabs that share a key and a refresh token refresh together, each with a proof of its own.
func TestTabsThatRefreshTogether(t *testing.T) {
	a, key := newAgent(t, true, proving(oauth.Required), rotating), dpoptest.NewKey()
	token := a.answer(a.send(form("code", a.logIn()), a.proof(key))).RefreshToken
	proofs := make(chan string, 8)
	for range cap(proofs) {
		proofs <- a.proof(key)
	}
	close(proofs)
	var tabs sync.WaitGroup
	for proof := range proofs {
		tabs.Go(func() {
			if result := a.send(refreshForm("app", token), proof); result.Status != 200 {
				t.Error(string(result.Body))
			}
		})
	}
	tabs.Wait()
}

// Who has one refresh token can't fill the replay store with proofs.
func TestAFloodOfProofsOfOneLogin(t *testing.T) {
	a, key := newAgent(t, true, proving(oauth.Required)), dpoptest.NewKey()
	token := a.answer(a.send(form("code", a.logIn()), a.proof(key))).RefreshToken
	before := a.sealed.store.Len()
	var last *Result
	for range proofsOfAGrant + 10 {
		last = a.send(refreshForm("app", token), a.proof(key))
	}
	require.Equal(t, 503, last.Status)
	require.Equal(t, proofsOfAGrant, a.sealed.store.Len()-before)
	a.sealed.pass(dpop.Remember)
	require.Equal(t, 200, a.send(refreshForm("app", token), a.proof(key)).Status)

	before = a.sealed.store.Len()
	for range 10 {
		a.requireRejected(a.send(refreshForm("app", "made-up"), a.proof(key)), oauth.InvalidGrant, "")
		a.requireRejected(a.send(refreshForm("app", token), a.proof(dpoptest.NewKey())), oauth.InvalidGrant, "")
	}
	require.Equal(t, before, a.sealed.store.Len(), "who has none leaves nothing there")
}

type failingStore struct{ replay.StateStore }

func (failingStore) Claim(context.Context, replay.Key, time.Duration) (replay.Claim, error) {
	return nil, errors.New("the disk is away")
}

func TestAStoreThatCantTellOfProofs(t *testing.T) {
	a, key := newAgent(t, true, proving(oauth.Required)), dpoptest.NewKey()
	token := a.answer(a.send(form("code", a.logIn()), a.proof(key))).RefreshToken
	calls := len(a.sent)
	a.proofs = bearer.NewProofs(a.parts.Keys, replay.NewOnce(failingStore{a.sealed.store}, proofsOfAGrant, dpop.Remember, a.parts.Now), a.parts.Now)
	result := a.send(refreshForm("app", token), a.proof(key))
	require.Equal(t, 503, result.Status)
	require.Equal(t, "the disk is away", result.Incidents[0].Err.Error())
	require.Equal(t, ClaimFailed, result.Incidents[0].Kind)
	require.Len(t, a.sent, calls)
}

// Clients whose users are asked keep their key through the page.
func TestKeysThroughTheConsentPage(t *testing.T) {
	s := newUnseen(t, func(c *Config) { c.DynamicClients.DPoP = oauth.Optional })
	a, key, thief := &agent{served: s}, dpoptest.NewKey(), dpoptest.NewKey()
	client := s.registeredAgent("http://127.0.0.1/callback")
	exchange := func(key *dpoptest.Key, code string) *Result {
		proof := key.Proof("POST", "https://gateway.example/oauth/token", s.sealed.now, "", a.dpopNonce())
		return a.send(form("client_id", client.id, "redirect_uri", client.redirectURI, "code", code), proof)
	}
	code := client.code("dpop_jkt", key.Thumbprint())
	a.requireRejected(exchange(thief, code), oauth.InvalidGrant, "another key")
	require.Equal(t, 200, exchange(key, code).Status)
}

func TestKeysAtTheAuthorizationEndpoint(t *testing.T) {
	a, key := newAgent(t, true, proving(oauth.Optional)), dpoptest.NewKey()
	q := func(jkt string) string {
		return authorizeOpenly + "&dpop_jkt=" + url.QueryEscape(jkt)
	}
	r := must.Have(a.sealed.parseAuthorize(q(key.Thumbprint())))(t)
	at := r.authorizeURL(a.sealed.Policy, a.sealed.s)
	require.NotContains(t, at, "dpop_jkt", "the IdP would bind its own code to a key that the gateway has not")
	require.Contains(t, r.ownAuthorizeURL(a.sealed.Policy, a.sealed.s, gatewayURL), "&dpop_jkt="+key.Thumbprint())
	for _, bad := range []string{"", "x", key.Thumbprint() + "A", strings.Repeat("A", 43)} {
		_, err := a.sealed.parseAuthorize(q(bad))
		require.ErrorContains(t, err, "dpop_jkt must be", bad)
	}
}

func TestTheGatewaysTokensAreBoundToKeys(t *testing.T) {
	g := newSealedGateway(t, resources(), proving(oauth.Optional))
	key, _ := dpop.ParseThumbprint(dpoptest.NewKey().Thumbprint())
	access := gatewaytoken.Token{Issuer: gatewayURL, Resource: serverA, Subject: "s", ClientID: "c", Issued: g.now, Expires: g.now.Add(time.Hour), Key: key, Upstream: "up"}
	read := must.Have(gatewaytoken.Open(t.Context(), seal.Static(g.s.Keys), gatewayURL, access.Seal(g.s.Keys), g.now))(t)
	require.Equal(t, access.Key, read.Key)
	require.Equal(t, "up", read.Upstream)
}

// A client that authenticates may change its key: the refresh token is bound to it already
// (RFC 9449 section 5).
func TestRefreshTokensOfConfidentialClients(t *testing.T) {
	key, _ := dpop.ParseThumbprint(dpoptest.NewKey().Thumbprint())
	proof := &dpop.Proof{Key: key}
	require.Equal(t, key, (&tokenRequest{possession: possession{proof: proof}}).refreshKey())
	for _, r := range []tokenRequest{{Auth: clients.Auth{Method: AuthSecretBasic}}, {Auth: clients.Auth{Method: AuthSecretPost}}, {Auth: clients.Auth{Method: AuthPrivateKeyJWT}}, {Auth: clients.Auth{Method: AuthTLS}}} {
		r.proof = proof
		require.Zero(t, r.refreshKey())
		require.Equal(t, key, r.key())
	}
}

func TestDPoPNeedsWhatItIsBoundBy(t *testing.T) {
	requireMistakes(t, map[string]func(*Config){
		"client app: dpop needs public_url":                        func(c *Config) { proving(oauth.Optional)(c); c.PublicURL = "" },
		"dpop needs callback":                                      func(c *Config) { proving(oauth.Optional)(c); c.Callback = nil },
		"client app: dpop on is unknown; use optional or required": func(c *Config) { proving("on")(c) },
		"dynamic_clients: dpop on is unknown":                      func(c *Config) { unseen(c); c.DynamicClients.DPoP = "on" },
	})
}

// The terms of a login are those that it was checked against.
func TestTurningDPoPOffEndsLoginsThatAreUnderWay(t *testing.T) {
	state := newSealedGateway(t, proving(oauth.Optional)).begin().Get("state")
	off := newSealedGateway(t, proving(oauth.Off))
	_, err := off.codec.OpenPending(off.s.Keys, off.s.Callback, state)
	require.ErrorIs(t, err, login.ErrUnknown)
}

// A thief has a whole request of the owner, and sends it again and again.
func TestReplaysDoNotCountAgainstTheOwner(t *testing.T) {
	a, owner := newAgent(t, true, proving(oauth.Optional)), dpoptest.NewKey()
	refresh := refreshForm("app", a.answer(a.send(form("code", a.logIn()), a.proof(owner))).RefreshToken)
	seen := a.proof(owner)
	require.Equal(t, 200, a.send(refresh, seen).Status)
	for range proofsOfAGrant + 1 {
		a.requireRejected(a.send(refresh, seen), oauth.InvalidDPoPProof, "was used before")
	}
	require.Equal(t, 200, a.send(refresh, a.proof(owner)).Status)
}

// What was bound stays bound when the client has no dpop any more.
func TestBoundGrantsOfAClientThatHasNoDPoPNow(t *testing.T) {
	a, key := newAgent(t, true, proving(oauth.Optional)), dpoptest.NewKey()
	refresh := refreshForm("app", a.answer(a.send(form("code", a.logIn()), a.proof(key))).RefreshToken)
	require.Equal(t, 200, a.send(refresh, a.proof(key)).Status)
	off := newAgent(t, true, proving(oauth.Off))
	off.sealed.s, off.parts.Keys = a.sealed.s, a.parts.Keys
	off.requireRejected(off.send(refresh), oauth.InvalidDPoPProof, "bound to a key")
	off.requireRejected(off.send(refresh, off.proof(key)), oauth.InvalidRequest, "DPoP is not supported")
	require.Empty(t, off.sent)
}
