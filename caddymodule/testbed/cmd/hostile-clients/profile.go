package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/caddyprocess"
)

// profiles says where a server computes while it is attacked, and what it keeps its
// memory for afterwards, in files of a folder; "" is none.
type profiles string

// file is that for a row: the kind of clients, and who they come to.
func (p profiles) file(r *row, name string) string {
	return filepath.Join(string(p), strings.NewReplacer(" ", "-", "/", "-", "*", "", "(", "", ")", "", ":", "").Replace(r.title)+"."+name)
}

// cpu writes a CPU profile of the next seconds: go tool pprof reads it. The function
// that it returns waits until it is there.
func (p profiles) cpu(server *caddyprocess.Process, r *row, length time.Duration) func() error {
	if p == "" {
		return func() error { return nil }
	}
	done := make(chan error, 1)
	go func() {
		profile, err := server.Get(fmt.Sprintf("/debug/pprof/profile?seconds=%d", min(max(int(length.Seconds())-1, 1), 10)))
		if err == nil {
			err = os.WriteFile(p.file(r, "cpu.pprof"), profile, 0o600)
		}
		done <- err
	}()
	return func() error { return <-done }
}

// heap writes a heap profile.
func (p profiles) heap(server *caddyprocess.Process, r *row) error {
	if p == "" {
		return nil
	}
	profile, err := server.Get("/debug/pprof/heap")
	if err != nil {
		return err
	}
	return os.WriteFile(p.file(r, "heap.pprof"), profile, 0o600)
}

// memory adds a line about what Go has of the system's memory, and for what.
func (p profiles) memory(server *caddyprocess.Process, r *row, after time.Duration, resident uint64) (err error) {
	if p == "" {
		return nil
	}
	figures, err := server.Metrics("go_memstats_heap_alloc_bytes", "go_memstats_heap_inuse_bytes", "go_memstats_heap_idle_bytes",
		"go_memstats_heap_released_bytes", "go_memstats_stack_inuse_bytes", "go_gc_duration_seconds_count", "go_goroutines")
	if err != nil {
		return err
	}
	file, err := os.OpenFile(p.file(r, "memory.txt"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if failure := file.Close(); err == nil {
			err = failure
		}
	}()
	megabytes := func(bytes float64) int { return int(bytes) >> 20 }
	_, err = fmt.Fprintf(file, "%6.0f s: resident %d MB; heap: objects and garbage %d MB, in use %d MB, idle %d MB, of that given back %d MB; stacks %d MB; %.0f collections, %.0f goroutines\n",
		after.Seconds(), resident>>20, megabytes(figures[0]), megabytes(figures[1]), megabytes(figures[2]), megabytes(figures[3]), megabytes(figures[4]), figures[5], figures[6])
	return err
}
