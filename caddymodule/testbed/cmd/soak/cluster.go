package main

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/testlogin"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/traffic"
)

// options of the gateways. With the shortest login_timeout, what is remembered of an exchange is forgotten after all
// timeouts and two minutes, so that memory is even after the warm-up.
const options = "sealing_key \"the key that both nodes seal with, of 32 bytes or more\"\nlogin_timeout 1m\nresponse_timeout 10s"

// cluster is an IdP with two gateways.
type cluster struct {
	idp   *testidp.Server
	nodes [2]*node
	turn  atomic.Int64
	away  atomic.Bool // the second node
	peak  float64

	mu     sync.Mutex
	broken []window
}

// node is a gateway as a process.
type node struct {
	*caddyprocess.Process
	address, home, executable string
	idp                       string
}

// window is a time at which something is broken on purpose; ended is zero as long as it is.
type window struct{ began, ended time.Time }

func startCluster(executable string) (*cluster, error) {
	c := new(cluster)
	var uris []string
	for i := range c.nodes {
		address, err := testgateway.FreeAddress()
		if err != nil {
			return nil, err
		}
		c.nodes[i] = &node{address: address, executable: executable}
		uris = append(uris, "http://"+address+testlogin.CallbackURI)
	}
	behavior := testlogin.Behavior("")
	behavior.Clients[0].RedirectURIs = uris
	var err error
	if c.idp, err = testidp.Start(behavior); err != nil {
		return nil, err
	}
	for _, n := range c.nodes {
		n.idp = c.idp.URL()
		if n.home, err = caddyprocess.NewHome(); err == nil {
			err = n.start()
		}
		if err != nil {
			c.close()
			return nil, err
		}
	}
	return c, nil
}

func (c *cluster) close() {
	for _, n := range c.nodes {
		if n.Process != nil {
			n.Kill()
		}
		if n.home != "" {
			_ = os.RemoveAll(n.home)
		}
	}
	_ = c.idp.Close()
}

func (n *node) url() string { return "http://" + n.address }

// caddyfile is the node's configuration; a revision makes it another one.
func (n *node) caddyfile(revision int) string {
	return caddyprocess.Caddyfile(n.home, "grace_period 10s\nlog default {\n\tlevel WARN\n}",
		traffic.Site(n.address, n.idp, options+fmt.Sprintf("\nmax_request_body %d", 65536+revision)))
}

func (n *node) start() (err error) {
	n.Process, err = caddyprocess.Start(caddyprocess.Config{Caddyfile: n.caddyfile(0), Home: n.home, Executable: n.executable})
	return err
}

// next is the node whose turn it is, as a load balancer chooses it that knows which are up.
func (c *cluster) next() string {
	if c.turn.Add(1)%2 == 1 || c.away.Load() {
		return c.nodes[0].url()
	}
	return c.nodes[1].url()
}

// begin begins a time at which things may fail. The function that it returns ends it.
func (c *cluster) begin() (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.broken = append(c.broken, window{began: time.Now()})
	i := len(c.broken) - 1
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.broken[i].ended = time.Now()
	}
}

// isBroken reports that something was broken at some time between two.
func (c *cluster) isBroken(began, ended time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range c.broken {
		if !w.began.After(ended) && (w.ended.IsZero() || !w.ended.Before(began)) {
			return true
		}
	}
	return false
}

// outages are how the IdP fails, one after the other.
var outages = []struct {
	name string
	testidp.Outage
}{
	{"IdP: 503", testidp.Outage{Status: 503}},
	{"IdP closes connections", testidp.Outage{Close: true}},
	{"IdP hangs", testidp.Outage{Hang: true}},
	{"IdP loses tokens", testidp.Outage{AfterIssuing: true, Close: true}},
	{"IdP takes a second", testidp.Outage{Delay: time.Second}},
}

// faultTime is how long the IdP fails, and a node is away.
const faultTime = 3 * time.Second

// failIdP lets the IdP fail for a while.
func (c *cluster) failIdP(o testidp.Outage) {
	end := c.begin()
	c.idp.Change(func(b *testidp.Behavior) { b.TokenOutage = o })
	time.Sleep(faultTime)
	c.idp.Change(func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{} })
	end()
}

// kill kills the second node, and starts it again.
func (c *cluster) kill() error {
	end := c.begin()
	c.away.Store(true)
	if err := c.nodes[1].Signal(syscall.SIGKILL); err != nil {
		return err
	}
	c.nodes[1].Kill()
	time.Sleep(faultTime)
	err := c.nodes[1].start()
	c.away.Store(false)
	end()
	if err != nil {
		return errors.Join(errors.New("starting the node that was killed"), err)
	}
	return nil
}
