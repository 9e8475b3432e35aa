//! From the first instruction to Rust, in assembly.
//!
//! Who enters, and where: the Pi's firmware at EL2; with `kernel_old=1` at EL3 and at address 0
//! instead of 0x80000; QEMU at EL3 with an ELF file and at EL2 with `kernel8.img`. A register of
//! a level above the current one is undefined, so each step looks where it is first.
//!
//! Until the MMU is on, all memory is Device memory (Arm ARM, DDI 0487, D8.2.12), where an
//! unaligned access faults. The only accesses before that are the aligned 8-byte copies of an image that was
//! loaded elsewhere; `examples/boot_code.rs` checks the machine code. No Rust runs earlier, since
//! it is compiled without strict-align.
//!
//! What is learned on the way stays in registers, because .bss is not cleared yet: x19 device
//! tree, x20 level at entry, x21 counter at entry.

use core::arch::global_asm;

/// `SCTLR_EL1` with its RES1 bits and nothing on.
const SCTLR_OFF: u64 = 0x30d0_0800;
/// M (MMU), C (data cache), I (instruction cache).
const SCTLR_ON: u64 = SCTLR_OFF | 1 | (1 << 2) | (1 << 12);
/// `SCTLR_EL2` with its RES1 bits and nothing on.
const SCTLR_EL2_OFF: u64 = 0x30c5_0830;
/// Non-secure, EL2 is `AArch64`, HVC on, SMC off (nobody would answer), RES1 bits 4 and 5.
const SCR: u64 = (1 << 0) | (3 << 4) | (1 << 7) | (1 << 8) | (1 << 10);

global_asm!(
    r#"
    // Addresses and constants without a literal pool, which would be a load.
    .macro constant register, value
    movz \register, #((\value) & 0xffff)
    movk \register, #(((\value) >> 16) & 0xffff), lsl #16
    .endm
    .macro address register, symbol
    movz \register, #:abs_g1:\symbol
    movk \register, #:abs_g0_nc:\symbol
    .endm

    .section .text.boot, "ax"
    .global _start
    .global __onewrite_mmu_on
_start:
    msr     daifset, #15
    mov     x19, x0
    mrs     x20, CurrentEL
    lsr     x20, x20, #2
    mrs     x1, mpidr_el1
    tst     x1, #0xff
    b.ne    90f

    // An image that lies elsewhere is copied to where it was linked.
    adr     x1, _start
    address x2, _start
    cmp     x1, x2
    b.eq    11f
    address x3, __image_end
10: ldr     x4, [x1], #8
    str     x4, [x2], #8
    cmp     x2, x3
    b.lo    10b
    dsb     sy
    ic      iallu
    dsb     sy
    isb
    address x1, 11f
    br      x1

11: cmp     x20, #3
    b.ne    20f
    mrs     x21, cntpct_el0
    // A Cortex-A53 is coherent, and may turn its caches on, once CPUECTLR.SMPEN is set (A53 TRM,
    // DDI 0500, 4.3.67). The firmware's stub does it, and sets the latency of the L2 cache's RAM
    // to 3 cycles (raspberrypi/tools, armstubs/armstub8.S); here nobody has.
    mrs     x1, midr_el1
    ubfx    x1, x1, #4, #12
    cmp     x1, #0xd03
    b.ne    12f
    mrs     x1, S3_1_C15_C2_1
    orr     x1, x1, #0x40
    msr     S3_1_C15_C2_1, x1
    mov     x1, #0x22
    msr     S3_1_C11_C0_2, x1       // L2CTLR_EL1
    isb
12: mrs     x1, cntfrq_el0
    cbnz    x1, 13f
    constant x1, 19200000           // the Pi's crystal
    msr     cntfrq_el0, x1
13: constant x1, {scr}
    msr     scr_el3, x1
    msr     cptr_el3, xzr           // FP and SIMD do not trap
    msr     mdcr_el3, xzr
    constant x1, {sctlr_el2_off}
    msr     sctlr_el2, x1
    mov     x1, #0x3c9              // EL2 with its own stack pointer, interrupts masked
    msr     spsr_el3, x1
    adr     x1, 21f
    msr     elr_el3, x1
    eret

20: cmp     x20, #2
    b.ne    30f
    mrs     x21, cntpct_el0
21: mov     x1, #(1 << 31)          // EL1 is AArch64, nothing is trapped
    msr     hcr_el2, x1
    mov     x1, #3                  // EL1 may read the counter and program the timer
    msr     cnthctl_el2, x1
    msr     cntvoff_el2, xzr
    mov     x1, #0x33ff             // FP and SIMD do not trap
    msr     cptr_el2, x1
    msr     hstr_el2, xzr
    mrs     x1, pmcr_el0            // all event counters belong to EL1: HPMN = N
    ubfx    x1, x1, #11, #5
    msr     mdcr_el2, x1
    mrs     x1, midr_el1
    msr     vpidr_el2, x1
    mrs     x1, mpidr_el1
    msr     vmpidr_el2, x1
    constant x1, {sctlr_off}
    msr     sctlr_el1, x1
    mov     x1, #0x3c5              // EL1 with its own stack pointer, interrupts masked
    msr     spsr_el2, x1
    adr     x1, 31f
    msr     elr_el2, x1
    eret

    // Entered at EL1: whether CNTPCT may be read is up to the level above; CNTVCT always may.
30: mrs     x21, cntvct_el0
31: constant x1, {sctlr_off}
    msr     sctlr_el1, x1
    isb
    mov     x1, #(3 << 20)          // FP and SIMD do not trap
    msr     cpacr_el1, x1
    address x1, {vectors}
    msr     vbar_el1, x1
    // Exceptions run on a stack of their own, so that a full stack can be reported.
    msr     spsel, #1
    address x1, __exception_stack_top
    mov     sp, x1
    msr     spsel, #0
    address x1, __stack_top
    mov     sp, x1

    constant x1, {mair}
    msr     mair_el1, x1
    constant x1, {tcr}
    msr     tcr_el1, x1
    address x1, {table}
    msr     ttbr0_el1, x1
    isb
    tlbi    vmalle1
    ic      iallu
    dsb     sy
    isb
    constant x1, {sctlr_on}
    msr     sctlr_el1, x1
    isb
__onewrite_mmu_on:

    address x1, __bss_start
    address x2, __bss_end
40: cmp     x1, x2
    b.hs    41f
    stp     xzr, xzr, [x1], #16
    b       40b
41: mov     x0, x20
    mov     x1, x19
    mov     x2, x21
    mov     x29, xzr
    mov     x30, xzr
    b       {start}

    // The other cores sleep. Not wfe: QEMU would spin, and its counters count all cores.
90: wfi
    b       90b

    .purgem constant
    .purgem address
    "#,
    scr = const SCR,
    sctlr_el2_off = const SCTLR_EL2_OFF,
    sctlr_off = const SCTLR_OFF,
    sctlr_on = const SCTLR_ON,
    mair = const super::mmu::MAIR,
    tcr = const super::mmu::TCR,
    table = sym super::mmu::TABLE,
    vectors = sym super::fatal::onewrite_vectors,
    start = sym super::start,
);
