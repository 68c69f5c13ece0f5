package lifecycle_test

import (
	"net"
	"syscall"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

func stops() []lifeCase {
	return []lifeCase{
		{
			What: "gets SIGTERM in mid-login, mid-exchange, mid-batch and mid-upload, and is started again",
			Must: "all that is under way completes, new connections are refused, exit code 0; logins go on after the start",
			try: func(tr *env) {
				n := tr.gateway(setup{global: "grace_period 1m", language: true})
				f := n.begin()
				tr.must("sending SIGTERM", n.Signal(syscall.SIGTERM))
				n.awaitClosed()
				began := time.Now()
				f.finishRequests()
				code, err := n.Wait(patience)
				tr.must("waiting for the end", err)
				tr.holds(code == 0, "the exit code is %d", code)
				tr.Logf("ended %s after the last answer", time.Since(began).Round(time.Millisecond))
				tr.must("starting again", n.start())
				f.finishLogins()
				n.serves("after the start")
			},
		},
		{
			What: "gets SIGTERM with a grace_period of 1s while the IdP answers nobody",
			Must: "it ends after the grace period with exit code 0; who waits sees an answer or a closed connection",
			try: func(tr *env) {
				n := tr.gateway(setup{global: "grace_period 1s"})
				n.idp.Change(func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{Hang: true} })
				l := n.login()
				tr.must("logging in", l.Begin(tr.Context()))
				tr.must("logging in", l.Callback(tr.Context()))
				answer := make(chan error, 1)
				go func() {
					_, err := l.Exchange(tr.Context())
					answer <- err
				}()
				n.awaitHeld(1)
				began := time.Now()
				tr.must("sending SIGTERM", n.Signal(syscall.SIGTERM))
				code, err := n.Wait(patience)
				tr.must("waiting for the end", err)
				tr.holds(code == 0, "the exit code is %d", code)
				took := time.Since(began)
				tr.holds(took >= 900*time.Millisecond, "it ended after %s", took)
				select {
				case err := <-answer:
					tr.holds(err != nil, "there is a token")
				case <-time.After(patience):
					tr.Errorf("who waited was left waiting")
				}
				tr.Logf("ended after %s", took.Round(10*time.Millisecond))
			},
		},
	}
}

// awaitClosed waits until the gateway accepts no connections any more.
func (n *node) awaitClosed() {
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		conn, err := net.Dial("tcp", n.address)
		if err != nil {
			return
		}
		conn.Close()
		if time.Now().After(deadline) {
			n.tr.Errorf("it accepts connections %s after SIGTERM", patience)
			return
		}
	}
}
