//go:build unix

package redis

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/caddyserver/caddy/v2/modules/caddytls"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

func TestAUnixSocket(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "redis.sock")
	startServer(t, "--unixsocket", socket)
	store := provision(t, &Store{URL: "unix://" + socket + "?db=3"})
	mustClaim(t, store, key(1))
	requireClaimed(t, store, key(1))
	mustClaim(t, provision(t, &Store{URL: "unix://" + socket}), key(1))
}

func TestTLSWithAnAuthorityOfOnesOwn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeCertificates(t, dir)
	server := newServer(t)
	server.args = append(server.args, "--port", "0", "--tls-port", strconv.Itoa(server.port),
		"--tls-ca-cert-file", filepath.Join(dir, "ca.crt"),
		"--tls-cert-file", filepath.Join(dir, "server.crt"), "--tls-key-file", filepath.Join(dir, "server.key"))
	server.start()
	url := "rediss://" + server.address()
	authority, err := json.Marshal(map[string]any{"provider": "file", "pem_files": []string{filepath.Join(dir, "ca.crt")}})
	require.NoError(t, err)
	certificate, certificateKey := filepath.Join(dir, "client.crt"), filepath.Join(dir, "client.key")

	store := provision(t, &Store{URL: url, TLS: &TLS{CARaw: authority, ClientCertificateFile: certificate, ClientCertificateKeyFile: certificateKey}})
	claim := mustClaim(t, store, key(1))
	requireClaimed(t, store, key(1))
	require.NoError(t, claim.Release(t.Context()))

	for name, rejected := range map[string]*Store{
		"no TLS":                      {URL: server.url()},
		"an unknown authority":        {URL: url},
		"no client certificate":       {URL: url, TLS: &TLS{CARaw: authority}},
		"a certificate for another":   {URL: url, TLS: &TLS{CARaw: authority, ServerName: "redis.example", ClientCertificateFile: certificate, ClientCertificateKeyFile: certificateKey}},
		"no certificate for the name": {URL: strings.Replace(url, "127.0.0.1", "localhost", 1), TLS: &TLS{CARaw: authority, ClientCertificateFile: certificate, ClientCertificateKeyFile: certificateKey}},
	} {
		t.Run(name, func(t *testing.T) { t.Log(requireUndecided(t, provision(t, rejected), key(2))) })
	}
	mustClaim(t, store, key(2))

	named := provision(t, &Store{URL: strings.Replace(url, "127.0.0.1", "localhost", 1), TLS: &TLS{CARaw: authority, ServerName: "127.0.0.1", ClientCertificateFile: certificate, ClientCertificateKeyFile: certificateKey}})
	requireClaimed(t, named, key(2))
}

func startSentinel(t *testing.T, configuration string) *server {
	sentinel := newServer(t)
	file := filepath.Join(t.TempDir(), "sentinel.conf")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, "port %d\nbind 127.0.0.1\n%s", sentinel.port, configuration), 0o600))
	sentinel.args = []string{file, "--sentinel"}
	sentinel.start()
	return sentinel
}

// writeCertificates writes an authority, a certificate for 127.0.0.1 and one for a client.
func writeCertificates(t *testing.T, dir string) {
	t.Helper()
	create := func(name string, template, parent *x509.Certificate, signer *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey) {
		private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		require.NoError(t, err)
		template.SerialNumber = big.NewInt(time.Now().UnixNano())
		template.Subject = pkix.Name{CommonName: name}
		template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
		if parent == nil {
			parent, signer = template, private
		}
		der, err := x509.CreateCertificate(rand.Reader, template, parent, &private.PublicKey, signer)
		require.NoError(t, err)
		encoded, err := x509.MarshalPKCS8PrivateKey(private)
		require.NoError(t, err)
		for suffix, block := range map[string]*pem.Block{".crt": {Type: "CERTIFICATE", Bytes: der}, ".key": {Type: "PRIVATE KEY", Bytes: encoded}} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name+suffix), pem.EncodeToMemory(block), 0o600))
		}
		certificate, err := x509.ParseCertificate(der)
		require.NoError(t, err)
		return certificate, private
	}
	ca, caKey := create("ca", &x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}, nil, nil)
	create("server", &x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}, ca, caKey)
	create("client", &x509.Certificate{ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}, ca, caKey)
}

