package requiretoken

import (
	"testing"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/readiness"
)

func TestMistakesInACaddyfileAreNamedWithTheirLine(t *testing.T) {
	for name, test := range map[string]struct{ directive, want string }{
		"a matcher that is none":         {"require_token @nobody https://idp.example api", "@nobody"},
		"no issuer":                      {"require_token", "the issuer of the access tokens is missing: require_token <issuer>"},
		"an issuer that is no address":   {"require_token http://adfs.example/adfs api", "one that is not an https URL needs jwks_uri"},
		"two ways to name an issuer":     {"require_token https://idp.example api {\nissuer https://b.example\n}", "issuer (as an argument of require_token) stands inside of issuer blocks"},
		"an issuer block without a name": {"require_token {\naudience api\nissuer {\n}\n}", "issuer needs an argument"},
		"a block for nobody":             {"require_token {\nissuer https://a.example {\naudience api\n}\nissuer https://b.example {\nprefix b:\n}\n}", "audience is missing"},
		"an option for one of them":      {"require_token {\naudience api\nclaim groups a\nissuer https://a.example\n}", "claim stands inside of issuer blocks"},
		"opaque tokens among issuers":    {"require_token {\naudience api\nintrospection a b\nissuer https://a.example\n}", "issuer blocks are for tokens that are JWTs"},
		"a resource of several issuers":  {"require_token {\naudience api\nresource https://api.example\nissuer https://a.example\n}", "resource needs the authorization server behind it beside issuer blocks"},
		"clients sent to an http issuer": {"require_token http://adfs.example/adfs api {\nresource https://api.example\njwks_uri https://adfs.example/keys\n}", "clients would look"},
		"a claim without values":         {"require_token https://idp.example api {\nclaim groups\n}", "claim needs a name and the values"},
		"identity tokens of everything":  {"require_token https://idp.example api {\nidentity_tokens\n}", "unrecognized subdirective identity_tokens"},
		"nothing says for whom":          {"require_token https://idp.example", "audience is missing"},
		"an option that is none":         {"require_token https://idp.example api {\nscopes read\n}", "unrecognized subdirective scopes (did you mean scope?)"},
		"introspection, two URLs":        {"require_token https://idp.example api {\nintrospection api s https://a.example https://b.example\n}", `unexpected argument "https://b.example"`},
		"introspection, no secret":       {"require_token https://idp.example api {\nintrospection api\n}", "introspection needs a client id and its secret"},
		"transport, no name":             {"require_token https://idp.example api {\ntransport\n}", "transport needs the name of a transport of reverse_proxy, such as http"},
		"transport, unknown":             {"require_token https://idp.example api {\ntransport pigeon\n}", "http.reverse_proxy.transport.pigeon"},
		"header, no claim":               {"require_token https://idp.example api {\nheader X-User\n}", "header needs a field and a claim, such as: header X-User sub"},
		"header, more":                   {"require_token https://idp.example api {\nheader X-User sub email\n}", "header needs a field and a claim"},
		"header, twice":                  {"require_token https://idp.example api {\nheader X-User sub\nheader X-User email\n}", "header X-User is given twice"},
		"header, the wrong way round":    {"require_token https://idp.example api {\nheader sub X-User\n}", "the field goes before the claim: header X-User sub"},
		"header, of the connection":      {"require_token https://idp.example api {\nheader Host sub\n}", "header: Host can't be made of a claim"},
		"issuer, no scheme":              {"require_token idp.example api", "idp.example: the issuer is not an https URL; write it as it stands in tokens"},
		"issuer, unencrypted":            {"require_token http://idp.example api", "the issuer must be https"},
		"origin, with a slash":           {"require_token https://idp.example api {\norigin https://app.example/\n}", "write https://app.example"},
		"public, no path":                {"require_token https://idp.example api {\npublic assets\n}", "assets is not a public path"},
		"public, everything":             {"require_token https://idp.example api {\npublic /*\n}", "/* is not a public path"},
		"resource, unencrypted":          {"require_token https://idp.example api {\nresource http://api.example\n}", "resource must be an https URL"},
		"resource, a path alone":         {"require_token https://idp.example api {\nresource /v1\n}", "resource must be an https URL"},
		"resource, with a user":          {"require_token https://idp.example api {\nresource https://u@api.example\n}", "resource must have no user information, query or fragment"},
		"resource, with a query":         {"require_token https://idp.example api {\nresource https://api.example?v=1\n}", "resource must have no user information, query or fragment"},
		"resource, with an empty query":  {"require_token https://idp.example api {\nresource https://api.example?\n}", "resource must have no user information, query or fragment"},
		"resource, with a fragment":      {"require_token https://idp.example api {\nresource https://api.example#v1\n}", "resource must have no user information, query or fragment"},
		"servers in an option":           {"require_token https://idp.example api {\nauthorization_server https://login.example\n}", "authorization_server of require_token has another place; write resource <url> <authorization servers...>"},
		"tokens of nobody":               {"require_token https://idp.example api {\ntokens mine\n}", "tokens"},
		"upstream_token, no field":       {"require_token https://idp.example https://a.example {\ntokens gateway\nupstream_token Host\n}", "upstream_token: \"Host\" is not a header field that it can have"},
		"upstream_token, a claim's":      {"require_token https://idp.example https://a.example {\ntokens gateway\nheader X-User sub\nupstream_token x_user\n}", "upstream_token: x_user and header X-User are one field"},
		"sealing_key, of no gateway":     {"require_token https://idp.example api {\nsealing_key k\n}", "sealing_key needs tokens gateway"},
		"a cache without a unit":         {"require_token https://idp.example api {\ncache 30\n}", "cache must be a positive duration"},
		"a cache that remembers nothing": {"require_token https://idp.example api {\ncache 0s\n}", "cache must be a positive duration"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := caddyfile.Adapter{ServerType: httpcaddyfile.ServerType{}}.Adapt([]byte("localhost {\n"+test.directive+"\n}\n"), map[string]any{"filename": "Caddyfile"})
			require.ErrorContains(t, err, test.want)
			require.ErrorContains(t, err, "Caddyfile:")
		})
	}
}

