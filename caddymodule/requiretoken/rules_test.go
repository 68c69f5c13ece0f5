package requiretoken

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What a JSON configuration, or a placeholder in a Caddyfile, can get wrong is found
// when the configuration is loaded. Nothing of it stays.
func TestMistakesInAConfigurationAreExplained(t *testing.T) {
	t.Setenv("TEST_EMPTY", "")
	t.Setenv("TEST_UNENCRYPTED", "http://api.example")
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
			`{"issuer":"https://idp.example","audiences":["api"],"headers":{"authorization":"sub"}}`:                                     "header: authorization can't be made of a claim",
			`{"issuer":"https://idp.example","audiences":["api"],"headers":{"Host":"sub"}}`:                                              "header: Host can't be made of a claim",
			`{"issuer":"https://idp.example","audiences":["api"],"headers":{"Content_Length":"sub"}}`:                                    "header: Content_Length can't be made of a claim",
			`{"issuer":"https://idp.example","audiences":["api"],"headers":{"Connection":"sub"}}`:                                        "header: Connection can't be made of a claim",
			`{"issuer":"https://idp.example","audiences":["api"],"headers":{"Keep-Alive":"sub"}}`:                                        "header: Keep-Alive can't be made of a claim",
			`{"issuer":"https://idp.example","audiences":["api"],"headers":{"TE":"sub"}}`:                                                "header: TE can't be made of a claim",
			`{"issuer":"https://idp.example","audiences":["api"],"headers":{"Trailer":"sub"}}`:                                           "header: Trailer can't be made of a claim",
			`{"issuer":"https://idp.example","audiences":["api"],"headers":{"Transfer-Encoding":"sub"}}`:                                 "header: Transfer-Encoding can't be made of a claim",
			`{"issuer":"https://idp.example","audiences":["api"],"headers":{"Upgrade":"sub"}}`:                                           "header: Upgrade can't be made of a claim",
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
