package command

import (
	"os/exec"
	"strconv"
)

// EndWithChildren makes cancellation kill the command and all that it started.
func EndWithChildren(cmd *exec.Cmd) {
	cmd.Cancel = func() error {
		return exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
	}
}
