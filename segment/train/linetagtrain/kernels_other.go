//go:build !amd64 || purego

package linetagtrain

import "github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"

// affineBackward adds the gradients of an affine map: to dx of its input, to grad of its parameters.
func affineBackward(dx []float32, a, grad *linetag.Affine, x, dy []float32) {
	affineBackwardGeneric(dx, a, grad, x, dy)
}

// sumRows adds rows of the table to sum.
func sumRows(sum *[linetag.Dim]float32, table []float32, rows []uint32) { sumGeneric(sum, table, rows) }

// descend moves a row against its gradient.
func descend(row, g *[linetag.Dim]float32, step float32) { descendGeneric(row, g, step) }
