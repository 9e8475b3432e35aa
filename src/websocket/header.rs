//! A frame's header (RFC 6455 section 5.2).

use super::error::ErrorKind;
use super::event::Kind;
use crate::template;

/// Bytes of the longest header.
pub const MAX_HEADER: usize = 14;

/// Bytes of the longest payload of a control frame.
pub const MAX_CONTROL: usize = 125;

/// What a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Opcode {
    /// Goes on with a message.
    Continuation = 0,
    /// Begins a text.
    Text = 1,
    /// Begins a message of any bytes.
    Binary = 2,
    /// Ends the connection.
    Close = 8,
    /// Asks for a pong.
    Ping = 9,
    /// Answers a ping, or is a sign of life.
    Pong = 10,
}

impl Opcode {
    /// Whether it is none of a message: close, ping or pong.
    #[must_use]
    pub const fn is_control(self) -> bool {
        matches!(self, Self::Close | Self::Ping | Self::Pong)
    }

    const fn from_bits(bits: u8) -> Option<Self> {
        Some(match bits {
            0 => Self::Continuation,
            1 => Self::Text,
            2 => Self::Binary,
            8 => Self::Close,
            9 => Self::Ping,
            10 => Self::Pong,
            _ => return None,
        })
    }
}

/// The header of a frame.
///
/// | bits | size | meaning |
/// |---|---|---|
/// | 0 | 1 | last frame of its message |
/// | 1 to 3 | 3 | reserved: 0 |
/// | 4 to 7 | 4 | opcode |
/// | 8 | 1 | masked |
/// | 9 to 15 | 7 | length, or 126, or 127 |
/// | 16 | 16 | length, big-endian, where the 7 bits are 126: from 126 up |
/// | 16 | 64 | length, big-endian, where the 7 bits are 127: from 65,536 up, below 2^63 |
/// | then | 32 | key, where it is masked |
///
/// The six forms are templates with holes; a header known at compile time is a constant:
///
/// ```
/// use onewrite::websocket::{Header, HeaderBytes, Opcode};
///
/// const HELLO: HeaderBytes =
///     Header { last: true, opcode: Opcode::Text, len: 5, key: None }.to_bytes();
/// assert_eq!(HELLO.as_slice(), [0x81, 0x05]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Whether the frame is the last of its message.
    pub last: bool,
    /// What the frame is.
    pub opcode: Opcode,
    /// Bytes of the payload: at most 125 of a control frame, below 2^63 of any.
    pub len: u64,
    /// What masks the payload.
    pub key: Option<[u8; 4]>,
}

/// The bytes of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeaderBytes {
    bytes: [u8; MAX_HEADER],
    len: usize,
}

impl HeaderBytes {
    /// The bytes.
    #[must_use]
    pub const fn as_slice(&self) -> &[u8] {
        match self.bytes.split_at_checked(self.len) {
            Some((bytes, _)) => bytes,
            None => &[],
        }
    }
}

template!(PLAIN_SHORT = first: be(u8), len: be(u8));
template!(PLAIN_MEDIUM = first: be(u8), b"\x7e", len: be(u16));
template!(PLAIN_LONG = first: be(u8), b"\x7f", len: be(u64));
template!(MASKED_SHORT = first: be(u8), masked_len: be(u8), key: bytes(4));
template!(MASKED_MEDIUM = first: be(u8), b"\xfe", len: be(u16), key: bytes(4));
template!(MASKED_LONG = first: be(u8), b"\xff", len: be(u64), key: bytes(4));

const LAST: u8 = 0x80;
const RESERVED: u8 = 0x70;
const OPCODE: u8 = 0x0f;
const MASKED: u8 = 0x80;
const SHORT_LEN: u8 = 0x7f;
const MEDIUM: u8 = 126;
const LONG: u8 = 127;

