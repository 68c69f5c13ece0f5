; snippet:check
; snippet:description The dot product of two vectors of any length, with the SSE instructions for four numbers at a time. The
; snippet:description four partial sums are then added, and up to three numbers that are left are multiplied one by one.
; snippet:doc https://www.felixcloutier.com/x86/mulps MULPS
; snippet:why One instruction multiplies four numbers.
; snippet:title Dot product, four numbers at a time
; snippet:prints 55.0 0.0
; snippet:end
        section .text
        global  dot
; float dot(const float *a, const float *b, size_t count)
;   rdi, rsi: the vectors, rdx: how many numbers; the result is in xmm0
dot:    xorps   xmm0, xmm0              ; four partial sums
        mov     rcx, rdx
        shr     rcx, 2
        jz      .fold
.four:  movups  xmm1, [rdi]             ; need not be aligned
        movups  xmm2, [rsi]
        mulps   xmm1, xmm2
        addps   xmm0, xmm1
        add     rdi, 16
        add     rsi, 16
        dec     rcx
        jnz     .four
.fold:  movhlps xmm1, xmm0              ; add the upper two to the lower two
        addps   xmm0, xmm1
        movaps  xmm1, xmm0
        shufps  xmm1, xmm1, 1
        addss   xmm0, xmm1
        and     edx, 3                  ; up to three numbers are left
        jz      .done
.one:   movss   xmm1, [rdi]
        mulss   xmm1, [rsi]
        addss   xmm0, xmm1
        add     rdi, 4
        add     rsi, 4
        dec     edx
        jnz     .one
.done:  ret
        section .note.GNU-stack noalloc noexec nowrite progbits ; no executable stack
; snippet:check
        section .data
a       dd 1.0, 2.0, 3.0, 4.0, 5.0
format  db "%.1f ", 0
line    db "%.1f", 10, 0
        section .text
        extern  printf
        global  main
main:   sub     rsp, 8
        mov     rdi, a
        mov     rsi, a
        mov     edx, 5
        call    dot
        cvtss2sd xmm0, xmm0
        mov     rdi, format
        mov     eax, 1
        call    printf
        mov     rdi, a
        mov     rsi, a
        xor     edx, edx
        call    dot
        cvtss2sd xmm0, xmm0
        mov     rdi, line
        mov     eax, 1
        call    printf
        xor     eax, eax
        add     rsp, 8
        ret
