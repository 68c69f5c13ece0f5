package identity

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/stretchr/testify/require"
)

func TestMistakesInTheCaddyfileAreNamedWithTheirLine(t *testing.T) {
	const directive = "identity_gateway https://idp.example.com"
	for block, says := range map[string]string{
		"identity_gateway":                                                                             "the address of the identity provider is missing",
		"identity_gateway idp.example.com":                                                             "must be a URL such as",
		directive + " b":                                                                               `unexpected argument "b"`,
		directive + " {\nproxy\n}":                                                                     "unrecognized subdirective proxy; identity_gateway has authorize_parameter, backchannel_logout, callback, client,",
		directive + " {\ndiscovery\n}":                                                                 "did you mean discover?",
		directive + " {\nfront_channel both\n}":                                                        `front_channel must be redirect or proxy, not "both"`,
		directive + " {\nfront_channel\n}":                                                             "front_channel needs an argument",
		directive + " {\nparameters interface\n}":                                                      "parameters must be contract or oauth",
		directive + " {\nparameters oauth nonce\nparameters contract\n}":                               "parameters contract is given twice, or with another one",
		directive + " {\nparameters\n}":                                                                "parameters needs contract or oauth, or nonce, or both",
		directive + " {\nendpoint logout\n}":                                                           "endpoint logout [<path or URL>] [auth0|rp_initiated|cognito|none]",
		directive + " {\nendpoint logout /a none\nendpoint logout /logout\n}":                          "endpoint logout is given twice",
		directive + " {\nendpoint logout none\nendpoint logout cognito\n}":                             "the form of endpoint logout is given twice: none and cognito",
		directive + " {\nendpoint logout rp_inititated\n}":                                             `the form of endpoint logout must be auth0, rp_initiated, cognito or none, not "rp_inititated" (did you mean rp_initiated?)`,
		directive + " {\nendpoint logout /logout cognitto\n}":                                          "did you mean cognito?",
		directive + " {\nendpoint logout logout\n}":                                                    `the form of endpoint logout must be auth0, rp_initiated, cognito or none, not "logout"`,
		directive + " {\nreplay fiel\n}":                                                               "did you mean file?",
		directive + " {\nclient a {\ntoken_endpoint_auth private_key_jtw k\n}\n}":                      "did you mean private_key_jwt?",
		directive + " {\nclient a {\ntoken_endpoint_auth client_secret_basic client_secret_pots\n}\n}": "did you mean client_secret_post?",
		directive + " {\nendpoint token /token rp_initiated\n}":                                        "endpoint needs a name and a path",
		directive + " {\nauthorize_parameter audience a\nauthorize_parameter audience b\n}":            "authorize_parameter audience is given twice",
		directive + " {\nlogout_protocol none\n}":                                                      "logout_protocol of identity_gateway has another place; write endpoint logout",
		directive + " {\nclient a {\nredirect_uris x\n}\n}":                                            "unrecognized subdirective redirect_uris (did you mean redirect_uri?); client has",
		directive + " {\nclient {\nscope a\n}\n}":                                                      "client needs one id, not 0",
		directive + " {\nclient a {\norigin\n}\n}":                                                     "origin needs at least one argument",
		directive + " {\nclient a {\norigin https://a.example/\n}\n}":                                  "must have nothing but a scheme and a host; write https://a.example",
		directive + " {\nclient a {\nconsent A b\n}\n}":                                                `unexpected argument "b" after A`,
		directive + " {\nnonce require\n}":                                                             "nonce of identity_gateway has another place; write parameters nonce",
		directive + " {\nclient a {\nidp_client b {\nprivate_key_jwt k.pem 1 2 endpoint\n}\n}\n}":      "private_key_jwt needs one argument or two, not 3",
		directive + " {\nclient a {\nidp_client b {\nprivate_key_jwt\n}\n}\n}":                         "private_key_jwt needs an argument",
		directive + " {\nclient a {\nidp_client b {\nassertion_audience endpoint\n}\n}\n}":             "assertion_audience of idp_client has another place; write private_key_jwt <file> [<kid>] endpoint",
		directive + " {\npar on\n}":                                                                    "par of identity_gateway has another place; write endpoint par",
		directive + " {\ndefault_audience a\n}":                                                        "default_audience of identity_gateway has another place; write authorize_parameter audience",
		directive + " {\nclient a {\nidp_client b {\nsecret\n}\n}\n}":                                  "secret needs an argument; if it comes from an environment variable, set that",
		directive + " {\nclient a {\nidp_client b {\nsecret s client_secret_post s\n}\n}\n}":           "secret needs one argument or two, not 3",
		directive + "/authorize":                                                                       "the IdP's address must not be that of an endpoint: leave out /authorize",
		directive + " {\nendpoint introspect /x\n}":                                                    "endpoint introspect is unknown",
		directive + " {\nresource https://a.example {\nintrospection id\n}\n}":                         "introspection needs an id and a secret",
		directive + " {\nauthorize_parameter prompt a\nauthorize_parameter prompt b\n}":                "authorize_parameter prompt is given twice",
		directive + " {\nendpoint token /x\nendpoint token /y\n}":                                      "endpoint token is given twice",
		directive + " {\nendpoint token\n}":                                                            "endpoint needs a name and a path",
		directive + " {\ndeny_path\n}":                                                                 "deny_path needs at least one argument",
		directive + " {\ndeny_path /a okra\n}":                                                         "okra is neither a path, which begins with /, nor the list of an IdP: auth0, cognito, dex,",
		directive + " {\ndeny_path /oauth/*\n}":                                                        "deny_path: /oauth/* would deny the token endpoint, /oauth/token",
		directive + " {\nreplay disk\n}":                                                               "replay disk: this Caddy was built without the module http.identity_gateway.replay.disk; add it with xcaddy's --with",
		directive + " {\nlogin_timeout x\n}":                                                           `login_timeout must be a positive duration such as 30s or 15m, not "x"`,
		directive + " {\ncallback /a /b\n}":                                                            `unexpected argument "/b" after /a`,
		directive + " {\nclient a {\nidp_client b {\nsecert s\n}\n}\n}":                                "unrecognized subdirective secert (did you mean secret?)",
		directive + " {\nresponse_timeout 1s\nresponse_timeout 1s\n}":                                  "response_timeout is given twice",
		directive + " {\nmax_answer 1MiB\n}":                                                           "unrecognized subdirective max_answer",
		directive + " {\ntransport http {\ntoo x\n}\n}":                                                "unrecognized subdirective too",
	} {
		err := new(Gateway).UnmarshalCaddyfile(caddyfile.NewTestDispenser(block))
		require.ErrorContains(t, err, says)
		require.ErrorContains(t, err, "Testfile:", "file and line")
	}
}

