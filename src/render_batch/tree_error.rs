//! Why a browser could not apply a batch.

use super::{FrameType, Place};
use core::fmt;

/// A batch that a browser could not apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum TreeError {
    /// An attribute follows a child that is none, or its parent can have no attributes.
    AttributeNotLeading {
        /// The attribute.
        at: Place,
    },
    /// A disposed event handler's id exceeds 2^53 - 1.
    DisposedEventIdTooLarge {
        /// Its place among the disposed event handlers.
        index: usize,
        /// The id.
        id: u64,
    },
    /// An event handler id exceeds 2^53 - 1.
    EventIdTooLarge {
        /// The frame that carries it.
        at: Place,
        /// The id.
        id: u64,
    },
    /// An attribute has an event handler, but its name is not `on` and more.
    EventNameWithoutOn {
        /// The attribute.
        at: Place,
    },
    /// An edit refers to a frame that is not there.
    FrameOutOfRange {
        /// The edit.
        at: Place,
        /// The index that it holds.
        frame: i32,
        /// Frames of the batch.
        len: usize,
    },
    /// An edit counts its sibling from below 0.
    NegativeSibling {
        /// The edit.
        at: Place,
        /// The sibling that it holds.
        sibling: i32,
    },
    /// A frame that the browser inserts nowhere but inside a component's subtree.
    NotInsertable {
        /// The edit that inserts it, or the frame where it stands among an element's or a
        /// region's children.
        at: Place,
        /// Kind of the frame.
        kind: FrameType,
    },
    /// A list of permutations is interrupted, or is not ended.
    PermutationNotEnded {
        /// The edit that interrupts it, or the last edit.
        at: Place,
    },
    /// The end of a list of permutations that has none.
    PermutationWithoutEntries {
        /// The edit.
        at: Place,
    },
    /// A component's edits step out of what they never stepped into.
    StepOutOfRoot {
        /// The edit.
        at: Place,
    },
    /// A component's edits end inside what they stepped into.
    StepsNotBalanced {
        /// The last edit.
        at: Place,
        /// Steps that are missing.
        depth: usize,
    },
    /// A subtree length below 1.
    SubtreeEmpty {
        /// The frame.
        at: Place,
        /// The length that it holds.
        subtree: i32,
    },
    /// A subtree reaches past the one around it, or past the last frame.
    SubtreeTooLong {
        /// The frame.
        at: Place,
        /// The length that it holds.
        subtree: i32,
        /// Frames that are left for it.
        available: usize,
    },
    /// An edit refers to a frame of another kind than it needs.
    WrongFrame {
        /// The edit.
        at: Place,
        /// The index that it holds.
        frame: i32,
        /// Kind of the frame found there.
        kind: FrameType,
    },
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::AttributeNotLeading { at } => write!(f, "{at} is not a leading attribute"),
            Self::DisposedEventIdTooLarge { index, id } => {
                write!(f, "disposed event handler id {id} at {index} exceeds 2^53 - 1")
            }
            Self::EventIdTooLarge { at, id } => {
                write!(f, "event handler id {id} of {at} exceeds 2^53 - 1")
            }
            Self::EventNameWithoutOn { at } => {
                write!(f, "{at} has an event handler, but its name does not start with on")
            }
            Self::FrameOutOfRange { at, frame, len } => {
                write!(f, "{at} refers to frame {frame} of {len}")
            }
            Self::NegativeSibling { at, sibling } => {
                write!(f, "{at} refers to sibling {sibling}")
            }
            Self::NotInsertable { at, kind } => write!(f, "{at} would insert a {kind:?}"),
            Self::PermutationNotEnded { at } => {
                write!(f, "list of permutations is not ended at {at}")
            }
            Self::PermutationWithoutEntries { at } => {
                write!(f, "{at} ends an empty list of permutations")
            }
            Self::StepOutOfRoot { at } => write!(f, "{at} steps out of the component"),
            Self::StepsNotBalanced { at, depth } => {
                write!(f, "edits end with a depth of {depth} after {at}")
            }
            Self::SubtreeEmpty { at, subtree } => {
                write!(f, "{at} has a subtree of {subtree} frames, itself included")
            }
            Self::SubtreeTooLong { at, subtree, available } => {
                write!(f, "{at} has a subtree of {subtree} frames where {available} are left")
            }
            Self::WrongFrame { at, frame, kind } => {
                write!(f, "{at} refers to frame {frame}, a {kind:?}")
            }
        }
    }
}

impl core::error::Error for TreeError {}
