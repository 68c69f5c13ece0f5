package langidtrain

import "gonum.org/v1/gonum/blas/gonum"

// axpy adds a*src to dst, which has the same length.
func axpy(dst, src []float32, a float32) {
	gonum.Implementation{}.Saxpy(len(dst), a, src, 1, dst, 1)
}

// dot is the sum of the products of a and b, which have the same length.
func dot(a, b []float32) float32 {
	return gonum.Implementation{}.Sdot(len(a), a, 1, b, 1)
}

// addRows adds rows of the table to sum.
func addRows(sum, table []float32, rows []uint32) {
	for _, r := range rows {
		axpy(sum, table[int(r)*len(sum):][:len(sum)], 1)
	}
}

// moveRows adds by to rows of the table.
func moveRows(table []float32, rows []uint32, by []float32) {
	for _, r := range rows {
		axpy(table[int(r)*len(by):][:len(by)], by, 1)
	}
}
