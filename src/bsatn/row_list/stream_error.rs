//! What can go wrong where an input arrives in pieces.

use core::fmt;

use crate::error::{DecodeError, DecodeErrorKind};

/// An input that cannot be read any further, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StreamError {
    /// Offset in bytes from the first byte of the first piece.
    pub at: usize,
    /// Why.
    pub kind: StreamErrorKind,
}

/// Why an input that arrives in pieces cannot be read any further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum StreamErrorKind {
    /// The input is wrong.
    Decode(DecodeErrorKind),
    /// An item has to be whole and is longer than the buffer, however the pieces fall.
    NeedsBuffer {
        /// Bytes that the buffer needs at the least.
        at_least: usize,
    },
    /// The rows of a list differ in length, and nothing says where they end: neither a slice that
    /// is long enough for their offsets was lent nor a type was named. Do either, or skip them, and
    /// go on with the same piece: nothing is lost.
    NeedsOffsets {
        /// Rows that the list claims, each of which takes one number of the slice. Nothing has
        /// confirmed the claim.
        rows: usize,
    },
    /// The rows end where their type does, and that is not where the list says. Rows of this list
    /// have been handed out by then, and none of them can be trusted. Rows that differ from their type
    /// may as well be noticed as an error of the type.
    OffsetsDiffer,
}

impl StreamError {
    /// An error of `kind` at byte `at`.
    #[must_use]
    pub const fn new(at: usize, kind: StreamErrorKind) -> Self {
        Self { at, kind }
    }

    /// The same error seen from an input that started `base` bytes earlier: by 1 for the payload
    /// that a message is the body of.
    #[must_use]
    pub const fn shifted(self, base: usize) -> Self {
        Self { at: self.at.saturating_add(base), kind: self.kind }
    }

    /// Bytes that are wrong.
    pub(crate) const fn decode(at: usize, kind: DecodeErrorKind) -> Self {
        Self { at, kind: StreamErrorKind::Decode(kind) }
    }
}

impl From<DecodeError> for StreamError {
    fn from(error: DecodeError) -> Self {
        Self::decode(error.at, error.kind)
    }
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind, self.at)
    }
}

impl core::error::Error for StreamError {}

impl fmt::Display for StreamErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decode(kind) => kind.fmt(f),
            Self::NeedsBuffer { at_least } => {
                write!(f, "item is longer than the buffer, which needs {at_least} bytes or more")
            }
            Self::NeedsOffsets { rows } => {
                write!(f, "rows differ in length: lend room for {rows} offsets, or name their type")
            }
            Self::OffsetsDiffer => f.write_str("rows do not end where their list says"),
        }
    }
}
