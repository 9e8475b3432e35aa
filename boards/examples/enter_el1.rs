//! Starts the firmware a second time, at EL1 and with another device tree address.
//!
//! Case pi-01: QEMU enters at EL3 or EL2 only. Jumping to the first instruction again with the
//! MMU off is what a loader at EL1 would do. Under QEMU only: a board's data cache would have to
//! be written back first.
#![cfg_attr(target_os = "none", no_std, no_main)]

use onewrite_boards::{Console, Failure, entry, environment};

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    let environment = environment();
    for key in ["entry level", "device tree", "level"] {
        writeln!(console, "{key}: {}", environment.value(key).unwrap_or("none here"))?;
    }
    match environment.value("entry level") {
        Some("EL2" | "EL3") if environment.value("label") != Some("pi") => start_again(),
        _ => Ok(()),
    }
}

#[cfg(not(target_os = "none"))]
fn start_again() -> Result<(), Failure> {
    Ok(())
}

#[cfg(target_os = "none")]
fn start_again() -> Result<(), Failure> {
    // SAFETY: the MMU maps addresses to themselves, so turning it off leaves this code where it is;
    // the first instruction of the image expects nothing of memory or registers, and never returns.
    unsafe {
        core::arch::asm!(
            "msr sctlr_el1, {off}",
            "isb",
            "b _start",
            off = in(reg) 0x30d0_0800_u64,
            in("x0") 0x0123_4560_u64,
            options(noreturn)
        );
    }
}