func TestMistakesInTheConfigurationAreNamed(t *testing.T) {
	t.Setenv("TEST_IDENTITY_EMPTY", "")
	for says, directive := range map[string]string{
		"rotate_refresh need callback": "identity_gateway https://idp.example.com {\nreplay memory\n}",
		"client a: origin: ":           "identity_gateway https://idp.example.com {\nclient a {\nredirect_uri https://x/\norigin {env.TEST_IDENTITY_EMPTY}\n}\n}",
	} {
		_, _, err := provision(t, directive, t.TempDir())
		require.ErrorContains(t, err, says)
	}
}

func TestOptionsThatNeedACallback(t *testing.T) {
	for _, option := range []string{
		"login_timeout 5m", "sealing_key " + testKey, "replay memory", "rotate_refresh", "parameters nonce", "step_up",
	} {
		_, _, err := provision(t, "identity_gateway https://idp.example.com {\n"+option+"\n}", t.TempDir())
		require.ErrorContains(t, err, "callback", option)
		name, _, _ := strings.Cut(strings.TrimPrefix(option, "parameters "), " ")
		require.ErrorContains(t, err, name)
		_, cleanup, err := provision(t, "identity_gateway https://idp.example.com {\ncallback\n"+option+"\n}", t.TempDir())
		require.NoError(t, err, option)
		cleanup()
	}
}

// What is not known yet is no mistake, wherever a placeholder may stand.
func TestPlaceholdersAreNoMistakes(t *testing.T) {
	_, err := adapt(t, `login.example.com {
		identity_gateway {env.AUTH_URL} {
			authorize_parameter audience {env.AUDIENCE}
			callback
			sealing_key {file./run/secrets/key}
			issuer {env.ISSUER}
			public_url {env.PUBLIC_URL}
			endpoint token {env.TOKEN_ENDPOINT}
			client {env.ID} {
				redirect_uri {env.REDIRECT} {env.OTHER_REDIRECT}
				return_to {env.RETURN_TO}
				origin {env.ORIGIN}
				audience {env.OTHER_AUDIENCE} https://api.example.com
				idp_client {env.IDP_ID} {
					secret {file./run/secrets/idp}
				}
			}
			resource https://api.example.com {
				scope read
				introspection api {env.S}
			}
			client {env.OTHER_ID} {
				redirect_uri {env.REDIRECT}
				idp_client {env.OTHER_IDP_ID} {
					private_key_jwt {env.KEY_FILE} key-1 endpoint
				}
			}
		}
	}`)
	require.NoError(t, err)
}

func TestPlaceholdersAreResolvedWhenTheConfigurationIsLoaded(t *testing.T) {
	rec := newRecorder(t, nil)
	t.Setenv("TEST_IDENTITY_AUTH_URL", rec.URL)
	t.Setenv("TEST_IDENTITY_CLIENT", "app")
	g := front(t, loaded(t, `identity_gateway {env.TEST_IDENTITY_AUTH_URL} {
		client {env.TEST_IDENTITY_CLIENT} {
			redirect_uri https://app.example/cb
		}
	}`, t.TempDir()), rec)
	g.begin(verifier1)
	require.Equal(t, 200, g.post("/oauth/token", tokenBody(verifier1, "c")).StatusCode)
	require.Len(t, rec.reached(), 1)
}

func TestNegativeTimesAreErrors(t *testing.T) {
	ctx, err := caddy.ProvisionContext(&caddy.Config{Admin: &caddy.AdminConfig{Disabled: true}})
	require.NoError(t, err)
	_, err = ctx.LoadModuleByID("http.handlers.identity_gateway", json.RawMessage(`{"auth_url":"https://idp.example","response_timeout":-1}`))
	require.ErrorContains(t, err, "response_timeout must not be negative")
}
