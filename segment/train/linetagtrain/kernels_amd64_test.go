//go:build !purego

package linetagtrain

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/cpu"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
)

var haveAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasFMA

func random(r *rand.Rand, n int) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = r.Float32() - 0.5
	}
	return values
}

// The vector kernels compute what the plain ones do.
func TestKernels(t *testing.T) {
	if !haveAVX2 {
		t.Skip("this processor has no AVX2")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 7, 32} {
		const rows, columns = 8, 32
		w, x := random(r, n*columns), random(r, rows*n)
		for name, view := range map[string]matrix{"x": {x, n, 1}, "x transposed": {x, 1, rows}} {
			got := random(r, rows*columns)
			want := slices.Clone(got)
			gemm(matrix{got, columns, 1}, view, matrix{w, columns, 1}, rows, n, columns)
			gemmGeneric(matrix{want, columns, 1}, view, matrix{w, columns, 1}, rows, n, columns)
			require.InDeltaSlice(t, want, got, 1e-5, "%s, %d products", name, n)
		}
	}

	table, rows := random(r, 100*linetag.Dim), make([]uint32, 37)
	for i := range rows {
		rows[i] = uint32(r.IntN(100)) // some of them twice
	}
	for n := range rows {
		var want, got [linetag.Dim]float32
		sumRowsGeneric(&want, table, rows[:n])
		sumRows(&got, table, rows[:n])
		require.InDeltaSlice(t, want[:], got[:], 1e-4, "%d rows", n)
	}

	g := [linetag.Dim]float32(random(r, linetag.Dim))
	history := make([]float32, 100)
	for i := range history {
		history[i] = r.Float32()
	}
	wantTable, wantHistory := slices.Clone(table), slices.Clone(history)
	adagradRows(table, history, rows, &g, 0.1, 0.3)
	adagradGeneric(wantTable, wantHistory, rows, &g, 0.1, 0.3)
	require.InDeltaSlice(t, wantTable, table, 1e-5)
	require.InDeltaSlice(t, wantHistory, history, 1e-5)

	constants := [7]float32{0.9, 0.1, 0.999, 0.001, 1.5, 0.02, 1e-8}
	for _, n := range []int{3, 8, 21} {
		p, first, second, g := random(r, n), random(r, n), random(r, n), random(r, n)
		for i, v := range second {
			second[i] = v * v
		}
		wantP, wantFirst, wantSecond := slices.Clone(p), slices.Clone(first), slices.Clone(second)
		adam(p, first, second, g, &constants)
		adamGeneric(wantP, wantFirst, wantSecond, g, &constants)
		require.InDeltaSlice(t, wantP, p, 1e-5, "%d parameters", n)
		require.InDeltaSlice(t, wantFirst, first, 1e-5)
		require.InDeltaSlice(t, wantSecond, second, 1e-5)
	}
}

// BenchmarkKernels shows what each kernel gains over plain Go: on a message of 24 lines, a line of 120 rows, and the
// parameters of a layer.
func BenchmarkKernels(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	const lines, in = 24, linetag.Dim + linetag.Context
	x, dy := matrix{random(r, lines*in), 1, in}, matrix{random(r, lines*linetag.Gates), linetag.Gates, 1}
	grad := matrix{random(r, in*linetag.Gates), linetag.Gates, 1}
	table, history := random(r, linetag.Rows*linetag.Dim), make([]float32, linetag.Rows)
	for i := range history {
		history[i] = 1
	}
	rows := make([]uint32, 120)
	for i := range rows {
		rows[i] = uint32(r.IntN(linetag.Rows))
	}
	g := [linetag.Dim]float32(random(r, linetag.Dim))
	first, second := random(r, len(grad.values)), make([]float32, len(grad.values))
	constants := [7]float32{0.9, 0.1, 0.999, 0.001, 1.5, 0.02, 1e-8}
	var sum [linetag.Dim]float32
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
	run("gemm", func() { gemm(grad, x, dy, in, lines, linetag.Gates) }, func() { gemmGeneric(grad, x, dy, in, lines, linetag.Gates) })
	run("sumRows", func() { sumRows(&sum, table, rows) }, func() { sumRowsGeneric(&sum, table, rows) })
	run("adagrad", func() { adagradRows(table, history, rows, &g, 0.1, 1e-6) }, func() { adagradGeneric(table, history, rows, &g, 0.1, 1e-6) })
	run("adam", func() { adam(grad.values, first, second, grad.values, &constants) },
		func() { adamGeneric(grad.values, first, second, grad.values, &constants) })
}
