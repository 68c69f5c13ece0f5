// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/context#WithTimeoutCause context.WithTimeoutCause
// snippet:needs Go 1.21
import (
	"context"
	"errors"
	// snippet:usage
	"fmt"
	// snippet:end
	"os"
	"os/exec"
	"time"
)

var ErrTooSlow = errors.New("command exceeded its time limit")

// Output runs a command and returns what it printed. When the limit passes, the
// process is interrupted (not on Windows), given a second, and then killed, though not
// what it has started itself. If that keeps the output open for a second after the
// end, the error is exec.ErrWaitDelay.
func Output(ctx context.Context, limit time.Duration, name string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, ErrTooSlow)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return nil, cause
	}
	return out, err
}

// snippet:usage
// snippet:prints quick
// snippet:prints <nil>
// snippet:prints command exceeded its time limit true
func main() {
	out, err := Output(context.Background(), 10*time.Second, "echo", "quick") // Unix has it, and sleep
	fmt.Printf("%s%v\n", out, err)
	_, err = Output(context.Background(), 30*time.Millisecond, "sleep", "5")
	fmt.Println(err, errors.Is(err, ErrTooSlow))
}
