package identity

import (
	"testing"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/stretchr/testify/require"
)

func TestMistakesInTheCaddyfileAreNamedWithTheirLine(t *testing.T) {
	for says, block := range map[string]string{
		"the address of the identity provider is missing":      "identity_gateway",
		"must be a URL such as":                                "identity_gateway idp.example.com",
		"unexpected argument b":                                "identity_gateway https://idp.example.com b",
		"unknown option proxy of identity_gateway":             "identity_gateway https://idp.example.com {\nproxy\n}",
		"front_channel both is unknown; use one of: redirect":  "identity_gateway https://idp.example.com {\nfront_channel both\n}",
		"front_channel needs an argument":                      "identity_gateway https://idp.example.com {\nfront_channel\n}",
		"parameters is given twice":                            "identity_gateway https://idp.example.com {\nparameters oauth\nparameters oauth\n}",
		"unexpected argument yes":                              "identity_gateway https://idp.example.com {\nrequire_state yes\n}",
		"unknown option redirect_uris of client":               "identity_gateway https://idp.example.com {\nclient a {\nredirect_uris x\n}\n}",
		"client needs an argument":                             "identity_gateway https://idp.example.com {\nclient {\nscope a\n}\n}",
		"endpoint introspect is unknown":                       "identity_gateway https://idp.example.com {\nendpoint introspect /x\n}",
		"endpoint token is given twice":                        "identity_gateway https://idp.example.com {\nendpoint token /x\nendpoint token /y\n}",
		"write: endpoint authorize|token":                      "identity_gateway https://idp.example.com {\nendpoint token\n}",
		"ledger disk is unknown; use one of: memory":           "identity_gateway https://idp.example.com {\nledger disk\n}",
		"capacity must be a positive number of entries, not 0": "identity_gateway https://idp.example.com {\nledger memory {\ncapacity 0\n}\n}",
		"ttl must be a positive duration such as 15m, not x":   "identity_gateway https://idp.example.com {\nledger memory {\nttl x\n}\n}",
		"max_answer must be a size such as 64KiB, not big":     "identity_gateway https://idp.example.com {\nmax_answer big\n}",
		"unrecognized subdirective too":                        "identity_gateway https://idp.example.com {\nupstream {\ntoo x\n}\n}",
	} {
		err := new(Gateway).UnmarshalCaddyfile(caddyfile.NewTestDispenser(block))
		require.ErrorContains(t, err, says)
		require.ErrorContains(t, err, "Testfile:", "file and line")
	}
}

func TestMistakesInTheConfigurationAreNamed(t *testing.T) {
	t.Setenv("TEST_IDENTITY_EMPTY", "")
	for says, directive := range map[string]string{
		"needs at least one redirect_uri":                             "identity_gateway https://idp.example.com {\nclient a\n}",
		"auth_url: ":                                                  "identity_gateway {env.TEST_IDENTITY_EMPTY}",
		"client a: redirect_uri http://x/ must be https":              "identity_gateway https://idp.example.com {\nclient a {\nredirect_uri http://x/\n}\n}",
		"client a is registered twice":                                "identity_gateway https://idp.example.com {\nclient a {\nredirect_uri https://x/\n}\nclient a {\nredirect_uri https://x/\n}\n}",
		"endpoint token: the path must begin with /":                  "identity_gateway https://idp.example.com {\nendpoint token x\n}",
		"ledger: ttl must be at least 1s":                             "identity_gateway https://idp.example.com {\nledger memory {\nttl 10ms\n}\n}",
		"client a: grant type implicit is unknown; use authorization": "identity_gateway https://idp.example.com {\nclient a {\nredirect_uri https://x/\ngrant_types implicit\n}\n}",
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
