//! What a response is made of.

use super::error::PartsError;
use super::etag::{self, Etag};
use super::layout::Layout;
use super::{Hole, Response};
use crate::http::field;
use crate::http::hpack::static_table::same;
use crate::http::output::Output;
use crate::literal;

/// Status, header fields and body, before they are bytes.
///
/// [`response!`](crate::http::response) makes these and all that follows from them. Without it:
///
/// ```
/// use onewrite::http::{Header, Literal, Parts, Response};
///
/// const PARTS: Parts<'_> = Parts::new(200)
///     .headers(&[Header::new("content-type", "text/plain")])
///     .body(b"Hello World")
///     .etag_of_body();
/// static LITERAL: Literal<{ PARTS.len() }, { PARTS.hole_count() }> = match PARTS.literal() {
///     Ok(literal) => literal,
///     Err(error) => panic!("{}", error.message()),
/// };
/// static HELLO: Response<'_> = LITERAL.response();
/// # assert!(HELLO.http1().ends_with(b"\r\n\r\nHello World"));
/// ```
///
/// What is only known at run time goes into memory of the caller's:
///
/// ```
/// use onewrite::http::{Parts, PartsError};
///
/// let greeting = format!("Hello {}", 5);
/// let parts = Parts::new(200).body(greeting.as_bytes());
/// let mut bytes = [0; 128];
/// let response = parts.response_in(&mut bytes, &mut [])?;
/// assert!(response.http1().ends_with(b"Hello 5"));
/// # Ok::<(), PartsError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    pub(super) status: u16,
    pub(super) headers: &'a [Header<'a>],
    pub(super) body: Content<'a>,
    pub(super) etag: Etag<'a>,
    /// Of these parts only what a response of status 304 repeats.
    pub(super) is_not_modified: bool,
}

/// One header field of a response.
#[derive(Clone, Copy, Debug)]
pub struct Header<'a> {
    pub(super) name: &'a str,
    pub(super) value: Content<'a>,
}