func TestAClaimOutlivesTheFailoverOfSentinels(t *testing.T) {
	const password = "s3cret"
	secure := []string{"--requirepass", password, "--masterauth", password}
	master := startServer(t, secure...)
	replica := startServer(t, append(secure, "--replicaof", "127.0.0.1 "+strconv.Itoa(master.port))...)
	sentinel := startSentinel(t, fmt.Sprintf(`requirepass watch
sentinel monitor main 127.0.0.1 %d 1
sentinel auth-pass main %s
sentinel down-after-milliseconds main 500
sentinel failover-timeout main 3000
`, master.port, password))

	url := fmt.Sprintf("redis+sentinel://:watch@127.0.0.1:1?master_name=main&addr=%s&password=%s", sentinel.address(), password)
	store := provision(t, &Store{URL: url})
	mustClaim(t, store, key(1))
	mustClaim(t, provision(t, &Store{URL: strings.Replace(url, "&password="+password, "", 1), Password: password}), key(2))

	replica.password = password
	require.Eventually(t, func() bool {
		return replica.do("exists", defaultKeyPrefix+encode(key(1)), defaultKeyPrefix+encode(key(2))) == int64(2)
	}, 10*time.Second, 50*time.Millisecond)
	master.kill()
	requireUndecided(t, store, key(3))

	require.Eventually(t, func() bool {
		_, err := store.Claim(t.Context(), key(1), time.Minute)
		require.Error(t, err, "a second claim")
		return errors.Is(err, replay.ErrClaimed)
	}, time.Minute, 200*time.Millisecond, "the Sentinels promote the replica, and the store finds it")
	requireClaimed(t, store, key(2))
	mustClaim(t, store, key(4))
}

func TestACluster(t *testing.T) {
	t.Parallel()
	nodes := startCluster(t, 3)
	store := provision(t, &Store{URL: "redis+cluster://127.0.0.1:1?addr=" + nodes[0].address()})
	claims := make([]replay.Claim, 30)
	for i := range claims {
		claims[i] = mustClaim(t, store, key(i))
	}
	for i := range claims {
		requireClaimed(t, store, key(i))
		require.NoError(t, claims[i].Release(t.Context()))
		mustClaim(t, store, key(i))
	}
	for _, node := range nodes {
		require.NotZero(t, node.do("dbsize"), "each node has a part of the keys")
	}
	for i := range 20 { // in slots of all nodes
		mustSwap(t, store, key(500+i), nil, []byte("a"), true)
		mustSwap(t, store, key(500+i), []byte("b"), []byte("c"), false)
		mustSwap(t, store, key(500+i), []byte("a"), []byte("c"), true)
		requireValue(t, store, key(500+i), []byte("c"))
	}

	t.Run("needs one command more of its user", func(t *testing.T) {
		var denied []any
		for _, node := range nodes {
			node.do("acl", "setuser", "gateway", "on", ">s3cret", "~"+defaultKeyPrefix+"*", "+set", "+get", "+del", "+eval", "+info", "+time", "+cluster|slots")
			node.do("acl", "log", "reset")
		}
		user := provision(t, &Store{URL: "redis+cluster://gateway:s3cret@" + nodes[1].address()})
		logs := watchLog(user)
		claim := mustClaim(t, user, key(100))
		requireClaimed(t, user, key(100))
		require.NoError(t, claim.Release(t.Context()))
		for _, node := range nodes {
			denied = append(denied, node.do("acl", "log").([]any)...)
		}
		require.Empty(t, denied)
		require.Zero(t, logs.Len(), "%v", logs.All())
	})

	t.Run("is not taken for a single server", func(t *testing.T) {
		err := requireUndecided(t, provision(t, &Store{URL: nodes[0].url()}), key(1))
		require.ErrorContains(t, err, "redis+cluster://")
	})

	t.Run("moves a slot", func(t *testing.T) {
		moved := provision(t, &Store{URL: store.URL, keyPrefix: "{moved}:"})
		claim := mustClaim(t, moved, key(1))
		require.NoError(t, claim.Release(t.Context()))
		slot := nodes[0].do("cluster", "keyslot", "{moved}:")
		to := nodes[0]
		if slot.(int64) < 16384/3 {
			to = nodes[1]
		}
		for _, node := range nodes {
			node.do("cluster", "setslot", slot, "node", to.do("cluster", "myid"))
		}
		to.do("cluster", "bumpepoch")
		mustClaim(t, moved, key(1))
		requireClaimed(t, moved, key(1))
	})

	t.Run("loses a node", func(t *testing.T) {
		nodes[2].kill()
		require.False(t, allClaimed(t, store, len(claims)))
		nodes[2].start()
		require.Eventually(t, func() bool { return allClaimed(t, store, len(claims)) }, time.Minute, 200*time.Millisecond)
	})

	t.Run("fails over", func(t *testing.T) {
		rotating := provision(t, &Store{URL: store.URL, timeout: 2 * time.Second}) // has a client of its own
		probed := provision(t, &Store{URL: store.URL, timeout: rotating.timeout + 1, keyPrefix: "{1}"})
		slot := nodes[0].do("cluster", "keyslot", probed.keyPrefix).(int64)
		require.True(t, slot > 16384/3 && slot < 2*16384/3, "slot %d is not of the node that fails", slot)
		require.NoError(t, probed.Ping(t.Context()))
		for i := range claims {
			mustSwap(t, rotating, key(1000+i), nil, []byte("a"), true)
		}
		replica, bus := startNode(t)
		master := nodes[1].do("cluster", "myid")
		require.Eventually(t, func() bool {
			nodes[0].do("cluster", "meet", "127.0.0.1", replica.port, bus)
			return strings.Contains(fmt.Sprint(replica.do("cluster", "info")), "cluster_state:ok")
		}, time.Minute, 300*time.Millisecond, "it does not know who has which slot")
		replica.do("cluster", "replicate", master)
		require.Eventually(t, func() bool {
			return replica.do("dbsize") == nodes[1].do("dbsize") && len(nodes[0].do("cluster", "replicas", master).([]any)) == 1
		}, time.Minute, 50*time.Millisecond)
		nodes[1].kill()
		require.Eventually(t, func() bool { return probed.Ping(t.Context()) == nil }, 30*time.Second, 200*time.Millisecond)
		require.Eventually(t, func() bool { return allLoad(t, rotating, 1000, len(claims)) }, 30*time.Second, 200*time.Millisecond)
		require.Eventually(t, func() bool { return allClaimed(t, store, len(claims)) }, time.Minute, 200*time.Millisecond)
	})
}