// What is configured nobody has to be asked for, and is not waited for.
func TestWhatIsNeededToBeReady(t *testing.T) {
	const introspection = `"audiences":["api"],"introspection":{"client_id":"a","client_secret":"s"`
	for config, want := range map[string][]string{
		`"audiences":["api"]`: {"discovery", "issuer_keys"},
		`"audiences":["api"],"jwks_uri":"https://127.0.0.1:1/keys"`:                                                                  {"issuer_keys"},
		`"audiences":["https://127.0.0.1:1/mcp"],"tokens":"gateway","sealing_keys":["l7Hq0nX2uVd5yBz8eKc3RfTgW9sJmPaO4iUxYvNbLwE="]`: {},
		introspection + `}`: {"discovery", "identity_provider"},
		introspection + `},"jwks_uri":"https://127.0.0.1:1/keys"`:                                 {"discovery", "identity_provider"},
		introspection + `,"endpoint":"https://127.0.0.1:1/i"}`:                                    {"discovery", "identity_provider"},
		introspection + `,"endpoint":"https://127.0.0.1:1/i"},"jwks_uri":"https://127.0.0.1:1/k"`: {"identity_provider"},
	} {
		_, ctx := provisioned(t, `{"issuer":"https://127.0.0.1:1",`+config+`}`)
		app, err := ctx.AppIfConfigured("identity_gateway_readiness")
		require.NoError(t, err)
		names := []string{}
		for _, result := range app.(*readiness.App).Run(t.Context()) {
			names = append(names, result.Check)
			require.False(t, result.Ready, "nobody answers there")
		}
		require.Equal(t, want, names, config)
	}
}

