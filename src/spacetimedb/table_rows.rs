//! Rows with the name of their table.

use crate::bsatn::{Decode, RowList};
use crate::error::DecodeError;
use crate::reader::Reader;

/// Rows of one table.
///
/// | field | bytes | meaning |
/// |---|---|---|
/// | `table` | 4 + | its name |
/// | `rows` | 7 + | the rows |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableRows<'a> {
    /// The table's name.
    pub table: &'a str,
    /// The rows.
    pub rows: RowList<'a>,
}

impl<'de: 'a, 'a> Decode<'de> for TableRows<'a> {
    const MIN_SIZE: usize = <&str as Decode<'_>>::MIN_SIZE + RowList::MIN_SIZE;
    const MAX_SIZE: usize = usize::MAX;
    const DEPTH: usize = 1 + RowList::DEPTH;

    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        Ok(Self { table: Decode::decode(reader)?, rows: Decode::decode(reader)? })
    }
}
