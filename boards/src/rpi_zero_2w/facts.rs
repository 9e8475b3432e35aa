//! What this machine says about itself.

use core::{hint::black_box, sync::atomic::Ordering};

use super::{
    DEVICE_TREE, ENTRY_LEVEL, build_id::BuildId, mailbox, pmu, registers, registers::read,
    semihosting, uart,
};
use crate::{
    Environment, Label,
    property::{self, Clock, Question},
};

/// The Pi's crystal.
const PI_TIMER_HZ: u64 = 19_200_000;

/// What kind of number this machine can produce.
///
/// A Cortex-A53 counts refills of its data cache; QEMU has no caches and says so, whichever timer
/// rate and semihosting it was started with. It counts instructions only with `-icount`.
#[must_use]
pub fn label() -> Label {
    let real_core = pmu::supports(pmu::L1D_REFILL);
    match (real_core, pmu::supports(pmu::INST_RETIRED)) {
        (true, _) if registers::timer_hz() == PI_TIMER_HZ && !semihosting::present() => Label::Pi,
        (true, _) => Label::Unidentified,
        (false, true) => Label::QemuIcount,
        (false, false) => Label::Qemu,
    }
}

/// The facts of this machine and build, now.
#[must_use]
pub fn environment() -> Environment {
    let mut environment = Environment::of_build("Raspberry Pi Zero 2W, bare metal", label());
    if let Some(id) = BuildId::own() {
        environment.add("build id", format_args!("{id}"));
    }
    environment.add("strict-align", format_args!("{}", strict_align()));
    environment.add("entry level", format_args!("EL{}", ENTRY_LEVEL.load(Ordering::Relaxed)));
    environment.add("level", format_args!("EL{}", read!("currentel") >> 2 & 3));
    environment.add("device tree", format_args!("{:#x}", DEVICE_TREE.load(Ordering::Relaxed)));
    environment.add("midr", format_args!("{:#x}", read!("midr_el1")));
    // The others are parked.
    environment.add("cpus allowed", format_args!("0"));
    environment.add("timer", format_args!("{} Hz", registers::timer_hz()));
    let control = read!("sctlr_el1");
    environment.add(
        "mmu and caches",
        format_args!(
            "mmu {}, data cache {}, instruction cache {}",
            on_off(control),
            on_off(control >> 2),
            on_off(control >> 12)
        ),
    );
    environment.add(
        "event counters",
        format_args!("{}, events {:#x}", pmu::counters_present(), read!("pmceid0_el0")),
    );
    let semihosting = if semihosting::present() { "present" } else { "absent" };
    environment.add("semihosting", format_args!("{semihosting}"));
    match uart::clock_hz() {
        Some(hz) => environment.add("uart clock", format_args!("{hz} Hz")),
        None => environment.add("uart clock", format_args!("48000000 Hz, assumed")),
    }
    add_firmware_facts(&mut environment);
    environment
}

/// What only the GPU knows; a question it does not answer is no fact.
fn add_firmware_facts(environment: &mut Environment) {
    property::add_fixed_facts(environment, mailbox::ask);
    // Nobody but us moves the clock, unless the GPU throttles.
    environment.add("governor", format_args!("none"));
    if let Some(hz) = mailbox::ask(Question::clock(Clock::Arm)) {
        environment.add("clock", format_args!("{hz} Hz"));
    }
    property::add_moving_facts(environment, mailbox::ask);
}

const fn on_off(bits: u64) -> &'static str {
    if bits & 1 == 1 { "on" } else { "off" }
}

/// A word that may lie anywhere.
#[repr(C, packed)]
struct Unaligned(u32);

/// An unaligned store, to see what the compiler makes of one.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn onewrite_unaligned_store(place: &mut Unaligned, value: u32) {
    place.0 = value;
}

/// Whether this program was compiled with strict-align, read from its own machine code.
///
/// `cfg(target_feature)` does not know. The build script believes the flags; this looks at the
/// instructions of a function that is one store: one `str`, or four `strb`.
fn strict_align() -> &'static str {
    // Unsigned-offset forms (Arm ARM, C4.1) without offset and registers; bits 5..10: the base.
    const FORM: u32 = 0xffc0_0000;
    const STORE_WORD: u32 = 0xb900_0000;
    const STORE_BYTE: u32 = 0x3900_0000;
    const STACK_POINTER: u32 = 31;
    const RETURN: u32 = 0xd65f_03c0;

    let store: extern "C" fn(&mut Unaligned, u32) = black_box(onewrite_unaligned_store);
    let mut code = store as *const u32;
    for _ in 0..32 {
        // SAFETY: no further than the function's return, and at most 32 words from its start, where
        // code and constants go on; both are mapped readable and never written.
        let instruction = unsafe { code.read_volatile() };
        // Without optimization the arguments go to the stack first, which is aligned.
        let on_stack = instruction >> 5 & 31 == STACK_POINTER;
        match instruction & FORM {
            STORE_WORD if !on_stack => return "off",
            STORE_BYTE if !on_stack => return "on",
            _ if instruction == RETURN => break,
            _ => code = code.wrapping_add(1),
        }
    }
    "unknown"
}
