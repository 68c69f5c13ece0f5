package file

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// BenchmarkClaims claims from several goroutines at once. FILE_CLAIMS_BEFORE has so many
// claims in the store before.
func BenchmarkClaims(b *testing.B) {
	for _, clients := range []int{1, 4, 16, 64, 256} {
		b.Run(fmt.Sprint(clients), func(b *testing.B) {
			store := open(b, filepath.Join(b.TempDir(), "replay.db"), time.Now)
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
			for b.Loop() {
				next <- true
			}
			close(next)
			group.Wait()
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1e3, "p99-ms")
			b.ReportMetric(float64(len(took))/b.Elapsed().Seconds(), "claims/s")
		})
	}
}

func open(t testing.TB, path string, now func() time.Time) *Store {
	s, err := Open(path, now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestMillion is what SIZING says
func TestMillion(t *testing.T) {
	if os.Getenv("MILLION") == "" {
		t.Skip()
	}
	path := filepath.Join(t.TempDir(), "replay.db")
	store := open(t, path, time.Now)
	began := time.Now()
	var group sync.WaitGroup
	for range 256 {
		group.Go(func() {
			for range 2_100_000 / 256 {
				var key replay.Key
				rand.Read(key[:])
				if _, err := store.Claim(t.Context(), key, time.Hour); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	info, _ := os.Stat(path)
	t.Log(time.Since(began), info.Size(), store.Len())
	store.Close()
	began = time.Now()
	store = open(t, path, time.Now)
	t.Log("open", time.Since(began), store.Len())
	for range 20 {
		began = time.Now()
		var key replay.Key
		rand.Read(key[:])
		if _, err := store.Claim(t.Context(), key, time.Hour); err != nil {
			t.Error(err)
		}
		t.Log(time.Since(began))
	}
}
