//! Values, read where they lie.

use core::ops::RangeInclusive;
use core::str;

use crate::error::{DecodeError, DecodeErrorKind};
use crate::reader::Reader;

/// How many arrays and maps deep [`Unpacker::skip`] goes. Hub messages are two deep.
pub const DEPTH: usize = 8;

/// A value, or the head of one that has others in it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Value<'a> {
    /// Nothing.
    Nil,
    /// True or false.
    Bool(bool),
    /// A number from zero up, whatever form it has.
    Unsigned(u64),
    /// A number below zero.
    Signed(i64),
    /// Floating point; of 32 bits as well.
    Float(f64),
    /// A text.
    Text(&'a str),
    /// Bytes.
    Bytes(&'a [u8]),
    /// An array of so many elements, which come next.
    Array(u32),
    /// A map of so many pairs, which come next: key, value, key, and so on.
    Map(u32),
    /// Bytes of a type of somebody's own.
    Extension {
        /// The type.
        kind: i8,
        /// Its bytes.
        data: &'a [u8],
    },
}

/// Reads values one after the other, and knows where it stands.
///
/// Lengths are compared with what is left before anything is read. Errors name the first byte of the
/// value that is wrong. A method that fails leaves the unpacker somewhere inside the value.
///
/// ```
/// use onewrite::circuit::message_pack::Unpacker;
///
/// let mut message = Unpacker::new(b"\x93\x01\xa4ping\xc0");
/// assert_eq!(message.array()?, 3);
/// assert_eq!(message.unsigned()?, 1);
/// assert_eq!(message.text()?, "ping");
/// assert_eq!(message.text_or_nil()?, None);
/// message.finish()?;
/// # Ok::<(), onewrite::error::DecodeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Unpacker<'a> {
    reader: Reader<'a>,
}

impl<'a> Unpacker<'a> {
    /// At the start of `input`.
    #[must_use]
    pub const fn new(input: &'a [u8]) -> Self {
        Self { reader: Reader::new(input) }
    }

