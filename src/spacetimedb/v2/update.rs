//! What a transaction changed.

use crate::bsatn::{Decode, RowList};
use crate::error::DecodeError;
use crate::reader::Reader;
use crate::spacetimedb::List;
use crate::spacetimedb::payload::unknown;

/// What changed for the queries of one set.
///
/// | field | bytes | meaning |
/// |---|---|---|
/// | `query_set_id` | 4 | the set, as its subscription named it |
/// | `tables` | 4 + | what changed in each table |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuerySetUpdate<'a> {
    /// The set.
    pub query_set_id: u32,
    /// What changed in each table. One table may stand here more than once.
    pub tables: List<'a, TableUpdate<'a>>,
}

impl<'de: 'a, 'a> Decode<'de> for QuerySetUpdate<'a> {
    const MIN_SIZE: usize = 4 + 4;
    const MAX_SIZE: usize = usize::MAX;
    const DEPTH: usize = 1 + List::<'_, TableUpdate<'_>>::DEPTH;

    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        Ok(Self { query_set_id: Decode::decode(reader)?, tables: Decode::decode(reader)? })
    }
}

/// What changed in one table.
///
/// | field | bytes | meaning |
/// |---|---|---|
/// | `table` | 4 + | its name |
/// | `rows` | 4 + | the changes |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableUpdate<'a> {
    /// The table's name.
    pub table: &'a str,
    /// The changes: one entry for each query that sees the table, so that one row may come several
    /// times.
    pub rows: List<'a, TableUpdateRows<'a>>,
}

impl<'de: 'a, 'a> Decode<'de> for TableUpdate<'a> {
    const MIN_SIZE: usize = 4 + 4;
    const MAX_SIZE: usize = usize::MAX;
    const DEPTH: usize = 1 + List::<'_, TableUpdateRows<'_>>::DEPTH;

    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        Ok(Self { table: Decode::decode(reader)?, rows: Decode::decode(reader)? })
    }
}

/// Rows that came and went.
///
/// | tag | variant | fields |
/// |---|---|---|
/// | 0 | `PersistentTable` | inserts, deletes |
/// | 1 | `EventTable` | events |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableUpdateRows<'a> {
    /// Rows of a table that keeps them. A row that changed is in both lists; pair old and new by
    /// their key, since the lists need not be in the same order.
    PersistentTable {
        /// Rows that are there now.
        inserts: RowList<'a>,
        /// Rows that no longer are.
        deletes: RowList<'a>,
    },
    /// Rows of a table that keeps none.
    EventTable {
        /// The events.
        events: RowList<'a>,
    },
}

impl<'de: 'a, 'a> Decode<'de> for TableUpdateRows<'a> {
    const MIN_SIZE: usize = 1 + RowList::MIN_SIZE;
    const MAX_SIZE: usize = usize::MAX;
    const DEPTH: usize = 1 + RowList::DEPTH;

    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        let start = *reader;
        match reader.u8()? {
            0 => Ok(Self::PersistentTable {
                inserts: Decode::decode(reader)?,
                deletes: Decode::decode(reader)?,
            }),
            1 => Ok(Self::EventTable { events: Decode::decode(reader)? }),
            tag => Err(unknown(&start, "TableUpdateRows", tag)),
        }
    }
}
