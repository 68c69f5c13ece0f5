; snippet:check
; snippet:doc https://www.felixcloutier.com/x86/crc32 CRC32
; snippet:title CRC-32C with the processor's instruction
; snippet:needs a processor with SSE4.2
; snippet:prints e3069283
; snippet:end
        section .text
        global  crc32c
; uint32_t crc32c(const void *bytes, size_t count): the sum of iSCSI, ext4 and many file formats.
;   rdi: the bytes, rsi: how many
crc32c:
        mov     eax, -1             ; starts with all ones
        mov     rcx, rsi
        shr     rcx, 3              ; eight bytes at a time
        jz      .rest
.eight: crc32   rax, qword [rdi]
        add     rdi, 8
        dec     rcx
        jnz     .eight
.rest:  and     esi, 7
        jz      .done
.one:   crc32   eax, byte [rdi]
        inc     rdi
        dec     esi
        jnz     .one
.done:  not     eax                 ; and ends inverted
        ret
        section .note.GNU-stack noalloc noexec nowrite progbits ; no executable stack
; snippet:check
        section .data
text    db "123456789"
format  db "%08x", 10, 0
        section .text
        extern  printf
        global  main
main:   sub     rsp, 8
        mov     rdi, text
        mov     rsi, 9
        call    crc32c
        mov     rdi, format
        mov     esi, eax
        xor     eax, eax
        call    printf
        xor     eax, eax
        add     rsp, 8
        ret
