//go:build !purego

package linetag

import "golang.org/x/sys/cpu"

// There is no kernel with 512-bit vectors on purpose: a processor that clocks down for them loses more, here and in
// everything else that it runs, than they gain. BenchmarkKernels shows what these gain.
var haveAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasFMA

//go:noescape
func sumRowsAVX2(sum *int32, table *int8, rows *uint32, n int, last *uint32, stride int)

//go:noescape
func embedAVX2(x, bias *float32, content *int32, contentScale *float32, layout *int32, layoutScale *float32, norm float32)

//go:noescape
func affine16AVX2(dst, bias, weight, x *float32, n int)

//go:noescape
func gemm4x16AVX2(dst, bias, weight, x *float32, n, stride, xStride int)

//go:noescape
func sruAVX2(out, gates *float32, n, outStride, gatesStride, candidate int)

// width is the number of columns or units that a kernel does at a time; it divides Dim and Units.
const width = 32

// maxSum is the number of rows whose sum fits into 16 bits.
const maxSum = 256

// sumRows adds the first n of rows; those behind them will be needed next.
func sumRows(sum *[Dim]int32, table []int8, rows []uint32, n int) {
	if !haveAVX2 {
		sumRowsGeneric(sum, table, rows[:n])
		return
	}
	for n > 0 {
		part := min(n, maxSum)
		for j := 0; j < Dim; j += width {
			sumRowsAVX2(&sum[j], &table[j], &rows[0], part, &rows[len(rows)-1], Dim)
		}
		rows = rows[part:]
		n -= part
	}
}

// embed makes an embedding of the sums of a line's rows.
func embed(x *[Dim]float32, n *network, content, layout *[Dim]int32, norm float32) {
	if !haveAVX2 {
		embedGeneric(x, n, content, layout, norm)
		return
	}
	for j := 0; j < Dim; j += width {
		embedAVX2(&x[j], &n.dense.Bias[j], &content[j], &n.contentScale[j], &layout[j], &n.layoutScale[j], norm)
	}
}

// Forward sets dst to x·Weight + Bias.
func (a *Affine) Forward(dst, x []float32) {
	if !haveAVX2 || len(dst) != 16 || len(x)%4 != 0 {
		affineGeneric(dst, a, x)
		return
	}
	weight := a.Weight[:16*len(x)]
	affine16AVX2(&dst[0], &a.Bias[0], &weight[0], &x[0], len(x))
}

// Gemm computes the gates of a recurrent layer of all lines: the first in values of each line times the weights of the
// layer, plus its biases.
func Gemm(gates [][Gates]float32, layer *Affine, joined [][Joined]float32, in int) {
	if !haveAVX2 {
		gemmGeneric(gates, layer, joined, in)
		return
	}
	n := len(gates)
	whole := n &^ 3
	gemmTiles(gates[:whole], layer, joined[:whole], in)
	if rest := n - whole; rest > 0 { // as the first of four lines
		var x [4][Joined]float32
		var y [4][Gates]float32
		copy(x[:], joined[whole:n])
		gemmTiles(y[:], layer, x[:], in)
		copy(gates[whole:], y[:rest])
	}
}

// gemmTiles is Gemm for a number of lines that four divides. The kernel takes four lines and 16 outputs at a time, so
// that it loads each weight once for four lines. All outputs of a tile of lines come before the next tile: its inputs
// and the weights of 16 outputs fit into the first-level cache, the weights of all outputs do not.
func gemmTiles(gates [][Gates]float32, layer *Affine, joined [][Joined]float32, in int) {
	const tile = 32
	weight := layer.Weight[:in*Gates]
	for start := 0; start < len(gates); start += tile {
		end := min(start+tile, len(gates))
		for j := 0; j < Gates; j += 16 {
			for i := start; i < end; i += 4 {
				gemm4x16AVX2(&gates[i][j], &layer.Bias[j], &weight[j], &joined[i][0], in, 4*Gates, 4*Joined)
			}
		}
	}
}

// SRU runs the simple recurrent units of a layer over its gates, in both directions, and writes their states behind the
// first in values of each line. See [Gate].
func SRU(joined [][Joined]float32, gates [][Gates]float32, in int) {
	n := len(joined)
	if !haveAVX2 || n == 0 {
		sruGeneric(joined, gates, in)
		return
	}
	for j := 0; j < Units; j += width {
		sruAVX2(&joined[0][in+j], &gates[0][j], n, 4*Joined, 4*Gates, 4*Units)
		sruAVX2(&joined[n-1][in+Units+j], &gates[n-1][2*Units+j], n, -4*Joined, -4*Gates, 4*Units)
	}
}
