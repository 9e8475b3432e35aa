//! The memory map, as one table the compiler fills.
//!
//! | from | to | memory |
//! |---|---|---|
//! | `0x0000_0000` | `0x0100_0000` | RAM: firmware, program, data |
//! | `0x0100_0000` | `0x0120_0000` | nothing: guard below the stack |
//! | `0x0120_0000` | `0x2000_0000` | RAM; the stack is its first 2 MiB |
//! | `0x2000_0000` | `0x3f00_0000` | nothing: the board has 512 MB |
//! | `0x3f00_0000` | `0x4000_0000` | devices |
//!
//! RAM is write-back, read- and write-allocate. The local peripherals at `0x4000_0000` (timers and
//! mailboxes of the cores) are outside: 30-bit addresses make level 2 the first level of the walk,
//! so that one table of 2 MiB blocks is enough (Arm ARM, D8.2.6).

const BLOCK_BYTES: u64 = 2 << 20;
const STACK_GUARD: u64 = 0x0100_0000;
const RAM_END: u64 = 0x2000_0000;
const DEVICES: u64 = 0x3f00_0000;

/// Attribute 0 is Device-nGnRE, attribute 1 is Normal write-back, inner and outer.
pub(super) const MAIR: u64 = 0xff04;
/// 30-bit addresses, 4 KiB granule, walks cached like RAM and inner shareable, no upper half.
pub(super) const TCR: u64 = (64 - 30) | (1 << 8) | (1 << 10) | (3 << 12) | (1 << 23);

const VALID_BLOCK: u64 = 1;
const ATTRIBUTE_1: u64 = 1 << 2;
const INNER_SHAREABLE: u64 = 3 << 8;
const ACCESSED: u64 = 1 << 10;
const NEVER_EXECUTED: u64 = 3 << 53;

/// A translation table of 512 blocks.
#[repr(C, align(4096))]
pub(super) struct Table([u64; 512]);

pub(super) static TABLE: Table = Table(blocks());

#[expect(clippy::indexing_slicing, reason = "runs in the compiler, which checks the bounds")]
const fn blocks() -> [u64; 512] {
    let mut table = [0; 512];
    let mut index = 0;
    let mut at = 0;
    while index < table.len() {
        table[index] = match at {
            STACK_GUARD => 0,
            0..RAM_END => at | VALID_BLOCK | ATTRIBUTE_1 | INNER_SHAREABLE | ACCESSED,
            DEVICES.. => at | VALID_BLOCK | ACCESSED | NEVER_EXECUTED,
            _ => 0,
        };
        index += 1;
        at += BLOCK_BYTES;
    }
    table
}
