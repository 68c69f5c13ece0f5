package accesstoken_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

const requestURL = serverURL + "/tools"

// proofs checks proofs with nonces, if there is a gateway, or by their own time.
func proofs(now func() time.Time, keys seal.Keyring) *bearer.Proofs {
	return bearer.NewProofs(keys, replay.NewOnce(replay.NewMemory(100, now), 50, dpop.Remember, now), now)
}

// whose is who issues tokens: a gateway, or an IdP.
type whose interface {
	now() time.Time
	verifier(t testing.TB, change func(*accesstoken.Config)) *accesstoken.Verifier
}

// send is a request with an access token. proof is the field DPoP, "" for none.
func send(t testing.TB, v *accesstoken.Verifier, scheme, token, proof string) error {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/mcp/tools", nil)
	r.Header.Set("Authorization", scheme+" "+token)
	if proof != "" {
		r.Header.Set("DPoP", proof)
	}
	checked, err := v.VerifyRequest(t.Context(), r, requestURL, nil)
	require.Equal(t, err == nil, checked != nil)
	return err
}

// Each attack is one with a bound token that was stolen. The same requests with a bearer token,
// and with the checks off, get in.
func TestBoundTokens(t *testing.T) {
	g, i := newGateway(t), newIssuer(t)
	owner, thief := dpoptest.NewKey(), dpoptest.NewKey()
	key, _ := dpop.ParseThumbprint(owner.Thumbprint())
	cnf := map[string]string{"jkt": owner.Thumbprint()}
	for name, issued := range map[string]struct {
		whose
		bound, bearer string
	}{
		"of the gateway":    {g, g.token(func(t *gatewaytoken.Token) { t.Key = key }), g.token(nil)},
		"signed by the IdP": {i, i.token(t, "cnf", cnf, "typ", "DPoP"), i.token(t)},
	} {
		t.Run(name, func(t *testing.T) {
			with := func(mode oauth.Mode) *accesstoken.Verifier {
				return issued.verifier(t, func(c *accesstoken.Config) { c.DPoP, c.Proofs = mode, proofs(issued.now, nil) })
			}
			off, optional, required := issued.verifier(t, nil), with(oauth.Optional), with(oauth.Required)
			proof := func(key *dpoptest.Key, url, token string) string {
				return key.Proof(http.MethodPost, url, issued.now(), token, "")
			}
			good := func() string { return proof(owner, requestURL, issued.bound) }

			require.NoError(t, send(t, off, "Bearer", issued.bearer, ""), "which a thief can use, too")
			require.NoError(t, send(t, optional, "Bearer", issued.bearer, ""))
			require.ErrorContains(t, send(t, required, "Bearer", issued.bearer, ""), "has to be bound")
			require.ErrorContains(t, send(t, off, "Bearer", issued.bound, ""), "bound to a key")
			require.ErrorContains(t, send(t, off, "DPoP", issued.bound, good()), "DPoP is not supported")

			for _, v := range []*accesstoken.Verifier{optional, required} {
				require.NoError(t, send(t, v, "DPoP", issued.bound, good()))
				require.NoError(t, send(t, v, "dpop", issued.bound, good()), "any spelling of the scheme, any number of times")
				replayed := good()
				require.NoError(t, send(t, v, "DPoP", issued.bound, replayed))

				for attack, tc := range map[string]struct{ scheme, token, proof, says string }{
					"the same proof again":              {"DPoP", issued.bound, replayed, "was used before"},
					"as a bearer token":                 {"Bearer", issued.bound, "", "has to be bound to a key"},
					"as a bearer token, with a proof":   {"Bearer", issued.bound, good(), "has to be bound to a key"},
					"without a proof":                   {"DPoP", issued.bound, "", "more than one DPoP header, or none"},
					"a proof with the thief's key":      {"DPoP", issued.bound, proof(thief, requestURL, issued.bound), "another key"},
					"a proof for another token":         {"DPoP", issued.bound, proof(owner, requestURL, issued.bearer), "ath"},
					"the proof of a refresh":            {"DPoP", issued.bound, proof(owner, gatewayURL+"/oauth/token", ""), "htu"},
					"a proof for another path":          {"DPoP", issued.bound, proof(owner, serverURL, issued.bound), "htu"},
					"an unbound token with a proof":     {"DPoP", issued.bearer, proof(thief, requestURL, issued.bearer), "not bound to a key"},
					"an unbound token without one":      {"DPoP", issued.bearer, "", "not bound to a key"},
					"a proof for the token":             {"DPoP", good(), good(), ""},
					"two tokens":                        {"DPoP", issued.bound + ", " + issued.bearer, good(), "malformed"},
					"another scheme":                    {"Basic", issued.bound, good(), "the word Bearer"},
					"a proof of another method":         {"DPoP", issued.bound, owner.Proof(http.MethodGet, requestURL, issued.now(), issued.bound, ""), "htm"},
					"a proof that was made beforehand":  {"DPoP", issued.bound, owner.Proof(http.MethodPost, requestURL, issued.now().Add(time.Hour), issued.bound, ""), "iat"},
					"the access token in the proof too": {"DPoP", issued.bound, issued.bound, ""},
				} {
					err := send(t, v, tc.scheme, tc.token, tc.proof)
					require.Error(t, err, attack)
					require.ErrorContains(t, err, tc.says, attack)
				}
			}
		})
	}
}

