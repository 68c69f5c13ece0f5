//go:build !purego

package langidtrain

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func randomRows(n int) (table, sum []float32, rows []uint32) {
	rng := rand.New(rand.NewPCG(1, 2))
	table, sum = make([]float32, n*kernelWidth), make([]float32, kernelWidth)
	for i := range table {
		table[i] = float32(rng.NormFloat64())
	}
	for i := range sum {
		sum[i] = float32(rng.NormFloat64())
	}
	for range 150_000 {
		rows = append(rows, uint32(rng.IntN(n)))
	}
	return table, sum, rows
}

func TestKernelsAddAsGo(t *testing.T) {
	table, sum, rows := randomRows(1000)
	for _, n := range []int{0, 1, 2, 11, 150} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			want, got := slices.Clone(sum), slices.Clone(sum)
			addRowsGeneric(want, table, rows[:n])
			addRows(got, table, rows[:n])
			if !slices.Equal(got, want) {
				t.Error("sums differ")
			}
			moved, by := slices.Clone(table), slices.Clone(table)
			moveRowsGeneric(moved, rows[:n], sum)
			moveRows(by, rows[:n], sum)
			if !slices.Equal(by, moved) {
				t.Error("moved rows differ")
			}
		})
	}
}

// BenchmarkKernels shows what the kernels gain over plain Go and over one call of BLAS for each row. Rows are drawn from
// a table of the size of the model's.
func BenchmarkKernels(b *testing.B) {
	table, sum, all := randomRows(105_000)
	next := 0
	some := func() []uint32 {
		next = (next + 150) % (len(all) - 150)
		return all[next : next+150]
	}
	b.Run("add/AVX2", func(b *testing.B) {
		for b.Loop() {
			addRows(sum, table, some())
		}
	})
	b.Run("add/Go", func(b *testing.B) {
		for b.Loop() {
			addRowsGeneric(sum, table, some())
		}
	})
	b.Run("add/BLAS", func(b *testing.B) {
		for b.Loop() {
			for _, r := range some() {
				axpy(sum, table[int(r)*kernelWidth:int(r+1)*kernelWidth], 1)
			}
		}
	})
	b.Run("move/AVX2", func(b *testing.B) {
		for b.Loop() {
			moveRows(table, some(), sum)
		}
	})
	b.Run("move/Go", func(b *testing.B) {
		for b.Loop() {
			moveRowsGeneric(table, some(), sum)
		}
	})
	b.Run("move/BLAS", func(b *testing.B) {
		for b.Loop() {
			for _, r := range some() {
				axpy(table[int(r)*kernelWidth:int(r+1)*kernelWidth], sum, 1e-9)
			}
		}
	})
}
