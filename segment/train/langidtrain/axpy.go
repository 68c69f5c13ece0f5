package langidtrain

import "gonum.org/v1/gonum/blas/gonum"

// axpy adds a*src to dst, which has the same length.
func axpy(dst, src []float32, a float32) {
	gonum.Implementation{}.Saxpy(len(dst), a, src, 1, dst, 1)
}
