package lifecycle_test

import (
	"context"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

func kills() []lifeCase {
	return []lifeCase{
		{
			What: "is killed (SIGKILL) with logins at each step and is started again",
			Must: "the logins complete: nothing was remembered but the key in storage; requests under way are cut off, not half answered",
			try: func(tr *env) {
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
				tr.Logf("started within %s; %d of %d logins complete", time.Since(began).Round(10*time.Millisecond), 3*logins, 3*logins)
				f.finishLogins()
				n.serves("after the start")
			},
		},
		{
			What: "is killed four times in one login, after each of its steps",
			Must: "the login completes", Long: true,
			try: func(tr *env) {
				n := tr.gateway(setup{})
				l := n.login()
				step := func(name string, do func(context.Context) error) {
					tr.must(name, do(tr.Context()))
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
			try: func(tr *env) {
				n, err := exchangedTwice(tr, tr.gateway(setup{options: "replay memory"}))
				tr.refused("the second exchange", err, "invalid_grant")
				tr.holds(n == 1, "the IdP issued %d tokens", n)
			},
		},
		{
			What: "is killed after an exchange, with `replay memory`, in front of an IdP that does not check it",
			Must: "not promised: the second exchange succeeds (so it is documented)",
			try: func(tr *env) {
				node := tr.gateway(setup{options: "replay memory"})
				node.idp.Change(func(b *testidp.Behavior) { b.SingleUse = false })
				n, err := exchangedTwice(tr, node)
				tr.holds(err == nil && n == 2, "the IdP issued %d tokens: %v; if that is better, change the documentation", n, err)
			},
		},
		{
			What: "is killed after an exchange, in front of an IdP that does not check single use",
			Must: "the gateway refuses the second exchange: its file remembers",
			try: func(tr *env) {
				node := tr.gateway(setup{})
				node.idp.Change(func(b *testidp.Behavior) { b.SingleUse = false })
				n, err := exchangedTwice(tr, node)
				tr.refused("the second exchange", err, "redeemed before")
				tr.holds(n == 1, "the IdP issued %d tokens", n)
			},
		},
	}
}

// exchangedTwice exchanges a code, kills the gateway, starts it again, and
// exchanges the code once more. It returns how many tokens the IdP has issued, and
// what came of the second exchange.
func exchangedTwice(tr *env, n *node) (int, error) {
	l := n.login()
	_, err := l.Run(tr.Context())
	tr.must("logging in", err)
	n.Kill()
	tr.must("starting again", n.start())
	_, err = l.Exchange(tr.Context())
	return n.idp.IssuedCount(), err
}
