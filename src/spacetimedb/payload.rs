//! The first byte of what a server sends.

use crate::error::{DecodeError, DecodeErrorKind};
use crate::reader::Reader;

/// What a server sent as one WebSocket message: how it is compressed, and its body.
///
/// | offset | size | meaning |
/// |---|---|---|
/// | 0 | 1 | 0: plain, 1: brotli, 2: gzip |
/// | 1 | | the body; inflated, it is one message of [`v1`](super::v1) or [`v2`](super::v2), or several of [`v3`](super::v3) |
///
/// Whatever was asked for, a server sends bodies of up to 1,024 bytes plain. Errors in a body
/// count from its own first byte; [`DecodeError::shifted`] by 1 makes them count from the payload's.
///
/// What a client sends has no such byte and is never compressed.
///
/// ```
/// use onewrite::spacetimedb::{Payload, v2};
///
/// let received = b"\0\x03\x01\x09\0\0\0\x02\0\0\0no";
/// match Payload::new(received)? {
///     Payload::Plain(body) => match v2::ServerMessage::from_slice(body)? {
///         v2::ServerMessage::SubscriptionError { error, .. } => assert_eq!(error, "no"),
///         other => panic!("{other:?}"),
///     },
///     Payload::Brotli(_) | Payload::Gzip(_) => panic!("asked for `compression=None`"),
/// }
/// # use onewrite::bsatn::Decode;
/// # Ok::<(), onewrite::error::DecodeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payload<'a> {
    /// A body as it is.
    Plain(&'a [u8]),
    /// A brotli stream that inflates to a body.
    Brotli(&'a [u8]),
    /// A gzip member that inflates to a body.
    Gzip(&'a [u8]),
}

impl<'a> Payload<'a> {
    /// Takes the first byte off `bytes`, and looks at nothing behind it.
    ///
    /// # Errors
    ///
    /// At byte 0: `EndOfInput` where there is none, `UnknownDiscriminant` where it is above 2.
    pub fn new(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let start = Reader::new(bytes);
        let mut reader = start;
        match reader.u8()? {
            0 => Ok(Self::Plain(reader.rest())),
            1 => Ok(Self::Brotli(reader.rest())),
            2 => Ok(Self::Gzip(reader.rest())),
            tag => Err(unknown(&start, "Compression", tag)),
        }
    }
}

/// The error of a tag that no variant of `name` has, and that stands next in `at`.
#[cold]
pub(super) fn unknown(at: &Reader<'_>, name: &'static str, tag: u8) -> DecodeError {
    at.error(DecodeErrorKind::UnknownDiscriminant { name, value: tag.into() })
}
