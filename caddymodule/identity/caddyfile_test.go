package identity

import (
	"encoding/json"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/stretchr/testify/require"
)

func TestMistakesInTheCaddyfileAreNamedWithTheirLine(t *testing.T) {
	const directive = "identity_gateway https://idp.example.com"
	for block, says := range map[string]string{
		"identity_gateway":                                              "the address of the identity provider is missing",
		"identity_gateway idp.example.com":                              "must be a URL such as",
		directive + " b":                                                `unexpected argument "b"`,
		directive + " {\nproxy\n}":                                      "unrecognized subdirective proxy; identity_gateway has accept_unsealed_refresh_tokens, allow_unrequested_nonce,",
		directive + " {\nrequire_sate\n}":                               "did you mean require_state?",
		directive + " {\nfront_channel both\n}":                         `front_channel must be redirect or proxy, not "both"`,
		directive + " {\nfront_channel\n}":                              "front_channel needs an argument",
		directive + " {\nparameters interface\n}":                       "parameters must be contract or oauth",
		directive + " {\nparameters oauth\nparameters oauth\n}":         "parameters is given twice in identity_gateway",
		directive + " {\nrequire_state yes\n}":                          `unexpected argument "yes" after require_state`,
		directive + " {\nclient a {\nredirect_uris x\n}\n}":             "unrecognized subdirective redirect_uris (did you mean redirect_uri?); client has",
		directive + " {\nclient {\nscope a\n}\n}":                       "client needs an argument",
		directive + " {\nclient a {\norigin\n}\n}":                      "origin needs at least one argument",
		directive + " {\nendpoint introspect /x\n}":                     "endpoint introspect is unknown",
		directive + " {\nendpoint token /x\nendpoint token /y\n}":       "endpoint token is given twice",
		directive + " {\nendpoint token\n}":                             "endpoint needs a name and a path",
		directive + " {\ndeny_paths\n}":                                 "deny_paths needs at least one argument",
		directive + " {\ndeny_paths /a okra\n}":                         "okra is neither a path, which begins with /, nor the list of an IdP: auth0, cognito, dex,",
		directive + " {\ndeny_paths /oauth/*\n}":                        "deny_paths: /oauth/* would deny the token endpoint, /oauth/token",
		directive + " {\nledger memory\n}":                              "ledger is gone: with callback the gateway binds each code to its login, and replay records which were redeemed",
		directive + " {\nreplay disk\n}":                                "replay disk: this Caddy was built without the module http.identity_gateway.replay.disk; add it with xcaddy's --with",
		directive + " {\nlogin_timeout x\n}":                            `login_timeout must be a positive duration such as 30s or 15m, not "x"`,
		directive + " {\ncallback /a /b\n}":                             "wrong argument count",
		directive + " {\nclient a {\nidp_client b {\nsecert s\n}\n}\n}": "unrecognized subdirective secert (did you mean secret?)",
		directive + " {\nmax_response big\n}":                           `max_response must be a size such as 64KiB or 2MB, not "big"`,
		directive + " {\nmax_answer 1MiB\n}":                            "unrecognized subdirective max_answer",
		directive + " {\nmax_response 1MiB\nmax_response 1MiB\n}":       "max_response is given twice",
		directive + " {\nupstream {\ntoo x\n}\n}":                       "unrecognized subdirective too",
	} {
		err := new(Gateway).UnmarshalCaddyfile(caddyfile.NewTestDispenser(block))
		require.ErrorContains(t, err, says)
		require.ErrorContains(t, err, "Testfile:", "file and line")
	}
}

func TestMistakesInTheConfigurationAreNamed(t *testing.T) {
	t.Setenv("TEST_IDENTITY_EMPTY", "")
	for says, directive := range map[string]string{
		"needs at least one redirect_uri":                "identity_gateway https://idp.example.com {\nclient a\n}",
		"auth_url: ":                                     "identity_gateway {env.TEST_IDENTITY_EMPTY}",
		"client a: redirect_uri http://x/ must be https": "identity_gateway https://idp.example.com {\nclient a {\nredirect_uri http://x/\n}\n}",
		"client a is registered twice":                   "identity_gateway https://idp.example.com {\nclient a {\nredirect_uri https://x/\n}\nclient a {\nredirect_uri https://x/\n}\n}",
		"endpoint token: x is not absolute; write a path, which begins with /": "identity_gateway https://idp.example.com {\nendpoint token x\n}",
		"login_timeout must be between 1m and 24h0m0s":                         "identity_gateway https://idp.example.com {\ncallback\nlogin_timeout 10s\n}",
		"rotate_refresh need callback":                                         "identity_gateway https://idp.example.com {\nreplay memory\n}",
		"sealing_key: master key 1 has 5 bytes":                                "identity_gateway https://idp.example.com {\ncallback\nsealing_key short\n}",
		"client a: grant type implicit is unknown; use authorization":          "identity_gateway https://idp.example.com {\nclient a {\nredirect_uri https://x/\ngrant_types implicit\n}\n}",
		`client a: origin "https://a.example/" must have nothing but`:          "identity_gateway https://idp.example.com {\nclient a {\nredirect_uri https://x/\norigin https://a.example/\n}\n}",
		"client a: origin * is not accepted here":                              "identity_gateway https://idp.example.com {\nclient a {\nredirect_uri https://x/\norigin *\n}\n}",
		"client a: origin: ":                                                   "identity_gateway https://idp.example.com {\nclient a {\nredirect_uri https://x/\norigin {env.TEST_IDENTITY_EMPTY}\n}\n}",
	} {
		_, _, err := provision(t, directive, t.TempDir())
		require.ErrorContains(t, err, says)
	}
}

func TestPlaceholdersAreResolvedWhenTheConfigurationIsLoaded(t *testing.T) {
	rec := newRecorder(t, nil)
	t.Setenv("TEST_IDENTITY_AUTH_URL", rec.URL)
	t.Setenv("TEST_IDENTITY_CLIENT", "app")
	g, cleanup, err := provision(t, `identity_gateway {env.TEST_IDENTITY_AUTH_URL} {
		client {env.TEST_IDENTITY_CLIENT} {
			redirect_uri https://app.example/cb
		}
	}`, t.TempDir())
	require.NoError(t, err)
	t.Cleanup(cleanup)
	gw := &gateway{serve(t, g), rec, t}
	gw.begin(verifier1)
	require.Equal(t, 200, gw.post("/oauth/token", tokenBody(verifier1, "c")).StatusCode)
	require.Len(t, rec.reached(), 1)
}

func TestNegativeLimitsAreErrors(t *testing.T) {
	for field, config := range map[string]string{
		"max_request_body": `{"auth_url":"https://idp.example","max_request_body":-1}`,
		"max_response":     `{"auth_url":"https://idp.example","max_response":-1}`,
		"response_timeout": `{"auth_url":"https://idp.example","response_timeout":-1}`,
	} {
		ctx, err := caddy.ProvisionContext(&caddy.Config{Admin: &caddy.AdminConfig{Disabled: true}})
		require.NoError(t, err)
		_, err = ctx.LoadModuleByID("http.handlers.identity_gateway", json.RawMessage(config))
		require.ErrorContains(t, err, field+" must not be negative")
	}
}
