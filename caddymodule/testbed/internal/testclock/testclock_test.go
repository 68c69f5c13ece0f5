package testclock_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/testclock"
)

// clockVariable tells a process that it is to tell the time.
const clockVariable = "TESTCLOCK_TELLS"

func TestMain(m *testing.M) {
	if os.Getenv(clockVariable) == "" {
		os.Exit(m.Run())
	}
	for range runtime.NumCPU() { // threads that read the clock all the time
		go func() {
			for {
				_ = time.Now()
			}
		}()
	}
	start := time.Now()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		fmt.Println(time.Now().UnixMilli(), time.Since(start).Milliseconds())
	}
}

func TestTheClockOfAProcessJumpsAndItsTimersDoNot(t *testing.T) {
	process := exec.Command(os.Args[0])
	process.Env = append(os.Environ(), clockVariable+"=1")
	stdin, err := process.StdinPipe()
	require.NoError(t, err)
	stdout, err := process.StdoutPipe()
	require.NoError(t, err)
	started := time.Now()
	require.NoError(t, process.Start())
	t.Cleanup(func() {
		_ = process.Process.Kill()
		_ = process.Wait()
	})
	tell := func() (clock, elapsed time.Duration) {
		_, err := fmt.Fprintln(stdin)
		require.NoError(t, err)
		var now, since int64
		_, err = fmt.Fscanln(stdout, &now, &since)
		require.NoError(t, err)
		return time.Duration(now-time.Now().UnixMilli()) * time.Millisecond, time.Duration(since) * time.Millisecond
	}
	tell()
	for _, offset := range []time.Duration{3 * time.Minute, -26 * time.Hour, 0, 24 * 365 * time.Hour} {
		err := testclock.Set(process.Process.Pid, offset)
		if errors.Is(err, testclock.ErrUnsupported) {
			t.Skip(err)
		}
		require.NoError(t, err)
		clock, elapsed := tell()
		require.InDelta(t, offset.Seconds(), clock.Seconds(), 30, "a busy machine answers late")
		require.Less(t, elapsed, time.Since(started)+time.Second, "the monotonic clock")
		require.GreaterOrEqual(t, elapsed, time.Duration(0))
	}
}

func TestClocksDifferByWholeSeconds(t *testing.T) {
	require.Error(t, testclock.Set(os.Getpid(), time.Millisecond))
	require.Error(t, testclock.Set(os.Getpid(), 100*365*24*time.Hour))
}
