package lang

import "math/bits"

// Index finds the row of a feature: features are sorted, a directory over
// their upper bits tells where to look, and the lower 16 bits tell those there
// apart. Most features that are asked for have no row, so a filter of one bit
// for each hash of some bits goes before. All of it together is small enough
// to stay in a second-level cache.
type Index struct {
	sorted []uint32
	start  []uint32 // by the upper bits of a feature
	low    []uint16 // lower bits of sorted
	shift  uint
	filter []uint64
}

// filterBits is the length of the hash whose bits the filter has: 256 KiB.
const filterBits = 21

// NewIndex makes the index of sorted features: the row of a feature is its place.
func NewIndex(sorted []uint32) Index {
	width := max(bits.Len(uint(len(sorted)))+1, 16)
	x := Index{sorted: sorted, shift: uint(32 - width), filter: make([]uint64, 1<<(filterBits-6))}
	x.start = make([]uint32, 1<<width+1)
	x.low = make([]uint16, len(sorted))
	for i, f := range sorted {
		x.start[f>>x.shift+1]++
		x.low[i] = uint16(f)
		b := f >> (32 - filterBits)
		x.filter[b>>6] |= 1 << (b & 63)
	}
	for i := range x.start[1:] {
		x.start[i+1] += x.start[i]
	}
	return x
}

// Likely drops features without a row from the list, most of them, in place.
// It does not branch on what it finds: that would be mispredicted too often.
func (x *Index) Likely(features []uint32) []uint32 {
	filter := (*[1 << (filterBits - 6)]uint64)(x.filter)
	n := 0
	for _, f := range features {
		features[n] = f
		b := f >> (32 - filterBits)
		n += int(filter[b>>6] >> (b & 63) & 1)
	}
	return features[:n]
}

// Row returns the row of f, or -1.
func (x *Index) Row(f uint32) int32 {
	b := f >> x.shift
	for i, end := x.start[b], x.start[b+1]; i < end; i++ {
		if x.low[i] == uint16(f) {
			return int32(i)
		}
	}
	return -1
}
