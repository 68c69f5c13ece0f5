; snippet:doc https://www.nasm.us/doc/nasm13.html Writing 64-bit code
; snippet:needs x86-64 Linux
; snippet:prints    -40 C    -40 F
; snippet:prints      0 C     32 F
; snippet:prints     40 C    104 F
; snippet:prints     80 C    176 F
; nasm -felf64 table.asm && gcc -no-pie table.o -o table
        default rel
        extern  printf
        section .rodata
format: db      "%6d C %6d F", 10, 0

        section .text
        global  main
main:   push    rbx                     ; kept for the caller; also aligns the stack to 16 bytes
        mov     ebx, -40
.row:   imul    eax, ebx, 9
        cdq                             ; the sign goes to edx: idiv divides edx:eax
        mov     ecx, 5
        idiv    ecx                     ; no remainder: the steps are multiples of five
        add     eax, 32
        lea     rdi, [format]
        mov     esi, ebx
        mov     edx, eax
        xor     eax, eax                ; no floating-point arguments
        call    printf
        add     ebx, 40
        cmp     ebx, 80
        jle     .row
        xor     eax, eax
        pop     rbx
        ret
        section .note.GNU-stack noalloc noexec nowrite progbits ; code needs no executable stack
