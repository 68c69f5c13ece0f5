//go:build !purego

package langid

import "golang.org/x/sys/cpu"

//go:noescape
func addPairsAVX2(acc *[160]uint32, rows *row, index *uint32, pairs int)

//go:noescape
func fetchRows(rows *row, index *uint32, n int)

// fetch has the rows of index fetched: all at the same time, before they are added.
func fetch(rows []row, index []uint32) {
	if len(index) > 0 {
		fetchRows(&rows[0], &index[0], len(index))
	}
}

var haveAVX2 = cpu.X86.HasAVX2

// add adds the rows of index.
func (s *sums) add(rows []row, index []uint32) {
	if !haveAVX2 {
		s.addGeneric(rows, index)
		return
	}
	if len(index)&1 != 0 {
		s.addGeneric(rows, index[len(index)-1:])
		index = index[:len(index)-1]
	}
	var acc [160]uint32
	for len(index) > 0 {
		part := index[:min(burst&^1, len(index))]
		index = index[len(part):]
		addPairsAVX2(&acc, &rows[0], &part[0], len(part)/2)
	}
	// The order of the sums: two parts of 32 bytes of a row; of each part the lower and the upper four bits of the bytes; of each
	// of these the first and the second eight of every sixteen. Then the lower and the upper four bits of the last sixteen bytes.
	for i := range s {
		part, upper, b := i>>6, i&1, i>>1&31
		if part < 2 {
			s[i] += acc[64*part+32*upper+b>>3&1*16+b>>4*8+b&7]
		} else {
			s[i] += acc[128+16*upper+b]
		}
	}
}

//go:noescape
func dotsAVX2(sums, rows, x *float32, width, units int)

//go:noescape
func axpyAVX2(z, row *float32, factor float32, width int)

// dots sets sums to the dot products of x with rows of its length.
func dots(sums, rows, x []float32) {
	if !haveAVX2 {
		dotsGeneric(sums, rows, x)
		return
	}
	if len(sums) > 0 {
		dotsAVX2(&sums[0], &rows[0], &x[0], len(x), len(sums))
	}
}

// axpy adds the product of factor and row, which is as long, to z.
func axpy(z, row []float32, factor float32) {
	if !haveAVX2 {
		axpyGeneric(z, row, factor)
		return
	}
	axpyAVX2(&z[0], &row[0], factor, len(z))
}

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
