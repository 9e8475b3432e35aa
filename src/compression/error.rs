//! Why compressed bytes do not become plain ones.

use core::fmt;

/// Compressed bytes that were not inflated, or not to their end.
///
/// `at` counts bytes from the start of the compressed input and names the byte at which the decoder
/// noticed. What stands in the output afterwards is unspecified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DecompressError {
    /// Offset in bytes of what cannot be followed.
    pub at: usize,
    /// Why not.
    pub kind: DecompressErrorKind,
}

impl DecompressError {
    /// An error of `kind` at byte `at`.
    #[must_use]
    pub const fn new(at: usize, kind: DecompressErrorKind) -> Self {
        Self { at, kind }
    }

    /// The same error seen from a decoder whose input started `base` bytes earlier.
    #[must_use]
    pub const fn shifted(self, base: usize) -> Self {
        Self { at: self.at.saturating_add(base), kind: self.kind }
    }
}

impl fmt::Display for DecompressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at compressed byte {}", self.kind, self.at)
    }
}

impl core::error::Error for DecompressError {}

/// Why compressed bytes do not become plain ones.
///
/// The input is at fault in `BadChecksum`, `BadLength`, `Corrupt`, `EndOfInput` and
/// `TrailingBytes`. The others say what the caller has to bring for the same input to go through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum DecompressErrorKind {
    /// gzip: what was inflated has another CRC-32 than its member says.
    BadChecksum {
        /// The checksum in the input.
        expected: u32,
        /// That of the bytes which were inflated.
        found: u32,
    },
    /// gzip: what was inflated has another length than its member says.
    BadLength {
        /// The length in the input, modulo 2^32.
        expected: u32,
        /// That of the bytes which were inflated, modulo 2^32.
        found: u32,
    },
    /// The input breaks a rule of its format.
    Corrupt {
        /// The part that does.
        what: &'static str,
    },
    /// The input ends before what it compresses does.
    EndOfInput,
    /// The output does not fit the buffer. Come back with one of
    /// `at_least.max(2 * out.len())` bytes, up to the most that you would take from this sender.
    ///
    /// At least double it, because each attempt starts from zero: brotli says only what the next
    /// block comes to, and an input of blocks of one byte each would have as many attempts as bytes.
    NeedsBuffer {
        /// Bytes that it has at least, as far as is known. It is a claim of the input's, of up to
        /// 16 MiB for a block of brotli; where it is above your limit, give up.
        at_least: usize,
    },
    /// brotli: the input refers to the format's dictionary, and this build has none: it needs the
    /// feature `brotli-dictionary`.
    NeedsDictionary,
    /// This build does not have the format: it needs a feature.
    NotBuiltIn {
        /// The feature.
        feature: &'static str,
    },
    /// The input's code tables do not fit the [`Tables`](super::Tables). Come back with larger
    /// ones.
    TablesTooSmall {
        /// Words that they have at least, as far as is known.
        at_least: usize,
    },
    /// Bytes are left behind the compressed ones.
    TrailingBytes {
        /// How many.
        extra: usize,
    },
}

impl fmt::Display for DecompressErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::BadChecksum { expected, found } => {
                write!(f, "checksum {found:#010x} where {expected:#010x} is stated")
            }
            Self::BadLength { expected, found } => {
                write!(f, "{found} bytes inflated where {expected} are stated")
            }
            Self::Corrupt { what } => write!(f, "bad {what}"),
            Self::EndOfInput => f.write_str("compressed input ends early"),
            Self::NeedsBuffer { at_least } => {
                write!(f, "a buffer of at least {at_least} bytes is needed")
            }
            Self::NeedsDictionary => f.write_str(
                "the brotli dictionary is needed: enable the feature `brotli-dictionary`",
            ),
            Self::NotBuiltIn { feature } => {
                write!(f, "not built in: enable the feature `{feature}`")
            }
            Self::TablesTooSmall { at_least } => {
                write!(f, "tables of at least {at_least} words are needed")
            }
            Self::TrailingBytes { extra } => {
                write!(f, "{extra} bytes left after the compressed ones")
            }
        }
    }
}
