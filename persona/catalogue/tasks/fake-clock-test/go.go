// snippet:check
//go:build ignore

package main

// snippet:end

// snippet:doc https://pkg.go.dev/testing/synctest testing/synctest
// snippet:prints passed: true

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// snippet:check
import "fmt"

// snippet:end
func TestSessionExpiresAfterADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // in this bubble the clock jumps when all goroutines wait
		var s Session
		s.Open(24 * time.Hour)

		time.Sleep(24*time.Hour - time.Second)
		synctest.Wait()
		if !s.Active() {
			t.Error("closed a second too early")
		}

		time.Sleep(time.Second)
		synctest.Wait()
		if s.Active() {
			t.Error("still open after a day")
		}
	})
}

// snippet:check
type Session struct {
	mu     sync.Mutex
	active bool
}

func (s *Session) Open(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active = true
	time.AfterFunc(d, func() { s.mu.Lock(); s.active = false; s.mu.Unlock() })
}

func (s *Session) Active() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.active }

func main() {
	ok := testing.RunTests(func(_, _ string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "TestSessionExpiresAfterADay", F: TestSessionExpiresAfterADay}})
	fmt.Println("passed:", ok)
}

func init() { testing.Init() }
