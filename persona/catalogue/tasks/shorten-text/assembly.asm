; snippet:check
; snippet:doc https://www.rfc-editor.org/rfc/rfc3629 UTF-8 (RFC 3629)
; snippet:title Count UTF-8, and find where to cut it
; snippet:description Count the code points of a text in UTF-8, and find the byte where the first n of them end, so that no cut falls
; snippet:description inside one. What people see as one character may still be torn apart.
; snippet:why Bytes and code points: two answers to "how long is it?"
; snippet:prints 5 4 6
; snippet:end
        section .text
        global  utf8_length, utf8_offset
; Whole code points; what people see as one character may have several (accents, emoji): that takes a library like ICU.
; size_t utf8_length(const char *text): the code points of valid UTF-8 that ends with a zero. rdi: the text
utf8_length:
        xor     eax, eax
.next:  movzx   ecx, byte [rdi]
        inc     rdi
        test    cl, cl
        jz      .done
        and     ecx, 0xc0
        cmp     ecx, 0x80               ; 10xxxxxx continues the one before
        setne   cl
        movzx   ecx, cl
        add     rax, rcx
        jmp     .next
.done:  ret

; size_t utf8_offset(const char *text, size_t n): where the first n code points end, in bytes. rdi, rsi
utf8_offset:
        xor     eax, eax
.next:  movzx   ecx, byte [rdi + rax]
        test    cl, cl
        jz      .done                   ; the text is shorter
        and     ecx, 0xc0
        cmp     ecx, 0x80
        je      .skip
        sub     rsi, 1
        jc      .done                   ; the one after the last begins here
.skip:  inc     rax
        jmp     .next
.done:  ret
        section .note.GNU-stack noalloc noexec nowrite progbits ; no executable stack
; snippet:check
        section .data
text    db "na", 0xc3, 0xaf, "ve", 0
format  db "%zu %zu %zu", 10, 0
        section .text
        extern  printf
        global  main
main:   push    rbx
        push    r12
        sub     rsp, 8
        mov     rdi, text
        call    utf8_length
        mov     rbx, rax
        mov     rdi, text
        mov     esi, 3
        call    utf8_offset
        mov     r12, rax
        mov     rdi, text
        mov     esi, 9
        call    utf8_offset
        mov     rdi, format
        mov     rsi, rbx
        mov     rdx, r12
        mov     rcx, rax
        xor     eax, eax
        call    printf
        xor     eax, eax
        add     rsp, 8
        pop     r12
        pop     rbx
        ret
