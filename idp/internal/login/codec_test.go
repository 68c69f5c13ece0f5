package login

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

const testCallback = "https://gateway.example/cb"

var (
	testNow      = time.Unix(1_800_000_000, 0)
	testVerifier = pkce.Verifier(strings.Repeat("v", 43))
	testResource = NewResource("https://mcp.example/a", "terms", []string{"openid", "offline_access", "mcp.read", "mcp.write"})
)

func testKeys(t testing.TB) *seal.Keys {
	t.Helper()
	keys, err := seal.NewKeys([][]byte{[]byte(strings.Repeat("k", 32))}, func() time.Time { return testNow })
	require.NoError(t, err)
	return keys
}

func testCodec(t testing.TB, with ...func(*Config)) *Codec {
	t.Helper()
	registered := func(addresses ...string) (all []uris.Registered) {
		for _, address := range addresses {
			all = append(all, uris.NewRegistered(address))
		}
		return all
	}
	config := Config{
		Site: Site{IdP: "https://idp.example", CallbackPath: "/cb"},
		Clients: []Client{
			{ID: "app", Redirects: registered("https://app.example/cb", "http://127.0.0.1/cb", "com.example.app:/cb")},
			{ID: "other", Redirects: registered("http://127.0.0.1/cb"), Terms: "asks"},
		},
	}
	for _, change := range with {
		change(&config)
	}
	codec, err := New(config)
	require.NoError(t, err)
	return codec
}

func forResource(c *Config) { c.Resources = []Resource{testResource} }

func rotates(c *Config) { c.Site.Rotates = true }

func testLogin() Login {
	return Login{
		ClientID: "app", RedirectURI: "http://127.0.0.1:4711/cb", Named: true, Challenge: testVerifier.S256(), Expires: testNow,
	}
}

// plaintext is what is sealed of a login.
func (c *Codec) plaintext(l *Login) []byte {
	w := seal.NewWriter()
	c.write(w, l)
	return w.B
}

// What is sealed may be of an older version of the gateway, or of another node's: each
// value that is cut somewhere is rejected, and none is read beyond its end.
func TestSealedValuesThatAreCut(t *testing.T) {
	keys := testKeys(t)
	key, _ := dpop.ParseThumbprint(dpoptest.NewKey().Thumbprint())
	for name, tc := range map[string]struct {
		config func(*Config)
		login  func(*Login)
	}{
		"of registered clients": {func(*Config) {}, func(*Login) {}},
		"of any client": {
			func(c *Config) { c.Clients, c.AnyClient = nil, true },
			func(l *Login) { l.OwnOpenID = true },
		},
		"that were approved": {func(*Config) {}, func(l *Login) { l.ClientID, l.Browser = "other", HashBrowser("b") }},
		"for a resource": {forResource, func(l *Login) {
			l.Resource, l.Scope, l.Began = testResource.Key, "openid mcp.read mcp.write", time.UnixMilli(1_800_000_000_001)
		}},
		"with a key":        {forResource, func(l *Login) { l.Resource, l.Scope, l.Key = testResource.Key, "mcp.read", key }},
		"that ask for more": {func(c *Config) { c.Site.StepUp = true }, func(l *Login) { l.StepUp = StepUp{"phr phrh", testNow} }},
		"of an unseen client": {
			func(c *Config) { forResource(c); c.Dynamic = Terms("terms") },
			func(l *Login) {
				l.ClientID, l.Resource, l.Scope, l.Browser = NewReference("a sealed id"), testResource.Key, "mcp.read", HashBrowser("b")
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := testCodec(t, tc.config)
			login := testLogin()
			login.ID, login.Nonce, login.OpenID = NewID(), HashNonce("n"), true
			tc.login(&login)
			sealed := func(purpose seal.Purpose, callback string, b []byte) string {
				return keys.Seal(purpose, c.site+callback, b)
			}
			whole := c.plaintext(&login)
			pending := append(bytes.Clone(whole), 2) // fragment
			for cut := range len(pending) {
				_, err := c.OpenPending(keys, testCallback, sealed(purposeState, testCallback, pending[:cut]))
				require.ErrorIs(t, err, ErrUnknown, cut)
			}
			opened, err := c.OpenPending(keys, testCallback, sealed(purposeState, testCallback, append(pending, "state"...)))
			require.NoError(t, err)
			require.Equal(t, Pending{Login: login, Mode: oauth.FragmentMode, State: "state"}, opened)
			_, err = c.OpenPending(keys, testCallback, sealed(purposeState, testCallback, append(bytes.Clone(whole), byte(len(responseModes)))))
			require.ErrorIs(t, err, ErrUnknown, "a mode that there is not")

			authorized := append(bytes.Clone(whole), "\x1ahttps://gateway.example/cb"+"c"...)
			for cut := range len(authorized) {
				_, err := c.OpenAuthorized(keys, sealed(purposeCode, "", authorized[:cut]))
				require.ErrorIs(t, err, ErrUnknown, cut)
			}
			code, err := c.OpenAuthorized(keys, sealed(purposeCode, "", authorized))
			require.NoError(t, err)
			require.Equal(t, Authorized{Login: login, Code: "c", Callback: testCallback}, code)
		})
	}
}

