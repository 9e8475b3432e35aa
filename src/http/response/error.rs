//! Why a response cannot be made.

use core::fmt;

use crate::http::field::Fault;

/// Why a response cannot be made of its [`Parts`](crate::http::Parts).
///
/// At compile time each of them is a build error with the sentence that [`message`](Self::message)
/// gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum PartsError {
    /// The header block over HTTP/2 is longer than one frame.
    Block,
    /// A response without content has a body.
    Body,
    /// The name of a field has a capital letter.
    Case,
    /// A field is about the connection.
    Connection,
    /// A value has a control character in it.
    Control,
    /// The longest dynamic body is out of range.
    Dynamic,
    /// A value starts or ends with a space or a tab.
    Edge,
    /// `etag` is among the fields.
    Etag,
    /// A body that differs each time has a tag.
    EtagBody,
    /// A response of another status than 200 has a tag.
    EtagStatus,
    /// A tag has a quote, a space or a control character in it.
    EtagText,
    /// There is too little memory, or at compile time too much.
    Full {
        /// Bytes that are needed.
        bytes: usize,
        /// Holes that there are.
        holes: usize,
    },
    /// A body with holes is longer than one frame.
    HoleBody,
    /// A hole has no bytes.
    HoleWidth,
    /// The status is that of an interim response.
    Interim,
    /// `content-length` is among the fields.
    Length,
    /// The name of a field starts with a colon.
    Pseudo,
    /// The status is no number that a response can have.
    Status,
    /// The name of a field is empty, or has a byte that no name has.
    Token,
    /// A field that can be there once is there twice.
    Twice,
}

impl PartsError {
    pub(super) const fn of(fault: Fault) -> Self {
        match fault {
            Fault::Case => Self::Case,
            Fault::Connection => Self::Connection,
            Fault::Control => Self::Control,
            Fault::Entity => Self::Etag,
            Fault::Length => Self::Length,
            Fault::Pseudo => Self::Pseudo,
            Fault::Token => Self::Token,
        }
    }

    /// What is wrong, and what to write instead, in a sentence.
    #[must_use]
    pub const fn message(&self) -> &'static str {
        match self {
            Self::Block => {
                "the header block is longer than 16,384 bytes, which is one HTTP/2 frame"
            }
            Self::Body => "a response of status 204, 205 or 304 has no body",
            Self::Case => "the name of a header field is written in lower case",
            Self::Connection => {
                "a header field about the connection belongs to no response: the server writes it, \
                 and HTTP/2 has none"
            }
            Self::Control => {
                "the value of a header field has a control character in it, such as CR, LF or NUL"
            }
            Self::Dynamic => "a dynamic body has a maximum of 1 to 16,384 bytes",
            Self::Edge => "the value of a header field starts or ends with a space or a tab",
            Self::Etag => {
                "`etag` is no header field here: give the tag as an option, so that requests with it \
                 are answered with 304"
            }
            Self::EtagBody => "a body that differs each time has no entity tag",
            Self::EtagStatus => "only a response of status 200 has an entity tag",
            Self::EtagText => {
                "an entity tag is given without its quotes, and has no space or control character"
            }
            Self::Full { .. } => "there is not as much room as the response needs",
            Self::HoleBody => "a body with holes has at most 16,384 bytes, as it goes out whole",
            Self::HoleWidth => "a hole is at least one byte wide",
            Self::Interim => {
                "the status of a response is 200 to 599: an interim one (1xx) answers no request"
            }
            Self::Length => "`content-length` follows from the body: leave it out",
            Self::Pseudo => {
                "a name that starts with a colon is no header field: HTTP/2's `:status` is the status"
            }
            Self::Status => "the status of a response is 200 to 599",
            Self::Token => "the name of a header field is empty or has a byte that no name has",
            Self::Twice => "a header field that can be there only once is there twice",
        }
    }
}

impl fmt::Display for PartsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl core::error::Error for PartsError {}
