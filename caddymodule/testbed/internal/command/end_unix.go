//go:build unix

// Package command ends what commands of the testbed have started.
package command

import (
	"os/exec"
	"syscall"
)

// EndWithChildren makes cancellation kill the command and all that it started.
func EndWithChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
