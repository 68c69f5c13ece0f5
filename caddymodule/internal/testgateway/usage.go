package testgateway

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Usage is what a process takes of the machine.
type Usage struct {
	// Resident is the memory that is in RAM, Heap what its Go objects take, in bytes.
	Resident, Heap int64
	// Goroutines and Descriptors count what is open.
	Goroutines, Descriptors int
}

// String is an entry of a table.
func (u Usage) String() string {
	return fmt.Sprintf("%.1f MB, heap %.1f MB, %d goroutines, %d descriptors", float64(u.Resident)/1e6, float64(u.Heap)/1e6, u.Goroutines, u.Descriptors)
}

// Usage collects garbage, and reads what the process takes then.
func (p *Process) Usage() (Usage, error) {
	for range 2 { // what has a finalizer, or was in a pool, goes the second time
		if _, err := p.Get("/debug/pprof/heap?gc=1"); err != nil {
			return Usage{}, err
		}
	}
	metrics, err := p.Get("/metrics")
	if err != nil {
		return Usage{}, err
	}
	u := Usage{Heap: int64(metricOf(string(metrics), "go_memstats_heap_alloc_bytes")), Goroutines: int(metricOf(string(metrics), "go_goroutines"))}
	if !HasCPUTime { // nor is there /proc
		return u, nil
	}
	pages, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.PID())) // proc_pid_statm(5)
	if err != nil {
		return u, err
	}
	var size int64
	if _, err := fmt.Sscan(string(pages), &size, &u.Resident); err != nil {
		return u, err
	}
	u.Resident *= int64(os.Getpagesize())
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.PID()))
	u.Descriptors = len(open)
	return u, err
}

// metricOf is a metric without labels in Prometheus' text format; 0 if it is not there.
func metricOf(text, name string) float64 {
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			number, _ := strconv.ParseFloat(strings.TrimSpace(value), 64)
			return number
		}
	}
	return 0
}
