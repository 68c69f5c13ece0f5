package langidtrain

// axpyGo is axpy without vector instructions. The conversion forbids fused multiplication and addition.
func axpyGo(dst, src []float32, a float32) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] += float32(a * src[i])
	}
}
