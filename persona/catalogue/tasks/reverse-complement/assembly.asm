; snippet:check
; snippet:doc https://www.felixcloutier.com/x86/xlat:xlatb Table lookups
; snippet:prints TGCNaacg
; snippet:prints GAT
; snippet:end
        default rel
        section .rodata
table:  times 'A' db '?'                ; what is no base becomes a question mark
        db      "T?G???C??????N?????A"  ; A to T
        times 'a' - 'T' - 1 db '?'
        db      "t?g???c??????n?????a"
        times 256 - 't' - 1 db '?'

        section .text
        global  reverse_complement
; void reverse_complement(char *strand, size_t count): the other strand, in place.
;   rdi: the bases, rsi: how many
reverse_complement:
        lea     r8, [table]
        lea     rsi, [rdi + rsi - 1]    ; the last base
.pair:  cmp     rdi, rsi
        ja      .done
        movzx   eax, byte [rdi]
        movzx   ecx, byte [rsi]
        mov     al, [r8 + rax]
        mov     cl, [r8 + rcx]
        mov     [rdi], cl               ; swapped; the one in the middle meets itself
        mov     [rsi], al
        inc     rdi
        dec     rsi
        jmp     .pair
.done:  ret
; snippet:check
        section .data
even    db "cgttNGCA", 0
odd     db "ATC", 0
        section .text
        extern  puts
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
        xor     eax, eax
        add     rsp, 8
        ret
        section .note.GNU-stack noalloc noexec nowrite progbits
