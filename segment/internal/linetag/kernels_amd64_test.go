package linetag

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// The vector kernels compute what the plain ones do.
func TestKernels(t *testing.T) {
	if !haveAVX2 {
		t.Skip("this processor has no AVX2")
	}
	r := rand.New(rand.NewPCG(1, 2))
	table := make([]int8, Rows*Dim)
	for i := range table {
		table[i] = int8(r.IntN(255) - 127)
	}
	for _, n := range []int{0, 1, 2, 3, 7, 100, 255, 256, 257, 600, 1001} {
		rows := make([]uint32, n)
		for i := range rows {
			rows[i] = uint32(r.IntN(Rows))
		}
		var want, got [Dim]int32
		bagGeneric(&want, table, rows)
		bag(&got, table, rows, len(rows))
		require.Equal(t, want, got, "%d rows", n)
	}
	extreme := make([]int8, Rows*Dim)
	for i := range extreme {
		extreme[i] = -127
	}
	var got [Dim]int32
	bag(&got, extreme, make([]uint32, 2000), 2000)
	require.EqualValues(t, -127*2000, got[0], "sums of many rows do not overflow")

	for _, size := range [][2]int{{Joined, Hidden}, {Hidden, Outputs}, {Dim, Gates}} {
		a := newAffine(size[0], size[1])
		x := make([]float32, size[0])
		for i := range a.Weight {
			a.Weight[i] = r.Float32() - 0.5
		}
		for i := range a.Bias {
			a.Bias[i] = r.Float32()
		}
		for i := range x {
			x[i] = r.Float32() - 0.5
		}
		want, got := make([]float32, size[1]), make([]float32, size[1])
		mapGeneric(want, &a, x)
		Map(got, &a, x)
		require.InDeltaSlice(t, want, got, 1e-5, "%d to %d", size[0], size[1])
	}

	m := &Model{dense: NewDense()}
	var content, layoutSum [Dim]int32
	for j := range Dim {
		m.dense.Bias[j], m.contentScale[j], m.layoutScale[j] = r.Float32()-0.5, r.Float32(), r.Float32()
		content[j], layoutSum[j] = int32(r.IntN(2000)-1000), int32(r.IntN(2000)-1000)
	}
	var embedding, plainEmbedding [Dim]float32
	combine(&embedding, m, &content, &layoutSum, 0.3)
	combineGeneric(&plainEmbedding, m, &content, &layoutSum, 0.3)
	require.Equal(t, plainEmbedding, embedding)

	layer := newAffine(Dim+Context, Gates)
	for i := range layer.Weight {
		layer.Weight[i] = r.Float32() - 0.5
	}
	for i := range layer.Bias {
		layer.Bias[i] = r.Float32()
	}
	for n := range 11 {
		x, got := make([][Joined]float32, n), make([][Gates]float32, n)
		for i := range x {
			for j := range x[i] {
				x[i][j] = r.Float32() - 0.5
			}
		}
		MapGates(got, &layer, x, Dim+Context)
		for i := range got {
			var want [Gates]float32
			mapGeneric(want[:], &layer, x[i][:Dim+Context])
			require.InDeltaSlice(t, want[:], got[i][:], 1e-5, "line %d of %d", i, n)
		}
	}

	joined, gates := make([][Joined]float32, 9), make([][Gates]float32, 9)
	for i := range gates {
		for j := range gates[i] {
			gates[i][j] = 6*r.Float32() - 3
		}
	}
	plain := append([][Joined]float32(nil), joined...)
	Recur(joined, gates, Dim)
	recurGeneric(plain, gates, Dim)
	require.Equal(t, plain, joined)
}
