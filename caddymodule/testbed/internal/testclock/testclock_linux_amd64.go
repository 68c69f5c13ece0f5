package testclock

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// patience is how long the threads of a process may take to stop.
const patience = 10 * time.Second

// function is one of the vDSO, and what replaces it: a system call that adds some
// seconds to the time of day.
type function struct {
	name    string
	program []byte
	// secondsAt is where in the program the seconds are, in 4 bytes.
	secondsAt int
}

var functions = []function{
	{"__vdso_clock_gettime", []byte{ // clock_gettime(clock, time); CLOCK_REALTIME is number 0
		0xb8, unix.SYS_CLOCK_GETTIME, 0, 0, 0, // mov eax, SYS_clock_gettime
		0x0f, 0x05, // syscall
		0x85, 0xff, // test edi, edi
		0x75, 0x07, // jnz ret
		0x48, 0x81, 0x06, 0, 0, 0, 0, // add qword [rsi], seconds
		0xc3, // ret
	}, 14},
	{"__vdso_gettimeofday", []byte{ // gettimeofday(time, zone), which programs in C call
		0xb8, unix.SYS_GETTIMEOFDAY, 0, 0, 0, // mov eax, SYS_gettimeofday
		0x0f, 0x05, // syscall
		0x48, 0x85, 0xff, // test rdi, rdi
		0x74, 0x07, // jz ret
		0x48, 0x81, 0x07, 0, 0, 0, 0, // add qword [rdi], seconds
		0xc3, // ret
	}, 15},
}

// Set makes the clock of a process differ from this machine's by offset, in whole seconds of at most 68 years.
func Set(pid int, offset time.Duration) error {
	if seconds := offset / time.Second; offset%time.Second != 0 || seconds > math.MaxInt32 || seconds < math.MinInt32 {
		return fmt.Errorf("%s is not a whole number of seconds of 32 bits", offset)
	}
	memory, err := os.OpenFile(procFile(pid, "mem"), os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	defer memory.Close()
	for _, f := range functions {
		if err := f.set(pid, memory, offset); err != nil {
			return err
		}
	}
	return nil
}

// set replaces the function in a process.
func (f *function) set(pid int, memory *os.File, offset time.Duration) error {
	code := bytes.Clone(f.program)
	binary.LittleEndian.PutUint32(code[f.secondsAt:], uint32(int32(offset/time.Second)))
	entry, err := f.entry(pid, memory)
	if err != nil {
		return err
	}
	there := make([]byte, len(code))
	if _, err := memory.ReadAt(there, int64(entry)); err != nil {
		return err
	}
	end := entry + uint64(len(code))
	if bytes.Equal(there[:f.secondsAt], f.program[:f.secondsAt]) {
		end = entry // only the seconds change, which every thread may see in the middle of the function
	}
	if err := stop(pid, entry, end); err != nil {
		return err
	}
	_, err = memory.WriteAt(code, int64(entry))
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	return errors.Join(err, unix.Kill(pid, unix.SIGCONT))
}

func procFile(pid int, names ...string) string {
	return filepath.Join(append([]string{"/proc", strconv.Itoa(pid)}, names...)...)
}

// entry is the address of the function in a process.
func (f *function) entry(pid int, memory *os.File) (uint64, error) {
	maps, err := os.ReadFile(procFile(pid, "maps"))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(maps)) {
		if !strings.HasSuffix(strings.TrimSpace(line), "[vdso]") {
			continue
		}
		var start, end uint64
		if _, err := fmt.Sscanf(line, "%x-%x", &start, &end); err != nil {
			return 0, err
		}
		image := make([]byte, end-start)
		if _, err := memory.ReadAt(image, int64(start)); err != nil {
			return 0, err
		}
		file, err := elf.NewFile(bytes.NewReader(image))
		if err != nil {
			return 0, err
		}
		symbols, err := file.DynamicSymbols()
		if err != nil {
			return 0, err
		}
		for _, symbol := range symbols {
			if symbol.Name == f.name && symbol.Size >= uint64(len(f.program)) {
				return start + symbol.Value, nil
			}
		}
	}
	return 0, fmt.Errorf("%w: process %d has no %s", ErrUnsupported, pid, f.name)
}

// stop stops a process when none of its threads is about to run what lies between two addresses.
func stop(pid int, from, to uint64) error {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if err := unix.Kill(pid, unix.SIGSTOP); err != nil {
			return err
		}
		safe, err := stoppedOutside(pid, from, to, deadline)
		if safe && err == nil {
			return nil
		}
		if err := errors.Join(err, unix.Kill(pid, unix.SIGCONT)); err != nil {
			return err
		}
	}
	return fmt.Errorf("process %d did not stop within %s", pid, patience)
}

// stoppedOutside waits until all threads are stopped, and tells whether they are outside of what lies between two addresses.
func stoppedOutside(pid int, from, to uint64, deadline time.Time) (bool, error) {
	threads, err := os.ReadDir(procFile(pid, "task"))
	if err != nil {
		return false, err
	}
	for _, thread := range threads {
		for {
			stopped, at, err := whereabouts(pid, thread.Name())
			if err != nil {
				return false, err
			}
			if stopped {
				if from <= at && at < to {
					return false, nil
				}
				break
			}
			if time.Now().After(deadline) {
				return false, nil
			}
			time.Sleep(time.Millisecond)
		}
	}
	return true, nil
}

// whereabouts tells whether a thread is stopped, and the address of its next instruction.
func whereabouts(pid int, thread string) (stopped bool, at uint64, err error) {
	stat, err := os.ReadFile(procFile(pid, "task", thread, "stat"))
	if errors.Is(err, os.ErrNotExist) {
		return true, 0, nil // it has ended
	}
	if err != nil {
		return false, 0, err
	}
	state := strings.TrimSpace(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if state == "" || !strings.ContainsRune("TZX", rune(state[0])) {
		return false, 0, nil
	}
	// See proc_pid_syscall(5): the last number is the program counter.
	call, err := os.ReadFile(procFile(pid, "task", thread, "syscall"))
	if err != nil {
		return false, 0, fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	fields := strings.Fields(string(call))
	if len(fields) < 2 {
		return state[0] != 'T', 0, nil // running, still or again
	}
	at, err = strconv.ParseUint(strings.TrimPrefix(fields[len(fields)-1], "0x"), 16, 64)
	return err == nil, at, err
}
