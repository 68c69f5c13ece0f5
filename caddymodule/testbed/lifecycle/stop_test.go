package lifecycle_test

import (
	"errors"
	"net"
	"syscall"
)

func ends() []lifeCase {
	return []lifeCase{
		when("is killed (SIGKILL) with logins at each step and is started again",
			"the logins complete: nothing was remembered but the key in storage; requests under way are cut off, not half answered", func(tr *env) {
				n := tr.gateway(setup{language: true})
				f := n.begin()
				n.Kill()
				for what, err := range f.finishRequests() {
					tr.holds(err != nil, "%s was answered by nobody", what)
				}
				f.release()
				tr.must("starting again", n.start())
				f.finishLogins()
				n.serves("after the start")
			}),
		when("gets SIGTERM in mid-login, mid-exchange, mid-batch and mid-upload, and is started again",
			"all that is under way completes, new connections are refused, exit code 0; logins go on after the start", func(tr *env) {
				n := tr.gateway(setup{global: "grace_period 1m", language: true})
				f := n.begin()
				tr.must("sending SIGTERM", n.Signal(syscall.SIGTERM))
				n.awaitClosed()
				f.complete()
				code, err := n.Wait(patience)
				tr.must("waiting for the end", err)
				tr.holds(code == 0, "the exit code is %d", code)
				tr.must("starting again", n.start())
				f.finishLogins()
				n.serves("after the start")
			}),
	}
}

func (n *node) awaitClosed() {
	n.await("the end of its listener", func() error {
		conn, err := net.Dial("tcp", n.address)
		if err != nil {
			return nil
		}
		conn.Close()
		return errors.New("it accepts connections after SIGTERM")
	})
}