    /// The next value; of an array or a map the number of its elements.
    ///
    /// # Errors
    ///
    /// `EndOfInput`, `InvalidUtf8`; `UnknownDiscriminant` with the lead byte `c1`.
    pub fn value(&mut self) -> Result<Value<'a>, DecodeError> {
        let start = self.reader;
        let lead = self.reader.u8()?;
        Ok(match lead {
            0x00..=0x7f => Value::Unsigned(lead.into()),
            0x80..=0x8f => Value::Map((lead & 0x0f).into()),
            0x90..=0x9f => Value::Array((lead & 0x0f).into()),
            0xa0..=0xbf => Value::Text(self.text_of(&start, (lead & 0x1f).into())?),
            0xc0 => Value::Nil,
            0xc2 => Value::Bool(false),
            0xc3 => Value::Bool(true),
            0xc4..=0xc6 => {
                let len = self.length(lead & 3)?;
                Value::Bytes(self.run(&start, len)?)
            }
            0xc7..=0xc9 => {
                let len = self.length((lead & 0x0f) - 7)?;
                self.extension(&start, len)?
            }
            0xca => Value::Float(f32::from_bits(self.reader.u32_be()?).into()),
            0xcb => Value::Float(f64::from_bits(self.reader.u64_be()?)),
            0xcc => Value::Unsigned(self.reader.u8()?.into()),
            0xcd => Value::Unsigned(self.reader.u16_be()?.into()),
            0xce => Value::Unsigned(self.reader.u32_be()?.into()),
            0xcf => Value::Unsigned(self.reader.u64_be()?),
            0xd0 => signed(self.reader.i8()?.into()),
            0xd1 => signed(self.reader.i16_be()?.into()),
            0xd2 => signed(self.reader.i32_be()?.into()),
            0xd3 => signed(self.reader.i64_be()?),
            0xd4..=0xd8 => self.extension(&start, 1 << (lead & 0x0f).saturating_sub(4))?,
            0xd9..=0xdb => {
                let len = self.length((lead & 3) - 1)?;
                Value::Text(self.text_of(&start, len)?)
            }
            0xdc => Value::Array(self.reader.u16_be()?.into()),
            0xdd => Value::Array(self.reader.u32_be()?),
            0xde => Value::Map(self.reader.u16_be()?.into()),
            0xdf => Value::Map(self.reader.u32_be()?),
            0xe0..=0xff => Value::Signed(lead.cast_signed().into()),
            0xc1 => return Err(unexpected(&start, "MessagePack")),
        })
    }

    /// The number of an array's elements, which come next.
    ///
    /// # Errors
    ///
    /// Those of [`value`](Self::value); `UnknownDiscriminant` for another type's lead byte.
    #[inline]
    pub fn array(&mut self) -> Result<u32, DecodeError> {
        let start = self.reader;
        if let Some(lead) = self.one(0x90..=0x9f) {
            return Ok((lead & 0x0f).into());
        }
        match self.value()? {
            Value::Array(len) => Ok(len),
            _ => Err(unexpected(&start, "array")),
        }
    }

    /// The number of a map's pairs, which come next.
    ///
    /// # Errors
    ///
    /// As [`array`](Self::array).
    #[inline]
    pub fn map(&mut self) -> Result<u32, DecodeError> {
        let start = self.reader;
        if let Some(lead) = self.one(0x80..=0x8f) {
            return Ok((lead & 0x0f).into());
        }
        match self.value()? {
            Value::Map(len) => Ok(len),
            _ => Err(unexpected(&start, "map")),
        }
    }

    /// A text.
    ///
    /// # Errors
    ///
    /// As [`array`](Self::array).
    #[inline]
    pub fn text(&mut self) -> Result<&'a str, DecodeError> {
        let start = self.reader;
        let bytes = self.text_bytes()?;
        str::from_utf8(bytes).map_err(|_| start.error(DecodeErrorKind::InvalidUtf8))
    }

    /// The bytes of a text, which may not be UTF-8.
    #[inline]
    pub(in crate::circuit) fn text_bytes(&mut self) -> Result<&'a [u8], DecodeError> {
        let start = self.reader;
        let len = match self.reader.u8()? {
            lead @ 0xa0..=0xbf => (lead & 0x1f).into(),
            lead @ 0xd9..=0xdb => self.length((lead & 3) - 1)?,
            _ => return Err(unexpected(&start, "text")),
        };
        self.run(&start, len)
    }

    /// A text, or nil.
    ///
    /// # Errors
    ///
    /// As [`array`](Self::array).
    #[inline]
    pub fn text_or_nil(&mut self) -> Result<Option<&'a str>, DecodeError> {
        let start = self.reader;
        match start.rest().first() {
            Some(0xc0) => {
                self.reader.u8()?;
                Ok(None)
            }
            Some(0xa0..=0xbf | 0xd9..=0xdb) | None => self.text().map(Some),
            Some(_) => Err(unexpected(&start, "text or nil")),
        }
    }

    /// Bytes.
    ///
    /// # Errors
    ///
    /// As [`array`](Self::array).
    pub fn bytes(&mut self) -> Result<&'a [u8], DecodeError> {
        let start = self.reader;
        match self.value()? {
            Value::Bytes(bytes) => Ok(bytes),
            _ => Err(unexpected(&start, "bytes")),
        }
    }

    /// A number from zero up.
    ///
    /// # Errors
    ///
    /// As [`array`](Self::array).
    #[inline]
    pub fn unsigned(&mut self) -> Result<u64, DecodeError> {
        let start = self.reader;
        if let Some(number) = self.one(0..=0x7f) {
            return Ok(number.into());
        }
        match self.value()? {
            Value::Unsigned(number) => Ok(number),
            _ => Err(unexpected(&start, "number from zero up")),
        }
    }

    /// A number of 32 bits with a sign.
    ///
    /// # Errors
    ///
    /// As [`array`](Self::array), and for a number that has more bits.
    pub fn i32(&mut self) -> Result<i32, DecodeError> {
        let start = self.reader;
        let number = match self.value()? {
            Value::Unsigned(number) => i32::try_from(number).ok(),
            Value::Signed(number) => i32::try_from(number).ok(),
            _ => None,
        };
        number.ok_or_else(|| unexpected(&start, "number of 32 bits"))
    }

    /// True or false.
    ///
    /// # Errors
    ///
    /// As [`array`](Self::array).
    pub fn bool(&mut self) -> Result<bool, DecodeError> {
        let start = self.reader;
        match self.value()? {
            Value::Bool(value) => Ok(value),
            _ => Err(unexpected(&start, "bool")),
        }
    }

    /// Goes past a value and all that is in it, and returns its bytes.
    ///
    /// # Errors
    ///
    /// Those of [`value`](Self::value); `DepthLimit` where it has more than [`DEPTH`] arrays and maps in
    /// each other; `CountTooLarge` where it claims more elements than bytes are left.
    pub fn skip(&mut self) -> Result<&'a [u8], DecodeError> {
        let start = self.reader;
        // How many values are to come on each level.
        let mut levels = [0u64; DEPTH];
        let mut deep = 0;
        loop {
            let at = self.reader;
            let inside = match self.value()? {
                Value::Array(len) => u64::from(len),
                Value::Map(len) => u64::from(len) * 2,
                _ => 0,
            };
            if inside > self.reader.remaining() as u64 {
                let count = i64::try_from(inside).unwrap_or(i64::MAX);
                return Err(at.error(DecodeErrorKind::CountTooLarge { table: "elements", count }));
            }
            if inside != 0 {
                let Some(level) = levels.get_mut(deep) else {
                    return Err(at.error(DecodeErrorKind::DepthLimit { limit: DEPTH }));
                };
                *level = inside;
                deep += 1;
                continue;
            }
            loop {
                let Some(level) = deep.checked_sub(1).and_then(|level| levels.get_mut(level))
                else {
                    let len = self.reader.position().wrapping_sub(start.position());
                    return Ok(start.rest().get(..len).unwrap_or_default());
                };
                *level = level.saturating_sub(1);
                if *level != 0 {
                    break;
                }
                deep -= 1;
            }
        }
    }

    /// Checks that nothing is left.
    ///
    /// # Errors
    ///
    /// `TrailingBytes`.
    #[inline]
    pub const fn finish(self) -> Result<(), DecodeError> {
        self.reader.finish()
    }

    /// Bytes read so far.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.reader.position()
    }

    /// An error of `kind` at the next value.
    #[must_use]
    pub const fn error(&self, kind: DecodeErrorKind) -> DecodeError {
        self.reader.error(kind)
    }

    /// A lead byte in `range`, which is the whole value or its whole head: nearly always there is one.
    #[inline(always)]
    fn one(&mut self, range: RangeInclusive<u8>) -> Option<u8> {
        let mut reader = self.reader;
        let lead = reader.u8().ok().filter(|lead| range.contains(lead))?;
        self.reader = reader;
        Some(lead)
    }

    /// A length of 1, 2 or 4 bytes: that many powers of two.
    fn length(&mut self, width: u8) -> Result<u32, DecodeError> {
        match width {
            0 => self.reader.u8().map(u32::from),
            1 => self.reader.u16_be().map(u32::from),
            _ => self.reader.u32_be(),
        }
    }

    #[inline]
    fn text_of(&mut self, start: &Reader<'a>, len: u32) -> Result<&'a str, DecodeError> {
        let bytes = self.run(start, len)?;
        str::from_utf8(bytes).map_err(|_| start.error(DecodeErrorKind::InvalidUtf8))
    }

    fn extension(&mut self, start: &Reader<'a>, len: u32) -> Result<Value<'a>, DecodeError> {
        let kind = self.reader.i8()?;
        Ok(Value::Extension { kind, data: self.run(start, len)? })
    }

    /// The next `len` bytes, of the value that began at `start`.
    #[inline]
    fn run(&mut self, start: &Reader<'a>, len: u32) -> Result<&'a [u8], DecodeError> {
        // A length that a `usize` does not hold is more than is left.
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        self.reader.bytes(len).map_err(|error| DecodeError { at: start.position(), ..error })
    }
}

const fn signed<'a>(number: i64) -> Value<'a> {
    if number < 0 { Value::Signed(number) } else { Value::Unsigned(number.unsigned_abs()) }
}

/// The lead byte at `start` begins something else.
#[cold]
fn unexpected(start: &Reader<'_>, name: &'static str) -> DecodeError {
    let value = start.rest().first().copied().unwrap_or_default().into();
    start.error(DecodeErrorKind::UnknownDiscriminant { name, value })
}