// A confirmation that can't be checked is not taken for none.
func TestOtherConfirmations(t *testing.T) {
	i := newIssuer(t)
	v := i.verifier(t, func(c *accesstoken.Config) { c.DPoP, c.Proofs = oauth.Optional, proofs(i.now, nil) })
	thumbprint := dpoptest.NewKey().Thumbprint()
	for name, cnf := range map[string]any{
		"a key itself":          map[string]any{"jwk": map[string]string{"kty": "EC"}},
		"a key id besides":      map[string]string{"jkt": thumbprint, "kid": "k1"},
		"no thumbprint":         map[string]string{"jkt": "x"},
		"none of a certificate": map[string]string{"x5t#S256": "x"},
		"an older one":          map[string]string{"x5t": thumbprint},
		"a number":              map[string]int{"jkt": 1},
		"nothing":               map[string]string{},
		"a list":                []string{thumbprint},
	} {
		require.ErrorContains(t, send(t, v, "Bearer", i.token(t, "cnf", cnf), ""), "bound to a key", name)
	}
	require.ErrorContains(t, send(t, v, "Bearer", i.token(t, "typ", "DPoP"), ""), "bound to a key", "one that says so and does not say to which")
	require.NoError(t, send(t, v, "Bearer", i.token(t), ""))
}

// Whoever had the client's key for a while can't make proofs for later: each needs a nonce
// of that time. The client's clock does not matter.
func TestNoncesOfAResource(t *testing.T) {
	g := newGateway(t)
	owner := dpoptest.NewKey()
	key, _ := dpop.ParseThumbprint(owner.Thumbprint())
	token := g.token(func(t *gatewaytoken.Token) { t.Key = key })
	checker := proofs(g.now, seal.Static(g.keys))
	v := g.verifier(t, func(c *accesstoken.Config) { c.DPoP, c.Proofs = oauth.Required, checker })
	without := g.verifier(t, func(c *accesstoken.Config) { c.DPoP, c.Proofs = oauth.Required, proofs(g.now, nil) })

	later := g.now().Add(time.Hour)
	beforehand := owner.Proof(http.MethodPost, requestURL, later, token, "")
	header := make(http.Header)
	checker.SetNonce(t.Context(), header)
	nonce := header.Get("DPoP-Nonce")
	require.NotEmpty(t, nonce)
	withNonce := owner.Proof(http.MethodPost, requestURL, later, token, nonce)
	require.NoError(t, send(t, v, "DPoP", token, owner.Proof(http.MethodPost, requestURL, later, token, nonce)), "a clock that is ahead")
	require.ErrorContains(t, send(t, v, "DPoP", token, beforehand), "use_dpop_nonce")

	g.advance(time.Hour - time.Second)
	require.NoError(t, send(t, without, "DPoP", token, beforehand), "without nonces it is good when its time has come")
	require.ErrorContains(t, send(t, v, "DPoP", token, withNonce), "use_dpop_nonce")
}

