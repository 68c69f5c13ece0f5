//go:build unix

package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/testlogin"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/testnet"
)

const (
	nodePort = 8080
	idpPort  = 9000
	// publicAddress is that of the gateway, as clients and the IdP know it.
	publicAddress = "https://login.test"
	// responseTimeout is the gateway's.
	responseTimeout = 5 * time.Second
)

// stage is three gateways, three Redis servers with their Sentinels, an IdP and the
// clients, each at a host of its own.
type stage struct {
	executable string
	folder     string
	network    *testnet.Network
	clients    *testnet.Host
	idpHost    *testnet.Host
	idp        *testidp.Server
	nodes      [3]*node
	redis      [3]*redisHost
}

// node is a gateway.
type node struct {
	*testnet.Host
	home    string
	process *caddyprocess.Process
}

func (n *node) url() string { return fmt.Sprintf("http://%s:%d", n.Address(), nodePort) }

func newStage(executable string) (*stage, error) {
	if _, err := exec.LookPath("redis-server"); err != nil {
		return nil, errNoRedis
	}
	network, err := testnet.New()
	if err != nil {
		return nil, err
	}
	s := &stage{executable: executable, network: network}
	if err := s.addHosts(); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *stage) addHosts() error {
	var err error
	if s.folder, err = os.MkdirTemp("", "cluster"); err != nil {
		return err
	}
	hosts, err := s.network.Hosts("clients.test", "idp.test", "node1.test", "node2.test", "node3.test", "redis1.test", "redis2.test", "redis3.test")
	if err != nil {
		return err
	}
	s.clients, s.idpHost = hosts[0], hosts[1]
	for i := range s.nodes {
		s.nodes[i] = &node{Host: hosts[2+i], home: filepath.Join(s.folder, fmt.Sprint("n", i+1))}
		s.redis[i] = &redisHost{Host: hosts[5+i], folder: filepath.Join(s.folder, fmt.Sprint("redis", i+1))}
	}
	behavior := testlogin.Behavior(publicAddress)
	// It gives a token for a code as often as it is asked: the gateway alone prevents a second one.
	behavior.SingleUse = false
	behavior.Listen = func() (net.Listener, error) { return s.idpHost.Listen(idpPort) }
	s.idp, err = testidp.Start(behavior)
	return err
}

func (s *stage) close() error {
	s.stop()
	var err error
	if s.idp != nil {
		err = s.idp.Close()
	}
	return errors.Join(err, s.network.Close(), os.RemoveAll(s.folder))
}

// stop ends all processes.
func (s *stage) stop() {
	for i := range s.nodes {
		if n := s.nodes[i]; n != nil && n.process != nil {
			n.process.Kill()
			n.process = nil
		}
		if s.redis[i] != nil {
			s.redis[i].stop()
		}
	}
}

// store is where the nodes record what was redeemed.
type store int

const (
	memory       store = iota // each for itself
	unconfirmed               // Redis, as it is by default
	minReplicas               // Redis with min-replicas-to-write 1
	waitReplicas              // Redis, and wait_replicas 1
)

// start starts everything anew, with nothing remembered.
func (s *stage) start(store store) error {
	s.stop()
	s.network.Heal()
	s.idp.Forget()
	for i := range s.nodes {
		for _, folder := range []string{s.nodes[i].home, s.redis[i].folder} {
			if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o700)); err != nil {
				return err
			}
		}
	}
	if err := os.WriteFile(s.passwordFile(), []byte(password), 0o600); err != nil {
		return err
	}
	if store != memory {
		if err := s.startRedis(store); err != nil {
			return err
		}
	}
	for i := range s.nodes {
		if err := s.startNode(i, store); err != nil {
			return err
		}
	}
	return nil
}

