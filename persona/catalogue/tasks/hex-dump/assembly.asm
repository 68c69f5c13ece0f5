; snippet:check
; snippet:doc https://www.nasm.us/doc/ NASM manual
; snippet:title Bytes as hexadecimal digits
; snippet:description Write each byte as two hexadecimal digits, the high one first, from a table of sixteen. The caller gives
; snippet:description room for the digits and a final zero.
; snippet:prints 00ff4e61
; snippet:end
        default rel
        section .rodata
digits: db      "0123456789abcdef"

        section .text
        global  to_hex
; void to_hex(const uint8_t *bytes, size_t count, char *text): writes 2 * count digits and a zero.
;   rdi: the bytes, rsi: how many, rdx: room for the text
to_hex:
        lea     r8, [digits]
        test    rsi, rsi
        jz      .end
.byte:  movzx   eax, byte [rdi]
        mov     ecx, eax
        shr     ecx, 4                  ; the high digit comes first
        and     eax, 15
        mov     cl, [r8 + rcx]
        mov     al, [r8 + rax]
        mov     [rdx], cl
        mov     [rdx + 1], al
        inc     rdi
        add     rdx, 2
        dec     rsi
        jnz     .byte
.end:   mov     byte [rdx], 0
        ret
        section .note.GNU-stack noalloc noexec nowrite progbits ; no executable stack
; snippet:check
        section .data
bytes   db 0, 255, "Na"
        section .bss
text    resb 16
        section .text
        extern  puts
        global  main
main:   sub     rsp, 8
        mov     rdi, bytes
        mov     esi, 4
        mov     rdx, text
        call    to_hex
        mov     rdi, text
        call    puts
        xor     eax, eax
        add     rsp, 8
        ret
