package idp

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// What is sealed may be of an older version of the gateway, or of another node's: each
// value that is cut somewhere is rejected, and none is read beyond its end.
func TestSealedValuesThatAreCut(t *testing.T) {
	for name, with := range map[string]func(*Config){
		"of registered clients": func(*Config) {},
		"of any client":         func(c *Config) { c.Clients = nil },
		"that were approved":    asking,
		"for a resource":        resources(),
		"of an unseen client":   unseen,
	} {
		t.Run(name, func(t *testing.T) {
			g := newSealedGateway(t, with)
			login := boundLogin{
				ClientID: "app", RedirectURI: "http://127.0.0.1:4711/cb", Named: true, Challenge: pkce.Verifier(testVerifier).S256(),
				Expires: g.now, id: login.NewID(), nonce: hashNonce("n"), openID: true, ownOpenID: name == "of any client",
			}
			if name == "that were approved" {
				login.ClientID, login.browser = "other", hashBrowser("b")
			}
			if name == "for a resource" {
				login.resource, login.scope, login.began = g.registry.resources[0], "openid mcp.read mcp.write", time.UnixMilli(1_800_000_000_001)
			}
			if name == "of an unseen client" {
				login.ClientID, login.resource, login.scope, login.browser = newReference("a sealed id"), g.registry.resources[0], "mcp.read", hashBrowser("b")
			}
			whole := g.plaintext(&login)
			pending := append(append([]byte(nil), whole...), 2) // fragment
			for cut := range len(pending) {
				_, err := g.openPending(g.s, g.sealed(sealedState, g.s.Callback, pending[:cut]))
				require.ErrorIs(t, err, errNotALogin, cut)
			}
			opened, err := g.openPending(g.s, g.sealed(sealedState, g.s.Callback, append(pending, "state"...)))
			require.NoError(t, err)
			require.Equal(t, pendingLogin{boundLogin: login, mode: FragmentMode, state: "state"}, opened)
			_, err = g.openPending(g.s, g.sealed(sealedState, g.s.Callback, append(append([]byte(nil), whole...), byte(len(responseModes)))))
			require.ErrorIs(t, err, errNotALogin, "a mode that there is not")

			authorized := append(append([]byte(nil), whole...), "\x1ahttps://gateway.example/cb"+"c"...)
			for cut := range len(authorized) {
				_, err := g.openAuthorized(g.s, g.sealed(sealedCode, "", authorized[:cut]))
				require.ErrorIs(t, err, errNotALogin, cut)
			}
			code, err := g.openAuthorized(g.s, g.sealed(sealedCode, "", authorized))
			require.NoError(t, err)
			require.Equal(t, authorizedLogin{boundLogin: login, code: "c", callback: "https://gateway.example/cb"}, code)
		})
	}
}

// sealed seals bytes as the gateway would seal a login.
func (g *sealedGateway) sealed(purpose seal.Purpose, callback string, b []byte) string {
	return string(g.s.Keys.Seal(nil, purpose, g.callback.context+callback, b))
}

// plaintext is what is sealed of a login.
func (p *Policy) plaintext(l *boundLogin) []byte {
	w := seal.NewWriter(sealedLoginLength)
	p.writeLogin(w, l)
	return w.B
}

func TestSealedRefreshTokensThatAreCut(t *testing.T) {
	for name, token := range map[string]*refreshToken{
		"one of the IdP":   {token: "token"},
		"one that rotates": {place: &rotation.Place{Family: rotation.Family([]byte("0123456789abcdef")), Generation: 5}},
	} {
		token.clientID, token.idpClient, token.issued = "app", "gateway", time.Unix(9, 0)
		g := newSealedGateway(t, rotating)
		sealed := g.sealRefreshToken(g.s.Keys, token)
		if token.place == nil {
			g = newSealedGateway(t)
			sealed = g.sealRefreshToken(g.s.Keys, token)
			other := newSealedGateway(t, rotating)
			b, _, err := g.s.Keys.OpenLasting(sealedRefreshToken, g.refreshContext(), sealed)
			require.NoError(t, err)
			_, _, err = other.openRefreshToken(other.s.Keys, string(other.s.Keys.SealLasting(nil, sealedRefreshToken, other.refreshContext(), b)))
			require.ErrorIs(t, err, seal.ErrInvalid, "it rotates, or not")
		}
		b, _, err := g.s.Keys.OpenLasting(sealedRefreshToken, g.refreshContext(), sealed)
		require.NoError(t, err)
		shortest := len(b)
		if token.place == nil {
			shortest = len(b) - len("token") + 1
		}
		for cut := range len(b) + 1 {
			opened, current, err := g.openRefreshToken(g.s.Keys, string(g.s.Keys.SealLasting(nil, sealedRefreshToken, g.refreshContext(), b[:cut])))
			if cut < shortest {
				require.ErrorIs(t, err, seal.ErrInvalid, "%s, %d", name, cut)
				continue
			}
			require.NoError(t, err, "%s, %d", name, cut)
			require.True(t, current)
			require.Equal(t, "app", opened.clientID)
			require.Equal(t, "gateway", opened.idpClient)
			require.Equal(t, time.Unix(9, 0), opened.issued)
			require.Equal(t, token.place, opened.place)
		}
	}
}

// Two registrations with one digest could not be told apart.
func TestARegistrationsDigestIsItsOwn(t *testing.T) {
	p := testPolicy(t, registered)
	c, err := newClient(ClientConfig{ID: "new", RedirectURIs: []string{"https://new.example/cb"}})
	require.NoError(t, err)
	p.registrations[registration{"new", c.redirects[0], c.terms}.digest()] = registration{clientID: "app", uri: uris.NewRegistered("https://app.example/cb")}
	require.EqualError(t, p.register("new", c),
		"client new: redirect_uri https://new.example/cb has the same digest as https://app.example/cb of client app; change one of them")
	require.NotEqual(t, registration{"a", uris.NewRegistered("https://b.example/"), ""}.digest(), registration{"b", uris.NewRegistered("https://b.example/"), ""}.digest())
}

func TestALoginOfAClientThatNobodyRegisters(t *testing.T) {
	any := newSealedGateway(t, func(c *Config) { c.Clients = nil })
	state := any.begin("client_id", "who", "redirect_uri", "http://localhost:1/cb").Get("state")
	_, err := any.openPending(any.s, state)
	require.NoError(t, err)
	_, err = newSealedGateway(t).openPending(any.s, state)
	require.ErrorIs(t, err, errNotALogin, "clients are registered since")
	foreign := any.plaintext(&boundLogin{ClientID: "who", RedirectURI: "https://who.example/cb", Challenge: pkce.Verifier(testVerifier).S256()})
	_, err = any.openPending(any.s, any.sealed(sealedState, any.s.Callback, append(foreign, 0)))
	require.ErrorIs(t, err, errNotALogin, "only apps on the user's own device are nobody's")
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
