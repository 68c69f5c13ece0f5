package langidtrain

import (
	"runtime"
	"sync"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
)

// bags holds, for each example, the set of its features by their rows.
type bags struct {
	ends  []int // where the bag of each example ends in items
	items []uint32
}

func (b *bags) at(i int) []uint32 {
	start := 0
	if i > 0 {
		start = b.ends[i-1]
	}
	return b.items[start:b.ends[i]]
}

// gather collects the rows of all examples in x, each once per example.
func gather(examples []example, ex *langid.Extractor, x *langid.Index) *bags {
	workers := runtime.GOMAXPROCS(0)
	size := (len(examples) + workers - 1) / workers
	parts := make([]*bags, workers)
	var wait sync.WaitGroup
	for i := range parts {
		wait.Go(func() {
			parts[i] = gatherPart(examples[min(i*size, len(examples)):min((i+1)*size, len(examples))], ex, x)
		})
	}
	wait.Wait()
	b := parts[0]
	for _, part := range parts[1:] {
		before := len(b.items)
		b.items = append(b.items, part.items...)
		for _, end := range part.ends {
			b.ends = append(b.ends, before+end)
		}
	}
	return b
}

func gatherPart(examples []example, ex *langid.Extractor, x *langid.Index) *bags {
	b := &bags{ends: make([]int, len(examples))}
	seen := make([]uint64, x.Len()/64+1) // a bit for each row of the current example
	var features []uint32
	for i := range examples {
		features = ex.Append(features[:0], examples[i].text)
		begin := len(b.items)
		for _, f := range features {
			row := x.Row(f)
			if row < 0 || seen[row>>6]>>(row&63)&1 != 0 {
				continue
			}
			seen[row>>6] |= 1 << (row & 63)
			b.items = append(b.items, uint32(row))
		}
		for _, row := range b.items[begin:] {
			seen[row>>6] = 0
		}
		b.ends[i] = len(b.items)
	}
	return b
}
