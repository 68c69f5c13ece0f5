//go:build !purego

#include "textflag.h"

// func sumRowsAVX2(sum *int32, table *int8, rows *uint32, n int, last *uint32, stride int)
// Adds 32 columns of n <= 256 rows, stride bytes apart, in 16-bit lanes, then widens. Rows that are needed soon, up to the one at last, are
// asked for: the table does not fit into the second-level cache.
TEXT ·sumRowsAVX2(SB), NOSPLIT, $0-48
	MOVQ sum+0(FP), DI
	MOVQ table+8(FP), SI
	MOVQ rows+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ last+32(FP), R10
	MOVQ stride+40(FP), R11
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	SUBQ $2, CX
	JLT one
two:
	LEAQ 128(DX), R8
	LEAQ 132(DX), R9
	CMPQ R8, R10
	CMOVQHI R10, R8
	CMPQ R9, R10
	CMOVQHI R10, R9
	MOVL (R8), R8
	MOVL (R9), R9
	IMULQ R11, R8
	IMULQ R11, R9
	PREFETCHT0 (SI)(R8*1)
	PREFETCHT0 (SI)(R9*1)
	MOVL (DX), AX
	MOVL 4(DX), BX
	IMULQ R11, AX
	IMULQ R11, BX
	VPMOVSXBW (SI)(AX*1), Y4
	VPMOVSXBW 16(SI)(AX*1), Y5
	VPMOVSXBW (SI)(BX*1), Y6
	VPMOVSXBW 16(SI)(BX*1), Y7
	VPADDW Y4, Y0, Y0
	VPADDW Y5, Y1, Y1
	VPADDW Y6, Y2, Y2
	VPADDW Y7, Y3, Y3
	ADDQ $8, DX
	SUBQ $2, CX
	JGE two
one:
	ADDQ $2, CX
	JEQ done
	MOVL (DX), AX
	IMULQ R11, AX
	VPMOVSXBW (SI)(AX*1), Y4
	VPMOVSXBW 16(SI)(AX*1), Y5
	VPADDW Y4, Y0, Y0
	VPADDW Y5, Y1, Y1
done:
	VPADDW Y2, Y0, Y0
	VPADDW Y3, Y1, Y1
	VEXTRACTI128 $1, Y0, X2
	VEXTRACTI128 $1, Y1, X3
	VPMOVSXWD X0, Y4
	VPMOVSXWD X2, Y5
	VPMOVSXWD X1, Y6
	VPMOVSXWD X3, Y7
	VPADDD (DI), Y4, Y4
	VPADDD 32(DI), Y5, Y5
	VPADDD 64(DI), Y6, Y6
	VPADDD 96(DI), Y7, Y7
	VMOVDQU Y4, (DI)
	VMOVDQU Y5, 32(DI)
	VMOVDQU Y6, 64(DI)
	VMOVDQU Y7, 96(DI)
	VZEROUPPER
	RET

// func affine16AVX2(dst, bias, weight, x *float32, n int)
// dst = bias + x·weight for n inputs, a multiple of 4, and 16 outputs.
TEXT ·affine16AVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ bias+8(FP), AX
	MOVQ weight+16(FP), SI
	MOVQ x+24(FP), DX
	MOVQ n+32(FP), CX
	VMOVUPS (AX), Y0
	VMOVUPS 32(AX), Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7
loop16:
	VBROADCASTSS (DX), Y8
	VBROADCASTSS 4(DX), Y9
	VBROADCASTSS 8(DX), Y10
	VBROADCASTSS 12(DX), Y11
	VFMADD231PS (SI), Y8, Y0
	VFMADD231PS 32(SI), Y8, Y1
	VFMADD231PS 64(SI), Y9, Y2
	VFMADD231PS 96(SI), Y9, Y3
	VFMADD231PS 128(SI), Y10, Y4
	VFMADD231PS 160(SI), Y10, Y5
	VFMADD231PS 192(SI), Y11, Y6
	VFMADD231PS 224(SI), Y11, Y7
	ADDQ $256, SI
	ADDQ $16, DX
	SUBQ $4, CX
	JGT loop16
	VADDPS Y2, Y0, Y0
	VADDPS Y3, Y1, Y1
	VADDPS Y6, Y4, Y4
	VADDPS Y7, Y5, Y5
	VADDPS Y4, Y0, Y0
	VADDPS Y5, Y1, Y1
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VZEROUPPER
	RET

