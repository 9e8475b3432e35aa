//! What a delta can be refused for.

use core::fmt;

/// A change that a delta did not take; the delta is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum DeltaError {
    /// A row's copies would exceed what an `i32` counts.
    CountOverflow,
    /// The delta has no room for one more key.
    ///
    /// Apply what it has before the rest only between messages: within one, a change of row would
    /// come apart into a removal and a new row.
    DeltaFull,
}

impl fmt::Display for DeltaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CountOverflow => "a row is changed more than 2147483647 times",
            Self::DeltaFull => "no room for one more key in the delta",
        })
    }
}

impl core::error::Error for DeltaError {}

/// A delta that was not applied; the dictionary and the delta are as they were.
///
/// `entry` counts the delta's keys in the order in which they came: see
/// [`Delta::key`](super::Delta::key).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ApplyError {
    /// A key has two rows, and neither is it that one replaces the other, nor has only one of them
    /// copies.
    Ambiguous {
        /// The key.
        entry: usize,
        /// Removals of what is not there, among the keys before it: what the C# client has warned
        /// of when it stops here.
        pseudo_throws: usize,
    },
    /// The dictionary has not enough room, even after the removals.
    CapacityExceeded {
        /// Keys that it would have to hold.
        needed: usize,
    },
    /// A row's multiplicity would exceed what a `u32` counts.
    CountOverflow {
        /// The key of the row.
        entry: usize,
    },
    /// In [`Mode::Strict`](super::Mode::Strict): the delta does not fit what is there.
    Inconsistent {
        /// The first key that does not.
        entry: usize,
        /// What is wrong with it.
        why: Inconsistency,
    },
}

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ambiguous { entry, .. } => write!(f, "two rows for key {entry} of the delta"),
            Self::CapacityExceeded { needed } => write!(f, "no room for {needed} keys"),
            Self::CountOverflow { entry } => {
                write!(f, "more than 4294967295 copies of the row for key {entry} of the delta")
            }
            Self::Inconsistent { entry, why } => write!(f, "{why} for key {entry} of the delta"),
        }
    }
}

impl core::error::Error for ApplyError {}

/// How a delta does not fit what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Inconsistency {
    /// A row is to be replaced and fewer copies are removed than there are.
    CopiesLeft,
    /// The row that is there is not the one that the delta has.
    OtherRow,
    /// More copies are removed than there are.
    RemovedTooOften,
    /// The delta has more than two rows.
    ThirdRow,
    /// A row is to be removed or replaced and there is none.
    UnknownKey,
}

impl fmt::Display for Inconsistency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CopiesLeft => "copies left of a row that is replaced",
            Self::OtherRow => "another row than the one that is there",
            Self::RemovedTooOften => "more copies removed than there are",
            Self::ThirdRow => "more than two rows",
            Self::UnknownKey => "nothing there to remove or replace",
        })
    }
}
