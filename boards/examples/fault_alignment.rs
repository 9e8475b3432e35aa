//! An alignment fault is reported as what it is, with its address and code 102 (case pi-02).
//!
//! By an exclusive load, which must be aligned anywhere: QEMU lets a plain one from device memory
//! pass, where a board faults in the same way.
#![cfg_attr(target_os = "none", no_std, no_main)]

use onewrite_boards::{Console, Failure, entry};

entry!(run);

fn run(_: &mut Console) -> Result<(), Failure> {
    #[cfg(target_os = "none")]
    // SAFETY: the access faults, and its report ends the run.
    unsafe {
        core::arch::asm!("ldxr {0}, [{0}]", inout(reg) 0x0008_0001_u64 => _, options(nostack));
    }
    Err("nothing faulted".into())
}
