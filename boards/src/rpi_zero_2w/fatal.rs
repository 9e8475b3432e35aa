//! What ends a run badly: exceptions and panics, each with a report and a failing exit code.

use core::{
    arch::global_asm,
    fmt,
    panic::PanicInfo,
    sync::atomic::{AtomicBool, Ordering},
};

use super::{Console, console, exit, log, registers, registers::read, semihosting, uart};
use crate::{EXIT_EXCEPTION, EXIT_PANIC};

/// Exit code of a run whose report failed as well.
const EXIT_REPORT_FAILED: u8 = 103;

/// A report has begun; a second one would not come further than the first.
static REPORTING: AtomicBool = AtomicBool::new(false);

unsafe extern "C" {
    /// The vector table; an address for `VBAR_EL1`, never called.
    pub(super) unsafe fn onewrite_vectors();
}

// The program runs on SP_EL0 and exceptions on SP_EL1 (boot.rs), so entries 0..4 are the
// program's, and 4..8 mean that the report itself went wrong.
global_asm!(
    r#"
    .macro vector index, handler
    .balign 0x80
    stp     x0, x1, [sp, #-272]!
    mov     x1, #\index
    b       \handler
    .endm

    .section .text.onewrite_vectors, "ax"
    .balign 0x800
    .global onewrite_vectors
onewrite_vectors:
    vector 0, 10f
    vector 1, 20f
    vector 2, 20f
    vector 3, 20f
    vector 4, 20f
    vector 5, 20f
    vector 6, 20f
    vector 7, 20f
    vector 8, 20f
    vector 9, 20f
    vector 10, 20f
    vector 11, 20f
    vector 12, 20f
    vector 13, 20f
    vector 14, 20f
    vector 15, 20f

    // A semihosting call that nobody took (undefined instruction, hlt #0xf000) is skipped.
10: mrs     x0, esr_el1
    lsr     x0, x0, #26
    cbnz    x0, 20f
    str     x2, [sp, #16]
    mrs     x0, elr_el1
    ldr     w1, [x0]
    movz    w2, #0xd45e, lsl #16
    cmp     w1, w2
    ldr     x2, [sp, #16]
    mov     x1, #0
    b.ne    20f
    add     x0, x0, #4
    msr     elr_el1, x0
    ldp     x0, x1, [sp], #272
    movz    x0, #({refused} >> 16), lsl #16
    movk    x0, #({refused} & 0xffff)
    eret

    // Everything else is reported, with x0..x30 and the stack pointer of the program.
20: stp     x2, x3, [sp, #16]
    stp     x4, x5, [sp, #32]
    stp     x6, x7, [sp, #48]
    stp     x8, x9, [sp, #64]
    stp     x10, x11, [sp, #80]
    stp     x12, x13, [sp, #96]
    stp     x14, x15, [sp, #112]
    stp     x16, x17, [sp, #128]
    stp     x18, x19, [sp, #144]
    stp     x20, x21, [sp, #160]
    stp     x22, x23, [sp, #176]
    stp     x24, x25, [sp, #192]
    stp     x26, x27, [sp, #208]
    stp     x28, x29, [sp, #224]
    mrs     x0, sp_el0
    stp     x30, x0, [sp, #240]
    mov     x0, sp
    b       {report}

    .purgem vector
    "#,
    refused = const semihosting::REFUSED,
    report = sym report_exception,
);

/// The registers of the program, as the vectors store them.
#[repr(C)]
struct Registers {
    x: [u64; 31],
    sp: u64,
}

extern "C" fn report_exception(registers: &Registers, vector: u64) -> ! {
    begin_report();
    let _ = write_exception(&mut Console::new(), registers, vector);
    exit(EXIT_EXCEPTION)
}

fn write_exception(console: &mut Console, registers: &Registers, vector: u64) -> fmt::Result {
    let syndrome = read!("esr_el1");
    let class = syndrome >> 26 & 63;
    let kind = match vector & 3 {
        0 => class_name(class),
        1 => "interrupt",
        2 => "fast interrupt",
        _ => "system error",
    };
    writeln!(
        console,
        "exception: {kind} at {:#x} (ELR), address {:#x} (FAR), syndrome {syndrome:#x} (ESR), \
         state {:#x} (SPSR), vector {vector}",
        read!("elr_el1"),
        read!("far_el1"),
        read!("spsr_el1"),
    )?;
    // Instruction and data aborts carry a fault status in their low six bits.
    if matches!(class, 0x20 | 0x21 | 0x24 | 0x25) && vector & 3 == 0 {
        let access = match (class, syndrome >> 6 & 1) {
            (0x20 | 0x21, _) => "fetch",
            (_, 0) => "load",
            _ => "store",
        };
        writeln!(console, "  {} on {access}", fault_name(syndrome & 63))?;
    }
    for (index, pair) in registers.x.chunks(4).enumerate() {
        write!(console, "  x{:<2}", index * 4)?;
        for value in pair {
            write!(console, " {value:#018x}")?;
        }
        writeln!(console)?;
    }
    writeln!(console, "  sp  {:#018x}", registers.sp)
}

/// `ESR_ELx.EC` (Arm ARM, D19.2.37), the classes that EL1 meets without a lower level.
const fn class_name(class: u64) -> &'static str {
    match class {
        0x00 => "undefined instruction",
        0x07 => "FP or SIMD instruction while trapped",
        0x0e => "illegal execution state",
        0x15 => "supervisor call",
        0x18 => "trapped system register",
        0x20 | 0x21 => "instruction abort",
        0x22 => "misaligned program counter",
        0x24 | 0x25 => "data abort",
        0x26 => "misaligned stack pointer",
        0x2c => "floating-point exception",
        0x2f => "system error",
        0x3c => "breakpoint instruction",
        _ => "synchronous exception",
    }
}

/// The fault status code of an abort.
const fn fault_name(status: u64) -> &'static str {
    match status {
        0x00..=0x03 => "address size fault",
        0x04..=0x07 => "translation fault (nothing is mapped there)",
        0x08..=0x0b => "access flag fault",
        0x0c..=0x0f => "permission fault",
        0x10 => "external abort (no such device)",
        0x21 => "alignment fault",
        _ => "other fault",
    }
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    begin_report();
    let _ = writeln!(Console::new(), "{info}");
    exit(EXIT_PANIC)
}

/// Makes the stream usable again, whatever was being sent.
fn begin_report() {
    if REPORTING.swap(true, Ordering::Relaxed) {
        give_up();
    }
    log::abandon_frame();
    console::finish_line();
}

/// Ends the run without the log, which is what failed.
pub(super) fn give_up() -> ! {
    uart::drain();
    semihosting::exit(EXIT_REPORT_FAILED);
    registers::sleep()
}
