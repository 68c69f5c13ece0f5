//go:build !purego

package linetagtrain

import (
	"golang.org/x/sys/cpu"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
)

var haveAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasFMA

//go:noescape
func gemm4x16AVX2(dst, x, w *float32, n, dstStride, xRow, xStep, wStride int)

//go:noescape
func sumRows16AVX2(sum, table *float32, rows *uint32, n, stride int)

//go:noescape
func adagradAVX2(table, history *float32, rows *uint32, n, width int, gradient *float32, square, rate float32)

//go:noescape
func adamAVX2(p, first, second, gradient *float32, n int, c *[7]float32)

// gemm adds x·w to dst, over n products. See [matrix].
func gemm(dst, x, w matrix, rows, n, columns int) {
	if !haveAVX2 || rows%4 != 0 || columns%16 != 0 || n == 0 {
		gemmGeneric(dst, x, w, rows, n, columns)
		return
	}
	// The last values that the kernel touches are there.
	_ = dst.values[(rows-1)*dst.row+columns-1]
	_ = x.values[(rows-1)*x.row+(n-1)*x.column]
	_ = w.values[(n-1)*w.row+columns-1]
	for j := 0; j < columns; j += 16 {
		for i := 0; i < rows; i += 4 {
			gemm4x16AVX2(&dst.values[i*dst.row+j], &x.values[i*x.row], &w.values[j], n, 4*dst.row, 4*x.row, 4*x.column, 4*w.row)
		}
	}
}

// sumRows adds rows of the table to sum.
func sumRows(sum *[linetag.Dim]float32, table []float32, rows []uint32) {
	if !haveAVX2 {
		sumRowsGeneric(sum, table, rows)
		return
	}
	if len(rows) == 0 {
		return
	}
	for j := 0; j < linetag.Dim; j += 16 {
		sumRows16AVX2(&sum[j], &table[j], &rows[0], len(rows), 4*linetag.Dim)
	}
}

// adagradRows does one step of Adagrad on rows of the table, with the gradient g whose mean square is square.
func adagradRows(table, history []float32, rows []uint32, g *[linetag.Dim]float32, square, rate float32) {
	if !haveAVX2 {
		adagradGeneric(table, history, rows, g, square, rate)
		return
	}
	if len(rows) > 0 {
		adagradAVX2(&table[0], &history[0], &rows[0], len(rows), linetag.Dim, &g[0], square, rate)
	}
}

// adam does one step of Adam on the parameters p with the gradient g. c holds the constants of the step.
func adam(p, first, second, g []float32, c *[7]float32) {
	whole := 0
	if haveAVX2 && len(p) >= 8 {
		whole = len(p) &^ 7
		adamAVX2(&p[0], &first[0], &second[0], &g[0], whole, c)
	}
	adamGeneric(p[whole:], first[whole:], second[whole:], g[whole:], c)
}
