// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/time#Duration time.Duration
// snippet:needs Go 1.23
import (
	// snippet:usage
	"fmt"
	// snippet:end
	"math"
	"slices"
	"time"
)

// Percentile returns the smallest measured value that at least p percent of
// the samples do not exceed (nearest rank, 0 < p <= 100),
// or 0 without samples.
func Percentile(sorted []time.Duration, p float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(p*float64(len(sorted))/100 - 1e-7)) // 99.9 * 41000 / 100 is above 40959
	return sorted[max(rank, 1)-1]
}

type Latency struct{ P50, P95, P99, Max time.Duration }

func Summarise(samples []time.Duration) Latency {
	s := slices.Sorted(slices.Values(samples)) // the caller's slice keeps its order
	return Latency{Percentile(s, 50), Percentile(s, 95), Percentile(s, 99), Percentile(s, 100)}
}

// snippet:usage
// snippet:prints {P50:50ms P95:95ms P99:99ms Max:100ms}
func main() {
	var samples []time.Duration
	for i := range 100 {
		samples = append(samples, time.Duration(100-i)*time.Millisecond)
	}
	fmt.Printf("%+v\n", Summarise(samples))
	// snippet:check
	many := make([]time.Duration, 41000)
	for i := range many {
		many[i] = time.Duration(i + 1)
	}
	if got := Percentile(many, 99.9); got != 40959 {
		panic(got)
	}
	// snippet:usage
}
