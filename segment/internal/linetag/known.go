package linetag

import "iter"

// Known is a set of features of content: a Bloom filter with one hash function (Bloom, "Space/Time Trade-offs in Hash Coding
// with Allowable Errors", 1970). What few have written teaches little, and would disturb the features that share its rows. The
// nil set has all features.
type Known []uint64

// knownBits is the binary logarithm of the bits of a set.
const knownBits = 23

// NewKnown makes the set of the features with these hashes, see Features.Found.
func NewKnown(hashes iter.Seq[uint32]) Known {
	k := make(Known, 1<<knownBits/64)
	for h := range hashes {
		i := knownBit(h)
		k[i/64] |= 1 << (i % 64)
	}
	return k
}

func knownBit(hash uint32) uint32 { return hash * 0x85EBCA6B >> (32 - knownBits) }

// appendKnown appends those of the hashes that are in the set to dst.
func (k Known) appendKnown(dst, hashes []uint32) []uint32 {
	if k == nil {
		return append(dst, hashes...)
	}
	for _, h := range hashes {
		if i := knownBit(h); k[i/64]>>(i%64)&1 != 0 {
			dst = append(dst, h)
		}
	}
	return dst
}
