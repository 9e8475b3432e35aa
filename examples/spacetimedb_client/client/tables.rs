//! The rows that the client sees, in one table of fixed capacity, and what a message changes.
//!
//! Knows no socket and needs no allocator. Its rows are bytes, since which tables there are is known at
//! run time only; a program that knows its tables has one `MultiDictionary` for each, of its own types.

use core::fmt;

use heapless::{String, Vec};
use onewrite::bsatn::AlgebraicType;
use onewrite::error::DecodeError;
use onewrite::spacetimedb::multi_dictionary::{
    Applied, ApplyError, Delta, DeltaError, Mode, MultiDictionary, Visitor,
};
use onewrite::spacetimedb::stream::Effect;

use super::types::{self, Types};

/// Most bytes of a row.
pub(crate) const ROW: usize = 512;
/// Most tables.
const TABLES: usize = 16;
/// Most bytes of a table's name.
const NAME: usize = 64;
/// Bytes of a key.
const KEY: usize = 48;

/// Slots of the tables: room for 3,584 rows or for 28,672.
pub(crate) const SMALL: usize = 4_096;
pub(crate) const LARGE: usize = 32_768;
/// Rows that there is room for at the most.
pub(crate) const MOST: usize = Tables::<LARGE>::CAPACITY;
const _: () = assert!(Tables::<SMALL>::CAPACITY == 3_584 && MOST == 28_672);
const _: () = assert!(size_of::<Tables<SMALL>>() < 7_200_000);
const _: () = assert!(size_of::<Tables<LARGE>>() < 57_500_000);

pub(crate) type Row = Vec<u8, ROW>;

/// What a row is found by: its table, and the key column or all of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    table: u8,
    bytes: Vec<u8, KEY>,
}

/// A table that the server has named.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) name: String<NAME>,
    pub(crate) ty: Option<AlgebraicType<'static>>,
    key: Option<usize>,
}

/// All rows, `N / 8 * 7` of them, and the changes of the message that is being read.
#[derive(Debug)]
pub(crate) struct Tables<const N: usize> {
    names: Vec<Table, TABLES>,
    rows: MultiDictionary<Key, Row, N>,
    changes: Delta<Key, Row, N>,
    /// Whether the message that is being read has all rows anew, and there were some.
    renews: bool,
}

/// Is told what becomes of rows, with the table that they are of.
pub(crate) trait Watcher {
    fn inserted(&mut self, table: &Table, row: &[u8]);
    fn updated(&mut self, table: &Table, old: &[u8], new: &[u8]);
    fn deleted(&mut self, table: &Table, row: &[u8]);
}

/// Why a message cannot be applied.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Problem {
    /// More tables than there is room for, or a name that is too long.
    Name,
    /// A row that is longer than [`ROW`].
    Length(usize),
    /// A row is not of its table's type.
    Type(DecodeError),
    /// More than `capacity` rows, in the tables or in what one message changes.
    Full {
        capacity: usize,
        place: Place,
    },
    Changes(DeltaError),
    Apply(ApplyError),
}

/// What is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The tables, with so many rows.
    Tables { needed: usize },
    /// The changes of one message.
    Message,
    /// The same, of one that has all rows anew: those that have gone count until it is applied.
    Renewal,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name => {
                write!(f, "more than {TABLES} tables, or a name of more than {NAME} bytes")
            }
            Self::Length(len) => write!(f, "row of {len} bytes where {ROW} are the most"),
            Self::Type(error) => write!(f, "row is not of its table's type: {error} of it"),
            Self::Full { capacity, place } => {
                match place {
                    Place::Tables { needed } => write!(f, "no room for {needed} rows: ")?,
                    Place::Message => f.write_str("no room for all that a message changes: ")?,
                    Place::Renewal => f.write_str(
                        "no room for the rows that there are now and those that have gone meanwhile: ",
                    )?,
                }
                write!(f, "{capacity} are the most")?;
                if *capacity < MOST { write!(f, ", --capacity {MOST} has more") } else { Ok(()) }
            }
            Self::Changes(error) => error.fmt(f),
            Self::Apply(error) => error.fmt(f),
        }
    }
}

impl Problem {
    /// Whether the same would happen again on a new connection.
    pub(crate) const fn is_lasting(&self) -> bool {
        !matches!(self, Self::Apply(ApplyError::Inconsistent { .. } | ApplyError::Ambiguous { .. }))
    }
}

impl<const N: usize> Tables<N> {
    /// Rows that there is room for.
    pub(crate) const CAPACITY: usize = MultiDictionary::<Key, Row, N>::CAPACITY;

