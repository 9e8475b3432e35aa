//! Strings, with their escapes.

use core::{fmt, str};

use super::scan::{BACKSLASHES, hex_digit, run};
use crate::sink::copy;

/// A string, with its escapes in it as they are written.
///
/// ```
/// use onewrite::circuit::json::{Error, Value};
///
/// let text = Value::parse(r#""Wi\u006cd \ud83e\udd86""#)?.text()?;
/// assert!(text == "Wild 🦆");
/// let mut buffer = [0; 16];
/// assert_eq!(text.unescape(&mut buffer), Ok("Wild 🦆"));
/// assert_eq!(text.unescape(&mut [0; 4]).unwrap_err().needed, 9);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Text<'a> {
    /// What is between the quotes, checked.
    pub(super) raw: &'a str,
}

impl<'a> Text<'a> {
    /// A string without escapes.
    pub(in crate::circuit) const fn of_plain(raw: &'a str) -> Self {
        Self { raw }
    }

    /// What is between its quotes.
    #[must_use]
    pub const fn raw(&self) -> &'a str {
        self.raw
    }

    /// The string, if nothing in it is escaped.
    #[must_use]
    pub fn plain(&self) -> Option<&'a str> {
        if self.has_escapes() { None } else { Some(self.raw) }
    }

    fn has_escapes(&self) -> bool {
        run(self.raw.as_bytes(), BACKSLASHES) != self.raw.len()
    }

    /// Bytes of the string without its escapes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.chars().map(char::len_utf8).sum()
    }

    /// Whether it has no character.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.raw.is_empty()
    }

    /// Its characters.
    #[must_use]
    pub fn chars(&self) -> Chars<'a> {
        Chars { raw: self.raw.chars() }
    }

    /// The string, in `buffer`, or where it lies if nothing in it is escaped.
    ///
    /// # Errors
    ///
    /// [`NoRoom`], with the bytes that it needs. What `buffer` holds then is unspecified.
    pub fn unescape<'b>(&self, buffer: &'b mut [u8]) -> Result<&'b str, NoRoom>
    where
        'a: 'b,
    {
        match self.plain() {
            Some(plain) => Ok(plain),
            None => self.copy_to(buffer),
        }
    }

    /// The string, copied to the start of `buffer`.
    ///
    /// # Errors
    ///
    /// As [`unescape`](Self::unescape).
    pub fn copy_to<'b>(&self, buffer: &'b mut [u8]) -> Result<&'b str, NoRoom> {
        let mut written = 0usize;
        for char in self.chars() {
            let (bytes, len) = encode(char);
            let room = buffer.get_mut(written..).and_then(|room| room.get_mut(..len));
            let Some(room) = room else { return Err(NoRoom { needed: self.len() }) };
            copy(room, bytes.get(..len).unwrap_or_default());
            written += len;
        }
        // It was made of characters.
        Ok(str::from_utf8(buffer.get(..written).unwrap_or_default()).unwrap_or_default())
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        // Each escape is longer than what it stands for.
        if self.raw.len() > other.len() {
            return self.has_escapes() && self.chars().eq(other.chars());
        }
        self.raw == other && !self.has_escapes()
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

/// Whether they stand for the same characters.
impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.chars().eq(other.chars())
    }
}

impl Eq for Text<'_> {}

/// Without its quotes and escapes.
impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        match self.plain() {
            Some(plain) => f.write_str(plain),
            None => self.chars().try_for_each(|char| f.write_char(char)),
        }
    }
}

/// The characters of a [`Text`].
#[derive(Clone, Debug)]
pub struct Chars<'a> {
    raw: str::Chars<'a>,
}

impl Iterator for Chars<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        match self.raw.next()? {
            '\\' => {}
            char => return Some(char),
        }
        Some(match self.raw.next()? {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.unit(),
            // A quote, a slash, a backslash.
            char => char,
        })
    }
}

impl Chars<'_> {
    /// The character of one escape with four digits, or of two.
    fn unit(&mut self) -> Option<char> {
        let unit = u32::from(self.digits()?);
        if !(0xd800..0xdc00).contains(&unit) {
            return char::from_u32(unit);
        }
        // A backslash and a `u`.
        self.raw.next()?;
        self.raw.next()?;
        let low = u32::from(self.digits()?);
        char::from_u32(0x1_0000 + ((unit & 0x3ff) << 10 | low & 0x3ff))
    }

    fn digits(&mut self) -> Option<u16> {
        let mut unit = 0;
        for _ in 0..4 {
            unit = unit << 4 | hex_digit(u8::try_from(self.raw.next()?).ok()?)?;
        }
        Some(unit)
    }
}

/// A buffer that is too short for a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NoRoom {
    /// Bytes that the string takes.
    pub needed: usize,
}

impl fmt::Display for NoRoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "string needs {} bytes", self.needed)
    }
}

impl core::error::Error for NoRoom {}

/// The bytes of a character, and how many they are.
///
/// `char::encode_utf8` can panic, for a slice that is too short.
#[expect(clippy::cast_possible_truncation, reason = "each byte keeps its six bits")]
const fn encode(char: char) -> ([u8; 4], usize) {
    let code = char as u32;
    let low = (code & 0x3f) as u8 | 0x80;
    let middle = (code >> 6 & 0x3f) as u8 | 0x80;
    let high = (code >> 12 & 0x3f) as u8 | 0x80;
    match code {
        0..=0x7f => ([code as u8, 0, 0, 0], 1),
        0x80..=0x7ff => ([(code >> 6) as u8 | 0xc0, low, 0, 0], 2),
        0x800..=0xffff => ([(code >> 12) as u8 | 0xe0, middle, low, 0], 3),
        _ => ([(code >> 18) as u8 | 0xf0, high, middle, low], 4),
    }
}
