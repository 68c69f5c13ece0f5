package lines

import "golang.org/x/sys/cpu"

var haveAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasFMA

//go:noescape
func bagAVX2(sum *[Dim]int32, table *int8, rows *uint32, n int)

//go:noescape
func map64AVX2(dst, bias, weight, x *float32, n, stride int)

//go:noescape
func map16AVX2(dst, bias, weight, x *float32, n int)

//go:noescape
func recurAVX2(out, gates *float32, n, outStride, gatesStride int)

// Recur runs both directions of a recurrent layer over its gates and writes the units' states behind its inputs.
func Recur(joined [][Joined]float32, gates [][Gates]float32, in int) {
	n := len(joined)
	if !haveAVX2 || n == 0 {
		recurGeneric(joined, gates, in)
		return
	}
	recurAVX2(&joined[0][in], &gates[0][0], n, 4*Joined, 4*Gates)
	recurAVX2(&joined[n-1][in+Units], &gates[n-1][2*Units], n, -4*Joined, -4*Gates)
}

// bagMost is the number of rows whose sum fits 16 bits.
const bagMost = 256

func bag(sum *[Dim]int32, table []int8, rows []uint32) {
	if !haveAVX2 {
		bagGeneric(sum, table, rows)
		return
	}
	for len(rows) > 0 {
		n := min(len(rows), bagMost)
		bagAVX2(sum, &table[0], &rows[0], n)
		rows = rows[n:]
	}
}

// Map sets dst to a's value at x.
func Map(dst []float32, a *Affine, x []float32) {
	switch {
	case haveAVX2 && len(dst)%64 == 0 && len(a.Weight) >= len(dst)*len(x):
		for j := 0; j < len(dst); j += 64 {
			map64AVX2(&dst[j], &a.Bias[j], &a.Weight[j], &x[0], len(x), 4*len(dst))
		}
	case haveAVX2 && len(dst) == 16 && len(x)%4 == 0 && len(a.Weight) >= 16*len(x):
		map16AVX2(&dst[0], &a.Bias[0], &a.Weight[0], &x[0], len(x))
	default:
		mapGeneric(dst, a, x)
	}
}
