//! Values, and the ways into them.

use core::fmt;

use super::error::{Error, ErrorKind};
use super::number::Number;
use super::scan::{check, scalar_len, space_len, string_len, value_len};
use super::text::Text;

/// A value in a text that was checked.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    /// The text from its first byte on. Where it ends is looked for when it is needed.
    text: &'a str,
    at: usize,
}

/// What a value is.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum View<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number<'a>),
    /// A string.
    Text(Text<'a>),
    /// An array.
    Array(Array<'a>),
    /// An object.
    Object(Object<'a>),
}

impl<'a> Value<'a> {
    /// The value that is all of `text`, but for white space around it.
    ///
    /// Takes time in proportion to `text`.
    ///
    /// # Errors
    ///
    /// The first thing in `text` that is no JSON, or goes more than [`DEPTH`](super::DEPTH) levels down.
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        Ok(Self::start_of(text, check(text)?))
    }

    /// The value at byte `at` of `text`, which was checked.
    fn start_of(text: &'a str, at: usize) -> Self {
        Self { text: text.get(at..).unwrap_or_default(), at }
    }

    /// The value as it is written.
    #[must_use]
    pub fn raw(&self) -> &'a str {
        self.front(value_len(self.text.as_bytes()))
    }

    /// Offset of its first byte in the text.
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at
    }

    /// What it is.
    #[must_use]
    pub fn view(&self) -> View<'a> {
        let bytes = self.text.as_bytes();
        match bytes.first() {
            Some(b'"') => {
                // Without its quotes.
                let raw = self.text.get(1..string_len(bytes).saturating_sub(1));
                View::Text(Text { raw: raw.unwrap_or_default() })
            }
            Some(b'[') => View::Array(Array { value: *self }),
            Some(b'{') => View::Object(Object { value: *self }),
            Some(b't') => View::Bool(true),
            Some(b'f') => View::Bool(false),
            Some(b'-' | b'0'..=b'9') => View::Number(Number { raw: self.front(scalar_len(bytes)) }),
            _ => View::Null,
        }
    }

    /// Whether it is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self.view(), View::Null)
    }

    /// `true` or `false`.
    ///
    /// # Errors
    ///
    /// `Wrong`, if it is something else.
    pub fn bool(&self) -> Result<bool, Error> {
        match self.view() {
            View::Bool(value) => Ok(value),
            _ => Err(self.wrong("a bool")),
        }
    }

    /// A number.
    ///
    /// # Errors
    ///
    /// `Wrong`, if it is something else.
    pub fn number(&self) -> Result<Number<'a>, Error> {
        match self.view() {
            View::Number(number) => Ok(number),
            _ => Err(self.wrong("a number")),
        }
    }

    /// An integer from zero, as [`Number::to_u64`] reads it.
    ///
    /// # Errors
    ///
    /// `Wrong`, if it is something else.
    pub fn u64(&self) -> Result<u64, Error> {
        self.number()?.to_u64().ok_or(self.wrong("an integer from zero"))
    }

    /// An integer from zero with at most 32 bits.
    ///
    /// # Errors
    ///
    /// `Wrong`, if it is something else.
    pub fn u32(&self) -> Result<u32, Error> {
        u32::try_from(self.u64()?).map_err(|_| self.wrong("an integer of 32 bits"))
    }

    /// An integer, as [`Number::to_i64`] reads it.
    ///
    /// # Errors
    ///
    /// `Wrong`, if it is something else.
    pub fn i64(&self) -> Result<i64, Error> {
        self.number()?.to_i64().ok_or(self.wrong("an integer"))
    }

    /// A string.
    ///
    /// # Errors
    ///
    /// `Wrong`, if it is something else.
    pub fn text(&self) -> Result<Text<'a>, Error> {
        match self.view() {
            View::Text(text) => Ok(text),
            _ => Err(self.wrong("a string")),
        }
    }

    /// An array.
    ///
    /// # Errors
    ///
    /// `Wrong`, if it is something else.
    pub fn array(&self) -> Result<Array<'a>, Error> {
        match self.view() {
            View::Array(array) => Ok(array),
            _ => Err(self.wrong("an array")),
        }
    }

    /// An object.
    ///
    /// # Errors
    ///
    /// `Wrong`, if it is something else.
    pub fn object(&self) -> Result<Object<'a>, Error> {
        match self.view() {
            View::Object(object) => Ok(object),
            _ => Err(self.wrong("an object")),
        }
    }

    fn front(&self, len: usize) -> &'a str {
        self.text.get(..len).unwrap_or_default()
    }

    /// What is inside of an array or an object.
    fn inside(&self) -> Rest<'a> {
        let text = self.text.get(1..).unwrap_or_default();
        Rest { text, at: self.at + 1, last: Self { text: "", at: 0 } }
    }

    pub(in crate::circuit) const fn wrong(&self, expected: &'static str) -> Error {
        Error::new(self.at, ErrorKind::Wrong { expected })
    }
}

/// As it is written.
impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.raw())
    }
}

/// As it is written.
#[cfg(feature = "defmt")]
impl defmt::Format for Value<'_> {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "{=str}", self.raw());
    }
}

/// An array.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Array<'a> {
    value: Value<'a>,
}

