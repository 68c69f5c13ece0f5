//go:build !amd64 || purego

package langidtrain

// axpy adds a*src to dst. Both have the same length, a multiple of eight. It rounds after the multiplication and
// again after the addition, everywhere: a model is the same bytes on every machine.
func axpy(dst, src []float32, a float32) { axpyGo(dst, src, a) }