// A metric of the same name, of another plugin, is no reason to count nothing in silence.
func TestWhatAConfigurationHoldsIsGivenBack(t *testing.T) {
	for handler, config := range map[string]string{
		"require_token":               `{"issuer":"https://idp.example","audiences":["api"]}`,
		"protected_resource_metadata": `{"issuer":"https://idp.example/.well-known/openid-configuration","resource":"https://api.example"}`,
	} {
		require.NoError(t, load(t, handler, config))
	}
	requireNoKeysHeld(t)
}

func requireNoKeysHeld(t *testing.T) {
	t.Helper()
	issuerKeys.Range(func(name, _ any) bool {
		require.Fail(t, "keys are still held", "%q", name)
		return true
	})
}

// What a JSON configuration, or a placeholder in a Caddyfile, can get wrong is found
// when the configuration is loaded. Nothing of it stays.
func TestMistakesInAConfigurationAreExplained(t *testing.T) {
	t.Setenv("TEST_EMPTY", "")
	t.Setenv("TEST_UNENCRYPTED", "http://api.example")
	for _, field := range [...]string{"authorization", "Host", "Content_Length", "Connection", "Keep-Alive", "TE", "Trailer", "Transfer-Encoding", "Upgrade"} {
		err := load(t, "require_token", `{"issuer":"https://idp.example","audiences":["api"],"headers":{"`+field+`":"sub"}}`)
		require.ErrorContains(t, err, "header: "+field+" can't be made of a claim")
	}
	for handler, tests := range map[string]map[string]string{
		"require_token": {
			`{"audiences":["api"]}`:                                                                                                      "the issuer of the access tokens is missing",
			`{"issuer":"/","audiences":["api"]}`:                                                                                         "the issuer is not an https URL",
			`{"issuer":"https://idp.example?tenant=1","audiences":["api"]}`:                                                              "the issuer must have no query",
			`{"issuer":"https://idp.example","audiences":["api"],"jwks_uri":"ftp://localhost/keys"}`:                                     "jwks_uri must be an https URL",
			`{"issuer":"https://idp.example","audiences":["api"],"discover_at":"yes"}`:                                                   "the address of the metadata is not an https URL",
			`{"issuer":"https://idp.example","audiences":["api"],"discover_at":"{env.TEST_EMPTY}"}`:                                      "discover: ",
			`{"issuer":"https://idp.example","audiences":["api"],"discover_at":"http://idp/m","jwks_uri":"https://idp/k"}`:               "discover is of no use beside jwks_uri",
			`{"discover_at":"http://idp/m","audiences":["api"],"issuers":[{"issuer":"https://idp.example"}]}`:                            "discover stands inside of issuer blocks",
			`{"issuer":"https://idp.example","audiences":["https://api.example"],"tokens":"gateway","discover_at":"http://idp/m"}`:       "discover is of no use with tokens gateway",
			`{"issuer":"http://idp.example","audiences":["api"],"discover_at":"http://idp/m"}`:                                           "the issuer must be https",
			`{"issuer":"http://idp.example","audiences":["api"]}`:                                                                        "the issuer must be https",
			`{"issuer":"{env.TEST_EMPTY}","audiences":["api"]}`:                                                                          "issuer: ",
			`{"issuer":"https://idp.example"}`:                                                                                           "audience is missing",
			`{"issuer":"https://idp.example","audiences":["{env.TEST_EMPTY}"]}`:                                                          "audience: ",
			`{"issuer":"https://idp.example","clients":["{env.TEST_EMPTY}"]}`:                                                            "client: ",
			`{"issuer":"https://idp.example","audiences":["api"],"scopes":["read write"]}`:                                               `scope "read write" is not a scope`,
			`{"issuer":"https://idp.example","audiences":["api"],"cache_ttl":-1}`:                                                        "cache must be between 0 and",
			`{"issuer":"https://idp.example","audiences":["api"],"jwks_uri":"{env.TEST_EMPTY}"}`:                                         "jwks_uri: ",
			`{"issuer":"https://idp.example","audiences":["api"],"jwks_uri":"http://idp.example/keys"}`:                                  "jwks_uri must be an https URL",
			`{"issuer":"https://idp.example","audiences":["api"],"jwks_uri":"https:///keys"}`:                                            "jwks_uri must be an https URL",
			`{"issuer":"https://idp.example","audiences":["api"],"jwks_uri":"https://[::1/keys"}`:                                        "jwks_uri must be an https URL",
			`{"issuer":"https://idp.example","audiences":["api"],"introspection":{}}`:                                                    "introspection: the client id or its secret is missing",
			`{"issuer":"https://idp.example","audiences":["api"],"introspection":{"client_id":"a"}}`:                                     "introspection: the client id or its secret is missing",
			`{"issuer":"https://idp.example","audiences":["api"],"introspection":{"client_id":"a","client_secret":"\n"}}`:                "introspection: the client id or its secret is missing",
			`{"issuer":"https://idp.example","audiences":["api"],"introspection":{"client_secret":"s"}}`:                                 "introspection: the client id or its secret is missing",
			`{"issuer":"https://idp.example","audiences":["api"],"introspection":{"client_id":"{env.TEST_EMPTY}"}}`:                      "introspection: ",
			`{"issuer":"https://idp.example","audiences":["api"],"introspection":{"client_id":"a","client_secret":"s","endpoint":"/i"}}`: "introspection must be an https URL",
			`{"issuer":"https://idp.example","audiences":["api"],"resource":"{env.TEST_EMPTY}"}`:                                         "resource: ",
			`{"issuer":"https://idp.example","audiences":["api"],"resource":"{env.TEST_UNENCRYPTED}"}`:                                   "resource must be an https URL",
			`{"issuer":"https://idp.example","audiences":["api"],"authorization_servers":["https://login.example"]}`:                     "authorization_servers needs resource",
			`{"issuer":"https://idp.example","audiences":["api"],"authorization_servers":["{env.TEST_EMPTY}"]}`:                          "authorization_servers: ",
			`{"issuer":"https://idp.example","audiences":["api"],"transport":{"protocol":"pigeon"}}`:                                     "transport: loading module 'pigeon'",
			`{"issuer":"https://idp.example","audiences":["api"],"transport":{"protocol":"http","tls":{"ca":{}}}}`:                       "transport: ",
			`{"issuer":"https://idp.example","audiences":["api"],"public":["//"]}`:                                                       "// is not a public path",
			`{"issuer":"https://idp.example","audiences":["api"],"origins":["app.example"]}`:                                             "origin \"app.example\" must be a scheme and a host",
			`{"issuer":"https://idp.example","audiences":["api"],"origins":["{env.TEST_EMPTY}"]}`:                                        "origin: ",
			`{"issuer":"https://idp.example","audiences":["api"],"headers":{"X User":"sub"}}`:                                            `header: "X User" is not the name of a header field`,
			`{"issuer":"https://idp.example","audiences":["api"],"headers":{"X-User":""}}`:                                               `header: "X-User" is not the name of a header field, or has no claim`,
			`{"issuer":"https://idp.example","audiences":["api"],"headers":{"X-User":"sub","x_user":"email"}}`:                           "header: X-User and x_user are one field",
		},
		"protected_resource_metadata": {
			`{"issuer":"https://idp.example"}`: "resource is missing",
			`{"issuer":"https://idp.example","resource":"https://api.example","discover_at":"yes"}`:             "the address of the metadata is not an https URL",
			`{"resource":"https://api.example"}`:                                                                "the issuer of the access tokens is missing",
			`{"resource":"https://api.example","issuer":"http://idp.example"}`:                                  "the issuer must be https",
			`{"resource":"http://api.example","issuer":"https://idp.example"}`:                                  "resource must be an https URL",
			`{"resource":"https://api.example","issuer":"https://idp.example","transport":{"protocol":"none"}}`: "transport: ",
		},
	} {
		for config, want := range tests {
			t.Run(handler+" "+config, func(t *testing.T) {
				err := load(t, handler, config)
				require.ErrorContains(t, err, want)
				requireNoKeysHeld(t)
			})
		}
	}
}
