//go:build !purego

package langidtrain

import "golang.org/x/sys/cpu"

//go:noescape
func axpyAVX(dst, src *float32, n int, a float32)

var haveAVX = cpu.X86.HasAVX

// axpy adds a*src to dst. Both have the same length, a multiple of eight. It rounds after the multiplication and
// again after the addition, everywhere: a model is the same bytes on every machine.
func axpy(dst, src []float32, a float32) {
	if haveAVX {
		axpyAVX(&dst[0], &src[0], len(dst), a)
		return
	}
	axpyGo(dst, src, a)
}
