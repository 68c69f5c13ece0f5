//go:build !purego

package langidtrain

import "golang.org/x/sys/cpu"

// kernelWidth is the length of a row that the kernels are written for: that of 104 labels.
const kernelWidth = 104

var haveAVX2 = cpu.X86.HasAVX2

//go:noescape
func addRowsAVX2(sum, table *float32, rows *uint32, n int)

//go:noescape
func moveRowsAVX2(table *float32, rows *uint32, n int, by *float32)

// addRows adds rows of the table to sum. Every row must be in the table.
func addRows(sum, table []float32, rows []uint32) {
	if !haveAVX2 || len(sum) != kernelWidth {
		addRowsGeneric(sum, table, rows)
		return
	}
	if len(rows) > 0 {
		addRowsAVX2(&sum[0], &table[0], &rows[0], len(rows))
	}
}

// moveRows adds by to rows of the table, in which each must be.
func moveRows(table []float32, rows []uint32, by []float32) {
	if !haveAVX2 || len(by) != kernelWidth {
		moveRowsGeneric(table, rows, by)
		return
	}
	if len(rows) > 0 {
		moveRowsAVX2(&table[0], &rows[0], len(rows), &by[0])
	}
}
