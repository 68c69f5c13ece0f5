package caddyprocess

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Memory is the resident set of the process, in bytes: what of its memory is in
// RAM (proc_pid_statm(5)).
func (p *Process) Memory() (uint64, error) {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.PID()))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(content))
	if len(fields) < 2 {
		return 0, fmt.Errorf("statm of the process is %q", content)
	}
	pages, err := strconv.ParseUint(fields[1], 10, 64)
	return pages * uint64(os.Getpagesize()), err
}

// Descriptors is how many files and sockets the process has open.
func (p *Process) Descriptors() (int, error) {
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.PID()))
	return len(entries), err
}
