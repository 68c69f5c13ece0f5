//go:build !amd64 || purego

package linetagtrain

import "github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"

// gemm adds x·w to dst, over n products. See [matrix].
func gemm(dst, x, w matrix, rows, n, columns int) { gemmGeneric(dst, x, w, rows, n, columns) }

// sumRows adds rows of the table to sum.
func sumRows(sum *[linetag.Dim]float32, table []float32, rows []uint32) {
	sumRowsGeneric(sum, table, rows)
}

// adagradRows does one step of Adagrad on rows of the table, with the gradient g whose mean square is square.
func adagradRows(table, history []float32, rows []uint32, g *[linetag.Dim]float32, square, rate float32) {
	adagradGeneric(table, history, rows, g, square, rate)
}

// adam does one step of Adam on the parameters p with the gradient g. c holds the constants of the step.
func adam(p, first, second, g []float32, c *[7]float32) { adamGeneric(p, first, second, g, c) }
