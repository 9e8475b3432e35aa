//! What the messages of a client have in common.

use core::convert::Infallible;
use core::fmt;

use super::List;
use crate::bsatn::private::count_bytes;
use crate::bsatn::{Decode, Encode, Output};
use crate::error::{DecodeError, WriteError, WriteErrorKind};
use crate::reader::Reader;
use crate::sink::Sink;

/// Most bytes that a server takes in one WebSocket message: 32 MiB. Past it, it hangs up.
///
/// `usize::MAX` where that is less.
pub const PAYLOAD_LIMIT: usize = {
    const LIMIT: u64 = 32 * 1024 * 1024;
    #[allow(clippy::cast_possible_truncation, reason = "compared before")]
    if LIMIT > usize::MAX as u64 { usize::MAX } else { LIMIT as usize }
};

/// Why something is not sent. Nothing has been written then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum MessageError {
    /// A payload of version 3 has at least one message.
    NoMessages,
    /// The payload has more than [`PAYLOAD_LIMIT`] bytes.
    TooLarge {
        /// How many it has; `usize::MAX` where a `usize` cannot count them.
        len: usize,
    },
}

impl fmt::Display for MessageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMessages => f.write_str("no messages to send"),
            Self::TooLarge { len } => {
                write!(f, "{len} bytes to send, and a server takes {PAYLOAD_LIMIT}")
            }
        }
    }
}

impl core::error::Error for MessageError {}

/// Writes what the server takes, and refuses what it does not.
pub(super) fn write_to<T: Encode, S: Sink + ?Sized>(
    payload: &T,
    sink: &mut S,
) -> Result<(), WriteError<S::Error, MessageError>> {
    check(payload.encoded_len())?;
    payload.encode(sink).map_err(WriteError::widen)
}

/// As [`write_to`], to the start of `out`.
pub(super) fn write_into<T: Encode>(
    payload: &T,
    out: &mut [u8],
) -> Result<usize, WriteError<Infallible, MessageError>> {
    check(payload.encoded_len())?;
    payload.encode_to_slice(out).map_err(WriteError::widen)
}

fn check<E>(len: usize) -> Result<(), WriteError<E, MessageError>> {
    if len > PAYLOAD_LIMIT {
        let refused = MessageError::TooLarge { len };
        return Err(WriteError::new(0, WriteErrorKind::Encode(refused)));
    }
    Ok(())
}

/// What a call has as its arguments: [`Arguments`], or bytes that are BSATN already.
///
/// The encoding is a number of bytes and that many bytes. Arguments themselves are not: without
/// their length in front a server would take them for something else.
///
/// ```compile_fail,E0277
/// use onewrite::spacetimedb::v2::ClientMessage;
///
/// ClientMessage::CallReducer { request_id: 1, reducer: "say", args: (7u32, "hi") }.encoded_len();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not the arguments of a call",
    label = "has no length in front",
    note = "wrap a tuple or a struct in `Arguments`; bytes are a `&[u8]`"
)]
pub trait CallArguments: Encode {}

impl CallArguments for &[u8] {}

impl<T: Encode> CallArguments for Arguments<T> {}

/// The arguments of a call as bytes with their number in front.
///
/// | offset | size | meaning |
/// |---|---|---|
/// | 0 | 4 | bytes of the value |
/// | 4 | | the value |
///
/// A call takes the *product* of its arguments: a tuple, or a struct that derives `Encode`. It is
/// measured and then written in place; bytes that are there already go in as `&[u8]`, which has the
/// same encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arguments<T>(pub T);

impl<T: Encode> Encode for Arguments<T> {
    const MIN_SIZE: usize = T::MIN_SIZE.saturating_add(4);
    const MAX_SIZE: usize = T::MAX_SIZE.saturating_add(4);
    type Scratch = [u8; 0];

    #[inline]
    fn encoded_len(&self) -> usize {
        self.0.encoded_len().saturating_add(4)
    }

    #[inline]
    fn put<O: Output>(&self, out: &mut O) {
        out.array(count_bytes(self.0.encoded_len()));
        self.0.put(out);
    }
}

/// The queries of a subscription, to send or as received.
#[derive(Clone, Copy, Default)]
pub struct Queries<'a> {
    /// To send; empty where they were received.
    given: &'a [&'a str],
    received: List<'a, &'a str>,
}

impl<'a> Queries<'a> {
    /// These queries, in SQL; there may be none.
    #[must_use]
    pub fn new(queries: &'a [&'a str]) -> Self {
        Self { given: queries, received: List::default() }
    }

    /// Number of queries.
    #[must_use]
    pub const fn len(&self) -> usize {
        // Does not wrap: one of them is 0.
        self.given.len().wrapping_add(self.received.len())
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The queries in order.
    pub fn iter(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.given.iter().copied().chain(self.received)
    }
}

impl<'de: 'a, 'a> Decode<'de> for Queries<'a> {
    const MIN_SIZE: usize = 4;
    const MAX_SIZE: usize = usize::MAX;
    const DEPTH: usize = 1 + List::<'_, &str>::DEPTH;

    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        Ok(Self { given: &[], received: Decode::decode(reader)? })
    }
}

impl Encode for Queries<'_> {
    const MIN_SIZE: usize = 4;
    const MAX_SIZE: usize = usize::MAX;
    type Scratch = [u8; 0];

    #[inline]
    fn encoded_len(&self) -> usize {
        self.given.encoded_len().saturating_add(self.received.as_bytes().len())
    }

    #[inline]
    fn put<O: Output>(&self, out: &mut O) {
        out.array(count_bytes(self.len()));
        out.items(self.given);
        out.bytes(self.received.as_bytes());
    }
}

/// Whether they are the same queries in the same order.
impl PartialEq for Queries<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Queries<'_> {}

impl fmt::Debug for Queries<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A byte that must be 0: there are no flags yet.
pub(super) fn no_flags(reader: &mut Reader<'_>) -> Result<(), DecodeError> {
    let start = *reader;
    match reader.u8()? {
        0 => Ok(()),
        flags => Err(super::payload::unknown(&start, "flags", flags)),
    }
}

/// A byte that is 0 or 1.
pub(super) fn flag(reader: &mut Reader<'_>) -> Result<bool, DecodeError> {
    let start = *reader;
    match reader.u8()? {
        0 => Ok(false),
        1 => Ok(true),
        flags => Err(super::payload::unknown(&start, "flags", flags)),
    }
}
