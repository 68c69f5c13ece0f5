//go:build !purego

#include "textflag.h"

// func gemm4x16AVX2(dst, x, w *float32, n, dstStride, xRow, xStep, wStride int)
// dst += x·w for 4 rows and 16 columns over n products: row r of x begins at x + r·xRow, and its elements are xStep
// apart, so that x can be a matrix or its transpose. Strides in bytes.
TEXT ·gemm4x16AVX2(SB), NOSPLIT, $0-64
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), DX
	MOVQ w+16(FP), SI
	MOVQ n+24(FP), CX
	MOVQ dstStride+32(FP), R8
	MOVQ xRow+40(FP), R9
	MOVQ xStep+48(FP), R11
	MOVQ wStride+56(FP), R12
	LEAQ (R9)(R9*2), R10
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7
product:
	VMOVUPS (SI), Y8
	VMOVUPS 32(SI), Y9
	VBROADCASTSS (DX), Y10
	VBROADCASTSS (DX)(R9*1), Y11
	VBROADCASTSS (DX)(R9*2), Y12
	VBROADCASTSS (DX)(R10*1), Y13
	VFMADD231PS Y8, Y10, Y0
	VFMADD231PS Y9, Y10, Y1
	VFMADD231PS Y8, Y11, Y2
	VFMADD231PS Y9, Y11, Y3
	VFMADD231PS Y8, Y12, Y4
	VFMADD231PS Y9, Y12, Y5
	VFMADD231PS Y8, Y13, Y6
	VFMADD231PS Y9, Y13, Y7
	ADDQ R12, SI
	ADDQ R11, DX
	DECQ CX
	JNZ product
	VADDPS (DI), Y0, Y0
	VADDPS 32(DI), Y1, Y1
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	ADDQ R8, DI
	VADDPS (DI), Y2, Y2
	VADDPS 32(DI), Y3, Y3
	VMOVUPS Y2, (DI)
	VMOVUPS Y3, 32(DI)
	ADDQ R8, DI
	VADDPS (DI), Y4, Y4
	VADDPS 32(DI), Y5, Y5
	VMOVUPS Y4, (DI)
	VMOVUPS Y5, 32(DI)
	ADDQ R8, DI
	VADDPS (DI), Y6, Y6
	VADDPS 32(DI), Y7, Y7
	VMOVUPS Y6, (DI)
	VMOVUPS Y7, 32(DI)
	VZEROUPPER
	RET

// func sumRows16AVX2(sum, table *float32, rows *uint32, n, stride int)
// Adds 16 columns of n rows of the table, stride bytes apart, to sum.
TEXT ·sumRows16AVX2(SB), NOSPLIT, $0-40
	MOVQ sum+0(FP), DI
	MOVQ table+8(FP), SI
	MOVQ rows+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ stride+32(FP), R8
	VMOVUPS (DI), Y0
	VMOVUPS 32(DI), Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	SUBQ $2, CX
	JLT last
two:
	MOVL (DX), AX
	MOVL 4(DX), BX
	IMULQ R8, AX
	IMULQ R8, BX
	VADDPS (SI)(AX*1), Y0, Y0
	VADDPS 32(SI)(AX*1), Y1, Y1
	VADDPS (SI)(BX*1), Y2, Y2
	VADDPS 32(SI)(BX*1), Y3, Y3
	ADDQ $8, DX
	SUBQ $2, CX
	JGE two
last:
	ADDQ $2, CX
	JEQ done
	MOVL (DX), AX
	IMULQ R8, AX
	VADDPS (SI)(AX*1), Y0, Y0
	VADDPS 32(SI)(AX*1), Y1, Y1
done:
	VADDPS Y2, Y0, Y0
	VADDPS Y3, Y1, Y1
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VZEROUPPER
	RET

// func adagradAVX2(table, history *float32, rows *uint32, n, width int, gradient *float32, square, rate float32)
// One step of Adagrad on n rows of width values, 8·k, with the gradient g, whose mean square is square.
TEXT ·adagradAVX2(SB), NOSPLIT, $0-56
	MOVQ table+0(FP), SI
	MOVQ history+8(FP), R8
	MOVQ rows+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ width+32(FP), R9
	MOVQ gradient+40(FP), R11
	VMOVSS square+48(FP), X0
	VMOVSS rate+52(FP), X1
	SHLQ $2, R9 // bytes of a row
	TESTQ CX, CX
	JEQ end
row:
	MOVL (DX), AX
	VADDSS (R8)(AX*4), X0, X2
	VMOVSS X2, (R8)(AX*4)
	VSQRTSS X2, X2, X2
	VDIVSS X2, X1, X2
	VBROADCASTSS X2, Y2
	IMULQ R9, AX
	LEAQ (SI)(AX*1), DI
	XORQ BX, BX
values:
	VMOVUPS (DI)(BX*1), Y3
	VFNMADD231PS (R11)(BX*1), Y2, Y3
	VMOVUPS Y3, (DI)(BX*1)
	ADDQ $32, BX
	CMPQ BX, R9
	JLT values
	ADDQ $4, DX
	DECQ CX
	JNZ row
end:
	VZEROUPPER
	RET

// func adamAVX2(p, first, second, gradient *float32, n int, c *[7]float32)
// One step of Adam on n parameters, 8·k. c holds keep1, 1-keep1, keep2, 1-keep2, fix2, rate·fix1 and epsilon.
TEXT ·adamAVX2(SB), NOSPLIT, $0-48
	MOVQ p+0(FP), DI
	MOVQ first+8(FP), SI
	MOVQ second+16(FP), DX
	MOVQ gradient+24(FP), R8
	MOVQ n+32(FP), CX
	MOVQ c+40(FP), R9
	VBROADCASTSS (R9), Y8
	VBROADCASTSS 4(R9), Y9
	VBROADCASTSS 8(R9), Y10
	VBROADCASTSS 12(R9), Y11
	VBROADCASTSS 16(R9), Y12
	VBROADCASTSS 20(R9), Y13
	VBROADCASTSS 24(R9), Y14
eight:
	VMOVUPS (R8), Y0
	VMULPS Y0, Y9, Y1
	VMOVUPS (SI), Y2
	VFMADD231PS Y8, Y2, Y1 // first
	VMOVUPS Y1, (SI)
	VMULPS Y0, Y0, Y0
	VMULPS Y11, Y0, Y0
	VMOVUPS (DX), Y3
	VFMADD231PS Y10, Y3, Y0 // second
	VMOVUPS Y0, (DX)
	VMULPS Y12, Y0, Y0
	VSQRTPS Y0, Y0
	VADDPS Y14, Y0, Y0
	VMULPS Y13, Y1, Y1
	VDIVPS Y0, Y1, Y1
	VMOVUPS (DI), Y4
	VSUBPS Y1, Y4, Y4
	VMOVUPS Y4, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	ADDQ $32, DX
	ADDQ $32, R8
	SUBQ $8, CX
	JGT eight
	VZEROUPPER
	RET
