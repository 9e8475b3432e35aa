//! The grammar: the one pass that checks, and the shorter one that skips what was checked.

use super::error::{Error, ErrorKind};
use super::plain;

/// Levels of arrays and objects that a text may have.
pub const DEPTH: usize = 64;

/// Checks that all of `text` is one value; its offset.
pub(super) fn check(text: &str) -> Result<usize, Error> {
    if let Some([]) = plain::behind_value(text.as_bytes()) {
        return Ok(0);
    }
    check_all(text)
}

#[cold]
#[inline(never)]
fn check_all(text: &str) -> Result<usize, Error> {
    let mut scanner = Scanner::new(text);
    scanner.skip_space();
    let at = scanner.at();
    scanner.value(&mut Levels { objects: 0, count: 0 })?;
    scanner.finish()?;
    Ok(at)
}

/// Length of the value at the start of `text`, which was checked.
pub(super) fn value_len(text: &[u8]) -> usize {
    match text.first() {
        Some(b'"') => string_len(text),
        Some(b'[' | b'{') => nested_len(text),
        _ => scalar_len(text),
    }
}

/// Length of the string at the start of `text`, which was checked, with both of its quotes.
pub(super) fn string_len(text: &[u8]) -> usize {
    let mut rest = text.get(1..).unwrap_or_default();
    loop {
        rest = rest.get(run(rest, QUOTES)..).unwrap_or_default();
        rest = match rest {
            [b'\\', _, behind @ ..] => behind,
            [_, behind @ ..] => return text.len() - behind.len(),
            [] => return text.len(),
        };
    }
}

/// Length of the array or the object at the start of `text`, which was checked.
fn nested_len(text: &[u8]) -> usize {
    let (mut rest, mut depth) = (text, 0usize);
    loop {
        rest = rest.get(run(rest, BRACKETS)..).unwrap_or_default();
        rest = match rest {
            [b'"', ..] => rest.get(string_len(rest)..).unwrap_or_default(),
            [b'[' | b'{', behind @ ..] => {
                depth += 1;
                behind
            }
            [b']' | b'}', behind @ ..] if depth > 1 => {
                depth -= 1;
                behind
            }
            [b']' | b'}', behind @ ..] => return text.len() - behind.len(),
            [_, behind @ ..] => behind,
            [] => return text.len(),
        };
    }
}

/// Length of the number or the name at the start of `text`, which was checked.
pub(super) fn scalar_len(text: &[u8]) -> usize {
    let is_behind = |byte: &u8| matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r');
    text.iter().position(is_behind).unwrap_or(text.len())
}

/// Length of the white space at the start of `text` (section 2).
#[inline(always)]
pub(super) fn space_len(text: &[u8]) -> usize {
    match text.first() {
        Some(0..=b' ') => long_space_len(text),
        _ => 0,
    }
}

#[cold]
fn long_space_len(text: &[u8]) -> usize {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    text.iter().position(|byte| !is_space(byte)).unwrap_or(text.len())
}

/// Bytes at which a run ends: [`stops`] finds them in eight bytes at a time.
pub(super) type Stops = fn(u64) -> u64;

pub(super) const BACKSLASHES: Stops = |word| equal(word, b'\\');
/// Quotes and backslashes.
const QUOTES: Stops = |word| equal(word, b'"') | equal(word, b'\\');
/// The same, and control characters.
pub(super) const NOT_PLAIN: Stops = |word| {
    let below = word.wrapping_sub(ONES * 0x20) & !word;
    equal(word, b'"') | equal(word, b'\\') | below & (ONES << 7)
};
/// Quotes and brackets, which differ from braces in one bit.
const BRACKETS: Stops = |word| {
    let folded = word | (ONES * 0x20);
    equal(word, b'"') | equal(folded, b'{') | equal(folded, b'}')
};

const ONES: u64 = u64::MAX / 0xff;

/// The high bits of the bytes that are `byte`. Behind the first of them there may be others.
#[inline(always)]
const fn equal(word: u64, byte: u8) -> u64 {
    let zeros = word ^ (ONES * byte as u64);
    zeros.wrapping_sub(ONES) & !zeros & (ONES << 7)
}

