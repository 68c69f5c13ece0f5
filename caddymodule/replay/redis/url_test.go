package redis

import (
	"strings"
	"testing"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

func TestURLs(t *testing.T) {
	for url, want := range map[string]goredis.UniversalOptions{
		"redis://localhost":                        {Addrs: []string{"localhost:6379"}},
		"redis://redis.example:6380/2":             {Addrs: []string{"redis.example:6380"}, DB: 2},
		"redis://redis.example/?db=2":              {Addrs: []string{"redis.example:6379"}, DB: 2},
		"redis://:secret@redis.example":            {Addrs: []string{"redis.example:6379"}, Password: "secret"},
		"redis://user:p%40ss%2Fword@redis.example": {Addrs: []string{"redis.example:6379"}, Username: "user", Password: "p@ss/word"},
		"redis://[2001:db8::1]:6380":               {Addrs: []string{"[2001:db8::1]:6380"}},
		"unix:///run/redis/redis.sock":             {Addrs: []string{"/run/redis/redis.sock"}},
		"unix://user:secret@/run/redis.sock?db=1":  {Addrs: []string{"/run/redis.sock"}, Username: "user", Password: "secret", DB: 1},
		"redis+sentinel://watcher:watch@s1.example:26379/1?master_name=main&addr=s2.example:26379&addr=s3.example:26379&username=user&password=secret": {
			Addrs: []string{"s1.example:26379", "s2.example:26379", "s3.example:26379"}, MasterName: "main", DB: 1,
			SentinelUsername: "watcher", SentinelPassword: "watch", Username: "user", Password: "secret",
		},
		"redis+cluster://user:secret@n1.example:7000?addr=n2.example:7000": {
			Addrs: []string{"n1.example:7000", "n2.example:7000"}, IsClusterMode: true, Username: "user", Password: "secret",
		},
	} {
		t.Run(url, func(t *testing.T) {
			options, err := parseURL(url)
			require.NoError(t, err)
			require.Equal(t, &want, options)

			secure, err := parseURL(strings.Replace(url, "redis", "rediss", 1))
			if strings.HasPrefix(url, "unix") {
				return
			}
			require.NoError(t, err)
			require.NotNil(t, secure.TLSConfig)
			require.Empty(t, secure.TLSConfig.ServerName, "each server has a name of its own")
			secure.TLSConfig = nil
			require.Equal(t, &want, secure)
		})
	}
}

func TestURLsThatAreRejected(t *testing.T) {
	for name, url := range map[string]string{
		"empty":                             "",
		"no scheme":                         "localhost:6379",
		"another scheme":                    "http://user:s3cret@localhost",
		"another form":                      "redis+proxy://user:s3cret@localhost",
		"a socket in a cluster":             "unix+cluster:///run/redis.sock",
		"no host":                           "redis:///0",
		"no socket":                         "unix://run/redis.sock",
		"a database with a name":            "redis://localhost/s3cret",
		"a negative database":               "redis://localhost/-1",
		"two databases in the path":         "redis://localhost/1/2",
		"a cluster has one database":        "redis+cluster://localhost/1",
		"Sentinels without a master's name": "redis+sentinel://localhost",
		"a master's name without Sentinels": "redis://localhost?master_name=main",
		"retries":                           "redis://localhost?max_retries=3",
		"retries by redirects":              "redis+cluster://localhost?max_redirects=3",
		"reading from replicas":             "redis+cluster://localhost?read_only=true",
		"the nearest replica":               "redis+cluster://localhost?route_by_latency=true",
		"replicas only":                     "redis+sentinel://localhost?master_name=main&replica_only=true",
		"waiting for ever":                  "redis://localhost?read_timeout=-1",
		"an unverified certificate":         "rediss://localhost?skip_verify=true",
		"a broken escape":                   "redis://user:s3cret%zz@localhost",
		"a broken escape in the query":      "redis+sentinel://localhost?master_name=main&password=s3cret%zz",
		"an unencoded slash":                "redis://user:12/s3cret@localhost",
		"an unencoded slash, no number":     "redis://user:s3/cret@localhost",
		"an unencoded question mark":        "redis://user:12?s3cret@localhost",
		"an unencoded hash":                 "redis://user:12#s3cret@localhost",
		"an unencoded percent sign":         "redis://user:s3cret%@localhost",
		"a space":                           "redis://user:s3cret @localhost",
		"a control character":               "redis://user:s3cret\n@localhost",
		"a port that is none":               "redis://localhost:s3cret",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parseURL(url)
			require.Error(t, err)
			require.NotContains(t, err.Error(), "cret", "a part of the password")
		})
	}
}

func TestUnencryptedConnectionsToOtherMachinesAreWarnedOf(t *testing.T) {
	for url, servers := range map[string]string{
		"redis://user:s3cret@redis.internal": "redis.internal:6379",
		"redis://10.0.0.7:6380/2":            "10.0.0.7:6380",
		"redis://[2001:db8::1]":              "[2001:db8::1]:6379",
		"redis+sentinel://127.0.0.1?master_name=main&addr=redis2.internal:26379": "127.0.0.1:6379, redis2.internal:26379",
		"redis+cluster://localhost?addr=redis2.internal:6379":                    "localhost:6379, redis2.internal:6379",
		"redis://localhost.redis.internal":                                       "localhost.redis.internal:6379",
		"redis://localhost":                                                      "",
		"redis://127.0.0.2:6379":                                                 "",
		"redis://[::1]":                                                          "",
		"unix:///run/redis/redis.sock":                                           "",
		"unix:///run/redis:6379":                                                 "",
		"rediss://redis.internal":                                                "",
		"rediss+sentinel://redis1.internal?master_name=main&addr=redis2.internal:26379": "",
		"rediss+cluster://redis1.internal":                                              "",
		"redis+sentinel://127.0.0.1:26379?master_name=main&addr=localhost:26380":        "",
	} {
		c, err := newClient(settings{url: url, timeout: defaultTimeout})
		require.NoError(t, err, url)
		core, logs := observer.New(zap.WarnLevel)
		c.warnUnencrypted(zap.New(core))
		require.NoError(t, c.Destruct())
		if servers == "" {
			require.Zero(t, logs.Len(), url)
			continue
		}
		require.Equal(t, 1, logs.Len(), url)
		require.Contains(t, logs.All()[0].Message, "use rediss")
		require.Equal(t, map[string]any{"servers": servers}, logs.All()[0].ContextMap())
	}
}

// The name of a store is that of its servers, and no secret.
func TestTheNameOfAStore(t *testing.T) {
	name := func(url, prefix string) string {
		return (&Store{keyPrefix: prefix, settings: settings{url: url}}).Name()
	}
	first := name("redis://user:secret@one.example", "p:")
	require.NotContains(t, first, "secret")
	for url, same := range map[string]bool{
		"redis://one.example": true, "redis://one.example:6379/0": true, "rediss://other:password@one.example": true,
		"redis://one.example/1": false, "redis://one.example:6380": false, "redis://two.example": false,
	} {
		require.Equal(t, same, name(url, "p:") == first, url)
	}
	require.NotEqual(t, first, name("redis://one.example", "q:"))
	require.Equal(t, name("redis+cluster://a.example:1?addr=b.example:2", "p:"), name("redis+cluster://b.example:2?addr=a.example:1", "p:"), "in any order")
}
