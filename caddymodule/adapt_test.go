package caddymodule_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/caddyserver/caddy/v2/caddytest"
	_ "github.com/caddyserver/caddy/v2/modules/standard"
	"github.com/stretchr/testify/require"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/devidp"
)

// Each fixture is a Caddyfile, a line of dashes, and the JSON it adapts to.
func TestCaddyfilesAdaptToTheirJSON(t *testing.T) {
	fixtures, err := filepath.Glob("testdata/adapt/*.caddyfiletest")
	require.NoError(t, err)
	require.NotEmpty(t, fixtures)
	for _, fixture := range fixtures {
		t.Run(strings.TrimSuffix(filepath.Base(fixture), ".caddyfiletest"), func(t *testing.T) {
			content, err := os.ReadFile(fixture)
			require.NoError(t, err)
			caddyfile, want, found := strings.Cut(string(content), "\n----------\n")
			require.True(t, found, "no line of dashes between Caddyfile and JSON")
			require.True(t, caddytest.CompareAdapt(t, fixture, caddyfile, "caddyfile", strings.TrimSpace(want)))
		})
	}
}

// Each fixture is a Caddyfile, a line of dashes, and what its error contains.
func TestMistakesInCaddyfilesAreExplained(t *testing.T) {
	fixtures, err := filepath.Glob("testdata/adapt/*.caddyfileerror")
	require.NoError(t, err)
	require.NotEmpty(t, fixtures)
	for _, fixture := range fixtures {
		t.Run(strings.TrimSuffix(filepath.Base(fixture), ".caddyfileerror"), func(t *testing.T) {
			content, err := os.ReadFile(fixture)
			require.NoError(t, err)
			caddyfile, want, found := strings.Cut(string(content), "\n----------\n")
			require.True(t, found, "no line of dashes between Caddyfile and error")
			_, _, err = caddyconfig.GetAdapter("caddyfile").Adapt([]byte(caddyfile), map[string]any{"filename": "Caddyfile"})
			require.ErrorContains(t, err, strings.TrimSpace(want))
		})
	}
}

