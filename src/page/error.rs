//! Why a page could not be updated.

use core::fmt;

/// A component that cannot be shown, and which of its frames is the first that cannot.
///
/// The page stays what it was: its browser still shows what it showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PageError {
    /// Number of the frame, counted from 0 in the order in which the component pushes them: elements,
    /// regions, attributes, texts and markup.
    pub at: usize,
    /// What is wrong with it.
    pub kind: PageErrorKind,
}

/// What is wrong with a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum PageErrorKind {
    /// A name that a browser refuses: it is empty, does not begin with a letter, or has other signs than
    /// ASCII letters, digits, `-`, `_`, `.` and `:`.
    BadName {
        /// The name.
        name: &'static str,
    },
    /// An event handler whose name is not `on` and more, or an attribute of such a name with a text, which a
    /// browser would run.
    HandlerName {
        /// The name.
        name: &'static str,
    },
    /// An element in more others than [`MAX_DEPTH`](super::MAX_DEPTH).
    TooDeep,
    /// An element with more attributes than [`MAX_ATTRIBUTES`](super::MAX_ATTRIBUTES).
    TooManyAttributes,
    /// To render the page anew takes more edits than it has frames, which happens only if nearly all of
    /// them stand in no element.
    TooManyEdits {
        /// Edits that fit.
        capacity: usize,
    },
    /// More frames than the page holds.
    TooManyFrames {
        /// Frames that fit.
        capacity: usize,
    },
    /// More copied text than the page holds.
    TooMuchText {
        /// Bytes that fit.
        capacity: usize,
    },
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "frame {}: ", self.at)?;
        match self.kind {
            PageErrorKind::BadName { name } => write!(f, "{name:?} is no name"),
            PageErrorKind::HandlerName { name } => {
                write!(f, "{name:?} does not go with such a value")
            }
            PageErrorKind::TooDeep => f.write_str("inside of too many elements"),
            PageErrorKind::TooManyAttributes => f.write_str("too many attributes"),
            PageErrorKind::TooManyEdits { capacity } => write!(f, "more than {capacity} edits"),
            PageErrorKind::TooManyFrames { capacity } => write!(f, "more than {capacity} frames"),
            PageErrorKind::TooMuchText { capacity } => {
                write!(f, "more than {capacity} bytes of text")
            }
        }
    }
}

impl core::error::Error for PageError {}

/// Why [`Page::update`](super::Page::update) left the page as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum UpdateError<E> {
    /// The component cannot be shown.
    Page(PageError),
    /// The batch could not be sent; the error is the sender's.
    Send(E),
}

impl<E: fmt::Display> fmt::Display for UpdateError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Page(error) => error.fmt(f),
            Self::Send(error) => write!(f, "the batch was not sent: {error}"),
        }
    }
}

impl<E: core::error::Error> core::error::Error for UpdateError<E> {}
