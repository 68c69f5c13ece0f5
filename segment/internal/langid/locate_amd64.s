//go:build !purego

#include "textflag.h"

// func locateBMI2(dst *candidate, features *uint32, n int, words *indexWord, shift uint, r *recent, sorted *uint32) int
TEXT ·locateBMI2(SB), NOSPLIT, $0-64
	MOVQ dst+0(FP), DI
	MOVQ features+8(FP), SI
	MOVQ n+16(FP), R13
	MOVQ words+24(FP), R8
	MOVQ shift+32(FP), R10
	MOVQ r+40(FP), CX
	MOVQ sorted+48(FP), R9
	LEAQ (SI)(R13*4), R13
	LEAQ -5(R10), R11
	MOVQ DI, R12
feature:
	MOVL (SI), AX
	MOVL AX, DX
	ANDL $(2047*4), DX     // offset of the slot in r
	XORL R15, R15
	CMPL AX, (CX)(DX*1)
	SETNE R15
	MOVL AX, (CX)(DX*1)
	SHRXL R10, AX, BX
	MOVQ (R8)(BX*8), BX    // bits below, before above
	SHRXL R11, AX, DX
	ANDL $31, DX
	BZHIL DX, BX, R14
	POPCNTL R14, R14
	SHRXL DX, BX, DX
	ANDL DX, R15           // 1 if it is a candidate
	SHRQ $32, BX
	ADDL R14, BX
	MOVL AX, (DI)
	MOVL BX, 4(DI)
	NEGQ R15
	ANDL R15, BX           // the first feature instead if not: it is in the cache
	PREFETCHT0 (R9)(BX*4)
	ANDL $8, R15
	ADDQ R15, DI
	ADDQ $4, SI
	CMPQ SI, R13
	JB feature
	SUBQ R12, DI
	SHRQ $3, DI
	MOVQ DI, ret+56(FP)
	RET
