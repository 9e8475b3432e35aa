//! A store to where nothing is mapped is reported, with its address and code 102.
#![cfg_attr(target_os = "none", no_std, no_main)]

use onewrite_boards::{Console, Failure, entry};

entry!(run);

fn run(_: &mut Console) -> Result<(), Failure> {
    #[cfg(target_os = "none")]
    // SAFETY: the access faults, and its report ends the run.
    unsafe {
        core::arch::asm!(
            "str xzr, [{}]",
            in(reg) 0x3000_0000_u64,
            in("x5") 0x5555_aaaa_5555_aaaa_u64, // seen in the report
            options(nostack)
        );
    }
    Err("nothing faulted".into())
}
