package requiretoken_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// recipe is a block of README.md with the addresses of a test in the place of its own.
func recipe(t *testing.T, section string, addresses ...string) string {
	t.Helper()
	return recipeOf(t, "README.md", section, addresses...)
}

func recipeOf(t *testing.T, file, section string, addresses ...string) string {
	t.Helper()
	document, err := os.ReadFile(file)
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(document), "# "+section+"\n")
	require.True(t, found, section)
	_, rest, found = strings.Cut(rest, "```caddyfile\n")
	require.True(t, found, section)
	block, _, _ := strings.Cut(rest, "```")
	return strings.NewReplacer(append(addresses, "https://your-tenant.eu.auth0.com", "{issuer}", "https://api.example.com", audience)...).Replace(block)
}

// inside is what stands in the site with this address.
func inside(t *testing.T, caddyfile, address string) string {
	t.Helper()
	_, site, found := strings.Cut(caddyfile, "\n"+address+" {\n")
	require.True(t, found, address)
	site, _, found = strings.Cut(site, "\n}\n")
	require.True(t, found, address)
	return site
}

func TestGroupsDecideWhoReachesWhat(t *testing.T) {
	block := "\n" + recipe(t, "Groups and several upstreams", "app.internal:3000", "{app}", "admin.internal:3000", "{app}")
	signedIn := inside(t, block, "(signed_in)")
	i := newIssuer(t)
	everybody := site(t, i, strings.ReplaceAll(inside(t, block, "app.example.com"), "import signed_in", signedIn))
	admins := site(t, i, strings.ReplaceAll(inside(t, block, "admin.example.com"), "import signed_in", signedIn))
	for name, test := range map[string]struct {
		groups any
		status int
	}{
		"admin":               {[]string{"staff", "admin"}, 200},
		"others":              {[]string{"staff", "administrator"}, 403},
		"a comma in a group":  {[]string{"staff,admin"}, 403},
		"no claim for groups": {nil, 403},
	} {
		t.Run(name, func(t *testing.T) {
			authorization := "Bearer " + i.token(t, "groups", test.groups)
			get(t, everybody.URL()+"/x", "Authorization", authorization).seen(t)
			got := get(t, admins.URL()+"/x", "Authorization", authorization, "X-Groups", "admin")
			require.Equal(t, test.status, got.StatusCode, got.body)
		})
	}
	require.Equal(t, 401, get(t, admins.URL()+"/x").StatusCode)
}

// Tokens as their issuers' documentation has them.
func TestTokensOfWorkloads(t *testing.T) {
	github, kubernetes, firebase, supabase := newIssuer(t), newIssuer(t), newIssuer(t), newIssuer(t)
	g := site(t, github, strings.Replace(inside(t, "\n"+recipeOf(t, "../RECIPES.md", "Tokens of workloads and of other services",
		"https://token.actions.githubusercontent.com", github.URL, "https://kubernetes.default.svc.cluster.local", kubernetes.URL,
		"https://securetoken.google.com/example-project", firebase.URL, "https://example.supabase.co/auth/v1/.well-known/jwks.json", supabase.URL+"/keys",
		"https://example.supabase.co/auth/v1", supabase.URL, "localhost:3000", "{app}"), "api.example.com"),
		"transport http {\n\t\t\t\ttls_trust_pool file /etc/caddy/cluster-ca.pem\n\t\t\t}", "", 1))
	token := func(i *issuer, sub string, with ...any) string {
		return i.signed(t, "JWT", append([]any{"scope", nil, "client_id", nil, "sub", sub}, with...)...)
	}
	ofGitHub := func(with ...any) string {
		return token(github, "repo:octo-org/octo-repo:ref:refs/heads/main", append([]any{
			"repository_id", "74", "repository", "octo-org/octo-repo", "ref", "refs/heads/main", "event_name", "push", "actor", "octocat",
		}, with...)...)
	}
	ofPod := func(namespace string) string {
		return token(kubernetes, "system:serviceaccount:"+namespace+":reader", "kubernetes.io", map[string]any{"namespace": namespace, "serviceaccount": map[string]any{"name": "reader"}})
	}
	for name, test := range map[string]struct {
		token  string
		status int
		user   string
	}{
		"a job":                               {ofGitHub(), 200, "github:repo:octo-org/octo-repo:ref:refs/heads/main"},
		"of a fork":                           {ofGitHub("repository_id", "666", "repository", "mallory/octo-repo"), 403, ""},
		"of a new repository of the old name": {ofGitHub("repository_id", "75"), 403, ""},
		"for a fork's pull request":           {ofGitHub("event_name", "pull_request_target"), 403, ""},
		"of another branch":                   {ofGitHub("ref", "refs/heads/mallory"), 403, ""},
		"for another API":                     {ofGitHub("aud", "https://github.com/octo-org"), 401, ""},
		"a pod":                               {ofPod("shop"), 200, "kubernetes:system:serviceaccount:shop:reader"},
		"of another namespace":                {ofPod("mallory"), 403, ""},
		"that says to be a job":               {token(kubernetes, "repo:octo-org/octo-repo", "iss", github.issuer(), "repository_id", "74", "ref", "refs/heads/main", "event_name", "push"), 401, ""},
		"Firebase":                            {token(firebase, "u1", "aud", "example-project", "firebase", map[string]any{"sign_in_provider": "password"}), 200, "firebase:u1"},
		"anonymously":                         {token(firebase, "u1", "aud", "example-project", "firebase", map[string]any{"sign_in_provider": "anonymous"}), 403, ""},
		"of another project":                  {token(firebase, "u1", "aud", "mallory", "firebase", map[string]any{"sign_in_provider": "password"}), 401, ""},
		"Supabase":                            {token(supabase, "u1", "aud", "authenticated", "role", "authenticated", "is_anonymous", false), 200, "supabase:u1"},
		"with its public key":                 {token(supabase, "", "aud", nil, "role", "anon"), 401, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := get(t, g.URL()+"/x", "Authorization", "Bearer "+test.token)
			require.Equal(t, test.status, r.StatusCode, r.body)
			if test.status == 200 {
				require.Equal(t, []string{test.user}, r.seen(t).Header["X-User"])
			}
		})
	}
}

func TestOtherProxiesAskWhetherARequestMayPass(t *testing.T) {
	i := newIssuer(t)
	decides := site(t, i, inside(t, "\n"+recipe(t, "Proxies other than Caddy"), "http://auth.internal:9000"))
	asks := site(t, i, "forward_auth "+decides.Address()+" {\nuri /\ncopy_headers X-User\n}\nreverse_proxy {app}")

	saw := get(t, asks.URL()+"/x", "Authorization", "Bearer "+i.token(t), "X-User", "admin").seen(t)
	require.Equal(t, []string{"u1"}, saw.Header["X-User"])
	refused := get(t, asks.URL()+"/x", "X-User", "admin")
	require.Equal(t, 401, refused.StatusCode)
	require.True(t, strings.HasPrefix(refused.Header.Get("WWW-Authenticate"), "Bearer"))
	require.Empty(t, refused.Header["X-User"])
}
