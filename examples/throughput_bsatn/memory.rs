//! Everything that a run borrows: no allocator, and nothing large on the stack.

use heapless::Vec;
use onewrite::bsatn::{Encode, RowListWriter};
use onewrite::compression::Tables;
use onewrite::spacetimedb::multi_dictionary::{Delta, MultiDictionary};
use static_cell::{ConstStaticCell, StaticCell};

use crate::rows::{Fixed, Id, MOST, Mixed, NAME, NUMBERS, Numbers};

/// Slots of the tables for up to 100 and for up to 10,000 rows.
pub(crate) const SMALL: usize = 128;
pub(crate) const LARGE: usize = 16_384;

/// A table of rows under keys of their own, and changes to it.
pub(crate) type Table<const SLOTS: usize> = MultiDictionary<u32, Id, SLOTS>;
pub(crate) type Changes<const SLOTS: usize> = Delta<u32, Id, SLOTS>;

/// Bytes to read, for each number of rows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Input {
    /// The rows as an array.
    pub(crate) array: &'static [u8],
    /// The rows as a row list.
    pub(crate) list: &'static [u8],
    /// A plain payload of version 2 with a `TransactionUpdate` of that list.
    pub(crate) update: &'static [u8],
}

/// Everything that a run borrows.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) ids: &'static [Id],
    pub(crate) fixed: &'static [Fixed],
    pub(crate) mixed: &'static [Mixed<'static>],
    pub(crate) id_inputs: [Input; 3],
    pub(crate) fixed_inputs: [Input; 3],
    pub(crate) mixed_inputs: [Input; 3],
    /// Payloads of version 2 that answer calls, with rows of `u32`.
    pub(crate) reducers: [&'static [u8]; 3],
    pub(crate) procedures: [&'static [u8]; 3],
    /// Where bytes are written to.
    pub(crate) out: &'static mut [u8],
    pub(crate) tables: &'static mut Tables,
    pub(crate) small: (&'static mut Table<SMALL>, &'static mut Changes<SMALL>),
    pub(crate) large: (&'static mut Table<LARGE>, &'static mut Changes<LARGE>),
}

/// Bytes of the longest output: an array of `mixed`.
const OUT: usize = 400 * 1024;
/// Bytes of all inputs.
const INPUTS: usize = 1536 * 1024;

static IDS: ConstStaticCell<Vec<Id, MOST>> = ConstStaticCell::new(Vec::new());
static FIXED: ConstStaticCell<Vec<Fixed, MOST>> = ConstStaticCell::new(Vec::new());
static MIXED: ConstStaticCell<Vec<Mixed<'static>, MOST>> = ConstStaticCell::new(Vec::new());
static NAMES: ConstStaticCell<[u8; NAME * MOST]> = ConstStaticCell::new([0; NAME * MOST]);
static BYTES: ConstStaticCell<[u8; INPUTS]> = ConstStaticCell::new([0; INPUTS]);
static WRITTEN: ConstStaticCell<[u8; OUT]> = ConstStaticCell::new([0; OUT]);
static TABLES: ConstStaticCell<Tables> = ConstStaticCell::new(Tables::new());
static SMALL_TABLE: StaticCell<Table<SMALL>> = StaticCell::new();
static SMALL_CHANGES: StaticCell<Changes<SMALL>> = StaticCell::new();
static LARGE_TABLE: StaticCell<Table<LARGE>> = StaticCell::new();
static LARGE_CHANGES: StaticCell<Changes<LARGE>> = StaticCell::new();

impl Memory {
    /// The memory with all rows and inputs made; `None` the second time.
    pub(crate) fn take() -> Option<Self> {
        let (ids, fixed, mixed) = (IDS.try_take()?, FIXED.try_take()?, MIXED.try_take()?);
        let mut names: &'static mut [u8] = NAMES.try_take()?;
        let (mut numbers, mut others) = (Numbers(25), Numbers(25));
        for id in 0..u32::try_from(MOST).ok()? {
            ids.push(Id { id }).ok()?;
            fixed.push(Fixed::made(id, &mut numbers)).ok()?;
            mixed.push(Mixed::made(id, &mut others, &mut names)?).ok()?;
        }
        let (ids, fixed, mixed): (&'static _, &'static _, &'static _) = (ids, fixed, mixed);
        let mut free: &'static mut [u8] = BYTES.try_take()?;
        let id_inputs = inputs(ids, &mut free)?;
        let fixed_inputs = inputs(fixed, &mut free)?;
        let mixed_inputs = inputs(mixed, &mut free)?;
        let (mut reducers, mut procedures) = ([[].as_slice(); 3], [[].as_slice(); 3]);
        for (at, input) in id_inputs.iter().enumerate() {
            let query_sets = input.update.get(2..)?;
            // Plain; answers request 7 at this time: success, and a value of three bytes.
            let head = b"\0\x06\x07\0\0\0\x40\xc2\x43\xf6\x6a\x3d\x06\0\0\x03\0\0\0\x01\x02\x03";
            *reducers.get_mut(at)? = put(&mut free, &[head, query_sets])?;
            let len = u32::try_from(input.array.len()).ok()?.to_le_bytes();
            let tail = b"\x40\xc2\x43\xf6\x6a\x3d\x06\0\xd2\x04\0\0\0\0\0\0\x07\0\0\0";
            *procedures.get_mut(at)? = put(&mut free, &[b"\0\x07\0", &len, input.array, tail])?;
        }
        Some(Self {
            ids,
            fixed,
            mixed,
            id_inputs,
            fixed_inputs,
            mixed_inputs,
            reducers,
            procedures,
            out: WRITTEN.try_take()?,
            tables: TABLES.try_take()?,
            // Made here and not in statics, whose bytes would be part of the image.
            small: (
                SMALL_TABLE.try_uninit()?.write(Table::new()),
                SMALL_CHANGES.try_uninit()?.write(Changes::new()),
            ),
            large: (
                LARGE_TABLE.try_uninit()?.write(Table::new()),
                LARGE_CHANGES.try_uninit()?.write(Changes::new()),
            ),
        })
    }
}

/// Before the list of an update: plain, `TransactionUpdate`, set 1, table `player`, one entry.
const HEAD: &[u8] = b"\0\x04\x01\0\0\0\x01\0\0\0\x01\0\0\0\x06\0\0\0player\x01\0\0\0\0";
/// Behind it: no deletes.
const TAIL: &[u8] = b"\x01\0\0\0\0\0\0\0\0";

fn inputs<R: Encode>(rows: &[R], free: &mut &'static mut [u8]) -> Option<[Input; 3]> {
    let mut inputs = [Input::default(); 3];
    for (input, number) in inputs.iter_mut().zip(NUMBERS) {
        let rows = rows.get(..number)?;
        let len = rows.encode_to_slice(free).ok()?;
        input.array = take(free, len)?;
        let update = core::mem::take(free);
        let (head, rest) = update.split_at_mut_checked(HEAD.len())?;
        head.copy_from_slice(HEAD);
        let len = RowListWriter::new(rows).encode_to_slice(rest).ok()?;
        rest.get_mut(len..)?.get_mut(..TAIL.len())?.copy_from_slice(TAIL);
        let (update, rest) = update.split_at_mut_checked(HEAD.len() + len + TAIL.len())?;
        *free = rest;
        input.update = update;
        input.list = input.update.get(HEAD.len()..HEAD.len() + len)?;
    }
    Some(inputs)
}

/// The pieces one behind the other.
fn put(free: &mut &'static mut [u8], pieces: &[&[u8]]) -> Option<&'static [u8]> {
    let mut len = 0;
    for piece in pieces {
        free.get_mut(len..)?.get_mut(..piece.len())?.copy_from_slice(piece);
        len += piece.len();
    }
    take(free, len)
}

fn take(free: &mut &'static mut [u8], len: usize) -> Option<&'static [u8]> {
    let (taken, rest) = core::mem::take(free).split_at_mut_checked(len)?;
    *free = rest;
    Some(taken)
}
