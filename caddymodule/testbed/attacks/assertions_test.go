package attacks

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
)

// The issuers that are trusted: the company's IdP, where users log in, and a partner's, for
// ID-JAGs; a platform for tokens of its workloads.
const (
	companyIdP = "https://idp.company.example"
	partnerIdP = "https://idp.partner.example"
	platform   = "https://platform.example"
)

const (
	typeIDJAG    = "oauth-id-jag+jwt"
	assertionFor = "urn:ietf:params:oauth:grant-type:jwt-bearer"
)

type issuerKeys map[string]*dpoptest.Key

// presented is a request for a token: an assertion with other claims than a good one; nil leaves
// one out.
type presented struct {
	workload bool // else an ID-JAG
	typ      any  // nil: the one that it has to have
	claims   map[string]any
	signer   string     // the issuer whose key signs; "" is its own
	client   string     // that authenticates; "" is desk, "-" none
	form     url.Values // of the request, in addition
	node     int
}

type got struct {
	status             int
	scope, description string
	user               string // whom a server is told that the token is of
}

// assertionAttack is tried at a naive authorization server, where it has to succeed, and at the
// gateway.
type assertionAttack struct {
	presented

	again  bool   // the assertion was used before, by its client
	scope  string // what the attacker wants, "" if any token is enough
	user   string // the same
	honest bool   // this is no attack, and has to pass at both
	says   string // by the gateway, "" if it gives a token that is not what he wants
}

