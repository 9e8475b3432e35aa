//! Requests that a handler sees as they came.

use core::str;

use super::Split;

/// A whole request over HTTP/1.1, as it lies in the owner's input.
///
/// All of it was checked: the request line, each line of a field, the length of the body, the host. What the
/// fields say beyond that is for the handler to judge.
#[derive(Clone, Copy, Debug)]
pub struct Received<'i> {
    /// Number of the route among the [`Routes`](crate::http::Routes).
    pub route: usize,
    /// The head, from the method to the empty line.
    head: &'i [u8],
    body: &'i [u8],
}

impl<'i> Received<'i> {
    pub(in crate::http) const fn new(route: usize, head: &'i [u8], body: &'i [u8]) -> Self {
        Self { route, head, body }
    }

    /// The method, in upper case: one that RFC 9110 knows, or PATCH, but never OPTIONS or CONNECT.
    #[must_use]
    pub fn method(&self) -> &'i str {
        self.words()[0]
    }

    /// What is asked for: a path and a query, or a URI of HTTP.
    #[must_use]
    pub fn target(&self) -> &'i str {
        self.words()[1]
    }

    /// The version: `HTTP/1.1` or `HTTP/1.0`.
    #[must_use]
    pub fn version(&self) -> &'i str {
        self.words()[2]
    }

    /// The query behind the path's question mark, if there is one.
    #[must_use]
    pub fn query(&self) -> Option<&'i str> {
        let target = self.target();
        let mark = target.bytes().position(|byte| byte == b'?')?;
        target.get(mark + 1..)
    }

    /// The value of a parameter in the query, as it came: nothing in it is percent-decoded.
    ///
    /// `None` also if it is there twice.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&'i str> {
        let parameters = Split::new(self.query()?.as_bytes(), b'&');
        let values = parameters.filter_map(|parameter| {
            let (front, behind) = parameter.split_at_checked(name.len())?;
            match behind {
                [b'=', value @ ..] if front == name.as_bytes() => Some(value),
                _ => None,
            }
        });
        str::from_utf8(only(values)?).ok()
    }

    /// Names and values of the fields, in order, without white space around the values.
    pub fn fields(&self) -> impl Iterator<Item = (&'i [u8], &'i [u8])> + use<'i> {
        let lines = Split::new(self.head, b'\n').skip(1);
        lines.filter_map(|line| {
            let colon = line.iter().position(|byte| *byte == b':')?;
            let (name, value) = line.split_at_checked(colon)?;
            // The CR is white space as well.
            Some((name, value.get(1..)?.trim_ascii()))
        })
    }

    /// The value of the field of that name, whatever the case of its letters.
    ///
    /// `None` also if it is there twice: of two values nobody knows which one was meant.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'i [u8]> {
        let is_named = |field: &(&[u8], _)| field.0.eq_ignore_ascii_case(name.as_bytes());
        only(self.fields().filter(is_named).map(|(_, value)| value))
    }

    /// The body, whose length the client said beforehand.
    #[must_use]
    pub const fn body(&self) -> &'i [u8] {
        self.body
    }

    /// The request line.
    fn words(&self) -> [&'i str; 3] {
        let line = Split::new(self.head, b'\r').next().unwrap_or_default();
        let mut words = Split::new(line, b' ');
        // All of it is visible.
        [(); 3].map(|()| str::from_utf8(words.next().unwrap_or_default()).unwrap_or_default())
    }
}

/// The only one that there is.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let item = items.next()?;
    if items.next().is_some() { None } else { Some(item) }
}

/// What a handler answered to a [`Received`] request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Exchanged {
    /// A response of so many bytes that says `connection: close` itself, and is the connection's last.
    Close(usize),
    /// A response of so many bytes, after which requests go on.
    Response(usize),
    /// A response of so many bytes, after which the connection speaks another protocol (RFC 9110 section
    /// 7.8): one of status 101.
    Switch(usize),
}
