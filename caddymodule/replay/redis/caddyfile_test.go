package redis

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/stretchr/testify/require"
)

func TestCaddyfile(t *testing.T) {
	for input, want := range map[string]string{
		"redis redis://localhost": `{"url": "redis://localhost"}`,
		"redis {env.REDIS_URL}":   `{"url": "{env.REDIS_URL}"}`,
		`redis rediss://redis.example {
			password        {file./run/secrets/redis}
			wait_replicas   1
			tls_trust_pool  file /etc/redis/ca.pem
			tls_client_auth /etc/gateway/redis.pem /etc/gateway/redis.key
			tls_server_name redis.internal
		}`: `{
			"url": "rediss://redis.example",
			"password": "{file./run/secrets/redis}",
			"wait_replicas": 1,
			"tls": {
				"ca": {"provider": "file", "pem_files": ["/etc/redis/ca.pem"]},
				"client_certificate_file": "/etc/gateway/redis.pem",
				"client_certificate_key_file": "/etc/gateway/redis.key",
				"server_name": "redis.internal"
			}
		}`,
	} {
		store := new(Store)
		require.NoError(t, store.UnmarshalCaddyfile(caddyfile.NewTestDispenser(input)))
		got, err := json.Marshal(store)
		require.NoError(t, err)
		require.JSONEq(t, want, string(got))
	}
}

func TestCaddyfileErrors(t *testing.T) {
	for input, want := range map[string]string{
		"redis":                                                            "redis needs an argument; if it comes from an environment variable, set that",
		"redis http://localhost":                                           "scheme",
		"redis redis://user:12/s3cret@localhost":                           "percent-encode",
		"redis redis://localhost redis://s3cret":                           "redis needs one argument, not 2",
		"redis redis://localhost {\n retries 3\n}":                         "unrecognized subdirective retries",
		"redis redis://localhost {\n passwd s3cret\n}":                     "unrecognized subdirective passwd (did you mean password?)",
		"redis redis://localhost {\n password\n}":                          "password needs an argument; if",
		"redis redis://localhost {\n password s3cret s3cret\n}":            "password needs one argument, not 2",
		"redis redis://localhost {\n wait_replicas 0\n}":                   "wait_replicas must be a whole number of replicas",
		"redis redis://localhost {\n wait_replicas 1\n wait_replicas 2\n}": "wait_replicas is given twice",
		"redis redis://localhost {\n wait_replicas all\n}":                 "wait_replicas must be a whole number of replicas",
		"redis redis://localhost {\n tls_client_auth cert\n}":              "tls_client_auth <certificate file> <key file>",
		"redis redis://localhost {\n tls_trust_pool\n}":                    "tls_trust_pool file <files...>",
		"redis redis://localhost {\n tls_trust_pool none\n}":               "tls.ca_pool.source.none",
	} {
		t.Run(input, func(t *testing.T) {
			err := new(Store).UnmarshalCaddyfile(caddyfile.NewTestDispenser(input))
			require.ErrorContains(t, err, want)
			require.NotContains(t, err.Error(), "s3cret")
		})
	}
}

func TestPlaceholdersAreResolvedAtLoad(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "password")
	require.NoError(t, os.WriteFile(secret, []byte("pa:ss/w@rd\n"), 0o600))
	t.Setenv("REDIS_URL", "redis://env-user:env-password@127.0.0.1:1/4")

	store := &Store{URL: "{env.REDIS_URL}", Password: "{file." + secret + "}"}
	require.NoError(t, store.Provision(newContext(t)))
	require.Equal(t, "redis://env-user:env-password@127.0.0.1:1/4", store.settings.url)
	require.Equal(t, "pa:ss/w@rd", store.settings.password)
	require.NoError(t, store.Cleanup())

	encoded, err := json.Marshal(store)
	require.NoError(t, err)
	require.NotContains(t, string(encoded), "env-password", "the configuration holds the placeholder")
}

func TestErrorsAtLoad(t *testing.T) {
	t.Setenv("BROKEN_URL", "redis://user:12/s3cret@localhost")
	t.Setenv("EMPTY", "")
	for name, test := range map[string]struct {
		store Store
		want  string
	}{
		"no URL":                {Store{}, "scheme"},
		"a broken URL":          {Store{URL: "{env.BROKEN_URL}"}, "percent-encode"},
		"an empty variable":     {Store{URL: "redis://localhost", Password: "{env.EMPTY}"}, "password"},
		"an unknown variable":   {Store{URL: "redis://localhost", Password: "{vars.user}"}, "password"},
		"TLS without rediss":    {Store{URL: "redis://localhost", TLS: &TLS{ServerName: "redis.internal"}}, "rediss"},
		"TLS that says nothing": {Store{URL: "rediss://localhost", TLS: new(TLS)}, "tls is empty"},
		"half a certificate":    {Store{URL: "rediss://localhost", TLS: &TLS{ClientCertificateFile: "cert.pem"}}, "client_certificate_key_file"},
	} {
		t.Run(name, func(t *testing.T) {
			err := test.store.Provision(newContext(t))
			require.ErrorContains(t, err, "replay redis: ")
			require.ErrorContains(t, err, test.want)
			require.NotContains(t, err.Error(), "s3cret")
			require.NoError(t, test.store.Cleanup(), "Caddy cleans up what it failed to provision")
		})
	}
}

func newContext(t testing.TB) caddy.Context {
	t.Helper()
	ctx, cancel := caddy.NewContext(caddy.Context{Context: context.Background()})
	t.Cleanup(cancel)
	return ctx
}
