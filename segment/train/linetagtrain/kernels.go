package linetagtrain

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
)

// blas32 does the linear algebra of single lines. It starts no goroutines, so sums come out the same every time.
var blas32 gonum.Implementation

// affineBackward adds the gradients of an affine map at x, given dy, the gradient of its output: to dx that of its
// input, to grad those of its parameters.
func affineBackward(dx []float32, a, grad *linetag.Affine, x, dy []float32) {
	n := len(dy)
	for j, v := range dy {
		grad.Bias[j] += v
	}
	blas32.Sgemv(blas.NoTrans, len(dx), n, 1, a.Weight, n, dy, 1, 1, dx, 1)
	blas32.Sger(len(dx), n, 1, x, 1, dy, 1, grad.Weight, n)
}

// sumRows adds rows of the table to sum.
func sumRows(sum *[linetag.Dim]float32, table []float32, rows []uint32) {
	for _, r := range rows {
		blas32.Saxpy(linetag.Dim, 1, table[int(r)*linetag.Dim:], 1, sum[:], 1)
	}
}

// descend moves a row against its gradient.
func descend(row, g *[linetag.Dim]float32, step float32) {
	blas32.Saxpy(linetag.Dim, -step, g[:], 1, row[:], 1)
}
