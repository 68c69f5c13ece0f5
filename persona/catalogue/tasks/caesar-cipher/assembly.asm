; snippet:check
; snippet:doc https://www.nasm.us/doc/ NASM manual
; snippet:prints Khoor, Zruog! Abc
; snippet:prints Hello, World! Xyz
; snippet:end
        section .text
        global  shift_letters
; void shift_letters(char *text, unsigned places): moves each letter, in place.
;   rdi: text that ends with a zero, esi: 0 to 25; 26 minus it brings the text back
shift_letters:
.next:  movzx   eax, byte [rdi]
        test    al, al
        jz      .done
        mov     ecx, eax
        and     ecx, 0x20               ; the bit that makes a letter small
        xor     eax, ecx                ; now a capital, if it was a letter
        sub     eax, 'A'
        cmp     eax, 25                 ; unsigned: what came before A is now very large
        ja      .skip
        add     eax, esi
        cmp     eax, 26
        jb      .store
        sub     eax, 26                 ; past Z: from A again
.store: add     eax, 'A'
        or      eax, ecx
        mov     [rdi], al
.skip:  inc     rdi
        jmp     .next
.done:  ret
        section .note.GNU-stack noalloc noexec nowrite progbits ; no executable stack
; snippet:check
        section .data
text    db "Hello, World! Xyz", 0
        section .text
        extern  puts
        global  main
main:   sub     rsp, 8
        mov     rdi, text
        mov     esi, 3
        call    shift_letters
        mov     rdi, text
        call    puts
        mov     rdi, text
        mov     esi, 23
        call    shift_letters
        mov     rdi, text
        call    puts
        xor     eax, eax
        add     rsp, 8
        ret
