// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/time#Time.Truncate time.Time.Truncate
import (
	// snippet:usage
	"fmt"
	// snippet:end
	"time"
)

type Reading struct {
	At    time.Time
	Value float64
}

type Bucket struct {
	Start  time.Time
	Values []float64
}

// Buckets groups readings, ordered by time, into equal intervals; width is above
// zero. An interval without readings is there too, and empty: a gap is information.
func Buckets(readings []Reading, width time.Duration) []Bucket {
	var out []Bucket
	for _, r := range readings {
		start := r.At.Truncate(width)
		if len(out) == 0 {
			out = append(out, Bucket{Start: start})
		}
		for next := out[len(out)-1].Start.Add(width); !next.After(start); next = next.Add(width) {
			out = append(out, Bucket{Start: next})
		}
		last := &out[len(out)-1]
		last.Values = append(last.Values, r.Value)
	}
	return out
}

// snippet:usage
// snippet:prints 00:00 [2 4]
// snippet:prints 00:01 []
// snippet:prints 00:02 [7]
func main() {
	t := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	readings := []Reading{{t, 2}, {t.Add(20 * time.Second), 4}, {t.Add(130 * time.Second), 7}}
	for _, b := range Buckets(readings, time.Minute) {
		fmt.Println(b.Start.Format("15:04"), b.Values)
	}
}
