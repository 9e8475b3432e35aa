//! An undefined instruction is reported, with code 102, and not taken for a semihosting call.
#![cfg_attr(target_os = "none", no_std, no_main)]

use onewrite_boards::{Console, Failure, entry};

entry!(run);

fn run(_: &mut Console) -> Result<(), Failure> {
    #[cfg(target_os = "none")]
    // SAFETY: the instruction faults, and its report ends the run.
    unsafe {
        core::arch::asm!("udf #7", options(nostack));
    }
    Err("nothing faulted".into())
}
