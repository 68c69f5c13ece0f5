package lifecycle

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"runtime"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/traffic"
)

func limits() []Case {
	var cases []Case
	for _, descriptors := range []int{64, 128, 256} {
		cases = append(cases, Case{
			What: fmt.Sprintf("may open %d descriptors, and %d clients connect", descriptors, 2*descriptors),
			Must: "who finds no descriptor waits; it serves as before when they have left (Caddy says so in its log at DEBUG only)",
			Long: descriptors != 64,
			try:  func(tr *trial) { fewDescriptors(tr, descriptors) },
		})
	}
	for _, memory := range []int{40, 60, 100} {
		cases = append(cases, Case{
			What: fmt.Sprintf("has GOMEMLIMIT=%dMiB under load", memory),
			Must: "no request fails", Long: true,
			try: func(tr *trial) {
				n := tr.gateway(setup{language: true, env: []string{fmt.Sprintf("GOMEMLIMIT=%dMiB", memory)}})
				underLimits(tr, n)
			},
		})
	}
	return append(cases,
		Case{
			What: "has GOMAXPROCS=1 under load", Must: "no request fails", Long: true,
			try: func(tr *trial) { underLimits(tr, tr.gateway(setup{language: true, env: []string{"GOMAXPROCS=1"}})) },
		},
		Case{
			What: "has one processor (taskset) and GOMEMLIMIT=60MiB under load", Must: "no request fails", Long: true,
			try: func(tr *trial) {
				taskset, err := exec.LookPath("taskset")
				if err != nil {
					tr.skip("taskset of util-linux is not installed")
				}
				underLimits(tr, tr.gateway(setup{language: true, prefix: []string{taskset, "-c", "0"}, env: []string{"GOMEMLIMIT=60MiB"}}))
			},
		})
}

// underLimits lets clients work for a while.
func underLimits(tr *trial, n *node) {
	const duration = 8 * time.Second
	ctx, cancel := context.WithTimeout(tr.ctx, duration)
	defer cancel()
	peak := make(chan uint64, 1)
	go func() {
		memory, _ := n.HighestMemory(time.Now().Add(duration)) // 0 if it has ended, which the record shows
		peak <- memory
	}()
	var record traffic.Record
	record.Flood(ctx, 4*runtime.GOMAXPROCS(0), traffic.Mixed(n.client), n.url)
	f := record.Take()
	tr.measured("%d done, %d failed; median %s, p99 %s; %.0f MB at most", f.Done, f.Failed, f.P50.Round(100*time.Microsecond), f.P99.Round(100*time.Microsecond), float64(<-peak)/1e6)
	tr.holds(f.Failed == 0 && f.Done > 0, "%d failed: %v", f.Failed, f.Messages)
	n.serves("afterwards")
	n.calm()
}

// fewDescriptors connects more clients than there are descriptors, and leaves.
func fewDescriptors(tr *trial, descriptors int) {
	prlimit, err := exec.LookPath("prlimit")
	if err != nil {
		tr.skip("prlimit of util-linux is not installed")
	}
	n := tr.gateway(setup{prefix: []string{prlimit, fmt.Sprintf("--nofile=%d:%d", descriptors, descriptors)}})
	n.serves("before")
	var held []net.Conn
	for range 2 * descriptors {
		conn, err := net.DialTimeout("tcp", n.address, time.Second)
		if err != nil {
			break // the queue of the listener is full
		}
		held = append(held, conn)
	}
	n.await("descriptors", func() error {
		open, err := n.Descriptors()
		if err == nil && open < descriptors-2 {
			err = fmt.Errorf("%d descriptors are open", open)
		}
		return err
	})
	served := 0
	for range 10 {
		ctx, cancel := context.WithTimeout(tr.ctx, 200*time.Millisecond)
		if n.login().Authorize(ctx) == nil {
			served++
		}
		cancel()
	}
	for _, conn := range held {
		conn.Close()
	}
	began := time.Now()
	n.await("an answer", func() error { return n.login().Authorize(tr.ctx) })
	tr.measured("%d connected; %d of 10 served meanwhile; well again after %s", len(held), served, time.Since(began).Round(10*time.Millisecond))
	n.serves("afterwards")
	n.calm()
}
