package readiness

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func ok(context.Context) error { return nil }

func TestEachCheckHasItsResult(t *testing.T) {
	down := func(context.Context) error { return errors.New("connection refused") }
	app := &App{checks: []Check{
		{"replay_store", "https://b.example", down},
		{"sealing_keys", "", ok},
		{"replay_store", "https://a.example", ok},
		{"replay_store", "https://b.example", down},
	}}
	require.Equal(t, []Result{
		{Check: "replay_store", Of: "https://a.example", Ready: true},
		{Check: "replay_store", Of: "https://b.example", Reason: "connection refused"},
		{Check: "sealing_keys", Ready: true},
	}, app.Run(t.Context()), "the same of two handlers is one")
}

// What does not answer, and does not heed its deadline either, takes a second, and
// is asked once however many want to know.
func TestSomethingDeadIsAskedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		revived := make(chan struct{})
		app := &App{checks: []Check{{"replay_store", "", func(context.Context) error {
			asked.Add(1)
			<-revived
			return nil
		}}, {"models", "", ok}}}
		for range 3 {
			start := time.Now()
			done := make(chan []Result)
			for range 10 {
				go func() { done <- app.Run(t.Context()) }()
			}
			for range 10 {
				require.Equal(t, []Result{
					{Check: "models", Ready: true},
					{Check: "replay_store", Reason: "no answer within 1s"},
				}, <-done)
			}
			require.Equal(t, time.Second, time.Since(start))
		}
		require.EqualValues(t, 1, asked.Load())
		close(revived)
		synctest.Wait()
		require.True(t, app.Run(t.Context())[1].Ready)
	})
}

// Others wait for the probe that somebody began who has left.
func TestAProbeOutlivesWhoeverBeganIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{checks: []Check{{"replay_store", "", func(ctx context.Context) error {
			select {
			case <-time.After(time.Second / 2):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}}}}
		impatient, leave := context.WithCancel(t.Context())
		go app.Run(impatient)
		synctest.Wait()
		leave()
		require.True(t, app.Run(t.Context())[0].Ready)
	})
}
