package login_test

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

var update = flag.Bool("update", false, "seal the values that the fixtures do not have yet")

// format1 is what was sealed once, by name. A value that is there stays as it is: clients have
// others like it. A new kind, or a new field, is a new name.
const format1 = "testdata/format-1.json"

// An upgrade ends no login: what an older gateway has sealed, this one opens.
func TestWhatWasSealedStillOpens(t *testing.T) {
	const callback, resource = "https://gateway.example/cb", "https://mcp.example/a"
	now := time.Unix(1_800_000_000, 0)
	keys, err := seal.NewKeys([][]byte{[]byte(strings.Repeat("k", 32))}, func() time.Time { return now })
	require.NoError(t, err)
	codec := func(rotates bool) *login.Codec {
		codec, err := login.New(login.Config{
			Site:      login.Site{IdP: "https://idp.example", CallbackPath: "/cb", PublicURL: "https://gateway.example", Rotates: rotates},
			Clients:   []login.Client{{ID: "app", Redirects: []uris.Registered{uris.NewRegistered("http://127.0.0.1/cb")}}},
			Resources: []login.Resource{login.NewResource(resource, "terms", []string{"openid", "mcp.read"})},
		})
		require.NoError(t, err)
		return codec
	}
	stays, rotates := codec(false), codec(true)

	began := login.Login{
		ClientID: "app", ID: login.ID{1, 2, 3, 4, 5, 6}, RedirectURI: "http://127.0.0.1:4711/cb", Named: true,
		Challenge: pkce.Verifier(strings.Repeat("v", 43)).S256(), Expires: now, Began: now.Add(time.Millisecond),
		Nonce: login.HashNonce("n"), OpenID: true, Browser: login.HashBrowser("b"), Resource: resource, Scope: "openid mcp.read",
		Key: dpop.Thumbprint{7}, StepUp: login.StepUp{ACR: "gold", Since: now},
	}
	plain := login.RefreshToken{ClientID: "app", IdPClient: "gateway", LoginID: began.ID, Issued: now, Token: "of the IdP", Resource: resource, Scope: "mcp.read"}
	lasting := plain
	lasting.Lasting = true
	full := login.RefreshToken{
		ClientID: "app", IdPClient: "gateway", LoginID: began.ID, Issued: now, Place: &rotation.Place{Family: rotation.Family{8}, Generation: 5},
		OwnOpenID: true, Resource: resource, Scope: "mcp.read", Subject: "ada", By: login.Authentication{ACR: "gold", AMR: []string{"pwd"}, Time: now},
		Key: dpop.Thumbprint{7}, Certificate: clientcert.Thumbprint{9},
	}
	named := login.RefreshToken{
		ClientID: "app", IdPClient: "gateway", LoginID: began.ID, Issued: now, Place: &rotation.Place{Family: rotation.Family{8}, Generation: 5},
		Resource: resource, Scope: "mcp.read", User: "ada",
	}
	token := gatewaytoken.Token{
		Issuer: "https://gateway.example", Issued: now, Expires: now.Add(time.Minute), ID: "AQIDBAUGBwgJCgsMDQ4PEA", LoginID: began.ID.String(),
		Resource: resource, Subject: "ada", ClientID: "app", Scope: "mcp.read", Upstream: "of the IdP", Family: &full.Place.Family,
	}
	pending := login.Pending{Login: began, Mode: oauth.FragmentMode, State: "state"}
	code := login.Authorized{Login: began, Code: "of the IdP", Callback: callback}
	page := login.Consent{Shown: now, ID: began.ID, Until: now, Query: "client_id=app"}
	registration := login.Registration{DPoPBound: true, Issued: now, Name: "An agent", RedirectURIs: []string{"http://127.0.0.1/cb"}}

	kinds := map[string]struct {
		seal func() string
		open func(sealed string) (any, error)
		want any
	}{
		"state": {
			func() string { return stays.SealPending(keys, callback, &pending) },
			func(s string) (any, error) { return stays.OpenPending(keys, callback, s) }, pending,
		},
		"code": {
			func() string { return stays.SealAuthorized(keys, &code) },
			func(s string) (any, error) { return stays.OpenAuthorized(keys, s) }, code,
		},
		"consent": {
			func() string { return stays.SealConsent(keys, callback, "b", &page) },
			func(s string) (any, error) { return stays.OpenConsent(keys, callback, "b", s) }, page,
		},
		"client_id": {
			func() string { return stays.SealClientID(keys, &registration) },
			func(s string) (any, error) { return stays.OpenClientID(keys, s) }, registration,
		},
		"refresh_token": {
			func() string { return stays.SealRefreshToken(keys, &plain) },
			func(s string) (any, error) { r, _, err := stays.OpenRefreshToken(keys, s); return r, err }, plain,
		},
		"refresh_token of an access token": {
			func() string { return stays.SealRefreshToken(keys, &lasting) },
			func(s string) (any, error) { r, _, err := stays.OpenRefreshToken(keys, s); return r, err }, lasting,
		},
		"refresh_token that rotates": {
			func() string { return rotates.SealRefreshToken(keys, &full) },
			func(s string) (any, error) { r, _, err := rotates.OpenRefreshToken(keys, s); return r, err }, full,
		},
		"refresh_token that rotates, of a user": {
			func() string { return rotates.SealRefreshToken(keys, &named) },
			func(s string) (any, error) { r, _, err := rotates.OpenRefreshToken(keys, s); return r, err }, named,
		},
		"request_uri": {
			func() string { return stays.SealRequest(keys, login.RequestURI{Until: now}, "client_id=app") },
			func(s string) (any, error) {
				u, query, err := stays.OpenRequest(keys, strings.TrimPrefix(s, login.RequestPrefix))
				require.Equal(t, now, u.Until)
				return query, err
			}, "client_id=app",
		},
		"access_token": {
			func() string { return token.Seal(keys) },
			func(s string) (any, error) {
				opened, err := gatewaytoken.Open(t.Context(), seal.Static(keys), token.Issuer, s, now)
				if err != nil {
					return nil, err
				}
				return *opened, nil
			}, token,
		},
	}
	content, err := os.ReadFile(format1)
	require.NoError(t, err)
	fixtures := make(map[string]string)
	require.NoError(t, json.Unmarshal(content, &fixtures))
	for name, kind := range kinds {
		if *update && fixtures[name] == "" {
			fixtures[name] = kind.seal()
		}
		require.NotEmpty(t, fixtures[name], "%s: go test ./idp/internal/login -update", name)
		opened, err := kind.open(fixtures[name])
		require.NoError(t, err, name)
		require.Equal(t, kind.want, opened, name)
	}
	require.Len(t, kinds, len(fixtures), "each fixture is opened")
	if *update {
		content, err = json.MarshalIndent(fixtures, "", "  ")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(format1, append(content, '\n'), 0o600))
	}
}
