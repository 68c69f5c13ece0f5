package requiretoken_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
)

// holder is a client with a key.
type holder struct {
	t     *testing.T
	key   *dpoptest.Key
	nonce string
}

// send sends a request with a proof, and again if that needs a newer nonce.
func (h *holder) send(method, address, token string, header ...string) *response {
	h.t.Helper()
	for {
		with := append([]string{"Dpop", h.key.Proof(method, address, time.Now(), token, h.nonce)}, header...)
		if token != "" {
			with = append(with, "Authorization", "DPoP "+token)
		}
		got := send(h.t, method, address, with...)
		retry := h.nonce == "" && got.StatusCode == 401 && strings.Contains(got.body, "use_dpop_nonce")
		if nonce := got.Header.Get("DPoP-Nonce"); nonce != "" {
			h.nonce = nonce
		}
		if !retry {
			return got
		}
	}
}

// A token of an IdP that is bound to a key: the client's way, and the thief's.
func TestDPoPThroughCaddy(t *testing.T) {
	i := newIssuer(t)
	key := dpoptest.NewKey()
	owner, thief := &holder{t: t, key: key}, &holder{t: t, key: dpoptest.NewKey()}
	address := testgateway.NewAddress(t)
	self := "http://" + address
	const site = `
		@write path /api/write
		route {
		require_token /api/* {issuer} ` + audience + ` {
			dpop optional
			resource {self}/api
			origin https://app.example
		}
		require_token @write {issuer} ` + audience + ` {
			dpop required
			resource {self}/api
			scope write
			sealing_key ` + masterKey + `
		}
		uri strip_prefix /api
		reverse_proxy {app}
		}`
	block := strings.NewReplacer("{self}", self, "{issuer}", i.URL, "{app}", strings.TrimPrefix(app(t).URL, "http://")).Replace(site)
	start := func(address string) *testgateway.Gateway {
		return testgateway.Run(t, testgateway.Config{Site: block, Address: address})
	}
	start(address)
	bound, bearer := i.token(t, "cnf", map[string]string{"jkt": key.Thumbprint()}), i.token(t)

	require.Equal(t, 200, get(t, self+"/api/x", "Authorization", "Bearer "+bearer).StatusCode, "a stolen bearer token works")
	read := owner.send("GET", self+"/api/x", bound)
	require.Equal(t, 200, read.StatusCode, read.body)
	require.Equal(t, "/x", read.seen(t).Path, "the proof names the path that the client knows")
	require.Equal(t, 200, owner.send("POST", self+"/api/write", bound).StatusCode, "two rules see one proof")
	require.NotEmpty(t, owner.nonce)

	stolen := get(t, self+"/api/x", "Authorization", "Bearer "+bound, "Origin", "https://app.example")
	require.Equal(t, 401, stolen.StatusCode)
	require.Equal(t, []string{
		`Bearer error="invalid_token", error_description="the access token has to be bound to a key, and sent after the word DPoP with a proof of that key", resource_metadata="` + self + `/.well-known/oauth-protected-resource/api"`,
		`DPoP resource_metadata="` + self + `/.well-known/oauth-protected-resource/api", algs="ES256 PS256 EdDSA"`,
	}, stolen.Header.Values("WWW-Authenticate"))
	require.Contains(t, stolen.Header.Get("Access-Control-Expose-Headers"), "DPoP-Nonce")
	require.Equal(t, 401, thief.send("GET", self+"/api/x", bound).StatusCode)
	downgraded := send(t, "POST", self+"/api/write", "Authorization", "Bearer "+bearer)
	require.Equal(t, 401, downgraded.StatusCode, "no bearer token at all")
	require.True(t, strings.HasPrefix(downgraded.Header.Get("WWW-Authenticate"), `DPoP error="invalid_token"`), downgraded.Header)
	require.Len(t, downgraded.Header.Values("WWW-Authenticate"), 1)
	require.NotEmpty(t, downgraded.Header.Get("DPoP-Nonce"))

	proof := key.Proof("GET", self+"/api/x", time.Now(), bound, "")
	with := []string{"Authorization", "DPoP " + bound, "Dpop", proof}
	require.Equal(t, 200, get(t, self+"/api/x", with...).StatusCode)
	again := get(t, self+"/api/x", with...)
	require.Equal(t, 401, again.StatusCode)
	require.Contains(t, again.Header.Get("WWW-Authenticate"), `DPoP error="invalid_dpop_proof"`)
	require.Equal(t, 401, get(t, start("").URL()+"/api/x", with...).StatusCode, "in the next configuration, too")
	require.Equal(t, 400, get(t, self+"/api/x", append(with, "Authorization", "Bearer "+bearer)...).StatusCode)

	var metadata map[string]any
	require.NoError(t, json.Unmarshal([]byte(get(t, self+"/.well-known/oauth-protected-resource/api").body), &metadata))
	require.Equal(t, false, metadata["dpop_bound_access_tokens_required"])
	require.Contains(t, metadata["dpop_signing_alg_values_supported"], "ES256")
}

// A token of the gateway's own, from a login with a key to the API behind the same host.
func TestDPoPFromTheLoginOn(t *testing.T) {
	address := testgateway.NewAddress(t)
	self := "http://" + address
	server := testidp.Run(t, testidp.Behavior{
		Clients:       []testidp.Client{{ID: "gateway", Secret: "s3cret", RedirectURIs: []string{self + "/oauth/callback"}}},
		ResponseModes: []string{"query"}, RefreshTokens: true,
	})
	block := strings.NewReplacer("{self}", self, "{idp}", server.IssuerURL(), "{app}", strings.TrimPrefix(app(t).URL, "http://")).Replace(`
		identity_gateway {idp} {
			discover
			callback
			public_url {self}
			resource {self}/a {
				scope read profile
				default_scope read
			}
			client agent {
				redirect_uri http://127.0.0.1/cb
				dpop required
				idp_client gateway {
					secret s3cret
				}
			}
		}
		require_token /a {self} {self}/a {
			tokens gateway
			dpop required
		}
		reverse_proxy {app}`)
	g := testgateway.Run(t, testgateway.Config{Site: block, Address: address})

	owner, thief := &holder{t: t, key: dpoptest.NewKey()}, &holder{t: t, key: dpoptest.NewKey()}
	a := &agents{t: t, idp: server, Gateway: g, dpop: owner}
	granted := a.logIn("/a")
	require.Equal(t, "DPoP", granted.TokenType)
	require.Equal(t, 200, owner.send("GET", self+"/a", granted.AccessToken).StatusCode, "with the nonce that the token endpoint gave")
	require.Equal(t, 401, get(t, self+"/a", "Authorization", "Bearer "+granted.AccessToken).StatusCode)
	require.Equal(t, 401, thief.send("GET", self+"/a", granted.AccessToken).StatusCode)

	for _, with := range []*holder{nil, thief} {
		a.dpop = with
		status, content := a.post("/oauth/token", "client_id", "agent", "grant_type", "refresh_token", "refresh_token", granted.RefreshToken)
		require.Equal(t, 400, status, "a stolen refresh token: %s", content)
	}
	a.dpop = owner
	require.NotEmpty(t, a.token("grant_type", "refresh_token", "refresh_token", granted.RefreshToken).AccessToken)
}