// Whatever stands in a Caddyfile, the error says where and what to write.
func TestMistakesAreNamedWithFileAndLine(t *testing.T) {
	client := func(option string) string {
		return "identity_gateway https://idp.example {\nclient app {\nredirect_uri https://app.example/cb\n" + option + "\n}\n}"
	}
	gateway := func(option string) string { return "identity_gateway https://idp.example {\n" + option + "\n}" }
	token := func(option string) string { return "require_token https://idp.example api {\n" + option + "\n}" }
	mcp := func(option string) string {
		return "protect_mcp https://mcp.example/mcp https://idp.example {\nidp_client gateway secret\n" + option + "\n}"
	}
	servers := func(blocks string) string {
		return "protect_mcp https://idp.example {\nidp_client gateway secret\n" + blocks + "\n}"
	}
	const commas = ": separate values with spaces, not commas"
	for name, test := range map[string]struct {
		site, want string
		line       int
	}{
		"redirect_uri, a comma at the end":   {"identity_gateway https://idp.example {\nclient app {\nredirect_uri https://a.example/cb, https://b.example/cb\n}\n}", "redirect_uri" + commas, 4},
		"redirect_uri, a comma inside":       {"identity_gateway https://idp.example {\nclient app {\nredirect_uri https://a.example/cb,https://b.example/cb\n}\n}", "redirect_uri" + commas, 4},
		"redirect_uri, a comma alone":        {"identity_gateway https://idp.example {\nclient app {\nredirect_uri https://a.example/cb , https://b.example/cb\n}\n}", "redirect_uri" + commas, 4},
		"redirect_uri, in quotes":            {"identity_gateway https://idp.example {\nclient app {\nredirect_uri \"https://a.example/cb, https://b.example/cb\"\n}\n}", "separate", 4},
		"redirect_uri, each in quotes":       {"identity_gateway https://idp.example {\nclient app {\nredirect_uri \"https://a.example/cb\", \"https://b.example/cb\"\n}\n}", "redirect_uri" + commas, 4},
		"redirect_uri, a pattern":            {"identity_gateway https://idp.example {\nclient app {\nredirect_uri https://chatgpt.com/connector/oauth/*\n}\n}", "has a *, and addresses are compared exactly", 4},
		"return_to":                          {client("return_to https://a.example/, https://b.example/"), "return_to" + commas, 5},
		"return_to, a pattern":               {client("return_to https://*.example/"), "has a *", 5},
		"origin":                             {client("origin https://a.example, https://b.example"), "origin" + commas, 5},
		"audience":                           {client("audience https://a.example, https://b.example"), "audience" + commas, 5},
		"audience, in quotes":                {client(`audience "https://a.example, https://b.example"`), "audience https://a.example, https://b.example" + commas, 5},
		"scope":                              {client("scope openid, profile"), "scope" + commas, 5},
		"scope, without spaces":              {client("scope openid,profile"), "scope" + commas, 5},
		"token_endpoint_auth":                {client("token_endpoint_auth none, client_secret_post"), "token_endpoint_auth" + commas, 5},
		"client, two ids":                    {gateway("client app, other {\nredirect_uri https://app.example/cb\n}"), "client" + commas, 3},
		"client, two ids in one":             {gateway("client app,other {\nredirect_uri https://app.example/cb\n}"), "client" + commas, 3},
		"client, two ids without a comma":    {gateway("client app other {\nredirect_uri https://app.example/cb\n}"), "client needs one id, not 2; each client has a block of its own", 3},
		"resource, two":                      {gateway("callback\nresource https://a.example https://b.example"), "unexpected argument", 4},
		"resource, no address":               {gateway("callback\nresource {env.UNSET} {\nscope\n}"), "scope needs a name: scope <name>", 5},
		"resource, scope":                    {gateway("callback\nresource https://a.example {\nscope a, b\n}"), "scope" + commas, 5},
		"resource, default_scope":            {gateway("callback\nresource https://a.example {\ndefault_scope a, b\n}"), "default_scope" + commas, 5},
		"resource, idp":                      {gateway("callback\nresource https://a.example {\nidp\n}"), "idp needs an argument", 5},
		"resource, idp with too much":        {gateway("callback\nresource https://a.example {\nidp audience a b\n}"), "idp needs one argument or two, not 3", 5},
		"resource, an unknown option":        {gateway("callback\nresource https://a.example {\nscopes a\n}"), "scope", 5},
		"resource, nobody's":                 {gateway("callback\nresource https://a.example"), "resource needs client blocks", 4},
		"users, nothing":                     {gateway("callback\nusers {\n}"), "a block needs email, domain or claim", 4},
		"users, an address as a domain":      {gateway("callback\nusers {\ndomain @example.com\n}"), "domain @example.com is not a domain such as example.com", 5},
		"users, a list":                      {gateway("callback\nusers {\nemail a@example.com, b@example.com\n}"), "email" + commas, 5},
		"users, a claim without a value":     {gateway("callback\nusers {\nclaim groups\n}"), "claim needs a name and the values", 5},
		"users, twice in a block":            {gateway("callback\nusers {\ndomain a.example\ndomain b.example\n}"), "domain is given twice", 6},
		"users, misspelled":                  {gateway("callback\nusers {\nemails a@example.com\n}"), "email", 5},
		"users, without callback":            {gateway("users {\ndomain example.com\n}"), "users needs callback", 3},
		"token_claims, the token's own":      {gateway("callback\ntoken_claims scope"), "token_claims scope: this claim is the token's own", 4},
		"token_claims, no resource":          {gateway("callback\ntoken_claims email"), "token_claims needs a resource", 4},
		"authorize_parameter":                {gateway("authorize_parameter prompt"), "authorize_parameter needs a name and a value", 3},
		"authorize_parameter, two values":    {gateway("authorize_parameter prompt select_account consent"), "a value with spaces is in quotes", 3},
		"authorize_parameter, the gateway's": {gateway("authorize_parameter state a"), "authorize_parameter state is one that the gateway makes itself", 3},
		"deny_path":                          {gateway("deny_path /a, /b"), "deny_path" + commas, 3},
		"sealing_key":                        {gateway("callback\nsealing_key {env.NEW}, {env.OLD}"), "sealing_key" + commas, 4},
		"Entra's common":                     {"identity_gateway https://login.microsoftonline.com/common/v2.0 {\ndiscover\n}", "common is not a tenant: write your tenant's id instead", 2},
		"Entra's common, by its metadata":    {"identity_gateway https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration", "common is not a tenant", 2},
		"Entra's organizations":              {"identity_gateway https://login.microsoftonline.us/organizations/v2.0 {\ndiscover\n}", "organizations is not a tenant", 2},
		"Entra's consumers, as issuer":       {gateway("issuer https://login.microsoftonline.com/consumers/v2.0"), "that of personal accounts is 9188040d-6c67-4c5b-b112-36a304b66dad", 3},
		"require_token, Entra's common":      {"require_token https://login.microsoftonline.com/Common/v2.0 api", "Common is not a tenant", 2},
		"require_token, issuer":              {"require_token https://idp.example, api", "require_token" + commas, 2},
		"require_token, audiences":           {"require_token https://idp.example a, b", "require_token" + commas, 2},
		"require_token, audience":            {token("audience a, b"), "audience" + commas, 3},
		"require_token, client":              {token("client abc, def"), "client" + commas, 3},
		"require_token, scope":               {token("scope read, write"), "scope" + commas, 3},
		"require_token, typ":                 {token("typ at+jwt, JWT"), "typ" + commas, 3},
		"require_token, servers":             {token("resource https://api.example https://a.example, https://b.example"), "resource" + commas, 3},
		"require_token, public":              {token("public /, /favicon.ico"), "public" + commas, 3},
		"require_token, origin":              {token("origin https://a.example, https://b.example"), "origin" + commas, 3},
		"text_segmentation, origin":          {"text_segmentation {\norigin https://a.example, https://b.example\n}", "origin" + commas, 3},
		"resource, relative":                 {gateway("callback\npublic_url https://login.example\nresource /mcp\nclient app {\nredirect_uri https://app.example/cb\n}"), "write it as clients do, such as https://mcp.example.com/mcp", 5},
		"public_url, no scheme":              {gateway("callback\npublic_url login.example"), "write the gateway's own address", 4},
		"redirect_uri, two in quotes":        {"identity_gateway https://idp.example {\nclient app {\nredirect_uri \"https://a.example/cb https://b.example/cb\"\n}\n}", "several addresses in one pair of quotes", 4},
		"dynamic_clients, nobody's":          {gateway("callback\npublic_url https://login.example\nresource https://mcp.example\ndynamic_clients {\nregistration\n}"), "dynamic_clients needs idp_client", 6},
		"a client twice":                     {client("scope a\n}\nclient app {\nredirect_uri https://b.example/cb"), "client app is registered twice", 7},
		"origin, any":                        {client("origin *"), "origin * is not accepted here; list each origin", 5},
		"redirect_uri, relative":             {"identity_gateway https://idp.example {\nclient {env.ID} {\nredirect_uri {env.CALLBACK} /cb\n}\n}", "client env.ID: redirect_uri /cb is not absolute", 4},
		"redirect_uri, http":                 {"identity_gateway https://idp.example {\nclient a {\nredirect_uri http://x/\n}\n}", "client a: redirect_uri http://x/ must be https", 4},
		"a client with nothing":              {gateway("client a"), "needs at least one redirect_uri", 3},
		"idp_client, nothing":                {client("idp_client {env.ID}"), "client app: idp_client: needs a secret, a private_key_jwt or tls_client_auth", 5},
		"public_url, http":                   {gateway("public_url http://login.example.com"), "public_url must be https", 3},
		"consent":                            {client("consent"), "consent needs callback", 5},
		"issuer, no scheme":                  {gateway("issuer idp.example.com"), "issuer idp.example.com is not absolute; write it as the identity provider does", 3},
		"endpoint, relative":                 {gateway("endpoint token x"), "endpoint token: x is not absolute; write a path, which begins with /", 3},
		"login_timeout":                      {gateway("callback\nlogin_timeout 48h"), "login_timeout must be between 1m and 24h0m0s", 4},
		"pages, one color":                   {gateway("pages {\naccent 0b57d0\n}"), "accent needs two colors, for light and for dark screens, not 1", 4},
		"pages, a comment":                   {gateway("pages {\naccent #0b57d0 #a8c7fa\n}"), "accent 0b57d0 a8c7fa, without #, which begins a comment", 4},
		"pages, contrast":                    {gateway("pages {\nname Example\naccent ffcc00 a8c7fa\n}"), "accent #ffcc00 of light screens has a contrast of 1.51:1 to the background #ffffff", 5},
		"pages, help":                        {mcp("scope read\npages {\nhelp example.com\n}"), "help example.com is not an address for users", 6},
		"replay, nothing":                    {gateway("callback\nreplay"), "replay needs a store: file [<folder>], memory, or redis <url>", 4},
		"replay file, two folders":           {gateway("callback\nreplay file /a /b"), "unexpected argument", 4},
		"require_token, no audience":         {"require_token https://idp.example", "audience is missing in require_token", 2},
		"require_token, sealing_key":         {token("scope a\nsealing_key {env.KEY}"), "sealing_key needs tokens gateway", 4},
		"require_token, header":              {token("scope a\nheader email X-Email\npublic /a"), "the field goes before the claim", 4},
		"require_token, a wildcard":          {token("public /a/**/b\nscope a"), "* stands for a whole segment", 3},
		"require_token, resource":            {token("resource /mcp\nscope a"), "resource must be an https URL", 3},
		"protect_mcp, an unknown option":     {mcp("scopes read"), "scopes (did you mean scope?); protect_mcp has idp_client, acr, allow, default_scope,", 4},
		"protect_mcp, a tool":                {mcp("scope read\ntool delete scope write"), "add: scope write", 5},
		"protect_mcp, allow":                 {mcp("allow https://*.example/cb"), "has a *", 4},
		"protect_mcp, introspection":         {mcp("introspection me short"), "it needs at least 32", 4},
		"protect_mcp, the former client":     {"protect_mcp https://mcp.example/mcp https://idp.example {\nclient a b\n}", "what the gateway itself is at the identity provider is idp_client", 3},
		"protect_mcp, the former block":      {"protect_mcp https://mcp.example/mcp https://idp.example {\nclient a {\nsecret b\n}\n}", "idp_client <id> {env.CLIENT_SECRET}", 5},
		"protect_mcp, http":                  {"protect_mcp http://mcp.example/mcp https://idp.example {\nidp_client a b\n}", "http://mcp.example/mcp must be https", 2},
		"protect_mcp, no server":             {servers("scope read"), "has no MCP server: write its URL before the identity provider's, or server <url>", 2},
		"protect_mcp, server beside a URL":   {mcp("server https://mcp.example/b"), "give each server a block, the first one, too", 4},
		"protect_mcp, a server at the root":  {servers("server https://mcp.example {\n}"), "needs a path of its own", 4},
		"protect_mcp, an odd path":           {servers("server https://mcp.example/a%20b {\n}"), "that all read alike", 4},
		"protect_mcp, one below another":     {servers("server https://mcp.example/a\nserver https://mcp.example/a/b"), "one is below the other", 5},
		"protect_mcp, two hosts":             {servers("server https://a.example/a\nserver https://b.example/b"), "is not at https://a.example", 5},
		"protect_mcp, an option of all":      {servers("server https://mcp.example/a {\nusers {\ndomain example.com\n}\n}"), "what is for the whole gateway stands beside the servers", 5},
		"protect_mcp, a server's tool":       {servers("scope read\nserver https://mcp.example/a {\ntool delete scope write\n}"), "add: scope write", 6},
		"protect_mcp, twice on a host":       {mcp("scope read") + "\n" + strings.Replace(mcp("scope read"), "/mcp ", "/other ", 1), "write one, with a block for each: protect_mcp https://idp.example { server <url>", 6},
		"message_contains, nothing":          {"@a message_contains\nrespond @a hello", "must say code or text", 2},
		"message_contains, field":            {"@a {\nmessage_contains code {\nfield $.a[*\n}\n}\nrespond @a hello", "is not a JSON path", 4},
		"playground, path":                   {"playground pg", "must be a path such as /playground", 2},
		"development_idp, redirect_uri":      {"development_idp {\nclient app {\nredirect_uri https://a.example/cb, https://b.example/cb\n}\n}", "redirect_uri" + commas, 4},
		"development_idp, return_to":         {"development_idp {\nclient app {\nreturn_to https://a.example/, https://b.example/\n}\n}", "return_to" + commas, 4},
		"development_idp, an argument":       {"development_idp http://localhost:8080 ada", `unexpected argument "ada" after http://localhost:8080`, 2},
		"development_idp, an option":         {"development_idp {\npassword x\n}", "unrecognized subdirective password; development_idp has auto_login, client", 3},
		"development_idp, a former option":   {"development_idp {\nissuer http://localhost:8080\n}", "issuer of development_idp has another place; write development_idp <issuer>", 3},
		"development_idp, client":            {"development_idp {\nclient\n}", "client needs an id", 3},
		"development_idp, a client's option": {"development_idp {\nclient app {\npassword x\n}\n}", "unrecognized subdirective password; client app has redirect_uri, return_to", 4},
		"development_idp, two secrets":       {"development_idp {\nclient app a b {\n}\n}", "client app has more than an id and a secret", 3},
		"development_idp, no redirect_uri":   {"development_idp {\nclient app {\nredirect_uri\n}\n}", "redirect_uri needs at least one argument", 4},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte("a.example {\n"+test.site+"\n}\n"), map[string]any{"filename": "Caddyfile"})
			require.ErrorContains(t, err, test.want)
			require.Regexp(t, "Caddyfile:"+strconv.Itoa(test.line)+`\b`, err.Error())
		})
	}
}

