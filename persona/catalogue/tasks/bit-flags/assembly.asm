; snippet:check
; snippet:doc https://www.felixcloutier.com/x86/bts BTS, BTR and BT
; snippet:prints 4d 0d 1 0c 1 0
; snippet:end
        section .text
        global  set_flag, clear_flag, has_flag, set_channel, channel_of
ENABLED         equ 0                       ; a bit's number
CHANNEL_SHIFT   equ 3                       ; a field of four bits begins here
CHANNEL_MASK    equ 0x0f << CHANNEL_SHIFT

; In all of them: edi is the register's value, eax the result.
set_flag:                                   ; esi: the number of the bit, 0 to 31
        mov     eax, edi
        bts     eax, esi
        ret
clear_flag:
        mov     eax, edi
        btr     eax, esi
        ret
has_flag:                                   ; 1 or 0
        xor     eax, eax
        bt      edi, esi                    ; the bit goes to the carry flag
        setc    al
        ret
set_channel:                                ; esi: 0 to 15; larger numbers cannot spill into the neighbours
        mov     eax, edi
        and     eax, ~CHANNEL_MASK          ; clear the field first
        shl     esi, CHANNEL_SHIFT
        and     esi, CHANNEL_MASK
        or      eax, esi
        ret
channel_of:
        mov     eax, edi
        and     eax, CHANNEL_MASK
        shr     eax, CHANNEL_SHIFT
        ret
        section .note.GNU-stack noalloc noexec nowrite progbits ; no executable stack
; snippet:check
        section .data
format  db "%02x %02x %x ", 0
flags   db "%02x %x %x", 10, 0
        section .text
        extern  printf
        global  main
main:   push    rbx
        push    r12
        push    r13
        mov     edi, 4
        mov     esi, ENABLED
        call    set_flag
        mov     edi, eax
        mov     esi, 9
        call    set_channel
        mov     ebx, eax
        mov     edi, eax
        mov     esi, 0x11                   ; too large: cut to 1
        call    set_channel
        mov     r12d, eax
        mov     edi, eax
        call    channel_of
        mov     r13d, eax
        mov     rdi, format
        mov     esi, ebx
        mov     edx, r12d
        mov     ecx, r13d
        xor     eax, eax
        call    printf
        mov     edi, r12d
        mov     esi, ENABLED
        call    clear_flag
        mov     ebx, eax
        mov     edi, r12d
        mov     esi, ENABLED
        call    has_flag
        mov     r13d, eax
        mov     edi, ebx
        mov     esi, ENABLED
        call    has_flag
        mov     rdi, flags
        mov     esi, ebx
        mov     edx, r13d
        mov     ecx, eax
        xor     eax, eax
        call    printf
        pop     r13
        pop     r12
        pop     rbx
        xor     eax, eax
        ret
