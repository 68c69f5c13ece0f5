//go:build !amd64 || purego

package linetag

// sumRows adds the first n of rows.
func sumRows(sum *[Dim]int32, table []int8, rows []uint32, n int) {
	sumRowsGeneric(sum, table, rows[:n])
}

// embed makes an embedding of the sums of a line's rows.
func embed(x *[Dim]float32, n *network, content, layout *[Dim]int32, norm float32) {
	embedGeneric(x, n, content, layout, norm)
}

// Forward sets dst to x·Weight + Bias.
func (a *Affine) Forward(dst, x []float32) { affineGeneric(dst, a, x) }

// Gemm computes the gates of a recurrent layer of all lines: the first in values of each line times the weights of the
// layer, plus its biases.
func Gemm(gates [][Gates]float32, layer *Affine, joined [][Joined]float32, in int) {
	gemmGeneric(gates, layer, joined, in)
}

// SRU runs the simple recurrent units of a layer over its gates, in both directions, and writes their states behind the
// first in values of each line. See [Gate].
func SRU(joined [][Joined]float32, gates [][Gates]float32, in int) { sruGeneric(joined, gates, in) }