// An assertion buys nothing but what it is for. Each attack succeeds at an authorization server
// that checks signature and expiry alone.
func TestAssertionsBuyNothingElse(t *testing.T) {
	job := func(with map[string]any) map[string]any { // of GitHub Actions
		claims := map[string]any{"kubernetes.io": nil, "repository": "company/app", "repository_id": "42", "ref": "refs/heads/main", "event_name": "push"}
		maps.Copy(claims, with)
		return claims
	}
	pod := func(namespace string) map[string]any {
		return map[string]any{"sub": "system:serviceaccount:" + namespace + ":deployer", "kubernetes.io": map[string]any{"namespace": namespace}}
	}
	keys := issuerKeys{companyIdP: dpoptest.NewKey(), partnerIdP: dpoptest.NewKey(), platform: dpoptest.NewKey()}
	base, nodes := startAssertionGateway(t, keys)
	elsewhere := map[string]any{"aud": "https://other-gateway.example"}
	for name, a := range map[string]assertionAttack{
		"an ID-JAG as it should be":                                  {honest: true, user: "ada", scope: "write"},
		"an ID-JAG for another gateway":                              {presented: presented{claims: elsewhere}, says: "aud of assertion"},
		"an ID-JAG for this gateway and another one":                 {presented: presented{claims: map[string]any{"aud": []string{base, "https://other-gateway.example"}}}, says: "aud of assertion"},
		"an ID-JAG of another client":                                {presented: presented{claims: map[string]any{"client_id": "other"}}, says: "client_id of assertion"},
		"an ID-JAG that another client sends":                        {presented: presented{client: "other"}, says: "client_id of assertion"},
		"an ID-JAG without its client":                               {presented: presented{client: "-"}, says: "client_id is missing"},
		"an ID-JAG again":                                            {again: true, says: "assertion was used before"},
		"an ID-JAG again, at another node":                           {presented: presented{node: 1}, again: true, says: "assertion was used before"},
		"an ID-JAG of an issuer for workloads":                       {presented: presented{claims: map[string]any{"iss": platform, "kubernetes.io": map[string]any{"namespace": "prod"}}}, says: "not trusted here for assertions about users"},
		"an ID-JAG with the key of another issuer":                   {presented: presented{signer: platform}, says: "not signed with a key of its issuer"},
		"an ID-JAG for a resource that is not registered":            {presented: presented{claims: map[string]any{"resource": "https://elsewhere.example/mcp"}}, says: "resource of assertion"},
		"an ID-JAG for one resource, and a request for another":      {presented: presented{form: url.Values{"resource": {base + "/other"}}}, says: "resource of assertion"},
		"an ID-JAG for two resources, and a request for one":         {presented: presented{claims: map[string]any{"resource": []string{base + "/mcp", base + "/other"}, "scope": "read other.read"}, form: url.Values{"resource": {base + "/other"}}}, honest: true, user: "ada"},
		"an ID-JAG, and a request for more scopes than it has":       {presented: presented{claims: map[string]any{"scope": "read"}, form: url.Values{"scope": {"read write"}}}, scope: "write"},
		"an ID-JAG, and a request for other scopes than it has":      {presented: presented{claims: map[string]any{"scope": "read"}, form: url.Values{"scope": {"write"}}}, scope: "write", says: "no scope is left"},
		"an ID-JAG with more scopes than the resource has":           {presented: presented{claims: map[string]any{"scope": "read admin"}}, scope: "admin"},
		"an ID-JAG with more scopes than its issuer may give":        {presented: presented{claims: map[string]any{"iss": partnerIdP, "scope": "read write"}}, scope: "write"},
		"an ID-JAG of a partner's user with the name of one of ours": {presented: presented{claims: map[string]any{"iss": partnerIdP}}, user: "ada"},
		"an ID-JAG of a user who is called as a client":              {presented: presented{claims: map[string]any{"sub": "client:other"}}, user: "client:other", says: "a name that this gateway has for something else"},
		"an ID-JAG that is good for a year":                          {presented: presented{claims: map[string]any{"exp": time.Now().AddDate(1, 0, 0).Unix()}}, says: "more than an hour"},
		"an ordinary ID token":                                       {presented: presented{typ: "JWT", claims: map[string]any{"aud": "desk", "nonce": "n"}}, says: "not trusted here for tokens of workloads"},
		"an ordinary ID token for the gateway":                       {presented: presented{typ: "JWT", claims: map[string]any{"nonce": "n"}}, says: "not trusted here for tokens of workloads"},
		"an access token":                                            {presented: presented{typ: "at+jwt"}, says: "another kind of JWT"},

		"a CI job, for a server with other scopes":     {presented: presented{workload: true, form: url.Values{"resource": {base + "/other"}}}, says: "no scope is left"},
		"a pod's token as it should be":                {presented: presented{workload: true}, honest: true},
		"a pod's token again":                          {presented: presented{workload: true}, again: true, honest: true},
		"a pod's token again, at another node":         {presented: presented{workload: true, node: 1}, again: true, honest: true},
		"a pod's token for another service":            {presented: presented{workload: true, claims: elsewhere}, says: "aud of assertion"},
		"a pod of another namespace":                   {presented: presented{workload: true, claims: pod("dev")}, says: "kubernetes.io.namespace"},
		"a pod of a namespace that begins like it":     {presented: presented{workload: true, claims: pod("prod-of-somebody")}, says: "kubernetes.io.namespace"},
		"a pod that is called as a user":               {presented: presented{workload: true, claims: map[string]any{"sub": "ada"}}, user: "ada"},
		"a pod's token that a client sends":            {presented: presented{workload: true, client: "desk"}, says: "leave out client authentication"},
		"a pod's token, and a request for more scopes": {presented: presented{workload: true, form: url.Values{"scope": {"write"}}}, scope: "write", says: "no scope is left"},
		"a workload's token of the company's IdP":      {presented: presented{workload: true, claims: map[string]any{"iss": companyIdP}}, says: "not trusted here for tokens of workloads"},
		"a CI job as it should be":                     {presented: presented{workload: true, claims: job(nil)}, honest: true},
		"a CI job of a fork":                           {presented: presented{workload: true, claims: job(map[string]any{"repository": "somebody/app", "repository_id": "43"})}, says: "repository_id"},
		"a CI job of a repository that took the name":  {presented: presented{workload: true, claims: job(map[string]any{"repository_id": "43"})}, says: "repository_id"},
		"a CI job of a branch":                         {presented: presented{workload: true, claims: job(map[string]any{"ref": "refs/heads/somebody"})}, says: "repository_id, ref"},
		"a CI job of a pull request":                   {presented: presented{workload: true, claims: job(map[string]any{"event_name": "pull_request_target"})}, says: "event_name"},
	} {
		t.Run(name, func(t *testing.T) {
			naive := httptest.NewServer(&naiveServer{keys})
			t.Cleanup(naive.Close)
			outcome := a.try(t, keys, base, []string{naive.URL, naive.URL})
			require.True(t, a.succeeds(outcome), "it proves nothing, because it fails at the naive server: %+v", outcome)

			outcome = a.try(t, keys, base, nodes)
			require.Equal(t, a.honest, a.succeeds(outcome), "%+v", outcome)
			require.Equal(t, a.says == "", outcome.status == http.StatusOK, "%+v", outcome)
			require.Contains(t, outcome.description, a.says)
			if a.workload {
				require.Empty(t, outcome.user, "a machine is no user")
			}
		})
	}
}

