; snippet:check
; snippet:doc https://www.nasm.us/doc/ NASM manual
; snippet:title Smooth readings with a shift, no division
; snippet:prints 100 115 128 140 
; snippet:end
        section .text
        global  smooth
; int32_t smooth(int32_t *state, int32_t reading): the smoothed reading.
;   rdi: the state, which is the mean times 16 and begins as 16 times the first reading; esi: the reading.
;   Each reading counts an eighth. The four bits below the point keep small changes from being lost.
SHIFT   equ 3
POINT   equ 4
smooth:
        mov     eax, [rdi]
        shl     esi, POINT
        sub     esi, eax                ; how far the reading is away
        sar     esi, SHIFT              ; an eighth of it; arithmetic, for readings below the mean
        add     eax, esi
        mov     [rdi], eax
        add     eax, 1 << (POINT - 1)   ; round to the nearest
        sar     eax, POINT
        ret
; snippet:check
        section .data
state   dd 100 << POINT
format  db "%d ", 0
        section .text
        extern  printf, putchar
        global  main
main:   push    rbx
        mov     ebx, 4
        mov     rdi, state
        mov     esi, 100
.next:  call    smooth
        mov     rdi, format
        mov     esi, eax
        xor     eax, eax
        call    printf
        mov     rdi, state
        mov     esi, 220
        dec     ebx
        jnz     .next
        mov     edi, 10
        call    putchar
        xor     eax, eax
        pop     rbx
        ret
        section .note.GNU-stack noalloc noexec nowrite progbits
