//go:build !purego

#include "textflag.h"
#include "go_asm.h"

DATA nibble<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibble<>+8(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibble<>+16(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibble<>+24(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL nibble<>(SB), RODATA|NOPTR, $32

// PART adds 32 bytes of the rows at AX and BX, scales in Y2, to four accumulators: the lower halves of the bytes to l0
// and l1, the upper halves to h0 and h1. A byte of one row and the same of the other are brought side by side,
// multiplied by their scales and added in one instruction.
#define PART(offset, l0, l1, h0, h1) \
	VMOVDQU offset(SI)(AX*1), Y0; \
	VMOVDQU offset(SI)(BX*1), Y1; \
	VPAND Y0, Y7, Y3; \
	VPAND Y1, Y7, Y4; \
	VPSRLW $4, Y0, Y0; \
	VPSRLW $4, Y1, Y1; \
	VPAND Y0, Y7, Y0; \
	VPAND Y1, Y7, Y1; \
	VPUNPCKLBW Y4, Y3, Y5; \
	VPUNPCKHBW Y4, Y3, Y6; \
	VPMADDUBSW Y2, Y5, Y5; \
	VPMADDUBSW Y2, Y6, Y6; \
	VPADDW Y5, l0, l0; \
	VPADDW Y6, l1, l1; \
	VPUNPCKLBW Y1, Y0, Y5; \
	VPUNPCKHBW Y1, Y0, Y6; \
	VPMADDUBSW Y2, Y5, Y5; \
	VPMADDUBSW Y2, Y6, Y6; \
	VPADDW Y5, h0, h0; \
	VPADDW Y6, h1, h1

// WIDEN adds the 16-bit lanes of r, whose lower half is x, to 32-bit sums.
#define WIDEN(offset, r, x) \
	VPMOVZXWD x, Y0; \
	VEXTRACTI128 $1, r, X1; \
	VPMOVZXWD X1, Y1; \
	VPADDD offset(DI), Y0, Y0; \
	VPADDD (offset+32)(DI), Y1, Y1; \
	VMOVDQU Y0, offset(DI); \
	VMOVDQU Y1, (offset+32)(DI)

// PAIR loads the offsets of the next two rows to AX and BX, and their scales side by side to all of Y2.
#define PAIR \
	MOVL 0(DX), AX; \
	MOVL 4(DX), BX; \
	LEAQ (AX)(AX*2), AX; \
	LEAQ (BX)(BX*2), BX; \
	SHLQ $5, AX; \
	SHLQ $5, BX; \
	MOVBLZX row_scale(SI)(AX*1), R8; \
	MOVBLZX row_scale(SI)(BX*1), R9; \
	SHLL $8, R9; \
	ORL R9, R8; \
	VMOVD R8, X2; \
	VPBROADCASTW X2, Y2

// func addPairsAVX2(acc *[192]uint32, rows *row, index *uint32, pairs int)
// There are registers for two parts of the rows; a second pass, when all rows are in the cache, adds the third. Of its bytes the
// last sixteen are no weights, and nobody reads their sums.
TEXT ·addPairsAVX2(SB), NOSPLIT, $0-32
	MOVQ acc+0(FP), DI
	MOVQ rows+8(FP), SI
	MOVQ index+16(FP), DX
	MOVQ pairs+24(FP), CX
	VMOVDQU nibble<>(SB), Y7
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
	PAIR
	PART(0, Y8, Y9, Y10, Y11)
	PART(32, Y12, Y13, Y14, Y15)
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
	VPXOR Y8, Y8, Y8
	VPXOR Y9, Y9, Y9
	VPXOR Y10, Y10, Y10
	VPXOR Y11, Y11, Y11
	MOVQ index+16(FP), DX
	MOVQ pairs+24(FP), CX
third:
	PAIR
	PART(64, Y8, Y9, Y10, Y11)
	ADDQ $8, DX
	DECQ CX
	JNZ third
	WIDEN(512, Y8, X8)
	WIDEN(576, Y9, X9)
	WIDEN(640, Y10, X10)
	WIDEN(704, Y11, X11)
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
	LEAQ (AX)(AX*2), AX
	SHLQ $5, AX
	PREFETCHT0 (SI)(AX*1)
	PREFETCHT0 64(SI)(AX*1)
	ADDQ $4, DX
	DECQ CX
	JNZ row
	RET
