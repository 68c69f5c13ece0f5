package interop

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
)

// direct is what clients need for grants without a login.
type direct struct {
	Issuer   string            `json:"issuer"`    // of ID-JAGs
	Secret   string            `json:"secret"`    // of each client
	IDTokens map[string]string `json:"id_tokens"` // of users, by their names
	Key      string            `json:"key"`       // of a client, as PEM
	Jobs     map[string]string `json:"jobs"`      // tokens of CI jobs, by their repositories
}

// The published client gets in without a page, knowing the URL of the MCP server: for a user, whom
// the company's IdP vouches for, as a service, and as a CI job, by the token of its platform.
func TestAgentsWithoutALogin(t *testing.T) {
	const secret = "of-this-test-alone"
	e := newEnvironment(t)
	idp, platform := newCompany(t), newCompany(t)
	key := must.Have(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	encoded := must.Have(x509.MarshalPKCS8PrivateKey(key))(t)
	keys := filepath.Join(e.dir, "robot.json")
	require.NoError(t, os.WriteFile(keys, []byte(asJSON(t, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), Algorithm: "ES256", Use: "sig"}}})), 0o600))
	mcp, hash := e.gatewayURL()+"/mcp", sha256.Sum256([]byte(secret))
	e.startGateway(t, &runningIdP{
		recipe: strings.NewReplacer("{mcp}", mcp, "{idp}", idp.URL, "{hash}", hex.EncodeToString(hash[:]), "{keys}", keys, "{platform}", platform.URL).Replace(`protect_mcp {mcp} {idp} {
	idp_client gateway only-the-gateway-knows-it
	scope mcp.read
	scope mcp.write
	default_scope mcp.read
	tool whoami scope mcp.read
	header X-User sub
	users {
		claim groups staff
	}
	client desk {
		token_endpoint_auth client_secret_basic {hash}
	}
	client reports {
		token_endpoint_auth client_secret_basic {hash}
		client_credentials
	}
	client robot {
		token_endpoint_auth private_key_jwt {keys}
		client_credentials
	}
	trust {idp} id_jag {
		client desk
	}
	trust {platform} workload {
		claim repository_id 42
		claim ref refs/heads/main
		scope mcp.read
	}
}`),
		rest: "reverse_proxy /mcp " + strings.TrimPrefix(e.spaOrigin(), "http://"),
	}, registration{})
	nodeClient("mcp/direct.mjs")(t, e, session{
		Gateway: e.gatewayURL(), MCP: mcp, SPAPort: e.spaPort, Lacks: []string{},
		Direct: &direct{
			idp.URL, secret,
			map[string]string{"ada": idp.idToken("ada"), "bob": idp.idToken("bob")},
			string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded})),
			map[string]string{"own": platform.job(e.gatewayURL(), "company/app", "42"), "fork": platform.job(e.gatewayURL(), "somebody/app", "43")},
		},
		steps: []string{
			"a company's agent", "a user outside the group", "a service", "a service with a wrong secret", "a service with a key", "a CI job", "a CI job of a fork",
		},
	})
	idp.mu.Lock()
	defer idp.mu.Unlock()
	asked := " " + e.gatewayURL() + " " + mcp + " mcp.read"
	require.Equal(t, []string{"ada" + asked, "bob" + asked}, slices.Compact(idp.vouched)) // after a refusal, the SDK tries once more
	require.Empty(t, idp.pages, "nobody is sent to the IdP")
}

// company is an IdP that gives ID-JAGs for ID tokens of its own
// (draft-ietf-oauth-identity-assertion-authz-grant section 4.3). Its staff is ada.
type company struct {
	*httptest.Server
	key *dpoptest.Key

	mu      sync.Mutex
	vouched []string // for whom, where, for which resource, with which scope
	pages   []string // that anybody opened
}

func newCompany(t *testing.T) *company {
	c := &company{key: dpoptest.NewKey()}
	c.Server = httptest.NewServer(c)
	t.Cleanup(c.Close)
	return c
}

func (c *company) idToken(user string) string {
	return c.sign("JWT", map[string]any{"sub": user, "aud": "desk-at-the-company"})
}

// job is the token of a CI job at a platform, for an audience; as GitHub Actions has it
// (https://docs.github.com/en/actions/reference/security/oidc).
func (c *company) job(audience, repository, id string) string {
	return c.sign("JWT", map[string]any{
		"sub": "repo:" + repository + ":ref:refs/heads/main", "aud": audience, "repository": repository, "repository_id": id, "ref": "refs/heads/main",
	})
}

func (c *company) sign(typ string, claims map[string]any) string {
	now := time.Now()
	claims["iss"], claims["iat"], claims["exp"], claims["jti"] = c.URL, now.Unix(), now.Add(5*time.Minute).Unix(), rand.Text()
	return c.key.Sign(claims, map[string]any{"typ": typ, "jwk": nil})
}

func (c *company) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	switch r.URL.Path {
	case "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server":
		_ = json.NewEncoder(w).Encode(map[string]any{
			"issuer": c.URL, "authorization_endpoint": c.URL + "/authorize", "token_endpoint": c.URL + "/token", "jwks_uri": c.URL + "/keys",
			"response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"}, "id_token_signing_alg_values_supported": []string{"ES256"},
			"code_challenge_methods_supported": []string{"S256"},
		})
	case "/keys":
		_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{c.key.Public}})
	case "/token":
		c.exchange(w, r)
	default:
		c.mu.Lock()
		defer c.mu.Unlock()
		c.pages = append(c.pages, r.URL.Path)
		http.NotFound(w, r)
	}
}

// exchange gives an ID-JAG for an ID token (RFC 8693).
func (c *company) exchange(w http.ResponseWriter, r *http.Request) {
	const idJAG = "urn:ietf:params:oauth:token-type:id-jag"
	var user jwt.Claims
	token, err := jwt.ParseSigned(r.PostFormValue("subject_token"), []jose.SignatureAlgorithm{jose.ES256})
	if err == nil {
		err = token.Claims(c.key.Public.Key, &user)
	}
	if err != nil || r.PostFormValue("requested_token_type") != idJAG || !user.Audience.Contains(r.PostFormValue("client_id")) {
		w.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(map[string]string{"error": "invalid_request"})
		return
	}
	audience, resource, scope := r.PostFormValue("audience"), r.PostFormValue("resource"), r.PostFormValue("scope")
	c.mu.Lock()
	c.vouched = append(c.vouched, strings.Join([]string{user.Subject, audience, resource, scope}, " "))
	c.mu.Unlock()
	groups := []string{"guests"}
	if user.Subject == "ada" {
		groups = []string{"staff"}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"issued_token_type": idJAG, "token_type": "N_A", "expires_in": 300, "scope": scope,
		"access_token": c.sign("oauth-id-jag+jwt", map[string]any{
			"sub": user.Subject, "aud": audience, "resource": resource, "scope": scope, "client_id": "desk", "groups": groups,
		}),
	})
}