func TestSealedRefreshTokensThatAreCut(t *testing.T) {
	keys := testKeys(t)
	key, _ := dpop.ParseThumbprint(dpoptest.NewKey().Thumbprint())
	for name, tc := range map[string]struct {
		token RefreshToken
		with  func(*Config)
	}{
		"one of the IdP":     {RefreshToken{Token: "token"}, func(*Config) {}},
		"one that rotates":   {RefreshToken{Place: &rotation.Place{Family: rotation.Family([]byte("0123456789abcdef")), Generation: 5}}, rotates},
		"one for a resource": {RefreshToken{Token: "token", Resource: testResource.Key, Scope: "mcp.read", Subject: "user-1"}, forResource},
		"one with a key":     {RefreshToken{Token: "token", Resource: testResource.Key, Key: key}, forResource},
	} {
		t.Run(name, func(t *testing.T) {
			c, token := testCodec(t, tc.with), tc.token
			token.ClientID, token.IdPClient, token.Issued = "app", "gateway", time.Unix(9, 0)
			sealed := c.SealRefreshToken(keys, &token)
			b, _, err := keys.OpenLasting(purposeRefreshToken, c.refresh, sealed)
			require.NoError(t, err)
			shortest := len(b)
			if token.Place == nil {
				shortest = len(b) - len("token") + 1
				other := testCodec(t, tc.with, rotates)
				_, _, err = other.OpenRefreshToken(keys, keys.SealLasting(purposeRefreshToken, other.refresh, b))
				require.ErrorIs(t, err, seal.ErrInvalid, "it rotates, or not")
			}
			for cut := range len(b) + 1 {
				opened, current, err := c.OpenRefreshToken(keys, keys.SealLasting(purposeRefreshToken, c.refresh, b[:cut]))
				if cut < shortest {
					require.ErrorIs(t, err, seal.ErrInvalid, cut)
					continue
				}
				require.NoError(t, err, cut)
				require.True(t, current)
				if token.Place == nil {
					token.Token = "token"[:len("token")-len(b)+cut]
				}
				require.Equal(t, token, opened)
			}
		})
	}
}

// Two registrations with one digest could not be told apart.
func TestARegistrationsDigestIsItsOwn(t *testing.T) {
	c := testCodec(t)
	added := Client{ID: "new", Redirects: []uris.Registered{uris.NewRegistered("https://new.example/cb")}, Terms: "t"}
	c.registered[redirect{clientID: "new", uri: added.Redirects[0], terms: "t"}.digest()] = &redirect{clientID: "app", uri: uris.NewRegistered("https://app.example/cb")}
	require.EqualError(t, c.register(added),
		"client new: redirect_uri https://new.example/cb has the same digest as https://app.example/cb of client app; change one of them")
	b := uris.NewRegistered("https://b.example/")
	require.NotEqual(t, redirect{clientID: "a", uri: b}.digest(), redirect{clientID: "b", uri: b}.digest())
}

func TestALoginOfAClientThatNobodyRegisters(t *testing.T) {
	keys := testKeys(t)
	any := testCodec(t, func(c *Config) { c.Clients, c.AnyClient = nil, true })
	login := testLogin()
	login.ClientID, login.RedirectURI = "who", "http://localhost:1/cb"
	state := any.SealPending(keys, testCallback, &Pending{Login: login})
	_, err := any.OpenPending(keys, testCallback, state)
	require.NoError(t, err)
	_, err = testCodec(t).OpenPending(keys, testCallback, state)
	require.ErrorIs(t, err, ErrUnknown, "clients are registered since")
	login.RedirectURI = "https://who.example/cb"
	_, err = any.OpenPending(keys, testCallback, any.SealPending(keys, testCallback, &Pending{Login: login}))
	require.ErrorIs(t, err, ErrUnknown, "only apps on the user's own device are nobody's")
}

// FuzzSealedLogin reads what could be sealed by another version of the gateway: what
// opens is a login of a client that is registered now.
func FuzzSealedLogin(f *testing.F) {
	keys, c := testKeys(f), testCodec(f)
	login := testLogin()
	login.Nonce = HashNonce("n")
	whole := c.plaintext(&login)
	f.Add(append(bytes.Clone(whole), "\x02state"...))
	f.Add(append(bytes.Clone(whole), "\x1ahttps://gateway.example/cb"+"code"...))
	f.Add(whole[:7])
	login.OwnOpenID = true
	f.Add(append(c.plaintext(&login), "\x00"...))
	f.Add([]byte("\x01\x00\x00\x00\x00\x09login1\x03app\x07gatewaytoken"))
	f.Fuzz(func(t *testing.T, b []byte) {
		isRegistered := func(l *Login) bool {
			_, _, ok := c.find(l.ClientID, l.RedirectURI)
			return ok
		}
		pending, err := c.OpenPending(keys, testCallback, keys.Seal(purposeState, c.site+testCallback, b))
		if err == nil && !isRegistered(&pending.Login) {
			t.Fatalf("%+v opens", pending)
		}
		authorized, err := c.OpenAuthorized(keys, keys.Seal(purposeCode, c.site, b))
		if err == nil && (authorized.Code == "" || !isRegistered(&authorized.Login)) {
			t.Fatalf("%+v opens", authorized)
		}
		token, _, err := c.OpenRefreshToken(keys, keys.SealLasting(purposeRefreshToken, c.refresh, b))
		if err == nil && token.Token == "" && token.Place == nil {
			t.Fatalf("%+v opens", token)
		} else if err != nil {
			require.ErrorIs(t, err, seal.ErrInvalid)
		}
	})
}
