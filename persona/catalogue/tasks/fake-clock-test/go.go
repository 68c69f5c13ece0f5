// snippet:check
//go:build ignore

//go:debug asynctimerchan=0

package main

// snippet:end

// snippet:doc https://pkg.go.dev/testing/synctest testing/synctest
// snippet:needs Go 1.25
// snippet:into Put it below the package clause of a _test.go file: go test
// snippet:prints PASS

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

type Session struct{ active atomic.Bool }

func OpenSession(d time.Duration) *Session {
	s := &Session{}
	s.active.Store(true)
	time.AfterFunc(d, func() { s.active.Store(false) })
	return s
}

func TestSessionExpiresAfterADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // in this bubble the clock jumps when all goroutines wait
		s := OpenSession(24 * time.Hour)
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
	testing.Main(func(_, _ string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "TestSessionExpiresAfterADay", F: TestSessionExpiresAfterADay}}, nil, nil)
}
