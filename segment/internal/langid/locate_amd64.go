//go:build !purego

package langid

import "golang.org/x/sys/cpu"

//go:noescape
func locateBMI2(dst *candidate, features *uint32, n int, words *indexWord, shift uint, r *recent, sorted *uint32) int

var haveBMI2 = cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT

// locate is locateGeneric, and has the features at the places that it finds fetched: these wait for memory while it goes on.
func (x *Index) locate(dst []candidate, features []uint32, r *recent) int {
	if !haveBMI2 || len(features) == 0 {
		return x.locateGeneric(dst, features, r)
	}
	return locateBMI2(&dst[0], &features[0], len(features), &x.words[0], x.shift, r, &x.ended[0])
}
