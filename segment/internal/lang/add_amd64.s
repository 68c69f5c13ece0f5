#include "textflag.h"

DATA nibble<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibble<>+8(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibble<>+16(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibble<>+24(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL nibble<>(SB), RODATA|NOPTR, $32

// PART adds 32 bytes of weights of the rows at AX and BX, scales in Y2, to four accumulators: the lower halves of
// the bytes to l0 and l1, the upper halves to h0 and h1. A byte of one row and the same of the other are brought
// side by side, multiplied by their scales and added in one instruction.
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

// func addPairsAVX2(acc *[128]uint16, rows *byte, index *int32, pairs int)
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
	MOVLQSX 0(DX), AX
	MOVLQSX 4(DX), BX
	IMULQ $53, AX
	IMULQ $53, BX
	MOVBLZX (SI)(AX*1), R8
	MOVBLZX (SI)(BX*1), R9
	SHLL $8, R9
	ORL R9, R8
	VMOVD R8, X2
	VPBROADCASTW X2, Y2
	PART(1, Y8, Y9, Y10, Y11)
	PART(21, Y12, Y13, Y14, Y15)
	ADDQ $8, DX
	DECQ CX
	JNZ loop
done:
	VMOVDQU Y8, 0(DI)
	VMOVDQU Y9, 32(DI)
	VMOVDQU Y10, 64(DI)
	VMOVDQU Y11, 96(DI)
	VMOVDQU Y12, 128(DI)
	VMOVDQU Y13, 160(DI)
	VMOVDQU Y14, 192(DI)
	VMOVDQU Y15, 224(DI)
	VZEROUPPER
	RET
