//! Looks at the machine code that runs before the MMU is on.
//!
//! Case pi-02: an unaligned access faults there on a board, and not under QEMU. So the only loads
//! and stores may be the two of the loop that copies the image, 8 aligned bytes each.
#![cfg_attr(target_os = "none", no_std, no_main)]

use onewrite_boards::{Console, Failure, entry};

entry!(run);

/// `ldr xT, [xN], #8` and `str xT, [xN], #8`, without the registers.
const LOAD_8_AND_ADVANCE: u32 = 0xf840_8400;
const STORE_8_AND_ADVANCE: u32 = 0xf800_8400;
const REGISTERS: u32 = 0x3ff;

fn run(console: &mut Console) -> Result<(), Failure> {
    let code = boot_code();
    let mut accesses = 0;
    for &instruction in code {
        // Bits 27 and 25 of a load or a store are 1 and 0 (Arm ARM, C4.1).
        if instruction >> 27 & 1 == 1 && instruction >> 25 & 1 == 0 {
            accesses += 1;
            let form = instruction & !REGISTERS;
            if form != LOAD_8_AND_ADVANCE && form != STORE_8_AND_ADVANCE {
                writeln!(console, "{instruction:#010x}")?;
                return Err("an access that may be unaligned runs before the MMU is on".into());
            }
        }
    }
    if cfg!(target_os = "none") && (code.len() < 50 || accesses != 2) {
        writeln!(console, "{} instructions, {accesses} accesses", code.len())?;
        return Err("this is not the boot code".into());
    }
    writeln!(console, "boot code: ok")?;
    Ok(())
}

#[cfg(not(target_os = "none"))]
fn boot_code() -> &'static [u32] {
    &[]
}

#[cfg(target_os = "none")]
fn boot_code() -> &'static [u32] {
    unsafe extern "C" {
        static _start: u32;
        static __onewrite_mmu_on: u32;
    }
    let start = &raw const _start;
    let end = &raw const __onewrite_mmu_on;
    let words = (end.addr() - start.addr()) / size_of::<u32>();
    // SAFETY: both symbols are of the boot section, in this order and word by word; it is mapped
    // readable and never written.
    unsafe { core::slice::from_raw_parts(start, words) }
}
