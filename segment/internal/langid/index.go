package langid

import (
	"math"
	"math/bits"
	"slices"
)

// Index finds the row of a feature, which is its place among the sorted features. The upper bits of a feature are the number of a
// bit, which is set if there is a feature with these upper bits. Bits are in the order of the features, so the bits before one
// tell how many features come before it: its place is known without a look at the features, but for those that share a bit. There
// are seven times as many bits as features or more, because most features of a text have no row: their bit is not set. All bits
// together are small enough to stay in a second-level cache.
type Index struct {
	sorted []uint32
	ended  []uint32 // the same, and behind it a value that ends every search
	words  []indexWord
	shift  uint // of a feature to the number of its word
}

// indexWord has the bits of its features, and the number of features before them.
type indexWord struct{ bits, before uint32 }

// NewIndex makes the index of sorted features.
func NewIndex(sorted []uint32) Index {
	width := max(bits.Len(uint(7*len(sorted)))-5, 1)
	x := Index{sorted: sorted, ended: append(slices.Clone(sorted), math.MaxUint32), words: make([]indexWord, 1<<width), shift: uint(32 - width)}
	for _, f := range sorted {
		w := &x.words[f>>x.shift]
		w.bits |= 1 << (f >> (x.shift - 5) & 31)
		w.before++
	}
	sum := uint32(0)
	for i := range x.words {
		w := &x.words[i]
		w.before, sum = sum, sum+w.before
	}
	return x
}

// place returns the first place where f can be, and 1 if its bit is set, else 0.
func (x *Index) place(f uint32) (place, likely uint32) {
	w := x.words[f>>(x.shift&31)]
	b := f >> ((x.shift - 5) & 31) & 31
	return w.before + uint32(bits.OnesCount32(w.bits&(1<<b-1))), w.bits >> b & 1
}

// Len is the number of rows.
func (x *Index) Len() int { return len(x.sorted) }

// Row returns the row of f, or -1.
func (x *Index) Row(f uint32) int32 {
	i, likely := x.place(f)
	if likely == 0 {
		return -1
	}
	for x.sorted[i] < f && int(i) < len(x.sorted)-1 {
		i++
	}
	if x.sorted[i] != f {
		return -1
	}
	return int32(i)
}

// candidate is a feature whose bit is set, and the first place where it can be.
type candidate struct{ feature, place uint32 }

// recent holds the features seen last, each in a slot of its own. A text repeats itself: most repetitions are found here, before
// they cost more.
type recent [2048]uint32

// reset empties all slots: each gets a feature that belongs to another one.
func (r *recent) reset() {
	clear(r[:])
	r[0] = 1 << 2
}

// add puts f into its slot, and returns 1 if it was not there, else 0.
func (r *recent) add(f uint32) (fresh uint32) {
	slot := &r[f>>2%uint32(len(r))]
	if *slot != f {
		fresh = 1
	}
	*slot = f
	return fresh
}

// locateGeneric stores the candidates among features in dst, which is as long, leaves out most repetitions, and returns how many
// it stored. It does not branch on what it finds: that would be mispredicted too often.
func (x *Index) locateGeneric(dst []candidate, features []uint32, r *recent) int {
	n := 0
	for _, f := range features {
		place, likely := x.place(f)
		dst[n] = candidate{f, place}
		n += int(likely & r.add(f))
	}
	return n
}
