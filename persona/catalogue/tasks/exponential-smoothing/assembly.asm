; snippet:check
; snippet:doc https://www.nasm.us/doc/ NASM manual
; snippet:title Smooth readings with a shift, no division
; snippet:prints 100 115 128 100 75
; snippet:end
        section .text
        global  smooth
; int32_t smooth(int32_t *state, int32_t reading): the smoothed reading.
; rdi: the state, which is the mean times 16 and begins as 16 times the first reading
; esi: the reading, less than 2^26 from zero, so that no difference overflows
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
        section .note.GNU-stack noalloc noexec nowrite progbits ; no executable stack
; snippet:check
        section .data
state   dd 100 << POINT
readings dd 100, 220, 220, -100, -100
format  db "%d ", 0
        section .text
        extern  printf, putchar
        global  main
main:   push    rbx
        xor     ebx, ebx
.next:  mov     rdi, state
        mov     esi, [readings + rbx*4]
        call    smooth
        mov     rdi, format
        mov     esi, eax
        xor     eax, eax
        call    printf
        inc     ebx
        cmp     ebx, 5
        jb      .next
        mov     edi, 10
        call    putchar
        xor     eax, eax
        pop     rbx
        ret
