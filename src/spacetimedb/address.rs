//! Where a client connects to, and how it says who it is.

use core::{fmt, str};

use crate::bsatn::ConnectionId;

/// How a server shall compress messages of more than 1,024 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Compression {
    /// Not at all: only then can a message be read in pieces.
    #[default]
    None,
    /// As a gzip member.
    Gzip,
    /// As a brotli stream. It is what a server does that was asked for nothing.
    Brotli,
}

impl Compression {
    /// The word in the address. Servers take it in no other case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Gzip => "Gzip",
            Self::Brotli => "Brotli",
        }
    }
}

/// A database of a server, and what a connection to it shall be like.
///
/// | part of the target | from |
/// |---|---|
/// | `/v1/database/NAME/subscribe` | `database`, percent-encoded |
/// | `?compression=None`, `Gzip` or `Brotli` | `compression` |
/// | `&confirmed=true` or `false` | `confirmed`, where it says something |
/// | `&light=true` | `light` |
/// | `&connection_id=` and 32 hexadecimal digits | `connection_id` |
///
/// With [`bearer`] it is all that an [`Ask`](crate::websocket::Ask) needs:
///
/// ```
/// use onewrite::spacetimedb::stream::Version;
/// use onewrite::spacetimedb::{Address, bearer};
/// use onewrite::websocket::Ask;
///
/// let (mut target, mut authorization) = ([0; 128], [0; 512]);
/// let fields = [("authorization", bearer("a token", &mut authorization)?)];
/// let ask = Ask {
///     host: "pi:3000",
///     target: Address::of("my lamps").target(&mut target)?,
///     origin: None,
///     protocols: &[Version::V3.subprotocol(), Version::V2.subprotocol()],
///     fields: &fields,
/// };
/// assert_eq!(ask.target, "/v1/database/my%20lamps/subscribe?compression=None");
/// assert_eq!(ask.fields, [("authorization", "Bearer a token")]);
/// # Ok::<(), onewrite::spacetimedb::NoRoom>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Address<'a> {
    /// Name or identity of the database.
    pub database: &'a str,
    /// What messages are compressed with.
    pub compression: Compression,
    /// Whether to hear of a transaction only once it is on disk; else as the server likes.
    pub confirmed: Option<bool>,
    /// Version 1: whether calls of others come as `TransactionUpdateLight`.
    pub light: bool,
    /// A number for the connection, which may not be zero; else the server chooses one.
    pub connection_id: Option<ConnectionId>,
}

impl<'a> Address<'a> {
    /// The database of this name: no compression, and the rest as the server likes.
    #[must_use]
    pub const fn of(database: &'a str) -> Self {
        Self {
            database,
            compression: Compression::None,
            confirmed: None,
            light: false,
            connection_id: None,
        }
    }

    /// Writes path and query to the start of `out`.
    ///
    /// # Errors
    ///
    /// Where it does not fit. What stands in `out` is then unspecified.
    pub fn target<'o>(&self, out: &'o mut [u8]) -> Result<&'o str, NoRoom> {
        let mut text = Text { out, len: 0 };
        text.push_all("/v1/database/");
        for byte in self.database.bytes() {
            // Unreserved: RFC 3986 section 2.3.
            if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
                text.push(byte);
            } else {
                text.push(b'%');
                text.push_digits(byte);
            }
        }
        text.push_all("/subscribe?compression=");
        text.push_all(self.compression.name());
        match self.confirmed {
            Some(true) => text.push_all("&confirmed=true"),
            Some(false) => text.push_all("&confirmed=false"),
            None => {}
        }
        if self.light {
            text.push_all("&light=true");
        }
        if let Some(id) = self.connection_id {
            text.push_all("&connection_id=");
            for byte in id.to_be_bytes() {
                text.push_digits(byte);
            }
        }
        text.finish()
    }
}

/// Writes the value of a field `authorization` to the start of `out`: what a client says that comes
/// back as someone.
///
/// # Errors
///
/// Where it does not fit. What stands in `out` is then unspecified.
pub fn bearer<'o>(token: &str, out: &'o mut [u8]) -> Result<&'o str, NoRoom> {
    let mut text = Text { out, len: 0 };
    text.push_all("Bearer ");
    text.push_all(token);
    text.finish()
}

/// A buffer is too short for a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NoRoom {
    /// Bytes that the text has.
    pub needed: usize,
    /// Bytes that the buffer has.
    pub available: usize,
}

impl fmt::Display for NoRoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "text of {} bytes in a buffer of {}", self.needed, self.available)
    }
}

impl core::error::Error for NoRoom {}

/// A text that grows, and is counted where there is no room left.
struct Text<'o> {
    out: &'o mut [u8],
    len: usize,
}

impl<'o> Text<'o> {
    fn push(&mut self, byte: u8) {
        if let Some(slot) = self.out.get_mut(self.len) {
            *slot = byte;
        }
        self.len = self.len.saturating_add(1);
    }

    fn push_all(&mut self, text: &str) {
        for byte in text.bytes() {
            self.push(byte);
        }
    }

    fn push_digits(&mut self, byte: u8) {
        for digit in [byte >> 4, byte & 0xf] {
            self.push(if digit < 10 { b'0' + digit } else { b'a' + (digit - 10) });
        }
    }

    fn finish(self) -> Result<&'o str, NoRoom> {
        let Self { out, len } = self;
        let error = NoRoom { needed: len, available: out.len() };
        let text: &'o [u8] = out;
        // Of whole texts and of digits: it is UTF-8.
        text.get(..len).and_then(|text| str::from_utf8(text).ok()).ok_or(error)
    }
}