/// A run of bytes in a value or a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Bytes that are the same each time.
    Bytes(&'a [u8]),
    /// Bytes that a [`Handler`](crate::http::Handler) overwrites; these are what it finds there.
    Hole(&'a [u8]),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Content<'a> {
    Bytes(&'a [u8]),
    Pieces(&'a [Piece<'a>]),
    /// Written each time, at most this many bytes.
    Dynamic(usize),
}

/// A response as the compiler makes it: its bytes, and where what lies in them.
///
/// `BYTES` is [`Parts::len`], `HOLES` is [`Parts::hole_count`].
#[derive(Clone, Copy, Debug)]
pub struct Literal<const BYTES: usize, const HOLES: usize> {
    bytes: [u8; BYTES],
    holes: [Hole; HOLES],
    layout: Layout,
}

impl<'a> Parts<'a> {
    /// A response of `status` with nothing in it.
    ///
    /// Nothing is checked until the response is made: see [`PartsError`].
    #[must_use]
    pub const fn new(status: u16) -> Self {
        Self {
            status,
            headers: &[],
            body: Content::Bytes(&[]),
            etag: Etag::None,
            is_not_modified: false,
        }
    }

    /// The same with these header fields, in place of those it has.
    ///
    /// `content-length` and `etag` are not among them, as they follow from the other parts.
    #[must_use]
    pub const fn headers(self, headers: &'a [Header<'a>]) -> Self {
        Self { headers, ..self }
    }

    /// The same with this body.
    #[must_use]
    pub const fn body(self, body: &'a [u8]) -> Self {
        Self { body: Content::Bytes(body), ..self }
    }

    /// The same with a body that has holes.
    #[must_use]
    pub const fn body_pieces(self, pieces: &'a [Piece<'a>]) -> Self {
        Self { body: Content::Pieces(pieces), ..self }
    }

    /// The same with a body of at most `max` bytes that a [`Handler`](crate::http::Handler) writes.
    #[must_use]
    pub const fn body_dynamic(self, max: usize) -> Self {
        Self { body: Content::Dynamic(max), ..self }
    }

    /// The same with this entity tag, which is given without its quotes.
    #[must_use]
    pub const fn etag(self, tag: &'a str) -> Self {
        Self { etag: Etag::Text(tag), ..self }
    }

    /// The same with an entity tag that follows from the body.
    ///
    /// Only where such a tag makes sense: the status is 200, and the body is the same each time and has
    /// 1 to 65,536 bytes. Otherwise nothing changes.
    #[must_use]
    pub const fn etag_of_body(self) -> Self {
        let Content::Bytes(body) = self.body else {
            return self;
        };
        if self.status != 200 || body.is_empty() || body.len() as u64 > etag::LONGEST {
            return self;
        }
        match literal::hex(etag::hash(body)) {
            Some(digits) => Self { etag: Etag::Hash(digits), ..self },
            None => self,
        }
    }

    /// What answers a request whose client has the current version; `None` without an entity tag.
    ///
    /// Its header fields are those that RFC 9110 section 15.4.5 asks for: the tag, and `cache-control`,
    /// `content-location`, `date`, `expires` and `vary` where the response has them. Holes in them keep
    /// their numbers.
    #[must_use]
    pub const fn not_modified(self) -> Option<Self> {
        match self.etag {
            Etag::None => None,
            _ => {
                Some(Self { status: 304, body: Content::Bytes(&[]), is_not_modified: true, ..self })
            }
        }
    }

    /// Bytes that the response takes, over HTTP/1.1 and HTTP/2 together.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a response is never empty")]
    pub const fn len(&self) -> usize {
        let layout = Layout::put(self, &mut Output::new(&mut []), &mut []);
        layout.h1_len.saturating_add(layout.h2_len)
    }

    /// The number of holes, in header fields and body together.
    #[must_use]
    pub const fn hole_count(&self) -> usize {
        Layout::put(self, &mut Output::new(&mut []), &mut []).holes
    }

    /// The response as a value that a `static` can hold.
    ///
    /// # Errors
    ///
    /// All that [`PartsError`] says. `Full` if `BYTES` or `HOLES` is another number than
    /// [`len`](Self::len) and [`hole_count`](Self::hole_count) say.
    pub const fn literal<const BYTES: usize, const HOLES: usize>(
        &self,
    ) -> Result<Literal<BYTES, HOLES>, PartsError> {
        if let Err(error) = self.check() {
            return Err(error);
        }
        let mut bytes = [0; BYTES];
        let mut holes = [Hole::NONE; HOLES];
        let layout = Layout::put(self, &mut Output::new(&mut bytes), &mut holes);
        let needed = layout.h1_len.saturating_add(layout.h2_len);
        if needed != BYTES || layout.holes != HOLES {
            return Err(PartsError::Full { bytes: needed, holes: layout.holes });
        }
        Ok(Literal { bytes, holes, layout })
    }

    /// The response in memory of the caller's.
    ///
    /// It has no response of status 304 yet: see [`Response::with_not_modified`].
    ///
    /// # Errors
    ///
    /// All that [`PartsError`] says. `Full` if `bytes` or `holes` is too short; what is in them then has
    /// no meaning.
    pub const fn response_in<'b>(
        &self,
        bytes: &'b mut [u8],
        holes: &'b mut [Hole],
    ) -> Result<Response<'b>, PartsError> {
        if let Err(error) = self.check() {
            return Err(error);
        }
        let layout = Layout::put(self, &mut Output::new(bytes), holes);
        let needed = layout.h1_len.saturating_add(layout.h2_len);
        match (bytes.split_at_checked(needed), holes.split_at_checked(layout.holes)) {
            (Some((bytes, _)), Some((holes, _))) => Ok(layout.response(bytes, holes)),
            _ => Err(PartsError::Full { bytes: needed, holes: layout.holes }),
        }
    }

    /// Whether a response can be made of these parts.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong. All but `Full`.
    pub const fn check(&self) -> Result<(), PartsError> {
        match self.status {
            200..=599 => {}
            100..200 => return Err(PartsError::Interim),
            _ => return Err(PartsError::Status),
        }
        if let Err((error, _)) = self.check_headers() {
            return Err(error);
        }
        if let Err(error) = self.check_body() {
            return Err(error);
        }
        if !self.etag.is_valid() {
            return Err(PartsError::EtagText);
        }
        if Layout::block_len(self) > MAX_FRAME {
            return Err(PartsError::Block);
        }
        Ok(())
    }

    /// Name of the first header field that something is wrong with.
    pub(super) const fn wrong_header(&self) -> Option<&'a str> {
        match self.check_headers() {
            Ok(()) => None,
            Err((_, name)) => Some(name),
        }
    }

    const fn check_headers(&self) -> Result<(), (PartsError, &'a str)> {
        let mut headers = self.headers;
        while let [header, rest @ ..] = headers {
            if let Err(error) = header.check() {
                return Err((error, header.name));
            }
            if field::is_single(header.name) && has(rest, header.name) {
                return Err((PartsError::Twice, header.name));
            }
            headers = rest;
        }
        Ok(())
    }

    const fn check_body(&self) -> Result<(), PartsError> {
        let len = match self.body {
            Content::Dynamic(max) if max == 0 || max > MAX_FRAME => {
                return Err(PartsError::Dynamic);
            }
            Content::Dynamic(max) => max,
            Content::Bytes(bytes) => bytes.len(),
            Content::Pieces(_) => {
                let (len, holes) = match self.body.measure() {
                    Ok(measured) => measured,
                    Err(error) => return Err(error),
                };
                if holes > 0 && len > MAX_FRAME {
                    return Err(PartsError::HoleBody);
                }
                len
            }
        };
        if len > 0 && matches!(self.status, 204 | 205 | 304) {
            return Err(PartsError::Body);
        }
        let differs = match self.body {
            Content::Bytes(_) => false,
            Content::Pieces(_) => self.body.has_hole(),
            Content::Dynamic(_) => true,
        };
        match self.etag {
            Etag::None => Ok(()),
            _ if self.is_not_modified => Ok(()),
            _ if self.status != 200 => Err(PartsError::EtagStatus),
            _ if differs => Err(PartsError::EtagBody),
            _ => Ok(()),
        }
    }

    /// Whether the response says how long its body is (RFC 9110 section 8.6).
    pub(super) const fn has_length(&self) -> bool {
        !matches!(self.status, 204 | 304)
    }
}

