//! QEMU's `virt` machine with a 32-bit RISC-V processor, in machine mode.
//!
//! The console and the end of a run are semihosting.

use core::arch::global_asm;

pub(super) use super::semihosting::{exit as end, send};

global_asm!(
    r#"
    .section .text.boot, "ax"
    .global _start
_start:
    .option push
    .option norelax
    la      gp, __global_pointer$
    .option pop
    la      t0, onewrite_trap
    csrw    mtvec, t0
    la      sp, __stack_top
    // The whole image is loaded into RAM: only .bss is to be made.
    la      t0, __bss_start
    la      t1, __bss_end
    j       2f
1:  sw      zero, 0(t0)
    addi    t0, t0, 4
2:  bltu    t0, t1, 1b
    call    {start}

    // Direct mode: the address is a multiple of four.
    .balign 4
onewrite_trap:
    la      sp, __stack_top
    call    {report}
    "#,
    start = sym super::start_bare,
    report = sym super::report_exception,
);
