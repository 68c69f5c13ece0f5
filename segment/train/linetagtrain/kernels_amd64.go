//go:build !purego

package linetagtrain

import (
	"golang.org/x/sys/cpu"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
)

func init() {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		gemm, sumRows, adagradRows, adam = gemmVector, sumRowsVector, adagradVector, adamVector
	}
}

//go:noescape
func gemm4x16AVX2(dst, x, w *float32, n, dstStride, xRow, xStep, wStride int)

//go:noescape
func sumRows16AVX2(sum, table *float32, rows *uint32, n, stride int)

//go:noescape
func adagradAVX2(table, history *float32, rows *uint32, n, width int, gradient *float32, square, rate float32)

//go:noescape
func adamAVX2(p, first, second, gradient *float32, n int, c *[7]float32)

func gemmVector(dst, x, w matrix, rows, n, columns int) {
	if rows%4 != 0 || columns%16 != 0 || n == 0 {
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

func sumRowsVector(sum *[linetag.Dim]float32, table []float32, rows []uint32) {
	for j := 0; j < linetag.Dim && len(rows) > 0; j += 16 {
		sumRows16AVX2(&sum[j], &table[j], &rows[0], len(rows), 4*linetag.Dim)
	}
}

func adagradVector(table, history []float32, rows []uint32, g *[linetag.Dim]float32, square, rate float32) {
	if len(rows) > 0 {
		adagradAVX2(&table[0], &history[0], &rows[0], len(rows), linetag.Dim, &g[0], square, rate)
	}
}

func adamVector(p, first, second, g []float32, c *[7]float32) {
	whole := len(p) &^ 7
	if whole > 0 {
		adamAVX2(&p[0], &first[0], &second[0], &g[0], whole, c)
	}
	adamGeneric(p[whole:], first[whole:], second[whole:], g[whole:], c)
}
