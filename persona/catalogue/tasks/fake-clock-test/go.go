// snippet:check
//go:build ignore

package main

// snippet:end

// snippet:doc https://pkg.go.dev/testing/synctest testing/synctest
// snippet:needs Go 1.25
// snippet:prints passed: true

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// snippet:check
import "fmt"

// snippet:end
type Session struct{ active atomic.Bool }

func (s *Session) Open(d time.Duration) {
	s.active.Store(true)
	time.AfterFunc(d, func() { s.active.Store(false) })
}

func TestSessionExpiresAfterADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // in this bubble the clock jumps when all goroutines wait
		var s Session
		s.Open(24 * time.Hour)
		time.Sleep(24*time.Hour - time.Second)
		if !s.active.Load() {
			t.Error("closed a second too early")
		}
		time.Sleep(time.Second)
		synctest.Wait() // for the timer's function
		if s.active.Load() {
			t.Error("still open after a day")
		}
	})
}

// snippet:check
func main() {
	testing.Init()
	ok := testing.RunTests(func(_, _ string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "TestSessionExpiresAfterADay", F: TestSessionExpiresAfterADay}})
	fmt.Println("passed:", ok)
}