func (a *assertionAttack) succeeds(g got) bool {
	return g.status == http.StatusOK && (a.scope == "" || strings.Contains(" "+g.scope+" ", " "+a.scope+" ")) && (a.user == "" || g.user == a.user)
}

func (a *assertionAttack) try(t *testing.T, keys issuerKeys, gateway string, nodes []string) got {
	t.Helper()
	assertion := a.sign(keys, gateway)
	if a.again {
		first := a.presented
		first.node = 0
		require.Equal(t, http.StatusOK, first.send(t, nodes, assertion).status, "its own client can't use it")
	}
	return a.send(t, nodes, assertion)
}

func (p *presented) sign(keys issuerKeys, gateway string) string {
	now := time.Now()
	typ, claims := cmp.Or[any](p.typ, typeIDJAG), map[string]any{
		"iss": companyIdP, "sub": "ada", "aud": gateway, "client_id": "desk", "jti": rand.Text(), "resource": gateway + "/mcp", "scope": "read write",
	}
	if p.workload {
		typ, claims = p.typ, map[string]any{
			"iss": platform, "sub": "system:serviceaccount:prod:deployer", "aud": []string{gateway + tokenPath}, "kubernetes.io": map[string]any{"namespace": "prod"},
		}
	}
	claims["iat"], claims["exp"] = now.Unix(), now.Add(5*time.Minute).Unix()
	maps.Copy(claims, p.claims)
	maps.DeleteFunc(claims, func(_ string, value any) bool { return value == nil })
	signer := keys[cmp.Or(p.signer, claims["iss"].(string))]
	return signer.Sign(claims, map[string]any{"typ": typ, "jwk": nil})
}

// send presents an assertion, and shows what it bought to a server.
func (p *presented) send(t *testing.T, nodes []string, assertion string) got {
	t.Helper()
	form := url.Values{"grant_type": {assertionFor}, "assertion": {assertion}}
	maps.Copy(form, p.form)
	request := must.Have(http.NewRequestWithContext(t.Context(), http.MethodPost, nodes[p.node]+tokenPath, strings.NewReader(form.Encode())))(t)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	client := p.client
	if !p.workload {
		client = cmp.Or(client, "desk")
	}
	if client != "" && client != "-" {
		request.SetBasicAuth(client, client+"-secret")
	}
	status, body := answerTo(t, request)
	var token struct {
		AccessToken string `json:"access_token"`
		Scope       string `json:"scope"`
		Description string `json:"error_description"`
	}
	require.NoError(t, json.Unmarshal([]byte(body), &token), body)
	g := got{status: status, scope: token.Scope, description: token.Description}
	if token.AccessToken == "" {
		return g
	}
	path := "/mcp"
	if strings.HasSuffix(form.Get("resource"), "/other") {
		path = "/other"
	}
	request = must.Have(http.NewRequestWithContext(t.Context(), http.MethodGet, nodes[p.node]+path, nil))(t)
	request.Header.Set("Authorization", "Bearer "+token.AccessToken)
	request.Header.Set("X-User", "admin")
	status, g.user = answerTo(t, request)
	require.Equal(t, http.StatusOK, status, "a token that no server takes")
	return g
}

