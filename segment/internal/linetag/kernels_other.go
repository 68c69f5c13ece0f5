//go:build !amd64

package linetag

// bag adds the first n of rows; those behind them will be needed next.
func bag(sum *[Dim]int32, table []int8, rows []uint32, n int) { bagGeneric(sum, table, rows[:n]) }

// combine makes an embedding of the sums of a line's rows.
func combine(x *[Dim]float32, m *Model, content, layout *[Dim]int32, norm float32) {
	combineGeneric(x, m, content, layout, norm)
}

// Map sets dst to a's value at x.
func Map(dst []float32, a *Affine, x []float32) { mapGeneric(dst, a, x) }

// Recur runs both directions of a recurrent layer over its gates and writes the units' states behind its inputs.
func Recur(joined [][Joined]float32, gates [][Gates]float32, in int) { recurGeneric(joined, gates, in) }

// MapGates computes the gates of a recurrent layer from its inputs, the first in values of each line.
func MapGates(gates [][Gates]float32, layer *Affine, joined [][Joined]float32, in int) {
	for i := range gates {
		mapGeneric(gates[i][:], layer, joined[i][:in])
	}
}