func (s *stage) startRedis(store store) error {
	var master *redisHost
	for _, r := range s.redis {
		r.options = nil
		if store == minReplicas {
			r.options = []string{"--min-replicas-to-write", "1", "--min-replicas-max-lag", "10"}
		}
		if err := r.start(master); err != nil {
			return err
		}
		if master == nil {
			master = r
			if err := await("Redis", func() error { return second(r.do("ping")) }); err != nil {
				return err
			}
		}
	}
	if err := await("replication", func() error {
		reply, err := master.do("info", "replication")
		return errors.Join(contains(reply, err, "connected_slaves:2"), absent(reply, "state=wait", "state=send"))
	}); err != nil {
		return err
	}
	for _, r := range s.redis {
		if err := r.watch(master, 2); err != nil {
			return err
		}
	}
	for _, r := range s.redis {
		if err := await("Sentinels", func() error {
			reply, err := r.ask("sentinel", "ckquorum", masterName)
			if err = contains(reply, err, "OK 3 usable Sentinels"); err != nil {
				return err
			}
			reply, err = r.ask("sentinel", "master", masterName)
			return contains(reply, err, "num-slaves\n2")
		}); err != nil {
			return err
		}
	}
	return nil
}

func second(_ string, err error) error { return err }

func absent(reply string, texts ...string) error {
	for _, text := range texts {
		if strings.Contains(reply, text) {
			return fmt.Errorf("%q in %q", text, reply)
		}
	}
	return nil
}

func (s *stage) passwordFile() string { return filepath.Join(s.folder, "password") }

// master is the host whose server the Sentinels of most hosts take for the master.
func (s *stage) master() (*redisHost, error) {
	votes := make(map[string]int)
	for _, r := range s.redis {
		reply, err := r.ask("sentinel", "get-master-addr-by-name", masterName)
		if err != nil {
			continue
		}
		address, _, _ := strings.Cut(reply, "\n")
		if votes[address]++; votes[address] > 1 {
			for _, candidate := range s.redis {
				if candidate.Address() == address {
					return candidate, nil
				}
			}
		}
	}
	return nil, fmt.Errorf("the Sentinels do not agree: %v", votes)
}

// caddyfile is a node's configuration.
func (s *stage) caddyfile(i int, store store) string {
	replay := "replay memory"
	if store != memory {
		options := fmt.Sprintf("password {file.%s}", s.passwordFile())
		if store == waitReplicas {
			options += "\nwait_replicas 1"
		}
		replay = fmt.Sprintf("replay redis redis+sentinel://%s:%d?master_name=%s&addr=%s:%[2]d&addr=%[5]s:%[2]d {\n%[6]s\n}",
			s.redis[0].Address(), sentinelPort, masterName, s.redis[1].Address(), s.redis[2].Address(), options)
	}
	return caddyprocess.Caddyfile(s.nodes[i].home, "log default {\nlevel WARN\n}", fmt.Sprintf("http://:%d {\n%s\n}", nodePort,
		testlogin.Site(fmt.Sprintf("http://%s:%d", s.idpHost.Address(), idpPort), publicAddress,
			fmt.Sprintf("sealing_key the-same-key-of-32-bytes-at-all-nodes\nresponse_timeout %s\ncode_timeout 10m\n%s", responseTimeout, replay))))
}

func (s *stage) startNode(i int, store store) error {
	n := s.nodes[i]
	var err error
	n.process, err = caddyprocess.Start(caddyprocess.Config{
		Executable: s.executable, Home: n.home, Start: n.Start, Caddyfile: s.caddyfile(i, store),
	})
	return err
}

// ready is why a node is not ready, "" if it is.
func (n *node) ready() string {
	if n.process == nil {
		return "not running"
	}
	report, err := n.process.Get("/identity_gateway/ready")
	if err == nil {
		return ""
	}
	for line := range strings.Lines(string(report)) {
		if reason, ok := strings.CutPrefix(strings.TrimSpace(line), `"reason": "`); ok {
			return strings.TrimRight(reason, `",`)
		}
	}
	return "not running"
}

// client is a browser and an app at the clients' host.
func (s *stage) client() *http.Client {
	return &http.Client{
		Timeout:       20 * time.Second,
		Transport:     &http.Transport{DialContext: s.clients.DialContext, MaxIdleConnsPerHost: 64},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// cut cuts, or mends, all links between two groups of hosts.
func (s *stage) cut(a, b []*testnet.Host, link testnet.Link) {
	for _, from := range a {
		for _, to := range b {
			s.network.Set(from, to, link)
		}
	}
}
