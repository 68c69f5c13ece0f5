//go:build !purego

#include "textflag.h"
#include "go_asm.h"

DATA nibble<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibble<>+8(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibble<>+16(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibble<>+24(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL nibble<>(SB), RODATA|NOPTR, $32

// LANES multiplies the lower and the upper four bits of the bytes of r, two rows side by side, by the scales in Y2, and adds the
// products to l and h; s is scratch.
#define LANES(r, s, l, h) \
	VPSRLW $4, r, s; \
	VPAND r, Y7, r; \
	VPAND s, Y7, s; \
	VPMADDUBSW Y2, r, r; \
	VPMADDUBSW Y2, s, s; \
	VPADDW r, l, l; \
	VPADDW s, h, h

// PART adds 32 bytes of the rows at AX and BX, scales in Y2, to four accumulators: the lower halves of the bytes to l0
// and l1, the upper halves to h0 and h1. A byte of one row and the same of the other are brought side by side,
// multiplied by their scales and added in one instruction.
#define PART(offset, l0, l1, h0, h1) \
	VMOVDQU offset(SI)(AX*1), Y0; \
	VPUNPCKHBW offset(SI)(BX*1), Y0, Y3; \
	VPUNPCKLBW offset(SI)(BX*1), Y0, Y0; \
	LANES(Y0, Y4, l0, h0); \
	LANES(Y3, Y5, l1, h1)

// REST is PART of the sixteen bytes at offset, for two accumulators.
#define REST(offset, l, h) \
	VMOVDQU offset(SI)(AX*1), X0; \
	VPUNPCKHBW offset(SI)(BX*1), X0, X3; \
	VPUNPCKLBW offset(SI)(BX*1), X0, X0; \
	VINSERTI128 $1, X3, Y0, Y0; \
	LANES(Y0, Y4, l, h)

// WIDEN adds the 16-bit lanes of r, whose lower half is x, to 32-bit sums.
#define WIDEN(offset, r, x) \
	VPMOVZXWD x, Y0; \
	VEXTRACTI128 $1, r, X3; \
	VPMOVZXWD X3, Y3; \
	VPADDD offset(DI), Y0, Y0; \
	VPADDD (offset+32)(DI), Y3, Y3; \
	VMOVDQU Y0, offset(DI); \
	VMOVDQU Y3, (offset+32)(DI)

// func addPairsAVX2(acc *[160]uint32, rows *row, index *uint32, pairs int)
// The scale is the last byte of a row. It is added as if it were a weight, and nobody reads that sum.
TEXT ·addPairsAVX2(SB), NOSPLIT, $0-32
	MOVQ acc+0(FP), DI
	MOVQ rows+8(FP), SI
	MOVQ index+16(FP), DX
	MOVQ pairs+24(FP), CX
	VMOVDQU nibble<>(SB), Y7
	VPXOR Y1, Y1, Y1
	VPXOR Y6, Y6, Y6
	VPXOR Y8, Y8, Y8
	VPXOR Y9, Y9, Y9
	VPXOR Y10, Y10, Y10
	VPXOR Y11, Y11, Y11
	VPXOR Y12, Y12, Y12
	VPXOR Y13, Y13, Y13
	VPXOR Y14, Y14, Y14
	VPXOR Y15, Y15, Y15
	TESTQ CX, CX
	JZ done
loop:
	MOVL 0(DX), AX
	MOVL 4(DX), BX
	LEAQ (AX)(AX*4), AX
	LEAQ (BX)(BX*4), BX
	SHLQ $4, AX
	SHLQ $4, BX
	MOVBLZX row_scale(SI)(AX*1), R8
	MOVBLZX row_scale(SI)(BX*1), R9
	SHLL $8, R9
	ORL R9, R8
	VMOVD R8, X2
	VPBROADCASTW X2, Y2
	PART(0, Y8, Y9, Y10, Y11)
	PART(32, Y12, Y13, Y14, Y15)
	REST(64, Y1, Y6)
	ADDQ $8, DX
	DECQ CX
	JNZ loop
	WIDEN(0, Y8, X8)
	WIDEN(64, Y9, X9)
	WIDEN(128, Y10, X10)
	WIDEN(192, Y11, X11)
	WIDEN(256, Y12, X12)
	WIDEN(320, Y13, X13)
	WIDEN(384, Y14, X14)
	WIDEN(448, Y15, X15)
	WIDEN(512, Y1, X1)
	WIDEN(576, Y6, X6)
done:
	VZEROUPPER
	RET

// func fetchRows(rows *row, index *uint32, n int)
TEXT ·fetchRows(SB), NOSPLIT, $0-24
	MOVQ rows+0(FP), SI
	MOVQ index+8(FP), DX
	MOVQ n+16(FP), CX
row:
	MOVL (DX), AX
	LEAQ (AX)(AX*4), AX
	SHLQ $4, AX
	PREFETCHT0 (SI)(AX*1)
	PREFETCHT0 64(SI)(AX*1)
	ADDQ $4, DX
	DECQ CX
	JNZ row
	RET

// func dotsAVX2(sums, rows, x *float32, width, units int)
TEXT ·dotsAVX2(SB), NOSPLIT, $0-40
	MOVQ sums+0(FP), DI
	MOVQ rows+8(FP), SI
	MOVQ x+16(FP), DX
	MOVQ width+24(FP), CX
	MOVQ units+32(FP), R8
unit:
	VXORPS Y0, Y0, Y0
	XORQ BX, BX
column:
	VMOVUPS (SI)(BX*4), Y1
	VMULPS (DX)(BX*4), Y1, Y1
	VADDPS Y1, Y0, Y0
	ADDQ $8, BX
	CMPQ BX, CX
	JB column
	VEXTRACTF128 $1, Y0, X1
	VADDPS X1, X0, X0
	VMOVHLPS X0, X0, X1
	VADDPS X1, X0, X0
	VMOVSHDUP X0, X1
	VADDSS X1, X0, X0
	VMOVSS X0, (DI)
	ADDQ $4, DI
	LEAQ (SI)(CX*4), SI
	DECQ R8
	JNZ unit
	VZEROUPPER
	RET

// func axpyAVX2(z, row *float32, factor float32, width int)
TEXT ·axpyAVX2(SB), NOSPLIT, $0-32
	MOVQ z+0(FP), DI
	MOVQ row+8(FP), SI
	VBROADCASTSS factor+16(FP), Y2
	MOVQ width+24(FP), CX
	XORQ BX, BX
element:
	VMULPS (SI)(BX*4), Y2, Y0
	VADDPS (DI)(BX*4), Y0, Y0
	VMOVUPS Y0, (DI)(BX*4)
	ADDQ $8, BX
	CMPQ BX, CX
	JB element
	VZEROUPPER
	RET
