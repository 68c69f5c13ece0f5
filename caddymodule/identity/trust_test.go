package identity

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/trust"
	"github.com/identity-gateway/caddy-identity-gateway/idp/users"
)

// platform is an issuer that publishes its keys, as Kubernetes and GitHub Actions do: with an
// authorization endpoint that is none, or without one.
func platform(t *testing.T) (*dpoptest.Key, *httptest.Server) {
	key := dpoptest.NewKey()
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/.well-known/openid-configuration":
			_ = json.NewEncoder(w).Encode(map[string]any{
				"issuer": server.URL, "jwks_uri": server.URL + "/keys", "authorization_endpoint": "urn:kubernetes:programmatic_authorization",
				"response_types_supported": []string{"id_token"}, "subject_types_supported": []string{"public"}, "id_token_signing_alg_values_supported": []string{"ES256"},
			})
		case "/keys":
			_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{key.Public}})
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return key, server
}

func TestTrustedIssuersByTheirMetadataAndByAFile(t *testing.T) {
	key, issuer := platform(t)
	document, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{key.Public}})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "keys.json")
	require.NoError(t, os.WriteFile(file, document, 0o600))
	secret := sha256.Sum256([]byte("the secret of desk"))
	const public = "https://login.example.com"
	directive := "identity_gateway https://idp.example.com {\nparameters oauth\ncallback\nreplay memory\npublic_url " + public + "\n" +
		"resource https://mcp.example.com {\nscope read\ndefault_scope read\n}\n" +
		"client desk {\ntoken_endpoint_auth client_secret_basic " + hex.EncodeToString(secret[:]) + "\nclient_credentials\n}\n" +
		"trust " + issuer.URL + " workload {\nclaim kubernetes.io.namespace prod staging\nscope read\n}\n" +
		"trust https://by-file.example id_jag {\nclient desk\njwks " + file + "\n}\n}"
	g := loaded(t, directive, t.TempDir())
	require.Equal(t, []trust.Rule{
		{Issuer: issuer.URL, Purpose: trust.Workload, Claims: []users.Claim{{Path: "kubernetes.io.namespace", Values: []string{"prod", "staging"}}}, Scopes: []string{"read"}},
		{Issuer: "https://by-file.example", Purpose: trust.IDJAG, Clients: []string{"desk"}, JWKS: file},
	}, g.Trust)
	at := front(t, g, nil)
	present := func(typ any, claims map[string]any, header ...string) *response {
		now := time.Now()
		claims["iat"], claims["exp"] = now.Unix(), now.Add(time.Minute).Unix()
		assertion := key.Sign(claims, map[string]any{"typ": typ, "jwk": nil})
		return at.post("/oauth/token", url.Values{"grant_type": {"urn:ietf:params:oauth:grant-type:jwt-bearer"}, "assertion": {assertion}}.Encode(), header...)
	}
	workload := func(namespace string) map[string]any {
		return map[string]any{"iss": issuer.URL, "sub": "system:serviceaccount:" + namespace + ":x", "aud": public, "kubernetes.io": map[string]any{"namespace": namespace}}
	}
	require.Equal(t, 200, present(nil, workload("prod")).StatusCode)
	require.Equal(t, "invalid_grant", present(nil, workload("dev")).code())
	idJAG := map[string]any{"iss": "https://by-file.example", "sub": "ada", "aud": public, "client_id": "desk", "jti": "1"}
	desk := []string{"Authorization", "Basic ZGVzazp0aGUlMjBzZWNyZXQlMjBvZiUyMGRlc2s="}
	answer := present("oauth-id-jag+jwt", idJAG, desk...)
	require.Equal(t, 200, answer.StatusCode, answer.body)
	require.Equal(t, "invalid_grant", present("oauth-id-jag+jwt", idJAG, desk...).code(), "once")
	require.Equal(t, 200, at.post("/oauth/token", "grant_type=client_credentials", desk...).StatusCode)
	metadata := at.get("/.well-known/oauth-authorization-server").body
	require.Contains(t, metadata, `"urn:ietf:params:oauth:grant-profile:id-jag"`)
}

func TestTrustThatCantBeRead(t *testing.T) {
	const begin = "identity_gateway https://idp.example.com {\nparameters oauth\ncallback\npublic_url https://login.example.com\nresource https://mcp.example.com\ndynamic_clients {\nregistration\nidp_client g {\nsecret s\n}\n}\n"
	for block, says := range map[string]string{
		"trust {\nworkload\n}":                                            "trust needs an issuer and what it is trusted for",
		"trust https://a.example {\nworkload\n}":                          "trust <issuer> id_jag, for assertions about users, or trust <issuer> workload",
		"trust https://a.example workload id_jag":                         "trust needs an issuer and what it is trusted for",
		"trust https://a.example workload":                                "workload needs a claim",
		"trust https://a.example workload {\nclaim ref\n}":                "claim needs a name and the values",
		"trust https://a.example id_jag {\nclient desk\n}":                "trust: client desk has no block in which it authenticates here",
		"trust https://a.example id_jag {\njwks /nowhere.json\n}":         "trust https://a.example: jwks: open /nowhere.json",
		"trust https://a.example id_jag {\njwks http://a.example/keys\n}": "trust https://a.example: jwks must be a file or an https URL",
		"trust a id_jag": "trust a: the issuer",
	} {
		err := new(Gateway).UnmarshalCaddyfile(caddyfile.NewTestDispenser(begin + block + "\n}"))
		if err == nil {
			_, _, err = provision(t, begin+block+"\n}", t.TempDir())
		}
		require.ErrorContains(t, err, says, block)
	}
}
