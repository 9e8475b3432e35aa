//! A BBC micro:bit: nRF51822, a Cortex-M0 with 256 KiB of flash and 16 KiB of RAM.
//!
//! QEMU's `microbit` runs it; the console and the end of a run are semihosting, which on a real
//! board needs a debugger. The link script puts the stack below the variables, so that a stack that
//! is full leaves the RAM and faults, instead of growing into them.

use core::arch::global_asm;

pub(super) use super::semihosting::{exit as end, send};

global_asm!(
    r#"
    .section .vectors, "a"
    .word   __stack_top
    .word   onewrite_reset
    // NMI, hard fault, and the eleven of which a Cortex-M0 has three more.
    .rept   14
    .word   onewrite_fault
    .endr

    .section .text.boot, "ax"
    .thumb_func
    .type   onewrite_reset, %function
onewrite_reset:
    ldr     r0, =__data_start
    ldr     r1, =__data_end
    ldr     r2, =__data_load
    b       2f
1:  ldmia   r2!, {{r3}}
    stmia   r0!, {{r3}}
2:  cmp     r0, r1
    blo     1b
    ldr     r0, =__bss_start
    ldr     r1, =__bss_end
    movs    r3, #0
    b       4f
3:  stmia   r0!, {{r3}}
4:  cmp     r0, r1
    blo     3b
    bl      {start}
    .pool

    // The stack may be what is broken: begin with a new one.
    .thumb_func
    .type   onewrite_fault, %function
onewrite_fault:
    ldr     r0, =__stack_top
    mov     sp, r0
    bl      {report}
    .pool
    "#,
    start = sym super::start_bare,
    report = sym super::report_exception,
);
