package testgateway

import (
	"fmt"
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
