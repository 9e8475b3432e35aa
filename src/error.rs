//! Errors as small `Copy` values: where, and what went wrong there.
//!
//! Neither type needs `core::fmt` to be used: match on `kind`, print only where a person reads.

use core::convert::Infallible;
use core::fmt;

/// Input that is not a valid encoding.
///
/// `at` counts bytes from the start of the input that was handed to the decoder, and names the
/// first byte of the item that is wrong, not the byte at which the decoder noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DecodeError {
    /// Offset in bytes of the offending item.
    pub at: usize,
    /// What the input did wrong.
    pub kind: DecodeErrorKind,
}

impl DecodeError {
    /// An error of `kind` at byte `at`.
    #[must_use]
    pub const fn new(at: usize, kind: DecodeErrorKind) -> Self {
        Self { at, kind }
    }

    /// The same error seen from a decoder whose input started `base` bytes earlier.
    ///
    /// A nested record reports offsets from its own first byte; its container shifts them.
    #[must_use]
    pub const fn shifted(self, base: usize) -> Self {
        Self { at: self.at.saturating_add(base), kind: self.kind }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind, self.at)
    }
}

impl core::error::Error for DecodeError {}

/// What the input of a decoder did wrong.
///
/// Records and the reader name bytes, numbers, strings and discriminants. The kinds that speak of a
/// table come from formats that have tables; each says which sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// A padding byte that must be zero is not.
    BadPadding,
    /// In a format that points into its tables: a position that is none of the table's.
    BadPosition {
        /// The table that the position should point into.
        table: &'static str,
        /// The position as it stands in the input.
        position: i64,
    },
    /// In a table with a count in front: a count that does not fit the bytes left for its items.
    CountTooLarge {
        /// The table whose count it is.
        table: &'static str,
        /// The count as it stands in the input.
        count: i64,
    },
    /// A value has more levels than a decoder goes down.
    DepthLimit {
        /// How many it does.
        limit: usize,
    },
    /// The input ends before the item does.
    EndOfInput {
        /// Bytes that the item takes.
        needed: usize,
        /// Bytes that are left for it.
        available: usize,
    },
    /// In a table whose entries are named by their number: an index past its end.
    IndexOutOfRange {
        /// The table that is indexed.
        table: &'static str,
        /// The index as it stands in the input.
        index: i64,
        /// Number of entries in the table.
        len: usize,
    },
    /// A bool that is neither 0 nor 1.
    InvalidBool {
        /// The byte that was found.
        value: u8,
    },
    /// A string that is not UTF-8. The error is at the first byte of the string, behind its length
    /// if it has one, wherever in the string the bytes go wrong.
    InvalidUtf8,
    /// In a table whose items ascend: an item that does not come after the one before it.
    NotAscending {
        /// The table whose order is broken.
        table: &'static str,
    },
    /// A variable-length integer that could have been written in fewer bytes, where the format has
    /// only the shortest form.
    OverlongVarint,
    /// The type that was asked for refuses the value.
    Refused,
    /// In a table whose size is known beforehand: the input ends before it does.
    TableTruncated {
        /// The table that is cut short.
        table: &'static str,
        /// Bytes that the table takes.
        needed: usize,
        /// Bytes that are left for it.
        available: usize,
    },
    /// Bytes are left after the value.
    TrailingBytes {
        /// How many.
        extra: usize,
    },
    /// The rows of a list do not cover its data.
    UnevenRows {
        /// Bytes of each row, or 0 where none are said to be there.
        size: usize,
        /// Bytes of the data.
        len: usize,
    },
    /// A discriminant that no variant of the enum has.
    UnknownDiscriminant {
        /// The enum.
        name: &'static str,
        /// The discriminant's bits as on the wire, zero-extended.
        value: u64,
    },
    /// The type that was asked for is none of the format's.
    Unsupported {
        /// What it is.
        what: &'static str,
    },
    /// In a format with a null index of -1: an index that must be null for this kind of record and
    /// is not.
    UnusedNotNull,
    /// A field that must be zero for this kind of record is not.
    UnusedNotZero,
    /// A variable-length integer with more bytes, or a larger value, than its type has.
    VarintTooLong,
    /// An array of another length than its type has.
    WrongCount {
        /// Elements of the type.
        expected: usize,
        /// The count as it stands in the input.
        count: u32,
    },
}

impl fmt::Display for DecodeErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::BadPadding => f.write_str("padding is not zero"),
            Self::BadPosition { table, position } => {
                write!(f, "position {position} is not one in the {table}")
            }
            Self::CountTooLarge { table, count } => {
                write!(f, "count {count} of the {table} does not fit the input")
            }
            Self::DepthLimit { limit } => write!(f, "value is more than {limit} levels deep"),
            Self::EndOfInput { needed, available } => {
                write!(f, "input ends early: {needed} bytes needed, {available} left")
            }
            Self::IndexOutOfRange { table, index, len } => {
                write!(f, "index {index} is outside the {len} {table}")
            }
            Self::InvalidBool { value } => write!(f, "{value:#04x} is not a bool"),
            Self::InvalidUtf8 => f.write_str("string is not UTF-8"),
            Self::NotAscending { table } => write!(f, "{table} do not ascend"),
            Self::OverlongVarint => f.write_str("varint is longer than it needs to be"),
            Self::Refused => f.write_str("type refuses the value"),
            Self::TableTruncated { table, needed, available } => {
                write!(f, "{table} is cut short: {needed} bytes needed, {available} left")
            }
            Self::TrailingBytes { extra } => write!(f, "{extra} bytes left after the value"),
            Self::UnevenRows { size, len } => {
                write!(f, "rows of {size} bytes do not cover {len} bytes")
            }
            Self::UnknownDiscriminant { name, value } => {
                write!(f, "{value:#x} is no variant of {name}")
            }
            Self::Unsupported { what } => write!(f, "the format has no {what}"),
            Self::UnusedNotNull => f.write_str("string index must be null in this record"),
            Self::UnusedNotZero => f.write_str("field must be zero in this record"),
            Self::VarintTooLong => f.write_str("varint does not fit its type"),
            Self::WrongCount { expected, count } => {
                write!(f, "array of {count} elements where the type has {expected}")
            }
        }
    }
}

