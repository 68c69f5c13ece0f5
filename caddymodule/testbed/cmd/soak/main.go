// Command soak has two gateways work for half an hour at half of what they can do,
// with everything that happens to gateways meanwhile: each minute one of them is
// reloaded and the identity provider (IdP) fails for some seconds, and every other
// minute the second one is killed and started again. It prints a line for each
// minute, writes a plot, and fails if
//
//   - a request fails at a time when nothing was broken on purpose,
//   - the memory of the first gateway grows after the warm-up, or it has more
//     goroutines or descriptors afterwards than before,
//   - the p99 of the last minutes is more than 10 % above that of the first ones,
//     and Caddy's own static response did not become slower, too.
//
// usage: go run ./cmd/soak [-duration 30m] [-caddy bin/caddy] [-plot soak.svg]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/standard"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/testlogin"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/traffic"
)

func main() {
	caddyprocess.Main()
	duration := flag.Duration("duration", 30*time.Minute, "how long, in whole minutes")
	caddy := flag.String("caddy", "", "the `executable` with the gateway; default: this program")
	plot := flag.String("plot", "soak.svg", "the `file` to plot to")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, int(*duration/time.Minute), *caddy, *plot); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

// How long the peak is measured, and how much of it is asked for.
const (
	peakTime = 15 * time.Second
	share    = 0.5
)

func run(ctx context.Context, minutes int, caddy, plot string) error {
	if minutes < 3 {
		return errors.New("less than three minutes say nothing")
	}
	if caddy != "" {
		absolute, err := filepath.Abs(caddy)
		if err != nil {
			return err
		}
		caddy = absolute
	}
	c, err := startCluster(caddy)
	if err != nil {
		return err
	}
	defer c.close()
	client := testlogin.NewClient(true)
	client.Transport = traffic.Again{RoundTripper: client.Transport}
	operations := traffic.Mixed(client)

	peak, err := measurePeak(ctx, c, operations)
	if err != nil {
		return err
	}
	client.CloseIdleConnections()
	before, err := c.nodes[0].quiet()
	if err != nil {
		return err
	}
	every := time.Duration(float64(time.Second) / (peak * share))
	fmt.Printf("%d processors; peak %.0f operations a second; %.0f a second for %d minutes\n\n", runtime.NumCPU(), peak, peak*share, minutes)

	s := &soak{cluster: c, before: before, record: traffic.Record{Excused: c.isBroken}, plain: traffic.Record{Excused: c.isBroken}}
	working, stop := context.WithCancel(ctx)
	done := make(chan struct{}, 2)
	go func() {
		s.record.Steady(working, every, operations, c.next)
		done <- struct{}{}
	}()
	go func() {
		s.plain.Steady(working, 50*time.Millisecond, traffic.Static(client), func() string { return c.nodes[0].url() })
		done <- struct{}{}
	}()
	err = s.watch(ctx, minutes)
	stop()
	<-done
	<-done
	if err != nil {
		return err
	}
	client.CloseIdleConnections()
	if s.after, err = c.nodes[0].quiet(); err != nil {
		return err
	}
	if err := os.WriteFile(plot, s.plot(), 0o600); err != nil {
		return err
	}
	fmt.Println("\nplot:", plot)
	return s.judge()
}

// measurePeak is how many operations a second the nodes do for as many clients as
// keep them busy.
func measurePeak(ctx context.Context, c *cluster, operations []traffic.Operation) (float64, error) {
	for range 2 { // the first time warms up
		var record traffic.Record
		measuring, cancel := context.WithTimeout(ctx, peakTime)
		record.Flood(measuring, 4*runtime.GOMAXPROCS(0), operations, c.next)
		cancel()
		f := record.Take()
		if f.Failed > 0 {
			return 0, fmt.Errorf("measuring the peak: %d failed: %v", f.Failed, f.Messages)
		}
		c.peak = float64(f.Done) / peakTime.Seconds()
	}
	return c.peak, ctx.Err()
}