impl<'a> Header<'a> {
    /// The field `name: value`; the name in lower case, as HTTP/2 has it.
    #[must_use]
    pub const fn new(name: &'a str, value: &'a str) -> Self {
        Self { name, value: Content::Bytes(value.as_bytes()) }
    }

    /// The field `name` with a value that need not be UTF-8, or that has holes.
    ///
    /// What is put into a hole at the end of a value neither starts nor ends with a space.
    #[must_use]
    pub const fn pieces(name: &'a str, pieces: &'a [Piece<'a>]) -> Self {
        Self { name, value: Content::Pieces(pieces) }
    }

    const fn check(&self) -> Result<(), PartsError> {
        if let Err(fault) = field::check_name(self.name) {
            return Err(PartsError::of(fault));
        }
        if let Err(error) = self.value.measure() {
            return Err(error);
        }
        self.value.check_value()
    }
}

impl<'a> Content<'a> {
    /// Length in bytes and number of holes.
    const fn measure(&self) -> Result<(usize, usize), PartsError> {
        let mut pieces = match *self {
            Self::Bytes(bytes) => return Ok((bytes.len(), 0)),
            Self::Pieces(pieces) => pieces,
            Self::Dynamic(max) => return Ok((max, 0)),
        };
        let (mut len, mut holes): (usize, usize) = (0, 0);
        while let [piece, rest @ ..] = pieces {
            if let Piece::Hole(initial) = piece {
                if initial.is_empty() {
                    return Err(PartsError::HoleWidth);
                }
                holes += 1;
            }
            len = len.saturating_add(piece.bytes().len());
            pieces = rest;
        }
        Ok((len, holes))
    }

    pub(super) const fn len(&self) -> usize {
        match self.measure() {
            Ok((len, _)) => len,
            Err(_) => 0,
        }
    }

    pub(super) const fn has_hole(&self) -> bool {
        matches!(self.measure(), Ok((_, 1..)))
    }

    /// Whether all bytes can stand in the value of a field.
    const fn check_value(&self) -> Result<(), PartsError> {
        let one;
        let mut pieces = match *self {
            Self::Bytes(bytes) => {
                one = [Piece::Bytes(bytes)];
                &one
            }
            Self::Pieces(pieces) => pieces,
            Self::Dynamic(_) => return Ok(()),
        };
        let (mut is_start, mut ends_with_space) = (true, false);
        while let [piece, rest @ ..] = pieces {
            let bytes = piece.bytes();
            if let Err(fault) = field::check_value(bytes) {
                return Err(PartsError::of(fault));
            }
            if let ([first, ..], [.., last]) = (bytes, bytes) {
                if is_start && field::is_space(*first) {
                    return Err(PartsError::Edge);
                }
                ends_with_space = field::is_space(*last);
                is_start = false;
            }
            pieces = rest;
        }
        if ends_with_space { Err(PartsError::Edge) } else { Ok(()) }
    }
}

impl<'a> Piece<'a> {
    pub(super) const fn bytes(&self) -> &'a [u8] {
        match self {
            Self::Bytes(bytes) | Self::Hole(bytes) => bytes,
        }
    }
}

impl<const BYTES: usize, const HOLES: usize> Literal<BYTES, HOLES> {
    /// The response that these bytes are.
    #[must_use]
    pub const fn response(&self) -> Response<'_> {
        self.layout.response(&self.bytes, &self.holes)
    }

    /// The same with these bytes and holes of this literal, which are kept without it.
    #[doc(hidden)]
    #[must_use]
    pub const fn response_of<'b>(&self, bytes: &'b [u8], holes: &'b [Hole]) -> Response<'b> {
        self.layout.response(bytes, holes)
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn bytes(&self) -> [u8; BYTES] {
        self.bytes
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn holes(&self) -> [Hole; HOLES] {
        self.holes
    }
}

const fn has(mut headers: &[Header<'_>], name: &str) -> bool {
    while let [header, rest @ ..] = headers {
        if same(header.name.as_bytes(), name.as_bytes()) {
            return true;
        }
        headers = rest;
    }
    false
}

/// The longest frame that every peer takes (RFC 9113 section 4.2), without its header.
pub(super) const MAX_FRAME: usize = 16_384;
