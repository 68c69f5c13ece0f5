package lifecycle

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

func kills() []Case {
	return []Case{
		{
			What: "is killed (SIGKILL) with logins at each step and is started again",
			Must: "the logins complete: nothing was remembered but the key in storage; requests under way are cut off, not half answered",
			try: func(tr *trial) {
				n := tr.gateway(setup{language: true})
				f := n.begin()
				n.Kill()
				for range f.held {
					tr.holds(<-f.exchanges != nil, "an exchange was answered by nobody")
				}
				f.release()
				tr.holds(f.batch.finish() != nil, "a batch was answered by nobody")
				tr.holds(f.upload.finish() != nil, "an upload was answered by nobody")
				began := time.Now()
				tr.must("starting again", n.start())
				tr.measured("started within %s; %d of %d logins complete", time.Since(began).Round(10*time.Millisecond), 3*logins, 3*logins)
				f.finishLogins()
				n.serves("after the start")
			},
		},
		{
			What: "is killed four times in one login, after each of its steps",
			Must: "the login completes", Long: true,
			try: func(tr *trial) {
				n := tr.gateway(setup{})
				l := n.login()
				step := func(name string, do func(context.Context) error) {
					tr.must(name, do(tr.ctx))
					n.Kill()
					tr.must("starting again", n.start())
				}
				step("authorize", l.Authorize)
				step("at the IdP", l.AtIdP)
				step("callback", l.Callback)
				step("exchange", func(ctx context.Context) error {
					_, err := l.Exchange(ctx)
					return err
				})
				n.serves("afterwards")
			},
		},
		{
			What: "is killed after an exchange, with `replay memory`, in front of an IdP that checks single use",
			Must: "no second token: the IdP refuses what the gateway has forgotten", Long: true,
			try: func(tr *trial) {
				n, err := exchangedTwice(tr, tr.gateway(setup{}))
				tr.refused("the second exchange", err, "invalid_grant")
				tr.holds(n == 1, "the IdP issued %d tokens", n)
			},
		},
		{
			What: "is killed after an exchange, with `replay memory`, in front of an IdP that does not check it",
			Must: "not promised: the second exchange succeeds (so it is documented); the control of the next case",
			try: func(tr *trial) {
				node := tr.gateway(setup{})
				node.idp.Change(func(b *testidp.Behavior) { b.SingleUse = false })
				n, err := exchangedTwice(tr, node)
				tr.holds(err == nil && n == 2, "the IdP issued %d tokens: %v; if that is better, change the documentation", n, err)
			},
		},
		{
			What: "is killed after an exchange, with `replay redis`, in front of an IdP that does not check it",
			Must: "no second token, also after Redis with `appendfsync always` was killed, too",
			Long: true,
			try:  exchangesWithRedis,
		},
	}
}

// exchangedTwice exchanges a code, kills the gateway, starts it again, and
// exchanges the code once more. It returns how many tokens the IdP has issued, and
// what came of the second exchange.
func exchangedTwice(tr *trial, n *node) (int, error) {
	l := n.login()
	_, err := l.Run(tr.ctx)
	tr.must("logging in", err)
	n.Kill()
	tr.must("starting again", n.start())
	_, err = l.Exchange(tr.ctx)
	return n.idp.IssuedCount(), err
}

func exchangesWithRedis(tr *trial) {
	server, err := exec.LookPath("redis-server")
	if err != nil {
		tr.skip("redis-server is not installed")
	}
	if tr.Executable == "" || !hasModule(tr, "http.identity_gateway.replay.redis") {
		tr.skip("the Caddy that is tried has no replay redis")
	}
	address, err := testgateway.FreeAddress()
	tr.must("finding an address", err)
	folder := tr.folder("redis")
	var redis *exec.Cmd
	start := func() {
		redis = exec.Command(server, "--port", address[strings.LastIndexByte(address, ':')+1:], "--bind", "127.0.0.1", "--dir", folder, "--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction")
		tr.must("starting Redis", redis.Start())
	}
	kill := func() {
		_ = redis.Process.Kill()
		_ = redis.Wait()
	}
	start()
	defer func() { kill() }()
	node := tr.gateway(setup{options: fmt.Sprintf("replay redis redis://%s", address)})
	node.idp.Change(func(b *testidp.Behavior) { b.SingleUse = false })
	l := node.login()
	_, err = l.Run(tr.ctx)
	tr.must("logging in", err)
	node.Kill()
	kill()
	start()
	tr.must("starting again", node.start())
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		_, err = l.Exchange(tr.ctx)
		if err == nil || !strings.Contains(err.Error(), "503") || time.Now().After(deadline) {
			break // Redis is back
		}
	}
	tr.refused("the second exchange", err, "redeemed before")
	tr.holds(node.idp.IssuedCount() == 1, "the IdP issued %d tokens", node.idp.IssuedCount())
	node.serves("afterwards")
}

func hasModule(tr *trial, module string) bool {
	out, err := exec.Command(tr.Executable, "list-modules").Output()
	tr.must("listing modules", err)
	return strings.Contains(string(out), module+"\n")
}
