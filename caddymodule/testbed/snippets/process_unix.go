//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// killTree makes cancelling cmd end its children too.
func killTree(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
