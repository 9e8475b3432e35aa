//! The memory of a run, in statics: what a firmware without an allocator does.

use onewrite::string_table::StringTable;
use static_cell::{ConstStaticCell, StaticCell};

use crate::workloads::{ARENA_LEN, BATCH_LEN, STRINGS};

/// Slots of the string table: the mix of 4,096 frames has 1,708 distinct names.
pub(crate) const SLOTS: usize = 4096;

/// The table of all workloads.
pub(crate) type Table = StringTable<SLOTS>;

/// Everything that a run borrows.
#[derive(Debug)]
pub(crate) struct Memory {
    /// Shared strings, for every writer.
    pub(crate) table: &'static mut Table,
    /// The strings of a batch, for writers whose bytes leave before the batch is complete.
    pub(crate) list: &'static mut [u32; STRINGS],
    /// Where batches are written to.
    pub(crate) out: &'static mut [u8; BATCH_LEN],
    /// The bytes of a batch, finished: what `memcpy` copies.
    pub(crate) finished: &'static mut [u8; BATCH_LEN],
    /// The text of a batch.
    pub(crate) arena: &'static mut [u8; ARENA_LEN],
}

static TABLE: StaticCell<Table> = StaticCell::new();
static LIST: ConstStaticCell<[u32; STRINGS]> = ConstStaticCell::new([0; STRINGS]);
static OUT: ConstStaticCell<[u8; BATCH_LEN]> = ConstStaticCell::new([0; BATCH_LEN]);
static FINISHED: ConstStaticCell<[u8; BATCH_LEN]> = ConstStaticCell::new([0; BATCH_LEN]);
static ARENA: ConstStaticCell<[u8; ARENA_LEN]> = ConstStaticCell::new([0; ARENA_LEN]);

impl Memory {
    /// The memory, or `None` the second time.
    pub(crate) fn take() -> Option<Self> {
        Some(Self {
            // Made here and not in the static, whose bytes would be part of the image.
            table: TABLE.try_init_with(Table::new)?,
            list: LIST.try_take()?,
            out: OUT.try_take()?,
            finished: FINISHED.try_take()?,
            arena: ARENA.try_take()?,
        })
    }
}
