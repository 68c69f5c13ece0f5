package langidtrain

import (
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
)

// bags holds, for each example, the set of its features: first as hashes,
// later as row numbers.
type bags struct {
	ends  []int // where the bag of each example ends in items
	items []uint32
}

func (b *bags) len() int { return len(b.ends) }

func (b *bags) at(i int) []uint32 {
	start := 0
	if i > 0 {
		start = b.ends[i-1]
	}
	return b.items[start:b.ends[i]]
}

// extract gathers the features of all examples, each once per example.
func extract(examples []example, ex *langid.Extractor) *bags {
	const size = 1 << 18
	// A slot is taken if its upper half is the number of the example.
	slots := make([]uint64, size)
	bytes := 0
	for i := range examples {
		bytes += len(examples[i].text)
	}
	b := &bags{ends: make([]int, len(examples)), items: make([]uint32, 0, 3*bytes)}
	var fs []uint32
	for i := range examples {
		fs = ex.Append(fs[:0], examples[i].text)
		turn := uint64(i+1) << 32
	next:
		for _, f := range fs {
			for s := f % size; ; s = (s + 1) % size {
				if slots[s]>>32 != turn>>32 {
					slots[s] = turn | uint64(f)
					break
				}
				if uint32(slots[s]) == f {
					continue next
				}
			}
			b.items = append(b.items, f)
		}
		b.ends[i] = len(b.items)
	}
	return b
}

// rows replaces the features of b by their rows in x; those without are
// left out.
func (b *bags) rows(x *langid.Index) *bags {
	r := &bags{ends: make([]int, b.len())}
	for i := range b.ends {
		for _, f := range b.at(i) {
			if row := x.Row(f); row >= 0 {
				r.items = append(r.items, uint32(row))
			}
		}
		r.ends[i] = len(r.items)
	}
	return r
}

// keep replaces each row r by place[r]; where that is negative the row goes.
func (b *bags) keep(place []int32) *bags {
	k := &bags{ends: make([]int, b.len())}
	for i := range b.ends {
		for _, r := range b.at(i) {
			if place[r] >= 0 {
				k.items = append(k.items, uint32(place[r]))
			}
		}
		k.ends[i] = len(k.items)
	}
	return k
}