    pub(crate) const fn new() -> Self {
        Self {
            names: Vec::new(),
            rows: MultiDictionary::new(),
            changes: Delta::new(),
            renews: false,
        }
    }

    /// The number of the table of this name.
    pub(crate) fn number(&mut self, name: &str, types: &Types) -> Result<u8, Problem> {
        let found = self.names.iter().position(|table| table.name == name);
        let number = found.unwrap_or(self.names.len());
        if found.is_none() {
            let (ty, key) = types.table(name);
            let name = String::try_from(name).map_err(|_| Problem::Name)?;
            self.names.push(Table { name, ty, key }).map_err(|_| Problem::Name)?;
        }
        u8::try_from(number).map_err(|_| Problem::Name)
    }

    pub(crate) fn table(&self, number: u8) -> Option<&Table> {
        self.names.get(usize::from(number))
    }

    /// Counts a row of the message that is being read.
    pub(crate) fn row(
        &mut self,
        number: u8,
        effect: Effect,
        row: &[u8],
        types: &Types,
    ) -> Result<(), Problem> {
        let count = match effect {
            Effect::Added => Delta::add,
            Effect::Removed => Delta::remove,
            Effect::Event | Effect::Seen => return Ok(()),
        };
        let bytes = match self.table(number) {
            Some(Table { ty: Some(ty), key: Some(column), .. }) => {
                types::column(types.types(), *ty, *column, row).map_err(Problem::Type)?
            }
            _ => row,
        };
        let key = Key { table: number, bytes: key(bytes) };
        let row = Row::from_slice(row).map_err(|_| Problem::Length(row.len()))?;
        let place = if self.renews { Place::Renewal } else { Place::Message };
        count(&mut self.changes, key, row).map_err(|error| Self::refused(error, place))
    }

    /// What comes next in this message are all rows that there are: those that are not among them have
    /// gone.
    pub(crate) fn begin_anew(&mut self) -> Result<(), Problem> {
        self.renews = !self.rows.is_empty();
        self.changes.remove_all(&self.rows).map_err(|error| Self::refused(error, Place::Renewal))
    }

    const fn refused(error: DeltaError, place: Place) -> Problem {
        match error {
            DeltaError::DeltaFull => Problem::Full { capacity: Self::CAPACITY, place },
            _ => Problem::Changes(error),
        }
    }

    /// Applies what the message has changed, in all tables or in none.
    pub(crate) fn apply(&mut self, watcher: &mut dyn Watcher) -> Result<Applied, Problem> {
        let mut visitor = Named { names: &self.names, watcher };
        let applied = self.rows.apply(&mut self.changes, Mode::Strict, &mut visitor);
        self.renews = false;
        applied.map_err(|error| match error {
            ApplyError::CapacityExceeded { needed } => {
                Problem::Full { capacity: Self::CAPACITY, place: Place::Tables { needed } }
            }
            _ => Problem::Apply(error),
        })
    }

    /// The message has never come.
    pub(crate) fn forget_message(&mut self) {
        self.changes.clear();
        self.renews = false;
    }

    /// Every row with its table and how often it was delivered.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Table, &[u8], u32)> {
        self.rows.iter().filter_map(|(key, row, multiplicity)| {
            Some((self.table(key.table)?, row.as_slice(), multiplicity))
        })
    }

    /// Rows in all tables.
    pub(crate) const fn len(&self) -> usize {
        self.rows.len()
    }
}

/// What stands for a key: itself, or of a long one its start and a hash of all of it.
///
/// Two rows whose keys come to the same by chance are not taken for one: they are not equal, and
/// `Mode::Strict` refuses that.
fn key(bytes: &[u8]) -> Vec<u8, KEY> {
    if let Ok(key) = Vec::from_slice(bytes) {
        return key;
    }
    // FNV-1a.
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    for byte in bytes {
        hash = (hash ^ u128::from(*byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
    }
    bytes.iter().copied().take(KEY - 16).chain(hash.to_le_bytes()).collect()
}

struct Named<'a> {
    names: &'a [Table],
    watcher: &'a mut dyn Watcher,
}

impl Visitor<Key, Row> for Named<'_> {
    fn on_insert(&mut self, key: &Key, row: &Row) {
        if let Some(table) = self.names.get(usize::from(key.table)) {
            self.watcher.inserted(table, row);
        }
    }

    fn on_update(&mut self, key: &Key, old: &Row, new: &Row) {
        if let Some(table) = self.names.get(usize::from(key.table)) {
            self.watcher.updated(table, old, new);
        }
    }

    fn on_delete(&mut self, key: &Key, row: &Row) {
        if let Some(table) = self.names.get(usize::from(key.table)) {
            self.watcher.deleted(table, row);
        }
    }
}