/// A read that did not bring a whole record.
///
/// `E` is the driver's own error, kept untouched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ReadError<E> {
    /// Bytes that came out of the source since it was made or last reset.
    pub read: usize,
    /// Why it stopped there.
    pub kind: ReadErrorKind<E>,
}

impl<E> ReadError<E> {
    /// An error of `kind` after `read` bytes.
    #[must_use]
    pub const fn new(read: usize, kind: ReadErrorKind<E>) -> Self {
        Self { read, kind }
    }
}

impl<E: fmt::Display> fmt::Display for ReadError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} after {} bytes", self.kind, self.read)
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for ReadError<E> {}

/// Why a read stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ReadErrorKind<E> {
    /// All bytes of the record arrived, and they are not a valid one.
    Decode(DecodeError),
    /// The input ended inside a record.
    EndOfInput {
        /// Bytes of the record that were there.
        got: usize,
        /// Bytes of a whole record.
        wanted: usize,
    },
    /// A driver claims to have read more bytes than it had room for. What arrived cannot be
    /// trusted.
    Miscounted {
        /// Room that was offered.
        offered: usize,
        /// Bytes that it claims.
        claimed: usize,
    },
    /// An earlier read stopped inside a record, and the source has not been reset since.
    Poisoned,
    /// The driver's own error.
    Source(E),
    /// The driver was interrupted 1,000 times in a row.
    Stalled,
}

impl<E: fmt::Display> fmt::Display for ReadErrorKind<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decode(error) => error.fmt(f),
            Self::EndOfInput { got, wanted } => {
                write!(f, "input ends inside a record: {got} of {wanted} bytes")
            }
            Self::Miscounted { offered, claimed } => {
                write!(f, "{claimed} bytes claimed in room for {offered}")
            }
            Self::Poisoned => f.write_str("an earlier read stopped inside a record"),
            Self::Source(error) => error.fmt(f),
            Self::Stalled => f.write_str("source brings no bytes"),
        }
    }
}

/// A write that did not happen, or not to its end.
///
/// `E` is the sink's own error, kept untouched; `P` is what the protocol on top can refuse, and is
/// uninhabited for plain bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WriteError<E, P = Infallible> {
    /// Bytes that the sink has accepted since it was made or last reset.
    pub written: usize,
    /// Why it stopped there.
    pub kind: WriteErrorKind<E, P>,
}

impl<E, P> WriteError<E, P> {
    /// An error of `kind` after `written` bytes.
    #[must_use]
    pub const fn new(written: usize, kind: WriteErrorKind<E, P>) -> Self {
        Self { written, kind }
    }
}

impl<E> WriteError<E> {
    /// The same error where a protocol could also have refused.
    #[must_use]
    pub fn widen<P>(self) -> WriteError<E, P> {
        let kind = match self.kind {
            WriteErrorKind::Encode(never) => match never {},
            WriteErrorKind::Full { needed, available } => {
                WriteErrorKind::Full { needed, available }
            }
            WriteErrorKind::Miscounted { offered, claimed } => {
                WriteErrorKind::Miscounted { offered, claimed }
            }
            WriteErrorKind::Poisoned => WriteErrorKind::Poisoned,
            WriteErrorKind::Sink(error) => WriteErrorKind::Sink(error),
            WriteErrorKind::Stalled => WriteErrorKind::Stalled,
        };
        WriteError { written: self.written, kind }
    }
}

impl<E: fmt::Display, P: fmt::Display> fmt::Display for WriteError<E, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} after {} bytes", self.kind, self.written)
    }
}

impl<E, P> core::error::Error for WriteError<E, P>
where
    E: fmt::Debug + fmt::Display,
    P: fmt::Debug + fmt::Display,
{
}

/// Why a write stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum WriteErrorKind<E, P = Infallible> {
    /// The value cannot be encoded; the protocol says why.
    Encode(P),
    /// Memory ran out. Nothing of the refused item was written.
    Full {
        /// Bytes that the item takes.
        needed: usize,
        /// Bytes that were free.
        available: usize,
    },
    /// A driver claims to have taken more bytes than it was offered, or a producer to have made
    /// more than it had room for. The count of what went out cannot be trusted.
    Miscounted {
        /// Bytes that were offered, or the room that was given.
        offered: usize,
        /// Bytes that it claims.
        claimed: usize,
    },
    /// An earlier write stopped inside a record, and the sink has not been reset since.
    Poisoned,
    /// The sink's own error.
    Sink(E),
    /// The sink takes no bytes: it returned `Ok(0)`, or was interrupted 1,000 times in a row.
    Stalled,
}

impl<E: fmt::Display, P: fmt::Display> fmt::Display for WriteErrorKind<E, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encode(error) => error.fmt(f),
            Self::Full { needed, available } => {
                write!(f, "buffer is full: {needed} bytes needed, {available} free")
            }
            Self::Miscounted { offered, claimed } => {
                write!(f, "{claimed} bytes claimed of {offered} offered")
            }
            Self::Poisoned => f.write_str("an earlier write stopped inside a record"),
            Self::Sink(error) => error.fmt(f),
            Self::Stalled => f.write_str("sink takes no bytes"),
        }
    }
}
