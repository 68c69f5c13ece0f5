package linetag

import "golang.org/x/sys/cpu"

// There is no kernel with 512-bit vectors on purpose: a processor that clocks down for them loses more, here and in
// everything else that it runs, than they gain.
var haveAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasFMA

//go:noescape
func bagAVX2(sum *[Dim]int32, table *int8, rows *uint32, n int, last *uint32)

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

// bag adds the first n of rows; those behind them will be needed next.
func bag(sum *[Dim]int32, table []int8, rows []uint32, n int) {
	if !haveAVX2 {
		bagGeneric(sum, table, rows[:n])
		return
	}
	for n > 0 {
		part := min(n, bagMost)
		bagAVX2(sum, &table[0], &rows[0], part, &rows[len(rows)-1])
		rows = rows[part:]
		n -= part
	}
}

//go:noescape
func combineAVX2(x *float32, bias *[Dim]float32, content *[Dim]int32, contentScale *[Dim]float32, layout *[Dim]int32, layoutScale *[Dim]float32, norm float32)

// combine makes an embedding of the sums of a line's rows.
func combine(x *[Dim]float32, m *Model, content, layout *[Dim]int32, norm float32) {
	if !haveAVX2 {
		combineGeneric(x, m, content, layout, norm)
		return
	}
	combineAVX2(&x[0], &m.dense.Bias, content, &m.contentScale, layout, &m.layoutScale, norm)
}

//go:noescape
func map4x16AVX2(dst, bias, weight, x *float32, n, stride, xStride int)

// Map sets dst to a's value at x.
func Map(dst []float32, a *Affine, x []float32) {
	if haveAVX2 && len(dst) == 16 && len(x)%4 == 0 && len(a.Weight) >= 16*len(x) {
		map16AVX2(&dst[0], &a.Bias[0], &a.Weight[0], &x[0], len(x))
		return
	}
	mapGeneric(dst, a, x)
}

// MapGates computes the gates of a recurrent layer from its inputs, the first in values of each line.
func MapGates(gates [][Gates]float32, layer *Affine, joined [][Joined]float32, in int) {
	i := 0
	if haveAVX2 && len(layer.Weight) >= in*Gates && len(joined) >= len(gates) {
		// Four lines at a time, so that weights are loaded once for all of them, and all outputs of a tile of lines before
		// the next tile: its inputs and the weights of 16 outputs fit into the first-level cache, all weights do not.
		const tile = 32
		for whole := len(gates) &^ 3; i < whole; {
			end := min(i+tile, whole)
			for j := 0; j < Gates; j += 16 {
				for k := i; k < end; k += 4 {
					map4x16AVX2(&gates[k][j], &layer.Bias[j], &layer.Weight[j], &joined[k][0], in, 4*Gates, 4*Joined)
				}
			}
			i = end
		}
	}
	// The rest, as part of four lines.
	if i > 0 && i < len(gates) {
		MapGates(gates[len(gates)-4:], layer, joined[len(gates)-4:], in)
		return
	}
	if i == 0 && haveAVX2 && len(gates) > 0 {
		var x [4][Joined]float32
		var y [4][Gates]float32
		copy(x[:], joined[:len(gates)])
		MapGates(y[:], layer, x[:], in)
		copy(gates, y[:])
		return
	}
	for ; i < len(gates); i++ {
		mapGeneric(gates[i][:], layer, joined[i][:in])
	}
}
