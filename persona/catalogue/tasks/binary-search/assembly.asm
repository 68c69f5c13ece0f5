; snippet:check
; snippet:doc https://www.felixcloutier.com/x86/cmovcc CMOVcc
; snippet:title Branchless binary search
; snippet:prints 2 0 4 0 3
; snippet:end
        section .text
        global  first_at_least
; size_t first_at_least(const int64_t *sorted, size_t count, int64_t limit)
;   rdi: the numbers, rsi: how many, rdx: the limit. Returns the first index whose number is not below it.
first_at_least:
        mov     rax, rdi            ; the part that is left begins here
        test    rsi, rsi
        jz      .done
.halve:
        mov     rcx, rsi
        shr     rcx, 1              ; half of what is left, rounded down
        jz      .last
        lea     r8, [rax + rcx*8]
        cmp     [r8 - 8], rdx       ; the last number of the lower half
        cmovl   rax, r8             ; too small: go on behind it, without a branch
        sub     rsi, rcx
        jmp     .halve
.last:
        lea     r8, [rax + 8]
        cmp     [rax], rdx
        cmovl   rax, r8
.done:
        sub     rax, rdi
        shr     rax, 3              ; from bytes to an index
        ret
        section .note.GNU-stack noalloc noexec nowrite progbits ; no executable stack
; snippet:check
        section .data
numbers dq 1, 3, 5, 8
format  db "%zu %zu %zu %zu %zu", 10, 0
        section .text
        extern  printf, fflush
        global  main
main:   push    rbx
        push    r12
        push    r13
        mov     rdi, numbers
        mov     rsi, 4
        mov     rdx, 4
        call    first_at_least
        mov     rbx, rax
        mov     rdi, numbers
        mov     rsi, 4
        mov     rdx, -7
        call    first_at_least
        mov     r12, rax
        mov     rdi, numbers
        mov     rsi, 4
        mov     rdx, 9
        call    first_at_least
        mov     r13, rax
        mov     rdi, numbers
        xor     esi, esi
        call    first_at_least
        push    rax
        sub     rsp, 8
        mov     rdi, numbers
        mov     rsi, 3
        mov     rdx, 6
        call    first_at_least
        add     rsp, 8
        pop     r8
        mov     r9, rax
        mov     rdi, format
        mov     rsi, rbx
        mov     rdx, r12
        mov     rcx, r13
        xor     eax, eax
        call    printf
        xor     edi, edi
        call    fflush
        pop     r13
        pop     r12
        pop     rbx
        xor     eax, eax
        ret
