//go:build !purego

package langid

import "testing"

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
	b.Run("locate/bmi2", func(b *testing.B) {
		if !haveBMI2 {
			b.Skip("this processor has no BMI2")
		}
		for b.Loop() {
			s.recent.reset()
			m.index.locate(s.candidates, s.features, &s.recent, m.rows)
		}
	})
	b.Run("locate/go", func(b *testing.B) {
		for b.Loop() {
			s.recent.reset()
			m.index.locateGeneric(s.candidates, s.features, &s.recent)
		}
	})
}
