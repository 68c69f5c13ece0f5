//go:build !unix

package main

import "os/exec"

// killTree leaves cmd as it is: cancelling it ends only the process itself.
func killTree(*exec.Cmd) {}