/// How many bytes come in front of the first one that is among `stops`.
#[inline(always)]
pub(super) fn run(text: &[u8], stops: Stops) -> usize {
    let (mut len, mut rest) = (0, text);
    while let Some((word, behind)) = rest.split_first_chunk() {
        let found = stops(u64::from_le_bytes(*word));
        if found != 0 {
            return len + (found.trailing_zeros() / 8) as usize;
        }
        (len, rest) = (len + 8, behind);
    }
    // Bytes that are none of any.
    let mut word = [b'.'; 8];
    for (to, from) in word.iter_mut().zip(rest) {
        *to = *from;
    }
    let found = stops(u64::from_le_bytes(word));
    if found == 0 { text.len() } else { len + (found.trailing_zeros() / 8) as usize }
}

/// The arrays and objects that are open.
struct Levels {
    /// A bit each, the innermost in the lowest: whether it is an object.
    objects: u64,
    count: usize,
}

const _: () = assert!(DEPTH <= 64, "each level has a bit");

impl Levels {
    const fn enter(&mut self, object: bool) -> bool {
        self.count += 1;
        self.objects = self.objects << 1 | object as u64;
        self.count <= DEPTH
    }

    const fn leave(&mut self) {
        self.count = self.count.saturating_sub(1);
        self.objects >>= 1;
    }

    const fn in_object(&self) -> bool {
        self.objects & 1 != 0
    }
}

struct Scanner<'a> {
    rest: &'a [u8],
    /// Where the text ends, so that the position follows from what is left.
    end: usize,
}

impl<'a> Scanner<'a> {
    const fn new(text: &'a str) -> Self {
        Self { rest: text.as_bytes(), end: text.len() }
    }

    /// One value, and all that is in it.
    fn value(&mut self, levels: &mut Levels) -> Result<(), Error> {
        let outside = levels.count;
        loop {
            let at = self.at();
            match self.rest.first() {
                Some(b'"') => self.string()?,
                Some(b'-' | b'0'..=b'9') => self.number()?,
                Some(byte @ (b'[' | b'{')) => {
                    let object = *byte == b'{';
                    if !levels.enter(object) {
                        return Err(Error::new(at, ErrorKind::Depth));
                    }
                    self.skip(1);
                    self.skip_space();
                    match self.rest.first() {
                        // It is empty: it ends below.
                        Some(b']') if !object => {}
                        Some(b'}') if object => {}
                        _ if object => {
                            self.key()?;
                            continue;
                        }
                        _ => continue,
                    }
                }
                Some(b't') => self.name(*b"true")?,
                Some(b'f') => {
                    self.skip(1);
                    self.name(*b"alse")?;
                }
                Some(b'n') => self.name(*b"null")?,
                _ => return Err(self.error(ErrorKind::Unexpected)),
            }
            // Behind a value: its array or object goes on, or ends, and that is a value as well.
            loop {
                if levels.count == outside {
                    return Ok(());
                }
                self.skip_space();
                match (self.rest.first(), levels.in_object()) {
                    (Some(b','), object) => {
                        self.skip(1);
                        self.skip_space();
                        if object {
                            self.key()?;
                        }
                        break;
                    }
                    (Some(b'}'), true) | (Some(b']'), false) => {
                        self.skip(1);
                        levels.leave();
                    }
                    _ => return Err(self.error(ErrorKind::Unexpected)),
                }
            }
        }
    }

    /// A key, its colon, and the white space behind it.
    #[inline(always)]
    fn key(&mut self) -> Result<(), Error> {
        if self.rest.first() != Some(&b'"') {
            return Err(self.error(ErrorKind::Unexpected));
        }
        self.string()?;
        self.skip_space();
        if self.rest.first() != Some(&b':') {
            return Err(self.error(ErrorKind::Unexpected));
        }
        self.skip(1);
        self.skip_space();
        Ok(())
    }

    /// Nothing but white space.
    fn finish(&mut self) -> Result<(), Error> {
        self.skip_space();
        match self.rest {
            [] => Ok(()),
            _ => Err(self.error(ErrorKind::Trailing)),
        }
    }

