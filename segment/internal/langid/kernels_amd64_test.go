//go:build !purego

package langid

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkKernels shows what the kernels gain over plain Go, on a snippet of ten lines.
func BenchmarkKernels(b *testing.B) {
	const code = "func (s *Server) Close() error {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\tfor c := range s.conns {\n" +
		"\t\tif err := c.Close(); err != nil {\n\t\t\treturn fmt.Errorf(\"close: %w\", err)\n\t\t}\n\t}\n\treturn nil\n}"
	m := Default()
	var s Scratch
	m.Scores(&s, code, nil)
	var sum sums
	b.Run("add/avx2", func(b *testing.B) {
		if !haveAVX2 {
			b.Skip("this processor has no AVX2")
		}
		for b.Loop() {
			sum.add(m.rows, s.rows)
		}
	})
	b.Run("add/go", func(b *testing.B) {
		for b.Loop() {
			sum.addGeneric(m.rows, s.rows)
		}
	})

	// The kernel prefetches rows, so it gains where the features are not in the cache: those of many texts in turn.
	rng := rand.New(rand.NewPCG(1, 2))
	texts := make([][]uint32, 64)
	for i := range texts {
		for range 2000 {
			f := rng.Uint32()
			if rng.IntN(3) == 0 {
				f = m.index.sorted[rng.IntN(len(m.index.sorted))]
			}
			texts[i] = append(texts[i], f)
		}
	}
	have := haveBMI2
	b.Cleanup(func() { haveBMI2 = have })
	for name, on := range map[string]bool{"find/bmi2": have, "find/go": false} {
		b.Run(name, func(b *testing.B) {
			haveBMI2 = on
			for i := 0; b.Loop(); i++ {
				s.features = texts[i%len(texts)]
				m.find(&s)
			}
		})
	}
}
