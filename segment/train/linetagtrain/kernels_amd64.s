//go:build !purego

#include "textflag.h"

// func affineBackwardAVX2(dx, x, weight, grad, dy *float32, inputs, outputs int)
// For each input i: dx[i] += weight[i]·dy and grad[i] += x[i]*dy. outputs is a multiple of 8.
TEXT ·affineBackwardAVX2(SB), NOSPLIT, $0-56
	MOVQ dx+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ weight+16(FP), AX
	MOVQ grad+24(FP), BX
	MOVQ dy+32(FP), DX
	MOVQ inputs+40(FP), CX
	MOVQ outputs+48(FP), R8
input:
	VBROADCASTSS (SI), Y0
	VXORPS Y1, Y1, Y1
	XORQ R9, R9
output:
	VMOVUPS (DX)(R9*4), Y2
	VMOVUPS (BX)(R9*4), Y3
	VFMADD231PS (AX)(R9*4), Y2, Y1
	VFMADD231PS Y0, Y2, Y3
	VMOVUPS Y3, (BX)(R9*4)
	ADDQ $8, R9
	CMPQ R9, R8
	JLT output
	VEXTRACTF128 $1, Y1, X2
	VADDPS X2, X1, X1
	VHADDPS X1, X1, X1
	VHADDPS X1, X1, X1
	VADDSS (DI), X1, X1
	VMOVSS X1, (DI)
	LEAQ (AX)(R8*4), AX
	LEAQ (BX)(R8*4), BX
	ADDQ $4, DI
	ADDQ $4, SI
	DECQ CX
	JNZ input
	VZEROUPPER
	RET

// func sumAVX2(sum *[lines.Dim]float32, table *float32, rows *uint32, n int)
// Adds n rows of 32 values.
TEXT ·sumAVX2(SB), NOSPLIT, $0-32
	MOVQ sum+0(FP), DI
	MOVQ table+8(FP), SI
	MOVQ rows+16(FP), DX
	MOVQ n+24(FP), CX
	VMOVUPS (DI), Y0
	VMOVUPS 32(DI), Y1
	VMOVUPS 64(DI), Y2
	VMOVUPS 96(DI), Y3
next:
	MOVL (DX), AX
	SHLQ $7, AX
	VADDPS (SI)(AX*1), Y0, Y0
	VADDPS 32(SI)(AX*1), Y1, Y1
	VADDPS 64(SI)(AX*1), Y2, Y2
	VADDPS 96(SI)(AX*1), Y3, Y3
	ADDQ $4, DX
	DECQ CX
	JNZ next
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	VZEROUPPER
	RET

// func descendAVX2(row, grad *float32, step float32)
// row -= step*g for 32 values.
TEXT ·descendAVX2(SB), NOSPLIT, $0-20
	MOVQ row+0(FP), DI
	MOVQ grad+8(FP), SI
	VBROADCASTSS step+16(FP), Y4
	VMOVUPS (DI), Y0
	VMOVUPS 32(DI), Y1
	VMOVUPS 64(DI), Y2
	VMOVUPS 96(DI), Y3
	VFNMADD231PS (SI), Y4, Y0
	VFNMADD231PS 32(SI), Y4, Y1
	VFNMADD231PS 64(SI), Y4, Y2
	VFNMADD231PS 96(SI), Y4, Y3
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	VZEROUPPER
	RET