    #[inline(always)]
    fn at(&self) -> usize {
        self.end.saturating_sub(self.rest.len())
    }

    #[inline(always)]
    fn skip(&mut self, len: usize) {
        self.rest = self.rest.get(len..).unwrap_or_default();
    }

    #[inline(always)]
    fn skip_space(&mut self) {
        self.skip(space_len(self.rest));
    }

    /// An error at the next byte, or that there is none.
    fn error(&self, kind: ErrorKind) -> Error {
        Error::new(self.at(), if self.rest.is_empty() { ErrorKind::End } else { kind })
    }

    #[inline(always)]
    fn name(&mut self, name: [u8; 4]) -> Result<(), Error> {
        if self.rest.first_chunk() == Some(&name) {
            self.skip(4);
            return Ok(());
        }
        self.wrong_name(name)
    }

    #[cold]
    fn wrong_name(&mut self, name: [u8; 4]) -> Result<(), Error> {
        for byte in name {
            if self.rest.first() != Some(&byte) {
                return Err(self.error(ErrorKind::Unexpected));
            }
            self.skip(1);
        }
        Ok(())
    }

    /// `-`, digits without a zero in front of others, a fraction, an exponent (section 6).
    fn number(&mut self) -> Result<(), Error> {
        if self.rest.first() == Some(&b'-') {
            self.skip(1);
        }
        match self.rest {
            [b'0', b'0'..=b'9', ..] => {
                self.skip(1);
                return Err(self.error(ErrorKind::Number));
            }
            _ => self.digits()?,
        }
        if self.rest.first() == Some(&b'.') {
            self.skip(1);
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.rest.first() {
            self.skip(1);
            if let Some(b'+' | b'-') = self.rest.first() {
                self.skip(1);
            }
            self.digits()?;
        }
        Ok(())
    }

    /// At least one.
    fn digits(&mut self) -> Result<(), Error> {
        let mut rest = self.rest;
        while let [b'0'..=b'9', behind @ ..] = rest {
            rest = behind;
        }
        if rest.len() == self.rest.len() {
            return Err(self.error(ErrorKind::Number));
        }
        self.rest = rest;
        Ok(())
    }

    /// From its first quote to its last (section 7).
    fn string(&mut self) -> Result<(), Error> {
        self.skip(1);
        loop {
            self.skip(run(self.rest, NOT_PLAIN));
            match self.rest.first() {
                Some(b'"') => {
                    self.skip(1);
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                _ => return Err(self.error(ErrorKind::Control)),
            }
        }
    }

    fn escape(&mut self) -> Result<(), Error> {
        let start = self.at();
        self.skip(1);
        match self.rest.first() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.skip(1);
                return Ok(());
            }
            Some(b'u') => self.skip(1),
            _ => return Err(self.error(ErrorKind::Escape)),
        }
        match self.unit()? {
            0xdc00..=0xdfff => return Err(Error::new(start, ErrorKind::Surrogate)),
            0xd800..=0xdbff => {}
            _ => return Ok(()),
        }
        // Its other half has to follow.
        let alone = Error::new(start, ErrorKind::Surrogate);
        match self.rest {
            [] | [b'\\'] => return Err(Error::new(self.end, ErrorKind::End)),
            [b'\\', b'u', ..] => self.skip(2),
            _ => return Err(alone),
        }
        match self.unit()? {
            0xdc00..=0xdfff => Ok(()),
            _ => Err(alone),
        }
    }

    /// Four hexadecimal digits.
    fn unit(&mut self) -> Result<u16, Error> {
        let mut unit = 0;
        for _ in 0..4 {
            let Some(digit) = self.rest.first().copied().and_then(hex_digit) else {
                return Err(self.error(ErrorKind::Escape));
            };
            unit = unit << 4 | digit;
            self.skip(1);
        }
        Ok(unit)
    }
}

/// The value of a hexadecimal digit.
pub(super) const fn hex_digit(byte: u8) -> Option<u16> {
    let value = match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'f' => byte - b'a' + 10,
        b'A'..=b'F' => byte - b'A' + 10,
        _ => return None,
    };
    Some(value as u16)
}
