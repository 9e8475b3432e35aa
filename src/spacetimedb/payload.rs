//! The first byte of what a server sends.

use crate::compression::{DEFAULT_WORDS, DecompressError, Tables};
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
/// let mut buffer = [0; 1024]; // for what is compressed
/// let body = Payload::new(received)?.decompress(&mut buffer)?;
/// match v2::ServerMessage::from_slice(body)? {
///     v2::ServerMessage::SubscriptionError { error, .. } => assert_eq!(error, "no"),
///     other => panic!("{other:?}"),
/// }
/// # use onewrite::bsatn::Decode;
/// # Ok::<(), Box<dyn core::error::Error>>(())
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

    /// The body: a plain one where it lies, another inflated to the start of `out`.
    ///
    /// The code tables are on the stack, 8 KiB of them; [`decompress_with`](Self::decompress_with)
    /// has them elsewhere, or larger. Nothing that a server sends needs larger ones, nor the feature
    /// `brotli-dictionary`.
    ///
    /// `out` need not have a size found beforehand: on `NeedsBuffer` come back with a larger one, but
    /// each attempt starts from zero. So at least double it, `at_least.max(2 * out.len())`, up to your
    /// limit: then all attempts together take about twice the work of the last one, whatever the
    /// input. What it claims by `at_least` may be 16 MiB; above the limit, give up.
    ///
    /// ```
    /// # #[cfg(feature = "gzip")] {
    /// use onewrite::compression::DecompressErrorKind::NeedsBuffer;
    /// use onewrite::spacetimedb::Payload;
    ///
    /// const LIMIT: usize = 1 << 20;
    ///
    /// # let received = b"\x02\x1f\x8b\x08\0\0\0\0\0\x02\xff\xcbH\xcd\xc9\xc9\x07\0\x86\xa6\x106\x05\0\0\0";
    /// let payload = Payload::new(received)?;
    /// let mut out = vec![0; 4]; // kept from message to message
    /// let len = loop {
    ///     match payload.decompress(&mut out) {
    ///         Ok(body) => break body.len(),
    ///         Err(error) => match error.kind {
    ///             NeedsBuffer { at_least } if at_least <= LIMIT => {
    ///                 let len = at_least.max(2 * out.len()).min(LIMIT);
    ///                 out.resize(len, 0);
    ///             }
    ///             _ => return Err(error.into()),
    ///         },
    ///     }
    /// };
    /// assert_eq!(&out[..len], b"hello");
    /// # }
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`compression::gzip`](crate::compression) and
    /// [`compression::brotli`](crate::compression), and `NotBuiltIn` where the feature `gzip` or
    /// `brotli` is off. A plain body is never an error.
    pub fn decompress<'o>(self, out: &'o mut [u8]) -> Result<&'o [u8], DecompressError>
    where
        'a: 'o,
    {
        match self {
            Self::Plain(body) => Ok(body),
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
    ) -> Result<&'o [u8], DecompressError>
    where
        'a: 'o,
    {
        match self {
            Self::Plain(body) => Ok(body),
            Self::Brotli(stream) => brotli(stream, tables, out),
            Self::Gzip(member) => gzip(member, tables, out),
        }
    }

    /// Bytes of the body, as far as the payload says so: a plain one has them, gzip claims them in
    /// its last four bytes, brotli does not say.
    ///
    /// A claim that gzip could not keep is none. One that it could may still be 1,032 times as long
    /// as the payload.
    #[must_use]
    pub fn decompressed_len(&self) -> Option<usize> {
        match self {
            Self::Plain(body) => Some(body.len()),
            #[cfg(feature = "gzip")]
            Self::Gzip(member) => crate::compression::gzip::decompressed_len(member),
            _ => None,
        }
    }
}

#[cfg(feature = "brotli")]
fn brotli<'o, const WORDS: usize>(
    stream: &[u8],
    tables: &mut Tables<WORDS>,
    out: &'o mut [u8],
) -> Result<&'o [u8], DecompressError> {
    crate::compression::brotli::decompress(stream, tables, out)
}

#[cfg(not(feature = "brotli"))]
fn brotli<'o, const WORDS: usize>(
    _: &[u8],
    _: &mut Tables<WORDS>,
    _: &'o mut [u8],
) -> Result<&'o [u8], DecompressError> {
    Err(not_built_in("brotli"))
}

#[cfg(feature = "gzip")]
fn gzip<'o, const WORDS: usize>(
    member: &[u8],
    tables: &mut Tables<WORDS>,
    out: &'o mut [u8],
) -> Result<&'o [u8], DecompressError> {
    crate::compression::gzip::decompress(member, tables, out)
}

#[cfg(not(feature = "gzip"))]
fn gzip<'o, const WORDS: usize>(
    _: &[u8],
    _: &mut Tables<WORDS>,
    _: &'o mut [u8],
) -> Result<&'o [u8], DecompressError> {
    Err(not_built_in("gzip"))
}

#[cfg(not(all(feature = "gzip", feature = "brotli")))]
#[cold]
fn not_built_in(feature: &'static str) -> DecompressError {
    DecompressError::new(0, crate::compression::DecompressErrorKind::NotBuiltIn { feature })
}

/// The error of a tag that no variant of `name` has, and that stands next in `at`.
#[cold]
pub(super) fn unknown(at: &Reader<'_>, name: &'static str, tag: u8) -> DecodeError {
    at.error(DecodeErrorKind::UnknownDiscriminant { name, value: tag.into() })
}