impl<'a> Array<'a> {
    /// Its elements, in order.
    #[must_use]
    pub fn iter(&self) -> Elements<'a> {
        Elements { rest: self.value.inside() }
    }

    /// Its elements, if they are so many.
    ///
    /// # Errors
    ///
    /// `Count`, if they are not.
    pub fn exactly<const N: usize>(&self) -> Result<[Value<'a>; N], Error> {
        let mut elements = self.iter();
        let mut values = [self.value; N];
        let error = Error::new(self.value.at, ErrorKind::Count { expected: N });
        for value in &mut values {
            *value = elements.next().ok_or(error)?;
        }
        match elements.next() {
            Some(_) => Err(error),
            None => Ok(values),
        }
    }
}

impl<'a> IntoIterator for Array<'a> {
    type Item = Value<'a>;
    type IntoIter = Elements<'a>;

    fn into_iter(self) -> Elements<'a> {
        self.iter()
    }
}

/// The elements of an [`Array`].
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    rest: Rest<'a>,
}

impl<'a> Iterator for Elements<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Value<'a>> {
        self.rest.next()
    }
}

/// An object.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Object<'a> {
    value: Value<'a>,
}

impl<'a> Object<'a> {
    /// Its keys and values, in order. A key may be there twice.
    #[must_use]
    pub fn iter(&self) -> Members<'a> {
        Members { rest: self.value.inside() }
    }

    /// The value of a key, if it is there.
    ///
    /// # Errors
    ///
    /// `Repeated`, if it is there twice.
    pub fn get(&self, key: &str) -> Result<Option<Value<'a>>, Error> {
        let [value] = self.pick([key])?;
        Ok(value)
    }

    /// The values of several keys, in one walk.
    ///
    /// # Errors
    ///
    /// `Repeated`, if one of them is there twice.
    pub fn pick<const N: usize>(&self, keys: [&str; N]) -> Result<[Option<Value<'a>>; N], Error> {
        let mut values = [None; N];
        for (name, value) in self.iter() {
            let plain = name.plain();
            for (key, found) in keys.iter().zip(&mut values) {
                let is_named = plain.map_or_else(|| name == *key, |plain| plain == *key);
                if is_named && found.replace(value).is_some() {
                    return Err(Error::new(value.at, ErrorKind::Repeated));
                }
            }
        }
        Ok(values)
    }

    /// The value of a key.
    ///
    /// # Errors
    ///
    /// `Missing`, if it is not there, `Repeated`, if it is there twice.
    pub fn require(&self, key: &'static str) -> Result<Value<'a>, Error> {
        self.get(key)?.ok_or(self.missing(key))
    }
}

impl Object<'_> {
    pub(in crate::circuit) const fn missing(&self, key: &'static str) -> Error {
        Error::new(self.value.at, ErrorKind::Missing { key })
    }
}

impl<'a> IntoIterator for Object<'a> {
    type Item = (Text<'a>, Value<'a>);
    type IntoIter = Members<'a>;

    fn into_iter(self) -> Members<'a> {
        self.iter()
    }
}

/// The keys and values of an [`Object`].
#[derive(Clone, Debug)]
pub struct Members<'a> {
    rest: Rest<'a>,
}

impl<'a> Iterator for Members<'a> {
    type Item = (Text<'a>, Value<'a>);

    fn next(&mut self) -> Option<(Text<'a>, Value<'a>)> {
        let View::Text(key) = self.rest.next()?.view() else { return None };
        Some((key, self.rest.next()?))
    }
}

/// What is left of an array or an object.
#[derive(Clone, Debug)]
struct Rest<'a> {
    text: &'a str,
    at: usize,
    /// The value that was handed out last, whose end is only looked for if there is to be another one.
    last: Value<'a>,
}

impl<'a> Rest<'a> {
    /// The next value, behind a comma or a colon where it is not the first.
    fn next(&mut self) -> Option<Value<'a>> {
        self.skip(value_len(self.last.text.as_bytes()));
        self.skip(space_len(self.text.as_bytes()));
        if let Some(b',' | b':') = self.text.as_bytes().first() {
            self.skip(1);
            self.skip(space_len(self.text.as_bytes()));
        }
        self.last = match self.text.as_bytes().first()? {
            // The end, at which it stays.
            b']' | b'}' => Value { text: "", at: self.at },
            _ => Value { text: self.text, at: self.at },
        };
        (!self.last.text.is_empty()).then_some(self.last)
    }

    fn skip(&mut self, len: usize) {
        self.text = self.text.get(len..).unwrap_or_default();
        self.at += len;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn a_value_lies_where_it_says() {
        let text = " [ 1 , {\"a\" :[ ] , \"b\":\"]\\\"\"} ] ";
        let value = Value::parse(text).unwrap();
        let mut seen = 0;
        let mut stack = [value; 8];
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let value = stack[depth];
            assert_eq!(text.get(value.at()..value.at() + value.raw().len()), Some(value.raw()));
            seen += 1;
            match value.view() {
                View::Array(array) => {
                    for element in array {
                        stack[depth] = element;
                        depth += 1;
                    }
                }
                View::Object(object) => {
                    for (_, element) in object {
                        stack[depth] = element;
                        depth += 1;
                    }
                }
                _ => {}
            }
        }
        assert_eq!(seen, 5);
    }
}
