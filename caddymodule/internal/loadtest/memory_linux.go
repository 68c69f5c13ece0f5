package loadtest

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Memory is the resident set of the server, in bytes: what of its memory is in
// RAM (proc_pid_statm(5)).
func (s *Server) Memory() (uint64, error) {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", s.process.Process.Pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(content))
	if len(fields) < 2 {
		return 0, fmt.Errorf("statm of the server is %q", content)
	}
	pages, err := strconv.ParseUint(fields[1], 10, 64)
	return pages * uint64(os.Getpagesize()), err
}
