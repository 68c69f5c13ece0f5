package linetagtrain

import (
	"math"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
)

// matrix is a view of values: element i, j is values[i*row+j*column]. A kernel wants column to be 1 but in the second
// argument of gemm.
type matrix struct {
	values      []float32
	row, column int
}

// The kernels, in plain Go where the processor has no vector instructions for them.
var (
	gemm        = gemmGeneric    // adds x·w to dst, over n products, see [matrix]
	sumRows     = sumRowsGeneric // adds rows of the table to sum
	adagradRows = adagradGeneric // a step of Adagrad on rows of the table, with the gradient g whose mean square is square
	adam        = adamGeneric    // a step of Adam on the parameters p with the gradient g; c holds the constants of the step
)

func gemmGeneric(dst, x, w matrix, rows, n, columns int) {
	for i := range rows {
		to := dst.values[i*dst.row : i*dst.row+columns]
		for k := range n {
			v := x.values[i*x.row+k*x.column]
			if v == 0 {
				continue
			}
			for j, f := range w.values[k*w.row : k*w.row+columns] {
				to[j] += v * f
			}
		}
	}
}

func sumRowsGeneric(sum *[linetag.Dim]float32, table []float32, rows []uint32) {
	for _, r := range rows {
		for j, v := range (*[linetag.Dim]float32)(table[int(r)*linetag.Dim:]) {
			sum[j] += v
		}
	}
}

func adagradGeneric(table, history []float32, rows []uint32, g *[linetag.Dim]float32, square, rate float32) {
	for _, r := range rows {
		history[r] += square
		step := rate / float32(math.Sqrt(float64(history[r])))
		row := (*[linetag.Dim]float32)(table[int(r)*linetag.Dim:])
		for j := range row {
			row[j] -= step * g[j]
		}
	}
}

func adamGeneric(p, first, second, g []float32, c *[7]float32) {
	for i, v := range g {
		first[i] = c[0]*first[i] + c[1]*v
		second[i] = c[2]*second[i] + c[3]*v*v
		p[i] -= c[5] * first[i] / (float32(math.Sqrt(float64(second[i]*c[4]))) + c[6])
	}
}

// add adds b to a.
func add(a, b []float32) {
	b = b[:len(a)]
	for i := range a {
		a[i] += b[i]
	}
}
