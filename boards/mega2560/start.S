; The first and the last instructions on an ATmega2560.
;
; In a file of its own, which avr-gcc assembles when it links: Rust's stable `global_asm!` does not
; know AVR.

    .section .vectors, "ax", @progbits
    ; The reset vector. No interrupt is ever enabled, so the others are not there.
    .global onewrite_vectors
onewrite_vectors:
    jmp     onewrite_reset

    .section .text.boot, "ax", @progbits
onewrite_reset:
    ; r1 is zero wherever compiled code runs. A reset leaves EIND at zero, with which indirect calls
    ; reach the first 128 KiB.
    clr     r1
    out     0x3f, r1
    ldi     r28, lo8(__stack_top)
    ldi     r29, hi8(__stack_top)
    out     0x3e, r29
    out     0x3d, r28

    ; Variables and constants, from flash; RAMPZ has the bits of the address above 16.
    ldi     r26, lo8(__data_start)
    ldi     r27, hi8(__data_start)
    ldi     r30, lo8(__data_load)
    ldi     r31, hi8(__data_load)
    ldi     r16, hlo8(__data_load)
    out     0x3b, r16
    ldi     r17, hi8(__data_end)
    rjmp    2f
1:  elpm    r0, Z+
    st      X+, r0
2:  cpi     r26, lo8(__data_end)
    cpc     r27, r17
    brne    1b
    out     0x3b, r1

    ldi     r26, lo8(__bss_start)
    ldi     r27, hi8(__bss_start)
    ldi     r17, hi8(__bss_end)
    rjmp    4f
3:  st      X+, r1
4:  cpi     r26, lo8(__bss_end)
    cpc     r27, r17
    brne    3b
    jmp     onewrite_start

    ; With interrupts off nothing wakes the processor.
    .section .text.onewrite_sleep, "ax", @progbits
    .global onewrite_sleep
onewrite_sleep:
    cli
    sleep
    rjmp    onewrite_sleep
