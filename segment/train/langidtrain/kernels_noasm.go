//go:build !amd64 || purego

package langidtrain

// addRows adds rows of the table to sum.
func addRows(sum, table []float32, rows []uint32) { addRowsGeneric(sum, table, rows) }

// moveRows adds by to rows of the table.
func moveRows(table []float32, rows []uint32, by []float32) { moveRowsGeneric(table, rows, by) }
