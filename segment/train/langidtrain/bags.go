package langidtrain

import (
	"runtime"
	"slices"
	"sync"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
)

// gather is, for each example, the set of its features by their rows in x.
func gather(examples []example, ex *langid.Extractor, x *langid.Index) [][]uint32 {
	bags := make([][]uint32, len(examples))
	workers := runtime.GOMAXPROCS(0)
	var wait sync.WaitGroup
	for first := range workers {
		wait.Go(func() {
			seen := make([]uint64, x.Len()/64+1) // a bit for each row of the current example
			var features, bag []uint32
			for i := first; i < len(examples); i += workers {
				features, bag = ex.Append(features[:0], examples[i].text), bag[:0]
				for _, f := range features {
					row := x.Row(f)
					if row < 0 || seen[row>>6]>>(row&63)&1 != 0 {
						continue
					}
					seen[row>>6] |= 1 << (row & 63)
					bag = append(bag, uint32(row))
				}
				for _, row := range bag {
					seen[row>>6] = 0
				}
				bags[i] = slices.Clone(bag)
			}
		})
	}
	wait.Wait()
	return bags
}
