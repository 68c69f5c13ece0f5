//go:build !purego

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
		sumRowsGeneric(&want, table, rows)
		sumRows(&got, table, rows, len(rows))
		require.Equal(t, want, got, "%d rows", n)
	}
	extreme := make([]int8, Rows*Dim)
	for i := range extreme {
		extreme[i] = -127
	}
	var got [Dim]int32
	sumRows(&got, extreme, make([]uint32, 2000), 2000)
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
		affineGeneric(want, &a, x)
		a.Forward(got, x)
		require.InDeltaSlice(t, want, got, 1e-5, "%d to %d", size[0], size[1])
	}

	n := &network{dense: NewDense()}
	var content, layoutSum [Dim]int32
	for j := range Dim {
		n.dense.Bias[j], n.contentScale[j], n.layoutScale[j] = r.Float32()-0.5, r.Float32(), r.Float32()
		content[j], layoutSum[j] = int32(r.IntN(2000)-1000), int32(r.IntN(2000)-1000)
	}
	var embedding, plainEmbedding [Dim]float32
	embed(&embedding, n, &content, &layoutSum, 0.3)
	embedGeneric(&plainEmbedding, n, &content, &layoutSum, 0.3)
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
		Gemm(got, &layer, x, Dim+Context)
		for i := range got {
			var want [Gates]float32
			affineGeneric(want[:], &layer, x[i][:Dim+Context])
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
	SRU(joined, gates, Dim)
	sruGeneric(plain, gates, Dim)
	require.Equal(t, plain, joined)
}

// BenchmarkKernels shows what each kernel gains over plain Go, on a window of 100 lines.
func BenchmarkKernels(b *testing.B) {
	const lines = 100
	r := rand.New(rand.NewPCG(1, 2))
	n := Default().networks[0]
	rows := make([]uint32, 120) // of a line
	for i := range rows {
		rows[i] = uint32(r.IntN(Rows))
	}
	joined, gates := make([][Joined]float32, lines), make([][Gates]float32, lines)
	for i := range joined {
		for j := range joined[i] {
			joined[i][j] = r.Float32()
		}
	}
	var sum [Dim]int32
	var x [Dim]float32
	var hidden [Hidden]float32
	const in = Dim + Context
	run := func(name string, kernel, generic func()) {
		b.Run(name+"/avx2", func(b *testing.B) {
			if !haveAVX2 {
				b.Skip("this processor has no AVX2")
			}
			for b.Loop() {
				kernel()
			}
		})
		b.Run(name+"/go", func(b *testing.B) {
			for b.Loop() {
				generic()
			}
		})
	}
	run("sumRows", func() { sumRows(&sum, n.table, rows, len(rows)) }, func() { sumRowsGeneric(&sum, n.table, rows) })
	run("embed", func() { embed(&x, n, &sum, &sum, 0.1) }, func() { embedGeneric(&x, n, &sum, &sum, 0.1) })
	run("gemm", func() { Gemm(gates, &n.dense.Gates[1], joined, in) }, func() { gemmGeneric(gates, &n.dense.Gates[1], joined, in) })
	run("sru", func() { SRU(joined, gates, in) }, func() { sruGeneric(joined, gates, in) })
	run("affine", func() { n.dense.Hidden.Forward(hidden[:], joined[0][:]) }, func() { affineGeneric(hidden[:], &n.dense.Hidden, joined[0][:]) })
}
