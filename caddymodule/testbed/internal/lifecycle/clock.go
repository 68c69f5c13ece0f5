package lifecycle

import (
	"errors"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/testclock"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/testlogin"
)

// jump sets the clock of the gateway, and of nobody else.
func (n *node) jump(offset time.Duration) {
	err := testclock.Set(n.PID(), offset)
	if errors.Is(err, testclock.ErrUnsupported) {
		n.tr.skip("%v", err)
	}
	n.tr.must("setting the clock", err)
}

func clocks() []Case {
	var cases []Case
	for _, c := range []struct {
		offset time.Duration
		// words that the refusal of a login from before has; none if it completes.
		words []string
		code  bool // a code from before is still good
	}{
		{30 * time.Second, nil, true},
		{5 * time.Minute, nil, false},
		{6 * time.Hour, []string{"access_denied", "took longer than"}, false},
		{100 * time.Hour, []string{"400"}, false},
		{-6 * time.Hour, []string{"400"}, false},
		{-100 * time.Hour, []string{"400"}, false},
	} {
		cases = append(cases, Case{
			What: "has its clock set by " + signed(c.offset),
			Must: "logins from before complete, or are refused with a reason; new ones work at once, and after the clock is right again; no panic, nothing spins",
			Long: c.offset != 6*time.Hour,
			try: func(tr *trial) {
				n := tr.gateway(setup{options: "discover\ncallback_mode query"})
				n.serves("before")
				before, code := n.login(), n.login()
				tr.must("beginning a login", before.Begin(tr.ctx))
				tr.must("beginning a login", code.Begin(tr.ctx))
				tr.must("beginning a login", code.Callback(tr.ctx))
				n.jump(c.offset)
				_, err := before.Finish(tr.ctx)
				if c.words == nil {
					tr.holds(err == nil, "a login from before: %v", err)
				} else {
					tr.refused("a login from before", err, c.words...)
				}
				_, err = code.Exchange(tr.ctx)
				if c.code {
					tr.holds(err == nil, "a code from before: %v", err)
				} else {
					tr.refused("a code from before", err, "invalid_grant")
				}
				n.serves("with the new time")
				n.idp.Requests()
				cpu := n.idle()
				tr.holds(cpu < idleTime/4, "it computes for %s in %s with nothing to do", cpu, idleTime)
				tr.holds(len(n.idp.Requests()) <= 2, "it goes on asking the IdP")
				n.jump(0)
				n.serves("with the right time again")
				n.calm()
			},
		})
	}
	return append(cases,
		Case{
			What: "has its clock set back by 6h after an exchange",
			Must: "the code buys no second token, as long as it could be taken for a valid one",
			try: func(tr *trial) {
				n := tr.gateway(setup{})
				n.idp.Change(func(b *testidp.Behavior) { b.SingleUse = false })
				l := n.login()
				_, err := l.Run(tr.ctx)
				tr.must("logging in", err)
				for _, offset := range []time.Duration{-30 * time.Second, -30 * time.Minute, -6 * time.Hour, 0, 6 * time.Hour, 0} {
					n.jump(offset)
					_, err = l.Exchange(tr.ctx)
					tr.refused("another exchange at "+signed(offset), err, "invalid_grant")
				}
				tr.holds(n.idp.IssuedCount() == 1, "the IdP issued %d tokens", n.idp.IssuedCount())
			},
		},
		Case{
			What: "has its clock set back by 50m after an exchange, and codes that live for a second",
			Must: "the code, which the clock makes valid again, buys no second token for as long as it is valid", Long: true,
			try: func(tr *trial) {
				n := tr.gateway(setup{options: "login_timeout 1m\ncode_timeout 1s"})
				n.idp.Change(func(b *testidp.Behavior) { b.SingleUse = false })
				// What is sealed is opened in the hours after only: both times are in the same one.
				at := (time.Until(time.Now().Truncate(time.Hour)) + 55*time.Minute).Truncate(time.Second)
				n.jump(at)
				l := n.login()
				_, err := l.Run(tr.ctx)
				tr.must("logging in", err)
				n.jump(at - 50*time.Minute)
				const claimed = time.Minute + time.Second + 2*time.Minute // login_timeout, code_timeout, and what clocks may differ
				for began := time.Now(); time.Since(began) < claimed+5*time.Second; time.Sleep(time.Second) {
					if _, err = l.Exchange(tr.ctx); err == nil {
						break
					}
				}
				tr.refused("another exchange", err, "redeemed before")
				tr.holds(n.idp.IssuedCount() == 1, "the IdP issued %d tokens", n.idp.IssuedCount())
			},
		},
		Case{
			What: "has its clock set forwards and back by 30h with require_token",
			Must: "a token that is over is refused, also one that was just accepted; keys are fetched a few times at most",
			try: func(tr *trial) {
				n := tr.gateway(setup{site: protectedSite})
				token, err := n.idp.SignedAccessToken(testlogin.User, testlogin.ClientID)
				tr.must("signing a token", err)
				_, err = n.get("/api", token)
				tr.must("asking with a token", err)
				for _, offset := range []time.Duration{30 * time.Hour, -30 * time.Hour, 0} {
					n.jump(offset)
					n.idp.Requests()
					for range 20 {
						_, err = n.get("/api", token)
					}
					if offset > 0 {
						tr.refused("a token at "+signed(offset), err, "401")
					} else {
						tr.holds(err == nil, "a token at %s: %v", signed(offset), err)
					}
					tr.holds(len(n.idp.Requests()) <= 4, "at %s it asks the IdP too often", signed(offset))
				}
				n.calm()
			},
		})
}

// signed is a duration with its sign.
func signed(d time.Duration) string {
	text := strings.TrimSuffix(strings.TrimSuffix(d.String(), "0s"), "0m")
	switch {
	case d == 0:
		return "0"
	case d > 0:
		return "+" + text
	}
	return text
}

// idleTime is how long nothing is asked of a gateway, to see whether it computes.
const idleTime = time.Second

// idle is the time that the gateway computes while nothing is asked of it.
func (n *node) idle() time.Duration {
	before, err := caddyprocess.CPUTime(n.PID())
	n.tr.must("reading the CPU time", err)
	time.Sleep(idleTime)
	after, err := caddyprocess.CPUTime(n.PID())
	n.tr.must("reading the CPU time", err)
	return after - before
}

// calm checks that there was no panic.
func (n *node) calm() {
	for _, word := range []string{"panic", "goroutine 1 ["} {
		if strings.Contains(n.Log(), word) {
			n.tr.violates("the log has %q", word)
		}
	}
}
