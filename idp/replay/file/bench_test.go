//go:build unix

package file

import (
	"crypto/rand"
	"fmt"
	"os"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// BenchmarkClaims claims from several goroutines at once, with what SIZING says.
func BenchmarkClaims(b *testing.B) {
	for _, clients := range []int{1, 4, 16, 64, 256} {
		b.Run(fmt.Sprint(clients), func(b *testing.B) {
			path := newPath(b)
			store := open(b, path, time.Now)
			var took []time.Duration
			var mu sync.Mutex
			next := make(chan bool)
			var group sync.WaitGroup
			for range clients {
				group.Go(func() {
					var mine []time.Duration
					for range next {
						var key replay.Key
						rand.Read(key[:])
						began := time.Now()
						if _, err := store.Claim(b.Context(), key, time.Hour); err != nil {
							b.Error(err)
						}
						mine = append(mine, time.Since(began))
					}
					mu.Lock()
					took = append(took, mine...)
					mu.Unlock()
				})
			}
			before := cpuTime(b)
			for b.Loop() {
				next <- true
			}
			close(next)
			group.Wait()
			claims := float64(len(took))
			b.ReportMetric(float64((cpuTime(b)-before).Microseconds())/claims, "µs-CPU/claim")
			if info, err := os.Stat(path); err != nil {
				b.Error(err)
			} else {
				b.ReportMetric(float64(info.Size())/claims, "bytes/claim")
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1e3, "p99-ms")
			b.ReportMetric(claims/b.Elapsed().Seconds(), "claims/s")
		})
	}
}

// cpuTime is what this process has taken of the processors.
func cpuTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
