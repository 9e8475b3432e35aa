//! Messages in a WebSocket message.

use crate::error::{DecodeError, DecodeErrorKind};
use crate::reader::Reader;

/// The messages of one binary WebSocket message, each without the length in front of it.
///
/// | size | meaning |
/// |---|---|
/// | 1 to 5 | bytes of the message, seven bits a byte, the lowest first, zeros at its end allowed |
/// | that many | a MessagePack array |
///
/// There may be several, and there may be none. Source: SignalR's `HubProtocol.md`, "MessagePack
/// encoding", and `BinaryMessageFormat.ts`.
///
/// ```
/// use onewrite::circuit::hub::Messages;
///
/// let mut messages = Messages::new(b"\x02\x91\x06\x82\x80\0\x91\x06");
/// while let Some(message) = messages.next() {
///     assert_eq!(message?, b"\x91\x06");
/// }
/// # Ok::<(), onewrite::error::DecodeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Messages<'a> {
    reader: Reader<'a>,
    at: usize,
}

impl<'a> Messages<'a> {
    /// The messages of `payload`.
    #[must_use]
    pub const fn new(payload: &'a [u8]) -> Self {
        Self { reader: Reader::new(payload), at: 0 }
    }

    /// Offset in the payload of the message that came last.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }

    fn advance(&mut self) -> Result<&'a [u8], DecodeError> {
        let start = self.reader;
        let len = self.reader.leb_u32_lenient()?;
        // SignalR's clients send no longer one.
        if len > super::MAX_LEN {
            return Err(start.error(DecodeErrorKind::VarintTooLong));
        }
        self.at = self.reader.position();
        self.reader.bytes(usize::try_from(len).unwrap_or(usize::MAX))
    }
}

/// Offsets of errors count from the start of the payload. Nothing comes behind an error.
impl<'a> Iterator for Messages<'a> {
    type Item = Result<&'a [u8], DecodeError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.reader.remaining() == 0 {
            return None;
        }
        let message = self.advance();
        if message.is_err() {
            self.reader = Reader::new(&[]);
        }
        Some(message)
    }
}