// A request may be checked several times, each time against other rules.
func TestAProofThatSeveralChecksSee(t *testing.T) {
	g, owner := newGateway(t), dpoptest.NewKey()
	key, _ := dpop.ParseThumbprint(owner.Thumbprint())
	token := g.token(func(t *gatewaytoken.Token) { t.Key = key })
	v := g.verifier(t, func(c *accesstoken.Config) { c.DPoP, c.Proofs = oauth.Required, proofs(g.now, nil) })
	request := func() *http.Request {
		r := httptest.NewRequest(http.MethodPost, "/mcp/tools", nil)
		r.Header.Set("Authorization", "DPoP "+token)
		r.Header.Set("DPoP", owner.Proof(http.MethodPost, requestURL, g.now(), token, ""))
		return r
	}
	r, other := request(), request()
	passed, err := v.VerifyRequest(t.Context(), r, requestURL, nil)
	require.NoError(t, err)
	again, err := v.VerifyRequest(t.Context(), r, requestURL, passed)
	require.NoError(t, err)
	_, err = v.VerifyRequest(t.Context(), r, requestURL, new(accesstoken.Token))
	require.ErrorContains(t, err, "was used before")
	_, err = v.VerifyRequest(t.Context(), other, requestURL, again)
	require.NoError(t, err)
	_, err = v.VerifyRequest(t.Context(), other, requestURL, passed)
	require.ErrorContains(t, err, "was used before")
}

// One user who gets tokens for any number of keys fills his part of the store that all users
// share, and no more.
func TestOneUserWithManyKeys(t *testing.T) {
	const capacity, keys, each = 40, 4, 10
	g, i := newGateway(t), newIssuer(t)
	for name, issued := range map[string]struct {
		whose
		token func(user string, key *dpoptest.Key) string
	}{
		"of the gateway": {g, func(user string, key *dpoptest.Key) string {
			return g.token(func(t *gatewaytoken.Token) {
				t.Subject = user
				t.Key, _ = dpop.ParseThumbprint(key.Thumbprint())
			})
		}},
		"signed by the IdP": {i, func(user string, key *dpoptest.Key) string {
			return i.token(t, "sub", user, "cnf", map[string]string{"jkt": key.Thumbprint()})
		}},
		"of a client, without a user": {i, func(client string, key *dpoptest.Key) string {
			return i.token(t, "sub", nil, "client_id", client, "cnf", map[string]string{"jkt": key.Thumbprint()})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			flooded := func(bound int) error {
				once := replay.NewOnce(replay.NewMemory(capacity, issued.now), bound, dpop.Remember, issued.now)
				v := issued.verifier(t, func(c *accesstoken.Config) {
					c.DPoP, c.Proofs = oauth.Required, bearer.NewProofs(nil, once, issued.now)
				})
				use := func(user string, key *dpoptest.Key) error {
					token := issued.token(user, key)
					return send(t, v, "DPoP", token, key.Proof(http.MethodPost, requestURL, issued.now(), token, ""))
				}
				for range keys {
					key := dpoptest.NewKey()
					for range each {
						_ = use("attacker", key)
					}
				}
				return use("user-1", dpoptest.NewKey())
			}
			require.ErrorContains(t, flooded(capacity), "too many DPoP proofs", "without the bound nobody else gets through")
			require.NoError(t, flooded(each))
		})
	}
}
