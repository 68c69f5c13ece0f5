package main

import (
	"os/exec"
	"strconv"
)

// endWithChildren makes cancellation kill the command and all that it started.
func endWithChildren(command *exec.Cmd) {
	command.Cancel = func() error {
		return exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(command.Process.Pid)).Run()
	}
}
