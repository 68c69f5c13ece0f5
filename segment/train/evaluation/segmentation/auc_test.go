package segmentation

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAUC(t *testing.T) {
	for _, c := range []struct {
		name                 string
		positives, negatives []float64
		want                 float64
	}{
		{"told apart", []float64{2, 3}, []float64{-1, 0, 1}, 1},
		{"the wrong way round", []float64{-2}, []float64{0, 1}, 0},
		{"one pair of four wrong", []float64{1, 3}, []float64{0, 2}, 0.75},
		{"ties count half", []float64{1, 1}, []float64{1, 0, 1}, 4.0 / 6},
		{"nothing to compare", nil, []float64{1}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.InDelta(t, c.want, AUC(c.positives, c.negatives), 1e-9)
		})
	}
}
