//! What is wrong with a text.

use core::fmt;

/// A text that is no JSON, or not what was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Error {
    /// Offset in bytes from the start of the text: of the byte that may not stand there, or of the first
    /// byte of the value that is another than was asked for.
    pub at: usize,
    /// What is wrong there.
    pub kind: ErrorKind,
}

impl Error {
    pub(in crate::circuit) const fn new(at: usize, kind: ErrorKind) -> Self {
        Self { at, kind }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind, self.at)
    }
}

impl core::error::Error for Error {}

/// What a text did wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ErrorKind {
    /// A control character in a string that is not escaped (section 7).
    Control,
    /// An array of another length.
    Count {
        /// Elements that it should have.
        expected: usize,
    },
    /// More levels than a reader goes down.
    Depth,
    /// The text ends before the value does.
    End,
    /// A backslash with something behind it that is no escape (section 7).
    Escape,
    /// An object that has not this key.
    Missing {
        /// The key.
        key: &'static str,
    },
    /// A number that is none of JSON's (section 6).
    Number,
    /// A key that was asked for and is there twice.
    Repeated,
    /// An escape that is half of a surrogate pair.
    Surrogate,
    /// Something behind the value.
    Trailing,
    /// A byte that may not stand there: it begins no value, or is not the punctuation that has to follow.
    Unexpected,
    /// A value of another type.
    Wrong {
        /// What it should be.
        expected: &'static str,
    },
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Control => "control character in a string",
            Self::Count { expected } => {
                return write!(f, "array has not {expected} elements");
            }
            Self::Depth => "value has too many levels",
            Self::End => "text ends early",
            Self::Escape => "no escape",
            Self::Missing { key } => return write!(f, "object has no key {key}"),
            Self::Number => "no number",
            Self::Repeated => "key is there twice",
            Self::Surrogate => "half of a surrogate pair",
            Self::Trailing => "something behind the value",
            Self::Unexpected => "unexpected character",
            Self::Wrong { expected } => return write!(f, "value is not {expected}"),
        })
    }
}