func answerTo(t *testing.T, request *http.Request) (int, string) {
	t.Helper()
	response := must.Have(http.DefaultClient.Do(request))(t)
	defer response.Body.Close()
	body := must.Have(io.ReadAll(response.Body))(t)
	return response.StatusCode, string(body)
}

// startAssertionGateway starts two nodes with one replay store, behind one public address, and
// servers of which the token's user is told.
func startAssertionGateway(t *testing.T, keys issuerKeys) (base string, nodes []string) {
	address := testgateway.NewAddress(t)
	base = "http://" + address
	folder := t.TempDir()
	site := fmt.Sprintf(`
identity_gateway %[1]s {
	parameters oauth
	callback
	issuer %[1]s
	public_url {base}
	replay memory
	resource {base}/mcp {
		scope read
		scope write
		default_scope read
	}
	resource {base}/other {
		scope other.read
		default_scope other.read
	}
	trust %[1]s id_jag {
		jwks %[4]s
	}
	trust %[2]s id_jag {
		client desk
		scope read
		jwks %[5]s
	}
	trust %[3]s workload {
		claim kubernetes.io.namespace prod
		scope read
		jwks %[6]s
	}
	trust %[3]s workload {
		claim repository_id 42
		claim ref refs/heads/main
		claim event_name push
		scope read
		jwks %[6]s
	}
`, companyIdP, partnerIdP, platform, keys.file(t, folder, companyIdP), keys.file(t, folder, partnerIdP), keys.file(t, folder, platform))
	for _, id := range []string{"desk", "other"} {
		hash := sha256.Sum256([]byte(id + "-secret"))
		site += fmt.Sprintf("client %s {\ntoken_endpoint_auth client_secret_basic %s\n}\n", id, hex.EncodeToString(hash[:]))
	}
	site += "}\n"
	for _, path := range []string{"/mcp", "/other"} {
		site += fmt.Sprintf("require_token %[1]s {base} {base}%[1]s {\ntokens gateway\nheader X-User sub\n}\nrespond %[1]s \"{header.X-User}\"\n", path)
	}
	for _, at := range []string{address, ""} {
		node := testgateway.Run(t, testgateway.Config{Site: strings.ReplaceAll(site, "{base}", base), Address: at, Storage: folder})
		nodes = append(nodes, node.URL())
	}
	return base, nodes
}

func (k issuerKeys) file(t *testing.T, folder, issuer string) string {
	t.Helper()
	name := filepath.Join(folder, strings.TrimPrefix(issuer, "https://")+".json")
	set := must.Have(json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{k[issuer].Public}}))(t)
	require.NoError(t, os.WriteFile(name, set, 0o600))
	return name
}

// naiveServer gives a token for every assertion that has a trusted signature and has not expired,
// and is the server that takes it. Requests decide about scopes.
type naiveServer struct{ keys issuerKeys }

func (s *naiveServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != tokenPath {
		user, _ := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		_, _ = w.Write(user)
		return
	}
	var claims struct {
		jwt.Claims

		Scope string `json:"scope"`
	}
	answer := map[string]string{"error": "invalid_grant"}
	if s.verify(r.PostFormValue("assertion"), &claims) && claims.Expiry.Time().After(time.Now()) {
		answer = map[string]string{
			"access_token": base64.RawURLEncoding.EncodeToString([]byte(claims.Subject)), "token_type": "Bearer", "scope": cmp.Or(r.PostFormValue("scope"), claims.Scope),
		}
	} else {
		w.WriteHeader(http.StatusBadRequest)
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// verify reports whether one of the keys has signed.
func (s *naiveServer) verify(assertion string, claims any) bool {
	token, err := jwt.ParseSigned(assertion, []jose.SignatureAlgorithm{jose.ES256})
	for _, key := range s.keys {
		if err == nil && token.Claims(key.Public.Key, claims) == nil {
			return true
		}
	}
	return false
}
