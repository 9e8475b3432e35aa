//! What a batch can be refused for.

use super::{EditType, FrameType};
use core::fmt;

/// A batch that was not written.
///
/// Nothing of it may be used: what an in-place writer has left in the buffer is not a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum BatchError {
    /// The buffer is smaller than the batch.
    BufferTooSmall {
        /// Bytes of the whole batch.
        needed: usize,
        /// Bytes of the buffer.
        available: usize,
    },
    /// A table of the batch would start past 2^31 - 1, the largest position on the wire; or the
    /// length is asked for, and is more than a `usize` holds.
    BatchTooLong,
    /// [`Options::js_safe`](super::Options) is on and an event handler id exceeds 2^53 - 1.
    EventIdTooLarge {
        /// The attribute that carries the id.
        at: Place,
        /// The id.
        id: u64,
    },
    /// [`Options::js_safe`](super::Options) is on and a disposed event handler's id exceeds
    /// 2^53 - 1.
    DisposedEventIdTooLarge {
        /// Its place among the disposed event handlers.
        index: usize,
        /// The id.
        id: u64,
    },
    /// The scratch does not hold one record.
    ScratchTooSmall {
        /// Bytes that it must have.
        needed: usize,
        /// Bytes that it has.
        available: usize,
    },
    /// The list that keeps one number a string is full.
    StringListFull {
        /// Strings that the batch has at least.
        needed: usize,
        /// The first string that found no room.
        at: Place,
    },
    /// The table of shared strings is full.
    StringTableFull {
        /// Distinct shared strings that the batch has at least.
        needed: usize,
        /// The first string that found no room.
        at: Place,
    },
    /// A string exceeds 2^28 - 1 bytes, the most that a browser reads.
    StringTooLong {
        /// Its length in bytes.
        len: usize,
        /// Where it stands.
        at: Place,
    },
}

/// Where in a batch something stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Place {
    /// In an edit.
    Edit {
        /// Which of the batch's diffs.
        diff: usize,
        /// Which of the diff's edits.
        index: usize,
        /// Kind of the edit.
        kind: EditType,
    },
    /// In a frame.
    Frame {
        /// Which of the batch's frames.
        index: usize,
        /// Kind of the frame.
        kind: FrameType,
    },
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::BufferTooSmall { needed, available } => {
                write!(f, "batch takes {needed} bytes, buffer has {available}")
            }
            Self::BatchTooLong => f.write_str("batch exceeds the positions of the wire format"),
            Self::EventIdTooLarge { at, id } => {
                write!(f, "event handler id {id} of {at} exceeds 2^53 - 1")
            }
            Self::DisposedEventIdTooLarge { index, id } => {
                write!(f, "disposed event handler id {id} at {index} exceeds 2^53 - 1")
            }
            Self::ScratchTooSmall { needed, available } => {
                write!(f, "scratch of {available} bytes is smaller than a record of {needed}")
            }
            Self::StringListFull { needed, at } => {
                write!(f, "string list is full: at least {needed} strings, the last in {at}")
            }
            Self::StringTableFull { needed, at } => {
                write!(
                    f,
                    "string table is full: at least {needed} shared strings, the last in {at}"
                )
            }
            Self::StringTooLong { len, at } => {
                write!(f, "string of {len} bytes in {at} exceeds 2^28 - 1")
            }
        }
    }
}

impl core::error::Error for BatchError {}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Edit { diff, index, kind } => {
                write!(f, "edit {index} ({kind:?}) of diff {diff}")
            }
            Self::Frame { index, kind } => write!(f, "frame {index} ({kind:?})"),
        }
    }
}
