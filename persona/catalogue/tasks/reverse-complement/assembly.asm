; snippet:check
; snippet:doc https://www.nasm.us/doc/ NASM manual
; snippet:prints TGCNaacg
; snippet:prints GAT
; snippet:prints ACU, 2 of 3
; snippet:end
        default rel
        section .rodata
table:  times 'A' db 0                  ; what is no base
        db      "T", 0, "G", 0, 0, 0, "C", 0, 0, 0, 0, 0, 0, "N", 0, 0, 0, 0, 0, "A" ; A to T
        times 'a' - 'T' - 1 db 0
        db      "t", 0, "g", 0, 0, 0, "c", 0, 0, 0, 0, 0, 0, "n", 0, 0, 0, 0, 0, "a"
        times 256 - 't' - 1 db 0
        section .text
        global  reverse_complement
; size_t reverse_complement(char *strand, size_t count): the other strand, in place. rdi: the bases, rsi: how many
;   Returns count, or where the first letter is that is no base; then the strand stays as it was.
reverse_complement:
        lea     r8, [table]
        xor     eax, eax
.check: cmp     rax, rsi
        je      .turn
        movzx   ecx, byte [rdi + rax]
        cmp     byte [r8 + rcx], 0
        je      .done
        inc     rax
        jmp     .check
.turn:  lea     rsi, [rdi + rsi - 1]    ; the last base
.pair:  cmp     rdi, rsi
        jg      .done                   ; signed: nothing, at address 0, ends at -1
        movzx   edx, byte [rdi]
        movzx   ecx, byte [rsi]
        mov     dl, [r8 + rdx]
        mov     cl, [r8 + rcx]
        mov     [rdi], cl               ; swapped; the one in the middle meets itself
        mov     [rsi], dl
        inc     rdi
        dec     rsi
        jmp     .pair
.done:  ret
        section .note.GNU-stack noalloc noexec nowrite progbits ; no executable stack
; snippet:check
        section .data
even    db "cgttNGCA", 0
odd     db "ATC", 0
rna     db "ACU", 0
format  db "%s, %zu of 3", 10, 0
        section .text
        extern  puts, printf, fflush
        global  main
main:   sub     rsp, 8
        mov     rdi, even
        mov     esi, 8
        call    reverse_complement
        mov     rdi, even
        call    puts
        mov     rdi, odd
        mov     esi, 3
        call    reverse_complement
        mov     rdi, odd
        call    puts
        mov     rdi, odd
        xor     esi, esi
        call    reverse_complement
        xor     edi, edi                ; nothing, at no address
        xor     esi, esi
        call    reverse_complement
        mov     rdi, rna
        mov     esi, 3
        call    reverse_complement
        mov     rdi, format
        mov     rsi, rna
        mov     rdx, rax
        xor     eax, eax
        call    printf
        xor     edi, edi
        call    fflush
        xor     eax, eax
        add     rsp, 8
        ret
