package caddyprocess

import (
	"os"
	"sync"
)

// maxLog is how much of a log is kept, in bytes.
const maxLog = 4 << 20

// log keeps the end of what a process writes.
type log struct {
	also *os.File

	mu    sync.Mutex
	kept  []byte
	bytes int64
}

// Write implements io.Writer.
func (l *log) Write(b []byte) (int, error) {
	if l.also != nil {
		_, _ = l.also.Write(b)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bytes += int64(len(b))
	l.kept = append(l.kept, b...)
	if len(l.kept) > 2*maxLog {
		l.kept = append([]byte(nil), l.kept[len(l.kept)-maxLog:]...)
	}
	return len(b), nil
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.kept)
}

func (l *log) total() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bytes
}