DATA half<>+0(SB)/4, $0.5
GLOBL half<>(SB), RODATA, $4
DATA one<>+0(SB)/4, $1.0
GLOBL one<>(SB), RODATA, $4
DATA sign<>+0(SB)/4, $0x7fffffff
GLOBL sign<>(SB), RODATA, $4

// One step of eight units: gate at off, candidate R10 bytes behind it, state in S.
// z = 0.5 + 0.5*a/(1+|a|); S = c + z*(S-c)
#define STEP(off, S) \
	VMOVUPS off(SI), Y4 \
	VMOVUPS off(SI)(R10*1), Y5 \
	VANDPS Y15, Y4, Y6 \
	VADDPS Y14, Y6, Y6 \
	VMULPS Y13, Y4, Y4 \
	VDIVPS Y6, Y4, Y4 \
	VADDPS Y13, Y4, Y4 \
	VSUBPS Y5, S, S \
	VMULPS Y4, S, S \
	VADDPS Y5, S, S \
	VMOVUPS S, off(DI)

// func sruAVX2(out, gates *float32, n, outStride, gatesStride, candidate int)
// Runs 32 units over n lines; strides in bytes, negative for the backward direction. Candidates are candidate bytes behind
// their gates.
TEXT ·sruAVX2(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ gates+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ outStride+24(FP), R8
	MOVQ gatesStride+32(FP), R9
	MOVQ candidate+40(FP), R10
	VBROADCASTSS half<>(SB), Y13
	VBROADCASTSS one<>(SB), Y14
	VBROADCASTSS sign<>(SB), Y15
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
line:
	STEP(0, Y0)
	STEP(32, Y1)
	STEP(64, Y2)
	STEP(96, Y3)
	ADDQ R8, DI
	ADDQ R9, SI
	DECQ CX
	JNZ line
	VZEROUPPER
	RET

// func gemm4x16AVX2(dst, bias, weight, x *float32, n, stride, xStride int)
// dst = bias + x·weight for 4 lines, n inputs and 16 outputs. Rows of dst and weight are stride bytes apart, rows of x
// xStride bytes.
TEXT ·gemm4x16AVX2(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ bias+8(FP), AX
	MOVQ weight+16(FP), SI
	MOVQ x+24(FP), DX
	MOVQ n+32(FP), CX
	MOVQ stride+40(FP), R8
	MOVQ xStride+48(FP), R9
	LEAQ (R9)(R9*2), R10
	VMOVUPS (AX), Y0
	VMOVUPS 32(AX), Y1
	VMOVAPS Y0, Y2
	VMOVAPS Y1, Y3
	VMOVAPS Y0, Y4
	VMOVAPS Y1, Y5
	VMOVAPS Y0, Y6
	VMOVAPS Y1, Y7
input16:
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
	ADDQ R8, SI
	ADDQ $4, DX
	DECQ CX
	JNZ input16
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	ADDQ R8, DI
	VMOVUPS Y2, (DI)
	VMOVUPS Y3, 32(DI)
	ADDQ R8, DI
	VMOVUPS Y4, (DI)
	VMOVUPS Y5, 32(DI)
	ADDQ R8, DI
	VMOVUPS Y6, (DI)
	VMOVUPS Y7, 32(DI)
	VZEROUPPER
	RET

// Eight values of embedAVX2: max(bias + content*contentScale*norm + layout*layoutScale, 0).
#define EMBED(off) \
	VCVTDQ2PS off(R8), Y0 \
	VCVTDQ2PS off(R10), Y1 \
	VMULPS off(R9), Y0, Y0 \
	VMULPS Y2, Y0, Y0 \
	VMULPS off(R11), Y1, Y1 \
	VADDPS off(SI), Y0, Y0 \
	VADDPS Y1, Y0, Y0 \
	VMAXPS Y3, Y0, Y0 \
	VMOVUPS Y0, off(DI)

// func embedAVX2(x, bias *float32, content *int32, contentScale *float32, layout *int32, layoutScale *float32, norm float32)
// Computes 32 values.
TEXT ·embedAVX2(SB), NOSPLIT, $0-52
	MOVQ x+0(FP), DI
	MOVQ bias+8(FP), SI
	MOVQ content+16(FP), R8
	MOVQ contentScale+24(FP), R9
	MOVQ layout+32(FP), R10
	MOVQ layoutScale+40(FP), R11
	VBROADCASTSS norm+48(FP), Y2
	VXORPS Y3, Y3, Y3
	EMBED(0)
	EMBED(32)
	EMBED(64)
	EMBED(96)
	VZEROUPPER
	RET
