package testgateway

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// HasCPUTime reports that the CPU time of another process can be read here.
const HasCPUTime = true

// CPUTime is the CPU time that a process has used, of all its threads, user and
// system together. Its clock counts nanoseconds; /proc/<pid>/stat counts
// hundredths of a second, too coarse for short rounds.
func CPUTime(pid int) (time.Duration, error) {
	const cpuClockSched = 2 // how the kernel builds clock ids of processes: clock_getcpuclockid(3)
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|cpuClockSched), &ts); err != nil {
		return 0, fmt.Errorf("CPU time of process %d: %w", pid, err)
	}
	return time.Duration(ts.Nano()), nil
}

// Memory is the resident set of the process, in bytes: what of its memory is in
// RAM (proc_pid_statm(5)).
func (p *Process) Memory() (uint64, error) {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.PID()))
	if err != nil {
		return 0, err
	}
	var size, resident uint64
	_, err = fmt.Sscan(string(content), &size, &resident)
	return resident * uint64(os.Getpagesize()), err
}

// Descriptors is how many files and sockets the process has open.
func (p *Process) Descriptors() (int, error) {
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.PID()))
	return len(entries), err
}
