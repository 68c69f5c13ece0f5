//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// endWithChildren makes cancellation kill the command and all that it started.
func endWithChildren(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
}