impl Header {
    /// The header's bytes: 2 to 14.
    ///
    /// That the fields are within their limits is up to the caller; a
    /// [`Sender`](crate::websocket::Sender) sees to it.
    #[must_use]
    pub const fn to_bytes(&self) -> HeaderBytes {
        let first = if self.last { LAST } else { 0 } | self.opcode as u8;
        let [.., high, low] = self.len.to_be_bytes();
        let medium = u16::from_be_bytes([high, low]);
        let mut bytes = [0; MAX_HEADER];
        let filled = match (self.len, self.key) {
            (0..=125, None) => PLAIN_SHORT.fill_slice(&mut bytes, first, low),
            (126..=0xffff, None) => PLAIN_MEDIUM.fill_slice(&mut bytes, first, medium),
            (_, None) => PLAIN_LONG.fill_slice(&mut bytes, first, self.len),
            (0..=125, Some(key)) => MASKED_SHORT.fill_slice(&mut bytes, first, MASKED | low, key),
            (126..=0xffff, Some(key)) => MASKED_MEDIUM.fill_slice(&mut bytes, first, medium, key),
            (_, Some(key)) => MASKED_LONG.fill_slice(&mut bytes, first, self.len, key),
        };
        // Each fits, whatever its holes get.
        let len = match filled {
            Ok(len) => len,
            Err(_) => 0,
        };
        HeaderBytes { bytes, len }
    }

    /// The header at the start of `input`, and its length; `None` if `input` ends inside of it.
    ///
    /// # Errors
    ///
    /// `ReservedBits`, `BadOpcode`, `ControlFragmented`, `ControlTooLong`, `LengthNotMinimal`,
    /// `LengthTooLarge`, each as soon as the bytes are there that say so, and the first of them first.
    pub const fn decode(input: &[u8]) -> Result<Option<(Self, usize)>, ErrorKind> {
        let [first, rest @ ..] = input else { return Ok(None) };
        if *first & RESERVED != 0 {
            return Err(ErrorKind::ReservedBits);
        }
        let bits = *first & OPCODE;
        let Some(opcode) = Opcode::from_bits(bits) else {
            return Err(ErrorKind::BadOpcode { opcode: bits });
        };
        let last = *first & LAST != 0;
        if opcode.is_control() && !last {
            return Err(ErrorKind::ControlFragmented);
        }
        let [second, rest @ ..] = rest else { return Ok(None) };
        let short = *second & SHORT_LEN;
        if opcode.is_control() && short as usize > MAX_CONTROL {
            return Err(ErrorKind::ControlTooLong);
        }
        let (len, rest) = match short {
            MEDIUM => {
                let Some((len, rest)) = rest.split_first_chunk() else { return Ok(None) };
                let len = u16::from_be_bytes(*len);
                if len < MEDIUM as u16 {
                    return Err(ErrorKind::LengthNotMinimal);
                }
                (len as u64, rest)
            }
            LONG => {
                let Some((len, rest)) = rest.split_first_chunk() else { return Ok(None) };
                let len = u64::from_be_bytes(*len);
                if len >> 63 != 0 {
                    return Err(ErrorKind::LengthTooLarge);
                }
                if len <= u16::MAX as u64 {
                    return Err(ErrorKind::LengthNotMinimal);
                }
                (len, rest)
            }
            short => (short as u64, rest),
        };
        let (key, rest) = if *second & MASKED == 0 {
            (None, rest)
        } else {
            let Some((key, rest)) = rest.split_first_chunk() else { return Ok(None) };
            (Some(*key), rest)
        };
        Ok(Some((Self { last, opcode, len, key }, input.len() - rest.len())))
    }
}

/// The header of a frame that is a message by itself, with a length of up to 16 bits.
pub(super) struct Plain {
    pub(super) kind: Kind,
    /// Bytes of the header.
    pub(super) front: usize,
    /// Bytes of the payload.
    pub(super) len: u16,
    /// What masks it, if anything does.
    pub(super) key: [u8; 4],
}

impl Plain {
    /// The header at the start of `input`, if it is whole and such a one, masked or not as it has to be.
    #[inline(always)]
    pub(super) fn decode(input: &[u8], masked: bool) -> Option<Self> {
        let [first, second, rest @ ..] = input else { return None };
        let kind = match *first ^ LAST {
            1 => Kind::Text,
            2 => Kind::Binary,
            _ => return None,
        };
        let (mask, key_len) = if masked { (MASKED, 4) } else { (0, 0) };
        let (len, rest, front) = match *second ^ mask {
            MEDIUM => {
                let (len, rest) = rest.split_first_chunk()?;
                (u16::from_be_bytes(*len), rest, 4)
            }
            // Another mask, or a length of 64 bits.
            LONG.. => return None,
            len => (u16::from(len), rest, 2),
        };
        if front == 4 && len < u16::from(MEDIUM) {
            return None;
        }
        let key = if masked { *rest.first_chunk()? } else { [0; 4] };
        Some(Self { kind, front: front + key_len, len, key })
    }
}
