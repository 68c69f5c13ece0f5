package linetagtrain

import "github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"

func affineBackwardGeneric(dx []float32, a, grad *linetag.Affine, x, dy []float32) {
	n := len(dy)
	for j, v := range dy {
		grad.Bias[j] += v
	}
	for i := range dx {
		w, g := a.Weight[i*n:i*n+n], grad.Weight[i*n:i*n+n]
		var sum float32
		for j, v := range dy {
			sum += v * w[j]
			g[j] += v * x[i]
		}
		dx[i] += sum
	}
}

func sumGeneric(sum *[linetag.Dim]float32, table []float32, rows []uint32) {
	for _, r := range rows {
		row := (*[linetag.Dim]float32)(table[int(r)*linetag.Dim:])
		for j, v := range row {
			sum[j] += v
		}
	}
}

func descendGeneric(row, g *[linetag.Dim]float32, step float32) {
	for j := range row {
		row[j] -= step * g[j]
	}
}
