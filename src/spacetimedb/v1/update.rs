//! What a transaction changed.

use core::fmt;

use crate::bsatn::{Decode, RowList};
use crate::compression::{DEFAULT_WORDS, DecompressError, Tables};
use crate::error::DecodeError;
use crate::reader::Reader;
use crate::spacetimedb::payload::unknown;
use crate::spacetimedb::{List, Payload};

/// What changed in one table.
///
/// | field | bytes | meaning |
/// |---|---|---|
/// | `table_id` | 4 | the server's number for the table |
/// | `table` | 4 + | its name |
/// | `num_rows` | 8 | rows in all updates |
/// | `updates` | 4 + | the changes |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableUpdate<'a> {
    /// The server's number for the table.
    pub table_id: u32,
    /// The table's name.
    pub table: &'a str,
    /// Rows in all updates, as the server counts them. Size nothing by it.
    pub num_rows: u64,
    /// The changes: one entry for each query that sees the table, so that one row may come several
    /// times.
    pub updates: List<'a, CompressableQueryUpdate<'a>>,
}

impl<'de: 'a, 'a> Decode<'de> for TableUpdate<'a> {
    const MIN_SIZE: usize = 4 + 4 + 8 + 4;
    const MAX_SIZE: usize = usize::MAX;
    const DEPTH: usize = 1 + List::<'_, CompressableQueryUpdate<'_>>::DEPTH;

    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        Ok(Self {
            table_id: Decode::decode(reader)?,
            table: Decode::decode(reader)?,
            num_rows: Decode::decode(reader)?,
            updates: Decode::decode(reader)?,
        })
    }
}

/// What changed for one query, perhaps compressed on its own.
///
/// | tag | variant | fields |
/// |---|---|---|
/// | 0 | `Uncompressed` | [`QueryUpdate`] |
/// | 1 | `Brotli` | bytes |
/// | 2 | `Gzip` | bytes |
///
/// The bytes inflate to a [`QueryUpdate`], which [`decompress`](Self::decompress) does; servers of
/// today leave them uncompressed, and compress whole messages. An update may be compressed within a
/// message that was, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompressableQueryUpdate<'a> {
    /// The changes.
    Uncompressed(QueryUpdate<'a>),
    /// A brotli stream.
    Brotli(&'a [u8]),
    /// A gzip member.
    Gzip(&'a [u8]),
}

impl<'a> CompressableQueryUpdate<'a> {
    /// The changes: as they lie, or inflated to the start of `out`.
    ///
    /// Code tables and `out` are as for [`Payload::decompress`].
    ///
    /// # Errors
    ///
    /// `Decompress` as there, counted from the first compressed byte; `Decode` where what was
    /// inflated is no [`QueryUpdate`], counted from its first byte.
    pub fn decompress<'o>(self, out: &'o mut [u8]) -> Result<QueryUpdate<'o>, QueryUpdateError>
    where
        'a: 'o,
    {
        match self {
            Self::Uncompressed(update) => Ok(update),
            _ => self.decompress_with(&mut Tables::<DEFAULT_WORDS>::new(), out),
        }
    }

    /// As [`decompress`](Self::decompress), with code tables of the caller's.
    ///
    /// # Errors
    ///
    /// Likewise, and `TablesTooSmall`.
    pub fn decompress_with<'o, const WORDS: usize>(
        self,
        tables: &mut Tables<WORDS>,
        out: &'o mut [u8],
    ) -> Result<QueryUpdate<'o>, QueryUpdateError>
    where
        'a: 'o,
    {
        let compressed = match self {
            Self::Uncompressed(update) => return Ok(update),
            Self::Brotli(stream) => Payload::Brotli(stream),
            Self::Gzip(member) => Payload::Gzip(member),
        };
        let inflated =
            compressed.decompress_with(tables, out).map_err(QueryUpdateError::Decompress)?;
        QueryUpdate::from_slice(inflated).map_err(QueryUpdateError::Decode)
    }
}

impl<'de: 'a, 'a> Decode<'de> for CompressableQueryUpdate<'a> {
    const MIN_SIZE: usize = 1 + 4;
    const MAX_SIZE: usize = usize::MAX;
    const DEPTH: usize = 1 + QueryUpdate::DEPTH;

    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        let start = *reader;
        match reader.u8()? {
            0 => Decode::decode(reader).map(Self::Uncompressed),
            1 => Decode::decode(reader).map(Self::Brotli),
            2 => Decode::decode(reader).map(Self::Gzip),
            tag => Err(unknown(&start, "CompressableQueryUpdate", tag)),
        }
    }
}

/// Why a compressed update cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum QueryUpdateError {
    /// What was inflated is no update.
    Decode(DecodeError),
    /// It was not inflated.
    Decompress(DecompressError),
}

impl fmt::Display for QueryUpdateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decode(error) => error.fmt(f),
            Self::Decompress(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for QueryUpdateError {}

/// Rows that went and came, in the opposite order of version 2.
///
/// | field | bytes |
/// |---|---|
/// | `deletes` | 7 + |
/// | `inserts` | 7 + |
///
/// A row that changed is in both lists; pair old and new by their key, since the lists need not be
/// in the same order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryUpdate<'a> {
    /// Rows that are no longer there.
    pub deletes: RowList<'a>,
    /// Rows that are there now.
    pub inserts: RowList<'a>,
}

impl<'de: 'a, 'a> Decode<'de> for QueryUpdate<'a> {
    const MIN_SIZE: usize = 2 * RowList::MIN_SIZE;
    const MAX_SIZE: usize = usize::MAX;
    const DEPTH: usize = 1 + RowList::DEPTH;

    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        Ok(Self { deletes: Decode::decode(reader)?, inserts: Decode::decode(reader)? })
    }
}