// allClaimed tells whether the keys below n are known to be claimed. None of
// them must be free.
func allClaimed(t *testing.T, store *Store, n int) bool {
	all := true
	for i := range n {
		_, err := store.Claim(t.Context(), key(i), time.Minute)
		require.Error(t, err, "a second claim")
		all = all && errors.Is(err, replay.ErrClaimed)
	}
	return all
}

// allLoad tells whether the values of n keys can be loaded.
func allLoad(t *testing.T, store *Store, first, n int) bool {
	for i := range n {
		value, _, err := store.Load(t.Context(), key(first+i))
		if err != nil {
			return false
		}
		require.Equal(t, "a", string(value))
	}
	return true
}

func TestAClusterIsSentEachCommandOnce(t *testing.T) {
	node := startCluster(t, 1)[0]
	proxy := startProxy(t, node.address())
	_, port, err := net.SplitHostPort(proxy.address())
	require.NoError(t, err)
	node.do("config", "set", "cluster-announce-port", port)
	store := provision(t, &Store{URL: "redis+cluster://" + proxy.address()})
	mustClaim(t, store, key(0))
	require.EqualValues(t, 1, proxy.sets.Swap(0))

	proxy.lose(1, 0)
	requireUndecided(t, store, key(1))
	require.EqualValues(t, 1, proxy.sets.Swap(0))

	proxy.lose(0, 1)
	mustClaim(t, store, key(2))
	require.EqualValues(t, 1, proxy.sets.Swap(0))
	requireClaimed(t, store, key(2))
}

// startNode starts an empty node of a cluster and returns the port of its bus, too.
func startNode(t *testing.T) (*server, int) {
	bus, err := testgateway.FreePorts(1)
	require.NoError(t, err)
	return startServer(t, "--cluster-enabled", "yes", "--cluster-port", strconv.Itoa(bus), "--cluster-node-timeout", "2000"), bus
}

func startCluster(t *testing.T, size int) []*server {
	t.Helper()
	nodes, buses := make([]*server, size), make([]int, size)
	for i := range nodes {
		nodes[i], buses[i] = startNode(t)
		nodes[i].do("cluster", "addslotsrange", i*16384/size, (i+1)*16384/size-1)
		nodes[i].do("cluster", "set-config-epoch", i+1)
	}
	require.Eventually(t, func() bool {
		up := true
		for i, node := range nodes {
			info := fmt.Sprint(node.do("cluster", "info"))
			if !strings.Contains(info, "cluster_state:ok") || !strings.Contains(info, fmt.Sprintf("cluster_known_nodes:%d\r", size)) {
				up = false
				if i > 0 {
					nodes[0].do("cluster", "meet", "127.0.0.1", node.port, buses[i]) // again: a busy node misses some
				}
			}
		}
		return up
	}, time.Minute, 300*time.Millisecond, "the cluster does not come up")
	return nodes
}
