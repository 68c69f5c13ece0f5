//go:build !purego

package linetagtrain

import (
	"golang.org/x/sys/cpu"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
)

var haveAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasFMA

//go:noescape
func affineBackwardAVX2(dx, x, weight, grad, dy *float32, inputs, outputs int)

//go:noescape
func sumAVX2(sum *[linetag.Dim]float32, table *float32, rows *uint32, n int)

//go:noescape
func descendAVX2(row, grad *float32, step float32)

// affineBackward adds the gradients of an affine map: to dx of its input, to grad of its parameters.
func affineBackward(dx []float32, a, grad *linetag.Affine, x, dy []float32) {
	if !haveAVX2 || len(dy)%8 != 0 || len(a.Weight) < len(dx)*len(dy) {
		affineBackwardGeneric(dx, a, grad, x, dy)
		return
	}
	for j, v := range dy {
		grad.Bias[j] += v
	}
	affineBackwardAVX2(&dx[0], &x[0], &a.Weight[0], &grad.Weight[0], &dy[0], len(dx), len(dy))
}

// sumRows adds rows of the table to sum.
func sumRows(sum *[linetag.Dim]float32, table []float32, rows []uint32) {
	switch {
	case !haveAVX2:
		sumGeneric(sum, table, rows)
	case len(rows) > 0:
		sumAVX2(sum, &table[0], &rows[0], len(rows))
	}
}

// descend moves a row against its gradient.
func descend(row, g *[linetag.Dim]float32, step float32) {
	if haveAVX2 {
		descendAVX2(&row[0], &g[0], step)
		return
	}
	descendGeneric(row, g, step)
}