// What is found when the configuration is loaded has its line in the process that adapted it.
func TestMistakesThatAreFoundLaterAreNamedWithFileAndLine(t *testing.T) {
	for name, test := range map[string]struct {
		site, want string
		line       int
	}{
		"auth_url":           {"identity_gateway {env.TEST_NOT_SET} {\ndiscover\n}", "auth_url: the environment variable TEST_NOT_SET is not set", 2},
		"a secret":           {"identity_gateway https://idp.example {\ncallback\nclient app {\nredirect_uri https://a.example/cb\nidp_client app {\nsecret {env.TEST_NOT_SET}\n}\n}\n}", "idp_client secret: the environment variable TEST_NOT_SET is not set", 7},
		"a logo":             {"identity_gateway https://idp.example {\npages {\nname Example\nlogo /no/such/logo.svg\n}\n}", "logo /no/such/logo.svg can't be read", 5},
		"a template":         {"identity_gateway https://idp.example {\npages {\ntemplates testdata/adapt\n}\n}", "templates testdata/adapt: the folder has no page.html", 4},
		"a file":             {"identity_gateway https://idp.example {\ncallback\nsealing_key {file./no/such/key}\n}", "the file /no/such/key is missing", 4},
		"sealing_key":        {"identity_gateway https://idp.example {\ncallback\nsealing_key short\n}", "sealing_key: master key 1 has 5 bytes", 4},
		"private_key_jwt":    {"identity_gateway https://idp.example {\ncallback\nclient app {\nredirect_uri https://a.example/cb\nidp_client app {\nprivate_key_jwt /no/such/key\n}\n}\n}", "private_key_jwt", 7},
		"replay file":        {"identity_gateway https://idp.example {\ncallback\nreplay file {env.TEST_NOT_SET}\n}", "replay file: the environment variable", 4},
		"catalogue":          {"personification {\nmax_body 1KB\ncatalogue /no/such/folder\n}", "catalogue /no/such/folder: ", 4},
		"jwks_uri":           {"require_token https://idp.example api {\nscope a\njwks_uri http://idp.example/jwks\n}", "jwks_uri must be an https URL", 4},
		"protect_mcp":        {"protect_mcp https://mcp.example/mcp https://idp.example {\nscope read\nidp_client {env.TEST_NOT_SET} secret\n}", "idp_client id: the environment variable", 4},
		"in another handler": {"handle /a/* {\nrequire_token {env.TEST_NOT_SET} api\n}", "issuer: the environment variable", 3},
	} {
		t.Run(name, func(t *testing.T) {
			adapted, _, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte("{\nadmin off\n}\na.example {\n"+test.site+"\n}\n"), map[string]any{"filename": "Caddyfile"})
			require.NoError(t, err)
			var config caddy.Config
			require.NoError(t, json.Unmarshal(adapted, &config))
			err = caddy.Validate(&config)
			require.ErrorContains(t, err, test.want)
			require.Regexp(t, "Caddyfile:"+strconv.Itoa(test.line+3)+"$", err.Error())
		})
	}
}

// A comma may belong to a value.
func TestCommasInQuotes(t *testing.T) {
	adapted, _, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(`a.example {
		identity_gateway https://idp.example {
			callback
			sealing_key "a passphrase, as long as it is secret" "another one,as long as it is secret"
			client app {
				redirect_uri "https://app.example/cb?a=1,2"
				consent "Example, Inc."
				audience "urn:a,b"
			}
		}
	}`), map[string]any{"filename": "Caddyfile"})
	require.NoError(t, err)
	for _, value := range []string{"a passphrase, as long as it is secret", "another one,as long as it is secret", "https://app.example/cb?a=1,2", "Example, Inc.", "urn:a,b"} {
		require.Contains(t, string(adapted), value)
	}
}
